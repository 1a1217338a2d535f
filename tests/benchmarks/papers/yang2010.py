"""Boosted bits (Yang et al. 2010) compared with DistBoost, NCA and LMNN: quality, rounds, visual neighbors, times.

`--parts cancer photos rounds visual times` selects parts; all five together take 10 minutes on one core:

- ``cancer``: their Tables 1 and 3, Fig. 5 and 7, on the breast cancer data of scikit-learn;
- ``photos``: their Table 6 and Fig. 10 on 10 CDs of Corel-5k, also with the program's standard descriptors, and on
  digits and 10 classes of Caltech-101;
- ``rounds``: their Fig. 4, objective and error by iteration;
- ``visual``: their Table 2, number of visual neighbors;
- ``times``: their Table 5, training for 100 to 500 dimensions, and growth with the number of photos.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits

import focal_photos.browser.environment  # noqa: F401 - before numpy
from focal_photos.features.table import STANDARD
from focal_photos.learners import create
from focal_photos.learners.boosted.bdm import BoostedMetric
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.measures import average_precision, precision_curve
from focal_photos.learners.core.side_information import SideInformation
from tests.benchmarks.common.described_photos import described
from tests.benchmarks.common.measures import knn_auc, precision_at_k, roc_auc
from tests.benchmarks.common.photo_sets import Floats, Ints, splits
from tests.benchmarks.common.rankings import distance_matrix, ranked
from tests.benchmarks.common.report import Curve, Report, mean_and_spread

ALONE: dict[str, Any] = {"euclidean_blend": 0}

METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "Euclidean": ("euclidean", {}),
    "DistBoost": ("dist-boost", ALONE),
    "NCA": ("nca", ALONE),
    "LMNN": ("lmnn", ALONE),
    "BDM": ("bdm", ALONE),
    "BDM+V": ("bdm-visual", ALONE | {"soft": 0}),
    "BDM over a kernel": ("bdm-kernel", ALONE),
}
"""Learners as in the papers, with the learned distance alone. The program blends in some Euclidean distance."""

OURS = ("BDM", "BDM+V", "BDM over a kernel")

TABLE_1 = {"Euclidean": ".673", "BDM": ".722", "BDM+V": ".736"}
TABLE_3 = {"Euclidean": ".673", "DistBoost": ".601", "NCA": ".614", "LMNN": ".683", "BDM+V": ".698"}
TABLE_2 = {1: ".721", 5: ".722", 10: ".722", 15: ".721", 20: ".721"}
TABLE_5 = {
    "BDM+V": (569, 673, 768, 906, 1088),
    "LMNN": (385, 913, 3567, 7629, 12515),
    "DistBoost": (240, 524, 1155, 2123, 3627),
    "NCA": (1896, 10744, 33591, 50385, 84017),
}
DEPTH = 30
NEIGHBORS = (1, 5, 10, 15, 20)


class Split(NamedTuple):
    """Training photos, ranked test photos, and the classes of both."""

    X: Floats
    y: Ints
    queries: Floats
    truth: Ints

    @property
    def side(self) -> SideInformation:
        """Training classes as tags."""
        return SideInformation.from_labels(self.y)


class Scores(NamedTuple):
    """P@10, mAP and 10-NN AUC of a split, and precision by rank."""

    precision: float
    mean_precision: float
    auc: float
    curve: NDArray[np.float64]


def score(learner: DistanceLearner, split: Split) -> Scores:
    """Score a fitted learner: test photos among themselves (leave one out), and their classes by training photos."""
    D = distance_matrix(learner, split.queries, split.queries)
    order = ranked(D, skip=np.arange(len(D)))
    same = split.truth[order] == split.truth[:, None]
    auc = knn_auc(distance_matrix(learner, split.queries, split.X), split.y, split.truth)
    return Scores(precision_at_k(same, 10), average_precision(same), auc, precision_curve(same)[:DEPTH])


# ------------------------------------------------------------------------------------------------------------- sets


def cut(X: Floats, y: Ints, train: int, test: int, count: int) -> Iterator[Split]:
    """Yield splits of vectors: `train` training photos of each class, and up to `test` others of each as queries."""
    for a, b in splits(y, train, test, count):
        Z = FeatureSpace().fit(X[a]).transform(X)
        yield Split(Z[a], y[a], Z[b], y[b])


def cancer(count: int) -> Iterator[Split]:
    """Yield random halves of the breast cancer data, 30 features, standardised on the training half."""
    X, y = load_breast_cancer(return_X_y=True)
    for seed in range(count):
        order = np.random.default_rng(seed).permutation(len(y))
        a, b = order[: len(y) // 2], order[len(y) // 2 :]
        Z = FeatureSpace().fit(X[a]).transform(X)
        yield Split(Z[a], y[a].astype(np.intp), Z[b], y[b].astype(np.intp))


def digits(count: int) -> Iterator[Split]:
    """Yield 36 training digits of each kind, and 70 others."""
    X, y = load_digits(return_X_y=True)
    return cut(X.astype(np.float32), y.astype(np.intp), 36, 70, count)


def photos(name: str, names: tuple[str, ...], train: int, test: int, count: int) -> Iterator[Split]:
    """Yield 10 random classes of a photo set, redrawn for each split."""
    found = described(name, list(names))
    if found is None:
        return
    sizes = np.bincount(found.classes)
    for seed in range(count):
        drawn = np.random.default_rng(seed).choice(np.flatnonzero(sizes >= train + test), 10, replace=False)
        rows = np.flatnonzero(np.isin(found.classes, drawn))
        y = np.unique(found.classes[rows], return_inverse=True)[1].astype(np.intp)
        a, b = next(iter(splits(y, train, test, 1)))
        _, Z = found.space(rows[a], list(names))
        yield Split(Z[rows[a]], y[a], Z[rows[b]], y[b])


# ------------------------------------------------------------------------------------------------- the same methods


def compare(report: Report, title: str, every: list[Split], paper: dict[str, dict[str, str]], name: str) -> None:
    """Add the table and the curves of all methods on some splits, and compare the best ones."""
    lines, curves, means = [], {}, {}
    for label, (learner, parameters) in METHODS.items():
        found = [score(create(learner, **parameters).fit(s.X, s.side), s) for s in every]
        default = [score(create(learner).fit(s.X, s.side), s) for s in every]
        means[label] = np.array([f[:3] for f in found])
        numbers = [mean_and_spread(column) for rows in (found, default) for column in list(zip(*rows, strict=True))[:3]]
        lines.append([label, *numbers, *(column.get(label, "") for column in paper.values())])
        curves[label] = Curve(np.arange(1, DEPTH + 1), np.mean([f.curve for f in found], axis=0))
    columns = [f"{what}{mode}" for mode in ("", ", default") for what in ("P@10", "mAP", "AUC")]
    report.table(title, ["method", *columns, *paper], lines)
    report.curves(f"{title}: retrieval accuracy", curves, x="rank", y="accuracy", name=name)
    for k, what in enumerate(("P@10", "mAP", "AUC")):
        ours, other = (
            max((m for m in METHODS if (m in OURS) is mine), key=lambda m: float(means[m][:, k].mean()))
            for mine in (True, False)
        )
        lead = means[ours][:, k] - means[other][:, k]
        report.text(
            f"{what}: the best boosted bits are {ours}, the best of the others {other}; the lead in the same splits is "
            f"{lead.mean():+.3f} ± {lead.std(ddof=1) / np.sqrt(len(lead)):.3f} (standard error)."
        )


def cancer_part() -> None:
    """Write Tables 1 and 3, Fig. 5 and 7."""
    report = Report("yang2010-cancer", "Yang 2010: breast cancer")
    report.text(
        "569 tumours, 30 features (the paper: 2,522 mammograms, 38 features), 10 random halves for training and "
        "testing. P@10 and mAP: test photos among themselves, leave one out; AUC: share of malignant among the 10 "
        "nearest training photos. First the learned distance alone, as in the paper, then the program's defaults, "
        "which blend in some Euclidean distance and, in BDM+V, soften the bits. The paper's numbers are areas on its "
        "own, harder data."
    )
    compare(
        report,
        "Breast cancer",
        list(cancer(10)),
        {"AUC, paper Table 1": TABLE_1, "AUC, paper Table 3": TABLE_3},
        "accuracy",
    )
    report.save()


def photos_part() -> None:
    """Write Table 6 and Fig. 10, and the results on the other sets."""
    sets: dict[str, tuple[str, Callable[[], Iterator[Split]]]] = {
        "corel": (
            "Corel-5k, 10 CDs, 36 features as the paper's",
            lambda: photos("corel5k", ("color_edge_texture",), 40, 60, 4),
        ),
        "corel-standard": ("Corel-5k, 10 CDs, standard descriptors", lambda: photos("corel5k", STANDARD, 40, 60, 4)),
        "caltech": ("Caltech-101, 10 classes, standard descriptors", lambda: photos("caltech101", STANDARD, 24, 36, 4)),
        "digits": ("Digits", lambda: digits(4)),
    }
    report = Report("yang2010-photos", "Yang 2010: photos")
    report.text(
        "40 training and 60 test photos of each of 10 random CDs (Caltech-101: 24 and 36; digits: 36 and 70), with new "
        "classes in each of 4 splits. Columns as in `yang2010-cancer.md`. The numbers of Table 6 are illegible in the "
        "scan of the paper; its text says: LMNN first, BDM+V comparable, DistBoost, NCA and Euclidean often "
        "significantly worse; in Fig. 10, LMNN and DistBoost are mostly ahead of BDM+V."
    )
    for name, (title, draw) in sets.items():
        if every := list(draw()):
            compare(report, title, every, {}, name)
    report.save()


# ---------------------------------------------------------------------------------------------------------- rounds


def errors(bits: NDArray[np.bool_], weights: NDArray[np.float64], y: Ints) -> tuple[float, float]:
    """Return the log of the objective per triple (equation 5) and the share of wrong triples (equation 4)."""
    signs = np.where(bits, 1.0, -1.0)
    D = np.maximum((weights.sum() - (signs * weights) @ signs.T) / 2, 0)
    same = y[:, None] == y
    np.fill_diagonal(same, False)
    other = y[:, None] != y
    near = np.logaddexp.reduce(np.where(same, D, -np.inf), axis=1)
    far = np.logaddexp.reduce(np.where(other, -D, -np.inf), axis=1)
    triples = float(same.sum(axis=1) @ other.sum(axis=1))
    others = ~np.eye(len(y), dtype=bool)
    wrong = [roc_auc(np.round(D[i][others[i]], 9), same[i][others[i]]) for i in range(len(y))]
    return float(np.logaddexp.reduce(near + far)) - np.log(triples), float(np.mean(wrong))


def rounds_part() -> None:
    """Write Fig. 4."""
    report = Report("yang2010-rounds", "Yang 2010: objective and error over the rounds")
    report.text(
        "Objective (equation 5) per triple and share of wrong triples (equation 4), for the training photos and for "
        "the test photos among themselves, as the mean of 3 splits, up to 312 rounds as in the paper. As there, the "
        "objective is a loose upper bound of the error; the paper does not show test photos."
    )
    sets = {"Breast cancer": list(cancer(3))}
    if corel := list(photos("corel5k", ("color_edge_texture",), 40, 60, 3)):
        sets["Corel-5k, 10 CDs, 36 features"] = corel
    at = [1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 312]
    curves: tuple[dict[str, Curve], dict[str, Curve]] = ({}, {})
    for title, every in sets.items():
        values = np.zeros((len(every), len(at), 4))
        made = []
        for s, split in enumerate(every):
            learner = BoostedMetric(rounds=312, tolerance=1e-9, euclidean_blend=0).fit(split.X, split.side)
            made.append(len(learner.thresholds_))
            for k, T in enumerate(at):
                weights = learner.code_weights_[:T]
                for j, (X, y) in enumerate(((split.X, split.y), (split.queries, split.truth))):
                    codes = np.unpackbits(learner.encode(X), axis=1, bitorder="little")[:, : len(weights)].astype(bool)
                    values[s, k, 2 * j : 2 * j + 2] = errors(codes, weights, y)
        mean = values.mean(axis=0)
        report.table(
            f"{title} ({', '.join(map(str, made))} rounds made)",
            ["rounds", "log objective, training", "error, training", "log objective, test", "error, test"],
            [[str(T), *(f"{v:.3f}" for v in row)] for T, row in zip(at, mean, strict=True)],
        )
        for j, which in enumerate(("training", "test")):
            curves[0][f"{title}, {which}"] = Curve(at, mean[:, 2 * j])
            curves[1][f"{title}, {which}"] = Curve(at, mean[:, 2 * j + 1])
    report.curves(
        "Objective over the rounds", curves[0], x="rounds", y="log F per triple", name="objective", log_x=True
    )
    report.curves("Error over the rounds", curves[1], x="rounds", y="share of wrong triples", name="error", log_x=True)
    report.save()


def visual_part() -> None:
    """Write Table 2."""
    report = Report("yang2010-visual", "Yang 2010: visual neighbors")
    report.text("BDM+V with k visual neighbors, where 0 is BDM; learned distance alone, 5 splits of each set.")
    sets = {"Breast cancer": list(cancer(5))}
    if corel := list(photos("corel5k", ("color_edge_texture",), 40, 60, 5)):
        sets["Corel-5k, 10 CDs, 36 features"] = corel
    for number, (title, every) in enumerate(sets.items()):
        lines, curves = [], {}
        for k in (0, *NEIGHBORS):
            learner = create("bdm-visual", visual_neighbors=k, soft=0, **ALONE) if k else create("bdm", **ALONE)
            found = [score(learner.fit(s.X, s.side), s) for s in every]
            columns = list(zip(*found, strict=True))
            lines.append([str(k), *(mean_and_spread(column) for column in columns[:3]), TABLE_2.get(k, "")])
            curves[f"{k} visual neighbors"] = Curve(np.arange(1, DEPTH + 1), np.mean(columns[3], axis=0))
        report.table(title, ["k", "P@10", "mAP", "AUC", "AUC, paper (mammograms)"], lines)
        report.curves(
            f"{title}: visual neighbors",
            curves,
            x="rank",
            y="accuracy",
            name=("cancer-accuracy", "corel-accuracy")[number],
        )
    report.save()


# ----------------------------------------------------------------------------------------------------------- times


def seconds(name: str, X: Floats, y: Ints, **parameters: Any) -> float:
    """Return the processor time of a fit, all of which runs in this thread."""
    side = SideInformation.from_labels(y)
    learner = create(name, **parameters)
    start = time.thread_time()
    learner.fit(X, side)
    return time.thread_time() - start


def times_part() -> None:
    """Write Table 5, and the growth with the number of photos."""
    report = Report("yang2010-times", "Yang 2010: training time")
    names = {"BDM": "bdm", "BDM+V": "bdm-visual", "LMNN": "lmnn", "DistBoost": "dist-boost", "NCA": "nca"}
    report.text(
        "Principal components of Gabor features of Corel-5k; 300 rounds of boosting (DistBoost 50, on 60 axes), 50 "
        "iterations of NCA and LMNN. Processor seconds of one thread, median of 3 rounds of alternating methods."
    )
    found = described("corel5k", ["gabor"])
    for count, each, sizes in ((11, 40, (100, 200, 300, 400, 500)), (10, 100, (100, 300, 500))):
        if found is None:
            break
        rows, _ = next(iter(splits(found.classes, each, 0, 1)))
        rows = rows[found.classes[rows] < count]
        vectors = found.vectors["gabor"][rows].astype(np.float64)
        vectors = (vectors - vectors.mean(axis=0)) / np.maximum(vectors.std(axis=0), 1e-9)
        w, V = np.linalg.eigh(vectors @ vectors.T)
        Z = (V * np.sqrt(np.maximum(w, 0)))[:, ::-1]
        # 440 photos have 439 components; the remaining dimensions are noise as weak as the last component.
        weak = np.random.default_rng(0).normal(size=(len(Z), max(0, 500 - Z.shape[1] + 1))) * Z[:, -2].std()
        Z = np.hstack([Z[:, : len(Z) - 1], weak]).astype(np.float32)
        taken = {
            label: [[seconds(name, Z[:, :d], found.classes[rows]) for name in names.values()] for _ in range(3)]
            for d, label in ((d, str(d)) for d in sizes)
        }
        median = np.array([np.median(rounds, axis=0) for rounds in taken.values()]).T
        shown = [int(d) // 100 - 1 for d in sizes]
        lines = []
        for label, row in zip(names, median, strict=True):
            paper = [f"{TABLE_5[label][k]:,}" if label in TABLE_5 else "" for k in shown]
            lines.append([label, *(f"{value:.2f}" for value in row), *(paper if each == 40 else [])])
        columns = [f"{d}" for d in sizes] + ([f"{d}, paper" for d in sizes] if each == 40 else [])
        report.table(f"{len(rows)} photos of {count} classes, seconds by dimensions", ["method", *columns], lines)
        quickest = median[[2, 4], -1].min()
        ratios = quickest / median[0, -1], quickest / median[1, -1], median[0, -1] / median[0, 0]
        report.text(
            f"At 500 dimensions, BDM is {ratios[0]:.1f} times and BDM+V {ratios[1]:.1f} times faster than the faster "
            f"of NCA and LMNN; the time of BDM is {ratios[2]:.2f} times that at 100."
        )
    grow(report)
    report.save()


def grow(report: Report) -> None:
    """Add the times by number of synthetic photos."""
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(50, 100))
    lines: list[list[str]] = []
    before = {"bdm": 0.0, "bdm-visual": 0.0}
    for n in (1000, 2000, 4000, 8000):
        y = np.arange(n) % 50
        X = (centers[y] * 0.5 + rng.normal(size=(n, 100))).astype(np.float32)
        line = [f"{n:,}"]
        for name in before:
            now = seconds(name, X, y.astype(np.intp), rounds=100)
            line += [f"{now:.1f}", f"{np.log2(now / before[name]):.2f}" if before[name] else ""]
            before[name] = now
        lines.append(line)
    report.table(
        "Growth: 50 normal clouds, 100 dimensions, 100 rounds; exponent: of n, from the line above",
        ["photos", "BDM, s", "exponent", "BDM+V, s", "exponent"],
        lines,
    )


def main() -> None:
    parts = {
        "cancer": cancer_part,
        "photos": photos_part,
        "rounds": rounds_part,
        "visual": visual_part,
        "times": times_part,
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts), help="parts to run; all by default")
    for part in parser.parse_args().parts:
        parts[part]()


if __name__ == "__main__":
    main()
