# SPDX-License-Identifier: MIT
"""Boxes whose names are probably wrong, with the boxes that contradict them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.records import Box, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import global_by_keys
from focal_photos.browser.operations.describing.extraction.describe_boxes import describe_boxes
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.space import prepare_space
from focal_photos.browser.operations.tagging.label_errors import MAX_LISTED, SUPPORTERS, LabelError, LabelErrorKind
from focal_photos.browser.operations.tagging.learn_tags import MIN_PHOTOS_FOR_MORE_AXES
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence, typical_temperature
from focal_photos.learners.tags.label_errors import label_errors
from focal_photos.learners.tags.tag_ridge import TagRidge

MIN_PROBABILITY: Final = 0.75
"""Probability above which a box is reported: with 2 % wrong names, a sixth of the boxes above .5 have right ones, but
only a twentieth of those above .75 (ALGORITHMS.md, 5.9)."""

_MAX_EXACT_BOXES: Final = 3000  # boxes up to which the regression is exact
_STAGE: Final = Text("Checking boxes")


def find_box_errors(library: Library) -> Job[tuple[LabelError, ...]]:
    """Find boxes whose names are probably wrong, without changing anything.

    A name is compared with the confidences that are estimated from the other boxes, as tags of photos are
    (`tagging.label_errors`): boxes are cut out and described like photos. Boxes at the same place of a photo are one
    example with several tags. A box is confirmed if its tag is confirmed for its photo.

    Returns
    -------
    tuple of LabelError
        At most `MAX_LISTED`, likeliest errors first; empty without evidence of any error.

    Raises
    ------
    NothingIndexedError
        If no photo is described yet.
    """
    yield Progress(_STAGE, 0)
    confirmed = library.confirmations.tags()
    boxes = [box for box in reversed(library.boxes.all()) if box.tag and not box.uncertain]
    if len({box.tag for box in boxes}) < 2:
        return ()
    space = yield from prepare_space(library, wide=len(boxes) >= MIN_PHOTOS_FOR_MORE_AXES)
    keys = [family.name for family in space.families]
    by_key = global_by_keys(library, keys)
    described = yield from describe_boxes(library, boxes, [by_key[key] for key in keys])

    def work(report: ProgressReport) -> tuple[LabelError, ...]:
        if not described.boxes:
            return ()
        rows = space.transform(described.vectors)
        report(0.1)
        with one_thread():
            return _errors(described.boxes, rows, described.codes, space.families_, confirmed)

    return (yield from in_thread(_STAGE, work, keeps=False))


def _errors(
    boxes: Sequence[Box],
    rows: NDArray[np.float32],
    codes: NDArray[np.uint8],
    families: tuple[FeatureFamily, ...],
    confirmed: set[tuple[int, str]],
) -> tuple[LabelError, ...]:
    """Return the errors among n boxes with rows (n, p) and codes (n, c)."""
    names = sorted({str(box.tag) for box in boxes})
    example: dict[tuple[int, Region], int] = {}
    places = [example.setdefault((box.photo_id, box.region), len(example)) for box in boxes]
    shape = len(example), len(names)
    tags, settled, box_at = np.zeros(shape), np.zeros(shape, bool), np.full(shape, -1, np.intp)
    first = np.full(len(example), -1, np.intp)
    for row, (box, place) in enumerate(zip(boxes, places, strict=True)):
        column = names.index(str(box.tag))
        tags[place, column], box_at[place, column], first[place] = 1, row, row
        settled[place, column] = (box.photo_id, box.tag) in confirmed
    carried = scipy.sparse.csr_array(tags)
    ridge = TagRidge(exact=_MAX_EXACT_BOXES, families=families).fit(
        rows[first], carried, codes=codes[first] if codes.shape[1] else None
    )
    learned = TagConfidence(typical_temperature(ridge)).fit(ridge.left_out_, carried, kinds=ridge.kind_left_out_)
    sure = learned.confidences(ridge.left_out_).unless_foreign
    wrong = label_errors(sure, np.zeros(len(sure)), tags, exclusive=learned.exclusive_, confirmed=settled)
    errors: list[LabelError] = []
    count = min(MAX_LISTED, int((wrong.probability > MIN_PROBABILITY).sum()))
    for place, column, probability, other in zip(
        *(found[:count].tolist() for found in (wrong.photo, wrong.tag, wrong.probability, wrong.instead)), strict=True
    ):
        row = int(box_at[place, column])
        near = [] if other < 0 else _nearest(rows, row, [i for i in box_at[:, other].tolist() if i >= 0])
        errors.append(
            LabelError(
                LabelErrorKind.TAG,
                item_of(boxes[row].id),
                probability,
                names[column],
                None if other < 0 else names[other],
                supporters=tuple(item_of(boxes[one].id) for one in near),
            )
        )
    return tuple(errors)


def _nearest(rows: NDArray[np.float32], row: int, others: list[int]) -> list[int]:
    """Return the rows among others that are nearest to one."""
    far = np.square(rows[others] - rows[row]).sum(axis=1)
    return [others[place] for place in np.argsort(far, kind="stable")[:SUPPORTERS].tolist()]
