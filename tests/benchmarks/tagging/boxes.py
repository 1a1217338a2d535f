# SPDX-License-Identifier: MIT
"""Suggested boxes: how many are right, how sure they are, their frames, and the actions that they save in Review.

Photos of Caltech-101 are pasted into photos of Corel-5k at 5 to 40 % of the area, at random places: with sharp borders,
which real photos lack, and with soft elliptical borders. The pasted photo's rectangle is the true box. A frame fits if
it overlaps with the true box by half of their union.

The second part simulates a user who draws boxes on 200 photos. Two boxes of each kind are drawn by hand; then Review
shows pages of photos that may have a box of one tag, with a frame each and a line. Enter accepts the frames above the
line. The user moves the line (one action), clicks to accept or to refuse a frame (one action each), and drags a box
where no frame fits (one action). A drag over a frame replaces it. No photo is shown twice for a tag. The user leaves a
tag after two pages without such a thing (one action). Things that are left at the end are drawn by hand.

On pages of all tags (``--pages all``), each photo is shown once, with its likeliest frame and the name of it. The user
drags boxes around all other things of any kind, and a digit corrects a wrong name (one action). With ``--first page``,
only one box of each of three kinds is drawn by hand first; the others follow on these pages, where the first name of
each kind is typed.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from itertools import product
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from focal_photos.browser.catalog.facts.records import Region, TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.review.questions.question_matching import regions_of, tags_of
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import Job, finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.queries.by_region import prepare_regions
from focal_photos.browser.operations.tagging.boxes.box_questions import box_questions
from focal_photos.browser.operations.tagging.boxes.name_boxes import likely_name
from focal_photos.browser.operations.tagging.boxes.suggest_boxes import (
    EXACTLY_DESCRIBED,
    SuggestedBox,
    refine_boxes,
    suggest_boxes,
    suggest_exactly,
)
from focal_photos.browser.operations.tagging.review.review import EVERY_TAG, Question
from focal_photos.features.decoding.decode import decode
from focal_photos.features.fitted.fisher_windows import FisherWindows
from focal_photos.features.table import CODE_DESCRIPTORS
from focal_photos.learners.tags.confidence.answered import Answered
from focal_photos.learners.tags.likely_frames import FITS, overlaps_of
from tests.benchmarks.common.photo_sets import PhotoSet, photo_set
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.tagging.strokes import fewest_actions

BORDERS: Final = ("sharp", "soft")
SETTINGS: Final = ((3, 2), (3, 5), (3, 20), (12, 2), (12, 5), (12, 10))
"""Numbers of kinds, and of boxes of each kind."""

CLASSES, EACH, PLAIN = 12, 24, 150
"""Classes of a draw, photos with an object of each (a third also show a second object), and photos without one."""

IN_REVIEW, KINDS_IN_REVIEW = 200, (3, 12)
"""Photos and numbers of kinds of the simulated Review: a tenth of the photos show nothing, a third two objects."""

PAGE: Final = 10
"""Photos on a page."""

EMPTY_PAGES: Final = 2
"""Pages in a row without a box of a tag after which the user leaves the tag, by a click."""

TILE: Final = (252, 168)
"""Width and height in pixels of a photo on a page, in a window of 1366 x 768 pixels."""

_IMPRECISION: Final = 3.0
"""Standard deviation in pixels of the sides of a dragged box."""

BY_HAND: Final = 4
"""Actions for a box by hand in the preview: open the photo, drag, name, go on."""

FIRST: Final = 2
"""Boxes of each kind that the user draws first."""

PAGES: Final = ("one", "all")
"""Pages of one tag at a time, or of all tags."""

FIRST_BOXES: Final = ("preview", "page")
"""Where the first boxes of kinds are drawn."""

_FEWEST_KINDS: Final = 3
"""Kinds with a box from which there are pages of all tags."""

SMALLEST, LARGEST, SECOND = 0.05, 0.4, 0.2
"""Shares of the area: of objects, and at most of a second one."""

Things = list[tuple[Region, str]]
Settings = Sequence[tuple[int, int]]


@dataclass
class World:
    """Photos of a library with their true boxes."""

    library: Library
    truth: dict[int, Things]
    """By photo."""
    names: list[str]
    """Kinds of things."""


def overlap(one: Region, other: Region) -> float:
    """Return the intersection over the union."""
    return float(overlaps_of(_row(one), _row(other))[0, 0])


def _row(region: Region) -> NDArray[np.float64]:
    return np.array([[region.x0, region.y0, region.x1, region.y1]])


def paste(
    scene: NDArray[np.uint8],
    thing: NDArray[np.uint8],
    area: float,
    taken: Sequence[Region],
    border: str,
    rng: np.random.Generator,
) -> Region | None:
    """Paste a thing into a scene beside others, and return its box; None if no place was found."""
    height, width = scene.shape[:2]
    aspect = thing.shape[1] / thing.shape[0]
    across = np.sqrt(area * width * height * aspect)
    shrink = min(1.0, width / across, height * aspect / across)
    w, h = max(8, int(across * shrink)), max(8, int(across * shrink / aspect))
    for _ in range(20):
        x, y = int(rng.integers(0, width - w + 1)), int(rng.integers(0, height - h + 1))
        region = Region(x / width, y / height, (x + w) / width, (y + h) / height)
        if all(overlap(region, other) < 0.05 for other in taken):
            break
    else:
        return None
    share = np.ones((h, w, 1), np.float32)
    if border == "soft":
        down, right = np.mgrid[:h, :w]
        far = np.hypot((right + 0.5) / w * 2 - 1, (down + 0.5) / h * 2 - 1)
        share = np.clip((1 - far) / 0.15, 0, 1).astype(np.float32)[:, :, None]
    small = cv2.resize(thing, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    part = scene[y : y + h, x : x + w]
    part[:] = np.rint(share * small + (1 - share) * part).astype(np.uint8)
    return region


def draw(
    folder: Path, objects: PhotoSet, scenes: PhotoSet, classes: int, each: int, plain: int, border: str, seed: int
) -> tuple[dict[str, Things], list[str]]:
    """Write composed photos; return the true boxes by file name, and the names of the kinds."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(seed)
    places = rng.permutation(len(scenes.files)).tolist()
    large = [one for one in range(len(objects.names)) if np.count_nonzero(objects.classes == one) >= 1.4 * each]
    chosen = rng.permutation(large)[:classes].tolist()
    rows = {one: rng.permutation(np.flatnonzero(objects.classes == one)).tolist() for one in chosen}
    names = {one: objects.names[one].lower().replace("_", " ") for one in chosen}
    truth: dict[str, Things] = {}
    for one in [*np.repeat(chosen, each).tolist(), *[None] * plain]:
        scene = decode(scenes.files[places.pop()]).rgb.copy()
        things: Things = []
        if one is not None:
            wanted = [(one, float(np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST)))))]
            second = int(rng.choice([other for other in chosen if other != one]))
            if rng.random() < 1 / 3 and rows[second]:
                wanted.append((second, float(np.exp(rng.uniform(np.log(SMALLEST), np.log(SECOND))))))
            for kind, area in wanted:
                thing = decode(objects.files[rows[kind].pop()]).rgb if rows[kind] else None
                taken = [region for region, _ in things]
                region = None if thing is None else paste(scene, thing, area, taken, border, rng)
                if region is not None:
                    things.append((region, names[kind]))
        name = f"{len(truth):04}.png"
        Image.fromarray(scene).save(folder / name)
        truth[name] = things
    return truth, sorted(names.values())


