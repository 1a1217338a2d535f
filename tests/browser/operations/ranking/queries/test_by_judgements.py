# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import BY_JUDGEMENTS
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.queries.by_judgements import judged_apart, nearest_by_judgements
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.relevance_feedback import DISSIMILAR, NOISE
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album
from tests.browser.operations.ranking.test_ranker import kinds

SIMILAR, DIFFERENT = Verdict.SIMILAR, Verdict.DISSIMILAR


def clouds(library: Library, n: int = 60) -> MetricGallery:
    """Return unit vectors in three clouds, in an order unrelated to their ids."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3, 8))[np.arange(n) % 3] + 0.6 * rng.normal(size=(n, 8))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return replace(Ranker(library).gallery(), ids=rng.permutation(n) + 100, rows=rows, gallery=FloatGallery(rows))


def expected(gallery: MetricGallery, focal: int, verdicts: dict[int, Verdict]) -> NDArray[np.float64]:
    """Return the relevance by the formula, from all similarities at once."""
    n = len(gallery.ids)
    K = build(gallery.gallery).similarities(gallery.gallery, np.arange(n)).astype(np.float64)
    judged = [focal, *(int(np.flatnonzero(gallery.ids == one)[0]) for one in verdicts)]
    alike = [True, *(verdict is SIMILAR for verdict in verdicts.values())]
    r = DISSIMILAR * min(1, sum(alike[1:]) / max(1, len(alike) - sum(alike)))
    targets = np.where(alike, 1, -r)
    within = K[np.ix_(judged, judged)] + NOISE * np.eye(len(judged))
    result: NDArray[np.float64] = 1 - K[:, judged] @ np.linalg.solve(within, targets)
    return result


def test_photos_without_judgement_are_ranked_by_relevance(indexed: Library) -> None:
    gallery = clouds(indexed)
    chosen = gallery.ids[[5, 8, 11, 40, 41, 52]].tolist()
    verdicts = dict(zip(chosen, [SIMILAR, SIMILAR, DIFFERENT, DIFFERENT, DIFFERENT, DIFFERENT], strict=True))
    ids, distances = nearest_by_judgements(gallery, 2, verdicts)
    slow = expected(gallery, 2, verdicts)
    order = np.argsort(slow, kind="stable")
    np.testing.assert_array_equal(ids, gallery.ids[order])
    np.testing.assert_allclose(distances, np.maximum(slow[order], 0), atol=1e-5)
    assert distances.dtype == np.float32


def test_equal_relevance_is_ordered_by_id(indexed: Library) -> None:
    gallery = clouds(indexed)
    rows = np.repeat(gallery.rows[:3], 20, axis=0)
    gallery = replace(gallery, rows=rows, gallery=FloatGallery(rows))
    ids, distances = nearest_by_judgements(gallery, 0, {int(gallery.ids[30]): DIFFERENT})
    for distance in np.unique(distances):
        assert (np.diff(ids[distances == distance]) > 0).all()


def test_the_most_similar_of_very_many_judgements_count(indexed: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.ranking.queries.by_judgements.MAX_JUDGED", 4)
    gallery = clouds(indexed)
    near = gallery.similarities(np.array([7]))[:, 0]
    rows = [row for row in range(60) if row != 7]
    closest = sorted(rows, key=lambda row: -near[row])[:4]
    verdicts = {int(gallery.ids[row]): SIMILAR if row % 3 == 1 else DIFFERENT for row in rows}
    ids, distances = nearest_by_judgements(gallery, 7, verdicts)
    few = {int(gallery.ids[row]): verdicts[int(gallery.ids[row])] for row in closest}
    for found, wanted in zip((ids, distances), nearest_by_judgements(gallery, 7, few), strict=True):
        np.testing.assert_array_equal(found, wanted)


@given(st.lists(st.tuples(st.floats(0, 2, width=32), st.sampled_from([None, *Verdict])), max_size=12))
def test_judged_photos_are_separate(given_photos: list[tuple[float, Verdict | None]]) -> None:
    distances = np.sort(np.array([distance for distance, _ in given_photos], dtype=np.float32))
    ids = np.arange(len(distances), dtype=np.int64)[::-1] + 7
    verdicts = {photo_id: verdict for photo_id, (_, verdict) in zip(ids.tolist(), given_photos, strict=True) if verdict}
    found, moved = judged_apart(ids, distances, verdicts)
    order = {SIMILAR: 0, None: 1, DIFFERENT: 2}
    wanted = sorted(ids.tolist(), key=lambda each: (order[verdicts.get(each)], -each))
    assert found.tolist() == wanted
    assert (np.diff(moved) >= 0).all()
    left = [photo_id not in verdicts for photo_id in found.tolist()]
    np.testing.assert_array_equal(moved[left], distances[[photo_id not in verdicts for photo_id in ids.tolist()]])


# ---------------------------------------------------------------- a library
def test_a_library_ranks_by_judgements_until_they_are_undone(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/0.jpg"))
    before = ranker.rank(focal)
    assert before.judgements == 0
    far, near = int(before.photo_ids[-1]), int(before.photo_ids[0])
    indexed.judgements.set(focal, [far], SIMILAR)
    indexed.judgements.set(focal, [near], DIFFERENT)
    after = ranker.rank(focal)
    assert after.judgements == 2
    assert (after.photo_ids[0], after.photo_ids[-1]) == (far, near)
    first = [kinds(indexed, ranking.photo_ids[:6]).count("cold") for ranking in (before, after)]
    assert first[0] == 1 < 4 <= first[1]
    assert sorted(after.photo_ids) == sorted(before.photo_ids)
    assert (np.diff(after.distances) >= 0).all()
    for ranking in (
        ranker.rank(focal, by_judgements=False),
        ranker.rank(id_of(indexed, album.path("warm/1.jpg"))),
        ranker.rank(album.path("warm/0.jpg").read_bytes()),
    ):
        assert ranking.judgements == 0
    np.testing.assert_array_equal(ranker.rank(focal, by_judgements=False).photo_ids, before.photo_ids)
    np.testing.assert_array_equal(ranker.rank(album.path("warm/0.jpg")).photo_ids, after.photo_ids)
    indexed.journal.undo()
    indexed.journal.undo()
    np.testing.assert_array_equal(ranker.rank(focal).photo_ids, before.photo_ids)


def test_a_ranking_may_override_the_setting(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("cold/3.jpg"))
    before = ranker.rank(focal).photo_ids
    indexed.judgements.set(focal, [before[-1]], SIMILAR)
    BY_JUDGEMENTS.set(indexed, False)
    np.testing.assert_array_equal(ranker.rank(focal).photo_ids, before)
    assert ranker.rank(focal, by_judgements=True).photo_ids[0] == before[-1]


def test_limits_and_filters_shorten_the_ranking(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/0.jpg"))
    before = ranker.rank(focal).photo_ids
    indexed.judgements.set(focal, before[[-1, -2]].tolist(), SIMILAR)
    indexed.judgements.set(focal, before[:2].tolist(), DIFFERENT)
    everything = ranker.rank(focal)
    for limit in (0, 1, 3, 10, 11, 50):
        few = ranker.rank(focal, limit=limit)
        np.testing.assert_array_equal(few.photo_ids, everything.photo_ids[:limit])
        np.testing.assert_array_equal(few.distances, everything.distances[:limit])
        assert few.total == everything.total == 11
    among = everything.photo_ids[[10, 0, 5, 6]]
    np.testing.assert_array_equal(ranker.rank(focal, among=among).photo_ids, everything.photo_ids[[0, 5, 6, 10]])
    for limit in (0, 1, 2, 3, 4, 5):
        few = ranker.rank(focal, among=among, limit=limit)
        np.testing.assert_array_equal(few.photo_ids, everything.photo_ids[[0, 5, 6, 10]][:limit])
        assert few.total == 4


def test_a_limit_gives_the_beginning_of_the_full_ranking_despite_ties(indexed: Library) -> None:
    gallery = clouds(indexed)
    rows = np.repeat(gallery.rows[:20], 3, axis=0)
    ids = np.random.default_rng(1).permutation(60).astype(np.int64) + 1
    gallery = replace(gallery, ids=ids, rows=rows, gallery=FloatGallery(rows))
    verdicts = {int(ids[9]): SIMILAR, int(ids[31]): DIFFERENT}
    everything, distances = nearest_by_judgements(gallery, 0, verdicts)
    allowed = np.arange(60) % 4 != 1
    for count in (0, 1, 2, 5, 17, 58, 60):
        for mask in (None, allowed):
            kept = np.ones(60, bool) if mask is None else mask[gallery.rows_of(everything)]
            judged = np.isin(everything, list(verdicts))
            kept &= judged | (np.cumsum(kept & ~judged) <= count)
            found = nearest_by_judgements(gallery, 0, verdicts, count, allowed=mask)
            np.testing.assert_array_equal(found[0], everything[kept])
            np.testing.assert_array_equal(found[1], distances[kept])


def test_judged_photos_without_description_have_no_effect(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/0.jpg"))
    before = ranker.rank(focal)
    album.path("broken.jpg").write_bytes(b"no photo")
    finish(index(indexed, backend="threads", workers=1))
    indexed.judgements.set(focal, [id_of(indexed, album.path("broken.jpg"))], SIMILAR)
    after = ranker.rank(focal)
    assert after.judgements == 0
    np.testing.assert_array_equal(after.distances, before.distances)


def test_judgements_of_an_edited_focal_image_leave_the_other_photos_in_order(indexed: Library, album: Album) -> None:
    path = album.draw("warm/0.jpg", kind="cold", seed=99)
    ranker, focal = Ranker(indexed), id_of(indexed, path)
    before = ranker.rank(path)
    assert before.focal_id == focal
    last, first = int(before.photo_ids[-1]), int(before.photo_ids[0])
    indexed.judgements.set(focal, [last], SIMILAR)
    indexed.judgements.set(focal, [first], DIFFERENT)
    after = ranker.rank(path)
    assert after.photo_ids.tolist() == [last, *before.photo_ids[1:-1].tolist(), first]
    assert (np.diff(after.distances) >= 0).all()


def test_judgements_count_in_addition_to_a_metric_trained_on_them(indexed: Library, album: Album) -> None:
    ranker = Ranker(indexed)
    for i in range(4):
        focal = id_of(indexed, album.path(f"warm/{i}.jpg"))
        indexed.judgements.set(focal, [id_of(indexed, album.path(f"cold/{i}.jpg"))], SIMILAR)
        indexed.judgements.set(focal, [id_of(indexed, album.path(f"warm/{i + 1}.jpg"))], DIFFERENT)
    for learner in ("kernel", "oasis", "bdm"):
        finish(train(indexed, learner))
        focal = id_of(indexed, album.path("warm/0.jpg"))
        ranking = ranker.rank(focal)
        assert ranking.judgements == 2
        assert ranking.photo_ids[0] == id_of(indexed, album.path("cold/0.jpg"))
        assert ranking.photo_ids[-1] == id_of(indexed, album.path("warm/1.jpg"))
        assert np.isfinite(ranking.distances).all()
