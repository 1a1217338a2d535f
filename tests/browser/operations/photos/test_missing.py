# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.missing_files.missing import (
    Proposal,
    ProposalKind,
    accept,
    forget,
    missing_photos,
    propose,
    take_over,
)
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album


@pytest.fixture
def album(tmp_path: Path) -> Album:
    """Album deep enough that a search around it stays inside the folder of this test."""
    folder = tmp_path / "home" / "pictures" / "photos"
    folder.mkdir(parents=True)
    return Album(folder)


def proposals(library: Library, *among: Path) -> list[Proposal]:
    return finish(propose(library, among))


def do(library: Library, proposal: Proposal) -> ChangeSet:
    return finish(accept(library, proposal))


def rescan(library: Library, *folders: Path) -> None:
    finish(scan(library, folders))


def missing_names(library: Library) -> dict[str, list[str]]:
    found = missing_photos(library)
    return {folder.name: [each.photo.path.name for each in photos] for folder, photos in found.items()}


def test_missing_photos_are_listed_by_folder_with_their_metadata(indexed: Library, album: Album) -> None:
    paths = [album.path(name) for name in ("cold/3.jpg", "cold/0.jpg", "warm/1.jpg", "warm/2.jpg")]
    tagged, judged, rated, boxed = (id_of(indexed, path) for path in paths)
    indexed.boxes.add([(boxed, Region(0.1, 0.1, 0.5, 0.5), None)])
    indexed.tags.change([tagged], ["sea", "boat"])
    indexed.judgements.set(id_of(indexed, album.path("warm/5.jpg")), [judged], Verdict.SIMILAR)
    indexed.judgements.set(judged, [tagged], Verdict.DISSIMILAR)
    indexed.marks.set([rated], rating=3)
    for path in paths:
        path.unlink()
    album.path("cold/5.jpg").unlink()
    rescan(indexed)
    assert missing_names(indexed) == {"cold": ["0.jpg", "3.jpg", "5.jpg"], "warm": ["1.jpg", "2.jpg"]}
    found = {each.photo.id: each for photos in missing_photos(indexed).values() for each in photos}
    assert (found[tagged].tags, found[tagged].judgements, found[tagged].bare) == (("boat", "sea"), 1, False)
    assert (found[judged].tags, found[judged].judgements, found[judged].bare) == ((), 2, False)
    assert (found[rated].marked, found[rated].bare) == (True, False)
    assert (found[boxed].boxes, found[boxed].bare) == (1, False)
    assert [each.bare for each in found.values()].count(True) == 1


def test_a_folder_moved_out_of_the_library_is_proposed_and_relocated(
    indexed: Library, album: Album, tmp_path: Path
) -> None:
    ids = indexed.photos.ids().tolist()
    indexed.tags.change(ids, ["kept"])
    target = album.folder.with_name("other")
    album.path("cold").rename(target)
    rescan(indexed)
    (only,) = proposals(indexed)
    assert (only.kind, only.old, only.new) == (ProposalKind.RELOCATE, album.path("cold"), target)
    assert len(only.photo_ids) == 6
    do(indexed, only)
    assert missing_photos(indexed) == {}
    assert indexed.photos.ids().tolist() != []
    assert sorted(indexed.photos.ids().tolist()) == sorted(ids)
    assert proposals(indexed) == []


def test_an_offline_root_is_proposed_although_its_photos_are_not_missing(indexed: Library, album: Album) -> None:
    target = album.folder.with_name("renamed")
    album.folder.rename(target)
    rescan(indexed)
    (only,) = proposals(indexed)
    assert only == Proposal(ProposalKind.RELOCATE, album.folder, target)
    assert do(indexed, only).label == "Relocate renamed"
    rescan(indexed)
    assert indexed.photos.count("-missing") == 12


