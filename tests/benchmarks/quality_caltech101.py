"""Recognition on Caltech-101 with local distance functions, by the protocol of Frome, Singer and Malik (NIPS 2006).

A number of training photos a class, the others (or some of them, drawn at random) are tested; mean recognition over
classes, for large and small geometric blur, colour, both shapes and all three, over random splits. Also the times: of
the elementary distances, of learning a focal image, and of a new photo against all focal images.

``--kept DIR`` keeps the patches of a split, so that a second run with other settings needs no photos. The whole set
with 15 + 6 photos a class takes about half an hour on one core; ``--classes 15`` a minute.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import joblib
import numpy as np
from numpy.typing import NDArray

from features.base import LocalDescriptor
from features.color_patches import ColorPatches
from features.elementary_distances import elementary_distances
from features.geometric_blur import GeometricBlur
from features.image import decode
from features.principal_components import ReducedPatches
from learners.errors import LearnerError
from learners.linalg import one_thread
from learners.local_distance import LocalDistance
from tests.benchmarks._photo_sets import Floats, Ints, PhotoSet, photo_set, splits

_BASES: Final[dict[str, LocalDescriptor]] = {
    "large": GeometricBlur(),
    "small": GeometricBlur(42.0),
    "color": ColorPatches(),
}
_COMBINATIONS: Final[dict[str, tuple[tuple[str, ...], float, float]]] = {
    "large": (("large",), 0.5, 49.6),
    "small": (("small",), 0.5, 52.1),
    "color": (("color",), 5.0, 6.0),
    "both": (("large", "small"), 0.1, 58.8),
    "all": (("large", "small", "color"), 0.1, 60.3),
}
"""Families, C, and the paper's mean recognition with 15 training photos a class."""

_SAMPLE: Final = 200
_QUERIES: Final = 3


class Patches(NamedTuple):
    """Patches of one family of all photos of a split, training photos first."""

    vectors: NDArray[np.float16]
    offsets: NDArray[np.int64]

    def of(self, photo: int) -> NDArray[np.float16]:
        return self.vectors[self.offsets[photo] : self.offsets[photo + 1]]


class Learned(NamedTuple):
    """One focal image with one combination of families: probabilities of the test photos, and what it took."""

    probabilities: NDArray[np.float64]
    used: NDArray[np.bool_]
    triplets: int
    gap: float
    seconds: float


def subset(photos: PhotoSet, count: int) -> PhotoSet:
    """Return evenly spaced classes of a set; all if count is 0."""
    if not 0 < count < len(photos.names):
        return photos
    chosen = np.linspace(0, len(photos.names) - 1, count).round().astype(np.intp)
    rows = np.flatnonzero(np.isin(photos.classes, chosen))
    classes = np.searchsorted(chosen, photos.classes[rows])
    return PhotoSet(photos.folder, [photos.files[i] for i in rows], classes, [photos.names[i] for i in chosen])


def describe(photos: PhotoSet, train: Ints, test: Ints, components: dict[str, int]) -> dict[str, Patches]:
    """Extract the patches of a split; the reductions are learned from some of its training photos."""
    cv2.setNumThreads(1)
    sample = np.random.default_rng(0).choice(train, min(_SAMPLE, len(train)), replace=False)
    decoded = [decode(photos.files[i]) for i in sample]
    families = {
        name: ReducedPatches(base, components[name]).fit([base.extract(image).vectors for image in decoded])
        for name, base in _BASES.items()
    }
    found: dict[str, list[NDArray[np.float16]]] = {name: [] for name in families}
    for i in np.concatenate([train, test]):
        image = decode(photos.files[i])
        for name, family in families.items():
            found[name].append(family.extract(image).vectors.astype(np.float16))
    return {
        name: Patches(np.concatenate(parts), np.cumsum([0, *(len(part) for part in parts)]))
        for name, parts in found.items()
    }


