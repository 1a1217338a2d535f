# SPDX-License-Identifier: MIT
"""Rank windows by a region, by regions judged similar and dissimilar to it, and by a metric."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.operations.ranking.queries.windows import unit_windows
from focal_photos.features.fitted.fisher_windows import WINDOWS
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.galleries.relevance_feedback import relevance_weights
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery

RERANKED_PHOTOS: Final = 2000
"""Photos nearest by the cosine, which are ranked again."""

_RERANKED_WINDOWS: Final = 4  # windows of each of them; 8 or all 55 give the same order
_BLOCK: Final = 512  # photos whose windows are in memory at once, as float32: 16 MB

_SHARPNESS: Final = 6.0
"""Similarity of windows at distance d: ``exp(-6 d^2 / m)``, with the median m of the squared distances of the region
and random windows. 4 to 8 are alike."""

_RANDOM: Final = 500  # random windows for the median

_SIMILAR_WEIGHT: Final = 2.0
_DISSIMILAR_WEIGHT: Final = 0.25
"""Weights of the mean window judged similar, and of the mean one judged dissimilar, in the first ranking."""

MAX_JUDGED: Final = 100
"""Judged regions used; of more, the latest."""


class JudgedWindows(NamedTuple):
    """Windows judged similar or dissimilar to a region."""

    rows: NDArray[np.float32]
    """Of unit length; shape (c, 144)."""
    similar: NDArray[np.bool_]
    """Shape (c,)."""


def sought(region: NDArray[np.float32], judged: JudgedWindows) -> NDArray[np.float32]:
    """Return the values (144,) by which the first photos are found: the region, moved by the judgements (Rocchio).

    Parameters
    ----------
    region : ndarray of float32, shape (144,)
        Values of the region, of unit length.

    References
    ----------
    J. Rocchio, "Relevance feedback in information retrieval", 1971.
    """
    moved = region.copy()
    for weight, some in (
        (_SIMILAR_WEIGHT, judged.rows[judged.similar]),
        (-_DISSIMILAR_WEIGHT, judged.rows[~judged.similar]),
    ):
        if len(some):
            moved += np.float32(weight) * some.mean(axis=0)
    return moved


def relevance(
    store: CodeStore,
    ids: NDArray[np.int64],
    near: NDArray[np.float32],
    region: NDArray[np.float32],
    judged: JudgedWindows,
    learner: DistanceLearner | None,
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Return the relevance of photos, that of their most relevant windows.

    The relevance of a window is the weighted sum of its similarities to the region and to the judged windows
    (`learners.galleries.relevance_feedback.relevance_weights`): about 1 if it is like the region or a window judged
    similar, and 0 if it is like none.

    Parameters
    ----------
    store : CodeStore
        Codes of windows.
    ids : ndarray of int64, shape (n,)
    near : ndarray of float32, shape (144,)
        What chooses the 4 windows of each photo that are compared: those with the largest products with it.
    region : ndarray of float32, shape (144,)
        Of unit length.
    learner : DistanceLearner or None
        Metric of windows; None: their Euclidean distance, which orders them as the cosine does.

    Returns
    -------
    relevance : ndarray of float32, shape (n,)
    windows : ndarray of intp, shape (n,)
        Numbers of the most relevant windows.
    """
    rng = np.random.default_rng(0)
    some = np.sort(rng.choice(store.ids, min(_RANDOM, len(store.ids)), replace=False))
    at_random = unit_windows(store, some)[np.arange(len(some)), rng.integers(0, len(WINDOWS), len(some))]
    windows = np.empty((len(ids), _RERANKED_WINDOWS), np.intp)
    compared = np.empty((len(ids), _RERANKED_WINDOWS, len(region)), np.float32)
    for start in range(0, len(ids), _BLOCK):
        part = slice(start, start + _BLOCK)
        rows = unit_windows(store, ids[part])
        windows[part] = np.sort(
            np.argpartition(rows @ near, -_RERANKED_WINDOWS, axis=1)[:, -_RERANKED_WINDOWS:], axis=1
        )
        compared[part] = np.take_along_axis(rows, windows[part][:, :, None], axis=1)
    anchors = np.concatenate([region[None], judged.rows])
    points = np.concatenate([anchors, at_random, compared.reshape(-1, len(region))])
    embedded = points if learner is None else gallery_rows(learner, points)
    gallery, every = row_gallery(learner, embedded), np.arange(len(points))
    squared = np.stack([gallery.distances(embedded[anchor], every) for anchor in range(len(anchors))]) ** 2
    count = len(anchors)
    scale = max(float(np.median(squared[0, count : count + len(some)])), 1e-9)
    alike = np.exp(squared * np.float32(-_SHARPNESS / scale))
    among = (alike[:, :count] + alike[:, :count].T) / 2
    np.fill_diagonal(among, 1)
    weights = relevance_weights(among, np.concatenate([[True], judged.similar])).astype(np.float32)
    relevant = (weights @ alike[:, count + len(some) :]).reshape(-1, _RERANKED_WINDOWS)
    best = relevant.argmax(axis=1)
    return relevant.max(axis=1), windows[np.arange(len(ids)), best]