@contextmanager
def world(
    objects: PhotoSet,
    scenes: PhotoSet,
    classes: int,
    each: int,
    plain: int,
    border: str,
    seed: int,
    more: Sequence[str] = (),
) -> Iterator[World]:
    """Yield an indexed library of composed photos, with the descriptors of suggested boxes and those in `more`."""
    windows = CODE_DESCRIPTORS[FisherWindows.name]
    assert isinstance(windows, FisherWindows)
    with tempfile.TemporaryDirectory() as place:
        truth, names = draw(Path(place) / "photos", objects, scenes, classes, each, plain, border, seed)
        with Library.open(Path(place) / "library") as library:
            set_enabled(library, list(dict.fromkeys([windows.shape.name, windows.color.name, *more])))
            prepare_regions(library)
            finish(index(library, [Path(place) / "photos"]))
            photos = library.photos.get(library.photos.ids("").tolist())
            yield World(library, {photo.id: truth[photo.path.name] for photo in photos}, names)


# ---------------------------------------------------------------------- quality
def drawn_boxes(found: World, kinds: Sequence[str], boxes: int, rng: np.random.Generator) -> set[int]:
    """Draw boxes on random photos, `boxes` of each kind and all others of the kinds there; return the photos."""
    photos: set[int] = set()
    for kind in kinds:
        having = [photo for photo, things in found.truth.items() if any(name == kind for _, name in things)]
        photos.update(rng.permutation(having)[:boxes].tolist())
    found.library.boxes.add(
        (p, region, name) for p in sorted(photos) for region, name in found.truth[p] if name in kinds
    )
    return photos