def kept(file: Path, photos: PhotoSet, train: Ints, test: Ints, components: dict[str, int]) -> dict[str, Patches]:
    """Return the patches of a split from a file, made if it is not there."""
    if not file.exists():
        start = time.perf_counter()
        arrays = {
            f"{name}.{part}": array
            for name, patches in describe(photos, train, test, components).items()
            for part, array in patches._asdict().items()
        }
        np.savez(file, allow_pickle=False, **arrays)
        print(f"  patches of {len(train) + len(test)} photos in {time.perf_counter() - start:.0f} s", flush=True)
    with np.load(file) as archive:
        return {name: Patches(archive[f"{name}.vectors"], archive[f"{name}.offsets"]) for name in _BASES}


def learn(
    focal: int, patches: dict[str, Patches], classes: Ints, count: int, wanted: Sequence[tuple[str, LocalDistance]]
) -> tuple[float, list[Learned]]:
    """Learn one focal image with each combination; rows from `count` on are test photos."""
    with one_thread():
        start = time.process_time()
        needed = {family for name, _ in wanted for family in _COMBINATIONS[name][0]}
        D = {name: elementary_distances(patches[name].of(focal), *patches[name]) for name in needed}
        seconds = time.process_time() - start
        others = np.arange(count) != focal
        relevance = np.where(classes[:count] == classes[focal], 1, -1)[others]
        found = []
        for name, learner in wanted:
            block = np.hstack([D[family] for family in _COMBINATIONS[name][0]])
            training = block[:count][others]
            start = time.process_time()
            try:
                learner.fit(training, relevance)
            except LearnerError:  # a photo without an edge
                rate = np.full(len(classes) - count, (relevance > 0).mean())
                found.append(Learned(rate, np.zeros(block.shape[1], np.bool_), 0, 0.0, 0.0))
                continue
            taken = time.process_time() - start
            found.append(
                Learned(learner.probabilities(block[count:]), learner.used, learner.n_triplets_, learner.gap_, taken)
            )
    return seconds, found


def query_seconds(patches: dict[str, Patches], used: Sequence[NDArray[np.bool_]], name: str, tests: Ints) -> float:
    """Return the time of the elementary distances of one new photo from the used patches of all focal images."""
    families = _COMBINATIONS[name][0]
    gathered: dict[str, list[Floats]] = {family: [] for family in families}
    for focal, mask in enumerate(used):
        place = 0
        for family in families:
            own = patches[family].of(focal)
            gathered[family].append(own[mask[place : place + len(own)]].astype(np.float32))
            place += len(own)
    stacked = {family: np.concatenate(parts) for family, parts in gathered.items()}
    seconds = []
    with one_thread():
        for photo in tests[:_QUERIES]:
            start = time.perf_counter()
            for family, focal_patches in stacked.items():
                own = patches[family].of(int(photo))
                elementary_distances(focal_patches, own, np.array([0, len(own)]))
            seconds.append(time.perf_counter() - start)
    return min(seconds)


