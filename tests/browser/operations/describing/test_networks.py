# SPDX-License-Identifier: MIT
from __future__ import annotations

import threading
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import network_entries
from focal_photos.browser.operations.describing.enabled import change_enabled, enabled_names, set_enabled
from focal_photos.browser.operations.describing.networks import (
    add_network,
    check_network,
    remove_network,
    renew_networks,
)
from focal_photos.browser.operations.describing.settings import NETWORKS
from focal_photos.browser.operations.jobs.errors import OperationError
from tests.browser.operations.own_descriptors import write_network


def test_a_checked_entry_is_added_without_its_file(tmp_path: Path) -> None:
    file = write_network(tmp_path / "net.onnx")
    entry = check_network({"name": "tiny", "file": str(file)})
    assert entry["values"] == 5
    assert (entry["width"], entry["height"]) == (8, 8)
    assert len(entry["digest"]) == 64
    file.unlink()
    with Library.open(tmp_path / "library") as library:
        added = add_network(library, entry)
        assert NETWORKS.get(library) == (added,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"file": "/nowhere/net.onnx"}, "There is no file net.onnx: give the path of an ONNX file."),
        ({"file": "net.onnx"}, "The file of the network tiny needs an absolute path."),
        ({"name": "gist"}, "There is already a descriptor gist: give the network another name."),
        ({"width": 9, "height": 8}, "The network takes images of 8x8 pixels, not 9x8."),
        ({"output": "other"}, "The network has no value 'other'; its outputs are vector."),
    ],
)
def test_an_error_is_reported_in_one_line(tmp_path: Path, change: dict[str, object], message: str) -> None:
    file = write_network(tmp_path / "net.onnx")
    with pytest.raises(OperationError) as caught:
        check_network({"name": "tiny", "file": str(file), **change})
    assert str(caught.value) == message


@pytest.mark.slow
def test_a_check_can_be_cancelled_and_has_a_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"name": "tiny", "file": str(write_network(tmp_path / "net.onnx"))}
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(OperationError):
        check_network(entry, cancelled)
    monkeypatch.setattr(network_entries, "SECONDS", 0.0)
    with pytest.raises(OperationError, match="more than 0 s"):
        check_network(entry)


def test_a_disabled_network_is_not_looked_for(tmp_path: Path) -> None:
    file = write_network(tmp_path / "net.onnx")
    with Library.open(tmp_path / "library") as library:
        add_network(library, {"name": "tiny", "file": str(file)})
        change_enabled(library, on=["tiny"])
        before = NETWORKS.get(library)
        renew_networks(library)
        assert NETWORKS.get(library) == before
        file.unlink()
        with pytest.raises(OperationError, match="put it back"):
            renew_networks(library)
        change_enabled(library, off=["tiny"])
        renew_networks(library)
        assert NETWORKS.get(library) == before


def test_a_network_is_added_and_removed_in_one_step(tmp_path: Path) -> None:
    """Otherwise a full disk in between could leave the network in the library but switched off."""

    def commits() -> int:
        row = library.database.row("SELECT commits FROM commit_count")
        assert row is not None
        return int(row[0])

    entry = check_network({"name": "tiny", "file": str(write_network(tmp_path / "net.onnx"))})
    with Library.open(tmp_path / "library") as library:
        set_enabled(library, ["color_moments"])
        before = commits()
        add_network(library, entry)
        assert commits() == before + 1
        assert enabled_names(library) == ("color_moments", "tiny")
        remove_network(library, "tiny")
        assert commits() == before + 2
        assert (enabled_names(library), NETWORKS.get(library)) == (("color_moments",), ())
