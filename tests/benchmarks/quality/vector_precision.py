"""Effect of storing vectors with 32, 16 or 8 bits per component on rankings, annotation and recognition.

Rankings: small libraries as in `space`, precision at 10 and mean average precision in the library's space. Annotation
and recognition: regression from the coordinates in the wide space, like suggestions. Corel-5k uses its published split
(precision and recall of five tags per photo), Caltech-101 uses 15 photos per class (share recognised).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from focal_photos.features.table import STANDARD
from tests.benchmarks.common.class_sets import class_sets
from tests.benchmarks.common.described_photos import Described, described
from tests.benchmarks.common.photo_sets import Floats, Ints, splits
from tests.benchmarks.common.report import Report
from tests.benchmarks.quality.space import ranked, space

_TAGS: Final = 5
_RIDGE: Final = 0.1  # relative to the mean of the diagonal


def _half(rows: Floats) -> Floats:
    found: Floats = rows.astype(np.float16).astype(np.float32)
    return found


def _bytes(rows: Floats) -> Floats:
    """Return the rows rounded to 255 steps between plus and minus their largest component."""
    scale = np.maximum(np.abs(rows).max(1, keepdims=True), 1e-12) / 127
    found: Floats = (np.round(rows / scale) * scale).astype(np.float32)
    return found


WAYS: Final[Mapping[str, Callable[[Floats], Floats]]] = {
    "32 bits": lambda rows: rows,
    "16 bits": _half,
    "8 bits": _bytes,
}


def kept(photos: Described, way: Callable[[Floats], Floats]) -> Described:
    """Return photos with vectors as read back from storage."""
    return replace(photos, vectors={name: way(rows) for name, rows in photos.vectors.items()})


def regression(Z: Floats, Y: Floats, train: Ints) -> Floats:
    """Return the scores of all rows (n, m) by a ridge regression of Y (n, m) on Z (n, p) of the training rows."""
    X = Z[train].astype(np.float64)
    mean, target = X.mean(0), Y[train].mean(0)
    X = X - mean
    gram = X.T @ X
    gram[np.diag_indices_from(gram)] += _RIDGE * np.trace(gram) / len(gram)
    weights = np.linalg.solve(gram, X.T @ (Y[train] - target))
    scores: Floats = ((Z - mean) @ weights + target).astype(np.float32)
    return scores


def annotation(photos: Described) -> tuple[float, float]:
    """Return mean precision and recall by tag of the five best tags of each published test photo."""
    assert photos.tags is not None
    assert photos.test is not None
    Y = photos.tags.toarray().astype(np.float32)
    train, test = np.flatnonzero(~photos.test), np.flatnonzero(photos.test)
    scores = regression(photos.space(train, wide=True)[1], Y, train)[test]
    given = np.zeros_like(scores)
    np.put_along_axis(given, np.argsort(-scores, axis=1, kind="stable")[:, :_TAGS], 1, axis=1)
    asked = Y[test].sum(0) > 0
    right = (given * Y[test]).sum(0)[asked]
    return float((right / np.maximum(given.sum(0)[asked], 1)).mean()), float((right / Y[test].sum(0)[asked]).mean())


def recognition(photos: Described, seeds: int) -> float:
    """Return the share of test photos whose class is recognised."""
    found = []
    Y = np.eye(int(photos.classes.max()) + 1, dtype=np.float32)[photos.classes]
    for train, test in splits(photos.classes, 15, 15, seeds):
        scores = regression(photos.space(train, wide=True)[1], Y, train)[test]
        found.append(np.mean(scores.argmax(1) == photos.classes[test]))
    return float(np.mean(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=3)
    parser.add_argument("--splits", type=int, default=2)
    options = parser.parse_args()
    rows: list[list[str]] = [[way] for way in WAYS]
    columns = [""]
    rankings: dict[str, list[list[tuple[float, float]]]] = {}
    for one in class_sets(STANDARD, options.sets):
        found = rankings.setdefault(one.name.split(",")[0], [[] for _ in WAYS])
        for i, way in enumerate(WAYS.values()):
            photos = kept(one.photos, way)
            found[i].append(ranked(space(photos, STANDARD), photos))
    for name, by_way in rankings.items():
        columns += [f"{name}: P@10", "mAP"]
        for row, values in zip(rows, by_way, strict=True):
            row += [f"{value:.4f}" for value in np.mean(values, axis=0)]
    corel, caltech = described("corel5k", STANDARD), described("caltech101", STANDARD)
    if corel is not None and corel.tags is not None:
        columns += ["annotation: precision", "recall"]
        for row, way in zip(rows, WAYS.values(), strict=True):
            row += [f"{value:.4f}" for value in annotation(kept(corel, way))]
    if caltech is not None:
        columns.append("Caltech-101, 15 a class")
        for row, way in zip(rows, WAYS.values(), strict=True):
            row.append(f"{recognition(kept(caltech, way), options.splits):.4f}")
    part = Report("vector-precision", "Vectors with 32, 16 and 8 bits per component")
    part.table("All standard families, means over libraries and splits", columns, rows)
    part.save()


if __name__ == "__main__":
    main()
