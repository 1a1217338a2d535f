# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import threading
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import FoundFile, Photo, Verdict
from focal_photos.browser.catalog.library import Library, LibraryError, UnknownPhotoError
from tests.browser.catalog.albums import content_hash, enter, found, names_of


def test_ids_come_in_the_order_of_their_paths(library: Library, tmp_path: Path) -> None:
    for name in ("z", "a", "m"):
        (tmp_path / name).mkdir()
    last = enter(library, tmp_path / "z", ["1.jpg"])
    first = enter(library, tmp_path / "a", ["b.jpg", "a/z.jpg", "B.jpg"])
    middle = enter(library, tmp_path / "m", ["x.jpg"])
    ids = library.photos.ids()
    assert ids.dtype == np.int64
    assert ids.tolist() == [first[2], first[1], first[0], *middle, *last]
    assert library.photos.count() == 5


def test_callers_may_modify_the_returned_ids(library: Library, photos: list[int]) -> None:
    library.photos.ids()[:] = 0
    assert library.photos.ids().tolist() == photos


def test_an_empty_library_has_no_ids(library: Library) -> None:
    assert library.photos.ids().shape == (0,)
    assert library.photos.ids("-tagged failed").dtype == np.int64
    assert library.photos.count() == 0


def test_a_photo_with_several_files_counts_once_at_its_first_present_file(library: Library, album: Path) -> None:
    root = library.roots.add(album)
    library.files.record(
        [found(root, "a.jpg", b"1"), found(root, "b.jpg", b"2"), found(root, "c.jpg", b"1"), found(root, "d.jpg", b"3")]
    )
    assert names_of(library, library.photos.ids().tolist()) == ["a.jpg", "b.jpg", "d.jpg"]
    library.files.mark_missing(root.id, [b"a.jpg"])
    assert names_of(library, library.photos.ids().tolist()) == ["b.jpg", "c.jpg", "d.jpg"]
    library.files.mark_missing(root.id, [b"c.jpg"])
    assert names_of(library, library.photos.ids().tolist()) == ["a.jpg", "b.jpg", "d.jpg"]
    assert library.photos.ids("missing").tolist() == library.photos.ids("a.jpg").tolist()


def test_get_returns_photos_in_the_requested_order(library: Library, photos: list[int], album: Path) -> None:
    name = b"content of c.jpg"
    chosen = library.photos.get(np.array([photos[2], photos[0], photos[2]]))
    assert [photo.id for photo in chosen] == [photos[2], photos[0], photos[2]]
    assert chosen[0] == Photo(
        photos[2], content_hash(name), album / "c.jpg", len(name), None, None, None, None, missing=False
    )
    assert library.photos.get([]) == []
    assert library.photos.paths([photos[1], photos[0]]) == [album / "b.jpg", album / "a.jpg"]


@pytest.mark.parametrize("ask", ["get", "paths"])
def test_an_unknown_id_is_named(library: Library, photos: list[int], ask: str) -> None:
    with pytest.raises(UnknownPhotoError, match="999"):
        getattr(library.photos, ask)([photos[0], 999])


