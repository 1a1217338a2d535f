# SPDX-License-Identifier: MIT
"""Recognition on Caltech-101 by local distances and suggestions together.

Splits and location weight are those of `frome2006_caltech101`. Suggestions: regression on the standard descriptors and
codes, with the space fitted to the training photos alone. Shortlist: only focal images of the classes that the
suggestions rate likeliest are used. Together: the product of the suggestions' probability of a class and the mean
probability of its focal images (`learners.local.agreement`). The number of classes in the shortlist was chosen, and
other weights were found to gain nothing, on training photos, each rated only by focal images that had not been trained
on it. Milliseconds: time of one core for one new photo, whose descriptors and patches are known.

Patches and probabilities are cached; takes half an hour of one core per split.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import joblib
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.browser.operations.recognition.partner import COMPARED_CLASSES
from focal_photos.features.local.elementary_distances import MISSING, elementary_distances
from focal_photos.features.table import STANDARD, STANDARD_CODES
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.local.agreement import agreed, likeliest, mean_votes
from focal_photos.learners.local.local_distance import LocalDistance
from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence, typical_temperature
from focal_photos.learners.tags.tag_ridge import TagRidge
from tests.benchmarks.common.described_photos import CACHE, Described, described
from tests.benchmarks.common.photo_sets import Ints, PhotoSet, splits
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.papers.frome2006_caltech101 import COMBINATIONS, LOCATION, Patches, kept, learn, subset
from tests.benchmarks.quality.caltech101_families import EXACT, recognition

SHORTLISTS: Final = (5, COMPARED_CLASSES, 20)
_COMPONENTS: Final = {"large": 32, "small": 32, "color": 24}
_ASKED: Final = 20
"""Number of test photos timed."""


class Split(NamedTuple):
    """Photos of a split, training photos first."""

    label: str
    """Part of the names of its cached files."""
    rows: Ints
    """Rows of the described photos; shape (n,)."""
    classes: Ints
    """Shape (n,)."""
    training: int
    """Number of training photos."""
    patches: dict[str, Patches]


def each_split(whole: Described, photos: PhotoSet, asked: argparse.Namespace) -> Iterator[Split]:
    """Yield the selected splits; patches that are not cached are computed."""
    place = {file: row for row, file in enumerate(whole.photos.files)}
    rows = np.array([place[file] for file in photos.files])
    asked.kept.mkdir(parents=True, exist_ok=True)
    for seed, (train, test) in enumerate(splits(photos.classes, asked.train, asked.test, asked.splits)):
        label = f"{len(photos.names)}-{asked.train}-{asked.test}-{seed}"
        both = np.concatenate([train, test])
        found = kept(asked.kept / f"patches-{label}-32-24.npz", photos, train, test, _COMPONENTS)
        patches = {name: some.located(LOCATION) for name, some in found.items()}
        yield Split(label, rows[both], photos.classes[both], len(train), patches)


def options(splits: int) -> argparse.ArgumentParser:
    """Return a parser of the options of the splits, with `splits` splits by default."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--classes", type=int, default=0, help="number of classes, evenly spaced (0: all)")
    parser.add_argument("--train", type=int, default=15, help="training photos per class")
    parser.add_argument("--test", type=int, default=10, help="maximum number of test photos per class")
    parser.add_argument("--splits", type=int, default=splits)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kept", type=Path, default=CACHE / "caltech101", help="folder for patches and probabilities")
    return parser


class Votes(NamedTuple):
    """Results of the focal images of a split."""

    probabilities: NDArray[np.float64]
    """Probability of each focal image that each test photo is similar; shape (F, t)."""
    used: NDArray[np.intp]
    """Number of patches with a weight, by focal image; shape (F,)."""


def votes_of(file: Path, patches: dict[str, Patches], classes: Ints, count: int, families: str, workers: int) -> Votes:
    """Return the cached results of focal images, or compute them; rows from `count` on are test photos."""
    if not file.exists():
        wanted = [(families, LocalDistance(COMBINATIONS[families][1]))]
        missing = float(np.hypot(MISSING, LOCATION * np.sqrt(2)))
        found = joblib.Parallel(n_jobs=workers)(
            joblib.delayed(learn)(focal, patches, classes, count, wanted, missing) for focal in range(count)
        )
        learned = [parts[0] for parts in found]
        np.savez(
            file,
            probabilities=np.stack([one.probabilities for one in learned]),
            used=np.array([one.used.sum() for one in learned]),
        )
    with np.load(file) as archive:
        return Votes(archive["probabilities"].astype(np.float64), archive["used"].astype(np.intp))


class Suggested(NamedTuple):
    """Probabilities of the classes of test photos, (t, m), and milliseconds per photo."""

    probabilities: NDArray[np.float64]
    milliseconds: float


