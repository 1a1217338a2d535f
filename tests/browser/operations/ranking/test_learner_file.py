# SPDX-License-Identifier: MIT
"""Learner files of a library are written completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA

from focal_photos.browser.operations.ranking.learner_file import write_learners
from focal_photos.learners.linear.euclidean import Euclidean
from focal_photos.learners.persistence import PersistenceError, load

X = np.eye(3)


def test_a_file_is_synced_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(descriptor: int) -> None:
        events.append("fsync")
        fsync(descriptor)

    def renamed(self: Path, target: Path) -> Path:
        events.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    write_learners(tmp_path / "m.npz", plain=Euclidean().fit(X))
    assert events == ["fsync", "rename", "fsync"]
    assert list(load(tmp_path / "m.npz")) == ["plain"]
    assert [path.name for path in tmp_path.iterdir()] == ["m.npz"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "m.npz"
    write_learners(file, plain=Euclidean().fit(X))
    before = file.read_bytes()
    with pytest.raises(PersistenceError, match="A PCA cannot be saved"):
        write_learners(file, other=PCA())

    def full(*_arguments: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(PersistenceError, match=r"^m\.npz could not be written: No space left on device\.$"):
        write_learners(file, plain=Euclidean())
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["m.npz"]


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(PersistenceError, match="could not be written: No such file"):
        write_learners(tmp_path / "nowhere" / "m.npz", plain=Euclidean())
