# SPDX-License-Identifier: MIT
"""What do picked photos teach, compared with random ones?

Goals, set before the measurement: tagging `typical` or `unsure` photos is right for more of the other photos than
tagging as many random ones, at 20, 50 and 100 photos; `diverse` photos meet at least as many kinds (whether they teach
more is reported too); from a tagged
library, a `balanced` subset is right for more photos per kind (the mean over kinds) than a random one. `odd` is not
meant for learning.

Libraries of about 500 photos of 20 kinds, 10 to 40 of each, are drawn five times: Corel-5k by its CDs, Caltech-101 by
its folders. The photos of a subset get their true tag; then the best suggestion is compared with the true tag of all
other photos. `unsure` needs tags: its first tenth (at least 10 photos) is random. "Met": the difference is positive and
larger than twice its standard error over the draws.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.subsets.pick import Goal, pick
from tests.benchmarks.common.photo_sets import data_folder
from tests.benchmarks.common.report import Report, mean_and_spread

KINDS: Final = 20
SIZES: Final = (10, 40)
COUNTS: Final = (20, 50, 100)
RANDOM: Final = "random"
_IMAGES: Final = frozenset({".jpg", ".jpeg", ".png"})
WAYS: Final = (RANDOM, *(str(goal) for goal in Goal if goal is not Goal.NEAR))


class Outcome(NamedTuple):
    """Shares of the other photos with the right suggestion, of all and per kind, and the number of kinds met."""

    right: float
    per_kind: float
    met: int


def copy_uneven(folder: Path, target: Path, seed: int) -> dict[str, str]:
    """Copy different numbers of photos of some subfolders under meaningless names; return the kind of each file."""
    rng = np.random.default_rng(seed)
    folders = sorted(one for one in folder.iterdir() if one.is_dir() and one.name != "BACKGROUND_Google")
    files = {one.name: sorted(file for file in one.iterdir() if file.suffix.lower() in _IMAGES) for one in folders}
    chosen = rng.choice([name for name, found in files.items() if len(found) >= SIZES[1]], KINDS, replace=False)
    taken = [
        (file, str(name))
        for name in chosen
        for file in rng.permutation(np.array(files[name], dtype=object))[: rng.integers(SIZES[0], SIZES[1] + 1)]
    ]
    target.mkdir(parents=True)
    truth = {}
    for number, at in enumerate(rng.permutation(len(taken))):
        file, name = taken[at]
        copied = target / f"{number:05}{file.suffix}"
        shutil.copyfile(file, copied)
        truth[copied.name] = name
    return truth


def choose(
    library: Library, ranker: Ranker, way: str, count: int, truth: dict[int, str], rng: np.random.Generator, seed: int
) -> list[int]:
    """Return the photos of a subset; all tags are removed again."""
    ids = library.photos.ids("")
    if way == RANDOM:
        found: list[int] = rng.choice(ids, count, replace=False).tolist()
        return found
    first: list[int] = []
    if way == Goal.UNSURE:
        first = rng.choice(ids, max(10, count // 10), replace=False).tolist()
    tagged = ids.tolist() if way == Goal.BALANCED else first
    tag(library, tagged, truth)
    picked = finish(pick(library, ranker, Goal(way), count - len(first), among=ids, seed=seed))
    untag(library)
    return [*first, *map(int, picked.ids)]


def tag(library: Library, ids: Sequence[int], truth: dict[int, str]) -> None:
    for kind in sorted({truth[i] for i in ids}):
        library.tags.change([i for i in ids if truth[i] == kind], [kind])


def untag(library: Library) -> None:
    library.tags.change(library.photos.ids("tagged").tolist(), remove=[one.name for one in library.tags.all()])


def learned_from(library: Library, ranker: Ranker, ids: Sequence[int], truth: dict[int, str]) -> Outcome:
    """Tag photos, and compare the best suggestion of the others with their kind."""
    tag(library, ids, truth)
    gallery = ranker.gallery()
    learned = finish(learn_tags(library, looks_for_tags(ranker, gallery), read_annotated(library, gallery, set())))
    others = library.photos.ids("untagged")
    best = learned.scores(others).tags.argmax(axis=1)
    kinds = np.array([truth[i] for i in others.tolist()])
    right = np.array([learned.names[j] for j in best]) == kinds
    per_kind = float(np.mean([right[kinds == kind].mean() for kind in np.unique(kinds)]))
    untag(library)
    return Outcome(float(right.mean()), per_kind, len({truth[i] for i in ids}))


def measure(folder: Path, seed: int) -> dict[tuple[str, int], Outcome]:
    """Return the outcomes of a draw by way and count."""
    found: dict[tuple[str, int], Outcome] = {}
    with tempfile.TemporaryDirectory() as place:
        kinds = copy_uneven(folder, Path(place) / "photos", seed)
        with Library.open(Path(place) / "library") as library:
            finish(index(library, [Path(place) / "photos"]))
            ids = library.photos.ids("").tolist()
            truth = {photo.id: kinds[photo.path.name] for photo in library.photos.get(ids)}
            ranker = Ranker(library)
            for way in WAYS:
                rng = np.random.default_rng(seed)
                for count in COUNTS:
                    chosen = choose(library, ranker, way, count, truth, rng, seed)
                    found[way, count] = learned_from(library, ranker, chosen, truth)
                    print(folder.name, seed, way, count, found[way, count], flush=True)
    return found


def goals(report: Report, name: str, runs: Sequence[dict[tuple[str, int], Outcome]]) -> None:
    """Write the goals and their results."""
    rows = []
    wanted = [(way, "right") for way in (Goal.TYPICAL, Goal.UNSURE, Goal.DIVERSE)] + [(Goal.BALANCED, "per_kind")]
    for way, field in [*wanted, (Goal.DIVERSE, "met")]:
        for count in COUNTS:
            gains = np.array([getattr(run[way, count], field) - getattr(run[RANDOM, count], field) for run in runs])
            error = gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else 0.0
            met = gains.mean() >= 0 if field == "met" else gains.mean() > 2 * error
            digits = 1 if field == "met" else 3
            rows.append(
                [
                    str(way),
                    field.replace("_", " "),
                    str(count),
                    mean_and_spread(gains, digits),
                    "met" if met else "not met",
                ]
            )
    report.table(f"{name}: difference to random photos", ["goal", "measure", "photos", "difference", ""], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--save", action="store_true", help="write the tables to the results")
    given = parser.parse_args()
    report = Report("pick", "What do picked photos teach, compared with random ones?")
    for paragraph in (__doc__ or "").split("\n\n")[1:]:
        report.text(paragraph.strip())
    for name in ("corel5k", "caltech101"):
        runs = [measure(data_folder() / name, seed) for seed in range(given.seeds)]
        goals(report, name, runs)
        rows = [
            [
                way,
                str(count),
                *(
                    mean_and_spread([getattr(run[way, count], field) for run in runs])
                    for field in ("right", "per_kind")
                ),
                mean_and_spread([run[way, count].met for run in runs], 1),
            ]
            for way in WAYS
            for count in COUNTS
        ]
        columns = ["picked", "photos", "right", "right per kind", "kinds met"]
        report.table(f"{name}, {given.seeds} draws of {KINDS} kinds", columns, rows)
        if given.save:
            report.save()


if __name__ == "__main__":
    main()
