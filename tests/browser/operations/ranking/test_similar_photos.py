# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.query.syntax import QueryError
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.ranking import similar_photos
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.similar_photos import let_filter_rank
from tests.browser.operations.album import Album


def test_the_filter_finds_the_first_photos_of_the_ranking(
    indexed: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar_photos, "MAX_FOUND", 4)
    ranker = Ranker(indexed)
    photo = indexed.photos.by_path(album.path("warm/0.jpg"))
    assert photo is not None
    nearest = ranker.rank(photo.id, limit=3).photo_ids
    for given in (ranker, None):
        let_filter_rank(indexed, given)
        found = indexed.photos.ids("similar:warm/0.jpg")
        assert set(found.tolist()) == {photo.id, *nearest.tolist()}
        assert set(indexed.photos.ids("-similar:warm/0").tolist()).isdisjoint(found.tolist())
    indexed.metrics.set_current(1)
    assert len(indexed.photos.ids("similar:warm/0 or similar:cold/0")) == len(
        np.union1d(found, indexed.photos.ids("similar:cold/0"))
    )


def test_an_unusable_focal_image_is_reported_with_its_position(library: Library, album: Album) -> None:
    library.roots.add(album.folder)
    finish(scan(library))
    let_filter_rank(library)
    with pytest.raises(QueryError) as caught:
        library.photos.ids("x similar:warm/0.jpg")
    assert caught.value.position == 10
