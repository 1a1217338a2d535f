# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.metadata.sidecars import Folder, content_hash, read_sidecars, write_sidecar
from focal_photos.features.metadata.xmp import merge_xmp
from tests.browser.catalog.small_drives import refuse

JPEG = b"\xff\xd8\xff\xe0"


@pytest.mark.parametrize(
    ("names", "photo", "found"),
    [
        (["a.jpg", "a.jpg.xmp"], "a.jpg", [("a.jpg.xmp", True)]),
        (["a.jpg", "a.xmp"], "a.jpg", [("a.xmp", True)]),
        (["a.jpg", "a.jpg.xmp", "a.xmp"], "a.jpg", [("a.jpg.xmp", True), ("a.xmp", True)]),
        (["a.JPG", "A.jpg.XMP"], "a.JPG", [("A.jpg.XMP", True)]),
        (["a.JPG", "A.XMP"], "a.JPG", [("A.XMP", True)]),
        (["a.jpg", "A.jpg", "A.jpg.xmp", "A.xmp"], "a.jpg", []),
        (["a.jpg", "A.jpg", "A.jpg.xmp", "A.xmp"], "A.jpg", [("A.jpg.xmp", True), ("A.xmp", True)]),
        (["a.jpg", "a.cr2", "a.xmp"], "a.jpg", [("a.xmp", False)]),
        (["a.jpg", "a.cr2", "a.xmp"], "a.cr2", [("a.xmp", True)]),
        (["a.jpg", "a.cr2", "a.nef", "a.xmp"], "a.cr2", [("a.xmp", False)]),
        (["a.jpg", "a.png", "a.xmp"], "a.jpg", [("a.xmp", False)]),
        (["a.jpg", "a.jpg.png", "a.jpg.xmp"], "a.jpg.png", []),
        (["a.jpg", "a.jpg.png", "a.jpg.xmp"], "a.jpg", [("a.jpg.xmp", True)]),
        (["a.jpg", "b.xmp", "a.txt.xmp", "aa.xmp", ".xmp"], "a.jpg", []),
        (["a.b.jpg", "a.b.xmp"], "a.b.jpg", [("a.b.xmp", True)]),
        # Photos that are recognised by content.
        (["photo", "photo.xmp"], "photo", [("photo.xmp", True)]),
        (["photo.dat", "photo.xmp"], "photo.dat", [("photo.xmp", True)]),
        (["photo.dat", "photo.dat.xmp"], "photo.dat", [("photo.dat.xmp", True)]),
        (["photo.dat", "photo.bin", "photo.xmp"], "photo.dat", [("photo.xmp", False)]),
        (["photo.jpg", "photo.dat", "photo.xmp"], "photo.jpg", [("photo.xmp", False)]),
        (["photo", "photo.jpg", "photo.xmp"], "photo.jpg", []),
        (["a.jpg", "a.dat", "a.xmp"], "a.jpg", [("a.xmp", True)]),  # if the other file is no photo
    ],
)
def test_the_sidecars_of_a_photo_are_found(
    tmp_path: Path, names: list[str], photo: str, found: list[tuple[str, bool]]
) -> None:
    for name in names:
        (tmp_path / name).write_bytes(JPEG if name.startswith("photo") else b"")
    assert Folder(tmp_path).sidecars_of(photo) == found


@pytest.mark.parametrize(
    ("names", "photo", "with_suffix", "name"),
    [
        (["a.jpg"], "a.jpg", True, "a.jpg.xmp"),
        (["a.jpg"], "a.jpg", False, "a.xmp"),
        (["a.jpg", "a.cr2"], "a.jpg", False, "a.jpg.xmp"),
        (["a.jpg", "a.cr2"], "a.cr2", False, "a.xmp"),
        (["a.jpg", "a.png"], "a.png", False, "a.png.xmp"),
        (["a.jpg", "a.jpg.png"], "a.jpg.png", False, "a.jpg.png.xmp"),  # a.jpg.xmp belongs to a.jpg
        (["photo.dat"], "photo.dat", False, "photo.xmp"),
        (["photo.dat", "photo.jpg"], "photo.jpg", False, "photo.jpg.xmp"),
        (["photo"], "photo", False, "photo.xmp"),
        (["a.dat", "a.jpg"], "a.jpg", False, "a.xmp"),
    ],
)
def test_a_new_sidecar_gets_a_free_name(
    tmp_path: Path, names: list[str], photo: str, with_suffix: bool, name: str
) -> None:
    for each in names:
        (tmp_path / each).write_bytes(JPEG if each.startswith("photo") else b"")
    assert Folder(tmp_path).new_name(photo, with_suffix=with_suffix) == name


