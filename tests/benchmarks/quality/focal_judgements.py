# SPDX-License-Identifier: MIT
"""Judging one focal image: immediate effect of its judgements, effect of Retrain, and both.

Small libraries with all classes of a set, or with draws of 2 and 5 classes; "two themes of many" treats each half of
the classes as one. Among the first 20 photos shown, the first of the class and the first others are judged, up to the
given numbers. Precision at 10 and mean average precision leave out the judged photos, which are known and would raise
the scores. Each focal image starts without judgements; "after 20 focal images" starts with a metric trained on the
judgements of 20 other focal images.

Methods: the ranking shown; Rocchio's means of the similar and the dissimilar photos; a support vector machine. All use
the same similarities, like the program's Gaussian process. Retrain is the kernel metric with re-ranking by shared
neighbours.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import SVC

from focal_photos.features.table import STANDARD
from focal_photos.learners import create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.relevance_feedback import relevance_weights
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery
from tests.benchmarks.common.class_sets import class_sets
from tests.benchmarks.common.photo_sets import Floats, Ints
from tests.benchmarks.common.report import Report, mean_and_spread

ANSWERS: Final = ((1, 0), (0, 1), (1, 1), (0, 3), (3, 3), (5, 5), (0, 10), (10, 10))
"""Numbers of similar and dissimilar photos judged."""

TAUGHT: Final = 20
SHOWN: Final = 20

Scores = dict[tuple[str, tuple[int, int]], list[tuple[float, float]]]
"""Precision at 10 and average precision of each focal image, by method and numbers of judgements."""

Means = dict[tuple[str, tuple[int, int]], list[NDArray[np.float64]]]
"""Means of these over the focal images of each draw."""


@dataclass(frozen=True)
class Judged:
    """Rows of a focal image and of the photos judged against it."""

    focal: int
    similar: list[int]
    dissimilar: list[int]

    @property
    def known(self) -> list[int]:
        return [self.focal, *self.similar, *self.dissimilar]

    @property
    def verdicts(self) -> NDArray[np.bool_]:
        return np.arange(len(self.known)) <= len(self.similar)


def similarities(X: Floats) -> NDArray[np.float64]:
    """Return the similarities (n, n) used by the window for ranking."""
    gallery = row_gallery(None, X)
    return build(gallery).similarities(gallery, np.arange(len(X))).astype(np.float64)


def judge(ranked: NDArray[np.float64], classes: Ints, focal: int, answers: tuple[int, int]) -> Judged:
    """Judge the first photos of a ranking by similarities (n,)."""
    order = np.argsort(-ranked, kind="stable")
    shown = order[order != focal][:SHOWN]
    same = classes[shown] == classes[focal]
    return Judged(focal, shown[same][: answers[0]].tolist(), shown[~same][: answers[1]].tolist())


def score(relevance: NDArray[np.float64], classes: Ints, judged: Judged) -> tuple[float, float] | None:
    """Return precision at 10 and average precision of the unjudged photos, or None if none is of the class."""
    order = np.argsort(-relevance, kind="stable")
    left = order[~np.isin(order, judged.known)]
    relevant = classes[left] == classes[judged.focal]
    if not relevant.any():
        return None
    precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
    return float(relevant[:10].mean()), float((precision * relevant).sum() / relevant.sum())


def by_judgements(K: NDArray[np.float64], judged: Judged) -> NDArray[np.float64]:
    """Rank as the program does."""
    known = judged.known
    found: NDArray[np.float64] = K[:, known] @ relevance_weights(K[np.ix_(known, known)], judged.verdicts)
    return found


def by_means(K: NDArray[np.float64], judged: Judged) -> NDArray[np.float64]:
    """Rank by Rocchio's formula: .75 x the mean of the similar photos minus .15 x that of the dissimilar ones."""
    for_it: NDArray[np.float64] = K[:, [judged.focal, *judged.similar]].mean(axis=1)
    return for_it - (0.2 * K[:, judged.dissimilar].mean(axis=1) if judged.dissimilar else 0)


def by_machine(K: NDArray[np.float64], judged: Judged) -> NDArray[np.float64] | None:
    """Rank by the decision function of a support vector machine; None without dissimilar photos."""
    if not judged.dissimilar:
        return None
    known = judged.known
    machine = SVC(C=10, kernel="precomputed", class_weight="balanced").fit(K[np.ix_(known, known)], judged.verdicts)
    found: NDArray[np.float64] = machine.decision_function(K[:, known])
    return found


