# SPDX-License-Identifier: MIT
"""A typical user's loop: judge some focal images, retrain, and look at the rankings of others.

Small libraries (Corel-5k in sets of 10 classes, Caltech-101 in sets of 20). For 1, 3, 5, 10, 20 and 50 focal images,
the first 5 photos of their class and the first 5 others among the first 20 shown are judged. Then all photos of the
library are ranked for 100 other, unjudged focal images: precision at 10 and mean average precision by class.

"Before" is the program before dense Fisher vectors, the half whitened space and re-ranking; "equal families" is the
kernel metric without weights of feature families. The peers classify pairs as similar or dissimilar, trained on the
same judgements: by the differences of the same vectors, or by the squared distances of the families. Relevant component
analysis is re-ranked, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from focal_photos.features.table import STANDARD
from focal_photos.learners import create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from focal_photos.learners.core.linalg import sqd
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery
from tests.benchmarks.common.class_sets import class_sets
from tests.benchmarks.common.described_photos import Described
from tests.benchmarks.common.photo_sets import Floats, Ints
from tests.benchmarks.common.report import Report, mean_and_spread

BEFORE: Final = (
    *(name for name in STANDARD if not name.startswith("dense_")),
    "color_edge_texture",
    "sift_words_1000",
)
"""Standard families before the introduction of dense Fisher vectors."""

JUDGED: Final = (0, 1, 3, 5, 10, 20, 50)
"""Numbers of judged focal images."""

_BY_FAMILY: Final = "logistic regression on family distances"

SHOWN: Final = 20
ANSWERS: Final = 5
HELD_OUT: Final = 100

PEERS: Final[dict[str, Callable[[], Any]]] = {
    "random forest": lambda: RandomForestClassifier(300, random_state=0, n_jobs=1),
    "logistic regression": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
    "support vector machine": lambda: make_pipeline(StandardScaler(), SVC()),
}


class Score(NamedTuple):
    """Mean scores over all held-out focal images."""

    precision: float
    average_precision: float


def score(distances: NDArray[np.floating], classes: Ints, focal: Ints) -> Score:
    """Return precision at 10 and mean average precision of focal images, from distances (q, n) to all photos."""
    D = np.array(distances, dtype=np.float64)
    D[np.arange(len(focal)), focal] = np.inf
    order = np.argsort(D, axis=1, kind="stable")[:, :-1]
    relevant = classes[order] == classes[focal][:, None]
    precision = np.cumsum(relevant, axis=1) / np.arange(1, relevant.shape[1] + 1)
    averages = (precision * relevant).sum(axis=1) / relevant.sum(axis=1)
    return Score(float(relevant[:, :10].mean()), float(averages.mean()))


def answers(distances: NDArray[np.floating], classes: Ints, focal: Ints) -> SideInformation:
    """Judge 5 photos of the class and 5 others among the first 20 of each focal image's ranking."""
    similar, dissimilar = [], []
    for photo, row in zip(focal.tolist(), distances, strict=True):
        order = np.argsort(row, kind="stable")
        shown = order[order != photo][:SHOWN]
        same = classes[shown] == classes[photo]
        similar += [(photo, other) for other in shown[same][:ANSWERS].tolist()]
        dissimilar += [(photo, other) for other in shown[~same][:ANSWERS].tolist()]
    return SideInformation(
        np.array(similar, dtype=np.intp).reshape(-1, 2), np.array(dissimilar, dtype=np.intp).reshape(-1, 2)
    )


def by_family(space: Space, side: SideInformation, focal: Ints) -> NDArray[np.float64] | None:
    """Return minus the odds of a logistic regression on the families' squared distances, or None as `peer`."""
    if not len(side.similar) or not len(side.dissimilar):
        return None
    X, families = space.X.astype(np.float64), space.families
    pairs = np.concatenate([side.similar, side.dissimilar])
    squares = np.square(X[pairs[:, 0]] - X[pairs[:, 1]])
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
    model.fit(
        np.stack([squares[:, one.start : one.stop].sum(axis=1) for one in families], axis=1),
        np.repeat([1, 0], [len(side.similar), len(side.dissimilar)]),
    )
    weights = model[-1].coef_[0] / model[0].scale_
    parts = ((weight, X[:, one.start : one.stop]) for weight, one in zip(weights, families, strict=True))
    return np.asarray(-sum(weight * sqd(Z[focal], Z) for weight, Z in parts))


def peer(model: Any, X: Floats, side: SideInformation, focal: Ints) -> NDArray[np.float64] | None:
    """Return minus the similarity score of a classifier of pair differences, or None if one kind of pair is missing."""
    if not len(side.similar) or not len(side.dissimilar):
        return None
    pairs = np.concatenate([side.similar, side.dissimilar])
    kinds = np.repeat([1, 0], [len(side.similar), len(side.dissimilar)])
    model.fit(np.abs(X[pairs[:, 0]] - X[pairs[:, 1]]), kinds)
    rows = []
    for photo in focal.tolist():
        differences = np.abs(X - X[photo])
        if hasattr(model, "decision_function"):
            rows.append(-model.decision_function(differences))
        else:
            rows.append(-model.predict_proba(differences)[:, 1])
    return np.array(rows)


