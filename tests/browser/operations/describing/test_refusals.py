# SPDX-License-Identifier: MIT
"""Descriptors, states and networks that cannot be enabled, saved or named are refused with a message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryReadOnlyError
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.describing.fitted_states import FittedStates
from focal_photos.browser.operations.describing.network_entries import read_networks
from focal_photos.browser.operations.describing.networks import remove_network
from focal_photos.browser.operations.describing.settings import ENABLED, SECONDS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.base import FittedState

NETWORK = {"name": "mine", "file": "/networks/mine.onnx", "digest": "0" * 64, "values": 5, "width": 8, "height": 8}


def test_a_read_only_library_saves_no_fitted_state(tmp_path: Path) -> None:
    states = FittedStates(tmp_path / "fitted", read_only=True)
    with pytest.raises(LibraryReadOnlyError):
        states.keep("words-1-a", "words-1", 3, FittedState({"centres": np.zeros((2, 2))}))
    assert not states.folder.exists()


def test_a_missing_network_cannot_be_removed(library: Library) -> None:
    with pytest.raises(OperationError, match=r"There is no network 'mine'; there are: none\."):
        remove_network(library, "mine")


def test_a_complete_entry_is_accepted_without_its_file() -> None:
    (network,) = read_networks([{**NETWORK, "mean": 127.5, "scale": [1, 2, 3]}])
    assert (network.name, network.dimension) == ("mine", 5)
    assert network.mean == (127.5, 127.5, 127.5)
    assert network.scale == (1.0, 2.0, 3.0)


@pytest.mark.parametrize("name", ["width", "height"])
def test_an_incomplete_entry_needs_its_file(name: str) -> None:
    # The missing file is reported like any other error in an entry.
    with pytest.raises(ValueError, match=r"no file mine\.onnx"):
        read_networks([{key: value for key, value in NETWORK.items() if key != name} | {"file": "/nowhere/mine.onnx"}])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": "red"}, "a network has a name, a file and some of"),
        ({"layout": 3}, "the layout of a network must be a text"),
        ({"width": True}, "the width of a network must be a whole number"),
        ({"height": 2.5}, "the height of a network must be a whole number"),
        ({"mean": [1, 2]}, "the mean of a network must be one number, or three"),
        ({"scale": True}, "the scale of a network must be one number, or three"),
        ({"file": "mine.onnx"}, "the file of the network mine needs an absolute path"),
        ({"name": "gabor"}, "there is already a descriptor gabor"),
    ],
)
def test_an_entry_with_a_mistake_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_networks([{**NETWORK, **change}])


def test_enabled_descriptors_are_parsed_from_text() -> None:
    assert ENABLED.from_text("standard") is None
    assert ENABLED.from_text(" gabor, gist,,gabor") == ("gabor", "gist")
    with pytest.raises(OperationError, match="descriptors: expected names of descriptors"):
        ENABLED.from_text(" , ")


def test_a_setting_documents_itself(library: Library) -> None:
    SECONDS.set(library, 5)
    document = SECONDS.document(library)
    assert (document["name"], document["value"], document["default"]) == ("decode.seconds", 5.0, 60.0)
    assert document["title"] == SECONDS.title
    assert document["help"] == SECONDS.help


def test_the_space_takes_the_most_complete_families_if_none_is_complete(indexed: Library) -> None:
    families = space_families(indexed)
    assert len(families) == 3
    (indexed.path / "derived" / "complete.json").unlink()
    ids = indexed.photos.ids().tolist()
    stores = [indexed.vectors.store(str(one.key), one.dimension) for one in families]
    for store, lost in zip(stores, (ids[:1], ids[1:2], ids[2:8]), strict=True):
        store.forget(lost)
    assert space_families(indexed) == families[:2]  # 11, 11 and 6 of 12 photos


def test_a_fitted_state_is_never_read_from_a_pickle(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (tmp_path / "sprung",)  # type: ignore[return-value]

    states = FittedStates(tmp_path / "fitted")
    states.keep("words-1-a", "words-1", 3, FittedState({"centres": np.zeros((2, 2))}))
    [file] = states.folder.iterdir()
    with np.load(file) as archive:
        arrays = dict(archive)
    np.savez(file, allow_pickle=True, **{**arrays, "state.centres": np.array([Trap()], dtype=object)})
    assert states.all() == []
    assert not (tmp_path / "sprung").exists()


def test_two_networks_of_the_same_name_are_refused() -> None:
    with pytest.raises(ValueError, match="there is already a descriptor mine"):
        read_networks([NETWORK, NETWORK])
    assert len(read_networks([NETWORK, {**NETWORK, "name": "other"}])) == 2
