# SPDX-License-Identifier: MIT
"""Checks that every descriptor must pass: those of all kinds, and those of one vector per photo."""

from __future__ import annotations

import dataclasses
import pickle
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import GlobalDescriptor, LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.table import DESCRIPTORS
from focal_photos.testing.pictures import flat, png, scene

AnyDescriptor = GlobalDescriptor | LocalDescriptor
Found = NDArray[np.float32] | LocalFeatures
Draw = Callable[[], NDArray[np.uint8]]
"""Draws a picture in which such descriptors find something; always the same."""

_ODD_SIZES: Final = ((1, 1), (1, 2), (3, 4), (1, 384), (384, 1), (2, 383), (7, 31))


def found_in(descriptor: AnyDescriptor, rgb: NDArray[np.uint8]) -> Found:
    """Return the output of a descriptor for pixels, uint8 (h, w, 3)."""
    return descriptor.extract(WorkingImage.from_array(rgb))


def vector_of(descriptor: GlobalDescriptor, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the vector of a descriptor for pixels, uint8 (h, w, 3)."""
    return descriptor.extract(WorkingImage.from_array(rgb))


def assert_same(one: Found, other: Found) -> None:
    """Check that two outputs are equal to the last bit."""
    if isinstance(one, LocalFeatures):
        assert isinstance(other, LocalFeatures)
        np.testing.assert_array_equal(one.points, other.points)
        np.testing.assert_array_equal(one.vectors, other.vectors)
    else:
        np.testing.assert_array_equal(one, other)


def numbers(descriptor: AnyDescriptor) -> dict[str, float]:
    """Return the numeric parameters by name."""
    values = {field.name: getattr(descriptor, field.name) for field in dataclasses.fields(descriptor)}
    return {name: v for name, v in values.items() if isinstance(v, (int, float)) and not isinstance(v, bool)}


# ---------------------------------------------------------------- all kinds


def check_same_pixels_give_the_same(descriptor: AnyDescriptor, draw: Draw = scene) -> None:
    """Check that equal pixels have equal output."""
    assert_same(found_in(descriptor, draw()), found_in(descriptor, draw()))


def check_array_and_file_agree(descriptor: AnyDescriptor, draw: Draw = scene) -> None:
    """Check that pixels and a file with them have the same output."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.png"
        file.write_bytes(png(draw()))
        assert_same(found_in(descriptor, draw()), descriptor.extract(decode(file)))


def check_input_is_unchanged(descriptor: AnyDescriptor, draw: Draw = scene) -> None:
    """Check that the pixels are not modified."""
    rgb = draw()
    found_in(descriptor, rgb)
    np.testing.assert_array_equal(rgb, draw())


def check_non_contiguous_pixels(descriptor: AnyDescriptor, draw: Draw = scene) -> None:
    """Check that mirrored views of pixels are as good as copies."""
    mirrored = draw()[:, ::-1]
    assert_same(found_in(descriptor, mirrored), found_in(descriptor, mirrored.copy()))


def check_key(descriptor: AnyDescriptor, draw: Draw = scene) -> None:  # noqa: ARG001
    """Check that the key names the descriptor and changes with the parameters, and that there are texts for users."""
    key = descriptor.key
    assert key == dataclasses.replace(descriptor).key
    assert (key.name, key.version) == (descriptor.name, descriptor.version)
    assert re.fullmatch(r"[a-z][a-z0-9_]*-\d+-[0-9a-f]{8}", str(key)), f"{key} is not the name of a file"
    assert descriptor.title, "it has no title"
    assert descriptor.summary, "it has no summary"
    assert not descriptor.summary.endswith("."), "its summary ends with a full stop"
    assert re.search(r"( \d{4})?$", descriptor.source), "its source is not authors and a year"
    for name, value in numbers(descriptor).items():
        changed = dataclasses.replace(descriptor, **{name: value * 2})
        assert changed.key.digest != key.digest, f"the key does not change with {name}"


def check_travels_to_another_process(descriptor: AnyDescriptor, draw: Draw = scene) -> None:
    """Check that it can be pickled, as for worker processes."""
    copy = pickle.loads(pickle.dumps(descriptor))
    assert copy == descriptor
    assert_same(found_in(copy, draw()), found_in(descriptor, draw()))


def check_bad_parameters_are_refused(descriptor: AnyDescriptor, draw: Draw = scene) -> None:  # noqa: ARG001
    """Check that a negative number as a parameter is refused with a ValueError that tells a number."""
    for name in numbers(descriptor):
        try:
            dataclasses.replace(descriptor, **{name: -1})
        except ValueError as error:
            assert re.search(r"\d", str(error)), f"the error about {name} tells no number: {error}"
        else:
            raise AssertionError(f"{name} may be -1")


ANY_CHECKS: Final[tuple[Callable[..., None], ...]] = (
    check_same_pixels_give_the_same,
    check_array_and_file_agree,
    check_input_is_unchanged,
    check_non_contiguous_pixels,
    check_key,
    check_travels_to_another_process,
    check_bad_parameters_are_refused,
)
"""Checks of global and of local descriptors; an optional second argument is a function that draws a picture."""

# ---------------------------------------------------------------- one vector per photo


def check_shape_and_type(descriptor: GlobalDescriptor) -> None:
    """Check that a vector is float32 (dimension,), C-contiguous and finite."""
    vector = vector_of(descriptor, scene())
    assert isinstance(vector, np.ndarray), f"it returns a {type(vector).__name__}"
    assert vector.shape == (descriptor.dimension,), f"the shape is {vector.shape}, not ({descriptor.dimension},)"
    assert vector.dtype == np.float32, f"the numbers are {vector.dtype}, not float32"
    assert vector.flags.c_contiguous, "the vector is not C-contiguous"
    assert np.isfinite(vector).all(), "the vector is not finite"


def check_vector_owns_its_memory(descriptor: GlobalDescriptor) -> None:
    """Check that changing a returned vector changes no other one."""
    image = WorkingImage.from_array(scene())
    first, second = descriptor.extract(image), descriptor.extract(image)
    kept = second.copy()
    first[:] = -1
    np.testing.assert_array_equal(second, kept)


def check_order_of_descriptors_does_not_matter(descriptor: GlobalDescriptor) -> None:
    """Check that it is the same after Focal's descriptors that need no fit have described the photo."""
    image = WorkingImage.from_array(scene())
    for other in DESCRIPTORS.values():
        if other.kind == "global":
            other.extract(image)
    np.testing.assert_array_equal(descriptor.extract(image), vector_of(descriptor, scene()))


def check_plain_images(descriptor: GlobalDescriptor) -> None:
    """Check that pictures of one grey level have finite vectors."""
    for level in (0, 127, 255):
        assert np.isfinite(vector_of(descriptor, flat(level))).all(), f"not finite for a picture of level {level}"


def check_odd_sizes(descriptor: GlobalDescriptor) -> None:
    """Check that pictures of one or few pixels per side have finite vectors."""
    for height, width in _ODD_SIZES:
        vector = vector_of(descriptor, scene(384, 384)[:height, :width])
        assert vector.shape == (descriptor.dimension,), f"the shape is {vector.shape} for {width} x {height} pixels"
        assert np.isfinite(vector).all(), f"not finite for {width} x {height} pixels"


def check_grey_and_transparent_files(descriptor: GlobalDescriptor) -> None:
    """Check that grey files are like grey pixels, and transparent ones like white pixels."""
    grey = scene()[..., 0]
    from_grey = descriptor.extract(decode(png(grey)))
    np.testing.assert_array_equal(from_grey, vector_of(descriptor, np.repeat(grey[..., None], 3, axis=2)))
    clear = np.dstack([scene(), np.zeros((64, 96), np.uint8)])
    np.testing.assert_array_equal(descriptor.extract(decode(png(clear))), vector_of(descriptor, flat(255, 64, 96)))


def check_different_pictures_differ(descriptor: GlobalDescriptor) -> None:
    """Check that a picture and one rotated by 180 degrees with other colours differ, and counts are not negative."""
    other = vector_of(descriptor, scene()[::-1, :, ::-1].copy())
    assert np.linalg.norm(vector_of(descriptor, scene()) - other) > 0, "two different pictures have the same vector"
    if descriptor.is_count:
        assert other.min() >= 0, "a count is negative"


VECTOR_CHECKS: Final[tuple[Callable[[GlobalDescriptor], None], ...]] = (
    check_shape_and_type,
    check_vector_owns_its_memory,
    check_order_of_descriptors_does_not_matter,
    check_plain_images,
    check_odd_sizes,
    check_grey_and_transparent_files,
    check_different_pictures_differ,
)
"""Checks of global descriptors in addition to `ANY_CHECKS`."""

DESCRIPTOR_CHECKS: Final[tuple[Callable[[GlobalDescriptor], None], ...]] = (*ANY_CHECKS, *VECTOR_CHECKS)
"""All checks of a global descriptor."""
