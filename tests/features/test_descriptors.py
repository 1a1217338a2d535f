"""One table of descriptors times one list of checks: what each of them must do, whatever it computes."""

from __future__ import annotations

import dataclasses
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from features import DESCRIPTORS, DescriptorKey, GlobalDescriptor
from features.image import WorkingImage, decode
from tests.features.pictures import file_bytes, scene


def vector_of(descriptor: GlobalDescriptor, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    return descriptor.extract(WorkingImage.from_array(rgb))


def flat(level: int, height: int = 40, width: int = 60) -> NDArray[np.uint8]:
    return np.full((height, width, 3), level, np.uint8)


def check_shape_and_type(descriptor: GlobalDescriptor, folder: Path) -> None:
    vector = vector_of(descriptor, scene())
    assert vector.shape == (descriptor.dimension,)
    assert vector.dtype == np.float32
    assert vector.flags.c_contiguous
    assert np.isfinite(vector).all()


def check_vector_owns_its_memory(descriptor: GlobalDescriptor, folder: Path) -> None:
    image = WorkingImage.from_array(scene())
    first, second = descriptor.extract(image), descriptor.extract(image)
    kept = second.copy()
    first[:] = -1
    np.testing.assert_array_equal(second, kept)


def check_same_pixels_give_the_same_vector(descriptor: GlobalDescriptor, folder: Path) -> None:
    np.testing.assert_array_equal(vector_of(descriptor, scene()), vector_of(descriptor, scene()))


def check_array_and_file_agree(descriptor: GlobalDescriptor, folder: Path) -> None:
    file = folder / "scene.png"
    file.write_bytes(file_bytes(scene()))
    np.testing.assert_array_equal(vector_of(descriptor, scene()), descriptor.extract(decode(file)))


def check_input_is_unchanged(descriptor: GlobalDescriptor, folder: Path) -> None:
    rgb = scene()
    vector_of(descriptor, rgb)
    np.testing.assert_array_equal(rgb, scene())


def check_order_of_descriptors_does_not_matter(descriptor: GlobalDescriptor, folder: Path) -> None:
    image = WorkingImage.from_array(scene())
    for other in DESCRIPTORS.values():
        other.extract(image)
    np.testing.assert_array_equal(descriptor.extract(image), vector_of(descriptor, scene()))


def check_plain_images(descriptor: GlobalDescriptor, folder: Path) -> None:
    for level in (0, 127, 255):
        assert np.isfinite(vector_of(descriptor, flat(level))).all()


def check_odd_sizes(descriptor: GlobalDescriptor, folder: Path) -> None:
    for height, width in ((1, 1), (1, 2), (3, 4), (1, 384), (384, 1), (2, 383), (7, 31)):
        vector = vector_of(descriptor, scene(384, 384)[:height, :width])
        assert vector.shape == (descriptor.dimension,)
        assert np.isfinite(vector).all()


def check_grey_and_transparent_files(descriptor: GlobalDescriptor, folder: Path) -> None:
    grey = scene()[..., 0]
    from_grey = descriptor.extract(decode(file_bytes(grey)))
    np.testing.assert_array_equal(from_grey, vector_of(descriptor, np.repeat(grey[..., None], 3, axis=2)))
    clear = np.dstack([scene(), np.zeros((64, 96), np.uint8)])
    np.testing.assert_array_equal(
        descriptor.extract(decode(file_bytes(clear))), vector_of(descriptor, flat(255, 64, 96))
    )


def check_non_contiguous_pixels(descriptor: GlobalDescriptor, folder: Path) -> None:
    mirrored = scene()[:, ::-1]
    np.testing.assert_array_equal(vector_of(descriptor, mirrored), vector_of(descriptor, mirrored.copy()))


def check_different_pictures_differ(descriptor: GlobalDescriptor, folder: Path) -> None:
    other = vector_of(descriptor, scene()[::-1, :, ::-1].copy())
    assert np.linalg.norm(vector_of(descriptor, scene()) - other) > 0
    if descriptor.is_count:
        assert other.min() >= 0


def check_key(descriptor: GlobalDescriptor, folder: Path) -> None:
    key = descriptor.key
    assert key == dataclasses.replace(descriptor).key
    assert DESCRIPTORS[key.name] is descriptor
    assert (key.name, key.version) == (descriptor.name, descriptor.version)
    assert re.fullmatch(r"[a-z_]+-\d+-[0-9a-f]{8}", str(key))
    for field in dataclasses.fields(descriptor):
        changed = dataclasses.replace(descriptor, **{field.name: getattr(descriptor, field.name) * 2})
        assert changed.key != key
        assert changed.key.name == key.name


def check_travels_to_another_process(descriptor: GlobalDescriptor, folder: Path) -> None:
    copy = pickle.loads(pickle.dumps(descriptor))
    assert copy == descriptor
    np.testing.assert_array_equal(vector_of(copy, scene()), vector_of(descriptor, scene()))


def check_bad_parameters_are_refused(descriptor: GlobalDescriptor, folder: Path) -> None:
    for field in dataclasses.fields(descriptor):
        with pytest.raises(ValueError, match=r"\d"):
            dataclasses.replace(descriptor, **{field.name: -1})


CHECKS: list[Callable[[GlobalDescriptor, Path], None]] = [
    check_shape_and_type,
    check_vector_owns_its_memory,
    check_same_pixels_give_the_same_vector,
    check_array_and_file_agree,
    check_input_is_unchanged,
    check_order_of_descriptors_does_not_matter,
    check_plain_images,
    check_odd_sizes,
    check_grey_and_transparent_files,
    check_non_contiguous_pixels,
    check_different_pictures_differ,
    check_key,
    check_travels_to_another_process,
    check_bad_parameters_are_refused,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", DESCRIPTORS)
def test_descriptor(name: str, check: Callable[[GlobalDescriptor, Path], None], tmp_path: Path) -> None:
    check(DESCRIPTORS[name], tmp_path)


def test_table_is_keyed_by_name() -> None:
    assert all(name == descriptor.name for name, descriptor in DESCRIPTORS.items())
    assert {name: d.dimension for name, d in DESCRIPTORS.items()} == {
        "color_moments": 225,
        "color_coherence": 1024,
        "gabor": 2560,
    }


def test_keys_of_this_version_are_the_ones_that_libraries_hold() -> None:
    # A changed key rebuilds the vectors of every library: it must be on purpose, with a new version number.
    assert [str(d.key) for d in DESCRIPTORS.values()] == [
        "color_moments-1-61a4281e",
        "color_coherence-1-b84a3178",
        "gabor-1-c8f32aad",
    ]


def test_keys_sort_and_compare() -> None:
    assert DescriptorKey("a", 1, "x") < DescriptorKey("a", 2, "x") < DescriptorKey("b", 1, "x")
