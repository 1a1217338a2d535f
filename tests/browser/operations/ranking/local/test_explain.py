# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.local.explain import focal_patches, patch_matches, working_size
from focal_photos.browser.operations.ranking.local.learner import KINDS, LOCAL
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.ranking.local.patches import patches_of
from focal_photos.browser.operations.ranking.ranker import Ranker
from tests.browser.copies import opened_copy
from tests.browser.operations import local_album
from tests.browser.operations.local_album import number


@pytest.fixture(scope="module")
def library(trained_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with opened_copy(trained_folder, tmp_path_factory.mktemp("local") / "copy") as opened:
        yield opened


def test_weights_are_at_the_positions_of_the_patches(library: Library) -> None:
    focal = number(library, "warm/2.jpg")
    found = focal_patches(library, LOCAL, focal)
    local = local_metric(library, library.metrics.by_name(LOCAL))
    (photo,) = library.photos.get([focal])
    patches = patches_of(library, local.keys, photo)
    assert (found.photo_id, found.kinds) == (focal, KINDS)
    assert len(found.points) == len(found.weights) == len(found.kind) == len(found.radii) == len(patches)
    assert found.points.dtype == found.weights.dtype == found.radii.dtype == np.float32
    assert found.weights.sum() == pytest.approx(1, abs=1e-5)
    assert (found.weights >= 0).all()
    assert np.ptp(found.weights) > 0
    assert working_size(photo) == (96, 64)
    np.testing.assert_allclose(found.points * (96, 64) - 0.5, np.concatenate(patches.points), atol=0.02)
    assert (found.points > 0).all()
    assert (found.points < 1).all()
    # 70 and 42 pixels, and half of 17, of the 96 pixels of the longer side.
    np.testing.assert_allclose([found.radii[found.kind == k][0] for k in range(3)], np.array([70, 42, 8.5]) / 96)
    model = local.focal_image(library, focal, patches.fingerprint())
    assert model is not None
    np.testing.assert_allclose(found.weights, model.weights / model.weights.sum(), rtol=1e-5)


def test_an_untrained_photo_gives_all_patches_the_same_weight(library: Library) -> None:
    found = focal_patches(library, LOCAL, number(library, local_album.UNTAGGED[0]))
    assert np.ptp(found.weights) == 0


def test_the_best_patches_are_nearer_than_usual(library: Library) -> None:
    focal = number(library, "warm/2.jpg")
    other = int(Ranker(library).rank(focal, LOCAL).photo_ids[0])
    found = patch_matches(library, LOCAL, focal, other, count=5)
    assert found.focal.shape == found.other.shape == (5, 2)
    assert (np.diff(found.share) <= 0).all()
    assert (found.share > 0).all()
    everything = patch_matches(library, LOCAL, focal, other, count=5000)
    assert everything.share.sum() == pytest.approx(1, abs=1e-4)
    np.testing.assert_array_equal(everything.focal[:5], found.focal)
    # Compute the first pair again.
    local = local_metric(library, library.metrics.by_name(LOCAL))
    own, there = (patches_of(library, local.keys, photo) for photo in library.photos.get([focal, other]))
    kind = int(found.kind[0])
    size = np.array([96, 64])
    row = int(np.abs(own.points[kind] - (found.focal[0] * size - 0.5)).sum(axis=1).argmin())
    away = np.square(there.vectors[kind].astype(float) - own.vectors[kind][row].astype(float)).sum(axis=1)
    np.testing.assert_allclose(there.points[kind][away.argmin()], found.other[0] * size - 0.5, atol=0.02)


def test_a_photo_of_another_kind_has_fewer_matching_patches(library: Library) -> None:
    focal = number(library, "cold/1.jpg")
    ranking = Ranker(library).rank(focal, LOCAL)
    near, far = (
        len(patch_matches(library, LOCAL, focal, int(i), count=5000).share) for i in ranking.photo_ids[[0, -1]]
    )
    assert far < near


def test_an_explanation_that_is_impossible_gives_the_reason(library: Library) -> None:
    focal, lost = number(library, "warm/0.jpg"), number(library, "cold/4.jpg")
    with pytest.raises(OperationError, match="euclidean has no local distances"):
        focal_patches(library, "euclidean", focal)
    library.patches.forget([lost])
    with pytest.raises(OperationError, match="not computed yet"):
        focal_patches(library, LOCAL, lost)
    with pytest.raises(OperationError, match="not computed yet"):
        patch_matches(library, LOCAL, focal, lost)
