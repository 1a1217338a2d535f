"""What the learners reach on Corel-5k from judged pairs: precision@20 by class.

Works on arrays, through the learners alone: photos are described once and kept in a file (``--features``). Pairs are
drawn at random from the classes (folders); the 500 query photos take no part in any pair, and all other photos are the
gallery. ``--ablation`` leaves out the departures from the paper one at a time. Suggested tags: `annotation`.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.operations.ranking.space import unfitted_space
from features import STANDARD
from features.base import GlobalDescriptor
from features.decoding.decode import decode
from features.description import DescriptionPlan, describe
from learners import KernelMetric, create
from learners.core.base import EmbeddingMixin
from learners.core.side_information import SideInformation
from learners.galleries.float_gallery import FloatGallery
from tests.benchmarks.common.photo_sets import data_folder, ready

Ints = NDArray[np.intp]
Floats = NDArray[np.float32]
PAPER: dict[str, Any] = {"similar_prior": 0, "dissimilar_prior": 0, "euclidean_blend": 0, "unit": False}


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
    """Describe the photos, or take their descriptors from a file, and bring them into the feature space.

    Vocabularies are learned on 400 of the photos, as in a library that holds them all.
    """
    sample = np.random.default_rng(0).choice(len(files), min(400, len(files)), replace=False)
    fitted = ready([decode(files[i]) for i in np.sort(sample)])
    descriptors = tuple(d for name in STANDARD if isinstance(d := fitted[name], GlobalDescriptor))
    if kept is not None and kept.exists():
        X: Floats = np.load(kept)
    else:
        start = time.perf_counter()
        plan = DescriptionPlan(descriptors, thumbnail_side=None)
        rows = [describe(file, plan).vectors for file in files]
        X = np.stack([np.concatenate([row[one.name] for one in descriptors]) for row in rows])
        print(f"described {len(X)} photos in {time.perf_counter() - start:.0f} s on one core")
        if kept is not None:
            np.save(kept, X)
    space: Floats = unfitted_space(descriptors).fit(X).transform(X)
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


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=data_folder() / "corel5k", help="folder of the photo set")
    parser.add_argument("--features", type=Path, help="keep the descriptors in this file (.npy)")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--ablation", action="store_true")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"Skipped: there is no folder {arguments.data}. Set FOCAL_DATA to the folder of the photo sets.")
        return
    files, classes, *_ = read(arguments.data)
    X = coordinates(files, arguments.features)
    pairs_table(X, classes, arguments.draws, ablation=arguments.ablation)
    if arguments.ablation:
        unseen_table(X, classes, arguments.draws)
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
