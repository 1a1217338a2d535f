# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.local.local_distances import FocalImage, FocalImages, LocalDistances
from focal_photos.learners.persistence import load, save

LABELS = np.repeat([0, 1], 5)
IDS = np.array([3, 5, 8, 13, 21, 34, 55, 89, 144, 233])


def distances(row: int) -> np.ndarray:
    """Return elementary distances (10, 4), of which the first two separate the classes."""
    rng = np.random.default_rng(row)
    D = rng.random((10, 4))
    D[:, :2] += 2 * (LABELS[row] != LABELS)[:, None]
    D[row] = 0
    return D.astype(np.float32)


@pytest.fixture(scope="module")
def learned() -> LocalDistances:
    return LocalDistances().fit(distances, SideInformation.from_labels(LABELS), 10)


@pytest.fixture(scope="module")
def filled(learned: LocalDistances) -> FocalImages:
    by_row = FocalImages().fill({})
    assert by_row.models() == {}
    models = {}
    for row, photo_id in enumerate(IDS.tolist()):
        one = LocalDistances().fit(distances, SideInformation.from_labels(LABELS), 10, focal=[row])
        models[photo_id] = FocalImage(
            one.weights_, one.factors_, float(one.slopes_[0]), float(one.intercepts_[0]), float(one.gaps_[0]),
            int(one.triplets_[0]), one.digests_[0].tobytes(),
        )  # fmt: skip
    return FocalImages(sources=("a-1-0", "b-1-0")).fill(models)


def test_focal_images_trained_one_by_one_are_queried_by_id(filled: FocalImages, learned: LocalDistances) -> None:
    np.testing.assert_array_equal(filled.focal_, IDS)
    for row, photo_id in enumerate(IDS.tolist()):
        np.testing.assert_array_equal(
            filled.distances_from(photo_id, distances(row)), learned.distances_from(row, distances(row))
        )
    new = np.hstack([distances(row)[2:4] for row in range(10)])
    found = filled.probabilities(new)
    np.testing.assert_array_equal(found, learned.probabilities(new))
    with pytest.raises(LearnerError, match="no local distance yet"):
        filled.distances_from(4, distances(0))


def test_models_survive_a_round_trip(filled: FocalImages) -> None:
    again = FocalImages(sources=filled.sources).fill(filled.models())
    for name in (
        "focal_",
        "offsets_",
        "weights_",
        "factors_",
        "slopes_",
        "intercepts_",
        "gaps_",
        "triplets_",
        "digests_",
    ):
        np.testing.assert_array_equal(getattr(again, name), getattr(filled, name))
    for number, (photo_id, model) in enumerate(filled.models().items()):
        assert photo_id == IDS[number]
        one = filled.model(number)
        np.testing.assert_array_equal(one.weights, model.weights)
        assert one[2:] == model[2:]


def test_a_file_restores_the_focal_images(filled: FocalImages, tmp_path: Path) -> None:
    save(tmp_path / "local.npz", local=filled)
    again = load(tmp_path / "local.npz")["local"]
    assert isinstance(again, FocalImages)
    assert again.get_params() == filled.get_params()
    np.testing.assert_array_equal(again.weights_, filled.weights_)
    assert again.model(3).digest == filled.model(3).digest
