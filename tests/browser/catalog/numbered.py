# SPDX-License-Identifier: MIT
"""Vectors and patches that encode the id of their photo and their version."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.patches import PatchStore

D = 3
"""Length of a patch's vector."""

ROW = 4 + 2 * D
"""Bytes of a patch on disk."""

Record = tuple[NDArray[np.float32], NDArray[np.float32]]


def rows_of(ids: NDArray[np.int64] | list[int], dimension: int = 3, version: int = 0) -> NDArray[np.float32]:
    """Return rows that encode the ids and the version."""
    base = np.asarray(ids, np.float32)[:, None] + np.float32(version / 8)
    rows: NDArray[np.float32] = np.repeat(base, dimension, axis=1) + np.arange(
        dimension, dtype=np.float32
    ) / np.float32(1024)
    return rows


def record_of(number: int, version: int = 0) -> Record:
    """Return ``number % 5`` points and vectors that encode the photo and the version."""
    base = np.arange(number % 5, dtype=np.float32)[:, None]
    points = np.hstack([base, base + np.float32(number / 64)])
    return points, base + np.float32(number + version / 8) + np.arange(D, dtype=np.float32) / np.float32(4)


def records_of(numbers: Iterable[int], version: int = 0) -> list[Record]:
    return [record_of(number, version) for number in numbers]


def rows_in(numbers: Iterable[int]) -> int:
    return sum(number % 5 for number in numbers)


def assert_right(store: PatchStore, number: int, version: int = 0) -> None:
    points, vectors = store.read(number)
    expected = record_of(number, version)
    np.testing.assert_array_equal(points, expected[0], strict=True)
    np.testing.assert_array_equal(vectors, expected[1].astype(np.float16))
    assert vectors.dtype == np.float16