@dataclass
class Quality:
    """Suggestions of one setting."""

    confidence: list[float] = field(default_factory=list)
    tag: list[bool] = field(default_factory=list)
    inside: list[bool] = field(default_factory=list)
    overlap: list[float] = field(default_factory=list)
    """`confidence`, `tag`, `inside` and `overlap`: of each suggestion of .25 or more: its confidence, whether the photo
    shows the kind, whether the middle of the frame is in its box, and the overlap."""
    errors: float = 0.0
    """Expected calibration error over all photos and kinds."""
    things: int = 0
    """Number of true boxes to be found."""
    plain: list[bool] = field(default_factory=list)
    """Of each photo without the kinds: whether a suggestion of .5 or more was shown."""
    seconds: float = 0.0


Suggesting = Callable[[Library], Job[list[SuggestedBox]]]
WAYS: Final[dict[str, Suggesting]] = {"windows": suggest_boxes, "exact": suggest_exactly}


def measure(found: World, kinds: Sequence[str], boxes: int, seed: int, suggest: Suggesting) -> Quality:
    """Suggest boxes from random boxes, and compare them with the true ones."""
    library, quality = found.library, Quality()
    photos = drawn_boxes(found, kinds, boxes, np.random.default_rng(seed))
    begun = time.perf_counter()
    suggested = finish(suggest(library))
    quality.seconds = time.perf_counter() - begun
    drawn = [(box.photo_id, box.tag, box.region) for box in library.boxes.all()]
    for one in suggested:
        if one.confidence >= 0.25:
            true = [region for region, name in found.truth[one.photo_id] if name == one.tag]
            true = [region for region in true if (one.photo_id, one.tag, region) not in drawn]
            middle = (one.region.x0 + one.region.x1) / 2, (one.region.y0 + one.region.y1) / 2
            quality.confidence.append(one.confidence)
            quality.tag.append(bool(true))
            quality.inside.append(any(r.x0 < middle[0] < r.x1 and r.y0 < middle[1] < r.y1 for r in true))
            quality.overlap.append(max((overlap(one.region, region) for region in true), default=0.0))
    rest = [photo for photo in found.truth if photo not in photos]
    fits = {
        (one.photo_id, one.tag): (one.confidence, any(fit_of(one, found.truth[one.photo_id])))
        for one in reversed(suggested)
    }
    pairs = [fits.get((photo, kind), (0.0, False)) for photo in rest for kind in kinds]
    quality.errors = calibration_error(np.array([sure for sure, _ in pairs]), np.array([right for _, right in pairs]))
    quality.things = len([1 for photo in rest for _, name in found.truth[photo] if name in kinds])
    sure = {one.photo_id for one in suggested if one.confidence >= 0.5}
    quality.plain = [photo in sure for photo in rest if not any(name in kinds for _, name in found.truth[photo])]
    library.boxes.remove(box.id for box in library.boxes.all())
    return quality


