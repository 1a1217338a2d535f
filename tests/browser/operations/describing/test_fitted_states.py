# SPDX-License-Identifier: MIT
"""States of fitted descriptors are loaded on first use once their file is verified; damaged files are ignored."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.operations.describing import fitted_states
from focal_photos.browser.operations.describing.fitted_states import FittedStates
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.base import FittedState

STATE = FittedState({"axes": np.arange(12.0).reshape(3, 4), "mean": np.ones(3)})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder of fitted states with one verified state."""
    states = FittedStates(tmp_path / "fitted")
    states.keep("one-1-key", "one-1-of", 7, STATE, learned=5)
    assert [kept.key for kept in states.all()] == ["one-1-key"]
    return tmp_path / "fitted"


def refuse(path: Path) -> None:
    raise AssertionError(f"{path} was read")


def test_a_verified_state_is_known_without_reading_its_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(fitted_states, "_read", refuse)
        (kept,) = FittedStates(folder).all()
    assert (kept.key, kept.of, kept.sampled, kept.learned) == ("one-1-key", "one-1-of", 7, 5)
    assert kept.state == STATE
    assert hash(kept.state) == hash(STATE)
    np.testing.assert_array_equal(kept.state["axes"], STATE["axes"])
    (kept,) = FittedStates(folder).all()
    sent = pickle.loads(pickle.dumps(kept.state))
    assert type(sent) is FittedState
    np.testing.assert_array_equal(sent["mean"], STATE["mean"])


def test_a_file_written_since_is_read_completely(folder: Path) -> None:
    file = folder / "one-1-key.npz"
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(1, 1))
    assert FittedStates(folder).all() == []
    FittedStates(folder).keep("one-1-key", "one-1-of", 8, STATE, learned=6)
    assert [kept.sampled for kept in FittedStates(folder).all()] == [8]


def test_deleted_and_new_files_are_noticed(folder: Path) -> None:
    states = FittedStates(folder)
    (kept,) = states.all()
    (folder / "one-1-key.npz").unlink()
    assert states.all() == []
    with pytest.raises(OperationError, match="run focal index"):
        _ = kept.state["axes"]
    states.keep("two-1-key", "two-1-of", 9, STATE, learned=6)
    assert [one.key for one in states.all()] == ["two-1-key"]
    assert [one.key for one in FittedStates(folder).all()] == ["two-1-key"]


@pytest.mark.parametrize("text", ["", "{", "[[1]]", "{}", '[["one-1-key.npz", "x", 1, 2, 3, 4, 5, 6]]'])
def test_a_damaged_record_of_verified_files_is_ignored(folder: Path, text: str) -> None:
    (folder.parent / "fitted.json").write_text(text)
    (kept,) = FittedStates(folder).all()
    assert kept.state == STATE


def test_a_reader_without_write_access_records_nothing(folder: Path) -> None:
    (folder.parent / "fitted.json").unlink()
    (kept,) = FittedStates(folder, read_only=True).all()
    assert kept.state == STATE
    assert not (folder.parent / "fitted.json").exists()
