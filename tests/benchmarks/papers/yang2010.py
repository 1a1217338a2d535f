# SPDX-License-Identifier: MIT
"""Boosted bits (Yang et al. 2010) compared with DistBoost, NCA and LMNN: quality, rounds, visual neighbors, times.

`--parts cancer ultrasound sizes classes photos rounds visual times` selects parts; all together take 20
minutes on one core:

- ``cancer``: their Tables 1 and 3, Fig. 5 and 7, on the breast cancer data of scikit-learn;
- ``ultrasound``: the same on images of breast masses, and AUC on other sets of two classes;
- ``sizes``: AUC and retrieval by number of training photos, on images of breast masses and on 10 CDs of Corel-5k;
- ``classes``: their Table 4 and Fig. 9, AUC of each of 11 classes of grey photos;
- ``photos``: their Table 6 and Fig. 10 on 10 CDs of Corel-5k, also with the program's standard descriptors, and on
  digits and 10 classes of Caltech-101;
- ``rounds``: their Fig. 4, objective and error by iteration, and the guarantees of Theorem 3.5 and equation 11;
- ``visual``: their Table 2, number of visual neighbors;
- ``times``: their Table 5, training for 100 to 500 dimensions, and growth with the number of photos.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.linalg import eigsh
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

BITS: dict[str, Any] = {"paper": True}

METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "Euclidean": ("euclidean", {}),
    "DistBoost": ("dist-boost", ALONE),
    "NCA": ("nca", ALONE),
    "LMNN": ("lmnn", ALONE),
    "BDM": ("bdm", BITS),
    "BDM+V": ("bdm-visual", BITS),
    "BDM over a kernel": ("bdm-kernel", BITS),
}
"""Boosted bits as printed, and the rivals' learned distance alone. The program blends in some Euclidean distance."""

VISUAL: dict[str, tuple[str, dict[str, Any]]] = {
    f"BDM+V, k = {k}": ("bdm-visual", BITS | {"visual_neighbors": k}) for k in (5, 20)
}
"""Boosted bits with k visual neighbors."""

TWO_CLASSES = (
    {name: METHODS[name] for name in METHODS if name != "BDM+V"}
    | VISUAL
    | {"ratio (not in the paper)": ("ratio", ALONE)}
)

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


class Compared(NamedTuple):
    """Scores of a method on each split, with the learned distance alone and with the program's defaults."""

    alone: list[Scores]
    default: list[Scores]

    def each(self, what: str) -> NDArray[np.float64]:
        """Return a measure, an attribute of `Scores`, of the learned distance alone on each split."""
        return np.array([getattr(one, what) for one in self.alone])

    def auc(self) -> NDArray[np.float64]:
        """Return the AUC of the learned distance alone on each split."""
        return self.each("auc")


def compared(every: list[Split], methods: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, Compared]:
    """Score all methods on the same splits."""

    def scores(learner: str, parameters: dict[str, Any]) -> list[Scores]:
        return [score(create(learner, **parameters).fit(s.X, s.side), s) for s in every]

    # The number of visual neighbors is the method's, not the distance's.
    return {
        label: Compared(
            scores(learner, parameters),
            scores(learner, {key: parameters[key] for key in parameters if key == "visual_neighbors"}),
        )
        for label, (learner, parameters) in methods.items()
    }


def write(
    report: Report, title: str, results: dict[str, Compared], paper: dict[str, dict[str, str]], name: str
) -> None:
    """Add the table and the curves of all methods on some splits, and compare the best ones."""
    lines, curves, means = [], {}, {}
    for label, result in results.items():
        means[label] = np.array([found[:3] for found in result.alone])
        numbers = [mean_and_spread(column) for rows in result for column in list(zip(*rows, strict=True))[:3]]
        lines.append([label, *numbers, *(column.get(label, "") for column in paper.values())])
        curves[label] = Curve(np.arange(1, DEPTH + 1), np.mean([found.curve for found in result.alone], axis=0))
    columns = [f"{what}{mode}" for mode in ("", ", default") for what in ("P@10", "mAP", "AUC")]
    report.table(title, ["method", *columns, *paper], lines)
    report.curves(f"{title}: retrieval accuracy", curves, x="rank", y="accuracy", name=name)
    for k, what in enumerate(("P@10", "mAP", "AUC")):
        ours, other = (
            max((m for m in means if m.startswith("BDM") is mine), key=lambda m: float(means[m][:, k].mean()))
            for mine in (True, False)
        )
        lead = means[ours][:, k] - means[other][:, k]
        report.text(
            f"{what}: the best boosted bits are {ours}, the best of the others {other}; the lead in the same splits is "
            f"{difference(lead)} (standard error)."
        )


