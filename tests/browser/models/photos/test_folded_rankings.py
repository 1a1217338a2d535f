# SPDX-License-Identifier: MIT
"""The number of photos of a folded ranking is known from its beginning; here, one photo makes a ranking large."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.navigation import arrangement
from focal_photos.browser.models.photos.navigation.arrangement import arrange
from focal_photos.browser.models.photos.trail import Collection, Step
from focal_photos.browser.operations.duplicates.find_duplicates import find_duplicates
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from tests.browser.operations.album import Album
from tests.browser.operations.duplicates.test_same_picture import scene

COPIES = ("original", "half", "pressed", "cropped")


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Return a library of 30 photos and four copies of another one."""
    folder = tmp_path_factory.mktemp("photos")
    for i in range(30):
        scene(100 + i).save(folder / f"other-{i}.jpg", quality=92)
    photo = scene(7)
    photo.save(folder / "original.jpg", quality=95)
    photo.resize((120, 80), Image.Resampling.LANCZOS).save(folder / "half.jpg", quality=92)
    photo.save(folder / "pressed.jpg", quality=40)
    photo.crop((3, 2, 237, 158)).save(folder / "cropped.jpg", quality=92)
    with Library.open(Album(folder).index(tmp_path_factory.mktemp("library"))) as library:
        (group,) = finish(find_duplicates(library, Ranker(library))).groups
        assert len(group.photo_ids) == 4
        yield library


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrangement, "MAX_WHOLE_RANKING", 0)


def photo_of(library: Library, name: str) -> int:
    return next(photo.id for photo in library.photos.get(library.photos.ids()) if photo.path.stem == name)


def far_from_copies(library: Library) -> int:
    """Return a photo in whose ranking all four copies are behind the first ten."""
    group = {photo_of(library, name) for name in COPIES}
    ranker = Ranker(library)
    for photo_id in library.photos.ids().tolist():
        if photo_id not in group and not group & set(ranker.rank(photo_id, limit=10).photo_ids.tolist()):
            return int(photo_id)
    raise AssertionError("no such photo")


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 5, 10, 25])
@pytest.mark.parametrize("name", ["original", "cropped", "other-3", "far"])
@pytest.mark.parametrize("query", ["", "-path:other-7"])
def test_the_first_part_states_the_total_count(copies: Library, name: str, limit: int, query: str) -> None:
    focal = far_from_copies(copies) if name == "far" else photo_of(copies, name)
    step, ranker = Step(Collection(query), focal, name), Ranker(copies)
    whole = arrange(copies, ranker, step)
    begun = arrange(copies, ranker, step, limit)
    every = len(copies.photos.ids(query)) - 1
    assert len(whole.ids) == whole.total == every - (2 if name in COPIES else 3)
    assert begun.total == whole.total
    np.testing.assert_array_equal(begun.ids, whole.ids[: len(begun.ids)])


def test_judged_photos_are_counted_although_folded(copies: Library) -> None:
    focal, judged = photo_of(copies, "other-3"), photo_of(copies, "half")
    copies.judgements.set(focal, [judged], Verdict.DISSIMILAR)
    try:
        step, ranker = Step(Collection(), focal, ""), Ranker(copies)
        whole, begun = arrange(copies, ranker, step), arrange(copies, ranker, step, 5)
        assert len(whole.ids) == whole.total == begun.total == 33 - 2
    finally:
        copies.journal.undo()
