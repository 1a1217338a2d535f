# SPDX-License-Identifier: MIT
"""Descriptions of photos without a library, from files, contents or pixels to an array and its columns."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import focal_photos
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import ready_descriptors, vector_store
from focal_photos.browser.scripting import describe as module
from focal_photos.browser.scripting.describe import BrokenPhotoError, describe
from focal_photos.features.base import Fitted, GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.decoding.limits import WORKING_SIDE, DecodeLimits
from focal_photos.features.fitted.fisher_signs import FisherSigns
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS
from focal_photos.learners.core.linalg import one_thread
from tests.browser.cli.command_line import Focal, run_python
from tests.browser.operations.album import Album, pixels


@pytest.fixture
def photos(tmp_path: Path) -> list[Path]:
    """Twenty lossless drawn photos of two alternating kinds."""
    album = Album(tmp_path / "photos")
    return [album.draw(f"{number:02}.png", kind="warm" if number % 2 else "cold", seed=number) for number in range(20)]


def alone(descriptor: str, photo: Path) -> NDArray[np.float32]:
    return DESCRIPTORS[descriptor].extract(decode(photo))


def test_rows_are_photos_and_columns_are_descriptors(photos: list[Path]) -> None:
    found = describe(map(str, photos), ["lbp", "color_moments"])
    assert found.vectors.dtype == np.float32
    assert [(family.name, family.start, family.stop) for family in found.columns] == [
        ("lbp", 0, 59),
        ("color_moments", 59, 284),
    ]
    assert [family.is_count for family in found.columns] == [True, False]
    assert found.failures == {}
    assert found.good.all()
    for number in (0, 7, 19):
        row = np.concatenate([alone("lbp", photos[number]), alone("color_moments", photos[number])])
        np.testing.assert_array_equal(found.vectors[number], row)


@pytest.mark.parametrize("count", [3, 20], ids=["in the sandbox", "in several processes"])
def test_files_contents_and_pixels_give_the_same(photos: list[Path], count: int) -> None:
    chosen = photos[:count]
    arrays = [decode(photo).rgb for photo in chosen]
    by_file = describe(chosen, ["color_moments", "lbp"]).vectors
    mixed: list[Any] = [
        [photo, photo.read_bytes(), array][number % 3]
        for number, (photo, array) in enumerate(zip(chosen, arrays, strict=True))
    ]
    np.testing.assert_array_equal(describe(mixed, ["color_moments", "lbp"]).vectors, by_file)
    np.testing.assert_array_equal(describe(arrays, ["color_moments", "lbp"], workers=2).vectors, by_file)


def test_large_pixels_are_reduced_to_the_size_of_working_images() -> None:
    large = pixels("warm", 1, (3 * WORKING_SIDE, 2 * WORKING_SIDE))
    small = cv2.resize(large, (WORKING_SIDE, WORKING_SIDE * 2 // 3), interpolation=cv2.INTER_AREA)
    expected = DESCRIPTORS["lbp"].extract(WorkingImage.from_array(small.astype(np.uint8)))
    np.testing.assert_array_equal(describe([large], ["lbp"]).vectors[0], expected)


def test_grey_pixels_equal_three_equal_channels() -> None:
    grey = pixels("warm", 2)[:, :, 0]
    both = describe([grey, np.repeat(grey[:, :, None], 3, axis=2)], ["color_moments", "lbp"]).vectors
    np.testing.assert_array_equal(both[0], both[1])


def test_vectors_equal_those_of_a_library(photos: list[Path], here: Focal) -> None:
    """Fitted descriptors are included: the same photos in the same order give the same vocabulary."""
    here("index", photos[0].parent)
    with Library.open(here.library, read_only=True) as library:
        kept = [one for one in ready_descriptors(library) if isinstance(one, GlobalDescriptor)]
        paths = library.photos.paths(library.photos.ids())
        found = describe(paths)
        assert [str(one.key) for one in found.descriptors] == [str(one.key) for one in kept]
        for one, family in zip(kept, found.columns, strict=True):
            rows = vector_store(library, one).rows(library.photos.ids())
            np.testing.assert_allclose(found.vectors[:, family.start : family.stop], rows, rtol=2e-3, atol=2e-3)
    space = found.space().fit(found.vectors)
    assert np.linalg.norm(space.transform(found.vectors), axis=1) == pytest.approx(1, abs=1e-5)


def test_fitted_descriptors_are_returned_and_describe_other_photos(photos: list[Path]) -> None:
    first = describe(photos[:12], ["sift_words_200", "sift_words_200_50", "lbp_50"])
    assert all(isinstance(one, Fitted) and one.is_fitted for one in first.descriptors)
    whole = describe(photos, first.descriptors)
    assert whole.descriptors == first.descriptors
    np.testing.assert_array_equal(whole.vectors[:12], first.vectors)
    again = describe(photos[:12], ["sift_words_200", "sift_words_200_50", "lbp_50"])
    assert again.descriptors == first.descriptors, "the same photos train the same descriptors"
    other = describe(photos[8:], ["sift_words_200"])
    assert other.descriptors[0] != first.descriptors[0]


def test_at_most_a_sample_is_used_for_fitting(photos: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAMPLE", 5)
    few = describe(photos, ["lbp_50"]).descriptors[0]
    monkeypatch.setattr(module, "SAMPLE", 400)
    assert describe(photos, ["lbp_50"]).descriptors[0] != few


def test_local_descriptors_give_patches(photos: list[Path]) -> None:
    found = describe(photos[:4], ["sift", "lbp"])
    assert found.vectors.shape == (4, 59)
    assert list(found.patches) == ["sift"]
    for photo, patches in zip(photos, found.patches["sift"], strict=False):
        assert patches is not None
        expected = LOCAL_DESCRIPTORS["sift"].extract(decode(photo))
        np.testing.assert_array_equal(patches.vectors, expected.vectors)
        np.testing.assert_array_equal(patches.points, expected.points)
    alone = describe(photos[:2], ["sift"])
    assert alone.vectors.shape == (2, 0)
    assert alone.columns == ()


def test_codes_are_packed_signs_side_by_side(photos: list[Path]) -> None:
    names = ["dense_color_signs", "lbp", "dense_color_fisher"]
    found = describe(photos, names)
    assert found.codes.dtype == np.uint8
    assert found.codes.shape == (20, CODE_DESCRIPTORS["dense_color_signs"].dimension)
    assert [family.name for family in found.columns] == ["lbp", "dense_color_fisher"]
    signs = found.descriptors[0]
    assert isinstance(signs, FisherSigns)
    assert signs.fisher == found.descriptors[2], "both descriptors share one mixture"
    for number in (0, 19):
        with one_thread():  # as in workers: sums by several threads are rounded differently and may change sign
            expected = signs.extract(decode(photos[number]))
        np.testing.assert_array_equal(found.codes[number], expected)
    both = describe([photos[0], b"no picture", photos[1]], [signs, "dense_sift_signs"], errors="mask")
    np.testing.assert_array_equal(both.codes[0, : signs.dimension], found.codes[0])
    assert both.codes.shape == (3, signs.dimension + CODE_DESCRIPTORS["dense_sift_signs"].dimension)
    assert both.codes[2].any()
    assert not both.codes[1].any()
    assert describe(photos[:2], ["lbp"]).codes.shape == (2, 0)


# ---------------------------------------------------------------- photos that are broken


@pytest.mark.slow
def test_a_broken_photo_is_reported_immediately(photos: list[Path]) -> None:
    photos[3].write_bytes(photos[3].read_bytes()[:200])
    with pytest.raises(
        BrokenPhotoError, match=r'Photo 3 \(.*03\.png\) cannot be described: .* errors="mask"'
    ) as caught:
        describe(photos, ["lbp"])
    assert caught.value.number == 3
    assert caught.value.reason


@pytest.mark.parametrize("descriptors", [["lbp"], ["lbp_50", "sift"]])
def test_broken_photos_are_masked(photos: list[Path], descriptors: list[str]) -> None:
    broken = [*photos]
    broken[5] = photos[0].parent / "nowhere.jpg"
    mixed: list[Any] = [*broken, b"no picture"]
    found = describe(mixed, descriptors, errors="mask")
    assert list(found.failures) == [5, 20]
    assert "cannot be read" in found.failures[5]
    assert np.flatnonzero(~found.good).tolist() == [5, 20]
    assert np.isnan(found.vectors[[5, 20]]).all()
    assert np.isfinite(found.vectors[found.good]).all()
    if "sift" in found.patches:
        assert [patches is None for patches in found.patches["sift"]] == [not good for good in found.good]


def test_nothing_is_fitted_if_no_photo_can_be_described() -> None:
    with pytest.raises(ValueError, match="has nothing to learn from: none of the photos can be described"):
        describe([b"no picture"], ["lbp_50"], errors="mask")
    found = describe([b"no picture"], ["lbp"], errors="mask")
    assert np.isnan(found.vectors).all()
    assert describe([], ["lbp"]).vectors.shape == (0, 59)


def test_limits_are_respected(photos: list[Path]) -> None:
    with pytest.raises(BrokenPhotoError, match="pixels"):
        describe(photos[:1], ["lbp"], limits=DecodeLimits(max_pixels=100))


@pytest.mark.parametrize(
    ("photo", "said"),
    [
        (np.zeros((4, 4, 3)), "array of float64, shape \\(4, 4, 3\\)"),
        (np.zeros((4, 4, 4), np.uint8), "pixels must be uint8 of shape"),
        (np.zeros((0, 4, 3), np.uint8), "Photo 0 is an array of uint8"),
        (np.zeros(4, np.uint8), "Photo 0 is an array of uint8"),
    ],
)
def test_arrays_that_are_not_pictures_are_refused(photo: NDArray[np.uint8], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        describe([photo])


def test_unknown_descriptors_and_words_are_refused(photos: list[Path]) -> None:
    with pytest.raises(ValueError, match="There is no descriptor 'colour'; there are: color_moments"):
        describe(photos, ["colour"])
    with pytest.raises(ValueError, match="Name each descriptor once"):
        describe(photos, ["lbp", DESCRIPTORS["lbp"]])
    with pytest.raises(ValueError, match="Name each descriptor once, and at least one, not none"):
        describe(photos, [])
    with pytest.raises(ValueError, match="is not a descriptor: derive from"):
        describe(photos, [3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match='errors must be "raise" or "mask"'):
        describe(photos, ["lbp"], errors="ignore")  # type: ignore[arg-type]


# ---------------------------------------------------------------- progress


class Enough(Exception):  # noqa: N818
    pass


@pytest.mark.parametrize("descriptors", [["lbp"], ["lbp_50", "sift_words_200_50"]])
def test_progress_rises_from_0_to_1(photos: list[Path], descriptors: list[str]) -> None:
    shares: list[float] = []
    describe(photos, descriptors, progress=shares.append)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares == sorted(shares)
    assert len(set(shares)) > 2


@pytest.mark.slow
def test_an_exception_in_progress_cancels(photos: list[Path]) -> None:
    def progress(share: float) -> None:
        if share > 0:
            raise Enough

    with pytest.raises(Enough):
        describe(photos, ["lbp"], progress=progress)


# ---------------------------------------------------------------- descriptors of the caller


@dataclass(frozen=True)
class Brightness(GlobalDescriptor):
    """Mean of the grey levels; its module cannot be imported by worker processes."""

    version: ClassVar[int] = 1
    name = "brightness"
    title = "Brightness"
    dimension = 1

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        return np.array([image.gray.mean()], np.float32)


def test_a_descriptor_of_the_caller_can_be_used_beside_others(photos: list[Path]) -> None:
    found = describe(photos, ["lbp", Brightness()], workers=2)
    assert found.columns[1].name == "brightness"
    means = [decode(photo).gray.mean() for photo in photos]
    np.testing.assert_allclose(found.vectors[:, 59], means, rtol=1e-6)


def test_a_descriptor_based_on_one_of_the_caller_stays_in_this_process_too(photos: list[Path]) -> None:
    run_python(
        "from dataclasses import dataclass\nimport numpy as np, focal_photos\n"
        "from focal_photos.features.fitted.principal_components import PrincipalComponents\n"
        "@dataclass(frozen=True)\n"
        "class Size(focal_photos.GlobalDescriptor):\n"
        "    version = 1\n    name = title = 'size'\n    dimension = 2\n"
        "    def extract(self, image):\n        return image.gray.mean(axis=1)[:2].astype(np.float32)\n"
        f"found = focal_photos.describe({[str(photo) for photo in photos]!r}, [PrincipalComponents(Size(), 1)])\n"
        "assert np.isfinite(found.vectors).all() and found.vectors.std() > 0\n"
    )


given_up = threading.Event()


@dataclass(frozen=True)
class Slow(GlobalDescriptor):
    """Takes long for one photo."""

    version: ClassVar[int] = 1
    name = "slow"
    title = "Slow"
    dimension = 1

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        if image.rgb.shape[1] == 50:
            given_up.wait(60)
        return np.ones(1, np.float32)


def test_a_photo_that_takes_too_long_is_given_up() -> None:
    arrays = [pixels("warm", seed, (50 if seed == 1 else 60, 40)) for seed in range(3)]
    found = describe(arrays, [Slow()], errors="mask", seconds=5)
    given_up.set()
    assert list(found.failures) == [1]
    assert "took longer than 5 seconds" in found.failures[1]


def test_a_script_can_use_its_own_descriptor_class(photos: list[Path]) -> None:
    run_python(
        "from dataclasses import dataclass\nimport numpy as np, focal_photos\n"
        "@dataclass(frozen=True)\n"
        "class Size(focal_photos.GlobalDescriptor):\n"
        "    version = 1\n    name = title = 'size'\n    dimension = 2\n"
        "    def extract(self, image):\n        return np.array(image.rgb.shape[:2], np.float32)\n"
        f"found = focal_photos.describe({[str(photo) for photo in photos]!r}, [Size(), 'lbp'])\n"
        "assert (found.vectors[:, :2] == (64, 96)).all(), found.vectors[:, :2]\n"
    )


def test_describe_is_a_public_name(photos: list[Path]) -> None:
    call: Callable[..., object] = focal_photos.describe
    assert call is describe
