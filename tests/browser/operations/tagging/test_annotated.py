# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated


def test_tags_and_rejections_are_read_by_photo(indexed: Library) -> None:
    gallery = Ranker(indexed).gallery()
    one, two, three, four, five = indexed.photos.ids()[:5].tolist()
    indexed.tags.change([one, two], ["warm"])
    indexed.tags.change([two], ["sea"])
    rejected = {
        (one, "warm"),  # given later: the tag counts
        (one, "sea"),
        (three, "warm"),
        (four, "never given"),  # concerns no existing tag
        (99_999, "warm"),
    }
    found = read_annotated(indexed, gallery, rejected)
    assert found.names == ["sea", "warm"]
    assert five not in found.ids
    by_id = {
        photo_id: (tags, against)
        for photo_id, tags, against in zip(
            found.ids.tolist(), found.tags.toarray().tolist(), found.rejected.toarray().tolist(), strict=True
        )
    }
    assert by_id == {one: ([0, 1], [1, 0]), two: ([1, 1], [0, 0]), three: ([0, 0], [0, 1])}
    np.testing.assert_array_equal(gallery.ids[found.places], found.ids)
    assert sorted(found.ids[found.tagged].tolist()) == sorted([one, two])
    assert found.digest() != read_annotated(indexed, gallery, {(one, "sea")}).digest()
    assert found.digest() == read_annotated(indexed, gallery, rejected).digest()


def test_a_library_without_tags_gives_no_training_data(indexed: Library) -> None:
    gallery = Ranker(indexed).gallery()
    with pytest.raises(NothingToLearnError, match="tag a few photos first"):
        read_annotated(indexed, gallery, {(indexed.photos.ids()[0].item(), "warm")})