def fit_of(one: SuggestedBox, things: Things) -> list[bool]:
    """Return whether a suggestion fits each box of its kind."""
    return [overlap(one.region, region) >= FITS for region, name in things if name == one.tag]


def calibration_error(sure: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error in ten bins."""
    bins = np.minimum((10 * sure).astype(int), 9)
    parts = [np.flatnonzero(bins == number) for number in np.unique(bins)]
    return float(sum(abs(sure[part].mean() - right[part].mean()) * len(part) for part in parts) / len(sure))


# ---------------------------------------------------------------------- Review
@dataclass
class Actions:
    """Actions of the simulated user."""

    first: int = 0
    """Actions for the first boxes, by hand."""
    names: int = 0
    """Letters of names, typed once, and Enter."""
    renamed: int = 0
    """Digits that correct the guessed name of a box, and keys that begin a new name."""
    pages: int = 0
    clicks: int = 0
    drags: int = 0
    """`pages`, `clicks` and `drags`: Enter; moved lines and clicks on photos; drawn boxes."""
    late: int = 0
    """Actions for the boxes that are left at the end, by hand."""
    accepted: int = 0
    """Boxes taken over as suggested."""
    boxes: int = 0
    looks: int = 0
    """Photos shown."""
    wrong: int = 0
    """Saved boxes that overlap with the true one by less than half of their union."""
    seconds: float = 0.0
    """Longest time to compute a question."""

    @property
    def total(self) -> int:
        return self.first + self.names + self.renamed + self.pages + self.clicks + self.drags + self.late


def drawn_by_hand(true: Region, rng: np.random.Generator) -> Region:
    """Return a box as a user drags it on a tile: each side is off by some pixels."""
    error = rng.normal(0, _IMPRECISION, 4) / np.array([*TILE, *TILE])
    x0, y0, x1, y1 = (np.array(astuple(true)) + error).clip(0, 1).tolist()
    return Region(min(x0, x1 - 0.01), min(y0, y1 - 0.01), x1, y1)


def review(found: World, pages: str, first: str) -> Actions:
    """Draw the boxes of a library on pages of suggestions, until no page is worth it, and the rest by hand.

    Parameters
    ----------
    pages : str
        Of `PAGES`.
    first : str
        Of `FIRST_BOXES`.
    """
    library, done = found.library, Actions()
    left = {photo: list(things) for photo, things in found.truth.items()}
    done.boxes = sum(map(len, left.values()))
    done.names = sum(len(name) + 1 for name in found.names)
    rng = np.random.default_rng(0)
    for kind in found.names if first == "preview" else found.names[:_FEWEST_KINDS]:
        having = [photo for photo, things in left.items() if any(name == kind for _, name in things)]
        for photo in rng.permutation(having)[: FIRST if first == "preview" else 1].tolist():
            thing = next(one for one in left[photo] if one[1] == kind)
            left[photo].remove(thing)
            library.boxes.add([(photo, *thing)])
            done.first += BY_HAND
    passed: set[tuple[int, str]] = set()
    answered: list[Answered] = []
    empty: dict[str, int] = {}

    def asked() -> list[Question]:
        every = finish(box_questions(library, passed=passed, answered=answered))
        return [
            one
            for one in every
            if empty.get(str(one.tag), 0) < EMPTY_PAGES and (one.tag == EVERY_TAG) == (pages == "all")
        ]

    while True:
        begun = time.perf_counter()
        questions = asked()
        done.seconds = max(done.seconds, time.perf_counter() - begun)
        if not questions:
            break
        for question in questions:  # the user looks at a page longer than this takes
            finish(refine_boxes(library, suggestions_of(question)))
        (question, *_) = asked()
        before = done.accepted + done.drags
        answered.append(page(library, left, question, passed, done, rng))
        tag = str(question.tag)
        empty[tag] = 0 if done.accepted + done.drags > before else empty.get(tag, 0) + 1
        done.clicks += empty[tag] == EMPTY_PAGES
    done.late = BY_HAND * sum(map(len, left.values()))
    return done


def suggestions_of(question: Question) -> list[SuggestedBox]:
    """Return the suggestions of a question whose frames the window improves."""
    sure, names = question.shown.tolist(), tags_of(question)
    found = zip(regions_of(question).items(), sure, strict=True)
    return [SuggestedBox(photo, region, names[photo], one) for (photo, region), one in found][:EXACTLY_DESCRIBED]


def page(
    library: Library,
    left: dict[int, Things],
    question: Question,
    passed: set[tuple[int, str]],
    done: Actions,
    rng: np.random.Generator,
) -> Answered:
    """Answer a page of whole photos: accept or refuse their frames by clicks and the line, and drag other boxes."""
    tag, photos = str(question.tag), question.photo_ids[:PAGE].tolist()
    frames, names = regions_of(question), tags_of(question)
    right, drawn = [], []
    for photo in photos:
        frame, name = frames[photo], names[photo]
        things = [thing for thing in left[photo] if tag in (EVERY_TAG, thing[1])]
        near = [thing for thing in things if overlap(frame, thing[0]) >= FITS]
        fitting = next((thing for thing in near if thing[1] == name), None)
        right.append(fitting is not None)
        replaced = False
        for thing in things:
            if thing is not fitting and fitting is None and thing in near:  # only its name is wrong
                library.boxes.add([(photo, frame, thing[1])], TagSource.ACCEPTED)
                done.renamed += 1
                done.accepted += 1
                replaced = True
            elif thing is not fitting:
                box = drawn_by_hand(thing[0], rng)
                if tag == EVERY_TAG:
                    known = {one.tag for one in library.boxes.all()}
                    done.renamed += thing[1] not in known or finish(likely_name(library, photo, box)) != thing[1]
                library.boxes.add([(photo, box, thing[1])])
                done.drags += 1
                done.wrong += overlap(box, thing[0]) < FITS
                replaced |= overlap(box, frame) > 0
            left[photo].remove(thing)
        drawn.append(replaced and fitting is None)
    # A box that is drawn over a frame replaces it, so that its photo needs no answer.
    asked = [row for row in range(len(photos)) if not drawn[row]]
    line = sum(row < question.line for row in asked)
    best, strokes = fewest_actions([right[row] for row in asked], line)
    done.clicks += (best != line) + sum(map(len, strokes))
    yes = [(photos[row], frames[photos[row]], names[photos[row]]) for row in asked if right[row]]
    library.boxes.add(yes, TagSource.ACCEPTED)
    library.boxes.reject(
        (photos[row], frames[photos[row]], names[photos[row]]) for row in asked[:best] if not right[row]
    )
    done.accepted += len(yes)
    passed.update((photo, tag) for photo in photos)
    done.pages += 1
    done.looks += len(photos)
    accepted = np.array(right) & ~np.array(drawn)
    return Answered(question.stated[: len(photos)], accepted)


# ---------------------------------------------------------------------- report
def share(values: NDArray[np.bool_]) -> str:
    """Return the share of true values in percent."""
    return f"{100 * np.mean(values):.0f} %" if len(values) else "-"


def quality_tables(
    report: Report,
    objects: PhotoSet,
    scenes: PhotoSet,
    draws: Sequence[int],
    settings: Settings,
    borders: Sequence[str],
) -> None:
    """Measure and report the quality of suggestions."""
    measured: dict[tuple[str, int, int, str], list[Quality]] = {}
    for border in borders:
        for seed in draws:
            with world(objects, scenes, CLASSES, EACH, PLAIN, border, seed) as found:
                for kinds, boxes in settings:
                    for way, suggest in WAYS.items():
                        chosen = np.random.default_rng(seed).permutation(found.names)[:kinds].tolist()
                        quality = measure(found, chosen, boxes, seed, suggest)
                        measured.setdefault((border, kinds, boxes, way), []).append(quality)
                        print(border, seed, kinds, boxes, way, quality.errors, len(quality.confidence), flush=True)

    def of_all(qualities: Sequence[Quality], what: Callable[[Quality], Sequence[float]]) -> NDArray[np.float64]:
        return np.concatenate([np.asarray(what(one), np.float64) for one in qualities])

    rows = []
    for (border, kinds, boxes, way), qualities in measured.items():
        sure, overlaps = of_all(qualities, lambda one: one.confidence), of_all(qualities, lambda one: one.overlap)
        inside, tag = of_all(qualities, lambda one: one.inside) > 0, of_all(qualities, lambda one: one.tag) > 0
        row = [border, str(kinds), str(boxes), way]
        for least in (0.5, 0.8):
            part = sure >= least
            says = f"{100 * sure[part].mean():.0f} %" if part.any() else "-"
            row += [f"{np.count_nonzero(part) / len(qualities):.1f}", says, share(overlaps[part] >= FITS)]
        part = sure >= 0.5
        recalls = [
            float(np.count_nonzero((np.array(one.confidence) >= 0.5) & (np.array(one.overlap) >= FITS)) / one.things)
            for one in qualities
        ]
        plain = [one for quality in qualities for one in quality.plain]
        rows.append(
            [
                *row,
                share(inside[part]),
                mean_and_spread([100 * one for one in recalls], 1) + " %",
                mean_and_spread([one.errors for one in qualities]),
                f"{100 * np.mean(plain):.1f} %",
                share(overlaps[tag] >= FITS),
                mean_and_spread([one.seconds for one in qualities], 1),
            ]
        )
    report.text(
        f"Draws {', '.join(map(str, draws))} of {CLASSES} classes of Caltech-101, {EACH} photos each, pasted into "
        f"photos of Corel-5k at {SMALLEST:.0%} to {LARGEST:.0%} of the area, a third of them beside a second object, "
        f"and {PLAIN} photos without one. Windows: by the 55 windows of a photo. Exact: the likeliest 60 of each kind "
        "are described exactly. Right: the tag is right, and the frame overlaps with the true box by half of their "
        "union. Inside: the tag is right, and the middle of the frame is in the box. Parameters were chosen on draw 50."
    )
    report.table(
        "Suggestions with a confidence of .5 and .8: number in a draw, mean confidence, and how many are right; photos "
        "without any of the kinds that get one (goal: at most 2 %); frames of .25 or more with the right tag that fit; "
        "seconds for all suggestions, on a busy machine with 2 cores",
        [
            *["borders", "kinds", "boxes of each", "by", ".5", "says", "right", ".8", "says", "right"],
            *["inside (.5)", "recall at .5", "ECE", "others with .5", "fit", "s"],
        ],
        rows,
    )


def review_table(
    report: Report,
    objects: PhotoSet,
    scenes: PhotoSet,
    draws: Sequence[int],
    borders: Sequence[str],
    kinds: Sequence[int],
    pages: Sequence[str],
    first: Sequence[str],
) -> None:
    """Simulate Review and report the actions."""
    rows = []
    for border, number, shows, begins in product(borders, kinds, pages, first):
        if shows == "one" and begins == "page":
            continue
        runs: list[Actions] = []
        plain = IN_REVIEW // 10
        for seed in draws:
            each = (IN_REVIEW - plain) // number
            with world(objects, scenes, number, each, plain, border, 100 + seed) as found:
                runs.append(review(found, shows, begins))
                print(border, number, shows, begins, seed, runs[-1], runs[-1].total / runs[-1].boxes, flush=True)

        def mean(what: Callable[[Actions], float], some: Sequence[Actions] = runs, digits: int = 0) -> str:
            return mean_and_spread([what(one) for one in some], digits)

        whole = (number if shows == "one" else 1) * -(-IN_REVIEW // PAGE)
        keys = 0 if shows == "one" else 1
        rows.append(
            [
                border,
                str(number),
                shows,
                begins,
                mean(lambda one: one.boxes),
                mean(lambda one: one.total / one.boxes, digits=2),
                mean(lambda one: BY_HAND + one.names / one.boxes, digits=2),
                mean(lambda one, n=whole, k=keys: 1 + k + (one.names + n) / one.boxes, digits=2),  # type: ignore[misc]
                mean(lambda one: one.first + one.names),
                mean(lambda one: one.renamed),
                mean(lambda one: one.pages),
                mean(lambda one: one.clicks),
                mean(lambda one: one.drags),
                mean(lambda one: one.late),
                mean(lambda one: one.accepted),
                mean(lambda one: one.looks),
                str(number * IN_REVIEW if shows == "one" else IN_REVIEW),
                mean(lambda one: one.wrong),
                mean(lambda one: one.seconds, digits=1),
            ]
        )
    report.text(
        f"Review, simulated: {IN_REVIEW} photos, {FIRST} boxes of each kind drawn first at {BY_HAND} actions each, "
        f"pages of {PAGE} photos, which a window of 1366 x 768 pixels shows whole, {TILE[0]} pixels wide. The sides "
        f"of dragged boxes are off by {_IMPRECISION:.0f} pixels (standard deviation). The user leaves a kind after "
        f"{EMPTY_PAGES} pages without one; things that are left are drawn by hand at {BY_HAND} actions each. By hand "
        "on pages: the same pages and drags without any suggestion, for each kind all photos."
    )
    report.table(
        "Actions per box in Review (goal: at most 1.5) and by hand; all actions of a run by their purpose; photos "
        "shown; saved boxes that overlap with the true one by less than half of their union",
        [
            *["borders", "kinds", "tags of a page", "first boxes", "boxes", "in Review", "by hand in the preview"],
            *[
                "by hand on pages",
                "first boxes and names",
                "names corrected",
                "Enter",
                "line and clicks",
                "drags",
                "late by hand",
                "accepted frames",
            ],
            *["photos shown", "on pages by hand", "wrong boxes", "longest s for a question"],
        ],
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, nargs="+", default=[0, 1, 2], metavar="SEED")
    parser.add_argument("--borders", nargs="+", default=BORDERS, choices=BORDERS)
    parser.add_argument(
        "--settings", nargs="+", default=[f"{kinds},{boxes}" for kinds, boxes in SETTINGS], metavar="K,B"
    )
    parser.add_argument("--kinds", type=int, nargs="+", default=KINDS_IN_REVIEW, metavar="K", help="of Review")
    parser.add_argument("--pages", nargs="+", default=PAGES, choices=PAGES, help="of one tag or of all, in Review")
    parser.add_argument(
        "--first", nargs="+", default=FIRST_BOXES, choices=FIRST_BOXES, help="where first boxes are drawn, in Review"
    )
    parser.add_argument("--only", choices=["quality", "review"], help="one part, saved as a separate report")
    given = parser.parse_args()
    objects, scenes = photo_set("caltech101"), photo_set("corel5k")
    if objects is None or scenes is None:
        return
    report = Report("boxes" if given.only is None else f"boxes-{given.only}", "Suggested boxes")
    if given.only != "quality":
        review_table(report, objects, scenes, given.draws, given.borders, given.kinds, given.pages, given.first)
    if given.only != "review":
        settings = [(int(kinds), int(boxes)) for kinds, boxes in (one.split(",") for one in given.settings)]
        quality_tables(report, objects, scenes, given.draws, settings, given.borders)
    report.save()


if __name__ == "__main__":
    main()
