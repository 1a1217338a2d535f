# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import FoundFile, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker, Ranking
from focal_photos.browser.operations.training import online_update as following
from focal_photos.browser.operations.training.online_update import follow, follows
from focal_photos.browser.operations.training.train import train
from tests.browser.operations.album import Album

MOVING = ["kernel", "oasis", "omdl-lr", "omdl"]


def trained(library: Library, learner: str) -> Ranker:
    """Train on tags that contradict the judgements of `contradict`."""
    for kind in ("warm", "cold"):
        library.tags.change(library.photos.ids(f"path:{kind}"), [kind])
    finish(train(library, learner))
    return Ranker(library)


def contradict(library: Library) -> int:
    """Judge a few photos of the other kind similar, and return the focal image."""
    warm, cold = (library.photos.ids(f"path:{kind}").tolist() for kind in ("warm", "cold"))
    library.judgements.set(warm[0], cold[:3], Verdict.SIMILAR)
    library.judgements.set(warm[0], warm[1:4], Verdict.DISSIMILAR)
    return int(warm[0])


@pytest.mark.parametrize("learner", MOVING)
def test_a_judgement_changes_the_ranking_and_its_removal_restores_it(learner: str, indexed: Library) -> None:
    ranker = trained(indexed, learner)
    focal = int(indexed.photos.ids("path:warm")[0])
    before = ranker.rank(focal)
    metric = indexed.metrics.current()
    path = indexed.metrics.path(metric)
    assert path is not None
    content = path.read_bytes()
    assert not finish(follow(indexed, ranker)), "no judgement yet"

    contradict(indexed)
    assert finish(follow(indexed, ranker))
    after = ranker.rank(focal)
    assert after.metric == before.metric == metric
    assert not np.array_equal(after.distances, before.distances)
    similar, dissimilar = indexed.photos.ids("path:cold")[:3], indexed.photos.ids("path:warm")[1:4]

    def gap(ranking: Ranking) -> float:
        """Return by how much the photos judged dissimilar are farther than those judged similar."""
        near, far = (
            ranking.distances[np.isin(ranking.photo_ids, ids)].mean() / ranking.distances.mean()
            for ids in (dissimilar, similar)
        )
        return float(far - near)

    assert gap(after) < gap(before)
    assert not finish(follow(indexed, ranker)), "the same judgements move the metric once"
    assert path.read_bytes() == content
    np.testing.assert_array_equal(
        ranker.gallery(as_trained=True).rows, Ranker(indexed).gallery().rows, "as trained it stays"
    )

    indexed.journal.undo()
    indexed.journal.undo()
    assert finish(follow(indexed, ranker))
    again = ranker.rank(focal)
    np.testing.assert_array_equal(again.photo_ids, before.photo_ids)
    np.testing.assert_array_equal(again.distances, before.distances)
    assert not finish(follow(indexed, ranker))


@pytest.mark.parametrize("learner", ["kernel", "omdl-lr"])
def test_a_relative_judgement_moves_the_metric_too(learner: str, indexed: Library) -> None:
    ranker = trained(indexed, learner)
    (focal, far, *_), (near, *_) = (indexed.photos.ids(f"path:{kind}").tolist() for kind in ("warm", "cold"))
    before = ranker.rank(focal)

    def quotient(ranking: Ranking) -> float:
        one, other = (float(ranking.distances[ranking.photo_ids == photo][0]) for photo in (near, far))
        return one / other

    indexed.judged_relations.set([(focal, near, None)], holds=True)
    assert not finish(follow(indexed, ranker)), "looks do not move it"
    indexed.judged_relations.set([(focal, near, far)], holds=True)
    assert finish(follow(indexed, ranker))
    assert quotient(ranker.rank(focal)) < quotient(before)
    indexed.journal.undo()
    assert finish(follow(indexed, ranker))
    np.testing.assert_array_equal(ranker.rank(focal).distances, before.distances)


