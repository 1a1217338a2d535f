"""What descriptors are fitted to; what they learn is in `test_learned_descriptors`."""

from __future__ import annotations

import numpy as np

from browser.operations.describing.fit_descriptors import source_rows
from browser.operations.workers.photo_tasks import PhotoTask, describe_photo
from features.description import DescriptionPlan
from tests.browser.operations.album import Album
from tests.browser.operations.strange import Diagonal, Strange


def test_rows_to_learn_from_come_in_order_and_failures_give_none(album: Album) -> None:
    paths = album.draw_many(25)
    album.path("text.jpg").write_text("no photo")
    photos = list(enumerate([*paths[:10], album.path("text.jpg"), *paths[10:]], start=100))
    sources = (Strange(), Diagonal(9))
    names = ("strange", "diagonal")
    rows = list(source_rows(photos, DescriptionPlan(sources, thumbnail_side=None), workers=2))
    assert len(rows) == 25
    for path, found in zip(paths, rows, strict=True):
        here = describe_photo(PhotoTask(0, path, names), DescriptionPlan(sources)).description
        assert here is not None
        assert list(found) == [str(source.key) for source in sources]
        np.testing.assert_array_equal(found[str(sources[0].key)], here.vectors["strange"][None], strict=True)
        np.testing.assert_array_equal(found[str(sources[1].key)], here.patches["diagonal"].vectors, strict=True)
