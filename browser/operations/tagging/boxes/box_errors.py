# SPDX-License-Identifier: MIT
"""Boxes whose names are probably wrong, with the boxes that contradict them."""

from __future__ import annotations

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.queries.described_boxes import DescribedBoxes, described_boxes
from focal_photos.browser.operations.tagging.label_errors import MAX_LISTED, SUPPORTERS, LabelError, LabelErrorKind
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence, typical_temperature
from focal_photos.learners.tags.label_errors import label_errors
from focal_photos.learners.tags.tag_ridge import TagRidge

MIN_PROBABILITY: Final = 0.9
"""Probability above which a box is reported. Windows show less than whole photos: of the boxes above .5, half are
right (`tests.benchmarks.parts.named`)."""

_MAX_EXACT_BOXES: Final = 3000  # boxes up to which the regression is exact
_STAGE: Final = Text("Checking boxes")


def find_box_errors(library: Library) -> Job[tuple[LabelError, ...]]:
    """Find boxes whose names are probably wrong, without changing anything.

    A name is compared with the confidences that are estimated from the other boxes, as tags of photos are
    (`tagging.label_errors`). Boxes at the same place of a photo are one example with several tags. A box is confirmed
    if its tag is confirmed for its photo.

    Returns
    -------
    tuple of LabelError
        At most `MAX_LISTED`, likeliest errors first; empty without evidence of any error.

    Raises
    ------
    NoWindowsError
        If photos are not described for searches by a region.
    """
    yield Progress(_STAGE, 0)
    confirmed = library.confirmations.tags()

    def work(report: ProgressReport) -> tuple[LabelError, ...]:
        found = described_boxes(library)
        report(0.2)
        with one_thread():
            return _errors(found, confirmed)

    return (yield from in_thread(_STAGE, work, keeps=False))


def _errors(found: DescribedBoxes, confirmed: set[tuple[int, str]]) -> tuple[LabelError, ...]:
    """Return the errors among boxes."""
    named = [row for row, box in enumerate(found.boxes) if box.tag and found.rows[row].any()]
    names = sorted({str(found.boxes[row].tag) for row in named})
    if len(names) < 2:
        return ()
    example: dict[tuple[int, Region], int] = {}
    boxes = [found.boxes[row] for row in named]
    places = [example.setdefault((box.photo_id, box.region), len(example)) for box in boxes]
    columns = [names.index(str(box.tag)) for box in boxes]
    shape = len(example), len(names)
    tags, settled, box_at = np.zeros(shape), np.zeros(shape, bool), np.full(shape, -1, np.intp)
    for row, box, place, column in zip(named, boxes, places, columns, strict=True):
        tags[place, column], box_at[place, column] = 1, row
        settled[place, column] = (box.photo_id, box.tag) in confirmed
    rows = np.empty((len(example), found.rows.shape[1]), np.float32)
    rows[places] = found.rows[named]
    carried = scipy.sparse.csr_array(tags)
    ridge = TagRidge(exact=_MAX_EXACT_BOXES).fit(rows, carried)
    learned = TagConfidence(typical_temperature(ridge)).fit(ridge.left_out_, carried, kinds=ridge.kind_left_out_)
    sure = learned.confidences(ridge.left_out_).unless_foreign
    wrong = label_errors(sure, np.zeros(len(sure)), tags, exclusive=learned.exclusive_, confirmed=settled)
    errors: list[LabelError] = []
    for place, column, probability, other in zip(
        wrong.photo.tolist(), wrong.tag.tolist(), wrong.probability.tolist(), wrong.instead.tolist(), strict=True
    ):
        if probability > MIN_PROBABILITY and len(errors) < MAX_LISTED:
            row = int(box_at[place, column])
            near = () if other < 0 else _nearest(found, row, [i for i in box_at[:, other].tolist() if i >= 0])
            errors.append(
                LabelError(
                    LabelErrorKind.TAG,
                    int(found.items[row]),
                    probability,
                    names[column],
                    None if other < 0 else names[other],
                    supporters=near,
                )
            )
    return tuple(errors)


def _nearest(found: DescribedBoxes, row: int, others: list[int]) -> tuple[int, ...]:
    """Return the items of the boxes in other rows that are most similar to that in a row."""
    like: NDArray[np.float32] = found.rows[others] @ found.rows[row]
    return tuple(found.items[others][np.argsort(-like, kind="stable")[:SUPPORTERS]].tolist())
