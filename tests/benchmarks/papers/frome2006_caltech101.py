# SPDX-License-Identifier: MIT
"""Recognition on Caltech-101 with local distance functions, by the protocol of Frome, Singer and Malik (NIPS 2006).

With a number of training photos per class, the others, or a random part of them, are classified. Reported is the mean
recognition over classes and random splits, for large and small geometric blur, colour, both shapes and all three. A
confusion matrix of all three is plotted. For ten splits of fewer classes see `frome2006_ablations`, for times
`speed/local_distances`. With ``--location``, unlike in the paper, distances include the displacement
of a patch's match; the weight was chosen on training photos (10 for training, 5 for testing, of every second class).

Patches and scores of each split are cached, so interrupted runs can be resumed. The table includes all splits ever
scored with the same settings. The whole set with 15 + 10 photos per class takes about half an hour of one core per
split; ``--classes 15`` takes a minute.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import joblib
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import LocalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.fitted.principal_components import ReducedPatches
from focal_photos.features.local.color_patches import ColorPatches
from focal_photos.features.local.elementary_distances import MISSING, elementary_distances, with_places
from focal_photos.features.local.geometric_blur import GeometricBlur
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.local.local_distance import LocalDistance
from tests.benchmarks.common.described_photos import CACHE
from tests.benchmarks.common.photo_sets import Floats, Ints, PhotoSet, photo_set, splits
from tests.benchmarks.common.report import RESULTS, Report, mean_and_spread

_BASES: Final[dict[str, LocalDescriptor]] = {
    "large": GeometricBlur(),
    "small": GeometricBlur(42.0),
    "color": ColorPatches(),
}
COMBINATIONS: Final[dict[str, tuple[tuple[str, ...], float, float]]] = {
    "large": (("large",), 0.5, 49.6),
    "small": (("small",), 0.5, 52.1),
    "color": (("color",), 5.0, 6.0),
    "both": (("large", "small"), 0.1, 58.8),
    "all": (("large", "small", "color"), 0.1, 60.3),
}
"""Families, C, and the paper's mean recognition with 15 training photos per class."""

LOCATION: Final = 0.7
_PAPER_TRAIN: Final = 15
_SAMPLE: Final = 200


class Patches(NamedTuple):
    """Patches of one family for all photos of a split, training photos first."""

    vectors: NDArray[np.float16]
    offsets: NDArray[np.int64]
    places: NDArray[np.float16]

    def located(self, weight: float) -> Patches:
        """Return the patches with their positions in the photo appended to their values."""
        vectors = with_places(self.vectors, self.places, (1.0, 1.0), weight)
        return Patches(vectors.astype(np.float16), self.offsets, self.places)

    def of(self, photo: int) -> NDArray[np.float16]:
        return self.vectors[self.offsets[photo] : self.offsets[photo + 1]]

    def gathered(self, photos: Ints) -> tuple[NDArray[np.float16], NDArray[np.int64]]:
        """Return the stacked vectors of photos, and the boundaries between photos."""
        parts = [self.of(int(photo)) for photo in photos]
        return np.concatenate(parts), np.cumsum([0, *map(len, parts)], dtype=np.int64)


class Learned(NamedTuple):
    """Results for one focal image and combination of families; the probabilities are those of the test photos."""

    probabilities: NDArray[np.float64]
    used: NDArray[np.bool_]
    triplets: int
    gap: float


def subset(photos: PhotoSet, count: int) -> PhotoSet:
    """Return `count` evenly spaced classes of a set; all if `count` is 0."""
    if not 0 < count < len(photos.names):
        return photos
    chosen = np.linspace(0, len(photos.names) - 1, count).round().astype(np.intp)
    rows = np.flatnonzero(np.isin(photos.classes, chosen))
    classes = np.searchsorted(chosen, photos.classes[rows])
    return PhotoSet(photos.folder, [photos.files[i] for i in rows], classes, [photos.names[i] for i in chosen])


def describe(photos: PhotoSet, train: Ints, test: Ints, components: dict[str, int]) -> dict[str, Patches]:
    """Extract the patches of a split; the reductions are fitted to some of its training photos."""
    cv2.setNumThreads(1)
    sample = np.random.default_rng(0).choice(train, min(_SAMPLE, len(train)), replace=False)
    decoded = [decode(photos.files[i]) for i in sample]
    families = {
        name: ReducedPatches(base, components[name]).fit([base.extract(image).vectors for image in decoded])
        for name, base in _BASES.items()
    }
    found: dict[str, list[NDArray[np.float16]]] = {name: [] for name in families}
    places: dict[str, list[NDArray[np.float16]]] = {name: [] for name in families}
    for i in np.concatenate([train, test]):
        image = decode(photos.files[i])
        for name, family in families.items():
            extracted = family.extract(image)
            found[name].append(extracted.vectors.astype(np.float16))
            size = np.array(image.rgb.shape[1::-1], np.float32)
            places[name].append((extracted.points / size).astype(np.float16))
    return {
        name: Patches(
            np.concatenate(parts), np.cumsum([0, *(len(part) for part in parts)]), np.concatenate(places[name])
        )
        for name, parts in found.items()
    }


