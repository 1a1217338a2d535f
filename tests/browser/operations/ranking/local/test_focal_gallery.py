# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.local.focal_gallery import focal_image_gallery
from focal_photos.browser.operations.ranking.local.focal_image import focal_image
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.ranking.local.patches import patches_of, with_patches
from focal_photos.browser.operations.training.train import train
from tests.browser.copies import opened_copy
from tests.browser.operations import local_album
from tests.browser.operations.album import Album, pixels
from tests.browser.operations.local_album import number


def test_the_gallery_is_cached_until_patches_or_photos_change(patched_folder: Path, tmp_path: Path) -> None:
    with opened_copy(patched_folder, tmp_path / "copy") as library:
        album = Album(tmp_path / "more")
        path = album.draw("green.jpg", kind="green", seed=1)
        finish(index(library, [album.folder], backend="threads", workers=1))
        edited = number(library, "green.jpg")
        library.tags.change([edited], ["cold"])
        finish(train(library, LOCAL))
        local = local_metric(library, library.metrics.by_name(LOCAL))
        ids = with_patches(library, local.keys)
        before = focal_image_gallery(library, local, ids)
        assert edited in before.ids
        assert focal_image_gallery(library, local, ids[::-1]) is before
        assert edited not in focal_image_gallery(library, local, np.setdiff1d(ids, [edited])).ids
        assert edited in focal_image_gallery(library, local, ids).ids
        Image.fromarray(pixels("cold", 4, (64, 96))).save(path)
        finish(index(library, backend="threads", workers=1))
        np.testing.assert_array_equal(with_patches(library, local.keys), ids)
        # Its fit refers to patches that no longer exist.
        assert edited not in focal_image_gallery(library, local, ids).ids
        # After a query it is fitted again, and its current vote counts.
        (photo,) = library.photos.get([edited])
        own, model = focal_image(library, local, photo)
        after = focal_image_gallery(library, local, ids)
        assert edited in after.ids
        assert after.models[edited].digest == model.digest != before.models[edited].digest
        near = after.exponents(own)[after.ids == edited]
        np.testing.assert_allclose(near, model.offset, atol=1e-4)  # it is at distance 0 from itself


def test_excluded_focal_images_vote_for_nothing(trained_folder: Path, tmp_path: Path) -> None:
    with opened_copy(trained_folder, tmp_path / "copy") as library:
        local = local_metric(library, library.metrics.by_name(LOCAL))
        learned = focal_image_gallery(library, local, library.photos.ids("tagged"))
        own = patches_of(library, local.keys, library.photos.get([number(library, local_album.UNTAGGED[0])])[0])
        every = learned.exponents(own)
        among = np.arange(len(learned.ids)) % 3 == 1
        found = learned.exponents(own, among)
        np.testing.assert_allclose(found[among], every[among], rtol=1e-6)
        assert np.isposinf(found[~among]).all()
        assert (learned.probabilities(found)[~among] < 1e-200).all()
        assert np.isposinf(learned.exponents(own, np.zeros(len(among), bool))).all()
