# SPDX-License-Identifier: MIT
"""Finding new photos that are unlike all tagged photos."""

from __future__ import annotations

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.unlike import unlike
from tests.browser.operations.three_kinds import KINDS, of_kind


def found(library: Library, ids: list[int]) -> set[int]:
    ids_unlike = finish(unlike(library, Ranker(library), ids))
    assert (np.diff(ids_unlike) > 0).all()
    return set(ids_unlike.tolist())


def test_only_new_photos_of_another_world_are_unlike(two_worlds: Library) -> None:
    new: list[int] = []
    for kind in KINDS:
        two_worlds.tags.change(of_kind(two_worlds, kind)[:8], [kind])
        new += of_kind(two_worlds, kind)[8:]
    foreign = of_kind(two_worlds, "foreign")
    assert two_worlds.photos.ids("untagged").tolist()
    unlike_ids = found(two_worlds, new + foreign)
    assert len(unlike_ids & set(foreign)) > 0.9 * len(foreign)
    assert len(unlike_ids & set(new)) <= 2
    assert found(two_worlds, new) == unlike_ids & set(new)
    assert two_worlds.tags.of(foreign) == {photo_id: [] for photo_id in foreign}


def test_tagged_photos_are_not_compared_with_themselves(two_worlds: Library) -> None:
    for kind in KINDS:
        two_worlds.tags.change(of_kind(two_worlds, kind)[:8], [kind])
    foreign = of_kind(two_worlds, "foreign")
    two_worlds.tags.change(foreign[:1], ["squares"])
    assert found(two_worlds, foreign[:1]) == set(foreign[:1])
    # Once many of them are tagged, similar photos are not unusual.
    two_worlds.tags.change(foreign[:30], ["squares"])
    assert len(found(two_worlds, foreign[30:])) <= 2


def test_nothing_is_reported_with_few_tags_or_none(two_worlds: Library) -> None:
    foreign = of_kind(two_worlds, "foreign")
    assert found(two_worlds, foreign) == set()
    two_worlds.tags.change(of_kind(two_worlds, "warm")[:1], ["warm"])
    assert found(two_worlds, foreign) == set()
    assert found(two_worlds, []) == set()
    assert found(two_worlds, [10**9]) == set()


def test_a_few_tagged_photos_are_enough(two_worlds: Library) -> None:
    new: list[int] = []
    for kind in KINDS:
        two_worlds.tags.change(of_kind(two_worlds, kind)[:4], [kind])
        new += of_kind(two_worlds, kind)[4:]
    foreign = of_kind(two_worlds, "foreign")
    unlike_ids = found(two_worlds, new + foreign)
    assert len(unlike_ids & set(foreign)) > 0.9 * len(foreign)
    assert len(unlike_ids & set(new)) <= 3