def difference(values: ArrayLike) -> str:
    """Return the mean of paired differences and its standard error."""
    found = np.asarray(values, dtype=np.float64)
    return f"{found.mean():+.3f} ± {found.std(ddof=1) / np.sqrt(len(found)):.3f}"


def measured(results: dict[str, Compared], what: str, *names: str) -> str:
    """Return a measure of the learned distance alone by method, for the evidence of a claim."""
    return ", ".join(f"{name} {mean_and_spread(results[name].each(what))}" for name in names)


def cancer_part() -> None:
    """Write Tables 1 and 3, Fig. 5 and 7."""
    results = compared(list(cancer(10)), METHODS)
    plain = results["Euclidean"].auc()
    best = max((label for label in results if label != "Euclidean"), key=lambda label: results[label].auc().mean())
    report = Report("yang2010-cancer", "Yang 2010: breast cancer")
    report.text(
        f"This set is too easy to compare metrics: Euclidean distance alone has an AUC of {mean_and_spread(plain)} (on "
        f"the paper's mammograms .673), and the best learned distance, {best}, {mean_and_spread(results[best].auc())}. "
        "See `yang2010-ultrasound.md` for images of breast masses."
    )
    report.text(
        "569 tumours, 30 features (the paper: 2,522 mammograms, 38 features), 10 random halves for training and "
        "testing. P@10 and mAP: test photos among themselves, leave one out; AUC: share of malignant among the 10 "
        "nearest training photos. First boosted bits as printed (`paper=True`) and the learned distance of the "
        "others alone, then the program's defaults, which blend in some Euclidean distance, smooth the weights of bits "
        "and, in BDM+V, soften the bits. The paper's numbers are areas on its "
        "own, harder data."
    )
    auc, precision = ({name: one.each(what).mean() for name, one in results.items()} for what in ("auc", "precision"))
    report.claims(
        {
            "BDM and BDM+V have a larger AUC than Euclidean distance": (
                min(auc["BDM"], auc["BDM+V"]) > auc["Euclidean"],
                measured(results, "auc", "BDM", "BDM+V", "Euclidean"),
            ),
            "visual pairs raise the AUC of BDM": (
                auc["BDM+V"] > auc["BDM"],
                measured(results, "auc", "BDM+V", "BDM"),
            ),
            "BDM+V has a larger AUC than DistBoost, NCA and LMNN": (
                auc["BDM+V"] > max(auc["DistBoost"], auc["NCA"], auc["LMNN"]),
                measured(results, "auc", "DistBoost", "NCA", "LMNN"),
            ),
            "BDM and BDM+V have a higher retrieval accuracy than Euclidean distance (P@10)": (
                min(precision["BDM"], precision["BDM+V"]) > precision["Euclidean"],
                measured(results, "precision", "BDM", "BDM+V", "Euclidean"),
            ),
        }
    )
    write(report, "Breast cancer", results, {"AUC, paper Table 1": TABLE_1, "AUC, paper Table 3": TABLE_3}, "accuracy")
    report.save()


def gabor(name: str, classes: Sequence[str] | None, train: float, components: int, count: int) -> Iterator[Split]:
    """Yield random splits of a photo set, or of some classes, in principal components of Gabor features.

    `train` is the share of training photos, which define the components.
    """
    found = described(name, ["gabor"])
    if found is None:
        return
    chosen = found.photos.names if classes is None else list(classes)
    rows = np.flatnonzero(np.isin(found.classes, [found.photos.names.index(one) for one in chosen]))
    y = np.unique(found.classes[rows], return_inverse=True)[1].astype(np.intp)
    for seed in range(count):
        order = np.random.default_rng(seed).permutation(len(rows))
        a, b = np.split(order, [round(train * len(rows))])
        _, Z = found.space(rows[a], ["gabor"], components=components)
        yield Split(Z[rows[a]], y[a], Z[rows[b]], y[b])


