# SPDX-License-Identifier: MIT
"""Model-based test: however its files are damaged, a vector store returns no wrong row; at worst, rows are lost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.vectors import Vectors, VectorStore
from tests.browser.catalog.store_machine import DIMENSION, SETTINGS, StoreMachine


class VectorMachine(StoreMachine[VectorStore]):
    def __init__(self) -> None:
        super().__init__(Vectors)

    def write(self, chosen: list[int], values: list[float]) -> None:
        self.store.append(chosen, np.repeat(np.array(values, np.float32)[:, None], DIMENSION, axis=1))

    def compare(self, found: NDArray[np.int64]) -> None:
        ids, rows = self.store.snapshot()
        np.testing.assert_array_equal(ids, found)
        for number, row in zip(found.tolist(), rows, strict=True):
            assert row.tolist() == [self.model[number]] * DIMENSION
        np.testing.assert_array_equal(self.store.rows(found[::-1]), rows[::-1])


TestVectors = VectorMachine.TestCase
TestVectors.settings = SETTINGS
