# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library, LibraryError, UndoError
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.relocate import Relocation, find_moved, plan_relocation, relocate
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.operations.album import Album


@pytest.fixture
def album(tmp_path: Path) -> Album:
    """Folder deep enough that a search around it stays inside the folder of this test."""
    folder = tmp_path / "home" / "pictures" / "photos"
    folder.mkdir(parents=True)
    return Album(folder)


def plan(library: Library, old: Path, new: Path, *, full: bool = False) -> Relocation:
    return finish(plan_relocation(library, old, new, full=full))


def move(library: Library, old: Path, new: Path) -> None:
    relocate(library, plan(library, old, new))


def facts(library: Library, below: Path) -> dict[str, object]:
    """Return the metadata of each photo by its path below a folder."""
    photos = library.photos.get(library.photos.ids())
    tags = library.tags.of([photo.id for photo in photos])
    return {
        str(photo.path.relative_to(below)): (photo.id, photo.missing, tags[photo.id], photo.width) for photo in photos
    }


@pytest.fixture
def kept(indexed: Library, album: Album) -> dict[str, object]:
    """Metadata of 12 indexed photos, three of them tagged and judged."""
    ids = indexed.photos.ids().tolist()
    indexed.tags.change(ids[:3], ["kept"])
    indexed.judgements.set(ids[0], ids[1:3], Verdict.SIMILAR)
    return facts(indexed, album.folder)


@pytest.mark.parametrize("away", [True, False], ids=["moved", "copied"])
def test_a_root_is_relocated_with_all_metadata(
    indexed: Library, album: Album, kept: dict[str, object], tmp_path: Path, away: bool
) -> None:
    target = tmp_path / "other" / "drive"
    target.parent.mkdir()
    if away:
        album.folder.rename(target)
    else:
        shutil.copytree(album.folder, target)
    found = plan(indexed, album.folder, target)
    assert (found.photos, found.found, found.differing, found.absent) == (12, 12, (), ())
    assert found.compared == 12
    assert found.still_there == (0 if away else 12)
    assert found.undoable
    pictures = {photo: indexed.thumbnails.get(photo) for photo in indexed.photos.ids().tolist()}
    changes = relocate(indexed, found)
    assert changes.label == "Relocate drive"
    assert [root.path for root in indexed.roots.all()] == [target]
    assert facts(indexed, target) == kept
    report = finish(index(indexed, [target]))
    assert (report.new, report.extract.done, report.scan.missing) == (0, 0, 0)
    assert {photo: indexed.thumbnails.get(photo) for photo in indexed.photos.ids().tolist()} == pictures
    assert len(indexed.judgements.all()) == 2


def test_a_relocation_is_one_step_of_undo_and_redo(
    indexed: Library, album: Album, kept: dict[str, object], tmp_path: Path
) -> None:
    target = tmp_path / "target"
    album.folder.rename(target)
    move(indexed, album.folder, target)
    assert indexed.journal.undo_label() == "Relocate target"
    undone = indexed.journal.undo()
    assert {str(kind) for kind in undone.kinds} == {"roots", "photos"}
    assert facts(indexed, album.folder) == kept
    assert [path.parent.parent for path in indexed.photos.paths(indexed.photos.ids())] == [album.folder] * 12
    indexed.journal.redo()
    assert facts(indexed, target) == kept
    assert indexed.journal.undo_label() == "Relocate target"


def test_undo_is_refused_if_the_folders_have_changed(indexed: Library, album: Album, tmp_path: Path) -> None:
    target = tmp_path / "far" / "target"
    target.parent.mkdir()
    album.folder.rename(target)
    move(indexed, album.folder, target)
    album.folder.mkdir()
    Album(album.folder).draw("another.jpg")
    finish(scan(indexed, [album.folder]))  # the old folder is a root again
    with pytest.raises(UndoError, match="Relocate target"):
        indexed.journal.undo()
    assert {root.path for root in indexed.roots.all()} == {album.folder, target}


