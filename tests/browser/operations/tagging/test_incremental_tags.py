# SPDX-License-Identifier: MIT
"""The incremental update after each answer gives the same result as fitting all photos again."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging import incremental_tags, learn_tags
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.incremental_tags import INCREMENTAL
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags
from focal_photos.browser.operations.tagging.review.review import review
from focal_photos.learners.tags.incremental_ridge import IncrementalRidge
from focal_photos.learners.tags.tag_ridge import TagRidge
from tests.browser.operations.three_kinds import KINDS, of_kind, several


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental_tags, "MIN_PHOTOS", 15)
    monkeypatch.setattr(incremental_tags, "_GROWTH", 0.5)


def learn(library: Library, ranker: Ranker, *, follows: bool = True) -> LearnedTags:
    gallery = ranker.gallery()
    annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    return finish(learn_tags.learn_tags(library, gallery, annotated, follows=follows))


def ridge_of(learned: LearnedTags) -> IncrementalRidge:
    assert isinstance(learned.learner, IncrementalRidge)
    return learned.learner


def assert_is_what_all_of_it_gives(library: Library, learned: LearnedTags) -> None:
    """Fit all annotated photos again with the same family weights and gamma."""
    annotated = read_annotated(library, learned.looks, library.suggestions.rejected_pairs())
    ids = np.sort(annotated.ids)
    rows = np.argsort(annotated.ids)
    np.testing.assert_array_equal(learned.ids, ids)
    assert learned.names == annotated.names
    np.testing.assert_array_equal(learned.tags.toarray(), annotated.tags[rows].toarray())
    grown = ridge_of(learned)
    slow = TagRidge(gamma=grown.gamma_).fit(
        learned.coordinates(ids) * grown.scale_, annotated.tags[rows], rejected=annotated.rejected[rows]
    )
    np.testing.assert_allclose(grown.left_out_.tags, slow.left_out_.tags, atol=1e-4)
    others = np.setdiff1d(learned.looks.ids, ids)
    expected = slow.scores(learned.coordinates(others) * grown.scale_)
    np.testing.assert_allclose(learned.scores(others).tags, expected.tags, atol=1e-4)


def test_each_answer_updates_the_fit(three: Library) -> None:
    several(three)
    ranker = Ranker(three)
    first = learn(three, ranker)
    assert_is_what_all_of_it_gives(three, first)
    count, warm, cold = len(first.ids), of_kind(three, "warm"), of_kind(three, "cold")
    three.tags.change(warm[8:11], ["warm"])
    after = learn(three, ranker)
    assert len(ridge_of(after).landmarks_) == count + 3, "only three photos were added"
    assert ridge_of(after).gamma_ == ridge_of(first).gamma_
    assert_is_what_all_of_it_gives(three, after)
    three.suggestions.reject([(cold[9], "warm"), (cold[10], "warm"), (warm[0], "cold")])
    after = learn(three, ranker)
    assert len(ridge_of(after).landmarks_) == count + 5
    assert_is_what_all_of_it_gives(three, after)
    three.tags.change(cold[9:10], ["quite new"])  # only rejections before, and a new tag
    three.tags.change(warm[:2], ["a tag before all others"])
    three.tags.change(warm[9:10], [], ["warm"])  # removed
    after = learn(three, ranker)
    assert len(ridge_of(after).landmarks_) == count + 5
    assert_is_what_all_of_it_gives(three, after)
    three.tags.change(warm[9:10], ["warm"])  # and given again
    assert_is_what_all_of_it_gives(three, learn(three, ranker))


def test_a_sample_includes_all_photos_tagged_since(three: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn_tags, "_MIN_PHOTOS", 10)
    monkeypatch.setattr(learn_tags, "_RIDGE_ROWS", 18)
    several(three)
    ranker = Ranker(three)
    first = learn(three, ranker)
    assert len(first.ids) == 18
    tagged = three.photos.ids("tagged").tolist()
    without = sorted(set(tagged) - set(first.ids.tolist()))
    assert len(without) == 6
    warm = of_kind(three, "warm")
    three.tags.change(warm[8:10], ["warm"])
    three.tags.change(without[:1], ["another"])
    after = learn(three, ranker)
    assert set(after.ids.tolist()) == {*first.ids.tolist(), *warm[8:10], without[0]}
    asked = np.array(without[1:], np.int64)
    expected = ridge_of(after).scores(after.coordinates(asked)).tags
    np.testing.assert_allclose(after.scores(asked).tags, expected, atol=1e-5)


def test_the_fit_is_restarted_after_many_changes(three: Library) -> None:
    several(three)
    ranker = Ranker(three)
    count = len(learn(three, ranker).ids)
    three.tags.change([photo for kind in KINDS for photo in of_kind(three, kind)[8:12]], ["drawn"])
    half = learn(three, ranker)
    assert len(ridge_of(half).landmarks_) == count * 3 // 2
    three.tags.change(of_kind(three, "warm")[12:13], ["drawn"])
    more = learn(three, ranker)
    assert ridge_of(more).gamma_ != ridge_of(half).gamma_
    assert_is_what_all_of_it_gives(three, more)
    three.tags.change(of_kind(three, "warm"), [], ["warm", "drawn"])
    three.tags.change(of_kind(three, "cold")[:6], [], ["cold", "drawn"])
    fewer = learn(three, ranker)
    assert len(ridge_of(fewer).landmarks_) == len(fewer.ids), "removed photos leave the landmarks"
    assert_is_what_all_of_it_gives(three, fewer)


def test_the_incremental_ridge_is_not_used_for_few_photos_single_tags_or_the_last_answer(
    three: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    several(three)
    ranker = Ranker(three)
    assert type(learn(three, ranker, follows=False).learner) is TagRidge
    monkeypatch.setattr(incremental_tags, "MIN_PHOTOS", 24)
    three.suggestions.reject([(of_kind(three, "warm")[0], "cold")])
    assert type(learn(three, ranker).learner) is TagRidge
    monkeypatch.setattr(incremental_tags, "MIN_PHOTOS", 15)
    for kind in KINDS:
        three.tags.change(of_kind(three, kind), [kind], ["drawn"])
    learned = learn(three, ranker)
    assert type(learned.learner) is TagRidge
    assert learned.confidence.exclusive_


def test_tags_that_become_exclusive_are_fitted_as_such(three: Library) -> None:
    several(three)
    ranker = Ranker(three)
    learn(three, ranker)
    three.tags.change(three.photos.ids("tag:drawn").tolist(), [], ["drawn"])
    learned = learn(three, ranker)
    assert type(learned.learner) is TagRidge
    assert learned.confidence.exclusive_


def test_a_fit_updated_by_another_search_is_restarted(three: Library) -> None:
    several(three)
    ranker = Ranker(three)
    first = learn(three, ranker)
    ridge_of(first)._state = ridge_of(first)._fitted()._replace(factor=None)  # as while the other search updates it
    three.tags.change(of_kind(three, "warm")[8:9], ["warm"])
    assert_is_what_all_of_it_gives(three, learn(three, ranker))


def test_the_review_asks_the_same_questions_without_the_incremental_ridge(
    three: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    several(three)
    asked = []
    for fewest in (15, 10_000):
        monkeypatch.setattr(incremental_tags, "MIN_PHOTOS", fewest)
        monkeypatch.setattr(learn_tags, "MOST_WITH_NEIGHBORS", 0)
        questions = finish(review(three, Ranker(three)))
        asked.append([(question.tag, question.photo_ids.tolist(), question.line) for question in questions])
    assert asked[0] == asked[1]
    assert len(asked[0]) >= 3


def test_the_cached_fit_is_released(three: Library) -> None:
    several(three)
    ranker = Ranker(three)
    kept = weakref.ref(ridge_of(learn(three, ranker))._fitted().factor)
    incremental_tags.forget(three)
    three.tags.change(of_kind(three, "warm")[8:9], ["warm"])
    learned = learn(three, ranker, follows=False)
    assert type(learned.learner) is TagRidge
    gc.collect()
    assert kept() is None
    assert INCREMENTAL not in three.cache._values
