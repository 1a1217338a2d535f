# SPDX-License-Identifier: MIT
from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import BURST_SECONDS, FOLD
from focal_photos.browser.operations.duplicates.find_duplicates import (
    Duplicates,
    GroupKind,
    find_duplicates,
    fold,
    fold_ranking,
    known_duplicates,
    toggle_fold,
)
from focal_photos.browser.operations.duplicates.near_pairs import near_pairs
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from tests.browser.operations.album import Album
from tests.browser.operations.duplicates.test_same_picture import scene

START = datetime(2024, 5, 1, 12)


def names(library: Library, duplicates: Duplicates) -> list[set[str]]:
    return [{path.stem for path in library.photos.paths(group.photo_ids)} for group in duplicates.groups]


def photo_of(library: Library, name: str) -> int:
    return next(photo.id for photo in library.photos.get(library.photos.ids()) if photo.path.stem == name)


def write(path: Path, image: Image.Image, *, quality: int = 92, taken: datetime | None = None) -> None:
    exif = Image.Exif()
    if taken is not None:
        exif.get_ifd(0x8769)[0x9003] = taken.strftime("%Y:%m:%d %H:%M:%S")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, quality=quality, exif=exif)


def others(album: Album) -> None:
    for i in range(30):
        write(album.path(f"other-{i}.jpg"), scene(100 + i))


@pytest.fixture
def copies(album: Album, library: Library) -> Library:
    """30 photos, and of one photo a smaller, a more compressed and a slightly cropped copy."""
    others(album)
    photo = scene(7)
    write(album.path("original.jpg"), photo, quality=95)
    write(album.path("half.jpg"), photo.resize((120, 80), Image.Resampling.LANCZOS))
    write(album.path("pressed.jpg"), photo, quality=40)
    write(album.path("cropped.jpg"), photo.crop((3, 2, 237, 158)))
    finish(index(library, [album.folder], backend="threads", workers=1))
    return library


def test_copies_form_one_group_and_the_original_is_the_keeper(copies: Library) -> None:
    found = finish(find_duplicates(copies, Ranker(copies)))
    assert names(copies, found) == [{"original", "half", "pressed", "cropped"}]
    (group,) = found.groups
    assert group.kind is GroupKind.COPIES
    assert group.photo_ids[0] == photo_of(copies, "original")
    assert group.why == "least compressed", "the cropped copy has nearly as many pixels"
    assert {int(i) for i in np.flatnonzero(found.table >= 0)} == set(group.photo_ids)
    assert known_duplicates(copies) is found


def test_the_best_rated_photo_is_the_keeper_and_missing_photos_are_ignored(copies: Library, album: Album) -> None:
    copies.marks.set([photo_of(copies, "half")], rating=4)
    (group,) = finish(find_duplicates(copies, Ranker(copies))).groups
    assert group.photo_ids[0] == photo_of(copies, "half")
    assert group.why == "rated"
    album.path("half.jpg").unlink()
    finish(index(copies, [album.folder], backend="threads", workers=1))
    assert names(copies, finish(find_duplicates(copies, Ranker(copies)))) == [{"original", "pressed", "cropped"}]


def test_different_photos_are_never_grouped(copies: Library) -> None:
    found = finish(find_duplicates(copies, Ranker(copies)))
    group = found.groups[0]
    copies.not_duplicates.add(group.photo_ids)
    rest = finish(find_duplicates(copies, Ranker(copies))).groups
    assert [one.photo_ids for one in rest] == [one.photo_ids for one in found.groups[1:]]
    copies.journal.undo()
    again = finish(find_duplicates(copies, Ranker(copies))).groups
    assert [one.photo_ids for one in again] == [one.photo_ids for one in found.groups]


