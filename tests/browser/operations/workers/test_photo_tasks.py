# SPDX-License-Identifier: MIT
"""The result for one photo, for every kind of failure of its description."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask, describe_photo
from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.decoding.limits import DecodeLimits
from focal_photos.features.description import DescriptionPlan
from tests.browser.operations.album import Album


@dataclass(frozen=True)
class Raising(GlobalDescriptor):
    """Fails in a given way for every photo."""

    what: str
    name: ClassVar[str] = "raising"
    title: ClassVar[str] = "Raising"
    version: ClassVar[int] = 1
    dimension: ClassVar[int] = 1

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        if self.what == "memory":
            raise MemoryError
        if self.what == "fault":
            raise ZeroDivisionError("of a pixel")
        return np.array([np.nan], np.float32)


def result_of(path: Path, plan: DescriptionPlan) -> PhotoResult:
    return describe_photo(PhotoTask(1, path, tuple(plan.by_name)), plan)


@pytest.mark.parametrize(
    ("what", "failure", "alone"),
    [
        ("memory", "more memory", True),
        ("fault", "Focal cannot describe it (ZeroDivisionError: of a pixel).", False),
        ("nan", "Focal cannot describe it (values that are not finite).", False),
    ],
)
def test_a_failing_descriptor_affects_one_photo(album: Album, what: str, failure: str, alone: bool) -> None:
    result = result_of(album.draw("a.jpg"), DescriptionPlan((Raising(what),)))
    assert failure in result.failure
    assert (result.description, result.lasting, result.try_alone) == (None, True, alone)


def test_an_unreadable_file_is_tried_again_later(tmp_path: Path) -> None:
    gone = result_of(tmp_path / "gone.jpg", DescriptionPlan())
    assert gone == PhotoResult(gone.task, None, "The file cannot be read: No such file or directory.")
    folder = result_of(tmp_path, DescriptionPlan())
    assert (folder.failure, folder.lasting) == ("The file cannot be read: Is a directory.", False)


def test_a_photo_that_needs_too_much_memory_is_tried_alone(album: Album) -> None:
    result = result_of(album.draw("a.jpg"), DescriptionPlan(limits=DecodeLimits(max_pixels=10)))
    assert "more than the allowed 10" in result.failure
    assert (result.lasting, result.try_alone) == (True, True)


def test_a_file_above_the_size_limit_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large.jpg"
    with file.open("wb") as stream:
        stream.truncate(256 << 20)
    before = bytes_read()
    result = result_of(file, DescriptionPlan(limits=DecodeLimits(max_bytes=1 << 20)))
    assert bytes_read() - before < 1 << 20
    assert "268,435,456 bytes, more than the allowed 1,048,576" in result.failure
    assert (result.lasting, result.try_alone) == (True, True)


def bytes_read() -> int:
    """Return the number of bytes this process has read according to the system."""
    return int(Path("/proc/self/io").read_text().split()[1])