def test_a_judgement_of_a_photo_without_description_waits(indexed: Library) -> None:
    ranker = trained(indexed, "kernel")
    (root, *_) = indexed.roots.all()
    before = set(indexed.photos.ids().tolist())
    indexed.files.record([FoundFile(root.id, b"not looked at yet.jpg", 100, 1, "0" * 32)])
    (other,) = set(indexed.photos.ids().tolist()) - before
    focal, known = indexed.photos.ids("path:warm").tolist()[:2]
    indexed.judgements.set(focal, [other], Verdict.SIMILAR)
    assert not finish(follow(indexed, ranker))
    indexed.judgements.set(focal, [known], Verdict.DISSIMILAR)
    assert finish(follow(indexed, ranker))
    assert other not in ranker.rank(focal).photo_ids


def test_judgements_one_by_one_give_the_same_as_all_at_once(indexed: Library) -> None:
    step_by_step = trained(indexed, "omdl-lr")
    warm, cold = (indexed.photos.ids(f"path:{kind}").tolist() for kind in ("warm", "cold"))
    for other in cold[:3]:
        indexed.judgements.set(warm[0], [other], Verdict.SIMILAR)
        assert finish(follow(indexed, step_by_step))
    at_once = Ranker(indexed)
    assert finish(follow(indexed, at_once))
    np.testing.assert_array_equal(step_by_step.rank(warm[0]).distances, at_once.rank(warm[0]).distances)


@pytest.mark.parametrize("learner", ["kernel-stepwise", "rca"])
def test_other_learners_wait_for_the_next_training(learner: str, indexed: Library) -> None:
    ranker = trained(indexed, learner)
    assert not follows(indexed.metrics.current())
    focal = contradict(indexed)
    before = ranker.rank(focal)
    assert not finish(follow(indexed, ranker))
    np.testing.assert_array_equal(ranker.rank(focal).distances, before.distances)


def test_the_euclidean_metric_does_not_change(indexed: Library) -> None:
    contradict(indexed)
    assert not follows(indexed.metrics.current())
    assert not finish(follow(indexed, Ranker(indexed)))


def test_training_again_discards_the_updates_and_other_metrics_stay(indexed: Library) -> None:
    ranker = trained(indexed, "oasis")
    focal = contradict(indexed)
    assert finish(follow(indexed, ranker))
    np.testing.assert_array_equal(
        ranker.rank(focal, "euclidean").distances, Ranker(indexed).rank(focal, "euclidean").distances
    )
    finish(train(indexed, "oasis"))
    assert not finish(follow(indexed, ranker)), "all judgements are learned"
    np.testing.assert_array_equal(ranker.rank(focal).distances, Ranker(indexed).rank(focal).distances)


def test_photos_added_later_are_ranked_by_the_trained_metric_until_the_next_update(
    indexed: Library, album: Album
) -> None:
    ranker = trained(indexed, "omdl-lr")
    focal = contradict(indexed)
    assert finish(follow(indexed, ranker))
    moved = ranker.rank(focal)
    album.draw("warm/later.jpg", kind="warm", seed=77)
    finish(index(indexed, backend="threads", workers=1))
    assert len(ranker.rank(focal).photo_ids) == len(moved.photo_ids) + 1
    assert finish(follow(indexed, ranker))
    assert len(ranker.rank(focal).photo_ids) == len(moved.photo_ids) + 1
    kept = np.isin(ranker.rank(focal).photo_ids, moved.photo_ids)
    np.testing.assert_allclose(ranker.rank(focal).distances[kept].max(), moved.distances.max(), rtol=0.5)


def test_a_large_library_keeps_the_trained_metric(indexed: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    ranker = trained(indexed, "oasis")
    contradict(indexed)
    monkeypatch.setattr(following, "MAX_PHOTOS", 5)
    assert not finish(follow(indexed, ranker))


def test_cancelling_leaves_the_ranking_unchanged(indexed: Library) -> None:
    ranker = trained(indexed, "oasis")
    focal = contradict(indexed)
    before = ranker.rank(focal)
    job = follow(indexed, ranker)
    next(job)
    next(job)
    job.close()
    np.testing.assert_array_equal(ranker.rank(focal).distances, before.distances)


def test_a_judgement_made_at_the_time_of_training_counts_as_trained(indexed: Library) -> None:
    ranker = trained(indexed, "oasis")
    contradict(indexed)
    at = "(SELECT at FROM metric ORDER BY id DESC LIMIT 1)"
    with indexed.database.transaction() as connection:
        connection.execute(f"UPDATE judgement SET at = {at}")
    assert not finish(follow(indexed, ranker)), "the judgement would count twice"
