# SPDX-License-Identifier: MIT
"""Questions about selected photos and tags; the training data are still the whole library."""

from __future__ import annotations

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.review.ask_next import ask_next
from focal_photos.browser.operations.tagging.review.photo_by_photo import find_open_photos
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.browser.operations.tagging.review.review import Question, review
from tests.browser.operations.three_kinds import KINDS, of_kind, several


def questions(library: Library, scope: QuestionScope) -> dict[str | None, Question]:
    return {question.tag: question for question in finish(review(library, Ranker(library), scope=scope))}


def some(*photo_ids: int) -> QuestionScope:
    return QuestionScope(np.array(sorted(photo_ids), dtype=np.int64))


def test_questions_contain_only_photos_in_scope_with_unchanged_confidence(three: Library) -> None:
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:3], [kind])
    here = [*of_kind(three, "warm")[5:9], *of_kind(three, "green")[:4]]
    whole, part = questions(three, EVERYTHING), questions(three, some(*here))
    assert set(part["warm"].photo_ids.tolist()) <= set(here)
    assert set(part["warm"].photo_ids[: part["warm"].line].tolist()) == set(of_kind(three, "warm")[5:9])
    assert {photo_id for question in part.values() for photo_id in question.photo_ids.tolist()} <= set(here)
    sure = dict(zip(whole["warm"].photo_ids.tolist(), whole["warm"].stated.tolist(), strict=True))
    for photo_id, stated in zip(part["warm"].photo_ids.tolist(), part["warm"].stated.tolist(), strict=True):
        assert abs(sure.get(photo_id, stated) - stated) < 1e-6, (
            "tagged photos outside the scope are still training data"
        )


def test_tags_and_new_kinds_can_be_left_out(three: Library) -> None:
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:3], [kind])
    found = questions(three, QuestionScope(left_out=frozenset({"warm"}), new_kinds=False))
    assert set(found) == {"cold"}
    cold = found["cold"]
    assert not set(cold.photo_ids[: cold.line].tolist()) & set(of_kind(three, "warm")), (
        "warm photos are not counted as cold"
    )
    assert None in questions(three, QuestionScope(left_out=frozenset({"warm"})))


def test_single_photos_are_in_scope_too(three: Library) -> None:
    several(three)
    warm = of_kind(three, "warm")
    ranker = Ranker(three)
    scope = QuestionScope(np.array(warm[10:12]), frozenset({"drawn"}))
    found = finish(find_open_photos(three, ranker, scope=scope))
    assert {photo.photo_id for photo in found} == set(warm[10:12])
    assert all("drawn" not in photo.likely and "warm" in photo.likely for photo in found)
    assert any("drawn" in photo.likely for photo in finish(find_open_photos(three, ranker)))


def test_the_most_informative_photos_represent_the_scope(three: Library) -> None:
    warm, green = of_kind(three, "warm"), of_kind(three, "green")
    ranker = Ranker(three)
    here = [*warm[:5], *green[:5]]
    found = finish(ask_next(three, ranker, 2, scope=some(*here)))
    assert set(found) <= set(here)
    assert {path.parent.name for path in three.photos.paths(found)} == {"warm", "green"}
    assert set(finish(ask_next(three, ranker, 50, scope=some(*here)))) == set(here)
    three.tags.change(here, ["seen"])
    assert finish(ask_next(three, ranker, 2, scope=some(*here))) == []


def test_photos_can_be_added_to_a_scope() -> None:
    scope = QuestionScope(np.array([2, 5]), frozenset({"sea"}))
    grown = scope.grown(np.array([3, 5]))
    assert grown.photo_ids is not None
    assert grown.photo_ids.tolist() == [2, 3, 5]
    assert grown.left_out == {"sea"}
    assert grown.within(np.array([1, 3, 5])).tolist() == [3, 5]
    assert scope.grown(None).photo_ids is None
    assert EVERYTHING.grown(np.array([4])).photo_ids.tolist() == [4]  # type: ignore[union-attr]
