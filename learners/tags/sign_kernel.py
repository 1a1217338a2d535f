# SPDX-License-Identifier: MIT
"""A kernel on codes of bits: how far two photos deviate from all photos in the same bits."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.linalg import blocks

_WORD_BYTES: Final = 8  # bytes
_TILE: Final = 32  # rows whose words are compared at a time, to stay in the processor's cache
_ROWS: Final = 256  # rows whose bits are unpacked at a time, to 4 bytes each
_MIN_LENGTH_SHARE: Final = 1e-6  # share of the squared length of a code below which it is rounding


def agreement(codes: NDArray[np.uint8], others: NDArray[np.uint8] | None = None) -> NDArray[np.int32]:
    """Return the number of equal bits minus that of different bits: inner products of codes with bits 1 and -1.

    Parameters
    ----------
    codes : ndarray of uint8, shape (q, c)
        Packed bits.
    others : ndarray of uint8, shape (n, c), optional
        Default: `codes` with themselves, in half the time.

    Returns
    -------
    ndarray of int32, shape (q, n)
    """
    bits = 8 * codes.shape[1]
    a = _words(codes)
    b = a if others is None else _words(others)
    found = np.empty((len(a), len(b)), np.int32)
    for tile in blocks(len(b), _TILE):
        for row in range(tile.start if others is None else 0, len(a)):
            differ = np.bitwise_count(b[tile] ^ a[row]).sum(axis=1, dtype=np.int32)
            found[row, tile] = bits - 2 * differ
        if others is None:
            found[tile, tile.stop :] = found[tile.stop :, tile].T
    return found


class SignKernel:
    """Cosine between codes, centred on the mean code of the training photos.

    Bits are read as 1 and -1. Bits that most photos share are uninformative; the cosine is 1 between equal photos.

    Parameters
    ----------
    codes : ndarray of uint8, shape (n, c)
        Packed bits of the training photos.
    products : ndarray of int32, shape (n, n), optional
        `agreement` of the codes, if known.

    Attributes
    ----------
    codes : ndarray of uint8, shape (n, c)
    kernel : ndarray of float32, shape (n, n)
        Kernel between these photos. Rows are 0 for codes equal to the mean.
    """

    codes: NDArray[np.uint8]
    kernel: NDArray[np.float32]

    def __init__(self, codes: NDArray[np.uint8], products: NDArray[np.int32] | None = None) -> None:
        self.codes = codes
        products = agreement(codes) if products is None else products
        kernel = products.astype(np.float64)
        with_mean = kernel.mean(axis=1)
        of_mean = float(with_mean.mean())
        self._of_mean = of_mean
        self._factors = _inverse_lengths(with_mean, of_mean, 8 * codes.shape[1])
        kernel += of_mean - with_mean - with_mean[:, None]
        kernel *= self._factors
        kernel *= self._factors[:, None]
        self.kernel = kernel.astype(np.float32)

    def weights(self, coefficients: NDArray[np.floating]) -> SignWeights:
        """Return weights that compute ``k(x, codes) @ coefficients`` of other photos, coefficients (n, m)."""
        scaled = (coefficients * self._factors[:, None]).astype(np.float32)
        bits = 8 * self.codes.shape[1]
        # Unpacked bits are 0 and 1: s = 2 u - 1. One additional column is the mean.
        n = len(self.codes)
        table = np.zeros((bits, scaled.shape[1] + 1), np.float32)
        columns = np.concatenate([scaled, np.full((n, 1), 1 / n, np.float32)], axis=1)
        for part in blocks(n, _ROWS):
            table += np.unpackbits(self.codes[part], axis=1).T.astype(np.float32) @ columns[part]
        sums = columns.sum(axis=0)
        table *= 2
        table -= sums  # sum_i c_i s_i, and the mean code
        return _about_mean(table, scaled.sum(axis=0), self._of_mean)


class MeanCode:
    """Mean code of some photos, used as the centre for the cosines of other photos.

    The kernel between two photos is unchanged when photos are added or removed, as long as the mean is.

    Parameters
    ----------
    codes : ndarray of uint8, shape (n, c)
        Packed bits; at least one photo.

    Attributes
    ----------
    code : ndarray of float64, shape (8 c,)
        -1..1.
    """

    code: NDArray[np.float64]

    def __init__(self, codes: NDArray[np.uint8]) -> None:
        ones = np.zeros(8 * codes.shape[1], np.int64)
        for part in blocks(len(codes), _ROWS):
            ones += np.unpackbits(codes[part], axis=1).sum(axis=0, dtype=np.int64)
        self.code = 2 * ones / len(codes) - 1
        self._squared = float(self.code @ self.code)

    def located(self, codes: NDArray[np.uint8]) -> LocatedCodes:
        """Return codes (q, c) with their positions relative to the mean."""
        with_mean = np.empty(len(codes))
        for part in blocks(len(codes), _ROWS):
            with_mean[part] = 2 * (np.unpackbits(codes[part], axis=1).astype(np.float64) @ self.code)
        with_mean -= self.code.sum()
        return LocatedCodes(codes, with_mean, _inverse_lengths(with_mean, self._squared, len(self.code)))

    def cosines(self, codes: LocatedCodes, others: LocatedCodes) -> NDArray[np.float32]:
        """Return the kernel between photos (q, c) and others (n, c): float32 (q, n)."""
        kernel = agreement(codes.codes, others.codes).astype(np.float64)
        kernel += self._squared - codes.with_mean[:, None] - others.with_mean
        kernel *= codes.factors[:, None]
        kernel *= others.factors
        return kernel.astype(np.float32)

    def weights(self, codes: LocatedCodes, coefficients: NDArray[np.floating]) -> SignWeights:
        """Return weights that compute the kernel of other photos with these (n, c), times coefficients (n, m)."""
        scaled = (coefficients * codes.factors[:, None]).astype(np.float32)
        table = np.empty((len(self.code), scaled.shape[1] + 1), np.float32)
        table[:, :-1] = -scaled.sum(axis=0)
        table[:, -1] = self.code
        for part in blocks(len(scaled), _ROWS):
            table[:, :-1] += 2 * (np.unpackbits(codes.codes[part], axis=1).T.astype(np.float32) @ scaled[part])
        return _about_mean(table, scaled.sum(axis=0), self._squared)


class LocatedCodes(NamedTuple):
    """Codes with their positions relative to a mean."""

    codes: NDArray[np.uint8]
    """Shape (n, c)."""
    with_mean: NDArray[np.float64]
    """Products with the mean; shape (n,)."""
    factors: NDArray[np.float64]
    """Inverse distances from the mean; shape (n,)."""

    def part(self, rows: slice) -> LocatedCodes:
        """Return some of the codes."""
        return LocatedCodes(self.codes[rows], self.with_mean[rows], self.factors[rows])

    def beside(self, others: LocatedCodes) -> LocatedCodes:
        """Return these codes followed by others."""
        return LocatedCodes(
            np.concatenate([self.codes, others.codes]),
            np.concatenate([self.with_mean, others.with_mean]),
            np.concatenate([self.factors, others.factors]),
        )


class SignWeights:
    """Weights of bits, shape (8 c, m), which replace all training photos.

    Parameters
    ----------
    table : ndarray of float32, shape (8 c, m + 1)
        Weights of bits 0 or 1; the last column gives the product with the mean code.
    constant : ndarray of float64, shape (m + 1,)
    of_mean : float
        Product of the mean code with itself.
    """

    def __init__(self, table: NDArray[np.float32], constant: NDArray[np.float64], of_mean: float) -> None:
        self._of_mean = of_mean
        self._table = table
        self._constant = constant

    def scores(self, codes: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the weighted kernel sums of photos (q, c): float64 (q, m)."""
        found = np.empty((len(codes), self._table.shape[1]))
        for part in blocks(len(codes), _ROWS):
            found[part] = np.unpackbits(codes[part], axis=1).astype(np.float32) @ self._table
        found += self._constant
        factors = _inverse_lengths(found[:, -1], self._of_mean, len(self._table))
        return np.asarray(found[:, :-1] * factors[:, None])