def test_photos_are_found_by_path_and_hash(
    library: Library, photos: list[int], album: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = library.photos.by_path(album / "b.jpg")
    assert photo is not None
    assert photo.id == photos[1]
    assert library.photos.by_hash(photo.content_hash) == photo
    assert library.photos.by_path(album / "sub" / ".." / "b.jpg") == photo
    monkeypatch.chdir(album)
    assert library.photos.by_path(Path("b.jpg")) == photo
    (tmp_path / "link").symlink_to(album)
    assert library.photos.by_path(tmp_path / "link" / "b.jpg") == photo
    assert library.photos.by_path(album / "none.jpg") is None
    assert library.photos.by_path(Path(f"{album}b.jpg")) is None
    assert library.photos.by_path(Path("/")) is None
    assert library.photos.by_hash("0" * 32) is None
    assert library.photos.recorded(album / "b.jpg") is not None
    assert library.photos.recorded(album / "none.jpg") is None


ODD_NAMES = [
    b"caf\xe9 \xff.jpg",  # Latin-1, not UTF-8
    b"new\nline.jpg",
    "🦊 fox.jpg".encode(),
    b'it\'s "quoted" 100%_.jpg',
    b"-dash tag:x.jpg",
    b"back\\slash.jpg",
    b" blank .jpg",
    "A\u0308.jpg".encode(),  # decomposed, as some systems write it
    b"\x01control.jpg",
    b"x" * 250 + b".jpg",
]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_file_names_are_supported(library: Library, album: Path, name: bytes) -> None:
    path = Path(os.fsdecode(os.fsencode(album) + b"/odd \xfe/" + name))
    path.parent.mkdir()
    path.write_bytes(b"picture")
    (photo_id,) = enter(library, album, [os.fsencode(path.relative_to(album))])
    assert library.photos.get([photo_id])[0].path == path
    assert library.photos.paths([photo_id])[0].read_bytes() == b"picture"
    by_path = library.photos.by_path(path)
    assert by_path is not None
    assert by_path.id == photo_id
    assert library.roots.folders(library.roots.all()[0].id) == [(Path(), 1), (path.parent.relative_to(album), 1)]
    assert library.photos.files(photo_id) == [path]
    library.photos.set_failures([(photo_id, "broken")])
    assert library.photos.failed() == [(path, "broken")]
    assert library.photos.ids("jpg").tolist() == [photo_id]


def test_a_root_may_have_an_odd_name(library: Library, tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/r\xf6\n?#%"))
    folder.mkdir()
    (photo_id,) = enter(library, folder, ["a.jpg"])
    assert library.photos.get([photo_id])[0].path == folder / "a.jpg"
    assert library.roots.all()[0].path == folder


def test_descriptions_and_failures_are_recorded(library: Library, photos: list[int], album: Path) -> None:
    assert library.photos.undescribed().tolist() == photos
    taken = datetime(2024, 5, 31, 12, 30, 1)
    library.photos.set_descriptions([(photos[0], 640, 480, taken)])
    library.photos.set_failures([(photos[1], "The file is broken."), (photos[2], "Too large.")])
    photo, broken, _ = library.photos.get(photos[:3])
    assert (photo.width, photo.height, photo.taken, photo.failure) == (640, 480, taken, None)
    assert broken.failure == "The file is broken."
    assert library.photos.failed() == [(album / "b.jpg", "The file is broken."), (album / "c.jpg", "Too large.")]
    assert library.photos.undescribed().tolist() == photos[3:]
    assert library.photos.undescribed(np.array([photos[4], photos[0], photos[3]])).tolist() == [photos[4], photos[3]]
    assert library.photos.ids("failed").tolist() == photos[1:3]
    library.photos.set_descriptions([(photos[1], 1, 1, None)])
    library.photos.set_failures([(photos[2], None)])
    assert library.photos.failed() == []


def test_failed_files_are_found_without_reading_all_rows(library: Library, album: Path) -> None:
    photos = enter(library, album, [f"{number:04}.jpg" for number in range(2000)])
    library.photos.set_failures([(photos[0], "broken")])
    looks = 0

    def count() -> int:
        nonlocal looks
        looks += 1
        return 0

    with library.database.reading() as connection:
        connection.set_progress_handler(count, 1)  # called for each SQLite instruction
    assert len(library.photos.failed()) == 1
    assert 0 < looks < 500


def test_unreadable_files_are_among_the_failed(library: Library, album: Path) -> None:
    root = library.roots.add(album)
    recorded = library.files.record([FoundFile(root.id, b"x.jpg", 5, 1, None, "No permission.")])
    assert (recorded.new, recorded.unreadable) == ((), 1)
    assert library.photos.failed() == [(album / "x.jpg", "No permission.")]
    assert library.photos.count() == 0
    assert library.photos.by_path(album / "x.jpg") is None
    library.files.record([found(root, "x.jpg", b"now")])
    assert library.photos.failed() == []
    assert library.photos.count() == 1


def test_many_threads_read_while_one_writes(library: Library, photos: list[int]) -> None:
    faults: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        try:
            while not stop.is_set():
                found = library.tags.of(photos)
                # Every thread sees all of an action or nothing of it.
                assert len({tuple(names) for names in found.values()}) == 1
                assert len(library.photos.ids("tagged")) in (0, len(photos))
                library.photos.get(photos)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(30):
        library.tags.change(photos, [f"tag{number}"])
        library.judgements.set(photos[0], photos, Verdict.SIMILAR if number % 2 else Verdict.DISSIMILAR)
        library.journal.undo()
        library.journal.undo()
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults


def test_many_threads_write(library: Library, photos: list[int]) -> None:
    faults: list[BaseException] = []

    def write(number: int) -> None:
        try:
            for turn in range(10):
                library.tags.change(photos, [f"tag {number} {turn}"])
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(library.tags.all()) == 40
    for _ in range(40):
        library.journal.undo()
    assert library.tags.all() == []


def test_folders_count_the_present_photos_in_them_and_below_once_with_all_copies(library: Library, album: Path) -> None:
    root = library.roots.add(album)
    library.files.record(
        [found(root, name, name.encode()) for name in ("a.jpg", "x/b.jpg", "x/c.jpg", "x/y/d.jpg", "z/w/e.jpg")]
        + [found(root, name, b"x/b.jpg") for name in ("x/copy.jpg", "x/y/copy.jpg", "z/w/copy.jpg")]
    )

    def folders() -> dict[str, int]:
        return {str(folder): count for folder, count in library.roots.folders(root.id)}

    assert list(folders().items()) == [(".", 5), ("x", 3), ("x/y", 2), ("z", 2), ("z/w", 2)]
    library.files.mark_missing(root.id, [b"a.jpg", b"z/w/e.jpg"])
    assert list(folders().items()) == [(".", 3), ("x", 3), ("x/y", 2), ("z", 1), ("z/w", 1)]
    assert {name: len(library.photos.ids(folder=album / name)) for name in folders()} == folders()


def test_ids_are_limited_to_a_folder(library: Library, album: Path) -> None:
    root = library.roots.add(album)
    names = ["a.jpg", "x/b.jpg", "x/y/c.jpg", "x-ray/d.jpg", "x0.jpg"]
    ids = library.files.record([found(root, name, name.encode()) for name in names]).new
    library.files.record([found(root, "x/copy of a.jpg", b"a.jpg")])
    library.tags.change(ids[1:2], ["beach"])

    def inside(folder: Path, query: str = "") -> set[str]:
        return {names[ids.index(number)] for number in library.photos.ids(query, folder).tolist()}

    assert inside(album) == inside(album.parent) == inside(Path("/")) == set(names)
    assert inside(album / "x") == {"a.jpg", "x/b.jpg", "x/y/c.jpg"}
    assert inside(album / "x" / "y" / "..", "-tag:beach") == {"a.jpg", "x/y/c.jpg"}
    assert inside(album / "x" / "y") == {"x/y/c.jpg"}
    assert inside(album / "none") == inside(album.with_name("other")) == set()
    library.files.mark_missing(root.id, [b"x/b.jpg", b"x/copy of a.jpg"])
    assert inside(album / "x") == {"x/y/c.jpg"}
    assert library.photos.count() == 5


def test_add_root_refuses_anything_but_a_folder(library: Library, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "none", tmp_path / "file"):
        with pytest.raises(LibraryError, match="is not a folder"):
            library.roots.add(path)
    assert library.roots.all() == []
