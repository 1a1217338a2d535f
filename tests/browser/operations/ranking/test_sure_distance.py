# SPDX-License-Identifier: MIT
"""The distance up to which a ranking is sure, from tags, judgements or shared neighbours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import RERANK
from focal_photos.browser.operations.ranking import sure_distance as module
from focal_photos.browser.operations.ranking.queries.query import Examples
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.sure_distance import Evidence, SureDistance, sure_distance
from focal_photos.learners.galleries.reciprocal import JACCARD
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album

SIMILAR, DIFFERENT = Verdict.SIMILAR, Verdict.DISSIMILAR


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an album of twelve photos count as enough evidence."""
    monkeypatch.setattr(module, "_LEAST_TAGGED", 4)
    monkeypatch.setattr(module, "_LEAST_PAIRS", 4)


def tag_all(library: Library) -> None:
    for photo in library.photos.get(library.photos.ids().tolist()):
        library.tags.change([photo.id], [photo.path.parent.name])


def test_shared_neighbours_give_the_distance_without_tags_and_judgements(indexed: Library) -> None:
    gallery = Ranker(indexed).gallery()
    found = sure_distance(indexed, gallery, rerank=True)
    assert found is not None
    assert (found.distance, found.evidence) == (JACCARD, Evidence.NEIGHBORS)
    assert sure_distance(indexed, gallery, rerank=False) is None, "a plain distance alone is no certainty"


@pytest.mark.parametrize("rerank", [True, False])
def test_tags_give_the_distance_that_classifies_most_pairs_correctly(indexed: Library, few: None, rerank: bool) -> None:
    tag_all(indexed)
    ranker = Ranker(indexed)
    gallery = ranker.gallery()
    found = sure_distance(indexed, gallery, rerank=rerank)
    assert found is not None
    assert found.evidence is Evidence.TAGS
    kinds = {photo.id: photo.path.parent for photo in indexed.photos.get(gallery.ids.tolist())}
    pairs = []
    for one in range(len(gallery.ids)):
        for other in range(len(gallery.ids)):
            if one != other:
                far = np.sqrt(gallery.gallery.squared_distances(np.array([one]), np.array([other])))[0, 0]
                if rerank:
                    far = 1 - gallery.similarities(np.array([one]), np.array([other]))[0, 0]
                pairs.append((float(far), kinds[int(gallery.ids[one])] == kinds[int(gallery.ids[other])]))

    def right(reach: float) -> int:
        return sum((far <= reach + 1e-6) == alike for far, alike in pairs)

    assert right(found.distance) == max(right(far) for far, _ in pairs)
    within = [alike for far, alike in pairs if far <= found.distance + 1e-6]
    assert found.within == pytest.approx(np.mean(within), abs=0.02)
    assert found.within is not None
    assert found.beyond is not None
    assert found.within > 0.5 > found.beyond


def test_the_distance_follows_tags_and_judgements(indexed: Library, album: Album, few: None) -> None:
    ranker = Ranker(indexed)

    def evidence() -> Evidence | None:
        found = sure_distance(indexed, ranker.gallery(), rerank=True)
        return None if found is None else found.evidence

    def reach() -> SureDistance | None:
        return sure_distance(indexed, ranker.gallery(), rerank=True)

    assert evidence() is Evidence.NEIGHBORS
    warm = [id_of(indexed, album.path(f"warm/{each}.jpg")) for each in range(4)]
    cold = [id_of(indexed, album.path(f"cold/{each}.jpg")) for each in range(4)]
    for focal in warm[:2]:
        indexed.judgements.set(focal, warm, SIMILAR)
        indexed.judgements.set(focal, cold, DIFFERENT)
    assert evidence() is Evidence.JUDGEMENTS
    before = reach()
    for focal in warm[:2]:  # as many as before, with opposite verdicts
        indexed.judgements.set(focal, cold, SIMILAR)
        indexed.judgements.set(focal, warm, DIFFERENT)
    assert reach() != before
    for _ in range(4):
        indexed.journal.undo()
    assert reach() == before
    tag_all(indexed)
    assert evidence() is Evidence.TAGS
    indexed.tags.change(indexed.photos.ids().tolist(), [], ["warm", "cold"])
    assert evidence() is Evidence.JUDGEMENTS


def test_tags_unrelated_to_looks_are_ignored(indexed: Library, few: None) -> None:
    for turn, photo_id in enumerate(np.random.default_rng(5).permutation(indexed.photos.ids()).tolist()):
        indexed.tags.change([photo_id], [f"tag {turn}"])
    found = sure_distance(indexed, Ranker(indexed).gallery(), rerank=True)
    assert found is not None
    assert found.evidence is Evidence.NEIGHBORS


