# SPDX-License-Identifier: MIT
"""Likely label errors: false alarms, precision and recall after adding errors.

Tags: all photos are tagged with their class; then 0, 1, 2 and 5 % get the tag of another class instead. *One world*: 15
kinds with 40 photos each. *Two worlds*: 12 kinds with 20 photos each, and 11 kinds of the other set with 1 to 5 photos
each. Everything is computed as in the program: tags by their confidence when the photo's own tags are left out.

Judgements: 60 focal images; of the first 20 photos shown, up to five of the class and five others are judged; then 0,
2, 5 and 10 % of the verdicts are reversed. *With tags*: three photos in ten have their class as a tag. *Five
judgements*: one focal image, without errors.

*Together*: 22 photos have the same tag, 3, 4 or 6 of them wrongly, and are of one other class; seven more classes have
20 photos each. *Elsewhere*: 20 photos of that other class have its tag.

Goals: at most one false alarm per 500 tags without errors, and a precision of at least .7 at 2 % errors.
"""

from __future__ import annotations

import argparse
from typing import Final, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.browser.operations.ranking.space import shows_foreground, unfitted_space
from focal_photos.features.table import DESCRIPTORS, STANDARD, STANDARD_CODES
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import ReciprocalNeighbors, build
from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence, typical_temperature
from focal_photos.learners.tags.label_errors import MIN_PROBABILITY, judgement_errors, label_errors, left_out_relevance
from focal_photos.learners.tags.tag_ridge import TagRidge
from tests.benchmarks.common.described_photos import Described, described
from tests.benchmarks.common.photo_sets import Floats
from tests.benchmarks.common.report import Report, mean_and_spread

CLASSES: Final = 15
PHOTOS: Final = 40
TAG_ERRORS: Final = (0.0, 0.01, 0.02, 0.05)
JUDGEMENT_ERRORS: Final = (0.0, 0.02, 0.05, 0.1)
LARGE: Final = (20,) * 12
SMALL: Final = (5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1)
"""Number of photos of each small kind in a library of two worlds."""

OF_ONE_TAG, EACH_TAG = 22, 20
TOGETHER: Final = (3, 4, 6)
"""Photos of one other class among `OF_ONE_TAG` photos; seven more classes have `EACH_TAG` photos each."""

FOCAL: Final = 60
SHOWN: Final = 20
EACH: Final = 5
TAGGED: Final = 0.3


class Library(NamedTuple):
    """Raw vectors, codes and classes of photos, in the same order."""

    vectors: NDArray[np.float32]
    codes: NDArray[np.uint8] | None
    classes: NDArray[np.intp]


class Alarms(NamedTuple):
    """Counts of labels, errors and reports."""

    labels: int
    wrong: int
    reported: int
    right: int


def drawn(photos: Described, sizes: tuple[int, ...], rng: np.random.Generator) -> Library:
    """Draw classes with at least 40 photos, and the given number of photos of each."""
    chosen = rng.choice(np.flatnonzero(np.bincount(photos.classes) >= PHOTOS), len(sizes), replace=False)
    rows = [
        rng.permutation(np.flatnonzero(photos.classes == one))[:size] for one, size in zip(chosen, sizes, strict=True)
    ]
    every = np.concatenate(rows)
    codes = None if photos.codes is None else photos.codes[every]
    return Library(photos.stacked(list(STANDARD))[every], codes, np.repeat(np.arange(len(sizes)), sizes))


def joined(one: Library, other: Library) -> Library:
    codes = None
    if one.codes is not None and other.codes is not None:
        codes = np.concatenate([one.codes, other.codes])
    classes = np.concatenate([one.classes, other.classes + one.classes.max() + 1])
    return Library(np.concatenate([one.vectors, other.vectors]), codes, classes)


def space(vectors: Floats, *, wide: bool = False) -> FeatureSpace:
    """Return the unfitted space of a library with these vectors."""
    descriptors = [DESCRIPTORS[name] for name in STANDARD]
    foreground = shows_foreground(descriptors, vectors)
    return unfitted_space(descriptors, list(STANDARD), wide=wide, foreground=foreground)


def tags(library: Library, share: float, rng: np.random.Generator) -> Alarms:
    """Replace a share of the tags by wrong ones, and search for them."""
    n, m = len(library.classes), int(library.classes.max()) + 1
    wrong = np.zeros(n, dtype=bool)
    wrong[rng.permutation(n)[: round(share * n)]] = True
    given = np.where(wrong, (library.classes + rng.integers(1, m, n)) % m, library.classes)
    return found_among(library, given, wrong)


def together(photos: Described, count: int, rng: np.random.Generator, *, elsewhere: bool) -> Alarms:
    """Give one tag to 22 photos, `count` of them of another class, and search for these; `elsewhere`: see above."""
    library = drawn(photos, (OF_ONE_TAG - count, count + (EACH_TAG if elsewhere else 0), *[EACH_TAG] * 7), rng)
    wrong = np.zeros(len(library.classes), dtype=bool)
    wrong[np.flatnonzero(library.classes == 1)[:count]] = True
    given = np.where(wrong, 0, library.classes)
    return found_among(library, np.unique(given, return_inverse=True)[1], wrong)


