# SPDX-License-Identifier: MIT
"""Exports to a full or write-protected disk: an error message, and no incomplete files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.operations.exchange.formats import FORMATS
from tests.browser.catalog.processes import (
    can_bind_by_permissions,
    can_make_small_disk,
    run_bound_by_permissions,
    run_on_small_disk,
)
from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album
from tests.features.decoding.decoders.test_dicom import dicom

SCRIPT = """
import contextlib, io, json, sys
from pathlib import Path
from focal_photos.browser.cli import main

target, library, commands, ballast = Path(sys.argv[1]), *json.loads(@ARGUMENTS@)
if ballast:
    with (target / "ballast").open("wb", buffering=0) as stream:
        for block in (bytes(4096), bytes(1)):
            with contextlib.suppress(OSError):
                while True:
                    stream.write(block)
told = []
for words in commands:
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        code = main([*words, "--library", library])
    left = sorted(str(path) for path in target.rglob("*") if path.name != "ballast")
    told.append([words, code, err.getvalue(), left])
print(json.dumps(told))
"""


@pytest.fixture
def learned(indexed: Focal, album: Album) -> Focal:
    """Return a library with tagged photos and a metric."""
    for kind in ("warm", "cold"):
        indexed("tag", *(album.path(f"{kind}/{number}.jpg") for number in range(5)), f"+{kind}")
    indexed("train", "--learner", "kernel")
    return indexed


def commands_into(target: Path, frames: Path) -> list[list[str]]:
    """Return every command that writes to a path given by the user, with paths in `target`."""
    formats = [name for name, one in FORMATS.items() if one.writes_photos]
    return [
        *(["export", "--format", name, "--output", str(target / f"set-{name}")] for name in formats),
        ["export", "--what", "judgements", "--format", "csv", "--output", str(target / "judged.csv")],
        ["lens", "export", "kernel-1", str(target / "kernel.npz")],
        ["lens", "export", "kernel-1", "--to", str(target / "kernel")],
        ["archive", str(target / "all.focal.zip")],
        ["frames", str(frames), "--output", str(target / "frames")],
    ]


def file_of_frames(folder: Path) -> Path:
    file = folder / "frames.dcm"
    values = np.arange(3 * 64 * 64, dtype=np.uint16).reshape(3, 64, 64)
    file.write_bytes(dicom(values, frames=3))
    return file


def script(focal: Focal, target: Path, frames: Path, *, ballast: bool) -> str:
    arguments = json.dumps([str(focal.library), commands_into(target, frames), ballast])
    return SCRIPT.replace("@ARGUMENTS@", repr(arguments))


@pytest.mark.slow
@pytest.mark.skipif(not can_make_small_disk(), reason="no small disk can be mounted here")
def test_a_full_disk_is_reported_and_leaves_no_partial_file(learned: Focal, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    code = script(learned, disk, file_of_frames(tmp_path), ballast=True)
    for words, ended, err, left in json.loads(run_on_small_disk(code, disk, "1m").splitlines()[-1]):
        assert (ended, left) == (1, []), (words, err)
        assert str(disk) in err, words
        assert "o space left on device. Free some space, or choose another place.\n" in err, (words, err)


@pytest.mark.slow
@pytest.mark.skipif(not can_bind_by_permissions(), reason="permissions bind nobody here")
def test_a_folder_without_permission_is_reported_and_leaves_no_partial_file(learned: Focal, tmp_path: Path) -> None:
    sealed = tmp_path / "sealed"
    sealed.mkdir(mode=0o555)
    code = script(learned, sealed, file_of_frames(tmp_path), ballast=False)
    for words, ended, err, left in json.loads(run_bound_by_permissions(code, sealed).splitlines()[-1]):
        assert (ended, left) == (1, []), (words, err)
        assert str(sealed) in err, words
        assert "Permission denied. Choose another place, or change its permissions.\n" in err, (words, err)
