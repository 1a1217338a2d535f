# SPDX-License-Identifier: MIT
"""Linear algebra shared by the learners.

This room uses numpy's linear algebra only. The wheels of numpy and scipy contain two separate copies of OpenBLAS whose
idle threads spin; alternating between them made training 20 times slower on two cores. Training runs on one thread
(`one_thread`): an eigendecomposition consists of thousands of short parallel sections, each of which waits for its
slowest thread, so a second program on the same cores slowed one from 0.7 s to 15 s. The remaining core serves the
window.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

BLOCK_ROWS = 8192
"""Rows per block where a result for all photos is computed in blocks."""

CACHED = 1 << 24
"""Bytes of rows that a processor is assumed to hold in its cache between accesses."""

SAMPLE_STEP = 100
"""Distance of sampled values for `sampled_threshold`."""

_SAMPLE_MARGIN = 3.0
_SPAN = 1e-12
_CHOLESKY_BLOCK = 32
_OVERSAMPLING = 8
"""Random vectors in addition to the rank."""


class _OneThread:
    """Limit of the BLAS threads of the process: the first to enter sets it, the last to leave lifts it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._limits = ExitStack()
        self._libraries: ThreadpoolController | None = None
        self._modules = 0

    def enter(self) -> None:
        with self._lock:
            if not self._inside:
                self._limits.enter_context(self._controller().limit(limits=1, user_api="blas"))
            self._inside += 1

    def _controller(self) -> ThreadpoolController:
        """Return the controller of the BLAS libraries; as a search takes 8 ms, search again only after imports."""
        from threadpoolctl import ThreadpoolController

        if self._libraries is None or self._modules != len(sys.modules):
            self._libraries, self._modules = ThreadpoolController(), len(sys.modules)
        return self._libraries

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limits.close()


_ONE_THREAD = _OneThread()


@contextmanager
def one_thread() -> Iterator[None]:
    """Run linear algebra on one thread, in the whole process, while the context lasts; contexts may overlap."""
    _ONE_THREAD.enter()
    try:
        yield
    finally:
        _ONE_THREAD.leave()


def blocks(n: int, rows: int = BLOCK_ROWS) -> Iterator[slice]:
    """Yield slices that cover 0..n in order, each of at most `rows` rows."""
    for start in range(0, n, rows):
        yield slice(start, min(start + rows, n))