def odd_digits(count: int) -> Iterator[Split]:
    """Yield 100 training digits, odd or even, and 500 others."""
    X, y = load_digits(return_X_y=True)
    for seed in range(count):
        a, b = np.split(np.random.default_rng(seed).permutation(len(y))[:600], [100])
        Z = FeatureSpace().fit(X[a]).transform(X.astype(np.float32))
        yield Split(Z[a], y[a].astype(np.intp) % 2, Z[b], y[b].astype(np.intp) % 2)


def ultrasound_part() -> None:
    """Write Tables 1 and 3 for images of breast masses, and AUC for other sets of two classes."""
    every = list(gabor("breast_ultrasound", None, 210 / 647, 100, 10))
    if not every:
        return
    results = compared(every, TWO_CLASSES)
    plain, bits, nearer, near = (results[name].auc() for name in ("Euclidean", "BDM", *VISUAL))
    rivals = {name: results[name].auc() for name in ("DistBoost", "NCA", "LMNN")}
    precision = {name: one.each("precision").mean() for name, one in results.items()}
    report = Report("yang2010-ultrasound", "Yang 2010: ultrasound images of breast masses, and other pairs of classes")
    report.claims(
        {
            "BDM+V has a larger AUC than Euclidean distance (by .063)": (
                np.mean(near - plain) > 0,
                f"with k = 20 {difference(near - plain)}, with k = 5 {difference(nearer - plain)}",
            ),
            "BDM has a larger AUC than Euclidean distance (by .049)": (
                np.mean(bits - plain) > 0,
                difference(bits - plain),
            ),
            "visual pairs raise the AUC of BDM (by .014)": (np.mean(near - bits) > 0, difference(near - bits)),
            "BDM+V has a larger AUC than DistBoost, NCA and LMNN (by .097, .084 and .015)": (
                all(np.mean(near - rival) > 0 for rival in rivals.values()),
                ", ".join(f"against {name} {difference(near - rival)}" for name, rival in rivals.items()),
            ),
            "BDM and BDM+V have a higher retrieval accuracy than Euclidean distance (P@10)": (
                min(precision[name] for name in ("BDM", *VISUAL)) > precision["Euclidean"],
                measured(results, "precision", "BDM", *VISUAL, "Euclidean"),
            ),
            "visual pairs raise the retrieval accuracy of BDM (P@10)": (
                min(precision[name] for name in VISUAL) > precision["BDM"],
                measured(results, "precision", *VISUAL, "BDM"),
            ),
            "BDM+V and NCA have a higher retrieval accuracy than DistBoost and LMNN (P@10)": (
                min(precision[name] for name in (*VISUAL, "NCA")) > max(precision["DistBoost"], precision["LMNN"]),
                measured(results, "precision", "DistBoost", "NCA", "LMNN"),
            ),
        }
    )
    report.text(
        "Differences of AUC in the same splits, with standard errors. 437 benign and 210 malignant masses; patients "
        "may recur, so the splits are optimistic. 2,560 Gabor features on 100 principal components of 210 random "
        "training images; the other 437 are test images, 10 splits. Columns as in `yang2010-cancer.md`; k: visual "
        "neighbors. The paper has 2,522 mammograms with 38 features. `ratio` is not in the paper (ALGORITHMS.md, 6.9)."
    )
    write(
        report,
        "Breast masses",
        results,
        {"AUC, paper Table 1": TABLE_1 | dict.fromkeys(VISUAL, TABLE_1["BDM+V"]), "AUC, paper Table 3": TABLE_3},
        "accuracy",
    )
    others = {
        "Corel-5k, bears or foxes": gabor("corel5k", ("100000", "109000"), 0.4, 100, 10),
        "Corel-5k, flowers or leaves": gabor("corel5k", ("13000", "152000"), 0.4, 100, 10),
        "Caltech-101, crabs or crayfish": gabor("caltech101", ("crab", "crayfish"), 0.4, 100, 10),
        "Caltech-101, ketches or schooners": gabor("caltech101", ("ketch", "schooner"), 0.4, 100, 10),
        "scikit-learn's digits, odd or even": odd_digits(10),
    }
    areas = {title: compared(drawn, TWO_CLASSES) for title, draw in others.items() if (drawn := list(draw))}
    report.table(
        "AUC of other pairs of classes",
        ["method", *areas],
        [[label, *(mean_and_spread(found[label].auc()) for found in areas.values())] for label in TWO_CLASSES],
    )
    report.text(
        "Photos: Gabor features as above, 40 % of the photos of two similar classes for training. Digits: pixels, 100 "
        "training images of 600. Boosted bits as printed, the learned distance of the others alone; 10 splits."
    )
    report.save()


