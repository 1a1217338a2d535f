# SPDX-License-Identifier: MIT
"""Model-based test: however its files are damaged, a patch store returns no wrong patches; at worst, some are lost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.patches import Patches, PatchStore
from tests.browser.catalog.store_machine import DIMENSION, SETTINGS, StoreMachine


def record(number: int, value: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return ``number % 4`` patches that encode the photo (`number`) and the version (`value`)."""
    count = number % 4
    return np.full((count, 2), number / 64, np.float32), np.full((count, DIMENSION), value, np.float32)


class PatchMachine(StoreMachine[PatchStore]):
    def __init__(self) -> None:
        super().__init__(Patches)

    def write(self, chosen: list[int], values: list[float]) -> None:
        self.store.append(chosen, [record(number, value) for number, value in zip(chosen, values, strict=True)])

    def compare(self, found: NDArray[np.int64]) -> None:
        for number in found.tolist():
            points, vectors = self.store.read(number)
            expected = record(number, self.model[number])
            np.testing.assert_array_equal(points, expected[0], strict=True)
            np.testing.assert_array_equal(vectors, expected[1])
        for some in (found, found[::-1]):
            vectors, offsets = self.store.gather(some)
            np.testing.assert_array_equal(np.diff(offsets), some % 4)
            np.testing.assert_array_equal(vectors[:, 0], np.repeat([self.model[n] for n in some.tolist()], some % 4))


TestPatches = PatchMachine.TestCase
TestPatches.settings = SETTINGS
