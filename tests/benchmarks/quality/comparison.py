# SPDX-License-Identifier: MIT
"""Every learner on eight sets of photos and images: classes that were tagged, and others (one page and one plot).

Each learner is tuned on the tagged photos alone, with a grid of four settings. The report is written after each split.
Takes 25 minutes on one core with five splits.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy import stats
from sklearn.datasets import load_digits

from focal_photos.features.table import STANDARD
from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.measures import average_precisions
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.cross_validation import cross_validate
from focal_photos.learners.evaluation.protocols import Protocol, make_protocol
from focal_photos.learners.evaluation.results import LearnerResult
from tests.benchmarks.common.class_sets import part
from tests.benchmarks.common.described_photos import Described, described, described_set
from tests.benchmarks.common.photo_sets import Floats, Ints, PhotoSet
from tests.benchmarks.common.rankings import distance_matrix
from tests.benchmarks.common.report import RESULTS, Report, mean_and_spread
from tests.benchmarks.common.worlds import demo_album

Values = NDArray[np.float64]

K: Final = 10
GROUPS: Final = 20
"""Number of classes of a group of Corel-5k or Caltech-101."""

LEVEL: Final = 0.05

BLENDS: Final = (0.1, 1.0)

GRID: Final[dict[str, dict[str, tuple[Any, ...]]]] = {
    "euclidean": {},
    "kernel": {"similar_prior": (1.0, 10.0)},
    "kernel-stepwise": {"similar_prior": (3.0, 30.0)},
    "bdm": {"rounds": (100, 300)},
    "bdm-visual": {"visual_neighbors": (5, 20)},
    "bdm-kernel": {"n_components": (50, 150)},
    "dist-boost": {"components": (None, 30)},
    "tag-ratio": {"between_exponent": (0.25, 0.5)},
    "tag-ratio-kernel": {"between_exponent": (0.25, 0.5)},
    "tag-scores": {"regularization": (0.1, 1.0)},
    "ml-dml": {"regularization": (1.0, 10.0)},
    "kml-dml": {"regularization": (0.03, 0.3)},
    "omdl-lr": {"C2": (0.03, 0.1)},
    "omdl": {"C2": (1.0,), "euclidean_blend": (0.25,)},
    "mkpoe": {"iterations": (30,), "euclidean_blend": ("auto",)},
    "kernel-best": {"euclidean_blend": (0.1, 0.3, 1.0, 4.0)},
    "kernel-weighted": {"euclidean_blend": (0.1, 0.3, 1.0, 4.0)},
    "kernel-uniform": {"euclidean_blend": (0.1, 0.3, 1.0, 4.0)},
    "kernel-concatenated": {"euclidean_blend": (0.1, 0.3, 1.0, 4.0)},
    "ratio": {"ridge": (0.03, 0.3)},
    "lda": {"shrinkage": (0.05, 0.5)},
    "rca": {"ridge": (0.1, 1.0)},
    "krca": {"ridge": (0.1, 1.0)},
    "dca": {"ridge": (0.03, 0.3)},
    "nca": {"iterations": (10, 30)},
    "lmnn": {"iterations": (10, 30)},
    "oasis": {"aggressiveness": (0.01, 0.1)},
    "gmml": {"ridge": (0.1, 1.0)},
    "kissme": {"ridge": (0.1, 1.0)},
    "itml": {"slack": (1.0, 10.0), "max_pairs": (300,), "sweeps": (10,)},
    "scml": {"sparsity": (0.01, 0.1)},
    "lsml": {"regularization": (0.01, 0.1)},
    "mmc": {"ridge": (1.0, 10.0)},
    "mlkr": {"n_components": (30, 100)},
}
"""Values of the parameters of each learner; the shares of `BLENDS` are added where ``euclidean_blend`` is not given."""


@dataclass(frozen=True)
class Collection:
    """A set of photos of a few classes."""

    name: str
    classes: Ints
    """0, 1, ..; shape (n,)."""
    space: Callable[[Ints], tuple[Floats, tuple[FeatureFamily, ...]]]
    """Returns all photos in a space fitted to some rows, and the families of its columns."""
    each: int = 10
    """Number of photos of each class in the library, and maximum number of queries."""


@dataclass(frozen=True)
class Task:
    """A library with tags on some of its classes, and queries.

    Attributes
    ----------
    X, queries : ndarray of float, shape (n, d) and (q, d)
    y, asked : ndarray of intp, shape (n,) and (q,)
        Classes.
    """

    X: Floats
    y: Ints
    queries: Floats
    asked: Ints
    tagged: NDArray[np.bool_]
    """Classes whose photos in the library are tagged; shape (c,)."""
    families: tuple[FeatureFamily, ...]

    @property
    def side(self) -> SideInformation:
        """Tags of the library."""
        return SideInformation.from_labels(np.where(self.tagged[self.y], self.y, -1))


def collections() -> Iterator[Collection]:
    """Yield the sets; one whose photos are missing is skipped with a message."""
    for name, title, groups in (("corel5k", "Corel-5k", 1), ("caltech101", "Caltech-101", 3)):
        if (found := described(name, STANDARD)) is not None:
            enough = np.flatnonzero(np.bincount(found.classes) >= 2 * Collection.each)
            drawn = np.random.default_rng(0).permutation(enough)
            for group in range(groups):
                classes = drawn[group * GROUPS :][:GROUPS]
                yield _of_photos(f"{title} {'abc'[group]}" if groups > 1 else title, found, classes)
    for name, title, each in (("scene15", "scenes", 10), ("breast_ultrasound", "ultrasound", 50)):
        if (found := described(name, STANDARD)) is not None:
            yield _of_photos(title, found, np.arange(found.classes.max() + 1), each)
    files = sorted(demo_album().rglob("*.jpg"))
    names, kinds = np.unique([file.parent.name for file in files], return_inverse=True)
    album = PhotoSet(demo_album().parent, files, kinds.astype(np.intp), names.tolist())
    yield _of_photos("demo album", described_set("demo-album", album, STANDARD), np.arange(len(names)))
    X, y = load_digits(return_X_y=True)
    yield Collection("digits", y.astype(np.intp), lambda rows: (_centred(X, rows), ()))


def _of_photos(name: str, found: Described, classes: Ints, each: int = 10) -> Collection:
    rows = [np.flatnonzero(found.classes == one) for one in classes.tolist()]
    chosen = part(found, rows)

    def space(library: Ints) -> tuple[Floats, tuple[FeatureFamily, ...]]:
        fitted, X = chosen.space(library)
        return X, fitted.families_

    return Collection(name, chosen.classes, space, each)


def _centred(X: Values, rows: Ints) -> Floats:
    """Return vectors minus the mean of some rows, with a mean squared length of 1 there."""
    centred = X - X[rows].mean(axis=0)
    return np.asarray(centred / np.sqrt(np.square(centred[rows]).sum(axis=1).mean()), dtype=np.float32)


def task_of(one: Collection, seed: int) -> Task:
    """Return a random library and queries; half of the classes are tagged, all of them if there are only two."""
    rng = np.random.default_rng(seed)
    count = int(one.classes.max()) + 1
    shuffled = [rng.permutation(np.flatnonzero(one.classes == label)) for label in range(count)]
    library = np.concatenate([rows[: one.each] for rows in shuffled])
    queries = np.concatenate([rows[one.each : 2 * one.each] for rows in shuffled])
    tagged = np.isin(np.arange(count), rng.permutation(count)[: count if count == 2 else (count + 1) // 2])
    X, families = one.space(library)
    return Task(X[library], one.classes[library], X[queries], one.classes[queries], tagged, families)


def settings_of(name: str, families: tuple[FeatureFamily, ...]) -> list[DistanceLearner]:
    """Return the unfitted learners of the grid."""
    known = create(name).get_params()
    grid = dict(GRID[name])
    if "euclidean_blend" in known:
        grid.setdefault("euclidean_blend", BLENDS)
    fixed: dict[str, Any] = {"families": families} if families and "families" in known else {}
    every = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    return [create(name, **fixed, **parameters) for parameters in every]


def tuned(name: str, task: Task, protocol: Protocol) -> DistanceLearner:
    """Return the setting with the best mean average precision on held-out tagged photos, not fitted yet."""
    every = {str(number): learner for number, learner in enumerate(settings_of(name, task.families))}
    if len(every) == 1:
        return every["0"]

    def score(result: LearnerResult) -> float:
        found = result.spread("average_precision")
        return 0.0 if found is None else found.mean

    found = cross_validate(every, task.X, protocol, k=K)
    return every[max(found, key=lambda number: score(found[number]))]


def measured(learner: DistanceLearner, task: Task) -> list[float]:
    """Return precision@10 and mean average precision of queries of tagged classes, then of the others (or NaN)."""
    D = distance_matrix(learner.fit(task.X, task.side), task.queries, task.X)
    relevant = task.asked[:, None] == task.y
    ordered = np.take_along_axis(relevant, np.argsort(D, axis=1, kind="stable"), axis=1)
    precision, average = ordered[:, :K].mean(axis=1), average_precisions(ordered)
    known = task.tagged[task.asked]
    return [
        float(values[some].mean()) if some.any() else np.nan
        for some in (known, ~known)
        for values in (precision, average)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--learners", nargs="+", choices=list(LEARNERS), default=list(LEARNERS))
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", "The number of unique classes")
    names = list(dict.fromkeys(["euclidean", "kernel", *arguments.learners]))
    sets = list(collections())
    found = np.full((arguments.splits, len(sets), len(names), 4), np.nan)
    for split in range(arguments.splits):
        for s, one in enumerate(sets):
            task = task_of(one, split)
            protocol = make_protocol(len(task.X), task.side, 2, seed=split)
            protocol = Protocol(protocol.folds[:1], protocol.gallery, protocol.reference, protocol.by_focal)
            for n, name in enumerate(names):
                found[split, s, n] = measured(tuned(name, task, protocol), task)
            print(split, one.name, found[split, s, :2].round(3).tolist(), flush=True)
        if split:
            write(names, [one.name for one in sets], found[: split + 1])


KINDS: Final = {0: "tagged", 2: "other"}
"""Kinds of classes by place in `MEASURES`."""

MEASURES: Final = ("P@10, tagged", "mAP, tagged", "P@10, others", "mAP, others")


def write(names: Sequence[str], sets: Sequence[str], found: Values) -> None:
    """Write the report from measures (splits, sets, learners, 4)."""
    titles = [LEARNERS[name].title or "Euclidean" for name in names]
    both = ~np.isnan(found[0, :, 0, 2])
    ranks = [
        stats.rankdata(-found[..., at].mean(axis=0)[kept], axis=1).mean(axis=0)
        for at, kept in ((0, np.ones(len(sets), dtype=bool)), (2, both))
    ]
    against = {
        (rival, at): compared(np.nanmean(found[..., at], axis=1), names.index(rival))
        for rival in ("euclidean", "kernel")
        for at in (0, 2)
    }
    part_ = Report("comparison", "Every learner on eight sets, with tagged classes and others")
    part_.text(summary(titles, found, ranks, against))
    part_.text(
        f"Sets: {', '.join(sets)}. Corel-5k and each group of Caltech-101 have {GROUPS} random classes. The library "
        "has 10 photos of each class (ultrasound: 50) in Focal's space, which is fitted to it; half of the classes are "
        "tagged (ultrasound: both, so it has no others). Queries are as many other photos of each class; the whole "
        f"library is ranked. {len(found)} random splits of photos and classes. Each learner has four settings: two "
        "shares of Euclidean distance and two values of a parameter, or four shares. The setting with the best mean "
        "average precision of half of the tagged photos, after learning from the others, is used. Exceptions: "
        f"{LEARNERS['mkpoe'].title} and {LEARNERS['omdl'].title} take long and have one setting (30 iterations; the "
        f"defaults); {LEARNERS['itml'].title} learns from 300 + 300 pairs in 10 passes. "
        "Features of a network are not included."
    )
    columns = ["learner", *MEASURES, "rank, tagged", "rank, others", "p, Euclidean", "others", "p, kernel", "others"]
    order = np.argsort(ranks[0]).tolist()
    rows = [
        [
            titles[n],
            *(mean_and_spread(np.nanmean(found[:, :, n, at], axis=1)) for at in range(4)),
            *(f"{rank[n]:.1f}" for rank in ranks),
            *(signed(against[rival, at], n) for rival in ("euclidean", "kernel") for at in (0, 2)),
        ]
        for n in order
    ]
    part_.table("Means over the sets, by rank of P@10 of tagged classes", columns, rows)
    part_.text(
        "±: standard deviation over splits. Ranks are means over the sets. p: paired t-test over the splits of the "
        f"mean P@10 of all sets against Euclidean distance and against the kernel metric, {len(names) - 1} tests "
        "corrected by Holm's method; + and - show the sign of the difference. It holds for these sets; the plot shows "
        "whether ranks differ over sets."
    )
    for at in KINDS:
        kept = np.flatnonzero(both).tolist() if at else list(range(len(sets)))
        rows = [[titles[n], *(mean_and_spread(found[:, s, n, at], 2) for s in kept)] for n in order]
        part_.table(f"P@10 of {KINDS[at]} classes", ["learner", *(sets[s] for s in kept)], rows)
    part_.text(critical_differences(titles, ranks, found, both))
    part_.save()


def compared(values: Values, rival: int) -> tuple[Values, Values]:
    """Return mean differences to a rival and their p-values after Holm's correction, of (splits, learners)."""
    difference = values - values[:, [rival]]
    p = np.ones(values.shape[1])
    others = np.flatnonzero(difference.any(axis=0))
    p[others] = stats.ttest_1samp(difference[:, others], 0).pvalue
    tested = np.delete(np.arange(len(p)), rival)
    ascending = tested[np.argsort(p[tested], kind="stable")]
    corrected = np.ones(len(p))
    corrected[ascending] = np.maximum.accumulate(np.minimum(p[ascending] * np.arange(len(ascending), 0, -1), 1))
    return difference.mean(axis=0), corrected


