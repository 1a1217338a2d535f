# SPDX-License-Identifier: MIT
"""Distances from each patch of a photo to the nearest patch of others: the elements of Frome's local distances."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

MISSING: Final = math.sqrt(2)
"""Distance to a photo without patches: the maximum for two unit vectors, or two histograms of sum 1, without negative
entries, and for their projections onto principal axes."""

_ROWS = 2048
"""Maximum number of candidate patches in one matrix product."""

_COLUMNS = 1024
"""Maximum number of focal patches in one matrix product, whose result takes at most 8 MB."""

_CANCELLED = 1e-3
"""Squared distances below this share of the squared lengths have lost too many digits in |a|² + |b|² - 2ab."""

_ROUNDING = 1e-4
"""Rounding error as a share of the squared lengths; candidates within it are compared exactly."""


def with_places(
    vectors: NDArray[np.floating], points: NDArray[np.floating], size: tuple[float, float], weight: float
) -> NDArray[np.floating]:
    """Append to each patch its position in the photo, so that distances include the displacement of a match.

    Parameters
    ----------
    vectors : ndarray of float16 or float32, shape (n, d)
    points : ndarray of float, shape (n, 2)
        x and y in pixels.
    size : tuple of float
        Width and height of the photo in the same pixels.
    weight : float
        >= 0; distance between two equal patches one photo width apart. 0: `vectors` are returned unchanged.

    Returns
    -------
    ndarray of the type of `vectors`, shape (n, d + 2), or (n, d)

    References
    ----------
    O. Boiman, E. Shechtman and M. Irani, "In defense of nearest-neighbor based image classification", CVPR 2008,
    section 5. Not part of Frome's distances.
    """
    if not weight:
        return vectors
    places = np.asarray(points, np.float32) * (np.float32(weight) / np.asarray(size, np.float32))
    return np.column_stack([vectors, places.astype(vectors.dtype)])


def elementary_distances(
    focal: NDArray[np.floating],
    candidates: NDArray[np.floating],
    offsets: NDArray[np.integer],
    *,
    missing: float = MISSING,
) -> NDArray[np.float32]:
    """Return the L2 distance of each focal patch to the nearest patch of each candidate photo.

    Computed by matrix products in single precision over blocks of patches, which take some 20 MB of memory in addition
    to the result and two copies of `focal`, for any number of candidates; `candidates` may be a memory map. Values are
    exact to 2e-5 of the vectors' lengths; identical patches give 0.

    Parameters
    ----------
    focal : ndarray of float16, float32 or float64, shape (M, d)
        Patches of the focal photo, or of several focal photos, concatenated.
    candidates : ndarray of float16, float32 or float64, shape (total, d)
        Patches of all candidates, concatenated by photo.
    offsets : ndarray of int, shape (N + 1,)
        Candidate n has the rows ``offsets[n]:offsets[n + 1]``; from 0 to total, non-decreasing.
    missing : float
        Value for a candidate without patches.

    Returns
    -------
    ndarray of float32, shape (N, M)
        Finite, >= 0.

    Raises
    ------
    ValueError
        If shapes or offsets are inconsistent.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions", NIPS 2006,
    section 3.
    """
    bounds = _checked(focal, candidates, offsets)
    result = np.full((len(bounds) - 1, len(focal)), np.inf, np.float32)
    # The product of [b, |b|², 1] and [-2a, 1, |a|²] is the squared distance, without further additions.
    focal = _single(focal)
    sizes = _squared_lengths(focal)
    weights = np.column_stack([-2 * focal, np.ones_like(sizes), sizes])
    product = np.empty(_ROWS * min(_COLUMNS, len(focal)), np.float32)
    for photos in _runs(bounds):
        first, last = int(bounds[photos.start]), int(bounds[photos.stop])
        vectors = _single(candidates[first:last])
        lengths = _squared_lengths(vectors)
        rows = np.column_stack([vectors, lengths, np.ones_like(lengths)])
        for column in range(0, len(focal), _COLUMNS):
            part = slice(column, min(column + _COLUMNS, len(focal)))
            least = np.full((photos.stop - photos.start, part.stop - column), np.inf, np.float32)
            for start in range(0, len(rows), _ROWS):
                squares = product[: len(rows[start : start + _ROWS]) * least.shape[1]].reshape(-1, least.shape[1])
                np.matmul(rows[start : start + _ROWS], weights[part].T, out=squares)
                each = squares.reshape(len(least), -1, least.shape[1])
                nearest = _nearest(each, focal[part], sizes[part], vectors[start : start + _ROWS])
                np.minimum(least, nearest, out=least)
            np.sqrt(least, out=result[photos, part])
    result[np.isinf(result)] = missing
    return result


def _nearest(
    squares: NDArray[np.float32], a: NDArray[np.float32], sizes: NDArray[np.float32], b: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return exact nearest squared distances (photos, len(a)), from `squares` (photos, rows, len(a)) with errors."""
    least: NDArray[np.float32] = squares.min(axis=1)
    near = least <= _CANCELLED * sizes
    if near.any():
        vectors = b.reshape(len(squares), -1, b.shape[1])
        for photo, i in np.argwhere(near).tolist():
            alike = vectors[photo, squares[photo, :, i] <= least[photo, i] + _ROUNDING * sizes[i]]
            least[photo, i] = _squared_lengths(a[i] - alike).min()
    return least


def _runs(bounds: NDArray[np.int64]) -> Iterator[slice]:
    """Yield slices of consecutive photos with equal numbers of patches; long steps rarely wait for the interpreter."""
    counts = np.diff(bounds)
    edges = np.concatenate([[0], np.flatnonzero(np.diff(counts)) + 1, [len(counts)]])
    for start, stop in pairwise(edges.tolist()):
        count = int(counts[start]) if start < stop else 0
        if not count:
            continue
        step = max(1, _ROWS // count)
        for first in range(start, stop, step):
            yield slice(first, min(first + step, stop))


def _single(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return contiguous float32; from float16 three times faster than `astype`."""
    if vectors.dtype != np.float16:
        return np.ascontiguousarray(vectors, np.float32)
    # Move sign, exponent and fraction to their positions in a float32; the factor corrects the exponent's bias.
    bits = np.ascontiguousarray(vectors).view(np.int16).astype(np.int32)
    bits <<= 13
    bits &= np.int32(-0x70000001)
    single = bits.view(np.float32)
    single *= np.float32(2.0**112)
    return single


def _squared_lengths(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths: NDArray[np.float32] = np.einsum("ij,ij->i", vectors, vectors)
    return lengths


def _checked(
    focal: NDArray[np.floating], candidates: NDArray[np.floating], offsets: NDArray[np.integer]
) -> NDArray[np.int64]:
    if focal.ndim != 2 or candidates.ndim != 2 or focal.shape[1] != candidates.shape[1]:
        raise ValueError(f"Patches are rows of one length, these are {focal.shape} and {candidates.shape}.")
    bounds = np.asarray(offsets, np.int64)
    if bounds.ndim != 1 or len(bounds) == 0 or bounds[0] != 0 or bounds[-1] != len(candidates):
        raise ValueError(f"The offsets must go from 0 to {len(candidates)}, the number of candidates' patches.")
    if (np.diff(bounds) < 0).any():
        raise ValueError("The offsets must not fall.")
    return bounds
