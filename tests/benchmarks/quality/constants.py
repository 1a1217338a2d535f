# SPDX-License-Identifier: MIT
"""Check of constants that were chosen on the sets they are reported for, on draws that were not used to choose them.

Libraries of 400 photos: 10 classes of Corel-5k, 20 of Caltech-101, 10 kinds of scenes (grey). "Space" changes the
untrained space of a library and its rankings by shared neighbours (ALGORITHMS.md, 12.3 and 12.6): all photos rank all.
"Kernel metric" changes the metric learned from 5, 20 or 60 focal images, of whose first 20 photos up to 5 similar and 5
dissimilar ones are judged (2.3 and 2.6): 100 other focal images rank all photos, by shared neighbours.

Reported is the change from the defaults, in points of precision at 10 / mean average precision: the mean over draws and
its standard error.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.ranking import space as library_space
from focal_photos.features.table import STANDARD
from focal_photos.learners import create
from focal_photos.learners.core.measures import average_precision
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries import reciprocal
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery
from focal_photos.learners.kernel import kernel_metric
from tests.benchmarks.common.described_photos import Described, described
from tests.benchmarks.common.measures import precision_at_k
from tests.benchmarks.common.photo_sets import Floats, Ints
from tests.benchmarks.common.report import Report

SETS: Final = {"Corel-5k": ("corel5k", 10), "Caltech-101": ("caltech101", 20), "scenes": ("scene15", 10)}
"""Photo set and number of classes of a library."""

PHOTOS: Final = 400
HELD_OUT: Final = 100
COUNTS: Final = (5, 20, 60)
FIRST: Final = 7000
"""Seed of the first draw; no draw with such a seed was used to choose a constant."""

Change = tuple[AbstractContextManager[object], tuple[str, ...], dict[str, Any]]
"""Changed constants of a module, descriptors, and parameters of the kernel metric."""


def space_changes(names: tuple[str, ...]) -> dict[str, Change]:
    """Return changes of the space and of rankings by shared neighbours."""
    found: dict[str, Change] = {}
    for value in (0.35, 0.65):
        found[f"whitening {value} instead of .5"] = patch.object(library_space, "_WHITENING", value), names, {}
    for value in (0.5, 0.85):
        found[f"weight {value} of shared neighbors instead of .7"] = (
            patch.object(reciprocal, "JACCARD", value),
            names,
            {},
        )
    for value in (10, 30):
        found[f"{value} neighbors instead of 20"] = patch.object(reciprocal, "NEIGHBORS", value), names, {}
    for name in ("lbp", "edge_directions"):
        found[f"without {name}"] = nullcontext(), tuple(one for one in names if one != name), {}
    return found


def metric_changes(names: tuple[str, ...]) -> dict[str, Change]:
    """Return changes of the kernel metric."""
    found: dict[str, Change] = {
        f"euclidean_blend {value} instead of .25": (nullcontext(), names, {"euclidean_blend": value})
        for value in (0.1, 0.5)
    }
    for value in (3.0, 30.0, 100.0):
        found[f"{value:.0f} pairs instead of 10 in the prior of C_D"] = (
            patch.object(kernel_metric, "_EQUAL_WEIGHT_FEEDBACK", value),
            names,
            {},
        )
    found["equal weights of all answers"] = nullcontext(), names, {"weigh_answers": False}
    return found


def similarities(rows: Floats) -> NDArray[np.float64]:
    """Return the similarities (n, n) by which the window ranks."""
    gallery = row_gallery(None, np.ascontiguousarray(rows))
    return reciprocal.build(gallery).similarities(gallery, np.arange(len(rows))).astype(np.float64)


def scores(similar: NDArray[np.float64], classes: Ints, focal: Ints) -> tuple[float, float]:
    """Return precision at 10 and mean average precision of some focal images, which rank all other photos."""
    order = np.argsort(-similar[focal], axis=1, kind="stable")
    order = order[order != focal[:, None]].reshape(len(focal), -1)
    relevant = classes[order] == classes[focal][:, None]
    return precision_at_k(relevant, 10), average_precision(relevant)


def judged(
    similar: NDArray[np.float64], classes: Ints, focal: Ints, wrong: float, rng: np.random.Generator
) -> SideInformation:
    """Return up to 5 similar and 5 dissimilar judgements among the first 20 photos of each focal image."""
    pairs: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for one in focal.tolist():
        order = np.argsort(-similar[one], kind="stable")
        shown = order[order != one][:20]
        same = classes[shown] == classes[one]
        for kind in (same, ~same):
            for other in shown[kind][:5].tolist():
                mistaken = rng.random() < wrong
                pairs[int(kind is not same) ^ mistaken].append((one, other))
    return SideInformation(*(np.array(some, dtype=np.intp).reshape(-1, 2) for some in pairs))


def library(found: Described, count: int, seed: int) -> Ints:
    """Return the photos of a library: some classes, and at most `PHOTOS` photos in all."""
    rng = np.random.default_rng(seed)
    drawn = rng.choice(int(found.classes.max()) + 1, count, replace=False)
    rows = rng.permutation(np.flatnonzero(np.isin(found.classes, drawn)))
    return np.sort(rows[:PHOTOS]).astype(np.intp)


def measured(found: Described, rows: Ints, seed: int) -> Iterator[tuple[str, str, tuple[float, float]]]:
    """Yield table, change ("" for the defaults) and scores."""
    names = tuple(found.vectors)
    classes = found.classes[rows]

    def spaced(names: tuple[str, ...]) -> Floats:
        return found.space(rows, names)[1][rows]

    every = np.arange(len(rows))
    plain: Change = nullcontext(), names, {}
    for change, (constants, chosen, _) in {"": plain, **space_changes(names)}.items():
        with constants:
            yield "space", change, scores(similarities(spaced(chosen)), classes, every)
    X = spaced(names)
    untrained = similarities(X)
    order = np.random.default_rng(seed).permutation(len(rows))
    for count in COUNTS:
        for wrong in (0.0, 0.1):
            focal = order[HELD_OUT : HELD_OUT + count]
            side = judged(untrained, classes, focal, wrong, np.random.default_rng(seed))
            for change, (constants, _, parameters) in {"": plain, **metric_changes(names)}.items():
                if wrong and change not in ("", "equal weights of all answers"):
                    continue
                with constants:
                    rows_ = gallery_rows(create("kernel", **parameters).fit(X, side), X)
                table = f"{count} focal images" + (", 10 % of the answers wrong" if wrong else "")
                yield table, change, scores(similarities(rows_), classes, order[:HELD_OUT])


def changes(values: dict[str, list[tuple[float, float]]], change: str) -> str:
    """Return the mean change from the defaults in points, with standard errors."""
    if change not in values:
        return ""
    differences = 100 * (np.array(values[change]) - np.array(values[""]))
    error = differences.std(axis=0, ddof=1) / np.sqrt(len(differences)) if len(differences) > 1 else np.zeros(2)
    return " / ".join(f"{m:+.1f} ± {e:.1f}" for m, e in zip(differences.mean(axis=0), error, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=5, help="number of libraries per photo set")
    arguments = parser.parse_args()
    results: dict[str, dict[str, dict[str, list[tuple[float, float]]]]] = {}
    for title, (name, count) in SETS.items():
        found = described(name, list(STANDARD))
        for seed in range(FIRST, FIRST + arguments.draws) if found is not None else ():
            assert found is not None
            for table, change, score in measured(found, library(found, count, seed), seed):
                results.setdefault(table, {}).setdefault(title, {}).setdefault(change, []).append(score)
            print(f"{title}, {seed}: done", flush=True)
    report = Report("constants", "Constants of the space and of the kernel metric, on unseen draws")
    report.text((__doc__ or "").split("\n\n", 1)[1].strip())
    report.text(f"{arguments.draws} draws per photo set.")
    for table, sets in results.items():
        rows = [
            ["defaults", *(" / ".join(f"{v:.3f}" for v in np.mean(values[""], axis=0)) for values in sets.values())]
        ]
        every = dict.fromkeys(change for values in sets.values() for change in values if change)
        rows += [[change, *(changes(values, change) for values in sets.values())] for change in every]
        report.table(table[0].upper() + table[1:], ["change", *sets], rows)
    report.save()


if __name__ == "__main__":
    main()
