"""What the learners reach on Corel-5k: precision@20 by class from judged pairs, and 5 suggested tags a photo.

Works on arrays, through the learners alone: photos are described once and kept in a file (``--features``). Pairs are
drawn at random from the classes (folders); the 500 query photos take no part in any pair, and all other photos are the
gallery. Tags are suggested to the 499 test photos of the published split from the 4,500 others; the words scored
are those that occur in both parts.

``--choose`` scores settings of the votes on parts held out of the training photos; the test photos are not looked
at. ``--ablation`` leaves out the departures from the paper one at a time.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from features import DESCRIPTORS
from features.description import describe
from learners import KernelMetric, create
from learners.annotation import TagPropagation
from learners.base import EmbeddingMixin
from learners.feature_space import ColumnGroup, FeatureSpace
from learners.galleries import FloatGallery
from learners.measures import AnnotationScores, annotation_scores
from learners.side_information import SideInformation

Ints = NDArray[np.intp]
Floats = NDArray[np.float32]
PAPER: dict[str, Any] = {"similar_prior": 0, "dissimilar_prior": 0, "euclidean_blend": 0}


def read(folder: Path) -> tuple[list[Path], Ints, NDArray[np.str_], sp.csr_array]:
    """Return the photos of the split, their classes, "train" or "test", and their tags (n, m)."""
    with (folder / "split.csv").open(encoding="utf-8") as stream:
        split = {row["file"]: row["split"] for row in csv.DictReader(stream)}
    with (folder / "tags.csv").open(encoding="utf-8") as stream:
        tags = {row["file"]: [tag for tag in row["tags"].split(";") if tag] for row in csv.DictReader(stream)}
    files = list(split)
    _, classes = np.unique([Path(file).parent.name for file in files], return_inverse=True)
    column = {name: j for j, name in enumerate(sorted({tag for file in files for tag in tags[file]}))}
    i, j = np.array([(i, column[tag]) for i, file in enumerate(files) for tag in tags[file]]).T
    matrix = sp.csr_array((np.ones(len(i)), (i, j)), shape=(len(files), len(column)))
    return [folder / file for file in files], classes, np.array(list(split.values())), matrix


def coordinates(files: list[Path], kept: Path | None) -> Floats:
    """Describe the photos, or take their descriptors from a file, and bring them into the feature space."""
    names = list(DESCRIPTORS)
    if kept is not None and kept.exists():
        X: Floats = np.load(kept)
    else:
        start = time.perf_counter()
        rows = [describe(file, names, thumbnail_side=None).vectors for file in files]
        X = np.stack([np.concatenate([row[name] for name in names]) for row in rows])
        print(f"described {len(X)} photos in {time.perf_counter() - start:.0f} s on one core")
        if kept is not None:
            np.save(kept, X)
    stops = np.cumsum([DESCRIPTORS[name].dimension for name in names]).tolist()
    groups = tuple(
        ColumnGroup(name, start, stop, DESCRIPTORS[name].is_count)
        for name, start, stop in zip(names, [0, *stops], stops, strict=False)
    )
    space: Floats = FeatureSpace(groups).fit(X).transform(X)
    return space


def draw(classes: Ints, count: int, seed: int, among: NDArray[np.bool_]) -> tuple[SideInformation, Ints]:
    """Return pairs of photos in `among`, and 500 photos that are in no pair."""
    rng = np.random.default_rng(seed)
    n = len(classes)
    similar: list[tuple[int, int]] = []
    dissimilar: list[tuple[int, int]] = []
    while len(similar) < count or len(dissimilar) < count:
        i, j = rng.integers(0, n, 2).tolist()
        if i == j or not (among[i] and among[j]):
            continue
        kind = similar if classes[i] == classes[j] else dissimilar
        if len(kind) < count:
            kind.append((i, j))
    side = SideInformation(np.array(similar), np.array(dissimilar))
    free = np.setdiff1d(np.arange(n), np.concatenate([side.similar, side.dissimilar]))
    return side, rng.choice(free, min(500, len(free)), replace=False)


def precision_at_20(Z: Floats, classes: Ints, queries: Ints) -> float:
    """Return precision@20 by class, all other photos being the gallery."""
    rows, _ = FloatGallery(Z).rank_many(Z[queries], 20, skip=queries)
    return float((classes[rows] == classes[queries][:, None]).mean())


def embed(name: str, X: Floats, side: SideInformation | None, **parameters: Any) -> Floats:
    """Fit a learner and return the photos in its space."""
    learner = create(name, **parameters).fit(X, side)
    assert isinstance(learner, EmbeddingMixin)
    Z: Floats = learner.transform(X)
    return Z


def line(name: str, values: Iterable[float]) -> None:
    """Print mean and standard deviation over the draws."""
    found = np.array(list(values))
    print(f"  {name:44}{found.mean():>8.4f} +- {found.std(ddof=1) if len(found) > 1 else 0:.4f}", flush=True)


def pairs_table(X: Floats, classes: Ints, draws: int, *, ablation: bool) -> None:
    """Print precision@20 after learning from judged pairs."""
    everywhere = np.ones(len(X), dtype=bool)
    for count in (10, 30, 100, 300, 1000) if ablation else (300,):
        settings: dict[str, tuple[str, dict[str, Any]]] = {
            "Euclidean": ("euclidean", {}),
            "kernel metric": ("kernel", {}),
        }
        if ablation:
            settings |= {
                "kernel, kernel PCA alone": ("kernel", {"euclidean_blend": 1e9}),
                "kernel, no Euclidean share": ("kernel", {"euclidean_blend": 0.0}),
                "kernel, no priors": ("kernel", {"similar_prior": 0, "dissimilar_prior": 0}),
                "kernel, as the paper, sign corrected": ("kernel", PAPER),
                "kernel, as the paper, similar pairs only": ("kernel", PAPER | {"use_dissimilar": False}),
                "kernel, as the paper, sign as printed": ("kernel", PAPER | {"dissimilar_exponent": -0.5}),
            }
        drawn = [draw(classes, count, seed, everywhere) for seed in range(draws)]
        print(f"\nprecision@20 by class, {count} similar and {count} dissimilar pairs, {draws} draws")
        for name, (learner, parameters) in settings.items():
            line(
                name,
                (precision_at_20(embed(learner, X, side, **parameters), classes, queries) for side, queries in drawn),
            )


def unseen_table(X: Floats, classes: Ints, draws: int) -> None:
    """Print precision@20 of classes that were judged, and of the others."""
    print(f"\nprecision@20, 300 + 300 pairs from half of the classes: queries of these / of the others, {draws} draws")
    for name, learner, parameters in (
        ("Euclidean", "euclidean", {}),
        ("kernel metric", "kernel", {}),
        ("kernel, no Euclidean share", "kernel", {"euclidean_blend": 0.0}),
    ):
        judged, others = [], []
        for seed in range(draws):
            seen = np.isin(classes, np.random.default_rng(seed).permutation(classes.max() + 1)[::2])
            side, queries = draw(classes, 300, seed, seen)
            Z = embed(learner, X, side, **parameters)
            judged.append(precision_at_20(Z, classes, queries[seen[queries]]))
            others.append(precision_at_20(Z, classes, queries[~seen[queries]]))
        line(f"{name}, judged classes", judged)
        line(f"{name}, other classes", others)


def annotate(
    Z: Floats, tags: sp.csr_array, train: Ints, test: Ints, **parameters: Any
) -> tuple[AnnotationScores, float, float, float]:
    """Suggest 5 tags to the test photos; return scores, share of all tags found, mean confidence, share right."""
    gallery, known = FloatGallery(np.ascontiguousarray(Z[train])), sp.csr_array(tags[train])
    propagation = TagPropagation(**parameters)
    sample = np.sort(np.random.default_rng(0).choice(len(train), min(1000, len(train)), replace=False))
    propagation.fit(*gallery.rank_many(Z[train[sample]], propagation.k, skip=sample), known, sample)
    votes = propagation.propagate(*gallery.rank_many(Z[test], propagation.k), known)
    chosen = [(i, tag, confidence) for i, row in enumerate(votes.top(5)) for tag, confidence in row]
    i, j = np.array([each[:2] for each in chosen]).T
    suggested = sp.csr_array((np.ones(len(i)), (i, j)), shape=(len(test), tags.shape[1]))
    truth = sp.csr_array(tags[test])
    occurring = [np.asarray((part != 0).sum(axis=0)).ravel() > 0 for part in (known, truth)]
    scores = annotation_scores(suggested, truth, np.flatnonzero(occurring[0] & occurring[1]))
    right = float(suggested.multiply(truth).sum())
    confidence = float(np.mean([each[2] for each in chosen]))
    return scores, right / truth.sum(), confidence, right / len(chosen)


def tags_line(name: str, results: list[tuple[AnnotationScores, float, float, float]]) -> None:
    """Print the means of some annotations."""
    scores = np.mean([[s.precision, s.recall, s.f1, s.n_plus] for s, *_ in results], axis=0)
    found, confidence, right = np.mean([rest for _, *rest in results], axis=0)
    print(
        f"  {name:40}{100 * scores[0]:>6.1f}{100 * scores[1]:>6.1f}{100 * scores[2]:>6.1f}{scores[3]:>6.0f}"
        f"{100 * found:>8.1f}{confidence:>8.2f}{right:>6.2f}",
        flush=True,
    )


HEAD = f"  {'':40}{'P %':>6}{'R %':>6}{'F1 %':>6}{'N+':>6}{'found':>8}{'conf.':>8}{'right':>6}"


def tags_table(X: Floats, split: NDArray[np.str_], tags: sp.csr_array) -> None:
    """Print the annotation scores of the published split."""
    train, test = np.flatnonzero(split == "train"), np.flatnonzero(split == "test")
    print(f"\n5 tags for each of {len(test)} test photos\n{HEAD}")
    for name in ("euclidean", "kernel"):
        Z = FeatureRows(X, train).embed(name, tags)
        tags_line(name, [annotate(Z, tags, train, test)])


class FeatureRows:
    """Photos of which some are known: learners see these only."""

    def __init__(self, X: Floats, known: Ints) -> None:
        self.X, self.known = X, known

    def embed(self, name: str, tags: sp.csr_array, **parameters: Any) -> Floats:
        """Fit a learner to the known photos and their tags, and return all photos in its space."""
        learner = create(name, **parameters).fit(self.X[self.known], SideInformation(tags=tags[self.known]))
        assert isinstance(learner, EmbeddingMixin)
        Z: Floats = learner.transform(self.X)
        return Z


def choose(X: Floats, split: NDArray[np.str_], tags: sp.csr_array, parts: int) -> None:
    """Print the scores of settings on parts held out of the training photos."""
    train = np.flatnonzero(split == "train")
    halves = [(p[500:], p[:500]) for p in (np.random.default_rng(s).permutation(train) for s in range(parts))]
    spaces = [FeatureRows(X, known) for known, _ in halves]
    print(f"\n5 tags for 500 photos held out of the training photos, {parts} parts\n{HEAD}")
    metrics: dict[str, tuple[str, dict[str, Any]]] = {
        "euclidean": ("euclidean", {}),
        "kernel": ("kernel", {}),
        "kernel, 2000 landmarks": ("kernel", {"landmarks": 2000}),
        "kernel, similar only": ("kernel", {"use_dissimilar": False}),
        "kernel, no Euclidean share": ("kernel", {"euclidean_blend": 0.0}),
    }
    embedded = {name: [s.embed(kind, tags, **more) for s in spaces] for name, (kind, more) in metrics.items()}
    for name, Zs in embedded.items():
        tags_line(name, [annotate(Z, tags, *half) for Z, half in zip(Zs, halves, strict=True)])
    for votes in (
        {"k": 5, "sharpness": 0.0, "rarity": 0.0},
        {"rarity": 0.0},
        {"rarity": 0.2},
        {"rarity": 0.6},
        {"rarity": 1.0},
        {"k": 50},
        {"k": 100},
        {"k": 400},
        {"sharpness": 4.0},
        {"sharpness": 6.0},
        {"sharpness": 12.0},
    ):
        name = "kernel, " + ", ".join(f"{key} {value:g}" for key, value in votes.items())
        Zs = embedded["kernel"]
        tags_line(name, [annotate(Z, tags, *half, **votes) for Z, half in zip(Zs, halves, strict=True)])


def main() -> None:
    """Run what was asked for."""
    beside = Path(os.environ.get("FOCAL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=beside / "corel5k", help="folder of the photo set")
    parser.add_argument("--features", type=Path, help="keep the descriptors in this file (.npy)")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--ablation", action="store_true")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"Skipped: there is no folder {arguments.data}. Set FOCAL_DATA to the folder of the photo sets.")
        return
    files, classes, split, tags = read(arguments.data)
    X = coordinates(files, arguments.features)
    pairs_table(X, classes, arguments.draws, ablation=arguments.ablation)
    if arguments.ablation:
        unseen_table(X, classes, arguments.draws)
    if arguments.choose:
        choose(X, split, tags, 4)
    tags_table(X, split, tags)
    side, _ = draw(classes, 300, 0, np.ones(len(X), dtype=bool))
    start = time.perf_counter()
    metric = KernelMetric().fit(X, side)
    fitted = time.perf_counter()
    many = np.tile(X, (20, 1))
    print(f"\nfit on {len(X)} photos: {fitted - start:.2f} s", end="; ")
    start = time.perf_counter()
    metric.transform(many)
    print(f"{len(many)} photos of {X.shape[1]} coordinates embedded in {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
