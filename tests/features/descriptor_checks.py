"""Checks that every descriptor must pass, global or local."""

from __future__ import annotations

import dataclasses
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.base import GlobalDescriptor, LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.table import DESCRIPTORS, LOCAL_DESCRIPTORS
from tests.features.pictures import file_bytes

AnyDescriptor = GlobalDescriptor | LocalDescriptor
Found = NDArray[np.float32] | LocalFeatures
Draw = Callable[[], NDArray[np.uint8]]
"""Draws a picture in which such descriptors find something; always the same."""

Check = Callable[[AnyDescriptor, Draw, Path], None]


def found_in(descriptor: AnyDescriptor, rgb: NDArray[np.uint8]) -> Found:
    return descriptor.extract(WorkingImage.from_array(rgb))


def assert_same(one: Found, other: Found) -> None:
    if isinstance(one, LocalFeatures):
        assert isinstance(other, LocalFeatures)
        np.testing.assert_array_equal(one.points, other.points)
        np.testing.assert_array_equal(one.vectors, other.vectors)
    else:
        np.testing.assert_array_equal(one, other)


def numbers(descriptor: AnyDescriptor) -> dict[str, float]:
    """Return the numeric parameters."""
    values = {field.name: getattr(descriptor, field.name) for field in dataclasses.fields(descriptor)}
    return {name: v for name, v in values.items() if isinstance(v, (int, float)) and not isinstance(v, bool)}


def check_same_pixels_give_the_same(descriptor: AnyDescriptor, draw: Draw, folder: Path) -> None:
    assert_same(found_in(descriptor, draw()), found_in(descriptor, draw()))


def check_array_and_file_agree(descriptor: AnyDescriptor, draw: Draw, folder: Path) -> None:
    file = folder / "picture.png"
    file.write_bytes(file_bytes(draw()))
    assert_same(found_in(descriptor, draw()), descriptor.extract(decode(file)))


def check_input_is_unchanged(descriptor: AnyDescriptor, draw: Draw, folder: Path) -> None:
    rgb = draw()
    found_in(descriptor, rgb)
    np.testing.assert_array_equal(rgb, draw())


def check_non_contiguous_pixels(descriptor: AnyDescriptor, draw: Draw, folder: Path) -> None:
    mirrored = draw()[:, ::-1]
    assert_same(found_in(descriptor, mirrored), found_in(descriptor, mirrored.copy()))


def check_key(descriptor: AnyDescriptor, draw: Draw, folder: Path) -> None:
    key = descriptor.key
    assert key == dataclasses.replace(descriptor).key
    tabled = DESCRIPTORS.get(key.name) or LOCAL_DESCRIPTORS[key.name]
    assert tabled.version == descriptor.version
    assert (key.name, key.version) == (descriptor.name, descriptor.version)
    assert re.fullmatch(r"[a-z][a-z0-9_]*-\d+-[0-9a-f]{8}", str(key))
    assert descriptor.title
    assert descriptor.summary
    assert not descriptor.summary.endswith(".")
    assert re.search(r" \d{4}$", descriptor.source)
    for name, value in numbers(descriptor).items():
        changed = dataclasses.replace(descriptor, **{name: value * 2})
        assert changed.key.digest != key.digest


def check_travels_to_another_process(descriptor: AnyDescriptor, draw: Draw, folder: Path) -> None:
    copy = pickle.loads(pickle.dumps(descriptor))
    assert copy == descriptor
    assert_same(found_in(copy, draw()), found_in(descriptor, draw()))


def check_bad_parameters_are_refused(descriptor: AnyDescriptor, draw: Draw, folder: Path) -> None:
    for name in numbers(descriptor):
        with pytest.raises(ValueError, match=r"\d"):
            dataclasses.replace(descriptor, **{name: -1})


COMMON: list[Check] = [
    check_same_pixels_give_the_same,
    check_array_and_file_agree,
    check_input_is_unchanged,
    check_non_contiguous_pixels,
    check_key,
    check_travels_to_another_process,
    check_bad_parameters_are_refused,
]
