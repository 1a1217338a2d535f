# SPDX-License-Identifier: MIT
"""The accuracy of suggestions by each method, on photos whose tags are hidden."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.recognition.suggestion_accuracy import FOLDS, measure_suggestions
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.protocols import make_protocol
from tests.browser.operations.three_kinds import KINDS, of_kind


def tag_at_random(library: Library) -> None:
    """Give each photo one of three tags that have nothing to do with its appearance."""
    ids = np.random.default_rng(0).permutation(library.photos.ids())
    for place, tag in enumerate(("first", "second", "third")):
        library.tags.change(ids[place::3].tolist(), [tag])


def right_by_rank(library: Library) -> int:
    """Return how often the votes of the five nearest photos, weighted by rank, begin with a hidden tag."""
    gallery = Ranker(library).gallery()
    annotated = read_annotated(library, gallery, set())
    tags, rows = annotated.tags.toarray(), gallery.rows[gallery.row_table[annotated.ids]]
    right = 0
    for fold in make_protocol(len(rows), SideInformation.from_tags(tags), FOLDS).folds:
        assert fold.side.tags is not None
        known = np.flatnonzero(fold.side.tags.toarray().any(axis=1))
        for photo in fold.queries:
            nearest = known[np.argsort(cdist(rows[[photo]], rows[known])[0], kind="stable")[:5]]
            votes = sum(tags[one] / np.log(2 + rank) for rank, one in enumerate(nearest))
            right += int(tags[photo, np.argmax(votes)])
    return right


def test_each_method_suggests_hidden_tags(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:10], [kind])
    found = finish(measure_suggestions(three, Ranker(three)))
    assert found.photos == 30
    assert list(found.right) == ["ridge", "votes", "votes-by-rank"]
    assert all(27 <= right <= 30 for right in found.right.values())
    three.tags.change([of_kind(three, "cold")[0]], ["warm"], ["cold"])
    assert finish(measure_suggestions(three, Ranker(three))).right["ridge"] < 30, "no photo of this kind has the tag"


def test_votes_by_rank_agree_with_a_slow_reference(three: Library) -> None:
    tag_at_random(three)
    found = finish(measure_suggestions(three, Ranker(three)))
    assert (found.photos, found.right["votes-by-rank"]) == (42, right_by_rank(three))


def test_the_tags_of_held_out_photos_are_hidden_from_metrics_too(three: Library) -> None:
    tag_at_random(three)
    metric = finish(train(three, "kml-dml", parameters={"regularization": 0.001, "euclidean_blend": 0.0}))
    ranker = Ranker(three)
    gallery = ranker.gallery(metric.name)
    annotated = read_annotated(three, gallery, set())
    learned = finish(learn_tags(three, gallery, annotated, by="votes"))
    seen = annotated.tags.toarray()[np.arange(42), learned.learner.left_out_.tags.argmax(axis=1)]
    assert seen.mean() > 0.7, "the metric has seen the tags"
    found = finish(measure_suggestions(three, ranker, metric=metric.name))
    assert found.right["votes"] < 25


def test_the_result_is_cached_until_a_tag_changes_and_leaves_the_model_in_use(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:6], [kind])
    ranker = Ranker(three)
    gallery = ranker.gallery()
    annotated = read_annotated(three, gallery, set())
    model = finish(learn_tags(three, gallery, annotated))
    found = finish(measure_suggestions(three, ranker))
    assert finish(measure_suggestions(three, ranker)) is found
    assert finish(learn_tags(three, gallery, annotated)) is model
    three.tags.change(of_kind(three, "warm")[6:7], ["warm"])
    assert finish(measure_suggestions(three, ranker)).photos == found.photos + 1


def test_too_few_tagged_photos_are_refused(three: Library) -> None:
    with pytest.raises(NothingToLearnError, match="No indexed photo is tagged"):
        finish(measure_suggestions(three, Ranker(three)))
    three.tags.change(of_kind(three, "warm")[:3], ["warm"])
    with pytest.raises(NothingToLearnError, match="Too little data"):
        finish(measure_suggestions(three, Ranker(three)))
