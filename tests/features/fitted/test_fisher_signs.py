# SPDX-License-Identifier: MIT
from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.base import NotFittedError
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.fitted.fisher_signs import FisherSigns
from focal_photos.features.fitted.fisher_vectors import FisherVector
from focal_photos.features.local.dense_color import DenseColor
from focal_photos.features.local.dense_grid import PLACE
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS, STANDARD_CODES
from tests.features.pictures import scene

BARE = FisherVector(DenseColor(), components=3, local_axes=5, axes=4)


def image(seed: int = 0, height: int = 96, width: int = 128) -> WorkingImage:
    return WorkingImage.from_array(scene(width, height, seed=seed))


@pytest.fixture(scope="module")
def signs() -> FisherSigns:
    return FisherSigns(BARE.fit([BARE.learned_from.extract(image(seed)).vectors for seed in range(8)]))


def bits_of(code: NDArray[np.uint8], signs: FisherSigns) -> NDArray[np.uint8]:
    """Return the bits (4, 2 K D) of the photo and its bands."""
    return np.unpackbits(code.reshape(4, -1), axis=1)[:, : 2 * 3 * (5 + PLACE)]


def test_each_part_has_the_signs_of_its_own_fisher_vector(signs: FisherSigns) -> None:
    # The Fisher vector of the points of a band has the signs of the band: roots and norms do not change signs.
    encoder = signs.fisher.encoder()
    assert encoder is not None
    photo = image(20)
    vectors = DenseColor().extract(photo).vectors
    height = vectors[:, -PLACE] + 0.5
    assert height.min() < 1 / 3 < 2 / 3 < height.max()
    parts = [vectors, *(vectors[(height >= low) & (height < low + 1 / 3)] for low in (0, 1 / 3, 2 / 3))]
    found = bits_of(signs.extract(photo), signs)
    for bits, part in zip(found, parts, strict=True):
        expected = encoder.encode(encoder.assigned(part))
        clear = np.abs(expected) > 1e-3 * np.abs(expected).max()
        assert clear.mean() > 0.5
        np.testing.assert_array_equal(bits[clear], (expected > 0)[clear])


def test_bands_are_stacked_vertically(signs: FisherSigns) -> None:
    # A change at the bottom changes only the bits of the last band.
    rgb = scene(160, 240, seed=3)
    changed = rgb.copy()
    changed[200:] = 255 - changed[200:]
    one, other = (bits_of(signs.extract(WorkingImage.from_array(some)), signs) for some in (rgb, changed))
    differing = (one != other).sum(axis=1)
    assert differing[1:].tolist() == [0, 0, differing[3]]
    assert differing[3] > 0


def test_the_code_from_local_vectors_equals_that_of_the_photo(signs: FisherSigns) -> None:
    photo = image(21)
    np.testing.assert_array_equal(signs.from_local(DenseColor().extract(photo).vectors), signs.extract(photo))


def test_the_shared_computation_does_not_change_the_fisher_vector(signs: FisherSigns) -> None:
    alone, shared = image(22), image(22)
    signs.extract(shared)
    np.testing.assert_array_equal(signs.fisher.extract(shared), signs.fisher.extract(alone))


def test_codes_have_the_documented_length_type_and_padding(signs: FisherSigns) -> None:
    code = signs.extract(image())
    assert code.dtype == np.uint8
    assert code.shape == (signs.dimension,) == (4 * 2 * 3 * 8 // 8,)
    # A mixture with fewer Gaussians fills fewer bits; the length of the code is as documented.
    few = BARE.fit([BARE.learned_from.extract(image(0)).vectors[:2]])
    assert FisherSigns(few).extract(image()).shape == (signs.dimension,)


def test_an_empty_fit_and_photos_without_points_give_zeros(signs: FisherSigns) -> None:
    assert not FisherSigns(BARE.fit([])).extract(image()).any()
    assert not signs.from_local(np.zeros((0, DenseColor().dimension), np.float32)).any()


def test_a_band_without_points_is_zero(signs: FisherSigns) -> None:
    vectors = DenseColor().extract(image()).vectors
    top = vectors[vectors[:, -PLACE] < -1 / 6]
    parts = signs.from_local(top).reshape(4, -1)
    assert parts[1].any()
    assert not parts[2:].any()
    np.testing.assert_array_equal(parts[0], parts[1])  # all points are in the first band


def test_it_needs_a_fitted_fisher_vector(signs: FisherSigns) -> None:
    with pytest.raises(NotFittedError):
        FisherSigns(BARE).extract(image())
    with pytest.raises(NotFittedError, match="dense_color_signs"):
        DescriptionPlan((FisherSigns(BARE),))
    assert DescriptionPlan((signs,)).code_descriptors == (signs,)
    assert FisherSigns(BARE).key != signs.key
    assert pickle.loads(pickle.dumps(signs)).key == signs.key


def test_the_table_has_the_code_descriptors() -> None:
    assert {name: one.dimension for name, one in CODE_DESCRIPTORS.items()} == {
        "dense_sift_signs": 4288,
        "dense_color_signs": 3264,
        "fisher_windows": 7920,
    }
    assert all(name == one.name for name, one in CODE_DESCRIPTORS.items())
    assert set(STANDARD_CODES) <= CODE_DESCRIPTORS.keys()
    assert not CODE_DESCRIPTORS.keys() & (DESCRIPTORS.keys() | LOCAL_DESCRIPTORS.keys())
    for name in STANDARD_CODES:
        signs = CODE_DESCRIPTORS[name]
        assert isinstance(signs, FisherSigns)
        assert signs.fisher in DESCRIPTORS.values()


def test_mixtures_of_one_kind_do_not_share_cached_results(signs: FisherSigns) -> None:
    other = FisherSigns(BARE.fit([BARE.learned_from.extract(image(seed)).vectors for seed in range(30, 34)]))
    photo = image(23)
    signs.extract(photo)
    np.testing.assert_array_equal(other.extract(photo), other.extract(image(23)))
    np.testing.assert_array_equal(other.fisher.extract(photo), other.fisher.extract(image(23)))
