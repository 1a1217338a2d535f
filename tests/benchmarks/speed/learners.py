# SPDX-License-Identifier: MIT
"""Growth of each learner's training time with photos, dimensions, judged pairs and tags, and cost of online updates.

Reports processor seconds of `fit` on random data with one thread, and the exponent e: four times the size multiplies
the time by ``4^e``. The table lists e beside the claim of the docstring. The second part trains in a library of
100,000 photos, 5,000 of them tagged. The last part gives one judgement to each online learner fitted to 100,000 photos,
as the window does at every S and D.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import DistanceLearner, OnlineMixin
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.protocols import restrict, training_rows
from focal_photos.learners.galleries.row_gallery import gallery_rows
from tests.benchmarks.common.report import Report

_CLASSES: Final = 10
_BASE: Final = 1000
_D: Final = 100
_PAIRS: Final = 800
_SPACE: Final = 320
"""Number of dimensions of a library's space."""

_SHORT: Final = 0.5
"""Threshold in seconds: for shorter times, the minimum of three runs counts."""

_SMALL: Final = {"omdl": 200, "mkpoe": 100, "nca": 500, "lmnn": 500}
"""Number of photos in the base case of learners for small collections."""


class Case(NamedTuple):
    """Random photos, their classes and their side information."""

    X: NDArray[np.float32]
    side: SideInformation
    families: tuple[FeatureFamily, ...]


