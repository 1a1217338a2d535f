# SPDX-License-Identifier: MIT
from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.network_entries import document, read_networks
from focal_photos.browser.operations.describing.networks import add_network, check_network, network_states
from focal_photos.browser.operations.describing.settings import NETWORKS
from focal_photos.browser.operations.describing.try_network import PHOTOS, try_network
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.features.network.backends import OnnxRuntime, version_of
from tests.browser.operations.album import Album
from tests.browser.operations.colored_album import color_entry
from tests.browser.operations.own_descriptors import write_network


def test_a_trial_estimates_the_cost_for_all_photos(indexed: Library, tmp_path: Path) -> None:
    (network,) = read_networks([color_entry(tmp_path / "networks")])
    trial = finish(try_network(indexed, network))
    assert (trial.tried, trial.unreadable, trial.photos) == (PHOTOS, 0, 12)
    assert (trial.dimension, trial.library_bytes) == (network.dimension, 4 * network.dimension * 12)
    assert trial.backend == f"onnxruntime {version_of('onnxruntime')}"
    each = trial.seconds + trial.decoding_seconds
    assert trial.library_seconds == pytest.approx(12 * each / available_cores() + trial.loading_seconds)
    assert min(trial.seconds, trial.decoding_seconds, trial.loading_seconds) >= 0
    assert NETWORKS.get(indexed) == ()
    assert [key for key in indexed.vectors.keys() if key.startswith("colors")] == []  # noqa: SIM118 - no mapping


def test_unreadable_photos_are_counted(indexed: Library, album: Album, tmp_path: Path) -> None:
    (network,) = read_networks([{"name": "net", "file": str(write_network(tmp_path / "net.onnx"))}])
    for number in range(6):
        (album.folder / f"warm/{number}.jpg").unlink()
    trial = finish(try_network(indexed, network, 12))
    assert (trial.tried, trial.unreadable) == (6, 6)
    shutil.rmtree(album.folder)
    with pytest.raises(OperationError, match="None of the photos could be read"):
        finish(try_network(indexed, network))


def test_a_trial_needs_photos(library: Library, tmp_path: Path) -> None:
    (network,) = read_networks([{"name": "net", "file": str(write_network(tmp_path / "net.onnx"))}])
    with pytest.raises(OperationError, match="add a folder with photos first"):
        finish(try_network(library, network))


@pytest.mark.slow
def test_a_failing_network_raises_and_a_trial_can_be_cancelled(indexed: Library, tmp_path: Path) -> None:
    (network,) = read_networks([{"name": "net", "file": str(write_network(tmp_path / "net.onnx"))}])
    with closing(try_network(indexed, network)) as job:
        next(job)
        next(job)
    assert finish(try_network(indexed, network)).tried == PHOTOS
    sandbox().release()
    (tmp_path / "net.onnx").unlink()
    with pytest.raises(OperationError, match=r"no file net\.onnx"):
        finish(try_network(indexed, network))
    add_network(indexed, {"name": "net", "file": str(write_network(tmp_path / "net.onnx"))})
    (tmp_path / "net.onnx").unlink()
    (state,) = network_states(indexed)
    assert state.backend.startswith("cannot be used: The file of the network net cannot be read")


@pytest.mark.parametrize(("context", "padded"), [(None, False), (9, True)])
def test_checking_a_text_encoder_again_gives_the_same_entry(tmp_path: Path, context: int | None, padded: bool) -> None:
    entry = color_entry(tmp_path / "networks")
    text = entry["text"]
    assert isinstance(text, dict)
    if context is not None:
        text["context"] = context
    (network,) = read_networks([entry])
    known = document(network)
    assert known["text"]["padded"] is padded
    assert read_networks([known]) == (network,)
    unknown = {name: value for name, value in known.items() if name not in ("digest", "values")}
    assert check_network(unknown) == known


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokenizer": "relative.json"}, "needs an absolute path"),
        ({"file": 5}, "needs an absolute path"),
        ({"context": "many"}, "must be a whole number"),
        ({"output": 3}, "must be a text"),
        ({"padded": 1}, "must be true or false"),
        ({"more": 1}, "has a file, a tokenizer and some of"),
    ],
)
def test_the_entry_of_a_text_encoder_is_checked(tmp_path: Path, change: dict[str, object], message: str) -> None:
    entry = color_entry(tmp_path / "networks")
    text = entry["text"]
    assert isinstance(text, dict)
    with pytest.raises(ValueError, match=message):
        read_networks([{**entry, "text": {**text, **change}}])
    with pytest.raises(ValueError, match="the text half of a network has a file"):
        read_networks([{**entry, "text": "texts.onnx"}])
    with pytest.raises(ValueError, match="share of the photo"):
        read_networks([{**entry, "share": "all"}])


def threads_of(data: bytes) -> int:
    return OnnxRuntime(data).threads


def test_a_network_computes_on_one_thread_in_a_worker(tmp_path: Path) -> None:
    data = write_network(tmp_path / "net.onnx").read_bytes()
    assert sandbox().call(threads_of, data) == 1
