"""Linear algebra that several learners share.

Only numpy's linear algebra is used in this room. The wheels of numpy and scipy carry two separate copies of
OpenBLAS whose idle threads spin; alternating between them made a training 20 times slower on two cores. And training
runs on one thread (`one_thread`): an eigendecomposition is thousands of short parallel sections, each of which waits
for its slowest thread, so that a second program on the same cores made one of 0.7 s take 15 s. The core that is left
is the window's.
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
"""Rows handled at once where a result for all photos is built block by block."""

_CACHED = 1 << 24
"""Bytes of rows up to which a processor has them in its cache when they are asked for again."""

_SAMPLE_STEP = 100
_SAMPLE_MARGIN = 3.0
_SPAN = 1e-12
_CHOLESKY_BLOCK = 32
_MORE = 8
"""Random vectors beyond the rank."""


class _OneThread:
    """The limit is the process's, so that it is set by whoever comes first and lifted by whoever leaves last."""

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
        """Return what limits the libraries; looking for them takes 8 ms: only where one may have been loaded since."""
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

    Rows that come from the memory are read one after the other: BLAS's product of a matrix with a vector reads several
    at a time, which takes one core twice as long, and four cores as long as one. In the cache it is three times as
    fast. The two round differently.
    """
    if rows.nbytes > _CACHED:
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
        ``ridge * mean(eigenvalues)`` is added to every eigenvalue. A negative power of a scatter matrix of few
        pairs needs it: the scatter is rank deficient.

    Returns
    -------
    ndarray of float64, shape (p, p)
        ``V diag((w + ridge * mean(w)) ** power) V'``. A matrix of zeros gives the identity; with a negative power
        and no ridge, directions without any spread are left out (the pseudo-inverse's convention).
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
    """Return the square root of a symmetric positive semidefinite matrix (p, p) of at most this rank.

    Where that is less than half of p, by the span of the products with as many seeded random vectors, in which the
    matrix is as it is (Halko, Martinsson & Tropp 2011, section 4.1): p^2 rank in place of p^3.
    """
    p = len(C)
    if 2 * rank >= p:
        return powm(C, 0.5)
    if not C.any():
        return np.zeros_like(C)
    drawn = np.random.default_rng(0).standard_normal((p, rank + _MORE))
    Q, _ = np.linalg.qr(C @ drawn)
    inner = powm(Q.T @ C @ Q, 0.5)
    return np.asarray(Q @ inner @ Q.T)


def cholesky_in_blocks(C: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the Cholesky factor of a symmetric positive definite matrix (p, p) in single precision.

    Most of it as products of matrices: for 600 dimensions in 1.5 ms instead of 2.4. Of each block the factor is taken
    in double precision.

    Raises
    ------
    numpy.linalg.LinAlgError
        It is not positive definite.
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
    """Return ``A' B`` (r, r) of A and B, both (p, r), where it is known to be symmetric: three quarters of the work."""
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
        One each, unless given; may be negative (to take pairs back).

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
        Largest number of them.
    tolerance : float
        Eigenvalues not above ``tolerance`` times the largest are left out.
    floor : float
        So are eigenvalues not above this: what rounding leaves where there is no spread at all.

    Returns
    -------
    values : ndarray of float64, shape (p,)
        Descending, all > 0; empty for a matrix of zeros.
    vectors : ndarray of float64, shape (d, p)
        Columns of length 1, signed so that the entry of largest size is positive (the same on every machine).
    """
    # numpy's, which lets other threads run meanwhile; scipy's for few eigenvectors is twice as fast, but holds the
    # interpreter's lock, and a window in the same process stands still as long.
    w, V = np.linalg.eigh((C + C.T) / 2)
    w, V = w[::-1][:count], V[:, ::-1][:, :count]
    kept = w > max(tolerance * w[0], floor, 0.0)
    w, V = w[kept], V[:, kept]
    if len(w):
        V = V * np.where(V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])] < 0, -1.0, 1.0)
    return w, V


def row_axes(
    rows: NDArray[np.float64],
    p: int,
    precision: type[np.floating] = np.float64,
    products: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Return eigenvalues (r,) and eigenvectors (p, r) of ``rows' rows``, rows (m, p), that are above rounding.

    By the smaller of the two matrices of products: m^3 or p^3. The eigenvectors are of type `precision`; `products`:
    ``rows rows'`` (m, m), where it is known.
    """
    if not len(rows):
        return np.empty(0), np.empty((p, 0), precision)
    if len(rows) >= p:
        w, V = matrix_axes(rows.T @ rows)
        return w, V.astype(precision, copy=False)
    w, V = _above_rounding(*np.linalg.eigh(rows @ rows.T if products is None else products))
    return w, rows.T.astype(precision, copy=False) @ (V / np.sqrt(w)).astype(precision, copy=False)