def signed(test: tuple[Values, Values], n: int) -> str:
    """Return the p-value of a learner with the sign of its difference."""
    difference, p = test[0][n], test[1][n]
    return f"{'+' if difference > 0 else '-' if difference < 0 else ''} {p:.3f}"


def summary(
    titles: Sequence[str], found: Values, ranks: Sequence[Values], against: dict[tuple[str, int], tuple[Values, Values]]
) -> str:
    """Return which learners are best, and which are significantly better or worse than the two rivals."""
    lines = []
    for at, rank, kind in ((0, ranks[0], "tagged classes"), (2, ranks[1], "other classes")):
        mean = np.nanmean(found[..., at], axis=(0, 1))
        best = [f"{titles[n]} ({mean[n]:.3f})" for n in np.argsort(rank)[:3]]
        text = f"- P@10 of {kind}: best by mean rank {', '.join(best)}; Euclidean {mean[0]:.3f}, kernel {mean[1]:.3f}."
        for rival, said in (("euclidean", "Euclidean distance"), ("kernel", "the kernel metric")):
            difference, p = against[rival, at]
            for sign, word in ((1, "better"), (-1, "worse")):
                some = [titles[n] for n in np.argsort(-sign * difference) if sign * difference[n] > 0 and p[n] < LEVEL]
                if rival == "kernel" and sign < 0:
                    text += f" {len(some)} are significantly worse than {said}."
                else:
                    text += f" Significantly {word} than {said}: {', '.join(some) or 'none'}."
        lines.append(text)
    return "\n".join(lines)