def suggestions(photos: Described, rows: Ints, count: int, classes: Ints) -> Suggested:
    """Train on the first `count` of some rows of the described photos, and classify the others."""
    assert photos.codes is not None
    space, Z = photos.space(rows[:count], STANDARD, wide=True)
    tags = sp.csr_array(np.eye(int(classes.max()) + 1)[classes[:count]])
    ridge = TagRidge(neighbors=0.0, exact=EXACT, families=space.families_)
    ridge.fit(Z[rows[:count]], tags, codes=photos.codes[rows[:count]])
    confidence = TagConfidence(typical_temperature(ridge)).fit(ridge.left_out_, tags)
    start = time.process_time()
    for row in rows[count : count + _ASKED]:
        confidence.confidences(ridge.scores(Z[[row]], None, photos.codes[[row]]))
    taken = 1e3 * (time.process_time() - start) / _ASKED
    asked = rows[count:]
    return Suggested(confidence.confidences(ridge.scores(Z[asked], None, photos.codes[asked])).tags, taken)


def milliseconds(patches: dict[str, Patches], used: Ints, families: str, count: int, heard: NDArray[np.bool_]) -> float:
    """Return the milliseconds of the elementary distances of a test photo from as many patches as have a weight.

    `heard` (t, F) selects the focal images of each test photo.
    """
    names = COMBINATIONS[families][0]
    taken = 0.0
    with one_thread():
        for photo in range(_ASKED):
            for name in names:
                own = patches[name].of(count + photo)
                rows = [
                    patches[name].of(int(focal))[: used[focal] // len(names)] for focal in np.flatnonzero(heard[photo])
                ]
                focal_patches = np.concatenate(rows)
                start = time.process_time()
                elementary_distances(focal_patches, own, np.array([0, len(own)]))
                taken += time.process_time() - start
    return 1e3 * taken / _ASKED


def ways(
    votes: Votes, suggested: Suggested, patches: dict[str, Patches], families: str, classes: Ints, count: int
) -> dict[str, tuple[float, float]]:
    """Return the recognition in % and the milliseconds per new photo, by method."""
    truth = classes[count:]
    carried = sp.csr_array(np.eye(int(classes.max()) + 1)[classes[:count]])
    sure = suggested.probabilities
    found = {"suggestions alone": (recognition(sure, truth), suggested.milliseconds)}
    for most in (None, *SHORTLISTS):
        asked = np.ones(sure.shape, np.bool_) if most is None else likeliest(sure, most)
        heard = np.asarray((carried @ asked.T).T > 0)
        means = np.stack([mean_votes(carried, *one) for one in zip(votes.probabilities.T, heard, strict=True)])
        told = f"local distances, {'all' if most is None else f'shortlist of {most}'} classes"
        taken = milliseconds(patches, votes.used, families, count, heard)
        shortlisting = 0.0 if most is None else suggested.milliseconds
        found[told] = recognition(np.nan_to_num(means, nan=-1.0), truth), taken + shortlisting
        both = agreed(np.where(asked, sure, 0.0), means)
        found[f"together, {told.partition(', ')[2]}"] = recognition(both, truth), taken + suggested.milliseconds
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, parents=[options(1)]
    )
    parser.add_argument("--families", nargs="+", choices=COMBINATIONS, default=["large", "all"])
    asked = parser.parse_args()
    whole = described("caltech101", STANDARD, STANDARD_CODES)
    if whole is None:
        return
    photos: PhotoSet = subset(whole.photos, asked.classes)
    table: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for seed, (label, rows, classes, count, patches) in enumerate(each_split(whole, photos, asked)):
        suggested = suggestions(whole, rows, count, classes)
        for families in asked.families:
            file = asked.kept / f"votes-{label}-{families}-{LOCATION:g}.npz"
            votes = votes_of(file, patches, classes, count, families, asked.workers)
            for way, values in ways(votes, suggested, patches, families, classes, count).items():
                table.setdefault((families, way), []).append(values)
                print(f"{seed}: {families}: {way} {values[0]:.1f} %, {values[1]:.1f} ms", flush=True)
    report = Report("frome2006-beside", "Frome 2006: local distances and suggestions together")
    report.text((__doc__ or "").split("\n\n")[1])
    report.table(
        f"Mean recognition over {len(photos.names)} classes in %, {asked.train} training photos of each, "
        f"{asked.splits} split{'s'[: asked.splits > 1]}",
        ["families of patches", "way", "recognition", "ms a new photo"],
        [
            [families, way, mean_and_spread([one for one, _ in values], 1), f"{np.mean([ms for _, ms in values]):.1f}"]
            for (families, way), values in table.items()
        ],
    )
    report.save()


if __name__ == "__main__":
    main()
