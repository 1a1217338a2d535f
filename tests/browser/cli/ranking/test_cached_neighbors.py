# SPDX-License-Identifier: MIT
"""Rankings of a library too large to compute all neighbourhoods at once; here, six photos or more."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from tests.browser.cli.command_line import Focal


def test_rank_uses_neighbours_cached_by_a_window_and_reports_a_shortened_search(
    indexed: Focal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("gallery", "neighbors"):
        monkeypatch.setattr(f"focal_photos.browser.operations.ranking.galleries.{room}.MAX_RERANKED", 6)
    photo = indexed.lines("list")[0]["path"]
    indexed("rank", photo)
    assert "may show another order" in indexed.err
    with Library.open(indexed.library) as library:
        ranker = Ranker(library)
        finish(ranker.find_neighbors())
        found = library.photos.by_path(library.photos.paths(library.photos.ids())[0])
        assert found is not None
        ranking = ranker.rank(found.id)
        paths = [str(path) for path in library.photos.paths(ranking.photo_ids)]
    results = indexed.json("rank", str(found.path))["results"]
    assert "may show another order" not in indexed.err
    assert [one["path"] for one in results] == paths
    assert [one["distance"] for one in results] == ranking.distances.tolist()
