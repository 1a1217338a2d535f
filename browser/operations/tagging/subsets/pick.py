# SPDX-License-Identifier: MIT
"""Pick photos for a goal: different, typical, odd or uncertain ones, the same number of each tag, or the nearest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import described_in, read_annotated
from focal_photos.browser.operations.tagging.learn_tags import looks_for_tags
from focal_photos.browser.operations.tagging.review.ask_next import ask_next
from focal_photos.browser.operations.tagging.review.question_scope import QuestionScope
from focal_photos.learners.galleries.subsets import balanced, farthest_first, oddness, typical

_STAGE: Final = Text("Picking photos")


class Goal(StrEnum):
    """What picked photos are good for."""

    DIVERSE = "diverse"
    TYPICAL = "typical"
    ODD = "odd"
    BALANCED = "balanced"
    UNSURE = "unsure"
    NEAR = "near"


@dataclass(frozen=True)
class PickedPhotos:
    """A subset of photos."""

    ids: NDArray[np.int64]
    """In the order of choice, so that the first ones are a subset for the goal too (not for `Goal.UNSURE`); shape
    (k,)."""
    considered: int
    """Number of photos from which they were chosen."""


def pick(
    library: Library,
    ranker: Ranker,
    goal: Goal,
    count: int,
    *,
    among: NDArray[np.int64],
    seed: int = 0,
    image: Path | None = None,
) -> Job[PickedPhotos]:
    """Pick photos without changing anything.

    * diverse: each photo is the farthest from those picked before it, after a random first one.
    * typical: each photo of the library has a similar one among them.
    * odd: those with the largest distance to their nearest photos, the oddest first.
    * balanced: each tag has about the same number of photos, which are typical of it.
    * unsure: untagged photos that are unlike the tagged ones, or between several tags (see `ask_next`).
    * near: the nearest to an image, nearest first.

    The coordinates are those of suggestions (`learn_tags.looks_for_tags`); `near` uses the current metric.

    Parameters
    ----------
    count : int
        Maximum number of photos.
    among : ndarray of int64, shape (n,)
        Candidates. Photos that are not described are ignored.
    seed : int
        The same seed gives the same photos.
    image : pathlib.Path, optional
        For `Goal.NEAR`: an image, which may be outside the library.

    Raises
    ------
    OperationError
        If no candidate is described, or the goal needs tags and none of the candidates has any (balanced), or no photo
        of the library (unsure); as for `Ranker.rank` and `Ranker.gallery`.
    """
    if goal is Goal.NEAR:
        if image is None:
            raise ValueError("near needs an image")
        yield Progress(_STAGE, 0)
        ranking = ranker.rank(image, limit=count, among=among)
        return PickedPhotos(ranking.photo_ids, len(described_in(ranker.gallery().row_table, among)))
    gallery = ranker.gallery()
    looks = looks_for_tags(ranker, gallery)
    ids = described_in(looks.row_table, np.unique(among))
    tags: scipy.sparse.csr_array | None = None
    if goal is Goal.UNSURE:
        read_annotated(library, gallery, set())  # raises an error if there are no tags
        ids = np.intersect1d(ids, library.photos.ids("untagged"))
    elif goal is Goal.BALANCED:
        tags = scipy.sparse.csr_array(library.tags.matrix(ids)[0])
        if not tags.nnz:
            raise OperationError("None of the photos is tagged: tag a few photos first, or choose another goal.")
    if not len(ids):
        raise OperationError("There are no described photos to pick from: index photos, or choose other ones.")

    if goal is Goal.UNSURE:
        chosen = yield from ask_next(library, ranker, count, scope=QuestionScope(ids))
        return PickedPhotos(np.array(chosen, dtype=np.int64), len(ids))

    def choose(report: Callable[[float], None]) -> PickedPhotos:
        X = np.asarray(looks.rows[looks.row_table[ids]], dtype=np.float32)
        if tags is not None:
            rows = balanced(X, tags, count, seed, report)
        elif goal is Goal.TYPICAL:
            rows = typical(X, count, seed, report)
        elif goal is Goal.ODD:
            rows = np.argsort(-oddness(X, seed, report), kind="stable")[:count]
        else:
            start = int(np.random.default_rng(seed).integers(len(X)))
            rows = farthest_first(X, count, start, report)
        return PickedPhotos(ids[rows], len(ids))

    return (yield from in_thread(_STAGE, choose, keeps=False))
