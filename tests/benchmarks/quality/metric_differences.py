# SPDX-License-Identifier: MIT
"""Planted differences of two metrics: are the photos and the family found?

Photos of 12 kinds have 6 families of 8 components. Under the first metric all families weigh the same. Under the second
one, all weights vary (lognormal, standard deviation .1), one random family weighs more, and some photos lie nearer to
another kind: by a share of the way between the centres of the kinds. Reported are the share of planted photos among as
many photos with the largest differences (precision), and how often the planted family has the largest difference.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from focal_photos.learners.core.linalg import sqd
from focal_photos.learners.evaluation.metric_differences import mean_shares, neighbor_disagreement
from tests.benchmarks.common.report import Report, mean_and_spread

PHOTOS: Final = 600
KINDS: Final = 12
FAMILIES: Final = 6
COMPONENTS: Final = 8
DRAWS: Final = 20
PAIRS: Final = 900


def found(weight: float, planted: int, move: float, seed: int) -> tuple[float, float, float]:
    """Return the precision for planted photos, that of chance, and whether the planted family is the first, in %."""
    rng = np.random.default_rng(seed)
    centers = 1.2 * rng.standard_normal((KINDS, FAMILIES * COMPONENTS))
    kind = rng.integers(KINDS, size=PHOTOS)
    one = centers[kind] + rng.standard_normal((PHOTOS, FAMILIES * COMPONENTS))
    moved = rng.choice(PHOTOS, planted, replace=False)
    other = one.copy()
    other[moved] += move * (centers[(kind[moved] + rng.integers(1, KINDS, planted)) % KINDS] - centers[kind[moved]])
    family = int(rng.integers(FAMILIES))
    weights = np.exp(0.1 * rng.standard_normal(FAMILIES))
    weights[family] *= weight
    other *= np.sqrt(np.repeat(weights, COMPONENTS))
    far = [sqd(points, points) for points in (one, other)]
    for each in far:
        np.fill_diagonal(each, np.inf)
    order = np.argsort(-neighbor_disagreement(far[0], far[1], 10), kind="stable")[:planted]
    pairs = rng.integers(PHOTOS, size=(2, PAIRS))
    shares = [
        mean_shares(((points[pairs[0]] - points[pairs[1]]) ** 2).reshape(PAIRS, FAMILIES, COMPONENTS).sum(axis=2))
        for points in (one, other)
    ]
    first = int(np.argmax(np.abs(shares[0] - shares[1]))) == family
    return 100 * float(np.isin(order, moved).mean()), 100 * planted / PHOTOS, 100.0 * first


def main() -> None:
    report = Report("metric-differences", "Planted differences of two metrics")
    report.text((__doc__ or "").split("\n\n", 1)[1])
    rows = []
    for weight in (1.2, 1.5, 2.0, 4.0):
        for move in (0.3, 0.5, 1.0):
            for planted in (6, 30):
                values = np.array([found(weight, planted, move, seed) for seed in range(DRAWS)]).T
                precision, chance, first = (mean_and_spread(list(each), digits=1) for each in values)
                rows.append([f"{weight:g}", f"{move:g}", str(planted), precision, chance.partition(" ")[0], first])
    report.table(
        f"{PHOTOS} photos, {DRAWS} draws, in %",
        ["weight of the planted family", "share of the way", "planted photos", "precision", "chance", "family found"],
        rows,
    )
    report.save()


if __name__ == "__main__":
    main()
