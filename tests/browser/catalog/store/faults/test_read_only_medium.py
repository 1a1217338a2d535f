# SPDX-License-Identifier: MIT
"""Read-only libraries: permissions removed, for root by dropping its privileges."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from tests.browser.catalog.albums import enter
from tests.browser.catalog.processes import can_bind_by_permissions, run_bound_by_permissions, start

pytestmark = pytest.mark.skipif(not can_bind_by_permissions(), reason="permissions do not bind root without setpriv")

READ = """
import os, sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
try:
    open(Path(sys.argv[1]) / "probe", "w")
except PermissionError:
    pass
else:
    sys.exit("the folder can be written")
before = sorted(os.walk(sys.argv[1]))
with Library.open(Path(sys.argv[1]), read_only=True) as library:
    print(library.photos.count("tag:beach"), library.thumbnails.get(1), library.vectors.store("x", 1).ids.tolist())
    print(library.database.check())
assert sorted(os.walk(sys.argv[1])) == before
"""
WRITE = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library, LibraryReadOnlyError
try:
    Library.open(Path(sys.argv[1]))
except LibraryReadOnlyError as error:
    print(error)
"""
READ_ONLY = WRITE.replace("Path(sys.argv[1])", "Path(sys.argv[1]), read_only=True")
LEAVE = """
import os, signal, sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
library = Library.open(Path(sys.argv[1]))
library.tags.change(library.photos.ids().tolist(), ["beach"])
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def sealed(place: Path, library: Library, photos: list[int]) -> Iterator[Path]:
    """Yield a closed library; restore the permissions that tests remove."""
    library.tags.change(photos[:2], ["beach"])
    library.thumbnails.put(1, b"jpeg")
    library.vectors.store("x", 1).append([3], [[1.0]])
    library.close()
    yield place
    change_modes(place, 0o700, 0o600)


def change_modes(place: Path, folders: int, files: int) -> None:
    for folder, _, names in os.walk(place, topdown=False):
        for name in names:
            (Path(folder) / name).chmod(files)
        Path(folder).chmod(folders)


def test_a_closed_library_is_read(sealed: Path) -> None:
    change_modes(sealed, 0o500, 0o400)
    assert run_bound_by_permissions(READ, sealed) == "2 b'jpeg' [3]\n[]\n"


@pytest.mark.slow
def test_the_library_of_a_killed_writer_is_read_with_its_log(sealed: Path) -> None:
    writer = start(LEAVE, sealed)
    writer.communicate()
    assert (sealed / "catalog.sqlite-wal").stat().st_size
    change_modes(sealed, 0o500, 0o400)
    assert run_bound_by_permissions(READ, sealed).startswith("5 b'jpeg'")
    change_modes(sealed, 0o700, 0o600)
    (sealed / "catalog.sqlite-shm").unlink()
    change_modes(sealed, 0o500, 0o400)
    assert run_bound_by_permissions(READ, sealed).startswith("5 b'jpeg'")


def test_writing_is_refused_with_a_reason(sealed: Path) -> None:
    change_modes(sealed, 0o500, 0o400)
    assert "cannot be written: open it read-only" in run_bound_by_permissions(WRITE, sealed)


def test_a_catalogue_without_write_permission_is_read(sealed: Path) -> None:
    (sealed / "catalog.sqlite").chmod(0o400)
    assert "cannot be written: open it read-only" in run_bound_by_permissions(WRITE, sealed)
    assert not (sealed / "lock.json").exists()


def test_a_library_without_read_permission_is_reported(sealed: Path) -> None:
    (sealed / "catalog.sqlite").chmod(0)
    code = READ_ONLY.replace("LibraryReadOnlyError", "LibraryError")
    assert "no permission to read" in run_bound_by_permissions(code, sealed)


def test_a_library_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert "cannot be written" in run_bound_by_permissions(WRITE, tmp_path / "new")
    finally:
        tmp_path.chmod(0o700)


def test_a_library_opened_for_writing_never_needs_the_photos(place: Path, tmp_path: Path) -> None:
    album = tmp_path / "album"
    album.mkdir()
    (album / "a.jpg").write_bytes(b"content of a.jpg")
    change_modes(album, 0o500, 0o400)
    try:
        with Library.open(place) as library:
            (photo,) = enter(library, album, ["a.jpg"])
            library.tags.change([photo], ["beach"])
            library.roots.remove(library.roots.all()[0].id)
        assert (album / "a.jpg").read_bytes() == b"content of a.jpg"
        assert [path.name for path in album.iterdir()] == ["a.jpg"]
    finally:
        change_modes(album, 0o700, 0o600)