def test_pairs_are_stored_and_only_new_photos_are_compared(
    copies: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_for: list[int | None] = []
    search = near_pairs

    def watched(rows, radius, *, queries=None, progress):  # type: ignore[no-untyped-def]
        looked_for.append(None if queries is None else len(queries))
        return search(rows, radius, queries=queries, progress=progress)

    monkeypatch.setattr("focal_photos.browser.operations.duplicates.find_duplicates.near_pairs", watched)
    (first,) = names(copies, finish(find_duplicates(copies, Ranker(copies))))
    assert names(copies, finish(find_duplicates(copies, Ranker(copies)))) == [first]
    assert looked_for == [None, 0]
    write(album.path("again.jpg"), scene(7), quality=70)
    finish(index(copies, [album.folder], backend="threads", workers=1))
    grown = names(copies, finish(find_duplicates(copies, Ranker(copies))))
    assert looked_for == [None, 0, 1]
    assert grown == [first | {"again"}]
    (file,) = (copies.path / "derived").glob("duplicates-*.npz")
    for damaged in (b"", b"no archive", file.read_bytes()[:200]):
        file.write_bytes(damaged)
        assert names(copies, finish(find_duplicates(copies, Ranker(copies)))) == grown
    assert looked_for == [None, 0, 1, None, None, None]


def test_stored_pairs_of_a_missing_photo_are_discarded(copies: Library, album: Album) -> None:
    finish(find_duplicates(copies, Ranker(copies)))
    gone = photo_of(copies, "half")
    album.path("half.jpg").unlink()
    finish(index(copies, [album.folder], backend="threads", workers=1))
    copies.photos.forget([gone])
    assert names(copies, finish(find_duplicates(copies, Ranker(copies)))) == [{"original", "pressed", "cropped"}]


def test_a_stored_pair_with_an_edited_photo_is_discarded(album: Album, library: Library) -> None:
    others(album)
    write(album.path("original.jpg"), scene(7), quality=95)
    write(album.path("pressed.jpg"), scene(7), quality=40)
    finish(index(library, [album.folder], backend="threads", workers=1))
    assert names(library, finish(find_duplicates(library, Ranker(library)))) == [{"original", "pressed"}]
    edited = photo_of(library, "pressed")
    write(album.path("pressed.jpg"), scene(8), quality=94)
    finish(index(library, [album.folder], backend="threads", workers=1))
    assert photo_of(library, "pressed") == edited
    assert finish(find_duplicates(library, Ranker(library))).groups == []


def test_similar_photos_taken_within_seconds_are_a_burst(album: Album, library: Library) -> None:
    others(album)
    wide = scene(5, (300, 220))
    for shot in range(3):  # the hand moves
        part = wide.crop((shot * 14, shot * 12, shot * 14 + 240, shot * 12 + 160))
        write(album.path(f"shot-{shot}.jpg"), part, taken=START + timedelta(seconds=2 * shot))
        write(album.path(f"elsewhere-{shot}.jpg"), scene(900 + shot), taken=START + timedelta(seconds=2 * shot))
    write(album.path("later.jpg"), wide.crop((42, 36, 282, 196)), taken=START + timedelta(minutes=3))
    finish(index(library, [album.folder], backend="threads", workers=1))
    found = finish(find_duplicates(library, Ranker(library)))
    assert names(library, found) == [{"shot-0", "shot-1", "shot-2"}]
    (group,) = found.groups
    assert group.kind is GroupKind.BURST
    assert group.seconds == 4
    BURST_SECONDS.set(library, 2)
    assert len(finish(find_duplicates(library, Ranker(library))).groups) == 1, "the photos are two seconds apart"
    BURST_SECONDS.set(library, 1)
    assert finish(find_duplicates(library, Ranker(library))).groups == []


def groups_of(*groups: tuple[int, ...]) -> Duplicates:
    table = np.full(20, -1, dtype=np.int32)
    for number, some in enumerate(groups):
        table[list(some)] = number
    return Duplicates([], table)


def test_a_ranking_shows_the_first_of_each_group() -> None:
    known = groups_of((2, 5, 7), (1, 9))
    ids = np.array([5, 3, 9, 2, 30, 7, 1])
    none = np.empty(0, dtype=np.int64)
    kept, counts = fold(known, ids, frozenset(), none)
    assert ids[kept].tolist() == [5, 3, 9, 30]
    assert counts == {5: 2, 9: 1}
    kept, counts = fold(known, ids, frozenset({7}), none)
    assert ids[kept].tolist() == [5, 3, 9, 2, 30, 7]
    assert counts == {9: 1}
    kept, counts = fold(known, ids, frozenset(), np.array([2, 9]))
    assert ids[kept].tolist() == [5, 3, 9, 2, 30, 1], "judged photos stay visible and represent no group"
    assert counts == {5: 1}
    kept, counts = fold(known, ids[:2], frozenset(), none)
    assert kept.all()
    assert counts == {}
    # The first part of a ranking is folded like the whole ranking.
    whole = ids[fold(known, ids, frozenset(), none)[0]]
    for length in range(len(ids)):
        part = ids[:length][fold(known, ids[:length], frozenset(), none)[0]]
        assert part.tolist() == whole[: len(part)].tolist()


def test_folding_follows_the_setting_and_unfolded_groups(copies: Library) -> None:
    ids, none = copies.photos.ids(), np.empty(0, dtype=np.int64)
    assert fold_ranking(copies, ids, none) is None, "no duplicates are known yet"
    assert not toggle_fold(copies, int(ids[0]))
    (group,) = finish(find_duplicates(copies, Ranker(copies))).groups
    first = min(group.photo_ids)
    folded = fold_ranking(copies, ids, none)
    assert folded is not None
    assert folded[1] == {first: 3}
    assert toggle_fold(copies, group.photo_ids[2])
    assert fold_ranking(copies, ids, none) is None
    assert toggle_fold(copies, first)
    assert fold_ranking(copies, ids, none) is not None
    assert not toggle_fold(copies, photo_of(copies, "other-1"))
    FOLD.set(copies, False)
    assert fold_ranking(copies, ids, none) is None
