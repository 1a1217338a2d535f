# SPDX-License-Identifier: MIT
from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from focal_photos.features.base import LocalDescriptor, LocalFeatures, NotFittedError
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.decoding.limits import DecodeLimits, ImageTooLargeError, UnreadableImageError
from focal_photos.features.description import Description, DescriptionPlan, describe
from focal_photos.features.table import DESCRIPTORS
from focal_photos.features.texture.gabor import Gabor
from tests.features.pictures import file_bytes, scene


@dataclass(frozen=True)
class Corners(LocalDescriptor):
    """The colors of the four corners."""

    name: ClassVar[str] = "corners"
    title: ClassVar[str] = "Corners"
    version: ClassVar[int] = 1
    dimension: ClassVar[int] = 3

    def extract(self, image: WorkingImage) -> LocalFeatures:
        height, width, _ = image.rgb.shape
        x, y = np.meshgrid([0, width - 1], [0, height - 1])
        points = np.stack([x.ravel(), y.ravel()], axis=1)
        return LocalFeatures(points.astype(np.float32), image.rgb[y.ravel(), x.ravel()].astype(np.float32))


PLAN = DescriptionPlan((ColorMoments(), Corners(), Gabor()))
NOTHING = DescriptionPlan()


def test_one_photo_gives_all_descriptors(tmp_path: Path) -> None:
    file = tmp_path / "photo.png"
    file.write_bytes(file_bytes(scene(300, 200)))
    found = describe(file, PLAN)
    assert (found.header.width, found.header.height, found.header.format) == (300, 200, "PNG")
    assert (list(found.vectors), list(found.patches)) == (["color_moments", "gabor"], ["corners"])
    image = WorkingImage.from_array(scene(300, 200))
    for name, vector in found.vectors.items():
        np.testing.assert_array_equal(vector, DESCRIPTORS[name].extract(image))
    np.testing.assert_array_equal(found.patches["corners"].vectors, Corners().extract(image).vectors)
    assert list(found.seconds) == ["decode", "color_moments", "corners", "gabor", "thumbnail"]
    assert all(seconds >= 0 for seconds in found.seconds.values())


def test_only_the_named_descriptors_are_computed_in_order() -> None:
    found = describe(file_bytes(scene()), PLAN, ["gabor", "color_moments"])
    assert (list(found.vectors), found.patches) == (["gabor", "color_moments"], {})
    assert describe(file_bytes(scene()), PLAN, []).vectors == {}


@pytest.mark.parametrize(
    ("size", "expected"), [((1000, 500), (256, 128)), ((300, 600), (128, 256)), ((90, 60), (90, 60))]
)
def test_thumbnail_is_small_but_never_enlarged(size: tuple[int, int], expected: tuple[int, int]) -> None:
    found = describe(file_bytes(scene(*size)), NOTHING)
    assert found.vectors == {}
    assert found.thumbnail is not None
    thumbnail = decode(found.thumbnail)
    assert (thumbnail.header.format, thumbnail.header.width, thumbnail.header.height) == ("JPEG", *expected)


def test_thumbnail_looks_like_the_photo() -> None:
    found = describe(file_bytes(scene(256, 170)), NOTHING)
    assert found.thumbnail is not None
    difference = decode(found.thumbnail).rgb.astype(int) - scene(256, 170)
    assert np.abs(difference).mean() < 6


def test_the_thumbnail_can_be_omitted() -> None:
    found = describe(file_bytes(scene()), DescriptionPlan(thumbnail_side=None))
    assert found.thumbnail is None
    assert set(found.seconds) == {"decode"}


def test_errors_are_raised() -> None:
    with pytest.raises(UnreadableImageError):
        describe(b"no image", PLAN)
    with pytest.raises(ImageTooLargeError):
        describe(file_bytes(scene()), DescriptionPlan(limits=DecodeLimits(max_pixels=10)))
    with pytest.raises(KeyError, match="gaboor"):
        describe(file_bytes(scene()), PLAN, ["gaboor"])


def test_it_can_be_sent_from_a_worker_process() -> None:
    plan: DescriptionPlan = pickle.loads(pickle.dumps(PLAN))
    assert plan == PLAN
    found = describe(file_bytes(scene()), plan)
    copy: Description = pickle.loads(pickle.dumps(found))
    assert copy.header == found.header
    assert copy.thumbnail == found.thumbnail
    np.testing.assert_array_equal(copy.patches["corners"].points, found.patches["corners"].points)
    for name in found.vectors:
        np.testing.assert_array_equal(copy.vectors[name], found.vectors[name])


def test_a_plan_contains_each_ready_descriptor_once() -> None:
    with pytest.raises(ValueError, match="once, not gabor, gabor"):
        DescriptionPlan((Gabor(), Gabor()))
    with pytest.raises(NotFittedError, match="gabor_200 is not learned yet"):
        DescriptionPlan((DESCRIPTORS["gabor_200"],))


def test_a_plan_separates_global_and_local_descriptors() -> None:
    assert PLAN.global_descriptors == (ColorMoments(), Gabor())
    assert PLAN.local_descriptors == (Corners(),)
