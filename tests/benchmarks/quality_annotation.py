"""Suggested tags on Corel-5k: precision and recall by word, and whether the confidence keeps what it promises.

5 tags are suggested to each of the 499 test photos of the published split from the 4,500 others; the words scored are
those that occur in both parts. Metrics, votes and confidence are learned from the training photos alone.

Reliability: of the suggestions shown with a confidence in each tenth, the mean confidence and the share that is right.
"held out" means that the confidence was learned from photos which the metric had not been taught.

``--choose`` scores settings on parts held out of the training photos; the test photos are not looked at.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from learners import create
from learners.annotation import TagPropagation, TagVotes
from learners.base import EmbeddingMixin
from learners.galleries import FloatGallery
from learners.measures import AnnotationScores, annotation_scores
from learners.side_information import SideInformation
from learners.tag_prop import WeightedTagPropagation, held_out_neighbors
from learners.tag_ridge import TagRidge
from tests.benchmarks._photo_sets import data_folder
from tests.benchmarks.quality_corel5k import coordinates, read

Ints = NDArray[np.intp]
Floats = NDArray[np.float32]

SHOWN = 5
CALIBRATION = 1500
METRIC = "tag-ratio-kernel"
EXACT = f"{METRIC}, exact"  # kernel PCA of all photos instead of 1,000 landmarks


@dataclass
class Part:
    """Photos with known tags, and others for which tags are suggested."""

    X: Floats
    tags: sp.csr_array
    known: Ints
    asked: Ints

    def __post_init__(self) -> None:
        self.taught = sp.csr_array(self.tags[self.known])
        self.truth = sp.csr_array(self.tags[self.asked])
        self.embedded: dict[str, Floats] = {}
        self.ridges: dict[str, TagRidge] = {}

    def embed(self, name: str, rows: Ints | None = None) -> Floats:
        """Teach a metric by the known photos (or some of them), and return all photos in its space."""
        if rows is None and name in self.embedded:
            return self.embedded[name]
        some = self.known if rows is None else self.known[rows]
        parameters = {"exact": 5000} if name == EXACT else {}
        learner = create(name.partition(",")[0], **parameters).fit(self.X[some], SideInformation(tags=self.tags[some]))
        assert isinstance(learner, EmbeddingMixin)
        Z: Floats = learner.transform(self.X)
        if rows is None:
            self.embedded[name] = Z
        return Z

    def ridge(self) -> TagRidge:
        """Return what the photos' looks say about tags."""
        if not self.ridges:
            self.ridges[""] = TagRidge(exact=5000).fit(self.X[self.known], self.taught)
        return self.ridges[""]

    def plain(self, name: str, **parameters: Any) -> TagVotes:
        """Vote with `TagPropagation`."""
        Z = self.embed(name)
        gallery, voting = FloatGallery(np.ascontiguousarray(Z[self.known])), TagPropagation(**parameters)
        rows = sample(len(self.known))
        voting.fit(*gallery.rank_many(Z[self.known[rows]], voting.k, skip=rows), self.taught, rows)
        return voting.propagate(*gallery.rank_many(Z[self.asked], voting.k), self.taught)

    def weighted(self, name: str, *, evidence: bool, held_out: int = 0, **parameters: Any) -> TagVotes:
        """Vote with `WeightedTagPropagation`; held_out: the number of folds of the metric for the confidence."""
        Z = self.embed(name)
        gallery, voting = FloatGallery(np.ascontiguousarray(Z[self.known])), WeightedTagPropagation(**parameters)
        distances: NDArray[np.floating]
        if held_out:
            rows, neighbors, distances = held_out_neighbors(
                lambda taught: self.embed(name, taught)[self.known], len(self.known), voting.k, folds=held_out, parts=1
            )
        else:
            rows = sample(len(self.known))
            neighbors, distances = gallery.rank_many(Z[self.known[rows]], voting.k, skip=rows)
        heard = self.ridge().left_out_[rows] if evidence else None
        voting.fit(neighbors, distances, self.taught, rows, evidence=heard)
        found = gallery.rank_many(Z[self.asked], voting.k)
        return voting.propagate(
            *found, self.taught, evidence=self.ridge().scores(self.X[self.asked]) if evidence else None
        )


