# SPDX-License-Identifier: MIT
"""Boxes described like photos, and their saved descriptions."""

from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Box, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.browser.operations.describing.extraction.describe_boxes import BoxDescriptions, describe_boxes
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from tests.browser.operations.tagging.boxes.test_suggest_boxes import bare as bare
from tests.browser.operations.tagging.boxes.test_suggest_boxes import photo, region_of


@pytest.fixture
def boxes(bare: Library) -> list[Box]:
    bare.boxes.add((photo(bare, f"0-{number}.png"), region_of(number), "thing") for number in range(4))
    return bare.boxes.all()


def families(library: Library) -> list[GlobalDescriptor]:
    return [one for one in ready_descriptors(library) if isinstance(one, GlobalDescriptor)]


def describe(library: Library, boxes: list[Box]) -> BoxDescriptions:
    return finish(describe_boxes(library, boxes, families(library)))


def work_of(library: Library, boxes: list[Box]) -> int:
    """Return the number of boxes that are described now."""
    return max(one.done for one in describe_boxes(library, boxes, families(library)))


def test_a_box_is_described_like_a_photo_of_its_part(bare: Library, boxes: list[Box]) -> None:
    found = describe(bare, boxes)
    assert found.boxes == boxes
    pixels = decode(bare.photos.paths([boxes[1].photo_id])[0]).rgb[8:56, 136:184]
    part = WorkingImage.from_array(np.ascontiguousarray(pixels))
    expected = np.concatenate([one.of(part) for one in families(bare)])
    assert found.vectors[1] == pytest.approx(expected, abs=2e-3, rel=2e-3)
    assert found.codes.shape == (4, 0), "this library has no codes"


def test_only_new_and_moved_boxes_are_described(bare: Library, boxes: list[Box]) -> None:
    before = describe(bare, boxes)
    assert work_of(bare, boxes) == 0
    again = describe(bare, boxes)
    assert (again.vectors == before.vectors).all()
    bare.boxes.move(boxes[0].id, Region(0.2, 0.2, 0.7, 0.9))
    assert work_of(bare, bare.boxes.all()) == 1
    bare.journal.undo()
    assert work_of(bare, bare.boxes.all()) == 0


def test_a_closed_job_keeps_what_is_described(bare: Library, boxes: list[Box]) -> None:
    job = describe_boxes(bare, boxes, families(bare))
    while next(job).done < 2:
        pass
    job.close()
    assert work_of(bare, boxes) == 2, "the other two"


def test_damaged_descriptions_and_those_by_other_descriptors_are_made_again(bare: Library, boxes: list[Box]) -> None:
    before = describe(bare, boxes)
    fewer = finish(describe_boxes(bare, boxes, families(bare)[:1]))
    assert fewer.vectors.shape[1] < before.vectors.shape[1]
    file = bare.path / "derived" / "boxes.npz"
    file.write_bytes(file.read_bytes()[:-100])
    assert (describe(bare, boxes).vectors == before.vectors).all()


def test_boxes_of_missing_photos_are_left_out_unless_they_were_described_before(
    bare: Library, boxes: list[Box]
) -> None:
    describe(bare, boxes[:2])
    for box in boxes[1:3]:
        bare.photos.paths([box.photo_id])[0].unlink()
    found = describe(bare, boxes)
    assert found.boxes == [*boxes[:2], boxes[3]]
    assert describe(bare, boxes[2:3]).boxes == []