def test_undo_is_refused_if_a_folder_around_the_old_one_was_added(
    indexed: Library, album: Album, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    inside = tmp_path / "around" / "photos"
    inside.parent.mkdir()
    album.folder.rename(inside)
    move(indexed, album.folder, inside)
    inside.rename(target)
    move(indexed, inside, target)
    Album(inside.parent).draw("x.jpg")
    finish(scan(indexed, [inside.parent]))
    with pytest.raises(UndoError):
        indexed.journal.undo()
    assert {root.path for root in indexed.roots.all()} == {inside.parent, target}


def test_undo_is_refused_if_the_folder_was_removed(indexed: Library, album: Album, tmp_path: Path) -> None:
    target = tmp_path / "target"
    album.folder.rename(target)
    move(indexed, album.folder, target)
    indexed.roots.remove(indexed.roots.all()[0].id)
    with pytest.raises(UndoError):
        indexed.journal.undo()
    assert indexed.roots.all() == []


def test_a_part_of_a_root_can_be_relocated_outside(
    indexed: Library, album: Album, kept: dict[str, object], tmp_path: Path
) -> None:
    target = tmp_path / "elsewhere"
    album.path("cold").rename(target)
    found = plan(indexed, album.path("cold"), target)
    assert (found.photos, found.found, found.undoable) == (6, 6, False)
    relocate(indexed, found)
    assert [root.path for root in indexed.roots.all()] == [target, album.folder]
    assert {path.parent for path in indexed.photos.paths(indexed.photos.ids())} == {target, album.path("warm")}
    report = finish(index(indexed))
    assert (report.new, report.scan.missing, report.scan.moved, report.extract.done) == (0, 0, 0, 0)
    target.rename(album.path("cold"))
    with pytest.raises(OperationError, match="is in"):
        plan(indexed, target, album.path("cold"))


def test_a_part_of_a_root_can_be_relocated_inside_the_root(
    indexed: Library, album: Album, kept: dict[str, object]
) -> None:
    """It moves deeper into itself, so that old and new paths overlap."""
    album.path("cold").rename(album.path("aside"))
    album.path("cold").mkdir()
    album.path("aside").rename(album.path("cold/deeper"))
    move(indexed, album.path("cold"), album.path("cold/deeper"))
    assert facts(indexed, album.folder) == {
        name.replace("cold/", "cold/deeper/"): value for name, value in kept.items()
    }
    report = finish(index(indexed))
    assert (report.new, report.scan.missing, report.scan.moved, report.scan.changed) == (0, 0, 0, 0)


def test_an_existing_photo_at_the_new_path_stays(indexed: Library, album: Album) -> None:
    """The new folder already has a photo of the same name: both photos retain their identity."""
    old = indexed.photos.by_path(album.path("cold/0.jpg"))
    album.draw("moved/0.jpg", kind="green", seed=99)
    finish(index(indexed))
    new = indexed.photos.by_path(album.path("moved/0.jpg"))
    assert old is not None
    assert new is not None
    indexed.tags.change([old.id], ["old"])
    for number in range(1, 6):
        album.path(f"cold/{number}.jpg").rename(album.path(f"moved/{number}.jpg"))
    album.path("cold/0.jpg").unlink()
    found = plan(indexed, album.path("cold"), album.path("moved"))
    assert (found.found, found.differing) == (5, (Path("0.jpg"),))
    relocate(indexed, found)
    finish(index(indexed))
    photos = {photo.id: photo for photo in indexed.photos.get([old.id, new.id])}
    assert not photos[new.id].missing
    assert photos[old.id].missing
    assert photos[old.id].path == album.path("moved/0.jpg")
    assert indexed.tags.of([old.id]) == {old.id: ["old"]}
    assert indexed.database.check() == []


def test_a_removed_root_at_the_target_is_added_again(indexed: Library, album: Album, tmp_path: Path) -> None:
    second = Album(tmp_path / "second")
    second.draw("s.jpg", kind="green")
    second.draw("warm/0.jpg", kind="green", seed=4)
    finish(index(indexed, [second.folder]))
    indexed.roots.remove(next(root.id for root in indexed.roots.all() if root.path == second.folder))
    shutil.copytree(album.folder, second.folder, dirs_exist_ok=True)
    shutil.rmtree(album.folder)
    move(indexed, album.folder, second.folder)
    finish(index(indexed))
    assert [root.path for root in indexed.roots.all()] == [second.folder]
    assert indexed.photos.count("-missing") == 13
    assert indexed.photos.count("missing") == 1
    assert indexed.database.check() == []


def test_missing_and_different_photos_are_reported(indexed: Library, album: Album, tmp_path: Path) -> None:
    target = tmp_path / "target"
    album.folder.rename(target)
    (target / "warm/0.jpg").unlink()
    (target / "warm/1.jpg").write_bytes(b"short")
    same_size = (target / "warm/2.jpg").read_bytes()
    (target / "warm/2.jpg").write_bytes(same_size[:-5] + b"other")
    found = plan(indexed, album.folder, target, full=True)
    assert found.absent == (Path("warm/0.jpg"),)
    assert found.differing == (Path("warm/1.jpg"), Path("warm/2.jpg"))
    assert (found.photos, found.found, found.compared) == (12, 9, 10)


def test_one_difference_in_the_sample_makes_the_plan_read_all_files(library: Library, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    for number in range(200):
        (old / f"{number:03}.jpg").write_bytes(b"%03d" % number)
    finish(scan(library, [old]))
    shutil.copytree(old, new)
    assert plan(library, old, new).compared < 50
    for number in (0, 101):  # file 0 is in every sample
        (new / f"{number:03}.jpg").write_bytes(b"xxx")
    found = plan(library, old, new)
    assert found.compared == 200
    assert found.differing == (Path("000.jpg"), Path("101.jpg"))


def test_invalid_relocations_are_refused_with_advice(indexed: Library, album: Album, tmp_path: Path) -> None:
    second = Album(tmp_path / "second" / "root")
    second.draw("s.jpg", kind="green")
    finish(scan(indexed, [second.folder]))
    empty, stranger = tmp_path / "empty", tmp_path / "stranger"
    for folder in (empty, stranger, second.path("inside")):
        folder.mkdir()
    for old, new, said in (
        (stranger, empty, "is not in a folder of the library"),
        (album.folder, album.folder, "is the old location of the folder"),
        (album.folder, tmp_path / "nowhere", "is not there"),
        (album.folder, second.path("s.jpg"), "is a file"),
        (album.folder, second.folder, "in the library already"),
        (album.folder, second.path("inside"), "in the library already"),
        (album.folder, tmp_path / "second", "is in"),
        (album.path("warm"), tmp_path, "is in"),
        (album.folder, empty, "None of the 12 photos"),
        (album.path("nothing"), empty, "contains no photo"),
    ):
        with pytest.raises(OperationError, match=said):
            plan(indexed, old, new)
    shutil.copytree(album.folder, stranger / album.folder.name)
    with pytest.raises(OperationError, match=f"Did you mean {stranger / album.folder.name}"):
        plan(indexed, album.folder, stranger)
    root = next(root for root in indexed.roots.all() if root.path == album.folder)
    for target in (second.path("inside"), tmp_path / "second"):
        with pytest.raises(LibraryError, match="overlap"):
            indexed.roots.relocate(root.id, Path(), target)


def test_files_with_odd_names_are_relocated_too(library: Library, tmp_path: Path) -> None:
    old, new = tmp_path / os.fsdecode(b"old \xff\n"), tmp_path / os.fsdecode(b"new \xfe\n")
    old.mkdir()
    for number, name in enumerate((b"line\nbreak.jpg", b"latin-\xe9.jpg", b"%_'\".jpg")):
        (old / os.fsdecode(name)).write_bytes(b"%d" % number)
    finish(scan(library, [old]))
    old.rename(new)
    move(library, old, new)
    report = finish(scan(library))
    assert (report.total, report.new, report.missing) == (3, 0, 0)
    library.journal.undo()
    assert [root.path for root in library.roots.all()] == [old]


# ---------------------------------------------------------------------- searching for a moved folder
def test_a_renamed_folder_is_found_beside_the_old_one(indexed: Library, album: Album, tmp_path: Path) -> None:
    album.folder.with_name("unlike").mkdir()
    renamed = album.folder.with_name("renamed")
    album.folder.rename(renamed)
    assert find_moved(indexed, album.folder) == renamed


def test_a_folder_that_lost_too_many_photos_is_not_proposed(indexed: Library, album: Album, tmp_path: Path) -> None:
    target = album.folder.with_name("renamed")
    album.folder.rename(target)
    for number in range(3):
        (target / f"warm/{number}.jpg").unlink()
    assert find_moved(indexed, album.folder) is None
    shutil.copy(target / "warm/3.jpg", target / "warm/0.jpg")
    (target / "warm/1.jpg").write_bytes(b"another")
    assert find_moved(indexed, album.folder) is None


def test_the_best_of_several_folders_is_chosen_and_named_folders_are_searched(
    indexed: Library, album: Album, tmp_path: Path
) -> None:
    far = tmp_path / "a" / "b" / "far"
    far.parent.mkdir(parents=True)
    whole, most = far / "all", far / "most"  # the best is created last
    shutil.copytree(album.folder, most)
    (most / "cold/1.jpg").unlink()
    far.mkdir(exist_ok=True)
    album.folder.rename(whole)
    assert find_moved(indexed, album.folder) is None
    assert find_moved(indexed, album.folder, [tmp_path / "a" / "b"]) == whole


def test_the_same_path_on_another_drive_is_found(
    indexed: Library, album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = tmp_path / "media" / "STICK1"
    drive.mkdir(parents=True)
    # The test folders may be where the system keeps no drives.
    monkeypatch.setattr("focal_photos.browser.operations.photos.relocate._SYSTEM_MOUNTS", ("/proc",))
    monkeypatch.setattr(
        "focal_photos.browser.operations.photos.relocate.mounted", lambda: [("/", "ext4"), (str(drive), "vfat")]
    )
    album.folder.rename(drive / album.folder.name)
    assert find_moved(indexed, album.folder) == drive / album.folder.name


def test_photos_missing_before_the_move_do_not_count(indexed: Library, album: Album) -> None:
    for number in range(5):
        album.path(f"cold/{number}.jpg").unlink()
    finish(scan(indexed))
    target = album.folder.with_name("renamed")
    album.folder.rename(target)
    assert find_moved(indexed, album.folder) == target
    found = plan(indexed, album.folder, target)
    assert (found.photos, found.found, found.absent) == (7, 7, ())
    relocate(indexed, found)
    assert finish(scan(indexed)).missing == 0
    assert indexed.photos.count("missing") == 5


def test_photos_moved_one_level_up_or_down_are_relocated(indexed: Library, album: Album) -> None:
    above = album.folder.parent
    for kind in ("warm", "cold"):
        album.path(kind).rename(above / kind)
    move(indexed, album.folder, above)
    assert [root.path for root in indexed.roots.all()] == [above]
    finish(scan(indexed))
    assert indexed.photos.count("-missing") == 12
    for kind in ("warm", "cold"):
        (above / kind).rename(album.path(kind))
    move(indexed, above, album.folder)
    finish(scan(indexed))
    assert indexed.photos.count("-missing") == 12
    assert [root.path for root in indexed.roots.all()] == [album.folder]


def test_a_missing_photo_at_the_new_path_gives_way(indexed: Library, album: Album) -> None:
    old = indexed.photos.by_path(album.path("cold/0.jpg"))
    gone = album.draw("moved/0.jpg", kind="green", seed=99)
    finish(scan(indexed))
    lost = indexed.photos.by_path(gone)
    gone.unlink()
    finish(scan(indexed))
    assert old is not None
    assert lost is not None
    for number in range(6):
        album.path(f"cold/{number}.jpg").rename(album.path(f"moved/{number}.jpg"))
    move(indexed, album.path("cold"), album.path("moved"))
    now, missing = indexed.photos.get([old.id, lost.id])
    assert (now.path, now.missing) == (gone, False), "the photo is found without a scan"
    assert (missing.path, missing.missing) == (gone, True)
    assert finish(scan(indexed)).new == 0


def test_the_last_path_of_a_displaced_photo_is_relocated_too(indexed: Library, album: Album, tmp_path: Path) -> None:
    """Another photo has taken its path, and it has no other file: only the last path is known."""
    first, second = (indexed.photos.by_path(album.path(f"cold/{number}.jpg")) for number in (0, 1))
    assert first is not None
    assert second is not None
    album.path("cold/1.jpg").replace(album.path("cold/0.jpg"))
    finish(scan(indexed))
    assert indexed.photos.get([first.id])[0].path == album.path("cold/0.jpg")
    target = tmp_path / "elsewhere"
    album.path("cold").rename(target)
    move(indexed, album.path("cold"), target)
    displaced, there = indexed.photos.get([first.id, second.id])
    assert (displaced.path, displaced.missing) == (target / "0.jpg", True)
    assert (there.path, there.missing) == (target / "0.jpg", False)