@pytest.mark.parametrize("name", ["IMG_3.jpg", "download"])
def test_a_file_with_the_same_content_beside_the_library_is_proposed(indexed: Library, album: Album, name: str) -> None:
    path = album.path("cold/3.jpg")
    number = id_of(indexed, path)
    other = album.folder.with_name("other") / name
    other.parent.mkdir()
    path.rename(other)
    other.with_stem("alike").write_bytes(b"\0" * other.stat().st_size)
    rescan(indexed)
    (only,) = proposals(indexed)
    assert only == Proposal(ProposalKind.SAME_CONTENT, path, other, (number,))
    do(indexed, only)
    assert indexed.photos.files(number) == [other]
    assert {root.path for root in indexed.roots.all()} == {album.folder, other.parent}
    assert proposals(indexed) == []


def test_a_named_folder_is_searched(indexed: Library, album: Album, tmp_path: Path) -> None:
    far = tmp_path / "far" / "away"
    far.mkdir(parents=True)
    album.path("cold/3.jpg").rename(far / "x.jpg")
    rescan(indexed)
    assert proposals(indexed) == []
    (only,) = proposals(indexed, tmp_path / "far")
    assert only.new == far / "x.jpg"
    only.new.unlink()
    with pytest.raises(OperationError, match="no longer exists"):
        do(indexed, only)


def test_a_changed_and_moved_photo_is_proposed_by_its_name(indexed: Library, album: Album) -> None:
    """Its new version was added as another photo, which can take over the metadata of the old one."""
    path = album.path("cold/3.jpg")
    old = id_of(indexed, path)
    indexed.tags.change([old], ["sea"])
    indexed.marks.set([old], rating=4, label="Red")
    first, second = id_of(indexed, album.path("warm/0.jpg")), id_of(indexed, album.path("warm/1.jpg"))
    indexed.judgements.set(old, [first], Verdict.SIMILAR)
    indexed.judgements.set(second, [old], Verdict.DISSIMILAR)
    target = album.path("warm/new/3.jpg")
    target.parent.mkdir()
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    target.write_bytes(content)
    path.unlink()
    finish(index(indexed))
    new = id_of(indexed, target)
    assert new != old
    (only,) = proposals(indexed)
    assert only == Proposal(ProposalKind.SAME_NAME, path, target, (old,), new)
    indexed.tags.change([new], ["boat"])
    assert do(indexed, only).label == "Take over 3.jpg"
    assert indexed.tags.of([new]) == {new: ["boat", "sea"]}
    mark = indexed.marks.of([new])[new]
    assert (mark.rating, mark.label) == (4, "Red")
    assert indexed.judgements.of(new) == {first: Verdict.SIMILAR}
    assert indexed.judgements.of(second)[new] is Verdict.DISSIMILAR
    assert missing_photos(indexed) == {}
    indexed.journal.undo()
    assert indexed.tags.of([new]) == {new: ["boat"]}
    assert indexed.marks.of([new])[new].rating is None
    assert list(missing_photos(indexed)) == [path.parent]


def test_two_photos_with_the_name_give_no_proposal_and_the_date_counts_like_the_size(
    indexed: Library, album: Album
) -> None:
    path = album.path("cold/3.jpg")
    old = id_of(indexed, path)
    path.unlink()
    album.draw("one/3.jpg", seed=77, size=(40, 40))
    finish(index(indexed))
    assert proposals(indexed) == []
    taken = datetime(2024, 5, 6, 7, 8, 9)
    one = id_of(indexed, album.path("one/3.jpg"))
    indexed.photos.set_descriptions([(old, 96, 64, taken), (one, 40, 40, taken)])
    (only,) = proposals(indexed)
    assert only.other_id == one
    album.draw("two/3.jpg", seed=78, size=(40, 40))
    finish(index(indexed))
    indexed.photos.set_descriptions([(id_of(indexed, album.path("two/3.jpg")), 40, 40, taken)])
    assert proposals(indexed) == []


def lose(library: Library, paths: Sequence[Path]) -> list[int]:
    ids = [id_of(library, path) for path in paths]
    for path in paths:
        path.unlink()
    rescan(library)
    return ids


