# SPDX-License-Identifier: MIT
"""Whether trying a lens on thirty photos tells its gain: pairs of simulated users.

Takes a few minutes, and the first time also the description of 3,200 photos.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners import create
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.trial import (
    MetricTrial,
    distances_among,
    held_out_blocks,
    known_similarity,
    one_block,
    try_metric,
)
from tests.benchmarks.common.described_photos import Described, described_set
from tests.benchmarks.common.photo_sets import Ints, photo_set
from tests.benchmarks.common.report import Report, mean_and_spread

SETS: Final = (("corel5k", "Corel-5k"), ("caltech101", "Caltech-101"))
DESCRIPTORS: Final = ("color_moments", "color_coherence", "edge_directions", "lbp", "gist")
CLASSES, PHOTOS = 40, 40
"""Number of classes of each photo set, and number of photos of each."""

USED, GROUPS = 20, 5
"""Number of classes of a pair of users, and of the tags into which each user groups them."""

TAGGED: Final = (30, 60, 120)
SMALL, LARGE = 0.02, 0.05


def some_photos(folder: str) -> Described | None:
    """Return seeded classes and photos of a set, described; None if the set is missing."""
    every = photo_set(folder)
    if every is None:
        return None
    rng = np.random.default_rng(0)
    counts = np.bincount(every.classes)
    classes = rng.permutation(np.flatnonzero(counts >= PHOTOS))[:CLASSES]
    rows = np.concatenate([rng.permutation(np.flatnonzero(every.classes == one))[:PHOTOS] for one in classes])
    numbers = np.repeat(np.arange(len(classes)), PHOTOS)
    photos = replace(
        every,
        files=[every.files[row] for row in rows.tolist()],
        classes=numbers.astype(np.intp),
        names=[every.names[one] for one in classes.tolist()],
    )
    return described_set(f"lens-trial-{folder}", photos, DESCRIPTORS)


@dataclass(frozen=True)
class Outcome:
    """A trial, and the gain that it should find."""

    same: bool
    tagged: int
    own: bool
    true: float
    trial: MetricTrial

    @property
    def right(self) -> bool:
        """Whether the sign of the measured gain is correct."""
        return bool(np.sign(self.trial.gain) == np.sign(self.true))


def score(D: NDArray[np.float64], y: Ints) -> float:
    """Return the share of correct orders of all photos, computed by sorting."""
    found = []
    for row, label in enumerate(y):
        others = np.arange(len(y)) != row
        near, far = D[row][(y == label) & others], np.sort(D[row][y != label])
        if len(near) and len(far):
            found.append(1 - np.searchsorted(far, near).mean() / len(far))
    return float(np.mean(found))


def pair_of_users(photos: Described, same: bool, rng: np.random.Generator) -> Iterator[Outcome]:
    """Yield the trials of a pair of users with different photos of the same classes, which they group by their tags."""
    chosen = rng.permutation(CLASSES)[:USED]
    theirs, ours = np.full(CLASSES, -1), np.full(CLASSES, -1)
    theirs[chosen] = rng.permutation(np.arange(USED) % GROUPS)
    ours[chosen] = theirs[chosen] if same else rng.permutation(np.arange(USED) % GROUPS)
    rows = rng.permutation(np.flatnonzero(np.isin(photos.classes, chosen)))
    there, here = np.array_split(rows, 2)
    _, X = photos.space(np.sort(there))
    lens = create("kernel").fit(X[there], SideInformation.from_labels(theirs[photos.classes[there]]))
    _, Y = photos.space(np.sort(here))
    y = ours[photos.classes[here]]
    rest = np.arange(max(TAGGED), len(here))
    lens_score = score(distances_among(lens, X[here], rest), y[rest])
    plain_score = score(distances_among(None, Y[here], rest), y[rest])
    for count in TAGGED:
        asked = np.arange(count)
        side = SideInformation.from_labels(y[:count])
        known = known_similarity(side, count)
        by_lens = distances_among(lens, X[here], asked)
        plain = distances_among(None, Y[here], asked)
        yield Outcome(same, count, False, lens_score - plain_score, try_metric(by_lens, one_block(plain), *known))
        points = Y[here][:count]
        own = create("kernel").fit(points, side)
        own_score = score(distances_among(own, Y[here], rest), y[rest])
        held_out = held_out_blocks(create("kernel"), points, side, asked)
        yield Outcome(same, count, True, lens_score - own_score, try_metric(by_lens, held_out, *known))


def share(outcomes: Sequence[Sequence[Outcome]], holds: Callable[[Outcome], bool]) -> str:
    """Return the percentage of outcomes for which something holds, mean and deviation over draws, and their number."""
    shares = [np.mean([holds(one) for one in draw]) for draw in outcomes if draw]
    return f"{mean_and_spread(shares, 0, 100)} ({sum(map(len, outcomes))})" if shares else "-"


def right(outcomes: Sequence[Sequence[Outcome]]) -> str:
    """Return the percentage of correct signs."""
    return share(outcomes, lambda one: one.right)


def between(outcomes: Sequence[Sequence[Outcome]], low: float, high: float) -> list[list[Outcome]]:
    """Return the outcomes with a true gain or loss in a range."""
    return [[one for one in draw if low <= abs(one.true) < high] for draw in outcomes]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=12, help="pairs of users per draw and photo set")
    arguments = parser.parse_args()
    report = Report("lens-trial", "Trying a lens on a few tagged photos")
    report.text(
        f"Pairs of simulated users have different photos of the same {USED} classes ({CLASSES} classes per set, "
        f"{PHOTOS} photos of each, descriptors {', '.join(DESCRIPTORS)}). A user groups the classes at random into "
        f"{GROUPS} tags; half of the pairs group them alike, the others differently. The first user shares a kernel "
        "metric of 400 tagged photos as a lens. The second has tagged some photos and tries it, against Euclidean "
        "distance or against a kernel metric of the same tagged photos, which is trained again without a part of them "
        "at a time. The true gain is measured on the second user's other 280 photos: the share of pairs of a similar "
        "and a dissimilar photo in the right order. Numbers in brackets are trials; "
        f"± is the deviation over {arguments.draws} draws."
    )
    every: list[list[list[Outcome]]] = []
    for folder, title in SETS:
        photos = some_photos(folder)
        if photos is None:
            continue
        outcomes: list[list[Outcome]] = []
        for seed in range(arguments.draws):
            rng = np.random.default_rng(seed)
            outcomes.append(
                [one for pair in range(arguments.pairs) for one in pair_of_users(photos, pair % 2 == 0, rng)]
            )
            print(folder, seed, flush=True)
        every.append(outcomes)
        rows = []
        for count in TAGGED:
            for own in (False, True):
                here = [[one for one in draw if one.tagged == count and one.own == own] for draw in outcomes]
                decided = [[one for one in draw if one.trial.decided] for draw in here]
                rows.append(
                    [
                        str(count),
                        "own" if own else "Euclidean",
                        *(right(between(here, low, high)) for low, high in ((LARGE, 1), (SMALL, LARGE), (0, SMALL))),
                        right(here),
                        share(here, lambda one: bool(one.trial.decided)),
                        right(decided),
                        share(here, lambda one: one.trial.low <= one.true <= one.trial.high),
                    ]
                )
        report.table(
            f"{title}: correct signs in percent",
            [
                "tagged photos",
                "metric in use",
                f"true gain of {LARGE:g} or more",
                f"{SMALL:g} to {LARGE:g}",
                f"below {SMALL:g}",
                "all",
                "verdict given",
                "verdict correct",
                "gain within the interval",
            ],
            rows,
        )
    rows = []
    for counts in (*((count,) for count in TAGGED), TAGGED):
        here = [[one for one in draw if one.tagged in counts] for outcomes in every for draw in outcomes]
        decided = [[one for one in draw if one.trial.decided] for draw in here]
        undecided = share(here, lambda one: not one.trial.decided)
        rows.append([", ".join(map(str, counts)), right(here), undecided, right(decided)])
    report.table(
        "Both sets and both metrics in use, in percent; goal: the sign is correct in 95",
        ["tagged photos", "sign correct", "too close to tell", "sign correct where a verdict is given"],
        rows,
    )
    report.text(
        "Focal says “better” or “worse” only if the interval does not contain 0 (column “verdict given”); otherwise it "
        "says that it is too close to tell."
    )
    report.save()


if __name__ == "__main__":
    main()