def kept(file: Path, photos: PhotoSet, train: Ints, test: Ints, components: dict[str, int]) -> dict[str, Patches]:
    """Return the cached patches of a split, or compute them."""
    if not file.exists():
        arrays = {
            f"{name}.{part}": array
            for name, patches in describe(photos, train, test, components).items()
            for part, array in patches._asdict().items()
        }
        np.savez(file, allow_pickle=False, **arrays)
    with np.load(file) as archive:
        return {name: Patches(*(archive[f"{name}.{part}"] for part in Patches._fields)) for name in _BASES}


def learn(
    focal: int,
    patches: dict[str, Patches],
    classes: Ints,
    count: int,
    wanted: Sequence[tuple[str, LocalDistance]],
    missing: float,
) -> list[Learned]:
    """Learn one focal image with each combination; rows from `count` on are test photos."""
    with one_thread():
        needed = {family for name, _ in wanted for family in COMBINATIONS[name][0]}
        D = {
            name: elementary_distances(patches[name].of(focal), *patches[name][:2], missing=missing) for name in needed
        }
        others = np.arange(count) != focal
        relevance = np.where(classes[:count] == classes[focal], 1, -1)[others]
        found = []
        for name, learner in wanted:
            block = np.hstack([D[family] for family in COMBINATIONS[name][0]])
            training = block[:count][others]
            try:
                learner.fit(training, relevance)
            except LearnerError:  # a photo without edges
                rate = np.full(len(classes) - count, (relevance > 0).mean())
                found.append(Learned(rate, np.zeros(block.shape[1], np.bool_), 0, 0.0))
                continue
            found.append(Learned(learner.probabilities(block[count:]), learner.used, learner.n_triplets_, learner.gap_))
    return found


def draw(confusion: Floats, names: Sequence[str], file: Path) -> None:
    """Plot a confusion matrix to a file: rows are true classes, with shares of each row."""
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


def score(photos: PhotoSet, train: Ints, test: Ints, file: Path, asked: argparse.Namespace, weight: float) -> Any:
    """Learn all focal images of a split, classify its test photos, and return the results as cached."""
    components = {"large": asked.components, "small": asked.components, "color": asked.color_components}
    found = kept(file, photos, train, test, components)
    patches = {name: some.located(weight) for name, some in found.items()}
    classes = photos.classes[np.concatenate([train, test])]
    runs = [(name, C) for name in asked.families for C in (asked.price or [COMBINATIONS[name][1]])]
    wanted = [(name, LocalDistance(C, asked.nearest, asked.tolerance)) for name, C in runs]
    missing = float(np.hypot(MISSING, weight * np.sqrt(2)))
    results = joblib.Parallel(n_jobs=asked.workers)(
        joblib.delayed(learn)(focal, patches, classes, len(train), wanted, missing) for focal in range(len(train))
    )
    member = classes[: len(train), None] == np.arange(len(photos.names))
    true = classes[len(train) :]
    scored = []
    for number, (name, C) in enumerate(runs):
        learned = [parts[number] for parts in results]
        decided = (np.column_stack([one.probabilities for one in learned]) @ member).argmax(axis=1)
        right = [float((decided[true == label] == label).mean()) for label in np.unique(true)]
        scored.append(
            {
                "families": name,
                "C": C,
                "recognition": 100 * float(np.mean(right)),
                "used": float(np.mean(np.concatenate([one.used for one in learned]))),
                "triplets": float(np.mean([one.triplets for one in learned])),
                "gap": max(one.gap for one in learned),
                "decided": decided.tolist(),
                "true": true.tolist(),
            }
        )
        print(f"    {name:<6} C {C:<5g} {scored[-1]['recognition']:5.1f} %, location {weight:g}", flush=True)
    return scored


def all_scores(folder: Path, pattern: str, settings: Any) -> dict[tuple[int, float], list[Any]]:
    """Return the cached results by training photos per class and location weight, with one entry per split."""
    found: dict[tuple[int, float], list[Any]] = {}
    for file in sorted(folder.glob(pattern)):
        kept = json.loads(file.read_text())
        if kept["settings"] == settings:
            _, _, count, _, _, weight = file.stem.split("-")
            found.setdefault((int(count), float(weight)), []).append(kept["scores"])
    return dict(sorted(found.items()))


def confusion(one: dict[str, Any], names: Sequence[str], file: Path) -> None:
    matrix = np.zeros((len(names),) * 2, np.float32)
    np.add.at(matrix, (np.array(one["true"]), np.array(one["decided"])), 1)
    draw(matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1), names, file)


