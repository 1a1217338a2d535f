# SPDX-License-Identifier: MIT
"""Maps from descriptors to embeddings as lists of simple steps, which programs without Focal can carry out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["columns", "roots", "affine", "times", "rbf", "laplacian", "sum", "tanh", "above", "unit", "beside"]


@dataclass(frozen=True, eq=False)
class MapStep:
    """One step of a map."""

    kind: Kind
    """See the methods of `MapSteps`."""
    inputs: tuple[int, ...]
    """Numbers of the values that it reads: 0 is the input of the map, i the result of the i-th step."""
    numbers: Mapping[str, float]
    arrays: Mapping[str, NDArray[np.floating]]


class MapSteps:
    """Collects the steps of a map; every method adds one and returns the number of its result.

    All values are matrices of one row per photo. The steps are to be computed in float64: kernel values of float32
    distances lose the digits that weak components need.

    Parameters
    ----------
    width : int
        Number of columns of the input.

    Attributes
    ----------
    steps : list of MapStep
    widths : list of int
        Numbers of columns of the input and of each result.
    """

    def __init__(self, width: int) -> None:
        self.steps: list[MapStep] = []
        self.widths = [width]

    def columns(self, x: int, start: int, stop: int) -> int:
        """Select the columns ``start:stop``."""
        return self._add("columns", (x,), stop - start, {"start": start, "stop": stop})

    def roots(self, x: int) -> int:
        """Take square roots."""
        return self._add("roots", (x,), self.widths[x])

    def affine(
        self,
        x: int,
        matrix: NDArray[np.floating] | None = None,
        *,
        centre: NDArray[np.floating] | None = None,
        offset: NDArray[np.floating] | None = None,
    ) -> int:
        """Compute ``(x - centre) @ matrix + offset``, float (d,), (d, r) and (r,); parts that are None are left out."""
        given = {"centre": centre, "matrix": matrix, "offset": offset}
        arrays = {name: np.asarray(array) for name, array in given.items() if array is not None}
        return self._add("affine", (x,), self.widths[x] if matrix is None else matrix.shape[1], arrays=arrays)

    def times(self, x: int, factors: NDArray[np.floating]) -> int:
        """Multiply each column by its factor, float (d,)."""
        return self._add("times", (x,), self.widths[x], arrays={"factors": factors})

    def rbf(self, x: int, landmarks: NDArray[np.floating], gamma: float) -> int:
        """Compute the kernels ``exp(-gamma |x - y|^2)`` with all landmarks y, float (m, d)."""
        return self._add("rbf", (x,), len(landmarks), {"gamma": gamma}, {"landmarks": landmarks})

    def laplacian(self, x: int, landmarks: NDArray[np.floating], gamma: float) -> int:
        """Compute the kernels ``exp(-|x - y| / gamma)`` with all landmarks y, float (m, d)."""
        return self._add("laplacian", (x,), len(landmarks), {"gamma": gamma}, {"landmarks": landmarks})

    def sum(self, parts: Sequence[int], weights: Sequence[float]) -> int:
        """Add values, each multiplied by its weight."""
        return self._add("sum", tuple(parts), self.widths[parts[0]], arrays={"weights": np.array(weights, float)})

    def tanh(self, x: int) -> int:
        """Take hyperbolic tangents."""
        return self._add("tanh", (x,), self.widths[x])

    def above(self, x: int) -> int:
        """Return 1 for numbers above 0, and 0 for all others."""
        return self._add("above", (x,), self.widths[x])

    def unit(self, x: int, squared: float = 1.0) -> int:
        """Scale rows to a length, given by its square; zero rows are unchanged."""
        return self._add("unit", (x,), self.widths[x], {"squared": squared})

    def beside(self, parts: Sequence[int]) -> int:
        """Put values side by side."""
        if len(parts) == 1:
            return parts[0]
        return self._add("beside", tuple(parts), sum(self.widths[part] for part in parts))

    def _add(
        self,
        kind: Kind,
        inputs: tuple[int, ...],
        width: int,
        numbers: Mapping[str, float] | None = None,
        arrays: Mapping[str, NDArray[np.floating]] | None = None,
    ) -> int:
        self.steps.append(MapStep(kind, inputs, numbers or {}, arrays or {}))
        self.widths.append(width)
        return len(self.steps)