def sample(n: int) -> Ints:
    """Return the rows of the photos that weights and confidence are learned from."""
    return np.sort(np.random.default_rng(0).choice(n, min(CALIBRATION, n), replace=False))


@dataclass
class Result:
    """What suggestions came to: scores, share of all tags found, and confidence and truth of each suggestion."""

    scores: AnnotationScores
    found: float
    confidence: NDArray[np.float64]
    right: NDArray[np.bool_]
    seconds: float


def score(part: Part, votes: TagVotes, seconds: float) -> Result:
    """Score the best tags of every photo."""
    chosen = [(i, tag, confidence) for i, row in enumerate(votes.top(SHOWN)) for tag, confidence in row]
    i, j = np.array([each[:2] for each in chosen]).T
    suggested = sp.csr_array((np.ones(len(i)), (i, j)), shape=part.truth.shape)
    occurring = [np.asarray((some != 0).sum(axis=0)).ravel() > 0 for some in (part.taught, part.truth)]
    scores = annotation_scores(suggested, part.truth, np.flatnonzero(occurring[0] & occurring[1]))
    right = np.asarray(part.truth[i, j]).ravel() > 0
    confidence = np.array([each[2] for each in chosen])
    return Result(scores, float(right.sum() / part.truth.sum()), confidence, right, seconds)


HEAD = f"  {'':52}{'P %':>6}{'R %':>6}{'F1 %':>6}{'N+':>6}{'found':>8}{'conf.':>8}{'right':>7}{'s':>7}"


def line(name: str, results: list[Result]) -> None:
    """Print the means of some annotations."""
    P, R, F, N = np.mean([[r.scores.precision, r.scores.recall, r.scores.f1, r.scores.n_plus] for r in results], axis=0)
    found, confidence, right, seconds = np.mean(
        [[r.found, r.confidence.mean(), r.right.mean(), r.seconds] for r in results], axis=0
    )
    print(
        f"  {name:52}{100 * P:>6.1f}{100 * R:>6.1f}{100 * F:>6.1f}{N:>6.0f}{100 * found:>8.1f}"
        f"{confidence:>8.2f}{right:>7.2f}{seconds:>7.1f}",
        flush=True,
    )


def reliability(results: dict[str, Result]) -> None:
    """Print confidence shown against share right, by tenths, and the mean gap between them."""
    print(f"\nconfidence shown and share right, by tenths of confidence (suggestions)\n  {'':12}", end="")
    print("".join(f"{name:>32}" for name in results))
    for tenth in range(10):
        print(f"  {tenth / 10:.1f} - {(tenth + 1) / 10:.1f}   ", end="")
        for result in results.values():
            inside = np.minimum((10 * result.confidence).astype(int), 9) == tenth
            shown, right = result.confidence[inside], result.right[inside]
            print(f"{shown.mean():>16.2f}{right.mean():>6.2f} ({len(shown):>5})  " if len(shown) else " " * 32, end="")
        print()
    print(f"  {'mean gap':12}", end="")
    for result in results.values():
        tenths = np.minimum((10 * result.confidence).astype(int), 9)
        gaps = [abs(result.confidence[tenths == t].sum() - result.right[tenths == t].sum()) for t in range(10)]
        print(f"{sum(gaps) / len(tenths):>32.3f}", end="")
    print()


def settings(part: Part) -> Iterator[tuple[str, TagVotes]]:
    """Yield what is compared."""
    yield "Euclidean, plain votes", part.plain("euclidean")
    yield "kernel metric, plain votes", part.plain("kernel")
    yield f"{METRIC}, plain votes", part.plain(METRIC)
    yield f"{METRIC}, weighted by rank", part.weighted(METRIC, evidence=False, weights="rank")
    yield f"{METRIC}, weighted by distance", part.weighted(METRIC, evidence=False)
    yield f"{METRIC}, weighted, held out", part.weighted(METRIC, evidence=False, held_out=3)
    yield "kernel metric, weighted, evidence", part.weighted("kernel", evidence=True)
    yield f"{METRIC}, weighted, evidence", part.weighted(METRIC, evidence=True)
    yield f"{METRIC}, weighted, evidence, held out", part.weighted(METRIC, evidence=True, held_out=3)
    yield f"{EXACT}, weighted, evidence", part.weighted(EXACT, evidence=True)
    yield f"{EXACT}, weighted, evidence, held out", part.weighted(EXACT, evidence=True, held_out=3)


