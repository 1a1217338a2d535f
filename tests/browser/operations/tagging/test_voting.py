"""Suggestions learned from a library's own tags: weights, evidence from looks, and votes against."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.operations.jobs.progress import finish
from browser.operations.library.index import index
from browser.operations.ranking.ranker import Ranker
from browser.operations.ranking.space import coordinates, stores
from browser.operations.tagging.annotated import read_annotated
from browser.operations.tagging.learn_voting import ENOUGH, learn_voting
from browser.operations.tagging.out_of_fold import neighbors_out_of_fold, read_relearning
from browser.operations.tagging.suggest import SuggestReport, suggest
from browser.operations.tagging.voting import Voting
from browser.operations.training.train import train
from learners.core.base import ProgressReport, no_report
from learners.core.side_information import SideInformation
from learners.tags.multi_label import TagRatioMetric
from learners.tags.tag_propagation import TagPropagation
from learners.tags.weighted_tag_propagation import WeightedTagPropagation
from tests.browser.operations.album import Album

KINDS = ("warm", "cold", "green")
TAGGED = 20


def number(library: Library, album: Album, name: str) -> int:
    photo = library.photos.by_path(album.path(name))
    assert photo is not None
    return photo.id


def confidence(report: SuggestReport, photo_id: int, tag: str) -> float:
    return {one.tag: one.confidence for one in report.by_photo[photo_id]}.get(tag, 0.0)


def voting(library: Library, ranker: Ranker) -> Voting:
    gallery = ranker.gallery()
    annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    return finish(learn_voting(library, gallery, annotated))


@pytest.fixture
def many(library: Library, album: Album) -> Library:
    """20 tagged photos of each kind, ``warm/0.jpg`` ..., and 5 more without tags."""
    for kind in KINDS:
        for i in range(TAGGED + 5):
            album.draw(f"{kind}/{i}.jpg", kind=kind, seed=i)
    finish(index(library, [album.folder]))
    for kind in KINDS:
        ids = [number(library, album, f"{kind}/{i}.jpg") for i in range(TAGGED)]
        library.tags.change(ids, [kind, "drawn"])
    return library


@pytest.fixture
def few(indexed: Library, album: Album) -> Library:
    """Photos 0..3 of two kinds are tagged with them; 4 and 5 are not."""
    for kind in ("warm", "cold"):
        indexed.tags.change([number(indexed, album, f"{kind}/{i}.jpg") for i in range(4)], [kind])
    return indexed


def test_weights_and_evidence_are_learned_from_enough_photos_and_right(many: Library, album: Album) -> None:
    ranker = Ranker(many)
    learned = voting(many, ranker)
    assert len(KINDS) * TAGGED >= ENOUGH
    assert isinstance(learned.propagation, WeightedTagPropagation)
    assert learned.ridge is not None
    assert len(learned.ridge_ids) == len(KINDS) * TAGGED
    report = finish(suggest(many, ranker))
    assert report.photos == 5 * len(KINDS)
    for kind in KINDS:
        for i in range(TAGGED, TAGGED + 5):
            photo_id = number(many, album, f"{kind}/{i}.jpg")
            assert confidence(report, photo_id, kind) > 0.8
            assert all(confidence(report, photo_id, other) < 0.3 for other in KINDS if other != kind)


def test_of_a_photo_that_taught_it_the_others_speak(many: Library, album: Album) -> None:
    photo_id = number(many, album, "warm/0.jpg")
    many.tags.change([photo_id], remove=["warm", "drawn"], add=["cold"])  # tagged wrongly
    ranker = Ranker(many)
    learned = voting(many, ranker)
    found = learned.evidence(many, ranker.gallery(), np.array([photo_id]))
    names = read_annotated(many, ranker.gallery(), set()).names
    assert found is not None
    assert found[0, names.index("warm")] > found[0, names.index("cold")]
    assert confidence(finish(suggest(many, ranker, [photo_id])), photo_id, "warm") > 0.5


def test_nothing_is_learned_again_until_something_changes(many: Library, album: Album) -> None:
    ranker = Ranker(many)
    first = voting(many, ranker)
    assert voting(many, ranker) is first
    pair = (number(many, album, "warm/20.jpg"), "cold")
    many.suggestions.reject([pair])
    second = voting(many, ranker)
    assert second is not first
    many.suggestions.unreject([pair])
    many.tags.change([number(many, album, "warm/21.jpg")], ["warm"])
    assert voting(many, ranker) is not second
    assert voting(many, Ranker(many)).propagation is not first.propagation


def test_a_tag_that_was_rejected_for_look_alikes_is_suggested_with_less_confidence(many: Library, album: Album) -> None:
    target = number(many, album, "warm/24.jpg")
    before = confidence(finish(suggest(many, Ranker(many), [target])), target, "warm")
    many.suggestions.reject([(number(many, album, f"warm/{i}.jpg"), "warm") for i in range(20, 24)])
    report = finish(suggest(many, Ranker(many), [target]))
    assert 0 < confidence(report, target, "warm") < before - 0.05
    rejecting = {number(many, album, f"warm/{i}.jpg") for i in range(20, 24)}
    assert not rejecting & {witness for one in report.by_photo[target] for witness in one.witnesses}


def test_of_a_few_tagged_photos_votes_are_plain_and_heed_rejections(few: Library, album: Album) -> None:
    assert isinstance(voting(few, Ranker(few)).propagation, TagPropagation)
    target = number(few, album, "warm/5.jpg")
    before = confidence(finish(suggest(few, Ranker(few), [target])), target, "warm")
    other = number(few, album, "warm/4.jpg")
    few.suggestions.reject([(other, "warm")])
    learned = voting(few, Ranker(few))
    assert isinstance(learned.propagation, TagPropagation)
    assert learned.ridge is None
    report = finish(suggest(few, Ranker(few)))
    assert 0 < confidence(report, target, "warm") < before - 0.02
    assert confidence(report, other, "warm") == 0
    cold = number(few, album, "cold/5.jpg")
    assert confidence(report, cold, "cold") > 0.6
    assert confidence(report, cold, "warm") < 0.3


def test_a_single_tagged_photo_and_a_rejection_are_enough(indexed: Library, album: Album) -> None:
    indexed.tags.change([number(indexed, album, "warm/0.jpg")], ["alone"])
    indexed.suggestions.reject([(number(indexed, album, "cold/0.jpg"), "alone")])
    report = finish(suggest(indexed, Ranker(indexed)))
    warm = confidence(report, number(indexed, album, "warm/1.jpg"), "alone")
    assert warm > confidence(report, number(indexed, album, "cold/1.jpg"), "alone")


def test_rejections_of_tags_that_nobody_carries_have_no_say(few: Library, album: Album) -> None:
    photo_id = number(few, album, "warm/4.jpg")
    few.suggestions.reject([(photo_id, "elsewhere")])
    annotated = read_annotated(few, Ranker(few).gallery(), few.suggestions.rejected_pairs())
    assert photo_id not in annotated.ids
    assert isinstance(voting(few, Ranker(few)).propagation, TagPropagation)


def test_cancelled_while_it_learns_nothing_is_kept(many: Library) -> None:
    ranker = Ranker(many)
    job = suggest(many, ranker)
    while next(job).stage != "Learning from your tags":
        pass
    job.close()
    assert not many.suggestions.open()
    assert finish(suggest(many, ranker)).photos == 5 * len(KINDS)


def test_a_read_only_library_learns_and_keeps_nothing(many: Library) -> None:
    with Library.open(many.path, read_only=True) as reader:
        assert finish(suggest(reader, Ranker(reader))).photos == 5 * len(KINDS)
    assert not many.suggestions.open()


def test_photos_edited_meanwhile_are_left_out_and_named(many: Library, album: Album) -> None:
    ranker = Ranker(many)
    job = suggest(many, ranker)
    while next(job).total != 5 * len(KINDS):
        pass
    gone = [number(many, album, f"warm/{i}.jpg") for i in (20, 21)]
    gallery = ranker.gallery()
    many.vectors.remove(gallery.loaded.key)
    for store in stores(many):
        store.forget(gone)
    report = finish(job)
    assert report.undescribed == gone
    assert report.photos == 5 * len(KINDS) - 2


# ---------------------------------------------------------------------- confidence
def test_a_metric_that_tags_taught_is_taught_again_without_the_photos_asked(many: Library) -> None:
    finish(train(many, "tag-ratio"))
    gallery = Ranker(many).gallery()
    annotated = read_annotated(many, gallery, set())
    points = coordinates(many, gallery.loaded.space, annotated.ids)
    relearning = read_relearning(many, gallery.loaded, points)
    assert relearning is not None
    assert relearning.tagged == len(KINDS) * TAGGED
    heard: list[set[int]] = []
    ids = relearning.taught.ids

    class Listening(TagRatioMetric):
        def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
            assert side_information.tags is not None
            heard.append(set(ids[np.diff(side_information.tags.indptr) > 0].tolist()))
            return super()._learn(X, side_information, report)

    found = neighbors_out_of_fold(replace(relearning, learner=Listening()), annotated, 7, 1000, no_report)
    np.testing.assert_array_equal(found.rows, np.arange(len(annotated.ids)))
    assert len(heard) == 5
    assert set.union(*heard) == set(annotated.ids.tolist())
    for i, row in enumerate(found.neighbors):
        others = set(annotated.ids[row].tolist())
        (taught_by,) = [one for one in heard if int(annotated.ids[i]) not in one]
        assert others <= taught_by  # those who taught are asked, as they will be for a new photo
    assert (np.diff(found.distances, axis=1) >= 0).all()
    few = neighbors_out_of_fold(replace(relearning, tagged=20), annotated, 7, 30, no_report)
    assert len(few.rows) == 30
    assert read_relearning(many, Ranker(many).gallery("euclidean").loaded, points) is None


def test_where_too_little_is_left_to_learn_from_looks_alone_decide(few: Library, album: Album) -> None:
    few.tags.change([number(few, album, f"warm/{i}.jpg") for i in range(4)], remove=["warm"])
    few.tags.change([number(few, album, f"cold/{i}.jpg") for i in range(2, 4)], remove=["cold"])
    finish(train(few, "tag-ratio"))  # two photos share the only tag
    report = finish(suggest(few, Ranker(few)))
    assert 0 < confidence(report, number(few, album, "cold/5.jpg"), "cold") < 0.9


def test_the_confidence_is_learned_from_photos_that_did_not_teach_the_metric(library: Library, album: Album) -> None:
    for i in range(60):
        album.draw(f"noise/{i}.jpg", kind="green", seed=i)
    finish(index(library, [album.folder]))
    rng = np.random.default_rng(0)
    for i in range(40):  # tags that have nothing to do with looks
        library.tags.change([number(library, album, f"noise/{i}.jpg")], [f"word{rng.integers(4)}"])
    finish(train(library, "tag-ratio-kernel"))
    report = finish(suggest(library, Ranker(library)))
    sure = [one.confidence for each in report.by_photo.values() for one in each]
    assert max(sure) < 0.6


def test_the_confidence_learns_from_rejections_of_untagged_photos(few: Library, album: Album) -> None:
    cold = number(few, album, "cold/5.jpg")
    before = confidence(finish(suggest(few, Ranker(few), [cold])), cold, "cold")
    few.suggestions.reject([(number(few, album, f"warm/{i}.jpg"), "warm") for i in (4, 5)])
    after = confidence(finish(suggest(few, Ranker(few), [cold])), cold, "cold")
    assert after < before - 0.05  # nobody rejected cold: sure suggestions have been wrong, that is all
