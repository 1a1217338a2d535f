# SPDX-License-Identifier: MIT
"""Compares Focal's learners with those of metric-learn on three small data sets: nearest neighbours and time.

metric-learn 0.7.0, the newest release, does not work with scikit-learn 1.8 or later, which removed
``force_all_finite``. It runs in a separate Python with an older scikit-learn, whose path is in ``METRIC_LEARN_PYTHON``.
It gets the same splits and returns coordinates.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from focal_photos.learners import create
from tests.benchmarks.common.report import Report, mean_and_spread

SETS: Final[dict[str, Callable[..., Any]]] = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
NEIGHBORS: Final = 3

COMPARED: Final = ("gmml", "itml", "kissme", "lsml", "mlkr", "mmc", "scml")

OURS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "Euclidean": ("euclidean", {}),
    "RCA, Focal": ("rca", {}),
    "RCA, Focal, without blend": ("rca", {"euclidean_blend": 0.0}),
    "NCA, Focal": ("nca", {}),
    "NCA, Focal, without blend": ("nca", {"euclidean_blend": 0.0}),
    "LMNN, Focal": ("lmnn", {}),
    "LMNN, Focal, without blend": ("lmnn", {"euclidean_blend": 0.0}),
    "LDA, Focal": ("lda", {}),
    "kernel metric, Focal": ("kernel", {}),
    "boosted bits, Focal": ("bdm", {"rounds": 64}),
    **{f"{name.upper()}, Focal": (name, {}) for name in COMPARED},
    **{f"{name.upper()}, Focal, without blend": (name, {"euclidean_blend": 0.0}) for name in COMPARED},
}

_THEIRS: Final = """
import sys, time, warnings
import numpy as np
warnings.simplefilter("ignore")
import metric_learn as m
given = np.load(sys.argv[1])
made = {
    "RCA": lambda y: m.RCA_Supervised(n_chunks=int(sum(c // 2 for c in np.bincount(y))), random_state=0),
    "NCA": lambda y: m.NCA(max_iter=50, random_state=0),
    "LMNN": lambda y: m.LMNN(n_neighbors=3, max_iter=50, random_state=0),
    "ITML": lambda y: m.ITML_Supervised(random_state=0),
    "MMC": lambda y: m.MMC_Supervised(random_state=0),
    "LSML": lambda y: m.LSML_Supervised(random_state=0),
    "MLKR": lambda y: m.MLKR(max_iter=50, random_state=0),
    "SCML": lambda y: m.SCML_Supervised(random_state=0),
}
found = {}
for split in range(int(given["splits"])):
    X, y, Z = (given[f"{part}{split}"] for part in ("X", "y", "Z"))
    for name, make in made.items():
        start = time.process_time()
        learner = make(y).fit(X, y)
        found[f"{name} seconds {split}"] = time.process_time() - start
        found[f"{name} X {split}"], found[f"{name} Z {split}"] = learner.transform(X), learner.transform(Z)
np.savez(sys.argv[2], **found)
"""


class Split(NamedTuple):
    """Standardised samples and classes for training and for testing."""

    X: NDArray[np.float64]
    y: NDArray[np.intp]
    Z: NDArray[np.float64]
    asked: NDArray[np.intp]


def splits_of(load: Callable[..., Any], repeats: int) -> list[Split]:
    """Return five stratified splits per repetition, each part being the test set once."""
    X, y = load(return_X_y=True)
    found = []
    for train, test in RepeatedStratifiedKFold(n_splits=5, n_repeats=repeats, random_state=0).split(X, y):
        scaler = StandardScaler().fit(X[train])
        found.append(Split(scaler.transform(X[train]), y[train], scaler.transform(X[test]), y[test]))
    return found


def right(split: Split, X: NDArray[Any], Z: NDArray[Any]) -> float:
    """Return the share of test samples whose nearest training samples predict the right class."""
    return float(KNeighborsClassifier(NEIGHBORS).fit(X, split.y).score(Z, split.asked))


def by_focal(split: Split, name: str, parameters: dict[str, Any]) -> tuple[float, float]:
    """Return the correct share and the processor seconds of training."""
    start = time.process_time()
    learner: Any = create(name, **parameters).fit(split.X, split.y)
    seconds = time.process_time() - start
    return right(split, learner.transform(split.X), learner.transform(split.Z)), seconds


def by_metric_learn(splits: list[Split], python: Path) -> dict[str, list[tuple[float, float]]]:
    """Return the same for each learner of metric-learn and every split."""
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "given.npz", Path(folder) / "found.npz"
        parts = {f"{part}{i}": getattr(one, part) for i, one in enumerate(splits) for part in ("X", "y", "Z")}
        np.savez(given, splits=len(splits), **parts)
        subprocess.run([str(python), "-c", _THEIRS, str(given), str(found)], check=True)
        with np.load(found) as kept:
            results = {name: kept[name] for name in kept.files}
    return {
        name: [
            (right(one, results[f"{name} X {i}"], results[f"{name} Z {i}"]), float(results[f"{name} seconds {i}"]))
            for i, one in enumerate(splits)
        ]
        for name in dict.fromkeys(key.split()[0] for key in results)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=4)
    given = parser.parse_args()
    python = os.environ.get("METRIC_LEARN_PYTHON")
    found: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for title, load in SETS.items():
        splits = splits_of(load, given.repeats)
        found[title] = {name: [by_focal(one, *how) for one in splits] for name, how in OURS.items()}
        if python:
            theirs = by_metric_learn(splits, Path(python))
            found[title] |= {f"{name}, metric-learn": values for name, values in theirs.items()}
        print(title, {name: round(float(np.mean(values, axis=0)[0]), 3) for name, values in found[title].items()})
    order = ["Euclidean", *sorted((name for name in found["iris"] if name != "Euclidean"), key=str.casefold)]
    rows = [
        [
            name,
            *(mean_and_spread([share for share, _ in of_set[name]]) for of_set in found.values()),
            *(f"{np.mean([seconds for _, seconds in of_set[name]]):.3f}" for of_set in found.values()),
        ]
        for name in order
    ]
    part = Report("metric-learn", "Focal's learners and those of metric-learn: iris, wine, breast cancer")
    part.text(
        f"Share of test samples classified correctly by their {NEIGHBORS} nearest neighbours, and processor seconds of "
        f"training; five parts, {given.repeats} times, standardised. Learners use their defaults, except RCA of "
        "metric-learn with the maximum number of chunks, and NCA, LMNN and MLKR of both with at most 50 iterations. "
        "metric-learn 0.7.0, the newest release, runs under scikit-learn 1.7, since it fails with 1.8 and later (tried "
        "with 1.8.0 and 1.9.1). Learners that metric-learn lacks are listed for comparison. LMNN of metric-learn "
        "hardly changes within 50 iterations at its own learning rate: its map differs from the identity by less than "
        ".01."
    )
    part.table("Share classified correctly, and seconds", ["learner", *SETS, *(f"s, {title}" for title in SETS)], rows)
    print(part.save())


if __name__ == "__main__":
    main()