def claims(runs: list[Any]) -> dict[str, tuple[bool, str]]:
    """Return the claims of the paper, from the splits with its number of training photos and without location."""
    found: dict[str, list[float]] = {}
    for one in (one for scored in runs for one in scored):
        found.setdefault(one["families"], []).append(one["recognition"])
    mean = {name: float(np.mean(values)) for name, values in found.items()}

    def told(*names: str) -> str:
        return ", ".join(f"{name} {mean_and_spread(found[name], 1)} %" for name in names) + f"; splits: {len(runs)}"

    setting = f"{_PAPER_TRAIN} training photos, without location"
    return {
        f"all families recognise 60.3 ± .7 % ({setting})": (mean["all"] >= 60.3 - 0.7, told("all")),
        f"both shapes recognise more than either alone ({setting})": (
            mean["both"] > max(mean["large"], mean["small"]),
            told("both", "large", "small"),
        ),
        f"color in addition to both shapes recognises more ({setting})": (
            mean["all"] > mean["both"],
            told("all", "both"),
        ),
        f"small shapes recognise more than large ones ({setting})": (
            mean["small"] > mean["large"],
            told("small", "large"),
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classes", type=int, default=0, help="number of classes, evenly spaced (0: all)")
    parser.add_argument("--train", type=int, nargs="+", default=[5, 15], help="training photos per class")
    parser.add_argument("--test", type=int, default=10, help="maximum number of test photos per class")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--families", nargs="+", choices=COMBINATIONS, default=list(COMBINATIONS))
    parser.add_argument(
        "--location", type=float, nargs="+", default=[0.0, LOCATION], help="weights of a patch's position"
    )
    parser.add_argument("--components", type=int, default=32, help="components of each shape descriptor")
    parser.add_argument("--color-components", type=int, default=24)
    parser.add_argument("--price", type=float, nargs="+", help="one or more values of C, instead of those by family")
    parser.add_argument("--nearest", type=int, default=5, help="K")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kept", type=Path, default=CACHE / "caltech101", help="folder for patches and scores")
    asked = parser.parse_args()
    whole = photo_set("caltech101")
    if whole is None:
        return
    photos = subset(whole, asked.classes)
    asked.kept.mkdir(parents=True, exist_ok=True)
    settings = [asked.components, asked.color_components, asked.nearest, asked.tolerance, asked.price, asked.families]
    for count in asked.train:
        for seed, (train, test) in enumerate(splits(photos.classes, count, asked.test, asked.splits)):
            label = f"{len(photos.names)}-{count}-{asked.test}-{seed}"
            file = asked.kept / f"patches-{label}-{asked.components}-{asked.color_components}.npz"
            for weight in asked.location:
                scores = asked.kept / f"scores-{label}-{weight:g}.json"
                if not scores.exists() or json.loads(scores.read_text())["settings"] != settings:
                    print(f"  {count} training photos a class, split {seed}", flush=True)
                    scored = score(photos, train, test, file, asked, weight)
                    scores.write_text(json.dumps({"settings": settings, "scores": scored}))
    found = all_scores(asked.kept, f"scores-{len(photos.names)}-*-{asked.test}-*-*.json", settings)
    report = Report("frome2006-caltech101", "Frome 2006: recognition on Caltech-101")
    report.text(
        f"{len(photos.names)} classes; up to {asked.test} random test photos per class; mean recognition over classes "
        "and splits in %. Location: weight of a patch's position in its photo (0: as in the paper). Includes all "
        "splits ever scored with these settings. Ten splits of fewer classes: `frome2006-ablations.md`; times: "
        "`local-distances-time.md`."
    )
    columns = ["training photos", "splits", "location", "families", "C", "recognition", "paper", "weights above 0"]
    columns += ["triplets", "largest gap"]
    rows = []
    for (count, weight), runs in found.items():
        for each in zip(*runs, strict=True):
            one = each[0]
            paper = f"{COMBINATIONS[one['families']][2]:g}" if count == _PAPER_TRAIN else ""
            means = {key: float(np.mean([run[key] for run in each])) for key in one if isinstance(one[key], float)}
            rows.append(
                [
                    *(str(count), str(len(each)), f"{weight:g}", one["families"], f"{one['C']:g}"),
                    *(mean_and_spread([run["recognition"] for run in each], 1), paper),
                    *(f"{100 * means['used']:.0f} %", f"{means['triplets']:,.0f}", f"{means['gap']:.0e}"),
                ]
            )
    report.table("Mean recognition over classes", columns, rows)
    if (_PAPER_TRAIN, 0.0) in found:
        report.claims(claims(found[_PAPER_TRAIN, 0.0]))
    RESULTS.mkdir(exist_ok=True)
    shown = (_PAPER_TRAIN, LOCATION) if (_PAPER_TRAIN, LOCATION) in found else max(found)
    confusion(found[shown][0][-1], photos.names, RESULTS / "frome2006-caltech101-confusion.png")
    report.text(
        f"![Confusion, {shown[0]} training photos, location {shown[1]:g}, last families, first split]"
        "(frome2006-caltech101-confusion.png)"
    )
    report.save()


if __name__ == "__main__":
    main()
