# SPDX-License-Identifier: MIT
"""Recognition on Caltech-101 with local distances learned from a choice of photos instead of all.

Uses the splits, patches and methods of `frome2006_beside`. Each focal image is compared with a limited choice of
training photos (`browser.operations.ranking.local.training_sets.choice`): those of its class, and of the others the
nearest in the space of a library and random ones. `local-distances-large.md` shows the savings.

Patches and probabilities are cached; takes half an hour of one core per split.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import joblib
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.browser.operations.ranking.local.training_sets import MOST_PHOTOS, choice
from focal_photos.browser.operations.recognition.partner import COMPARED_CLASSES
from focal_photos.features.local.elementary_distances import MISSING, elementary_distances
from focal_photos.features.table import STANDARD, STANDARD_CODES
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.local.agreement import agreed, likeliest, mean_votes
from focal_photos.learners.local.local_distance import LocalDistance
from tests.benchmarks.common.described_photos import described
from tests.benchmarks.common.photo_sets import Floats, Ints
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.papers.frome2006_beside import each_split, options, suggestions, votes_of
from tests.benchmarks.papers.frome2006_caltech101 import COMBINATIONS, LOCATION, Patches, subset
from tests.benchmarks.quality.caltech101_families import recognition


def among(focal: int, classes: Ints, Z: Floats, count: int, most: int) -> Ints:
    """Return the training photos with which a focal image is compared, without itself."""
    similar = classes[:count] == classes[focal]
    order = np.argsort(((Z[:count] - Z[focal]) ** 2).sum(axis=1), kind="stable")
    found = choice(np.array([focal]), similar, ~similar, order[~similar[order]], most, seed=focal)
    others: Ints = found[found != focal]
    return others


def learn(
    focal: int, patches: dict[str, Patches], classes: Ints, Z: Floats, count: int, families: str, mosts: list[int]
) -> list[NDArray[np.float32]]:
    """Return the probabilities of one focal image for the test photos, (t,), learned from each choice."""
    names, C, _ = COMBINATIONS[families]
    missing = float(np.hypot(MISSING, LOCATION * np.sqrt(2)))
    chosen = [among(focal, classes, Z, count, most) for most in mosts]
    compared = np.unique(np.concatenate([*chosen, np.arange(count, len(classes))]))
    with one_thread():
        D = np.hstack(
            [
                elementary_distances(patches[name].of(focal), *patches[name].gathered(compared), missing=missing)
                for name in names
            ]
        )
        found = []
        for rows in chosen:
            relevance = np.where(classes[rows] == classes[focal], 1, -1)
            tests = D[len(D) + count - len(classes) :]
            try:
                learner = LocalDistance(C).fit(D[np.searchsorted(compared, rows)], relevance)
                said = learner.probabilities(tests)
            except LearnerError:  # a photo without edges
                said = np.full(len(tests), (relevance > 0).mean())
            found.append(said.astype(np.float32))
    return found


def votes(
    folder: Path,
    label: str,
    patches: dict[str, Patches],
    classes: Ints,
    Z: Floats,
    count: int,
    asked: argparse.Namespace,
) -> dict[str, NDArray[np.float64]]:
    """Return the probabilities of all focal images, (F, t), by number of compared photos; cached ones are read."""
    file = folder / f"votes-{label}-{asked.families}-{LOCATION:g}.npz"
    result = {"all": votes_of(file, patches, classes, count, asked.families, asked.workers).probabilities}
    files = {most: file.with_name(f"{file.stem}-of-{most}.npy") for most in asked.choices}
    lacking = [most for most, file in files.items() if not file.exists()]
    if lacking:
        found = joblib.Parallel(n_jobs=asked.workers)(
            joblib.delayed(learn)(focal, patches, classes, Z, count, asked.families, lacking) for focal in range(count)
        )
        for most, said in zip(lacking, zip(*found, strict=True), strict=True):
            np.save(files[most], np.stack(said))
    return {**result, **{str(most): np.load(file).astype(np.float64) for most, file in files.items()}}


def ways(said: NDArray[np.float64], sure: NDArray[np.float64], classes: Ints, count: int) -> list[float]:
    """Return the recognition in %: of local distances among all classes, in a shortlist, and with suggestions."""
    truth = classes[count:]
    carried = sp.csr_array(np.eye(int(classes.max()) + 1)[classes[:count]])
    found = []
    for most in (None, COMPARED_CLASSES):
        asked = np.ones(sure.shape, np.bool_) if most is None else likeliest(sure, most)
        heard = np.asarray((carried @ asked.T).T > 0)
        means = np.stack([mean_votes(carried, *one) for one in zip(said.T, heard, strict=True)])
        found.append(recognition(np.nan_to_num(means, nan=-1.0), truth))
    found.append(recognition(agreed(np.where(asked, sure, 0.0), means), truth))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, parents=[options(2)]
    )
    parser.add_argument("--families", choices=COMBINATIONS, default="all")
    parser.add_argument(
        "--choices", nargs="+", type=int, default=[MOST_PHOTOS], help="numbers of photos to compare with"
    )
    asked = parser.parse_args()
    whole = described("caltech101", STANDARD, STANDARD_CODES)
    if whole is None:
        return
    photos = subset(whole.photos, asked.classes)
    table: dict[str, list[list[float]]] = {}
    for seed, (label, rows, classes, count, patches) in enumerate(each_split(whole, photos, asked)):
        Z = whole.space(rows[:count], STANDARD)[1][rows]
        sure = suggestions(whole, rows, count, classes).probabilities
        for most, said in votes(asked.kept, label, patches, classes, Z, count, asked).items():
            table.setdefault(most, []).append(ways(said, sure, classes, count))
            print(f"{seed}: {most}: {table[most][-1]}", flush=True)
    report = Report("frome2006-choice", "Frome 2006: local distances learned from a choice of photos")
    report.text((__doc__ or "").split("\n\n")[1])
    report.table(
        f"Mean recognition over {len(photos.names)} classes in %, {asked.train} training photos of each, "
        f"{asked.splits} split{'s'[: asked.splits > 1]}, {asked.families} families of patches",
        ["compared with", "among all classes", f"shortlist of {COMPARED_CLASSES}", "with suggestions"],
        [
            [f"{most} photos", *(mean_and_spread(list(cell), 1) for cell in zip(*values, strict=True))]
            for most, values in table.items()
        ],
    )
    report.save()


if __name__ == "__main__":
    main()
