# SPDX-License-Identifier: MIT
"""Picking photos for a goal."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.subsets.pick import Goal, pick
from tests.browser.operations.three_kinds import KINDS, of_kind

EVERY = Goal.DIVERSE, Goal.TYPICAL, Goal.ODD, Goal.BALANCED, Goal.UNSURE


def picked(library: Library, goal: Goal, count: int, query: str = "-missing", **options: object) -> list[int]:
    among = library.photos.ids(query)
    found = finish(pick(library, Ranker(library), goal, count, among=among, **options))  # type: ignore[arg-type]
    assert found.considered <= len(among)
    ids: list[int] = found.ids.tolist()
    assert len(set(ids)) == len(ids)
    assert set(ids) <= set(among.tolist())
    return ids


def kinds_of(library: Library, ids: list[int]) -> Counter[str]:
    return Counter(path.parent.name for path in library.photos.paths(ids))


def test_typical_and_diverse_photos_are_of_all_kinds(two_worlds: Library) -> None:
    every = {*KINDS, "foreign"}
    for goal in (Goal.TYPICAL, Goal.DIVERSE):
        assert set(kinds_of(two_worlds, picked(two_worlds, goal, 12))) == every
    assert len(picked(two_worlds, Goal.DIVERSE, 10_000)) == two_worlds.photos.count("-missing")


def test_odd_photos_are_unlike_the_others(two_worlds: Library) -> None:
    odd = of_kind(two_worlds, "foreign")[:1]
    two_worlds.tags.change([*of_kind(two_worlds, "warm"), *odd], ["here"])
    assert picked(two_worlds, Goal.ODD, 1, "tag:here") == odd


def test_each_tag_gets_the_same_number(two_worlds: Library) -> None:
    for number, kind in enumerate(KINDS):
        two_worlds.tags.change(of_kind(two_worlds, kind)[: 4 + 3 * number], [kind])
    assert kinds_of(two_worlds, picked(two_worlds, Goal.BALANCED, 9)) == dict.fromkeys(KINDS, 3)
    with pytest.raises(OperationError, match="tagged"):
        picked(two_worlds, Goal.BALANCED, 9, "untagged")


def test_photos_between_two_tags_are_unsure(two_worlds: Library) -> None:
    warm, cold, _ = (of_kind(two_worlds, kind) for kind in KINDS)
    two_worlds.tags.change(warm[:5], ["one"])
    two_worlds.tags.change(warm[5:10], ["other"])  # the same kind
    two_worlds.tags.change(cold[:11], ["cold"])
    unsure = picked(two_worlds, Goal.UNSURE, 1, "-path:foreign -path:green")
    assert set(unsure) <= set(warm[10:]), "neither tagged photos nor those with one likely tag"


def test_photos_unlike_the_few_tagged_ones_are_unsure(two_worlds: Library) -> None:
    """A model of two kinds is sure of the photos of a third one; so the first photos must not follow it."""
    for kind in KINDS[:2]:
        two_worlds.tags.change(of_kind(two_worlds, kind)[:4], [kind])
    assert set(kinds_of(two_worlds, picked(two_worlds, Goal.UNSURE, 2, "-path:foreign"))) == {KINDS[2]}


def test_goals_that_need_tags_say_so(two_worlds: Library) -> None:
    with pytest.raises(NothingToLearnError, match="tag a few"):
        picked(two_worlds, Goal.UNSURE, 5)
    with pytest.raises(OperationError, match="no described photos"):
        picked(two_worlds, Goal.TYPICAL, 5, "tag:nothing")


def test_the_nearest_to_an_image_come_first(two_worlds: Library, tmp_path: Path) -> None:
    warm = of_kind(two_worlds, "warm")
    (path,) = two_worlds.photos.paths(warm[:1])
    found = picked(two_worlds, Goal.NEAR, 5, image=path)
    assert found == Ranker(two_worlds).rank(path, limit=5).photo_ids.tolist()
    assert kinds_of(two_worlds, picked(two_worlds, Goal.NEAR, 3, "path:cold", image=path)) == {"cold": 3}
    with pytest.raises(OperationError):
        picked(two_worlds, Goal.NEAR, 3, image=tmp_path / "nothing.jpg")


@pytest.mark.parametrize("goal", EVERY)
def test_the_same_seed_gives_the_same_photos_and_nothing_changes(two_worlds: Library, goal: Goal) -> None:
    for kind in KINDS:
        two_worlds.tags.change(of_kind(two_worlds, kind)[:5], [kind])
    before = two_worlds.journal.undo_label()
    one = picked(two_worlds, goal, 7, seed=3)
    assert one == picked(two_worlds, goal, 7, seed=3)
    assert len(one) == 7
    if goal is Goal.DIVERSE:
        assert one != picked(two_worlds, goal, 7, seed=4)
    assert two_worlds.journal.undo_label() == before


def test_photos_without_a_description_are_ignored(two_worlds: Library) -> None:
    (here,) = picked(two_worlds, Goal.TYPICAL, 1)
    among = np.array([here, 10**6])
    found = finish(pick(two_worlds, Ranker(two_worlds), Goal.DIVERSE, 9, among=among))
    assert (found.ids.tolist(), found.considered) == ([here], 1)