def retrained(X: Floats, judged: Sequence[Judged]) -> Floats | None:
    """Return the rows of the kernel metric trained on judgements, or None if there are too few."""
    similar = [(one.focal, other) for one in judged for other in one.similar]
    dissimilar = [(one.focal, other) for one in judged for other in one.dissimilar]
    pairs = (np.array(some, dtype=np.intp).reshape(-1, 2) for some in (similar, dissimilar))
    try:
        learner = create("kernel").fit(X, SideInformation(*pairs))
    except LearnerError:
        return None
    return gallery_rows(learner, X)


def measure(X: Floats, classes: Ints, focals: Ints, scores: Scores, *, retrain: bool) -> None:
    """Judge each focal image separately, and add the scores of all methods."""
    K = similarities(X)
    for focal in focals.tolist():
        for answers in ANSWERS:
            judged = judge(K[focal], classes, focal, answers)
            found = {
                "shown": K[focal],
                "Rocchio's means": by_means(K, judged),
                "support vector machine": by_machine(K, judged),
                "its own judgements": by_judgements(K, judged),
            }
            rows = retrained(X, [judged]) if retrain and answers == (5, 5) else None
            if rows is not None:
                learned = similarities(rows)
                found["Retrain"] = learned[focal]
                found["Retrain and its own judgements"] = by_judgements(learned, judged)
            for way, relevance in found.items():
                if relevance is not None and (result := score(relevance, classes, judged)) is not None:
                    scores.setdefault((way, answers), []).append(result)


def libraries(classes: Ints, draws: int, seed: int) -> Iterator[tuple[str, Ints, Ints]]:
    """Yield the description, photos and classes of small libraries."""
    rng = np.random.default_rng(seed)
    every = np.unique(classes)
    for count, times in ((2, 2 * draws), (5, draws), (len(every), 1)):
        for _ in range(times):
            rows = np.flatnonzero(np.isin(classes, rng.permutation(every)[:count]))
            yield f"{count} classes", rows, classes[rows]
    for _ in range(draws):
        half = rng.permutation(every)[: len(every) // 2]
        yield "two themes of many", np.arange(len(classes)), np.isin(classes, half).astype(np.intp)


def run(X: Floats, classes: Ints, found: dict[str, Scores], *, draws: int, focals: int, seed: int) -> None:
    """Measure all libraries drawn from one set."""
    for name, rows, kinds in libraries(classes, draws, seed):
        order = np.random.default_rng(seed).permutation(len(rows)).astype(np.intp)
        measure(X[rows], kinds, order[:focals], found.setdefault(name, {}), retrain=True)
        if name.endswith("classes") and len(np.unique(kinds)) == len(np.unique(classes)):
            K = similarities(X[rows])
            others = order[focals : focals + TAUGHT].tolist()
            taught = retrained(X[rows], [judge(K[one], kinds, one, (5, 5)) for one in others])
            if taught is not None:
                after = found.setdefault(f"{name}, after {TAUGHT} focal images", {})
                measure(taught, kinds, order[:focals], after, retrain=False)


def tables(report: Report, title: str, found: dict[str, Means]) -> None:
    """Add a table per number of judgements: precision at 10 / mean average precision by method and library."""
    for answers in ANSWERS:
        ways = dict.fromkeys(way for means in found.values() for way, given in means if given == answers)
        rows = []
        for way in ways:
            cells = []
            for means in found.values():
                values = means.get((way, answers))
                cells.append("" if values is None else " / ".join(map(mean_and_spread, np.transpose(values))))
            rows.append([way, *cells])
        report.table(f"{title}: {answers[0]} similar, {answers[1]} dissimilar", ["way", *found], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=5, help="number of libraries per photo set, at most 5")
    parser.add_argument("--draws", type=int, default=1, help="number of draws of classes per library")
    parser.add_argument("--focals", type=int, default=10, help="number of focal images per library")
    arguments = parser.parse_args()
    report = Report("focal-judgements", "Judging one focal image: immediate effect, Retrain, and both")
    report.text((__doc__ or "").split("\n\n", 1)[1])
    report.text(
        f"Draws: {arguments.sets} libraries per photo set, without common classes, of {arguments.focals} focal images "
        "each; ± is the standard deviation over draws."
    )
    by_kind: dict[str, dict[str, Means]] = {}
    for seed, drawn in enumerate(class_sets(STANDARD, arguments.sets)):
        photos = drawn.photos
        _, X = photos.space(np.arange(len(photos.classes)), STANDARD)
        found: dict[str, Scores] = {}
        run(X, photos.classes, found, draws=arguments.draws, focals=arguments.focals, seed=seed)
        means = by_kind.setdefault(drawn.name.split(",")[0], {})
        for name, scores in found.items():
            for key, values in scores.items():
                means.setdefault(name, {}).setdefault(key, []).append(np.mean(values, axis=0))
        print(f"{drawn.name}: done", flush=True)
    for name, kept in by_kind.items():
        tables(report, name, kept)
    report.save()


if __name__ == "__main__":
    main()
