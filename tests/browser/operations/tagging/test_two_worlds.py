# SPDX-License-Identifier: MIT
"""Photos of another world: no part of Focal is confident that they have a known tag."""

from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.label_errors import find_label_errors
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.review.answered_questions import AnsweredQuestions
from focal_photos.browser.operations.tagging.review.review import review
from focal_photos.browser.operations.tagging.suggest import suggest
from focal_photos.learners.tags.confidence.answered import Answered
from tests.browser.operations.three_kinds import EACH, KINDS, of_kind

TAGGED = 6


@pytest.fixture(params=["one tag a photo", "several tags"])
def tagged(two_worlds: Library, request: pytest.FixtureRequest) -> Library:
    """Six photos of each kind are tagged; with several tags, some have keywords from their files."""
    for kind in KINDS:
        two_worlds.tags.change(of_kind(two_worlds, kind)[:TAGGED], [kind])
        if request.param == "several tags":
            two_worlds.tags.change(of_kind(two_worlds, kind)[:3], ["2010", "40D"])
    return two_worlds


def learned_of(library: Library) -> LearnedTags:
    ranker = Ranker(library)
    gallery = ranker.gallery()
    annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    return finish(learn_tags(library, looks_for_tags(ranker, gallery), annotated))


def test_suggestions_are_confident_for_known_and_not_for_foreign_photos(tagged: Library) -> None:
    report = finish(suggest(tagged, Ranker(tagged)))
    surest = {
        photo_id: max((one.confidence for one in found if one.tag in KINDS), default=0.0)
        for photo_id, found in report.by_photo.items()
    }
    assert max(surest[photo_id] for photo_id in of_kind(tagged, "foreign")) < 0.5
    known = [surest[photo_id] for kind in KINDS for photo_id in of_kind(tagged, kind)[TAGGED:]]
    assert np.mean(np.array(known) >= 0.5) > 0.8


def test_review_answers_do_not_make_foreign_photos_plausible(tagged: Library) -> None:
    """Otherwise a folder of crowds is proposed as "tiger lily" at 80 % after a series of positive answers."""
    shy = Answered(np.full(20, 0.1), np.ones(20, dtype=bool), np.zeros(20))
    foreign = set(of_kind(tagged, "foreign"))
    for answered in (AnsweredQuestions(), AnsweredQuestions(tags=(shy,) * 6)):
        questions = [
            question for question in finish(review(tagged, Ranker(tagged), answered=answered)) if question.tag in KINDS
        ]
        assert {question.tag for question in questions} == set(KINDS)
        for question in questions:
            strange = np.isin(question.photo_ids, list(foreign))
            assert question.confidences[strange].max(initial=0.0) < 0.5
            assert not set(question.photo_ids[: question.line].tolist()) & foreign
            right = set(of_kind(tagged, str(question.tag))[TAGGED:])
            assert len(right & set(question.photo_ids[: question.line].tolist())) >= 0.7 * (EACH - TAGGED)


def test_a_correct_tag_of_a_foreign_photo_is_not_listed_as_an_error(tagged: Library) -> None:
    tagged.tags.change(of_kind(tagged, "foreign")[:2], ["lunchbox"])
    doubted = [one for one in finish(find_label_errors(tagged, Ranker(tagged))) if one.tag == "lunchbox"]
    assert doubted == []


def test_a_tagged_photo_is_not_foreign(tagged: Library) -> None:
    learned = learned_of(tagged)
    ids = np.array(of_kind(tagged, "foreign")[:5])
    before = learned.confidences(ids)
    assert (before.foreign > 0.5).all()
    assert (before.p_values < 0.06).all()
    known = learned.tags[[0] * len(ids)] * 0
    known[:, 0] = 1
    assert (learned.confidences(ids, known.tocsr()).foreign < 1e-9).all()


def test_predictions_for_single_photos_equal_those_for_all(tagged: Library) -> None:
    learned = learned_of(tagged)
    ids = np.array(sorted([*of_kind(tagged, "warm"), *of_kind(tagged, "foreign")]))
    together = learned.confidences(ids)
    apart = [learned.confidences(ids[[row]]) for row in range(len(ids))]
    for name in ("tags", "none", "foreign", "p_values"):
        one_by_one = np.concatenate([getattr(one, name) for one in apart])
        np.testing.assert_allclose(getattr(together, name), one_by_one, atol=1e-5)


def test_foreign_photos_of_another_folder_make_known_photos_no_less_certain(two_worlds: Library) -> None:
    for kind in KINDS:
        two_worlds.tags.change(of_kind(two_worlds, kind)[:TAGGED], [kind])
    learned = learned_of(two_worlds)
    assert learned.folders is not None
    foreign = np.array(of_kind(two_worlds, "foreign"))
    known = np.array([photo_id for kind in KINDS for photo_id in of_kind(two_worlds, kind)[TAGGED:]])
    of_library = learned.confidence.foreign_share_
    assert (learned.folders.of(foreign)[:, 1] > of_library).all()
    assert (learned.folders.of(known)[:, 1] < of_library).all()
    shares = learned.folders.of(np.array([*foreign[:1], known[0], 10**6]))
    assert shares[2].tolist() == [learned.confidence.none_share_, of_library]
    with_folders, without = learned.confidences(known), LearnedTags(**vars(learned) | {"folders": None})
    assert (with_folders.foreign <= without.confidences(known).foreign).all()
    assert (learned.confidences(foreign).none >= without.confidences(foreign).none).all()


def test_a_library_with_one_folder_has_one_share(three: Library) -> None:
    three.tags.change(of_kind(three, "warm")[:TAGGED], ["warm"])
    for kind in ("cold", "green"):
        three.tags.change(of_kind(three, kind), [kind])
    assert learned_of(three).folders is None, "the untagged photos are in one folder"