def critical_differences(titles: Sequence[str], ranks: Sequence[Values], found: Values, both: NDArray[np.bool_]) -> str:
    """Draw mean ranks with Nemenyi's critical difference, and return the text with the plot."""
    figure = Figure(figsize=(11, 8), layout="constrained")
    texts = []
    for number, (rank, kept, at) in enumerate(zip(ranks, (np.ones_like(both), both), (0, 2), strict=True)):
        values = found[..., at].mean(axis=0)[kept]
        n, k = values.shape
        critical = stats.studentized_range.ppf(1 - LEVEL, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n))
        p = stats.friedmanchisquare(*values.T).pvalue
        order = np.argsort(-rank)
        axes = figure.add_subplot(1, 2, number + 1)
        axes.errorbar(rank[order], np.arange(k), xerr=critical / 2, fmt="o", markersize=4, linewidth=1)
        axes.axvline(rank.min() + critical / 2, color="gray", linestyle=":")
        axes.set_yticks(np.arange(k), [titles[one] for one in order], fontsize="small")
        axes.set(title=f"P@10 of {KINDS[at]} classes\n{n} sets, critical difference {critical:.1f}", xlabel="mean rank")
        texts.append(f"P@10 of {KINDS[at]} classes: Friedman p = {p:.1e}, critical difference {critical:.1f} ranks")
    RESULTS.mkdir(exist_ok=True)
    figure.savefig(RESULTS / "comparison-ranks.png", dpi=80)
    return (
        f"{'; '.join(texts)}. Learners whose lines do not overlap differ at {LEVEL:g} (Nemenyi); with this number of "
        "learners, the sets separate only distant ranks.\n\n![Mean ranks and critical differences]"
        "(comparison-ranks.png)"
    )


if __name__ == "__main__":
    main()
