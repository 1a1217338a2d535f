# SPDX-License-Identifier: MIT
"""Rankings by several examples: photos like these and not like those."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking import ranker as ranker_module
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.queries.by_examples import nearest_by_examples
from focal_photos.browser.operations.ranking.queries.query import Examples
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.relevance_feedback import DISSIMILAR, NOISE
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album
from tests.browser.operations.ranking.queries.test_by_judgements import clouds
from tests.browser.operations.ranking.test_ranker import kinds

SIMILAR, DIFFERENT = Verdict.SIMILAR, Verdict.DISSIMILAR


def similarities(gallery: MetricGallery) -> NDArray[np.float64]:
    n = len(gallery.ids)
    return build(gallery.gallery).similarities(gallery.gallery, np.arange(n)).astype(np.float64)


def by_formula(K: NDArray[np.float64], like: list[int], unlike: list[int]) -> NDArray[np.float64]:
    against = DISSIMILAR * min(1, (len(like) - 1) / len(unlike)) if unlike else 0
    targets = np.array([1.0] * len(like) + [-against] * len(unlike))
    known = [*like, *unlike]
    result: NDArray[np.float64] = 1 - K[:, known] @ np.linalg.solve(
        K[np.ix_(known, known)] + NOISE * np.eye(len(known)), targets
    )
    return result


@pytest.mark.parametrize(("like", "unlike"), [([3], []), ([3, 9, 30], []), ([3, 9, 30], [4, 8]), ([3], [4, 8])])
def test_photos_are_ranked_by_the_formula(indexed: Library, like: list[int], unlike: list[int]) -> None:
    gallery = clouds(indexed)
    K = similarities(gallery)
    found = nearest_by_examples(gallery, like, unlike)
    slow = by_formula(K, like, unlike)
    np.testing.assert_array_equal(found.ids, gallery.ids[np.argsort(slow, kind="stable")])
    np.testing.assert_allclose(found.distances, np.maximum(np.sort(slow), 0), atol=1e-5)
    rows = gallery.rows_of(found.ids)
    np.testing.assert_allclose(found.likes, 1 - K[:, like].max(axis=1)[rows], atol=1e-5)
    expected = 1 - K[:, unlike].max(axis=1)[rows] if unlike else np.full(len(rows), np.inf)
    np.testing.assert_allclose(found.unlikes, expected, atol=1e-5)


def test_an_outside_image_equal_to_a_photo_counts_as_the_photo(indexed: Library) -> None:
    gallery = clouds(indexed)
    inside = nearest_by_examples(gallery, [3, 9, 30], [4, 8])
    rows = gallery.rows
    for like, unlike in (
        ([rows[3], 9, 30], [4, 8]),
        ([3, rows[9], rows[30]], [4, rows[8]]),
        ([rows[3], rows[9], rows[30]], [rows[4], rows[8]]),
    ):
        found = nearest_by_examples(gallery, like, unlike)
        np.testing.assert_allclose(found.distances, inside.distances, atol=1e-4)
        assert np.isin(found.ids[:20], inside.ids[:22]).all()


def test_the_distances_of_some_photos_equal_those_in_the_full_ranking(indexed: Library) -> None:
    gallery = clouds(indexed)
    everything = nearest_by_examples(gallery, [3, 9], [4])
    allowed = np.arange(len(gallery.ids)) % 2 == 0
    some = nearest_by_examples(gallery, [3, 9], [4], allowed=allowed)
    kept = np.isin(everything.ids, gallery.ids[allowed])
    for name in ("ids", "distances", "likes", "unlikes"):
        np.testing.assert_array_equal(getattr(some, name), getattr(everything, name)[kept])


def test_at_least_one_positive_example_is_needed() -> None:
    with pytest.raises(ValueError, match="no example"):
        Examples((), (1,))


def test_examples_of_one_kind_rank_the_kind_first(indexed: Library, album: Album) -> None:
    ranker = Ranker(indexed)
    warm = [id_of(indexed, album.path(f"warm/{each}.jpg")) for each in range(4)]
    one, three = ranker.rank(warm[0]), ranker.rank(Examples(tuple(warm[:3])))
    assert three.focal_id is None
    assert three.total == one.total - 2 == len(three.photo_ids)
    assert not set(warm[:3]) & set(three.photo_ids.tolist())
    rest = sum(kind == "warm" for kind in kinds(indexed, three.photo_ids))
    assert set(kinds(indexed, three.photo_ids[:rest])) == {"warm"}
    limited = ranker.rank(Examples(tuple(warm[:3])), limit=2)
    np.testing.assert_array_equal(limited.photo_ids, three.photo_ids[:2])
    assert limited.total == three.total


def test_files_are_examples_too(indexed: Library, album: Album, tmp_path: Path) -> None:
    ranker = Ranker(indexed)
    inside = [id_of(indexed, album.path(f"warm/{each}.jpg")) for each in (0, 1)]
    copies = tuple(album.folder / f"warm/{each}.jpg" for each in (0, 1))
    by_ids, by_files = ranker.rank(Examples(tuple(inside))), ranker.rank(Examples(copies))
    np.testing.assert_array_equal(by_ids.photo_ids, by_files.photo_ids)
    new = Album(tmp_path / "elsewhere").draw("new.jpg", kind="warm", seed=99)
    mixed = ranker.rank(Examples((inside[0], new, new.read_bytes()), (id_of(indexed, album.path("cold/0.jpg")),)))
    assert set(kinds(indexed, mixed.photo_ids[:3])) == {"warm"}
    assert inside[0] not in mixed.photo_ids
    with pytest.raises(OperationError, match="cannot be used as focal image"):
        ranker.rank(Examples((inside[0], tmp_path / "nothing.jpg")))


def test_judgements_against_any_of_the_examples_count(indexed: Library, album: Album) -> None:
    ranker = Ranker(indexed)
    warm = tuple(id_of(indexed, album.path(f"warm/{each}.jpg")) for each in range(3))
    cold = [id_of(indexed, album.path(f"cold/{each}.jpg")) for each in range(3)]
    indexed.judgements.set(warm[0], [cold[0]], SIMILAR)
    indexed.judgements.set(warm[1], [warm[0], cold[1]], DIFFERENT)
    indexed.judgements.set(warm[0], [cold[2]], SIMILAR)
    indexed.judgements.set(warm[1], [cold[2]], DIFFERENT)
    ranking = ranker.rank(Examples(warm[:2]))
    assert ranking.judgements == 2, "cold 2 is both, and examples are not judged against each other"
    assert ranking.photo_ids[0] == cold[0]
    assert ranking.photo_ids[-1] == cold[1]
    assert (np.diff(ranking.distances) >= 0).all()
    assert ranking.nearest is not None
    likes, unlikes = ranking.nearest
    assert likes[0] == pytest.approx(0, abs=1e-5)
    assert unlikes[-1] == pytest.approx(0, abs=1e-5)
    plain = ranker.rank(Examples(warm[:2]), by_judgements=False)
    assert plain.judgements == 0
    assert plain.photo_ids[0] not in cold


def test_too_many_examples_are_refused(indexed: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranker_module, "MOST_EXAMPLES", 3)
    ids = tuple(indexed.photos.ids()[:4].tolist())
    with pytest.raises(OperationError, match="At most 3 examples"):
        Ranker(indexed).rank(Examples(ids))