def test_a_single_photo_of_another_kind_is_no_evidence(indexed: Library, few: None) -> None:
    tag_all(indexed)
    kinds = {photo.id: photo.path.parent.name for photo in indexed.photos.get(indexed.photos.ids().tolist())}
    others = [photo_id for photo_id, kind in kinds.items() if kind != "warm"]
    indexed.tags.change(others[1:], [], ["cold", "green"])

    def evidence() -> Evidence | None:
        found = sure_distance(indexed, Ranker(indexed).gallery(), rerank=True)
        return None if found is None else found.evidence

    assert evidence() is Evidence.NEIGHBORS
    for photo_id in others[1:6]:
        indexed.tags.change([photo_id], [kinds[photo_id]])
    assert evidence() is Evidence.TAGS


def test_a_large_library_waits_for_its_neighbourhoods(
    indexed: Library, few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag_all(indexed)
    monkeypatch.setattr(module, "MAX_RERANKED", 5)
    gallery = replace(Ranker(indexed).gallery())
    assert gallery.neighbors.of_all is None
    found = sure_distance(indexed, gallery, rerank=True)
    assert found is not None
    assert found.evidence is Evidence.NEIGHBORS


def test_the_sure_photos_of_a_ranking_are_counted(indexed: Library, album: Album, few: None) -> None:
    ranker = Ranker(indexed)
    focal = id_of(indexed, album.path("warm/0.jpg"))
    ranking = ranker.rank(focal)
    counted = ranker.count_sure(ranking)
    assert counted is not None
    assert counted[0] == np.count_nonzero(ranking.distances <= JACCARD)
    RERANK.set(indexed, False)
    assert ranker.count_sure(ranker.rank(focal)) is None
    tag_all(indexed)
    plain = ranker.rank(focal)
    counted = ranker.count_sure(plain)
    assert counted is not None
    assert 0 < counted[0] < len(plain.photo_ids)
    assert plain.distances[counted[0] - 1] <= counted[1].distance < plain.distances[counted[0]]
    reach = np.float32(counted[1].distance)
    at_it = replace(plain, distances=np.array([0, reach, reach, 2 * reach] + [3 * reach] * 7, np.float32))
    assert ranker.count_sure(at_it) == (3, counted[1]), "a photo at exactly this distance is within"


def test_rankings_by_judgements_and_examples_count_photos_nearer_to_the_similar_ones(
    indexed: Library, album: Album
) -> None:
    ranker = Ranker(indexed)
    warm = [id_of(indexed, album.path(f"warm/{each}.jpg")) for each in range(4)]
    cold = [id_of(indexed, album.path(f"cold/{each}.jpg")) for each in range(2)]
    indexed.judgements.set(warm[0], cold, DIFFERENT)
    ranking = ranker.rank(warm[0])
    counted = ranker.count_sure(ranking)
    assert counted is not None
    gallery = ranker.gallery()
    rows = gallery.rows_of(ranking.photo_ids)
    near = 1 - gallery.similarities(gallery.rows_of(np.array([warm[0]])), rows)[:, 0]
    far = 1 - gallery.similarities(gallery.rows_of(np.array(cold)), rows).max(axis=1)
    assert counted[0] == np.count_nonzero((near <= JACCARD) & (near < far))
    assert not set(cold) & set(ranking.photo_ids[: counted[0]].tolist())
    examples = ranker.rank(Examples(tuple(warm[:2]), (cold[0],)))
    counted = ranker.count_sure(examples)
    assert counted is not None
    assert examples.nearest is not None
    likes, unlikes = examples.nearest
    assert counted[0] == np.count_nonzero((likes <= JACCARD) & (likes < unlikes))


def test_equal_distances_are_on_the_same_side_of_the_line() -> None:
    """The order of pairs at equal distance has no effect."""
    far = np.repeat(np.array([0.1, 0.4, 0.9], np.float32), 50)
    alike = np.zeros(150, dtype=bool)
    alike[:50] = True
    alike[50:90] = True  # 40 of the 50 pairs at .4, the first ones
    for order in (np.arange(150), np.arange(150)[::-1]):
        found = module._split(far[order], alike[order], Evidence.TAGS)
        assert found is not None
        assert found.distance == pytest.approx(0.4)
        assert found.within == pytest.approx(0.9), "all pairs at 0.4 are within, similar or not"
        assert found.beyond == 0
    alike[50:] = False
    alike[50:70] = True  # 20 of 50: most are not alike
    for order in (np.arange(150), np.arange(150)[::-1]):
        found = module._split(far[order], alike[order], Evidence.TAGS)
        assert found is not None
        assert found.distance == pytest.approx(0.1)
        assert found.within == 1.0