def found_among(library: Library, given: NDArray[np.intp], wrong: NDArray[np.bool_]) -> Alarms:
    """Search for wrong tags."""
    n, m = len(given), int(given.max()) + 1
    narrow, wide = (space(library.vectors, wide=each).fit(library.vectors) for each in (False, True))
    X = np.ascontiguousarray(narrow.transform(library.vectors))
    shared = sp.csr_array(build(FloatGallery(X)).shared(np.arange(n)))
    carried = sp.csr_array((np.ones(n), (np.arange(n), given)), shape=(n, m))
    ridge = TagRidge(exact=5000, families=wide.families_).fit(
        wide.transform(library.vectors), carried, shared=shared, codes=library.codes
    )
    learned = TagConfidence(typical_temperature(ridge)).fit(ridge.left_out_, carried, kinds=ridge.kind_left_out_)
    sure = learned.confidences(ridge.left_out_)
    found = label_errors(sure.tags, np.zeros(n), carried.toarray(), exclusive=learned.exclusive_)
    return Alarms(n, int(wrong.sum()), len(found.photo), int(wrong[found.photo].sum()))


def judgements(photos: Described, share: float, tagged: float, focals: int, rng: np.random.Generator) -> Alarms:
    """Reverse a share of the verdicts, and search for them."""
    library = drawn(photos, (PHOTOS,) * CLASSES, rng)
    classes = library.classes
    unfitted = space(library.vectors)
    gallery = FloatGallery(np.ascontiguousarray(unfitted.fit_transform(library.vectors)))
    neighbors: ReciprocalNeighbors = build(gallery)
    judged: list[tuple[NDArray[np.intp], NDArray[np.bool_]]] = []
    each = EACH if focals > 1 else (EACH + 1) // 2
    for focal in rng.permutation(len(classes))[:focals]:
        shown = neighbors.rank(gallery, gallery.rows[focal], own=int(focal), k=SHOWN + 1)[0][1:]
        alike = classes[shown] == classes[focal]
        others = np.concatenate([shown[alike][:each], shown[~alike][: EACH if focals > 1 else EACH - each]])
        judged.append((np.concatenate([[focal], others]), classes[others] == classes[focal]))
    count = sum(len(right) for _, right in judged)
    wrong = np.zeros(count, dtype=bool)
    wrong[rng.permutation(count)[: round(share * count)]] = True
    truth = np.concatenate([right for _, right in judged])
    verdicts = truth ^ wrong
    relevance, shared, start = [], [], 0
    has_tag = rng.random(len(classes)) < tagged
    for known, right in judged:
        own = verdicts[start : start + len(right)]
        start += len(right)
        relevance.append(left_out_relevance(neighbors.similarities(gallery, known, known), np.append(True, own)))
        both = has_tag[known[0]] & has_tag[known[1:]]
        shared.append(np.where(both, np.where(right, 1.0, -1.0), 0.0))
    found = judgement_errors(np.concatenate(relevance), np.concatenate(shared), verdicts) > MIN_PROBABILITY
    return Alarms(count, int(wrong.sum()), int(found.sum()), int((found & wrong).sum()))


def line(title: str, share: float, draws: list[Alarms]) -> list[str]:
    labels, wrong, reported, right = (sum(column) for column in zip(*draws, strict=True))
    false_alarms = f"{500 * (reported - right) / labels:.2f}"
    recalls = [one.right / one.wrong for one in draws if one.wrong]
    precision = f"{right / reported:.2f}" if reported else "nothing reported"
    row = [title, f"{100 * share:.0f} %", str(labels), str(wrong), str(reported), false_alarms]
    row += [precision if wrong else "", mean_and_spread(recalls) if recalls else ""]
    print(row, flush=True)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=6)
    seeds = parser.parse_args().seeds
    report = Report("contradictions", "Likely label errors: alarms, precision and recall")
    report.text("\n\n".join((__doc__ or "").split("\n\n")[1:]))
    sets = {name: described(name, STANDARD, STANDARD_CODES) for name in ("corel5k", "caltech101")}
    here = {name: photos for name, photos in sets.items() if photos is not None}
    columns = ["library", "errors", "labels", "wrong", "reported", "false alarms per 500", "precision", "recall"]
    rows = []
    for name, photos in here.items():
        beside = [other for title, other in here.items() if title != name]
        for share in TAG_ERRORS:
            one, two = [], []
            for seed in range(seeds):
                rng = np.random.default_rng(seed)
                one.append(tags(drawn(photos, (PHOTOS,) * CLASSES, rng), share, rng))
                two += [
                    tags(joined(drawn(photos, LARGE, rng), drawn(other, SMALL, rng)), share, rng) for other in beside
                ]
            rows.append(line(f"{name}, one world", share, one))
            if two:
                rows.append(line(f"{name}, two worlds", share, two))
    for name, photos in here.items():
        for elsewhere in (True, False):
            for count in TOGETHER:
                draws = [
                    together(photos, count, np.random.default_rng(500 + seed), elsewhere=elsewhere)
                    for seed in range(seeds)
                ]
                title = f"{name}, together, {'elsewhere' if elsewhere else 'not elsewhere'}"
                rows.append(line(title, draws[0].wrong / draws[0].labels, draws))
    report.table("Tags", columns, rows)
    rows = []
    for name, photos in here.items():
        for title, tagged, focals, shares in (
            ("no tags", 0.0, FOCAL, JUDGEMENT_ERRORS),
            ("with tags", TAGGED, FOCAL, JUDGEMENT_ERRORS),
            ("five judgements", 0.0, 1, (0.0,)),
        ):
            for share in shares:
                draws = [
                    judgements(photos, share, tagged, focals, np.random.default_rng(2000 + seed))
                    for seed in range(seeds)
                ]
                rows.append(line(f"{name}, {title}", share, draws))
    report.table("Judgements", columns, rows)
    report.save()


if __name__ == "__main__":
    main()