def timed(results: Iterator[tuple[str, TagVotes]]) -> Iterator[tuple[str, TagVotes, float]]:
    """Add the seconds that each took."""
    while True:
        start = time.perf_counter()
        try:
            name, votes = next(results)
        except StopIteration:
            return
        yield name, votes, time.perf_counter() - start


def choose(X: Floats, train: Ints, tags: sp.csr_array, parts: int) -> None:
    """Print the scores of settings on parts held out of the training photos."""
    orders = [np.random.default_rng(seed).permutation(train) for seed in range(parts)]
    held = [Part(X, tags, np.sort(order[500:]), order[:500]) for order in orders]
    print(f"\n{SHOWN} tags for 500 photos held out of the training photos, {parts} parts\n{HEAD}")
    for metric in ("kernel", "ratio", METRIC):
        line(f"{metric}, plain votes", [score(part, part.plain(metric), 0) for part in held])
        line(f"{metric}, weighted", [score(part, part.weighted(metric, evidence=False), 0) for part in held])
        line(f"{metric}, weighted, evidence", [score(part, part.weighted(metric, evidence=True), 0) for part in held])
    for metric in (METRIC, EXACT):
        results = [score(part, part.weighted(metric, evidence=True, held_out=3), 0) for part in held]
        line(f"{metric}, weighted, evidence, held out", results)
    for more in (
        {"weights": "rank"},
        {"rarity": 0.0},
        {"rarity": 0.2},
        {"rarity": 0.4},
        {"rarity": 0.6},
        {"rarity": 0.8},
        {"balance": 0.0},
        {"balance": 0.5},
        {"pull": 3.0},
        {"pull": 10.0},
        {"pull": 100.0},
        {"k": 50},
        {"k": 100},
        {"k": 400},
    ):
        name = ", ".join(f"{key} {value}" for key, value in more.items())
        results = [score(part, part.weighted(METRIC, evidence=True, **more), 0) for part in held]
        line(f"{METRIC}, evidence, {name}", results)


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=data_folder() / "corel5k", help="folder of the photo set")
    parser.add_argument("--features", type=Path, help="keep the descriptors in this file (.npy)")
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--parts", type=int, default=3, help="parts of --choose")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"Skipped: there is no folder {arguments.data}. Set FOCAL_DATA to the folder of the photo sets.")
        return
    files, _, split, tags = read(arguments.data)
    X = coordinates(files, arguments.features)
    train, test = np.flatnonzero(split == "train"), np.flatnonzero(split == "test")
    if arguments.choose:
        choose(X, train, tags, arguments.parts)
        return
    part = Part(X, tags, train, test)
    print(f"{SHOWN} tags for each of {len(test)} test photos, {X.shape[1]} coordinates a photo\n{HEAD}")
    results = {}
    for name, votes, seconds in timed(settings(part)):
        results[name] = score(part, votes, seconds)
        line(name, [results[name]])
    compared = {
        "plain, kernel": "kernel metric, plain votes",
        f"weighted, {METRIC}": f"{METRIC}, weighted by distance",
        "held out": f"{METRIC}, weighted, held out",
        "evidence": f"{METRIC}, weighted, evidence",
        "evidence, held out": f"{METRIC}, weighted, evidence, held out",
        "exact, evidence": f"{EXACT}, weighted, evidence",
        "exact, evidence, held out": f"{EXACT}, weighted, evidence, held out",
    }
    reliability({short: results[name] for short, name in compared.items()})


if __name__ == "__main__":
    main()