def _about_mean(table: NDArray[np.float32], sums: NDArray[np.float32], of_mean: float) -> SignWeights:
    """Return weights of bits, from columns of ``sum_i c_i s_i`` (8 c, m), the mean code last, and ``sum_i c_i``."""
    mean = table[:, -1].astype(np.float64)
    table[:, :-1] -= np.outer(table[:, -1], sums)
    constant = -table.sum(axis=0, dtype=np.float64)
    constant[:-1] -= mean @ table[:, :-1]
    table *= 2
    return SignWeights(table, constant, of_mean)


def _inverse_lengths(with_mean: NDArray[np.float64], of_mean: float, bits: int) -> NDArray[np.float64]:
    """Return 1 / |s - mean| of codes from their products with the mean; 0 for codes equal to the mean."""
    squares = bits - 2 * with_mean + of_mean
    known = squares > _MIN_LENGTH_SHARE * bits
    return np.asarray(known / np.sqrt(np.where(known, squares, 1.0)))


def _words(codes: NDArray[Any]) -> NDArray[np.uint64]:
    """Return codes (n, c) as words (n, ceil(c / 8)), padded with zeros."""
    wide = -(-codes.shape[1] // _WORD_BYTES) * _WORD_BYTES
    padded = np.zeros((len(codes), wide), np.uint8)
    padded[:, : codes.shape[1]] = codes
    return padded.view(np.uint64)
