# SPDX-License-Identifier: MIT
"""Searches by a region under local distances: the patches in the region rank the first photos, too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.local.rank_region import rank_region_locally
from focal_photos.browser.operations.ranking.queries.by_region import prepare_regions
from focal_photos.browser.operations.ranking.queries.query import RegionQuery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.learners.core.measures import average_precision
from tests.browser.operations.local_album import number
from tests.browser.operations.ranking.local.test_region import LEFT, RIGHT, made  # noqa: F401 - a fixture


@pytest.fixture(scope="module")
def folder(made: Path) -> Path:  # noqa: F811
    with Library.open(made) as library:
        prepare_regions(library)
        finish(index(library, backend="threads", workers=1))
    return made


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    with Library.open(folder) as opened:
        yield opened
        while opened.metrics.current().learner != LOCAL:
            opened.journal.undo()


def _first(library: Library, ids: np.ndarray) -> list[str]:
    return [path.parent.name for path in library.photos.paths(ids[:6])]


def test_patches_in_the_region_improve_the_order_of_the_windows(library: Library) -> None:
    focal = number(library, "both.png")
    ids = library.photos.ids()
    ids = ids[ids != focal]
    metric, rng = library.metrics.by_name(LOCAL), np.random.default_rng(0)
    for region, wanted in ((LEFT, "disc"), (RIGHT, "cross")):
        holds = {photo: path.parent.name == wanted for photo, path in zip(ids, library.photos.paths(ids), strict=True)}
        before, after = [], []
        for _ in range(8):
            order = rng.permutation(ids)
            distances = np.linspace(0.4, 0.6, len(ids)).astype(np.float32)
            found, new = rank_region_locally(library, metric, focal, region, order, distances)
            assert sorted(found.tolist()) == sorted(ids.tolist())
            assert (np.diff(new) >= 0).all()
            assert new[0] >= 0
            assert new.mean() == pytest.approx(0.5, abs=0.01), "the scale of the distances stays"
            before.append(average_precision([np.array([holds[photo] for photo in order])]))
            after.append(average_precision([np.array([holds[photo] for photo in found])]))
        assert np.mean(after) > np.mean(before) + 0.08


def test_a_ranking_by_a_region_uses_patches_under_local_distances(library: Library) -> None:
    focal = number(library, "both.png")
    query, ranker = RegionQuery(focal, LEFT), Ranker(library)
    local = ranker.rank(query)
    assert (local.metric.name, local.provisional, local.why_cosine) == ("local-1", False, "")
    assert _first(library, local.photo_ids) == ["disc"] * 6
    plain = ranker.rank(query, "euclidean")
    assert plain.metric.name == "euclidean"
    assert sorted(local.photo_ids.tolist()) == sorted(plain.photo_ids.tolist())
    assert not np.array_equal(local.distances, plain.distances)
    assert local.windows is not None
    assert plain.windows is not None
    windows = dict(zip(plain.photo_ids.tolist(), plain.windows.tolist(), strict=True))
    assert [windows[photo] for photo in local.photo_ids.tolist()] == local.windows.tolist(), "each keeps its window"


def test_without_patches_the_order_of_the_windows_stays(library: Library) -> None:
    focal = number(library, "both.png")
    metric, ids = library.metrics.by_name(LOCAL), library.photos.ids()[:5]
    ids = ids[ids != focal]
    distances = np.linspace(0.1, 0.5, len(ids)).astype(np.float32)
    corner = Region(0.0, 0.0, 0.01, 0.01)  # without edges
    for region, few in ((corner, len(ids)), (LEFT, 1)):
        found, same = rank_region_locally(library, metric, focal, region, ids[:few], distances[:few])
        np.testing.assert_array_equal(found, ids[:few])
        np.testing.assert_array_equal(same, distances[:few])


def test_an_image_from_elsewhere_is_ranked_by_windows_and_the_reason_is_given(library: Library, tmp_path: Path) -> None:
    (source,) = library.photos.paths([number(library, "disc/0.png")])
    image = tmp_path / "other.png"
    image.write_bytes(source.read_bytes() + b"more")
    ranking = Ranker(library).rank(RegionQuery(image, LEFT))
    assert ranking.metric.name == "euclidean"
    assert str(ranking.why_cosine).endswith("does not rank parts of photos: the image is not in the library.")