def matrix_axes(C: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return eigenvalues (r,) and eigenvectors (p, r) of a scatter (p, p) that are above rounding, ascending."""
    return _above_rounding(*np.linalg.eigh((C + C.T) / 2))


def _above_rounding(w: NDArray[np.float64], V: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    kept = w > _SPAN * max(float(w[-1]), 0.0)
    return (w, V) if kept.all() else (w[kept], V[:, kept])


def smallest(values: NDArray[np.floating], k: int, slack: float = 0.0) -> NDArray[np.intp]:
    """Return the positions of at least the k smallest values, unordered: candidates for an exact sort.

    A threshold from every 100th value lets about 3 k values through; looking at all values happens once, in a
    comparison. On a million values that is some 20 times faster than ``argpartition``, and exact.

    Parameters
    ----------
    values : ndarray of float, shape (N,)
    k : int, 1 <= k <= N
    slack : float, >= 0
        Values up to the k-th smallest plus `slack` are returned too: room for rounding errors, and ties.

    Returns
    -------
    ndarray of intp, shape (c,)
        Ascending positions, c >= k.
    """
    candidates = None
    sample = values[::_SAMPLE_STEP]
    wanted = int(np.ceil(_SAMPLE_MARGIN * k / _SAMPLE_STEP)) + 10
    if wanted < len(sample):
        threshold = np.partition(sample, wanted - 1)[wanted - 1]
        found = np.flatnonzero(values <= threshold)
        if len(found) >= k:
            candidates = found
    if candidates is None:
        kth = np.partition(values, k - 1)[k - 1]
        return np.flatnonzero(values <= kth + slack)
    kth = np.partition(values[candidates], k - 1)[k - 1]
    if kth + slack > threshold:
        return np.flatnonzero(values <= kth + slack)
    kept: NDArray[np.intp] = candidates[values[candidates] <= kth + slack]
    return kept


def nearest_first(
    distances: NDArray[np.float32], labels: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Sort by distance, equal ones by label.

    Both go into one number of 64 bits: numpy sorts a million of these in 10 ms, 20 times as fast as ``lexsort``.

    Parameters
    ----------
    distances : ndarray of float32, shape (c,)
    labels : ndarray of int, shape (c,)
        0..2**32 - 1.

    Returns
    -------
    labels : ndarray of int64, shape (c,)
    distances : ndarray of float32, shape (c,)
        Ascending; NaN last. Zeros have lost their signs.
    """
    bits = (distances + np.float32(0)).view(np.uint32)
    # Of numbers below 0, larger bits are smaller numbers.
    bits ^= np.where(bits >> 31, np.uint32(0xFFFFFFFF), np.uint32(0x80000000))
    keys = bits.astype(np.uint64)
    keys <<= np.uint64(32)
    keys |= labels.astype(np.uint64)
    keys.sort()
    bits = (keys >> np.uint64(32)).astype(np.uint32)
    bits ^= np.where(bits >> 31, np.uint32(0x80000000), np.uint32(0xFFFFFFFF))
    keys &= np.uint64(0xFFFFFFFF)
    return keys.view(np.int64), bits.view(np.float32)