def test_a_sidecar_is_read_with_its_hash_or_the_reason_of_the_failure(tmp_path: Path) -> None:
    photo = tmp_path / "a.jpg"
    photo.touch()
    content = merge_xmp(None, ["sea"], 3)
    (tmp_path / "a.jpg.xmp").write_bytes(content)
    (tmp_path / "a.xmp").write_bytes(b"<!DOCTYPE a>")
    good, bad = read_sidecars(photo)
    assert (good.metadata.tags, good.metadata.rating, good.problem) == (("sea",), 3, "")
    assert good.content_hash == content_hash(content)
    assert "document type" in bad.problem
    assert (bad.metadata.tags, bad.content_hash) == ((), "")
    assert read_sidecars(tmp_path / "nowhere" / "a.jpg") == ()


def test_a_pipe_a_folder_and_a_huge_file_are_not_read(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.jpg").touch()
    os.mkfifo(tmp_path / "a.xmp")
    (tmp_path / "b.xmp").mkdir()
    with (tmp_path / "c.xmp").open("wb") as stream:
        stream.truncate(40 * 2**30)
    for name, word in (("a", "not a regular file"), ("b", "directory"), ("c", "bytes, more than")):
        (one,) = read_sidecars(tmp_path / f"{name}.jpg")
        assert word in one.problem


def test_a_sidecar_retains_its_permissions_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg.xmp"
    write_sidecar(path, b"one", "")
    path.chmod(0o640)
    write_sidecar(path, b"two", content_hash(b"one"))
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["a.jpg.xmp"]


@pytest.mark.parametrize("refused", ["chmod", "fsync of folders"])
def test_sidecars_can_be_written_to_a_drive_without_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    path = tmp_path / "a.jpg.xmp"
    refuse(monkeypatch, refused)
    write_sidecar(path, b"one", "")
    write_sidecar(path, b"two", content_hash(b"one"))
    assert path.read_bytes() == b"two"
    assert [one.name for one in tmp_path.iterdir()] == ["a.jpg.xmp"]


def test_a_sidecar_changed_since_reading_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.xmp"
    path.write_bytes(b"new")
    with pytest.raises(OperationError, match="has changed"):
        write_sidecar(path, b"mine", content_hash(b"old"))
    with pytest.raises(OperationError, match="has changed"):
        write_sidecar(path, b"mine", "")
    assert path.read_bytes() == b"new"
    path.unlink()
    with pytest.raises(OperationError, match="no longer exists"):
        write_sidecar(path, b"mine", content_hash(b"new"))
    assert not path.exists()


def test_a_link_is_followed_inside_the_folder_and_refused_outside(tmp_path: Path) -> None:
    folder, outside = tmp_path / "photos", tmp_path / "outside.xmp"
    folder.mkdir()
    outside.write_bytes(b"old")
    link = folder / "a.xmp"
    link.symlink_to(outside)
    with pytest.raises(OperationError, match="link"):
        write_sidecar(link, b"new", content_hash(b"old"))
    assert outside.read_bytes() == b"old"
    assert link.is_symlink()
    (folder / "inside.xmp").write_bytes(b"old")
    link.unlink()
    link.symlink_to("inside.xmp")
    write_sidecar(link, b"new", content_hash(b"old"))
    assert (folder / "inside.xmp").read_bytes() == b"new"
    assert link.is_symlink()
    link.unlink()
    link.symlink_to(tmp_path / "nowhere.xmp")
    with pytest.raises(OperationError, match="link"):
        write_sidecar(link, b"new", "")
    assert not (tmp_path / "nowhere.xmp").exists()
    link.unlink()
    link.symlink_to("nowhere.xmp")
    with pytest.raises(OperationError, match="has changed"):
        write_sidecar(link, b"new", "")
    assert not (folder / "nowhere.xmp").exists()


def test_a_too_long_name_and_a_missing_folder_are_reported(tmp_path: Path) -> None:
    with pytest.raises(OperationError, match="too long"):
        write_sidecar(tmp_path / ("x" * 250 + ".xmp"), b"new", "")
    with pytest.raises(OperationError, match="cannot be written"):
        write_sidecar(tmp_path / "gone" / "a.xmp", b"new", "")
    assert list(tmp_path.iterdir()) == []


def test_only_old_temporary_files_are_removed(tmp_path: Path) -> None:
    old, young, other = (tmp_path / name for name in (".a.xmp.0123abcd.part", ".b.xmp.0123abcd.part", ".a.jpg.part"))
    for path in (old, young, other):
        path.touch()
    for path in (old, other):
        os.utime(path, (time.time() - 7200,) * 2)
    Folder(tmp_path).remove_unfinished()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".a.jpg.part", ".b.xmp.0123abcd.part"]