def draw(confusion: Floats, names: Sequence[str], file: Path) -> None:
    """Write a confusion matrix as a picture: rows are true classes, shares of each row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 11), layout="constrained")
    axes = figure.add_subplot()
    picture = axes.imshow(confusion, cmap="magma", vmin=0, vmax=1, interpolation="nearest")
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=5)
    axes.set_yticks(range(len(names)), names, fontsize=5)
    axes.set_xlabel("recognised as")
    axes.set_ylabel("class")
    figure.colorbar(picture, shrink=0.6)
    figure.savefig(file, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classes", type=int, default=0, help="only so many classes, evenly spaced (0: all)")
    parser.add_argument("--train", type=int, default=15, help="training photos a class")
    parser.add_argument("--test", type=int, default=6, help="most test photos a class")
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--families", nargs="+", choices=_COMBINATIONS, default=list(_COMBINATIONS))
    parser.add_argument("--components", type=int, default=32, help="of each shape descriptor")
    parser.add_argument("--color-components", type=int, default=24)
    parser.add_argument("--price", type=float, nargs="+", help="C, one or more, instead of those by family")
    parser.add_argument("--nearest", type=int, default=5, help="K")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kept", type=Path, help="folder that keeps the patches")
    parser.add_argument("--confusion", type=Path, metavar="FILE.png", help="draw that of the last family, last split")
    asked = parser.parse_args()
    whole = photo_set("caltech101")
    if whole is None:
        return
    photos = subset(whole, asked.classes)
    components = {"large": asked.components, "small": asked.components, "color": asked.color_components}
    runs = [(name, C) for name in asked.families for C in (asked.price or [_COMBINATIONS[name][1]])]
    scores: dict[tuple[str, float], list[float]] = {run: [] for run in runs}
    print(f"{len(photos.names)} classes, {asked.train} training and up to {asked.test} test photos each", flush=True)
    with tempfile.TemporaryDirectory() as place:
        folder = asked.kept or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        drawn = list(splits(photos.classes, asked.train, asked.test, asked.splits))
        for seed, (train, test) in enumerate(drawn):
            label = "-".join(map(str, (len(photos.names), asked.train, asked.test, seed, *components.values())))
            patches = kept(folder / f"caltech101-{label}.npz", photos, train, test, components)
            classes = photos.classes[np.concatenate([train, test])]
            wanted = [(name, LocalDistance(C, asked.nearest, asked.tolerance)) for name, C in runs]
            start = time.perf_counter()
            results = joblib.Parallel(n_jobs=asked.workers)(
                joblib.delayed(learn)(focal, patches, classes, len(train), wanted) for focal in range(len(train))
            )
            spent = time.perf_counter() - start
            far = 1e3 * float(np.mean([seconds for seconds, _ in results]))
            print(f"  split {seed}: {spent:.0f} s; {far:.0f} ms of distances a focal image, one core", flush=True)
            for number, run in enumerate(runs):
                learned = [found[number] for _, found in results]
                member = classes[: len(train), None] == np.arange(len(photos.names))
                decided = (np.column_stack([one.probabilities for one in learned]) @ member).argmax(axis=1)
                true = classes[len(train) :]
                confusion = np.zeros((len(photos.names),) * 2, np.float32)
                np.add.at(confusion, (true, decided), 1)
                confusion /= np.maximum(confusion.sum(axis=1, keepdims=True), 1)
                scores[run].append(100 * float(np.diag(confusion)[np.unique(true)].mean()))
                new = query_seconds(patches, [one.used for one in learned], run[0], np.arange(len(train), len(classes)))
                print(
                    f"    {run[0]:<6} C {run[1]:<5g} {scores[run][-1]:5.1f} %, "
                    f"{100 * np.mean(np.concatenate([one.used for one in learned])):3.0f} % of weights used, "
                    f"{np.mean([one.triplets for one in learned]):5.0f} triplets, "
                    f"{1e3 * np.mean([one.seconds for one in learned]):4.0f} ms to learn "
                    f"(worst {1e3 * max(one.seconds for one in learned):.0f}), "
                    f"gap {max(one.gap for one in learned):.0e}, {1e3 * new:.0f} ms a new photo",
                    flush=True,
                )
                if asked.confusion:
                    draw(confusion, photos.names, asked.confusion)
    print(f"\n{'families':<10}{'C':>6}{'mean recognition, %':>24}{'paper (101 classes, 15 each)':>32}")
    for (name, C), found in scores.items():
        spread = f" +- {np.std(found, ddof=1):.1f}" if len(found) > 1 else ""
        print(f"{name:<10}{C:>6g}{f'{np.mean(found):.1f}{spread}':>24}{_COMBINATIONS[name][2]:>32}")


if __name__ == "__main__":
    main()