def row_products(
    rows: NDArray[np.float32], vector: NDArray[np.float32], out: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Return the product of each row (n, d) with a vector (d,): (n,).

    Rows that come from main memory are read one after the other: BLAS's matrix-vector product reads several at a time,
    which takes one core two times longer and keeps four cores as slow as one. For rows in the cache BLAS is three times
    faster. The results differ in rounding.
    """
    if rows.nbytes > CACHED:
        return np.vecdot(rows, vector, out=out)
    return np.matmul(rows, vector, out=out)


def powm(C: ArrayLike, power: float, ridge: float = 0.0) -> NDArray[np.float64]:
    """Return a power of a symmetric positive semidefinite matrix, with a relative ridge.

    Parameters
    ----------
    C : array_like, shape (p, p)
        Symmetric; eigenvalues below 0 (rounding) count as 0.
    power : float
        Exponent, e.g. -0.5.
    ridge : float, >= 0
        ``ridge * mean(eigenvalues)`` is added to every eigenvalue. A negative power of a scatter matrix of few pairs
        requires it, because the scatter is rank deficient.

    Returns
    -------
    ndarray of float64, shape (p, p)
        ``V diag((w + ridge * mean(w)) ** power) V'``. A zero matrix gives the identity; with a negative power and no
        ridge, directions without spread are dropped (as in a pseudo-inverse).
    """
    matrix = np.asarray(C, dtype=np.float64)
    w, V = np.linalg.eigh((matrix + matrix.T) / 2)
    w = np.maximum(w, 0.0)
    if w[-1] == 0.0:
        return np.eye(len(w))
    present = w > len(w) * np.finfo(np.float64).eps * w[-1]
    w = np.where(present, w, 0.0) + ridge * w.mean()
    powered = np.zeros_like(w)
    np.power(w, power, out=powered, where=w > 0)
    return np.asarray((V * powered) @ V.T)


def root_of_rank(C: NDArray[np.float64], rank: int) -> NDArray[np.float64]:
    """Return the square root of a symmetric positive semidefinite matrix (p, p) of at most the given rank.

    If the rank is less than half of p, the matrix is restricted to the span of its products with seeded random vectors,
    which loses nothing (Halko, Martinsson & Tropp 2011, section 4.1): p^2 rank instead of p^3.
    """
    p = len(C)
    if 2 * rank >= p:
        return powm(C, 0.5)
    if not C.any():
        return np.zeros_like(C)
    drawn = np.random.default_rng(0).standard_normal((p, rank + _OVERSAMPLING))
    Q, _ = np.linalg.qr(C @ drawn)
    inner = powm(Q.T @ C @ Q, 0.5)
    return np.asarray(Q @ inner @ Q.T)


def cholesky_in_blocks(C: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the Cholesky factor of a symmetric positive definite matrix (p, p) in single precision.

    Most of the work is matrix products, which is 1.6 times faster for 600 dimensions. The diagonal blocks are factored
    in double precision.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is not positive definite.
    """
    L = np.zeros_like(C)
    for part in blocks(len(C), _CHOLESKY_BLOCK):
        below = C[part.start :, part] - L[part.start :, : part.start] @ L[part, : part.start].T
        size = part.stop - part.start
        corner = np.linalg.cholesky(below[:size].astype(np.float64))
        L[part, part] = corner
        np.matmul(below[size:], np.linalg.inv(corner).T.astype(np.float32), out=L[part.stop :, part])
    return L


def symmetric_product(A: NDArray[np.floating], B: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return ``A' B`` (r, r) of A and B, both (p, r), if it is known to be symmetric: three quarters of the work."""
    half = A.shape[1] // 2
    result = np.empty((A.shape[1], A.shape[1]), A.dtype)
    np.matmul(A.T, B[:, half:], out=result[:, half:])
    np.matmul(A[:, :half].T, B[:, :half], out=result[:half, :half])
    result[half:, :half] = result[:half, half:].T
    return result


def sqd(A: NDArray[np.floating], B: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return squared Euclidean distances between rows.

    Parameters
    ----------
    A, B : ndarray of float, shape (a, d) and (b, d)

    Returns
    -------
    ndarray of float, shape (a, b)
        ``|A|^2 + |B|^2 - 2 A B'``, clamped at 0, in the precision of A and B. One matrix product, at the price of
        an absolute error of about the precision times the largest squared norm.
    """
    product = A @ B.T
    product *= -2
    product += np.einsum("ij,ij->i", A, A)[:, None]
    product += np.einsum("ij,ij->i", B, B)[None, :]
    return np.maximum(product, 0, out=product)


def pair_scatter(
    Y: NDArray[np.floating], pairs: NDArray[np.intp], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the sum over pairs of ``weight * (y_i - y_j)(y_i - y_j)'``.

    Parameters
    ----------
    Y : ndarray of float, shape (n, p)
    pairs : ndarray of intp, shape (s, 2)
    weights : ndarray of float64, shape (s,), optional
        Default: one each; may be negative (to subtract pairs).

    Returns
    -------
    ndarray of float64, shape (p, p)
        Cost s p^2.
    """
    total = np.zeros((Y.shape[1], Y.shape[1]))
    for part in blocks(len(pairs)):
        delta = Y[pairs[part, 0]].astype(np.float64) - Y[pairs[part, 1]]
        scaled = delta if weights is None else delta * weights[part, None]
        total += scaled.T @ delta
    return total


def principal_axes(
    C: NDArray[np.floating], count: int, tolerance: float = 1e-8, floor: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the leading eigenvalues and eigenvectors of a symmetric positive semidefinite matrix.

    Parameters
    ----------
    C : ndarray of float64, shape (d, d)
    count : int
        Maximum number.
    tolerance : float
        Eigenvalues up to ``tolerance`` times the largest are dropped.
    floor : float
        Eigenvalues up to this value are dropped: rounding errors where there is no spread.

    Returns
    -------
    values : ndarray of float64, shape (p,)
        Descending, all > 0; empty for a matrix of zeros.
    vectors : ndarray of float64, shape (d, p)
        Columns of length 1, signed so that the entry of largest size is positive (the same on every machine).
    """
    # numpy's version releases the interpreter lock. scipy's for few eigenvectors takes half the time, but holds the
    # lock, which freezes a window in the same process.
    w, V = np.linalg.eigh((C + C.T) / 2)
    w, V = w[::-1][:count], V[:, ::-1][:, :count]
    large = w > max(tolerance * w[0], floor, 0.0)
    w, V = w[large], V[:, large]
    if len(w):
        V = V * np.where(V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])] < 0, -1.0, 1.0)
    return w, V


def row_axes(
    rows: NDArray[np.float64],
    p: int,
    precision: type[np.floating] = np.float64,
    products: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Return eigenvalues (r,) and eigenvectors (p, r) of ``rows' rows``, rows (m, p), above rounding errors.

    Decomposes the smaller of the two product matrices: m^3 or p^3. The eigenvectors are of type `precision`;
    `products`: ``rows rows'`` (m, m), if known.
    """
    if not len(rows):
        return np.empty(0), np.empty((p, 0), precision)
    if len(rows) >= p:
        w, V = matrix_axes(rows.T @ rows)
        return w, V.astype(precision, copy=False)
    w, V = _above_rounding(*np.linalg.eigh(rows @ rows.T if products is None else products))
    return w, rows.T.astype(precision, copy=False) @ (V / np.sqrt(w)).astype(precision, copy=False)


def matrix_axes(C: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return eigenvalues (r,), ascending, and eigenvectors (p, r) of a scatter (p, p) above rounding errors."""
    return _above_rounding(*np.linalg.eigh((C + C.T) / 2))


def _above_rounding(w: NDArray[np.float64], V: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    large = w > _SPAN * max(float(w[-1]), 0.0)
    return (w, V) if large.all() else (w[large], V[:, large])


def smallest(values: NDArray[np.floating], k: int, slack: float = 0.0) -> NDArray[np.intp]:
    """Return the positions of at least the k smallest values, unordered: candidates for an exact sort.

    A threshold from every 100th value admits about 3 k values; all values are read only once, in a comparison. For a
    million values this is about 20 times faster than ``argpartition``, and exact.

    Parameters
    ----------
    values : ndarray of float, shape (N,)
    k : int, 1 <= k <= N
    slack : float, >= 0
        Values up to the k-th smallest plus `slack` are returned too: a margin for rounding errors, and ties.

    Returns
    -------
    ndarray of intp, shape (c,)
        Ascending positions, c >= k.
    """
    threshold = sampled_threshold(values[::SAMPLE_STEP], k)
    candidates = np.flatnonzero(values <= threshold)
    if len(candidates) < k:
        threshold, candidates = -np.inf, np.arange(len(values))
    kth = np.partition(values[candidates], k - 1)[k - 1]
    if kth + slack > threshold:
        return np.flatnonzero(values <= kth + slack)
    chosen: NDArray[np.intp] = candidates[values[candidates] <= kth + slack]
    return chosen


def sampled_threshold(sample: NDArray[np.floating], k: int) -> float:
    """Return a number that about 3 k values do not exceed, from every 100th of them; infinite if these are too few."""
    wanted = int(np.ceil(_SAMPLE_MARGIN * k / SAMPLE_STEP)) + 10
    return np.inf if wanted >= len(sample) else float(np.partition(sample, wanted - 1)[wanted - 1])


def nearest_first(
    distances: NDArray[np.float32], labels: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Sort by distance, equal distances by label.

    Both are packed into one 64-bit number: numpy sorts a million of these in 10 ms, 20 times faster than ``lexsort``.

    Parameters
    ----------
    distances : ndarray of float32, shape (c,)
    labels : ndarray of int, shape (c,)
        0..2**32 - 1.

    Returns
    -------
    labels : ndarray of int64, shape (c,)
    distances : ndarray of float32, shape (c,)
        Ascending; NaN last. Negative zeros become positive.
    """
    bits = (distances + np.float32(0)).view(np.uint32)
    # Of negative numbers, larger bit patterns are smaller numbers.
    bits ^= np.where(bits >> 31, np.uint32(0xFFFFFFFF), np.uint32(0x80000000))
    keys = bits.astype(np.uint64)
    keys <<= np.uint64(32)
    keys |= labels.astype(np.uint64)
    keys.sort()
    bits = (keys >> np.uint64(32)).astype(np.uint32)
    bits ^= np.where(bits >> 31, np.uint32(0x80000000), np.uint32(0xFFFFFFFF))
    keys &= np.uint64(0xFFFFFFFF)
    return keys.view(np.int64), bits.view(np.float32)