class Space:
    """Photos of a set in a space, with plain and re-ranked distances, unlearned or under learned metrics."""

    def __init__(self, X: Floats, families: tuple[FeatureFamily, ...]) -> None:
        self.X, self.families = X, families

    def untrained(self, rows: Ints, *, rerank: bool) -> NDArray[np.floating]:
        """Return distances (q, n) without learning."""
        return _distances(self.X, rows, rerank=rerank)

    def learned(
        self, metric: str, side: SideInformation, rows: Ints, *, rerank: bool, weighted: bool = True
    ) -> NDArray[np.floating] | None:
        """Return distances (q, n) under a metric trained on judgements, or None if there are too few.

        If `weighted`, a learner that distinguishes families knows those of the space.
        """
        learner = create(metric)
        if weighted and "families" in learner.get_params():
            learner.set_params(families=self.families)
        try:
            learner.fit(self.X, side)
        except LearnerError:
            return None
        return _distances(gallery_rows(learner, self.X), rows, rerank=rerank)


def _distances(Z: Floats, rows: Ints, *, rerank: bool) -> NDArray[np.floating]:
    if not rerank:
        return sqd(Z[rows].astype(np.float64), Z.astype(np.float64))
    gallery = row_gallery(None, Z)
    found: NDArray[np.floating] = 1 - build(gallery).similarities(gallery, rows).T
    return found


def _before(photos: Described) -> Space:
    X = photos.stacked(BEFORE)
    space = FeatureSpace(photos.families(BEFORE)).fit(X)
    return Space(space.transform(X), space.families_)


def loop(photos: Described, seed: int) -> dict[str, dict[int, Score]]:
    """Return the scores of all methods by number of judged focal images."""
    classes = photos.classes
    order = np.random.default_rng(seed).permutation(len(classes)).astype(np.intp)
    judged, held = order[: max(JUDGED)], order[max(JUDGED) :][:HELD_OUT]
    every = np.arange(len(classes))
    before = _before(photos)
    space, X = photos.space(every, STANDARD)
    now = Space(X, space.families_)
    shown = {False: before.untrained(judged, rerank=False), True: now.untrained(judged, rerank=True)}
    found: dict[str, dict[int, Score]] = {}

    def take(way: str, count: int, distances: NDArray[np.floating] | None) -> None:
        if distances is not None:
            found.setdefault(way, {})[count] = score(distances, classes, held)

    for count in JUDGED:
        if not count:
            take("before: kernel", 0, before.untrained(held, rerank=False))
            take("kernel", 0, now.untrained(held, rerank=False))
            take("kernel, re-ranked", 0, now.untrained(held, rerank=True))
            continue
        old, new = (answers(shown[key][:count], classes, judged[:count]) for key in (False, True))
        take("before: kernel", count, before.learned("kernel", old, held, rerank=False, weighted=False))
        take("kernel", count, now.learned("kernel", new, held, rerank=False))
        take("kernel, re-ranked", count, now.learned("kernel", new, held, rerank=True))
        take(
            "kernel, re-ranked, equal families",
            count,
            now.learned("kernel", new, held, rerank=True, weighted=False),
        )
        take("relevant component analysis", count, now.learned("rca", new, held, rerank=True))
        take(_BY_FAMILY, count, by_family(now, new, held))
        for name, model in PEERS.items():
            take(name, count, peer(model(), now.X, new, held))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=3, help="number of libraries per photo set")
    parser.add_argument("--seeds", type=int, default=2, help="number of draws of the focal images")
    arguments = parser.parse_args()
    report = Report("learning-loop", "The learning loop: some focal images judged, others ranked")
    report.text((__doc__ or "").split("\n\n", 1)[1])
    by_kind: dict[str, list[dict[str, dict[int, Score]]]] = {}
    for drawn in class_sets(list(dict.fromkeys((*STANDARD, *BEFORE))), arguments.sets):
        for seed in range(arguments.seeds):
            by_kind.setdefault(drawn.name.rsplit(" (", 1)[0], []).append(loop(drawn.photos, seed))
            print(f"{drawn.name}, draw {seed}: done", flush=True)
    for name, loops in by_kind.items():
        for measure, title in enumerate(("precision at 10", "mean average precision")):
            rows = [
                [way, *(_cell([one[way][count][measure] for one in loops if count in one[way]]) for count in JUDGED)]
                for way in loops[0]
            ]
            report.table(f"{name}: {title} by focal images judged", ["way", *map(str, JUDGED)], rows)
    report.save()


def _cell(values: Sequence[float]) -> str:
    return mean_and_spread(values) if values else ""


if __name__ == "__main__":
    main()