def test_forgetting_leaves_photos_with_metadata_and_can_be_undone(indexed: Library, album: Album) -> None:
    tagged, bare = lose(indexed, [album.path("cold/0.jpg"), album.path("cold/1.jpg")])
    indexed.tags.change([tagged], ["sea"])
    changes = forget(indexed, [tagged, bare])
    assert changes.label == "Forget 1 missing photo"
    assert changes.photo_ids == {bare}
    assert missing_names(indexed) == {"cold": ["0.jpg"]}
    assert bare not in indexed.photos.listed()
    assert len(indexed.photos.listed()) == 11
    assert bare in indexed.photos.listed("removed")
    indexed.journal.undo()
    assert missing_names(indexed) == {"cold": ["0.jpg", "1.jpg"]}
    assert forget(indexed, [tagged, bare], with_work=True).photo_ids == {tagged, bare}
    assert missing_photos(indexed) == {}
    assert indexed.tags.all() == []
    assert indexed.tags.of([tagged]) == {tagged: ["sea"]}, "nothing is deleted"


def test_a_forgotten_photo_returns_with_all_metadata_when_its_file_reappears(indexed: Library, album: Album) -> None:
    content = album.path("cold/0.jpg").read_bytes()
    (number,) = lose(indexed, [album.path("cold/0.jpg")])
    indexed.tags.change([number], ["sea"])
    assert [tag.count for tag in indexed.tags.all()] == [1]
    forget(indexed, [number], with_work=True)
    assert indexed.tags.all() == []
    album.path("warm/back.jpg").write_bytes(content)
    rescan(indexed)
    assert number in indexed.photos.listed()
    assert [tag.name for tag in indexed.tags.all()] == ["sea"]
    album.path("warm/back.jpg").unlink()
    rescan(indexed)
    assert number in indexed.photos.listed("missing"), "a photo that is missing again is listed again"


def test_redoing_a_forget_does_not_hide_a_photo_whose_file_is_back(indexed: Library, album: Album) -> None:
    file = album.path("cold/0.jpg")
    photo, content = indexed.photos.by_path(file), file.read_bytes()
    assert photo is not None
    file.unlink()
    finish(scan(indexed, [album.folder]))
    forget(indexed, [photo.id], with_work=True)
    assert photo.id not in indexed.photos.listed()
    indexed.journal.undo()
    file.write_bytes(content)
    finish(scan(indexed, [album.folder]))
    indexed.journal.redo()
    assert photo.id in indexed.photos.listed()
    assert photo.id in indexed.photos.ids("path:cold")


def test_a_photo_with_a_file_cannot_be_forgotten(indexed: Library, album: Album) -> None:
    number = id_of(indexed, album.path("cold/0.jpg"))
    assert not forget(indexed, [number], with_work=True)
    with pytest.raises(ValueError, match="without a file"):
        indexed.photos.forget([number])


def test_names_that_are_not_valid_text_can_be_proposed(library: Library, album: Album) -> None:
    path = album.path(os.fsdecode(b"od\xffd\n.jpg"))
    album.draw("a.jpg")
    album.draw("x.jpg").rename(path)
    rescan(library, album.folder)
    other = album.folder.with_name(os.fsdecode(b"oth\xfe\n"))
    other.mkdir()
    shutil.move(path, other / path.name)
    rescan(library)
    (only,) = proposals(library)
    assert only.new == other / path.name
    do(library, only)
    assert missing_photos(library) == {}


def test_a_folder_with_subfolders_is_one_proposal(indexed: Library, album: Album) -> None:
    album.draw("cold/deep/er/7.jpg", seed=70)
    album.draw("cold/deep/8.jpg", seed=80)
    rescan(indexed)
    target = album.folder.with_name("other")
    album.path("cold").rename(target)
    rescan(indexed)
    assert len(proposals(indexed)) == 1
    (only,) = proposals(indexed, target.parent)
    assert (only.old, only.new, len(only.photo_ids)) == (album.path("cold"), target, 8)
    do(indexed, only)
    assert missing_photos(indexed) == {}


def test_metadata_of_the_other_photo_stay(indexed: Library, album: Album) -> None:
    (lost,) = lose(indexed, [album.path("cold/0.jpg")])
    other = id_of(indexed, album.path("cold/1.jpg"))
    indexed.marks.set([lost], rating=2, label="Red")
    indexed.marks.set([other], rating=5)
    take_over(indexed, lost, other)
    mark = indexed.marks.of([other])[other]
    assert (mark.rating, mark.label) == (5, "Red")
