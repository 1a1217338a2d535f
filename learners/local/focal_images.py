"""Local distance functions by photo id, as a library keeps them: each learned when it was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from learners.local.local_distances import FocalImage, LocalDistances


class FocalImages(LocalDistances):
    """Local distances whose rows are the ids of photos, put together from what was learned here and there.

    `LocalDistances.fit` is for one matrix of photos; this is not fitted but filled (`fill`), and asked by id.

    Parameters
    ----------
    C, K, tolerance
        With which they were learned; see `LocalDistance`.
    sources : tuple of str
        Keys of the local descriptors whose patches they weigh, in the order of a photo's patches.
    """

    def __init__(self, C: float = 0.1, K: int = 5, tolerance: float = 1e-3, sources: tuple[str, ...] = ()) -> None:
        super().__init__(C, K, tolerance)
        self.sources = sources

    def fill(self, models: Mapping[int, FocalImage]) -> Self:
        """Hold exactly these focal images, by photo id >= 0."""
        self._pack(dict(models))
        return self

    def models(self) -> dict[int, FocalImage]:
        """Return what was learned, by photo id; the arrays are views."""
        return self._models()

    def model(self, number: int) -> FocalImage:
        """Return what was learned for the photo ``focal_[number]``; the arrays are views."""
        part = self._part(number)
        return FocalImage(
            self.weights_[part],
            self.factors_[part],
            float(self.slopes_[number]),
            float(self.intercepts_[number]),
            float(self.gaps_[number]),
            int(self.triplets_[number]),
            self.digests_[number].tobytes(),
        )