SIZES: dict[str, tuple[int, ...]] = {"Breast masses": (20, 40, 80, 160, 320), "Corel-5k, 10 CDs": (50, 100, 200, 400)}
"""Numbers of training photos of the part `sizes`."""


def masses(size: int, count: int) -> Iterator[Split]:
    """Yield splits of the images of breast masses with `size` training images, and always the same 327 test images."""
    found = described("breast_ultrasound", ["gabor"])
    for seed in range(count if found is not None else 0):
        assert found is not None
        order = np.random.default_rng(seed).permutation(len(found.classes))
        a, b = order[:size], order[320:]
        _, Z = found.space(a, ["gabor"], components=100)
        yield Split(Z[a], found.classes[a], Z[b], found.classes[b])


def discs(size: int, count: int) -> Iterator[Split]:
    """Yield splits of 10 CDs with `size` training photos in total, and always the same 600 test photos."""
    names = ("color_edge_texture",)
    found = described("corel5k", names)
    for seed in range(count if found is not None else 0):
        assert found is not None
        drawn = np.random.default_rng(seed).choice(np.unique(found.classes), 10, replace=False)
        rows = np.flatnonzero(np.isin(found.classes, drawn))
        y = np.unique(found.classes[rows], return_inverse=True)[1].astype(np.intp)
        a, b = next(iter(splits(y, 40, 60, 1)))
        a = a.reshape(10, 40)[:, : size // 10].ravel()
        _, Z = found.space(rows[a], names)
        yield Split(Z[rows[a]], y[a], Z[rows[b]], y[b])


def sizes_part() -> None:
    """Write AUC and retrieval accuracy by number of training photos."""
    methods = {name: TWO_CLASSES[name] for name in ("Euclidean", "DistBoost", "NCA", "LMNN", "BDM", "BDM+V, k = 20")}
    report = Report("yang2010-sizes", "Yang 2010: number of training photos")
    claims: dict[str, tuple[bool | np.bool_, str]] = {}
    tables: list[tuple[str, tuple[int, ...], dict[str, NDArray[np.float64]]]] = []
    for (title, sizes), draw in zip(SIZES.items(), (masses, discs), strict=True):
        found: dict[str, list[list[tuple[float, float]]]] = {name: [] for name in methods}
        for size in sizes:
            every = list(draw(size, 10))
            for name, (learner, parameters) in methods.items():
                scores = [score(create(learner, **parameters).fit(s.X, s.side), s) for s in every]
                found[name].append([(one.auc, one.precision) for one in scores])
        values = {name: np.array(each) for name, each in found.items() if each[0]}  # (sizes, splits, 2)
        if not values:
            continue
        visual, plain, euclidean = (values[name][:, :, 0] for name in ("BDM+V, k = 20", "BDM", "Euclidean"))
        gain = visual - plain
        ahead = [size for size, mine, other in zip(sizes, visual, euclidean, strict=True) if mine.mean() > other.mean()]
        claims |= {
            f"visual pairs help most if there are few training images ({title}; AUC of BDM+V above BDM)": (
                gain[0].mean() > gain[-1].mean(),
                f"with {sizes[0]} {difference(gain[0])}, with {sizes[-1]} {difference(gain[-1])}; the change is "
                f"{difference(gain[-1] - gain[0])}",
            ),
            f"BDM+V has a larger AUC than Euclidean distance, here with each number of training images ({title})": (
                len(ahead) == len(sizes),
                f"with {', '.join(map(str, ahead)) or 'none'} of {', '.join(map(str, sizes))}; with {sizes[0]} "
                f"{difference((visual - euclidean)[0])}, with {sizes[-1]} {difference((visual - euclidean)[-1])}",
            ),
        }
        tables.append((title, sizes, values))
    report.claims(claims)
    report.text(
        "Section 4 of the paper announces a study of the number of training images, but contains none; it has 600 "
        "training images. The claims above are those of its sections 4.3.2 and 4.4. Differences in the same splits, "
        "with standard errors. The smaller training sets are parts of the larger ones, and the test photos are always "
        "the same; 10 splits. Breast masses: Gabor features on 100 principal components (fewer for fewer training "
        "images), 327 test images. Corel-5k: 36 features, 10 random CDs, 60 test photos of each. AUC: share of the "
        "class among the 10 nearest training photos; P@10: test photos among themselves, leave one out. Boosted "
        "bits as printed (`paper=True`), the learned distance of the others alone. With 20 training images, all of "
        "them are visual neighbors of each other, so BDM+V learns nothing and ranks by Euclidean distance."
    )
    for number, (title, sizes, values) in enumerate(tables):
        for k, what in enumerate(("AUC", "P@10")):
            report.table(
                f"{title}: {what} by number of training photos",
                ["method", *map(str, sizes)],
                [[name, *(mean_and_spread(row) for row in each[:, :, k])] for name, each in values.items()],
            )
        for k, what in enumerate(("auc", "precision")):
            report.curves(
                f"{title}: {('AUC', 'P@10')[k]}",
                {
                    name: Curve(sizes, each[:, :, k].mean(axis=1), each[:, :, k].std(axis=1))
                    for name, each in values.items()
                },
                x="training photos",
                y=("AUC", "P@10")[k],
                name=f"{('masses', 'corel')[number]}-{what}",
                log_x=True,
            )
    report.save()


TABLE_4: dict[str, tuple[float, ...]] = {
    "Euclidean": (0.973, 0.956, 0.911, 0.941, 0.862, 0.851, 0.788, 0.927, 0.825, 0.866, 0.881),
    "BDM+V": (0.998, 0.988, 0.973, 0.986, 0.932, 0.960, 0.950, 0.985, 0.899, 0.988, 0.978),
    "NCA": (0.995, 0.987, 0.925, 0.932, 0.780, 0.859, 0.826, 0.896, 0.753, 0.853, 0.854),
    "LMNN": (0.996, 0.993, 0.987, 0.993, 0.942, 0.972, 0.963, 0.985, 0.922, 0.991, 0.983),
    "DistBoost": (0.990, 0.978, 0.972, 0.982, 0.928, 0.941, 0.958, 0.980, 0.882, 0.980, 0.963),
}
SCENES = 11
"""Number of classes of Scene-15, of 100 photos each, as in the paper's part of ImageCLEF."""


def classes_part() -> None:
    """Write Table 4 and Fig. 9."""
    found = described("scene15", ["gabor"])
    if found is None:
        return
    chosen = sorted(np.random.default_rng(0).choice(found.photos.names, SCENES, replace=False).tolist())
    methods = {name: METHODS[name] for name in TABLE_4 if name in METHODS}
    areas: dict[str, list[list[float]]] = {name: [] for name in methods}
    curves: dict[str, list[NDArray[np.float64]]] = {name: [] for name in methods}
    for one in gabor("scene15", chosen, 0.4, 200, 5):
        for name, (learner, parameters) in methods.items():
            fitted = create(learner, **parameters).fit(one.X, one.side)
            D = distance_matrix(fitted, one.queries, one.X)
            areas[name].append([knn_auc(D, one.y == c, one.truth == c) for c in range(SCENES)])
            curves[name].append(score(fitted, one).curve)
    mean = {name: np.mean(values, axis=1) for name, values in areas.items()}
    bits = mean["BDM+V"]
    report = Report("yang2010-classes", "Yang 2010: eleven classes of grey photos (Table 4)")
    best = max((name for name in mean if name != "BDM+V"), key=lambda name: float(mean[name].mean()))
    report.claims(
        {
            "BDM+V has a larger AUC than Euclidean distance": (
                np.mean(bits - mean["Euclidean"]) > 0,
                difference(bits - mean["Euclidean"]),
            ),
            "BDM+V is comparable to the best method, LMNN": (
                np.mean(bits - mean[best]) > -0.01,
                f"{difference(bits - mean[best])} from the best, {best}",
            ),
        }
    )
    report.text(
        "Differences of mean AUC in the same splits, with standard errors; comparable: less than .01 below. "
        f"{SCENES} random classes of Scene-15 in place of the paper's {SCENES} classes of X-rays, 100 photos each. "
        "Gabor features on 200 principal components of the training photos, which are 40 % of all; 5 splits. "
        "AUC of each class: its share among the 10 nearest training photos. BDM+V as printed (`paper=True`), the "
        "learned distance of the others alone."
    )
    table = [
        [label, *(mean_and_spread(np.array(areas[name])[:, c]) for name in methods)] for c, label in enumerate(chosen)
    ]
    table.append(["mean", *(mean_and_spread(mean[name]) for name in methods)])
    table.append(["mean, paper", *(f"{np.mean(TABLE_4[name]):.3f}" for name in methods)])
    report.table("AUC by class", ["class", *methods], table)
    report.curves(
        "Retrieval accuracy",
        {name: Curve(np.arange(1, DEPTH + 1), np.mean(values, axis=0)) for name, values in curves.items()},
        x="rank",
        y="accuracy",
        name="accuracy",
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
            results = compared(every, METHODS)
            write(report, title, results, {}, name)
            if name == "corel":
                report.claims(corel_claims(results))
    report.save()


def corel_claims(results: dict[str, Compared]) -> dict[str, tuple[bool | np.bool_, str]]:
    """Return the claims on 10 CDs of Corel-5k with the paper's features."""
    plain = ("LMNN", "BDM+V", "Euclidean", "NCA", "DistBoost")
    auc, precision = ({name: results[name].each(what).mean() for name in plain} for what in ("auc", "precision"))
    return {
        "LMNN has the largest AUC, and BDM+V is comparable, less than .01 below (10 CDs, 36 features)": (
            max(auc, key=lambda name: auc[name]) == "LMNN" and auc["LMNN"] - auc["BDM+V"] < 0.01,
            measured(results, "auc", *plain),
        ),
        "LMNN and DistBoost have a higher retrieval accuracy than BDM+V (P@10; 10 CDs, 36 features)": (
            min(precision["LMNN"], precision["DistBoost"]) > precision["BDM+V"],
            measured(results, "precision", "LMNN", "DistBoost", "BDM+V"),
        ),
    }


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


def guarantees(bits: NDArray[np.bool_], weights: NDArray[np.float64], y: Ints) -> NDArray[np.float64]:
    """Return the factors by which the objective falls at least in each round, float64 (T, 2).

    First ``1 - gamma`` of Theorem 3.5, ``gamma = l(L- - L+)^2 / (8 l(S+ + S-) max(l(L+), l(L-)))`` with the matrices of
    equation 12 before the round, their Laplacians L, and largest eigenvalues l; then the bound of equation 11 for the
    split and weight of the round.
    """
    signs = np.where(bits, 1.0, -1.0)
    same, other = (y[:, None] == y) & ~np.eye(len(y), dtype=bool), y[:, None] != y
    D = np.zeros((len(y), len(y)))
    found = []
    for f, weight in zip(signs.T, weights, strict=True):
        G, H = same * np.exp(D - D[same].max()), other * np.exp(D[other].min() - D)
        S = [(A * b[:, None] + A * b) / 2 for A, b in ((G, H.sum(axis=1)), (H, G.sum(axis=1)))]
        L = [np.diag(A.sum(axis=1)) - A for A in S]
        near, far, gain, both = (
            float(eigsh(M, 1, which="LA", return_eigenvectors=False)[0]) for M in (*L, L[1] - L[0], S[0] + S[1])
        )
        gamma = max(gain, 0.0) ** 2 / (8 * both * max(near, far))
        cut_near, cut_far = (float(f @ M @ f) for M in L)
        change = (np.expm1(2 * weight) * cut_near + np.expm1(-2 * weight) * cut_far) / 4
        found.append((1 - gamma, 1 + change / float(G.sum(axis=1) @ H.sum(axis=1))))
        D += weight * (1 - np.outer(f, f)) / 2  # the weight of a bit is 4 alpha
    return np.array(found)


def rounds_part() -> None:
    """Write Fig. 4, and the guarantees of Theorem 3.5 and equation 11."""
    sets = {"Breast cancer": list(cancer(3))}
    if corel := list(photos("corel5k", ("color_edge_texture",), 40, 60, 3)):
        sets["Corel-5k, 10 CDs, 36 features"] = corel
    at = [1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 312]
    curves: tuple[dict[str, Curve], dict[str, Curve]] = ({}, {})
    tables, claims = [], {}
    for title, every in sets.items():
        values = np.zeros((len(every), len(at), 6))
        made, largest, fell = [], 0.0, []
        for s, split in enumerate(every):
            learner = create("bdm", **BITS | {"rounds": 312}).fit(split.X, split.side)
            assert isinstance(learner, BoostedMetric)
            weights = learner.code_weights_
            made.append(len(weights))
            bits = [
                np.unpackbits(learner.encode(X), axis=1, bitorder="little")[:, : len(weights)].astype(bool)
                for X in (split.X, split.queries)
            ]
            factors = np.log(guarantees(bits[0], weights, split.y))
            bounds = np.cumsum(factors, axis=0)
            for k, T in enumerate(at):
                for j, (codes, y) in enumerate(zip(bits, (split.y, split.truth), strict=True)):
                    values[s, k, 2 * j : 2 * j + 2] = errors(codes[:, :T], weights[:T], y)
                values[s, k, 4:] = bounds[min(T, len(bounds)) - 1]
            objective = [errors(bits[0][:, :T], weights[:T], split.y)[0] for T in range(1, len(weights) + 1)]
            fell.append(np.diff(objective, prepend=0.0)[:, None] <= factors + 1e-6)
            largest = max(largest, float(-np.expm1(factors[:, 0]).min()))
        mean = values.mean(axis=0)
        within, end = np.concatenate(fell), mean[-1]
        for bound, (what, note) in enumerate(
            (
                ("Theorem 3.5", f"; the largest gamma is {largest:.3f} (the paper: at most .125)"),
                ("Equation 11 for the split and weight of each round", ""),
            )
        ):
            claims[f"{what}: in each round the objective falls at least by the factor given ({title})"] = (
                bool(within[:, bound].all()),
                f"in {within[:, bound].sum()} of {len(within)} rounds; after all rounds F / F_0 is "
                f"{np.exp(end[0]):.3g}, the product of the factors {np.exp(end[4 + bound]):.3g}{note}",
            )
        claims[f"the objective is an upper bound of the error ({title})"] = (
            bool((mean[:, 1] <= np.exp(mean[:, 0])).all()),
            f"in the end {np.exp(end[0]):.3f} and {end[1]:.3f} on training photos",
        )
        tables.append((f"{title} ({', '.join(map(str, made))} rounds made)", mean))
        for j, which in enumerate(("training", "test")):
            curves[0][f"{title}, {which}"] = Curve(at, mean[:, 2 * j])
            curves[1][f"{title}, {which}"] = Curve(at, mean[:, 2 * j + 1])
        for column, which in ((4, "Theorem 3.5"), (5, "equation 11")):
            curves[0][f"{title}, {which}"] = Curve(at, mean[:, column])
            curves[1][f"{title}, {which}"] = Curve(at, np.exp(mean[:, column]))
    report = Report("yang2010-rounds", "Yang 2010: objective and error over the rounds")
    report.claims(claims)
    report.text(
        "The formula of gamma is partly illegible in the scan of the paper; ALGORITHMS.md, 1.3 derives it again. "
        "The theorem assumes that f is the eigenvector itself, but the algorithm restricts f to linear functions of "
        "the features and then to two values. Objective (equation 5) per triple and share of wrong triples "
        "(equation 4), for the training photos and for the test photos among themselves, as the mean of 3 splits, "
        "up to 312 rounds as in the paper, which does not show test photos. The last columns are the logarithms of "
        "the products of the factors, upper bounds of the objective, and thereby of the error on training photos, "
        "if they hold. Bits as printed (`paper=True`)."
    )
    for title, mean in tables:
        report.table(
            title,
            [
                "rounds",
                "log objective, training",
                "error, training",
                "log objective, test",
                "error, test",
                "Theorem 3.5, training",
                "equation 11, training",
            ],
            [[str(T), *(f"{v:.3f}" for v in row)] for T, row in zip(at, mean, strict=True)],
        )
    report.curves(
        "Objective over the rounds", curves[0], x="rounds", y="log F per triple", name="objective", log_x=True
    )
    report.curves("Error over the rounds", curves[1], x="rounds", y="share of wrong triples", name="error", log_x=True)
    report.save()


def visual_part() -> None:
    """Write Table 2."""
    report = Report("yang2010-visual", "Yang 2010: visual neighbors")
    report.text(
        "BDM+V as printed (`paper=True`) with k visual neighbors, where 0 is BDM; 5 splits of each set. On images of "
        "breast masses the number matters (`yang2010-ultrasound.md`)."
    )
    claims = {}
    sets = {"Breast cancer": list(cancer(5))}
    if corel := list(photos("corel5k", ("color_edge_texture",), 40, 60, 5)):
        sets["Corel-5k, 10 CDs, 36 features"] = corel
    for number, (title, every) in enumerate(sets.items()):
        lines, curves, areas = [], {}, {}
        for k in (0, *NEIGHBORS):
            learner = create("bdm-visual", visual_neighbors=k, **BITS) if k else create("bdm", **BITS)
            found = [score(learner.fit(s.X, s.side), s) for s in every]
            columns = list(zip(*found, strict=True))
            areas[k] = float(np.mean(columns[2]))
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
        few, most = (pick(areas[k] for k in NEIGHBORS) for pick in (min, max))
        claims[f"the AUC of BDM+V hardly depends on the number of visual neighbors, by less than .01 ({title})"] = (
            most - few < 0.01,
            f"from {few:.3f} to {most:.3f} with 1 to 20, {areas[0]:.3f} without any",
        )
    report.claims(claims)
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
    methods = {name: METHODS[name] for name in ("BDM", "BDM+V", "LMNN", "DistBoost", "NCA")}
    report.text(
        "Principal components of Gabor features of Corel-5k; boosted bits as printed (`paper=True`) with 300 rounds "
        "(DistBoost 50, on 60 axes), 50 iterations of NCA and LMNN. Processor seconds of one thread, median of 3 "
        "rounds of alternating methods."
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
            label: [
                [seconds(name, Z[:, :d], found.classes[rows], **given) for name, given in methods.values()]
                for _ in range(3)
            ]
            for d, label in ((d, str(d)) for d in sizes)
        }
        median = np.array([np.median(rounds, axis=0) for rounds in taken.values()]).T
        shown = [int(d) // 100 - 1 for d in sizes]
        lines = []
        for label, row in zip(methods, median, strict=True):
            paper = [f"{TABLE_5[label][k]:,}" if label in TABLE_5 else "" for k in shown]
            lines.append([label, *(f"{value:.2f}" for value in row), *(paper if each == 40 else [])])
        columns = [f"{d}" for d in sizes] + ([f"{d}, paper" for d in sizes] if each == 40 else [])
        report.table(f"{len(rows)} photos of {count} classes, seconds by dimensions", ["method", *columns], lines)
        if each == 40:
            _, bits, margin, mixtures, neighbors = (np.array(row)[2:] for row in median)
            report.claims(
                {
                    "with more than 200 dimensions BDM+V is faster than LMNN and NCA": (
                        (bits < np.minimum(margin, neighbors)).all(),
                        f"with 500 dimensions {bits[-1]:.2f} s, LMNN {margin[-1]:.2f} s, NCA {neighbors[-1]:.2f} s",
                    ),
                    "with more than 200 dimensions BDM+V is faster than DistBoost": (
                        (bits < mixtures).all(),
                        f"with 500 dimensions {bits[-1]:.2f} s, DistBoost {mixtures[-1]:.2f} s; here it fits its "
                        "mixtures on 60 principal axes",
                    ),
                    "the time of BDM+V grows at most in proportion to the dimensions": (
                        median[1, -1] <= 5 * median[1, 0],
                        f"with 500 dimensions {median[1, -1] / median[1, 0]:.1f} times that with 100",
                    ),
                }
            )
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
        "Growth, the program's defaults: 50 normal clouds, 100 dimensions, 100 rounds; exponent: of n, from the line "
        "above",
        ["photos", "BDM, s", "exponent", "BDM+V, s", "exponent"],
        lines,
    )


def main() -> None:
    parts = {
        "cancer": cancer_part,
        "ultrasound": ultrasound_part,
        "sizes": sizes_part,
        "classes": classes_part,
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
