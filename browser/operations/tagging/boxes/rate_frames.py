# SPDX-License-Identifier: MIT
"""Rate the likeliest frames of suggested boxes by their exact descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.tags.confidence.part_confidence import PartConfidence
from focal_photos.learners.tags.shared_discriminants import SharedDiscriminants

_MIN_CANDIDATES: Final = 20  # described candidates from which frames are rated
_BACKGROUND: Final = 600  # candidates that the discriminants are learned from
_RIDGE: Final = 0.01  # of the variance in all directions
_JITTER: Final = 1e-4
_SHARE, _MIDDLE = 0.2, 2.0
"""Share of the candidates that are right, and score at which as many are right as wrong, before any is known."""

Floats = NDArray[np.float64]


class Example(NamedTuple):
    """A described part of a photo, for learning."""

    photo_id: int
    kind: int
    vector: NDArray[np.float16]
    """Shape (d,)."""
    fits: bool = True
    """For a left-out box: whether the frame found in its photo fits."""


def rate_frames(
    drawn: Sequence[Example],
    left_out: Sequence[Example],
    refused: Sequence[Example],
    candidates: Sequence[Example],
    shares: Sequence[float | None],
    background: Sequence[NDArray[np.float16]] = (),
) -> Floats | None:
    """Return the confidence that each candidate shows its kind and fits: (n,), NaN for kinds without left-out boxes.

    A kind has a linear discriminant against the candidates of all kinds, which are photos and places that the windows
    alone mistake for a kind. The confidence follows from the scores of left-out boxes, of rejected frames, of boxes of
    other kinds, and of the candidates; see `PartConfidence`. If no box of a kind was left out, nothing shows how high
    its scores are in other photos.

    Parameters
    ----------
    drawn : sequence of Example
        Drawn boxes.
    left_out : sequence of Example
        The frames of left-out boxes.
    refused : sequence of Example
        Rejected frames.
    shares : sequence of n float or None
        Probability of each candidate without its score; None: learned.
    background : sequence of ndarray of float16, shape (d,)
        Random parts of other photos. They replace the candidates as background if there is one kind only, because most
        candidates may then show it.

    Returns
    -------
    ndarray of float64, shape (n,), or None
        None if there are too few descriptions.
    """
    if len(candidates) < _MIN_CANDIDATES or not drawn:
        return None
    present = sorted({one.kind for one in drawn})
    column = {kind: number for number, kind in enumerate(present)}
    every = [*candidates, *drawn, *left_out, *refused]
    with one_thread():
        rows = np.stack([*(one.vector for one in every), *background]).astype(np.float32)
        products = np.asarray(rows @ rows.T, np.float64)
        # Coordinates with the same products, as many as there are examples.
        x = scipy.linalg.cholesky(products + _JITTER * np.eye(len(products)), lower=True)
        del rows, products
        ends = np.cumsum([len(candidates), len(drawn), len(left_out), len(refused)])
        of_candidates, of_drawn, of_left_out, of_refused, of_background = np.split(x, ends)
        step = -(-len(candidates) // _BACKGROUND)
        drawn_kinds = np.array([column[one.kind] for one in drawn], np.intp)
        learned = SharedDiscriminants(_RIDGE * x.shape[1]).fit(
            of_background if len(background) >= _MIN_CANDIDATES else of_candidates[::step], of_drawn, drawn_kinds
        )
        scores = learned.scores(of_candidates)
        photos = np.array([one.photo_id for one in drawn])
        shown: list[float] = []
        absent: list[float] = []
        for one, row in zip(left_out, of_left_out, strict=True):
            alike = (photos != one.photo_id) & (drawn_kinds == column.get(one.kind, -1))
            if alike.any():
                score = float(learned.scores_like(row[None], of_drawn[alike])[0])
                (shown if one.fits else absent).append(score)
        others = learned.scores(of_drawn)[drawn_kinds[:, None] != np.arange(len(present))]
        wrong = [
            learned.scores(row[None])[0, column[one.kind]]
            for one, row in zip(refused, of_refused, strict=True)
            if one.kind in column
        ]
    own = np.array([column.get(one.kind, -1) for one in candidates], np.intp)
    number = np.arange(len(candidates))
    untagged = np.full((len(candidates), len(present)), np.nan)
    usable = (own >= 0) & np.array([share is None for share in shares])
    untagged[number[usable], own[usable]] = scores[number[usable], own[usable]]
    confidence = PartConfidence(_SHARE, _MIDDLE).fit(
        np.array(shown, np.float64),
        np.concatenate([np.array(absent, np.float64), others.ravel(), np.array(wrong, np.float64)]),
        np.ones(len(shown)),
        np.ones(len(shown), np.bool_),
        untagged,
    )
    found = np.full(len(candidates), np.nan)
    of_kinds = [confidence.shares_[j] if share is None else share for j, share in zip(own, shares, strict=True)]
    rated = confidence.shown(scores[number, own], np.array(of_kinds, np.float64))
    compared = np.isin(own, [column[one.kind] for one in left_out if one.kind in column])
    found[compared] = rated[compared]
    return found