def draw(n: int, d: int, *, pairs: int = 0, tags: int = 0) -> Case:
    """Draw n photos of 10 overlapping classes in d dimensions, with judged pairs of each kind and tags per photo."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, _CLASSES, n)
    X = (rng.standard_normal((_CLASSES, d))[labels] + 2 * rng.standard_normal((n, d))).astype(np.float32)
    similar, dissimilar = np.empty((0, 2), dtype=np.intp), np.empty((0, 2), dtype=np.intp)
    if pairs:
        i, j = rng.integers(0, n, (2, 40 * pairs))
        i, j = i[i != j], j[i != j]
        same = labels[i] == labels[j]
        similar = np.column_stack([i[same], j[same]])[:pairs]
        dissimilar = np.column_stack([i[~same], j[~same]])[:pairs]
    matrix = None
    if tags:
        rows = np.repeat(np.arange(n), tags)
        columns = (labels[:, None] * tags + np.arange(tags)).ravel()
        matrix = sp.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, _CLASSES * tags))
    step = d // 4
    families = tuple(FeatureFamily(f"family {g}", g * step, (g + 1) * step if g < 3 else d, False) for g in range(4))
    return Case(X, SideInformation(similar, dissimilar, matrix), families)


def new(name: str, case: Case) -> DistanceLearner:
    """Return an unfitted learner, with the families set if it has this parameter."""
    learner = create(name)
    if "families" in learner.get_params():
        learner.set_params(families=case.families)
    return learner


def seconds(name: str, case: Case) -> float:
    """Return the processor seconds of `fit`: the minimum of two runs (the first may load a library), or of three."""
    found: list[float] = []
    while len(found) < 2 or (len(found) < 3 and min(found) < _SHORT):
        learner = new(name, case)
        start = time.process_time()
        learner.fit(case.X, case.side)
        found.append(time.process_time() - start)
    return min(found)


def grows(name: str, small: Mapping[str, int], large: Mapping[str, int]) -> tuple[str, str]:
    """Return the seconds of the small case, and the exponent of growth to the large case of four times the size."""
    try:
        first, last = (max(seconds(name, draw(**case)), 1e-4) for case in (small, large))
    except LearnerError:
        return "", ""
    return f"{first:.3f}", f"{np.log(last / first) / np.log(4):.1f}"


def claimed(kind: type[DistanceLearner]) -> str:
    """Return the cost that the docstring claims, up to the end of its first sentence."""
    text = " ".join((kind.__doc__ or "").split())
    found = re.search(r"Cost(?: of `fit`)?:? (.*?)(?:\.(?= [A-Z`])|\.$| References)", text)
    return found[1].replace("|", "/") if found else ""


def growth(names: Sequence[str]) -> None:
    """Measure the growth of the time of `fit`."""
    rows, claims = [], []
    for name in names:
        n = _SMALL.get(name, _BASE)
        asks = LEARNERS[name].needs
        base = {"n": n, "d": _D}
        usual = base | ({"tags": 1} if "tags" in asks or not asks else {"pairs": n // 2})
        judged, tagged = base | {"pairs": _PAIRS * n // _BASE}, base | {"tags": 1}
        in_n = grows(name, usual, usual | {"n": 4 * n})
        in_d = grows(name, usual, usual | {"d": 4 * _D})
        in_pairs = grows(name, judged, judged | {"pairs": 4 * judged["pairs"]}) if "pairs" in asks else ("", "")
        in_tags = grows(name, tagged, tagged | {"tags": 4}) if "tags" in asks else ("", "")
        rows.append([name, f"{n:,}", in_n[0], in_n[1], in_d[1], in_pairs[0], in_pairs[1], in_tags[1]])
        claims.append([name, claimed(LEARNERS[name])])
        print(*rows[-1], flush=True)
    report = Report("learners-growth", "Training time of the learners, and its growth")
    report.text(
        f"`fit` on n photos of {_D} dimensions in 4 families and {_CLASSES} classes: seconds with tags, then exponents "
        "e. Four times the photos, dimensions, judged pairs (alone) or tags per photo multiply the time by 4^e."
    )
    columns = ["learner", "n", "s, tags", "e in n", "e in d", "s, pairs", "e in pairs", "e in tags"]
    report.table("Cost of fit", columns, rows)
    report.table("Costs according to the docstrings", ["learner", "cost"], claims)
    report.save()


def large(photos: int, tagged: int) -> None:
    """Measure training as the program does it, on a sample of many photos with few tags, and computing all rows."""
    rows = []
    sizes = (photos // 4, photos)
    for name, kind in LEARNERS.items():
        if not kind.family:
            continue
        spent = []
        try:
            for n in sizes:
                case = draw(n, _SPACE, tags=1)
                assert case.side.tags is not None
                kept = sp.diags_array((np.arange(n) % (n // tagged) == 0).astype(float))
                side = SideInformation(tags=sp.csr_array(kept @ case.side.tags))
                start = time.process_time()
                chosen = training_rows(side, n, kind.rows)
                learner = new(name, case).fit(case.X[chosen], restrict(side, chosen))
                fitted = time.process_time()
                made = []
                for _ in range(3):
                    begun = time.process_time()
                    gallery_rows(learner, case.X)
                    made.append(time.process_time() - begun)
                spent.append((fitted - start, min(made)))
        except LearnerError as error:
            print(name, error, flush=True)
            continue
        growth = [np.log(max(last, 1e-3) / max(first, 1e-3)) / np.log(4) for first, last in zip(*spent, strict=True)]
        rows.append(
            [
                name,
                f"{min(kind.rows, photos):,}",
                f"{spent[1][0]:.2f}",
                f"{growth[0]:.1f}",
                f"{spent[1][1]:.2f}",
                f"{growth[1]:.1f}",
            ]
        )
        print(*rows[-1], flush=True)
    report = Report("learners-large", f"The learners in a library of {photos:,} photos, {tagged:,} of them tagged")
    report.text(
        f"Processor seconds on one thread, {_SPACE} dimensions: `fit` on the program's training photos (all tagged "
        "ones and a sample of the others, up to the learner's limit), then the rows of all photos, the minimum of "
        f"three. e: from {sizes[0]:,} to four times as many photos, the time is multiplied by 4^e."
    )
    columns = ["learner", "photos trained with", "fit, s", "e", "rows of all photos, s", "e"]
    report.table("Training at scale", columns, rows)
    report.save()


def online(photos: int, rounds: int) -> None:
    """Measure one judgement after `fit` in a library of `photos` photos."""
    rows = []
    for name, kind in LEARNERS.items():
        if not issubclass(kind, OnlineMixin):
            continue
        case = draw(min(photos, kind.rows), 4 * 64, pairs=300)
        learner = new(name, case).fit(case.X, case.side)
        assert isinstance(learner, OnlineMixin)
        rng = np.random.default_rng(1)
        found = []
        for _ in range(rounds):
            i, j, k = rng.choice(len(case.X), 3, replace=False).tolist()
            side = SideInformation(np.array([(i, j)]), np.array([(i, k)]))
            start = time.process_time()
            learner.partial_fit(case.X, side)
            found.append(1e3 * (time.process_time() - start))
        rows.append([name, f"{len(case.X):,}", f"{np.median(found):.1f}", f"{max(found):.1f}"])
    report = Report("learners-online", "Time of one judgement for online learners")
    report.text(
        f"256 dimensions in 4 families, fitted to 300 + 300 pairs; {rounds} judgements, in processor milliseconds."
    )
    report.table("partial_fit of one judgement", ["learner", "photos", "median ms", "worst ms"], rows)
    report.save()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learners", nargs="+", choices=LEARNERS, default=list(LEARNERS))
    parser.add_argument(
        "--parts", nargs="+", choices=("growth", "large", "online"), default=["growth", "large", "online"]
    )
    parser.add_argument("--photos", type=int, default=100_000)
    parser.add_argument("--tagged", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=21)
    arguments = parser.parse_args()
    if "growth" in arguments.parts:
        growth(arguments.learners)
    if "large" in arguments.parts:
        large(arguments.photos, arguments.tagged)
    if "online" in arguments.parts:
        online(arguments.photos, arguments.rounds)


if __name__ == "__main__":
    main()
