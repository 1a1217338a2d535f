# SPDX-License-Identifier: MIT
"""Rank photos by a metric that was trained in Focal. This script needs NumPy, and neither Focal nor the photos.

Usage::

    python rank_photos.py ROWS.npz                           the most similar photos of each photo
    python rank_photos.py ROWS.npz --query NAME --count 20   those of one photo
    python rank_photos.py ROWS.npz --embed EMBEDDING.npz     positions; Euclidean distance between them is the metric

ROWS.npz holds the descriptors of photos, as this command of Focal writes them, with the metric's own name as NAME::

    focal export --format npz --vectors descriptors:NAME --output ROWS.npz

In a program::

    from rank_photos import Metric
    metric = Metric("metric.npz")
    positions = metric.transform(rows)                       # (n, d) to (n, r)
    order, distances = metric.rank(rows[0], rows)

For scikit-learn, use the positions: ``NearestNeighbors().fit(positions)``.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = "focal-metric-steps"
VERSION = 1
BLOCK = 1024
"""Rows computed at a time, which limits the memory for kernel values."""


class Metric:
    """A metric, as steps from the descriptors of photos to positions.

    Parameters
    ----------
    path : str or path
        The file ``metric.npz`` of the export.

    Attributes
    ----------
    title : str
    families : list of dict
        Name, version and columns of each descriptor, in the order of the columns of a row.
    width : int
        Number of descriptor values of a photo.

    Raises
    ------
    ValueError
        If the file contains no metric, or one of a later version.
    """

    def __init__(self, path: Any) -> None:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        if "description" not in arrays:
            raise ValueError(f"{path} contains no metric: use the file metric.npz of the export.")
        description = json.loads(arrays.pop("description").tobytes())
        if description["format"] != FORMAT or description["version"] > VERSION:
            raise ValueError(f"{path} was written by a later Focal: use the script that was exported with it.")
        self.title: str = description["title"]
        self.families: list[dict[str, Any]] = description["families"]
        self.width: int = description["width"]
        self._steps = description["steps"]
        self._arrays = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()}

    def transform(self, rows: Any) -> Any:
        """Return the positions of photos; Euclidean distance between positions is the metric.

        Parameters
        ----------
        rows : array_like of float, shape (n, d)

        Returns
        -------
        ndarray of float32, shape (n, r)

        Raises
        ------
        ValueError
            If the rows have another number of values, or values that are not finite.
        """
        rows = np.asarray(rows)
        if rows.ndim != 2 or rows.shape[1] != self.width:
            raise ValueError(
                f"A row has {self.width} values, but the shape is {rows.shape}: "
                "export the descriptors of this metric with --vectors descriptors:NAME."
            )
        if not np.isfinite(rows).all():
            raise ValueError("The rows contain values that are not finite.")
        blocks = [self._block(rows[start : start + BLOCK]) for start in range(0, max(1, len(rows)), BLOCK)]
        return np.concatenate(blocks).astype(np.float32)

    def rank(self, query: Any, rows: Any, count: int | None = None) -> tuple[Any, Any]:
        """Return the numbers of the rows, nearest first, and their distances from a query.

        Parameters
        ----------
        query : array_like of float, shape (d,)
        rows : array_like of float, shape (n, d)
        count : int, optional
            Number of rows to return; default: all.
        """
        return nearest(self.transform(np.atleast_2d(query))[0], self.transform(rows), count)

    def _block(self, rows: Any) -> Any:
        values = [rows.astype(np.float64)]
        for step in self._steps:
            arrays = {name: self._arrays[key] for name, key in step["arrays"].items()}
            inputs = [values[number] for number in step["inputs"]]
            values.append(_STEPS[step["kind"]](inputs, step["numbers"], arrays))
        return values[-1]


def nearest(query: Any, positions: Any, count: int | None = None) -> tuple[Any, Any]:
    """Return the numbers of positions (n, r), nearest to a query (r,) first, and their distances."""
    difference = positions.astype(np.float64) - query
    distances = np.sqrt(np.einsum("ij,ij->i", difference, difference))
    order = np.argsort(distances, kind="stable")[:count]
    return order, distances[order]


def _columns(inputs: Any, numbers: Any, arrays: Any) -> Any:
    del arrays
    return inputs[0][:, int(numbers["start"]) : int(numbers["stop"])]


def _roots(inputs: Any, numbers: Any, arrays: Any) -> Any:
    del numbers, arrays
    if inputs[0].min(initial=0) < 0:
        raise ValueError("Values of a histogram are negative: these are not descriptors of Focal.")
    return np.sqrt(inputs[0])


def _affine(inputs: Any, numbers: Any, arrays: Any) -> Any:
    del numbers
    x = inputs[0]
    if "centre" in arrays:
        x = x - arrays["centre"]
    if "matrix" in arrays:
        x = x @ arrays["matrix"]
    return x + arrays["offset"] if "offset" in arrays else x


def _times(inputs: Any, numbers: Any, arrays: Any) -> Any:
    del numbers
    return inputs[0] * arrays["factors"]


def _squared_distances(x: Any, landmarks: Any) -> Any:
    # Around their mean, norms and rounding errors are small.
    centre = landmarks.mean(axis=0)
    x, y = x - centre, landmarks - centre
    squares = np.einsum("ij,ij->i", x, x)[:, None] + np.einsum("ij,ij->i", y, y) - 2 * x @ y.T
    return np.maximum(squares, 0)


def _rbf(inputs: Any, numbers: Any, arrays: Any) -> Any:
    return np.exp(-numbers["gamma"] * _squared_distances(inputs[0], arrays["landmarks"]))


def _laplacian(inputs: Any, numbers: Any, arrays: Any) -> Any:
    return np.exp(-np.sqrt(_squared_distances(inputs[0], arrays["landmarks"])) / numbers["gamma"])


def _sum(inputs: Any, numbers: Any, arrays: Any) -> Any:
    del numbers
    return sum(weight * x for weight, x in zip(arrays["weights"], inputs, strict=True))


def _tanh(inputs: Any, numbers: Any, arrays: Any) -> Any:
    del numbers, arrays
    return np.tanh(inputs[0])


def _above(inputs: Any, numbers: Any, arrays: Any) -> Any:
    del numbers, arrays
    return (inputs[0] > 0).astype(np.float64)


def _unit(inputs: Any, numbers: Any, arrays: Any) -> Any:
    del arrays
    lengths = np.sqrt(np.einsum("ij,ij->i", inputs[0], inputs[0]))[:, None]
    return inputs[0] * (np.sqrt(numbers["squared"]) / np.where(lengths > 0, lengths, 1))


def _beside(inputs: Any, numbers: Any, arrays: Any) -> Any:
    del numbers, arrays
    return np.concatenate(inputs, axis=1)


_STEPS = {
    "columns": _columns,
    "roots": _roots,
    "affine": _affine,
    "times": _times,
    "rbf": _rbf,
    "laplacian": _laplacian,
    "sum": _sum,
    "tanh": _tanh,
    "above": _above,
    "unit": _unit,
    "beside": _beside,
}


def read_rows(path: Any) -> tuple[Any, list[str]]:
    """Return the rows of descriptors, float (n, d), and the names of the photos in a file that Focal exported.

    Raises
    ------
    ValueError
        If the file contains no vectors.
    """
    with np.load(path, allow_pickle=False) as file:
        if "vectors" not in file.files:
            raise ValueError(f"{path} contains no vectors: export them with focal export --format npz.")
        rows = file["vectors"]
        names = file["paths"].tolist() if "paths" in file.files else [str(number) for number in range(len(rows))]
    return rows, names


def main() -> int:
    """Run the script; return its exit code."""
    parser = argparse.ArgumentParser(description="Rank photos by a metric that was trained in Focal.")
    parser.add_argument("rows", metavar="ROWS.npz", help="descriptors of photos, from focal export --format npz")
    parser.add_argument("--metric", default=Path(__file__).with_name("metric.npz"), help="default: beside the script")
    parser.add_argument("--query", metavar="NAME", help="rank for this photo only; default: for each")
    parser.add_argument("--count", type=int, default=10, help="number of photos to list (default: 10)")
    parser.add_argument("--embed", metavar="FILE", help="write the positions to this .npz file, and rank nothing")
    arguments = parser.parse_args()
    try:
        metric = Metric(arguments.metric)
        rows, names = read_rows(arguments.rows)
        if arguments.query is not None and arguments.query not in names:
            raise ValueError(f"There is no photo {arguments.query} in {arguments.rows}.")
        positions = metric.transform(rows)
        if arguments.embed:
            np.savez(arguments.embed, positions=positions, paths=np.array(names, dtype=np.str_))
            return 0
    except (OSError, ValueError) as error:
        print(f"rank_photos: {error}", file=sys.stderr)
        return 1
    for number in range(len(names)) if arguments.query is None else [names.index(arguments.query)]:
        order, distances = nearest(positions[number], positions)
        others = [(row, distance) for row, distance in zip(order, distances, strict=True) if row != number]
        ranked = [{"photo": names[row], "distance": float(distance)} for row, distance in others[: arguments.count]]
        print(json.dumps({"query": names[number], "ranked": ranked}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
