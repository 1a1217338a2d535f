# SPDX-License-Identifier: MIT
"""New kinds in small folders: how many photos of a group without a name are of one kind, and how many does Review say?

A library has a folder of 4 to 24 kinds of one world, 5, 8, 12, 20 or 5 to 20 photos each: 40 to 450 photos. In a
quarter of the libraries, a folder of another world is completely tagged, and the questions are limited to the folder
without tags. In another quarter, some of the folder's own photos are tagged. All have one vocabulary and one space.

*Right*: of the kind of most of the group's eight surest photos. ECE: by tenths, over all photos that the questions
show: at least 36 if the group has as many. *Above the line*: photos per group with a confidence of at least .5.
*Before*: with the log odds 2.4 + .17 logit(belonging) + 1.1 log(shared), fitted to larger libraries.

The log odds were fitted to classes with even numbers of Corel-5k and Caltech-101; here, the others and all scenes are
drawn.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
from collections import defaultdict
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.tagging.neighborhoods import Neighborhoods
from focal_photos.browser.operations.tagging.review.new_kinds import (
    NewKind,
    confidence_of_kind,
    find_new_kinds,
    relative_distances,
)
from focal_photos.features.table import STANDARD, STANDARD_CODES
from focal_photos.learners.core.logistic import sigmoid
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import build
from tests.benchmarks.common.described_photos import Described
from tests.benchmarks.common.photo_sets import Ints
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.common.worlds import worlds
from tests.benchmarks.tagging.foreign_photos import confidences, ece, learn_rows

WORLDS: Final = {"corel5k": "Corel-5k", "caltech101": "Caltech-101", "scene15": "scenes"}
LIBRARIES: Final = ("no tags", "no tags", "beside a tagged folder", "partly tagged")
SIZES: Final = {"40 to 79": 80, "80 to 149": 150, "150 to 249": 250, "250 to 450": 451}
COLUMNS: Final = ("model", "said", "right", "said - right", "ECE", "above the line", "right of these, %")
_PARITY: Final = 1  # classes of even number were used for the fit
_FEWEST, _MOST = 40, 450
_FIRST: Final = 8
_SHOWN: Final = 36

Floats = NDArray[np.float64]


class Group(NamedTuple):
    """A question about a new kind: the world, the library and the size of the folder, and its photos as shown."""

    world: str
    library: str
    size: str
    said: dict[str, Floats]
    right: dict[str, NDArray[np.bool_]]


def before(kind: NewKind) -> Floats:
    """Return the former confidences."""
    share = np.clip(kind.belonging, 0.002, 0.998)
    odds = 2.4 + 0.17 * np.log(share / (1 - share)) + 1.1 * np.log(np.maximum(kind.shared, 0.005))
    return np.minimum.accumulate(sigmoid(odds))


def _some(rng: np.random.Generator, photos: Described, rows: Ints, classes: Ints, sizes: Ints) -> list[Ints]:
    return [rng.permutation(rows[photos.classes[rows] == one])[:size] for one, size in zip(classes, sizes, strict=True)]


def folder(rng: np.random.Generator, photos: Described, rows: dict[str, Ints], world: str) -> list[Ints]:
    """Draw the photos of a folder, kind by kind."""
    while True:
        classes = np.unique(photos.classes[rows[world]])
        if world != "scene15":
            classes = classes[classes % 2 == _PARITY]
        classes = rng.permutation(classes)[: rng.integers(4, 25)]
        each = rng.choice([5, 8, 12, 20, 0])
        sizes = np.full(len(classes), each) if each else rng.integers(5, 21, len(classes))
        if _FEWEST <= sizes.sum() <= _MOST:
            return _some(rng, photos, rows[world], classes, sizes)


def groups(photos: Described, rows: dict[str, Ints], world: str, library: str, rng: np.random.Generator) -> list[Group]:
    """Draw a library and return the questions about its new kinds."""
    kinds = folder(rng, photos, rows, world)
    own, tagged = np.sort(np.concatenate(kinds)), np.empty(0, np.intp)
    if library == "beside a tagged folder":
        other = rng.choice([name for name in WORLDS if name != world])
        classes = rng.permutation(np.unique(photos.classes[rows[other]]))[: rng.integers(3, 13)]
        tagged = np.concatenate(_some(rng, photos, rows[other], classes, rng.integers(5, 25, len(classes))))
    elif library == "partly tagged":
        share = rng.uniform(0.1, 0.9)
        some = [one[: max(1, round(len(one) * rng.choice([0.2, 0.5, 0.8, 1])))] for one in kinds]
        tagged = np.concatenate([tagged, *(one for one in some if rng.random() < share)])
    every, left = np.union1d(own, tagged), np.setdiff1d(own, tagged)
    if len(left) < _FIRST:
        return []
    among = replace(
        photos,
        vectors={name: vectors[every] for name, vectors in photos.vectors.items()},
        codes=None if photos.codes is None else photos.codes[every],
    )
    X, none = among.space(np.arange(len(every)), STANDARD)[1], np.ones(len(left))
    if len(tagged):
        tags = (photos.classes[every][:, None] == np.unique(photos.classes[tagged])).astype(np.float64)
        places = np.searchsorted(every, np.sort(tagged)), np.searchsorted(every, left)
        none = confidences(learn_rows(among, *places, tags), now=True).none
    gallery = FloatGallery(np.ascontiguousarray(X[np.searchsorted(every, own)]))
    neighborhoods = Neighborhoods(np.arange(len(own)), build(gallery), True)
    found = []
    for kind in find_new_kinds(neighborhoods, np.searchsorted(own, left), none):
        near = relative_distances(gallery, kind.photo_ids.astype(np.intp), np.arange(len(own)))
        said = {
            "before": before(kind),
            "now": confidence_of_kind(kind.belonging, kind.shared, near, len(own), len(left)),
        }
        found.append(_group(world, library, photos.classes[own[kind.photo_ids]], said))
        found[-1] = found[-1]._replace(size=next(name for name, most in SIZES.items() if len(own) < most))
    return found


def _group(world: str, library: str, classes: Ints, said: dict[str, Floats]) -> Group:
    """Return a group with the photos that are shown, in order of confidence."""
    group = Group(world, library, "", {}, {})
    for model, sure in said.items():
        order = np.argsort(-sure, kind="stable")[: max(_SHOWN, int((sure >= 0.5).sum()))]
        first, counts = np.unique(classes[order[:_FIRST]], return_counts=True)
        group.said[model], group.right[model] = sure[order], classes[order] == first[counts.argmax()]
    return group


def row(draws: list[list[Group]], model: str) -> list[str]:
    """Return the cells of a table: means and standard deviations over draws."""
    cells: dict[str, list[float]] = defaultdict(list)
    for some in draws:
        said, right = (np.concatenate([getattr(one, what)[model] for one in some]) for what in ("said", "right"))
        first = [np.concatenate([getattr(one, what)[model][:_FIRST] for one in some]) for what in ("said", "right")]
        above = said >= 0.5
        cells["first said"].append(float(first[0].mean()))
        cells["first right"].append(float(first[1].mean()))
        cells["more"].append(float(first[0].mean() - first[1].mean()))
        cells["ece"].append(ece(said, right))
        cells["above"].append(above.sum() / len(some))
        cells["right above"].append(100 * float(right[above].mean()))
    digits = {"above": 1, "right above": 0}
    return [mean_and_spread(values, digits.get(name, 2 + (name == "ece"))) for name, values in cells.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3, help="number of draws")
    parser.add_argument("--libraries", type=int, default=48, help="number of libraries per world and draw")
    given = parser.parse_args()
    found = worlds(STANDARD, STANDARD_CODES)
    if found is None:
        return
    draws: list[list[Group]] = []
    for draw in range(given.draws):
        rng, some = np.random.default_rng(draw), []
        for number in range(given.libraries):
            for world in WORLDS:
                some += groups(*found, world, LIBRARIES[number % len(LIBRARIES)], rng)
        draws.append(some)
        print(f"draw {draw}: {len(some)} groups", flush=True)
    report = Report("new-kinds", "New kinds in small folders: are as many photos of one kind as Review says?")
    report.text("\n\n".join((__doc__ or "").split("\n\n")[1:]).strip())
    for title, attribute, names in (
        ("Photos of the folder", "size", {size: size for size in SIZES}),
        ("World", "world", WORLDS),
        ("Library", "library", {library: library for library in LIBRARIES}),
    ):
        lines = []
        for value, name in names.items():
            chosen = [[one for one in draw if getattr(one, attribute) == value] for draw in draws]
            lines += [[name, model, *row(chosen, model)] for model in ("before", "now") if all(chosen)]
        report.table(
            f"{title}: first the surest eight photos, then all that are shown", [title.lower(), *COLUMNS], lines
        )
    report.save()


if __name__ == "__main__":
    main()
