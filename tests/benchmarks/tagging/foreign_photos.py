# SPDX-License-Identifier: MIT
"""Photos of another world than the tagged ones: which parts of Focal are confident in wrong tags?

A library has twelve classes of one world, with 20 photos each to tag or to ask about and 20 more. Some photos of each
class have it as a tag, or have this tag and one that three classes share. The library also has 240 photos of three
other worlds, 80 of each (Corel-5k, Caltech-101, the fifteen scenes, the demo album), with one vocabulary and one space
for all. In a third of the libraries, four of the twelve classes have no tag.

*Shown*: the confidence of the best tag of an untagged photo is at least .5 (.8). *Lost*: known photos that are shown
without foreign photos in the library, but not with them; *by the space*: the same if no photo counts as foreign or new.
AUROC: confidence of the best tag, known against foreign photos. ECE: confidence of the best tag of all untagged photos,
by tenths; foreign photos and those of classes without a tag have no correct tag. *Suggestions*: `TagConfidence`.
*Review* asks two questions about each tag, with its ten likeliest photos; ruled-out tags leave their share to the
others, and the answers correct all confidences. A confidence counts as it was before the answer: in the question, or
after all questions if none contained the photo and the tag. *Classifier*: `TagClassifier`, with or without the untagged
photos. "Before": in the same space, without foreign photos in the model. "Two folders": the foreign photos are in a
second folder; otherwise all photos are in one.

*Label errors*: 12 foreign photos have six correct tags, two photos each, and a tenth of the known photos have a wrong
tag. *Shown*: foreign photos whose correct tag is listed. AUROC: confidence of the best absent tag, wrongly tagged known
photos against foreign ones. *Known photos shown*: wrong tags that are listed.

The constants of the model were chosen on draws of the classes with even numbers; here, the others are drawn.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import random
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.tagging.learn_tags import MIN_PHOTOS_FOR_MORE_AXES
from focal_photos.browser.operations.tagging.neighborhoods import Neighborhoods
from focal_photos.features.table import STANDARD, STANDARD_CODES
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.tags.confidence.answered import Answered, AnsweredConfidence, after_answers
from focal_photos.learners.tags.confidence.foreign import ForeignOdds
from focal_photos.learners.tags.confidence.tag_confidence import Confidences, TagConfidence, typical_temperature
from focal_photos.learners.tags.confidence.unlikeness import Nearness
from focal_photos.learners.tags.label_errors import label_errors
from focal_photos.learners.tags.tag_classifier import TagClassifier
from focal_photos.learners.tags.tag_ridge import TagRidge, TagScores
from tests.benchmarks.common.described_photos import Described
from tests.benchmarks.common.measures import roc_auc
from tests.benchmarks.common.photo_sets import Ints
from tests.benchmarks.common.plausible_rows import plausible_rows
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.common.worlds import worlds

KINDS: Final = 12
ASKED: Final = 20
FOREIGN: Final = 240
EACH: Final = (1, 2, 5, 20)
WORLDS: Final = {"corel5k": "Corel-5k", "caltech101": "Caltech-101"}
LIBRARIES: Final = ("all kinds tagged", "a third unnamed", "several tags")
GOALS: Final = (
    ("foreign photos shown at .5, %", "shown", 2.0, True),
    ("AUROC", "auroc", 0.98, False),
    ("known photos lost, %", "lost", 5.0, True),
    ("ECE, all kinds tagged", "ece all", 0.04, True),
    ("ECE, a third unnamed", "ece third", 0.06, True),
)
_PARITY: Final = 1  # classes of even number were used during development
_GOAL_EACH: Final = 5
_SHORT: Final = 10  # number of photos per question
_WRONG: Final = 0.1
_QUESTIONS: Final = 60

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Drawn:
    """Rows of a draw: members of each class (KINDS, photos), and foreign photos."""

    members: list[Ints]
    foreign: Ints


class Learned(NamedTuple):
    """Tags of a library, learned as in the program."""

    tagged: Ints
    others: Ints
    """`tagged` and `others`: rows; the others are known, foreign, or of classes without a tag."""
    given: Floats
    truth: Floats
    """`given` and `truth`: shape (n, m) and (q, m)."""
    scores: TagScores
    left_out: TagScores
    odds: ForeignOdds
    confidence: TagConfidence
    before: TagConfidence
    """`confidence` and `before`: models with foreign photos, and without."""
    X: NDArray[np.float32]
    """All rows in the space of the library."""
    shares: Floats | None
    """Shares of new kinds and of foreign photos in the folders of the others; None if all are in one; shape (q, 2)."""


def drawn(photos: Described, rows: dict[str, Ints], world: str, seed: int) -> Drawn:
    """Draw classes of a world that were not used during development, and photos of the other worlds."""
    rng = np.random.default_rng(seed)
    own = rows[world]
    classes = np.unique(photos.classes[own])
    chosen = rng.choice(classes[classes % 2 == _PARITY], KINDS, replace=False)
    members = [rng.permutation(own[photos.classes[own] == one]) for one in chosen]
    others = [name for name in rows if name != world]
    return Drawn(members, np.concatenate([rng.choice(rows[name], FOREIGN // len(others), False) for name in others]))


def learn(
    photos: Described, draw: Drawn, each: int, library: str, *, foreign: bool, two_folders: bool = False
) -> Learned:
    """Learn the tags of a library as in the program."""
    hidden = KINDS // 3 if library == "a third unnamed" else 0
    named = draw.members[hidden:]
    tagged = np.sort(np.concatenate([one[:each] for one in named]))
    others = np.concatenate([*(one[ASKED:] for one in draw.members), *([draw.foreign] if foreign else [])])
    tags = np.zeros((len(photos.classes), len(named) + (KINDS // 3 if library == "several tags" else 0)))
    for column, one in enumerate(named):
        tags[one, column] = 1
        if library == "several tags":
            tags[one, KINDS + column // 3] = 1
    others = np.sort(others)
    folders = np.isin(others, draw.foreign).astype(np.intp) if two_folders else None
    return learn_rows(photos, tagged, others, tags, folders)


def learn_rows(photos: Described, tagged: Ints, others: Ints, tags: Floats, folders: Ints | None = None) -> Learned:
    """Learn the tags (all photos, m) of tagged rows as in the program, in a library of these and other rows.

    `folders` are those of the others, 0 and 1; default: all are in one.
    """
    every = np.union1d(tagged, others)
    space, X = photos.space(every, STANDARD)
    at, asked = np.searchsorted(every, tagged), np.searchsorted(every, others)
    odds = ForeignOdds().fit(X[tagged], X[others])
    of_folders = None if folders is None else odds.shares_by_folder(odds.untagged_, folders, 2)[folders]
    kept, coordinates = plausible_rows(odds, every, tagged, others, of_folders), X
    if len(kept) < len(every):
        space, coordinates = photos.space(every[kept], STANDARD)
    graph = build(FloatGallery(np.ascontiguousarray(coordinates[every[kept]])))
    shared = Neighborhoods(every, replace(graph, covered=kept), True).shared(at).tocsc()
    if len(tagged) >= MIN_PHOTOS_FOR_MORE_AXES:
        space, coordinates = photos.space(every[kept], STANDARD, wide=True)
    given, codes = sp.csr_array(tags[tagged]), photos.codes
    assert codes is not None
    ridge = TagRidge(families=space.families_).fit(
        coordinates[tagged], given, shared=sp.csr_array(shared[:, at]), codes=codes[tagged]
    )
    scores = ridge.scores(coordinates[others], sp.csr_array(shared[:, asked].T), codes[others])
    left, kinds, typical = ridge.left_out_, ridge.kind_left_out_, typical_temperature(ridge)
    before = TagConfidence(typical).fit(left, given, kinds=kinds, untagged=scores)
    nearness = Nearness().fit(X[tagged], given, X[others])
    left, scores = left._replace(nearer=nearness.left_out_), scores._replace(nearer=nearness.of_untagged_)
    kinds = None if kinds is None else kinds._replace(nearer=nearness.kind_left_out_)
    confidence = TagConfidence(typical).fit(left, given, kinds=kinds, untagged=scores, foreign=odds.untagged_)
    shares = None
    if folders is not None:
        shares = confidence.shares_by_folder(scores, odds.untagged_, folders, 2)[folders]
    return Learned(tagged, others, tags[tagged], tags[others], scores, left, odds, confidence, before, X, shares)


# ---------------------------------------------------------------------- the parts of Focal
Way = Callable[[Learned, bool], Floats]
"""Function that returns the confidences of the others' tags, (q, m), with foreign photos in the model or without."""


def confidences(of: Learned, now: bool) -> Confidences:
    """Return the confidences of the untagged photos."""
    if now:
        return of.confidence.confidences(of.scores, foreign=of.odds.untagged_, shares=of.shares)
    return of.before.confidences(of.scores._replace(nearer=None))


def suggestions(of: Learned, now: bool) -> Floats:
    """Return the confidences of suggestions."""
    return confidences(of, now).tags


def reviewed(of: Learned, now: bool) -> Floats:
    """Return the confidences of Review, (q, m), each before its answer, with two questions about each tag.

    If a question contains the photo and the tag, its confidence counts, otherwise the confidence after all answers.
    """
    found = confidences(of, now)
    stated = np.zeros_like(found.tags)
    right, wrong = np.zeros(stated.shape, bool), np.zeros(stated.shape, bool)
    answers: list[Answered] = []

    def states() -> tuple[Floats, Floats, Floats]:
        tags, foreign = found.tags, found.foreign
        if of.confidence.exclusive_:
            tags, _, foreign = after_answers(np.where(wrong, 0, found.tags), found.none, found.foreign)
        return tags, foreign, AnsweredConfidence().fit(answers).corrected(tags, foreign[:, None])

    def settled() -> NDArray[np.bool_]:
        return right | wrong | (right.any(axis=1, keepdims=True) & of.confidence.exclusive_)

    for _ in range(2):
        for tag in range(stated.shape[1]):
            sure, foreign, corrected = states()
            left = np.flatnonzero(~settled()[:, tag])
            rows = left[np.argsort(-corrected[left, tag], kind="stable")[:_SHORT]]
            correct = of.truth[rows, tag] > 0
            stated[rows, tag] = corrected[rows, tag]
            answers.append(Answered(sure[rows, tag], correct, foreign[rows]))
            right[rows, tag], wrong[rows, tag] = correct, ~correct
    return np.where(settled(), stated, states()[2])


def classified(untagged: bool) -> Way:
    """Return a `Way` that uses the classifier, with or without the untagged photos."""

    def of_classifier(of: Learned, now: bool) -> Floats:
        given = of.given if (of.given.sum(axis=1) > 1).any() else of.given.argmax(axis=1)
        learned = TagClassifier().fit(of.X[of.tagged], given, untagged=of.X[of.others] if untagged else None)
        if now:
            return learned.predict_proba(of.X[of.others])
        scores = learned.ridge_.scores(of.X[of.others])
        return TagConfidence().fit(learned.ridge_.left_out_, sp.csr_array(of.given)).confidences(scores).tags

    return of_classifier


WAYS: Final[dict[str, Way]] = {
    "suggestions": suggestions,
    "review": reviewed,
    "classifier": classified(False),
    "classifier, untagged given": classified(True),
}


def ece(sure: Floats, right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error by tenths."""
    tenth = np.minimum((10 * sure).astype(int), 9)
    return float(sum(abs((sure - right)[tenth == one].sum()) for one in range(10)) / len(sure))


def measured(way: Way, of: Learned, without: Learned | None, foreign: Ints, now: bool) -> dict[str, float]:
    """Measure one part of Focal in a library, and in the same library without foreign photos."""
    columns = min(KINDS, of.truth.shape[1])

    def surest(one: Learned) -> tuple[Floats, NDArray[np.bool_]]:
        sure = way(one, now)[:, :columns]
        best = sure.argmax(axis=1)
        return sure.max(axis=1), one.truth[np.arange(len(best)), best] > 0

    sure, right = surest(of)
    strange = np.isin(of.others, foreign)
    known = of.truth[:, :columns].any(axis=1)
    found = {
        "shown": 100 * float((sure[strange] >= 0.5).mean()),
        "at .8": 100 * float((sure[strange] >= 0.8).mean()),
        "auroc": roc_auc(np.concatenate([sure[known], sure[strange]]), np.repeat([1, 0], [known.sum(), strange.sum()])),
        "known shown": 100 * float((sure[known] >= 0.5).mean()),
        "right": 100 * float(right[known & (sure >= 0.5)].mean()) if (known & (sure >= 0.5)).any() else np.nan,
        "ece": ece(sure, right),
    }
    if without is not None:
        alone, _ = surest(without)
        shown = without.others[(alone >= 0.5) & without.truth[:, :columns].any(axis=1)]
        if len(shown):
            found["lost"] = 100 * float(np.isin(shown, of.others[sure < 0.5]).mean())
    return found


def moved(of: Learned, without: Learned, columns: int) -> dict[str, float]:
    """Return the known photos shown in only one of two libraries, in % of those shown without foreign photos.

    "lost", "gained": with suggestions; "space lost", "space gained": with the same if no photo counts as foreign or
    new, so that only the space, the neighbours and the models trained on them differ.
    """
    with_, alone = confidences(of, True), confidences(without, True)
    known = without.truth[:, :columns].any(axis=1)
    same = np.searchsorted(of.others, without.others[known])
    found = {}
    for name, divided in (("", False), ("space ", True)):
        before, after = (
            (one.tags[:, :columns].max(axis=1) / (np.maximum(1 - one.none, 1e-9) if divided else 1.0))[rows] >= 0.5
            for one, rows in ((alone, known), (with_, same))
        )
        if before.any():
            found[name + "lost"] = 100 * float((before & ~after).sum() / before.sum())
            found[name + "gained"] = 100 * float((~before & after).sum() / before.sum())
    return found


def accused(photos: Described, draw: Drawn, each: int, seed: int, library: str) -> dict[str, float]:
    """Measure the reported tags: correct ones of foreign photos, and wrong ones of known photos."""
    rng = np.random.default_rng(seed)
    known = np.concatenate([one[:each] for one in draw.members])
    column = np.repeat(np.arange(KINDS), each)
    wrong = np.zeros(len(known), bool)
    wrong[rng.permutation(len(known))[: max(1, round(_WRONG * len(known)))]] = True
    given = np.where(wrong, (column + rng.integers(1, KINDS, len(known))) % KINDS, column)
    strange = [draw.foreign[photos.classes[draw.foreign] == one] for one in np.unique(photos.classes[draw.foreign])]
    own = [one[:2] for one in strange if len(one) > 1][:6]
    tagged = np.concatenate([known, *own])
    tags = np.zeros((len(photos.classes), KINDS + len(own) + (KINDS // 3 if library == "several tags" else 0)))
    tags[known, given] = 1
    for number, rows in enumerate(own):
        tags[rows, KINDS + number] = 1
    if library == "several tags":
        tags[known, KINDS + len(own) + given // 3] = 1
    rest = np.concatenate([*(one[ASKED:] for one in draw.members), draw.foreign])
    of = learn_rows(photos, np.sort(tagged), np.setdiff1d(rest, tagged), tags)
    found = of.confidence.confidences(of.left_out, foreign=of.odds.left_out_)
    exclusive = of.confidence.exclusive_
    listed = label_errors(found.unless_foreign, np.zeros(len(of.given)), of.given, exclusive=exclusive)
    against = np.zeros(len(photos.classes))
    is_kind = listed.tag < KINDS + len(own)
    np.maximum.at(against, of.tagged[listed.photo[is_kind]], listed.probability[is_kind])
    # Highest confidence of a tag that the photo does not have.
    sure = np.where(of.given > 0, 0, found.tags)[:, : KINDS + len(own)].max(axis=1)
    rival = np.zeros(len(photos.classes))
    rival[of.tagged] = sure
    of_right, of_wrong = rival[np.concatenate(own)], rival[known[wrong]]
    return {
        "shown": 100 * float((against[np.concatenate(own)] > 0.5).mean()),
        "at .8": 100 * float((against[np.concatenate(own)] > 0.8).mean()),
        "auroc": roc_auc(np.concatenate([of_wrong, of_right]), np.repeat([1, 0], [len(of_wrong), len(of_right)])),
        "known shown": 100 * float((against[known[wrong]] > 0.5).mean()),
        "right": 100 * float(wrong[against[known] > 0.5].mean()) if (against[known] > 0.5).any() else np.nan,
    }


# ---------------------------------------------------------------------- tables
_COLUMNS: Final = (
    ("AUROC", "auroc", 3),
    ("foreign at .5, %", "shown", 1),
    ("at .8, %", "at .8", 1),
    ("known at .5, %", "known shown", 1),
    ("right of these, %", "right", 1),
    ("known lost, %", "lost", 1),
    ("ECE", "ece", 3),
)
BEFORE: Final = "before"
NOW: Final = "now"
TWO_FOLDERS: Final = "two folders"
Found = dict[tuple[str, str, int, str, str], list[dict[str, float]]]
"""Measures by part, world, tagged photos per kind, library, and model."""


def run_label_errors(photos: Described, rows: dict[str, Ints], seeds: Sequence[int]) -> Found:
    """Measure likely label errors."""
    found: Found = defaultdict(list)
    for seed in seeds:
        for world in WORLDS:
            draw = drawn(photos, rows, world, seed)
            for each in EACH[1:]:
                for library in (LIBRARIES[0], LIBRARIES[2]):
                    one = accused(photos, draw, each, seed, library)
                    found["label errors", world, each, library, NOW].append(one)
    return found


def run(photos: Described, rows: dict[str, Ints], seeds: Sequence[int]) -> Found:
    """Measure all other parts."""
    found: Found = defaultdict(list)
    for seed in seeds:
        for world in WORLDS:
            draw = drawn(photos, rows, world, seed)
            for each in EACH:
                for library in LIBRARIES:
                    of = learn(photos, draw, each, library, foreign=True)
                    alone = learn(photos, draw, each, library, foreign=False)
                    apart = learn(photos, draw, each, library, foreign=True, two_folders=True)
                    for model, one in ((NOW, of), (TWO_FOLDERS, apart)):
                        found["moved", world, each, library, model].append(
                            moved(one, alone, min(KINDS, of.truth.shape[1]))
                        )
                    for part, way in WAYS.items():
                        for model, one in ((BEFORE, of), (NOW, of), (TWO_FOLDERS, apart)):
                            if model != TWO_FOLDERS or not part.startswith("classifier"):
                                measures = measured(way, one, alone, draw.foreign, model != BEFORE)
                                found[part, world, each, library, model].append(measures)
                print(seed, world, each, flush=True)
    return found


def cell(found: list[dict[str, float]], name: str, digits: int) -> str:
    values = [one[name] for one in found if name in one and np.isfinite(one[name])]
    return mean_and_spread(values, digits) if values else "-"


def goals(report: Report, found: Found) -> None:
    """Write the goals and the results with five tagged photos per kind."""
    lines = []
    for title, name, goal, at_most in GOALS:
        for part in ("suggestions", "review"):
            for world, words in WORLDS.items():
                library = LIBRARIES[1 if name == "ece third" else 0]
                key = name.split()[0]
                kept = [library] if key == "ece" else ["all kinds tagged", "several tags"]
                cells = []
                for model in (BEFORE, NOW, TWO_FOLDERS):
                    values = [
                        one[key]
                        for each in kept
                        for one in found.get((part, world, _GOAL_EACH, each, model), [])
                        if key in one and np.isfinite(one[key])
                    ]
                    met = np.mean(values) <= goal if at_most else np.mean(values) >= goal
                    cells.append(mean_and_spread(values, 1 if goal >= 1 else 3))
                    cells += [] if model == BEFORE else ["met" if met else "not met"]
                lines.append([title, part, words, *cells, f"{'at most' if at_most else 'at least'} {goal:g}"])
    columns = ["measure", "part", "tagged world", "before", "now, one folder", "", "now, two folders", "", "goal"]
    report.table("Goals, five tagged photos per kind (one tag and several tags per photo together)", columns, lines)


def tables(report: Report, found: Found) -> None:
    """Write a table per part."""
    for part in dict.fromkeys(which for which, *_ in found if which != "moved"):
        lines = []
        for (which, world, each, library, model), measures in found.items():
            if which == part:
                cells = [cell(measures, name, digits) for _, name, digits in _COLUMNS]
                lines.append([WORLDS[world], str(each), library, model, *cells])
        lines.sort(key=lambda line: (line[0], int(line[1]), LIBRARIES.index(line[2])))
        columns = ["tagged world", "tagged each", "library", "model", *(title for title, _, _ in _COLUMNS)]
        report.table(part.capitalize(), columns, lines)


def causes(report: Report, found: Found) -> None:
    """Write the shares of known photos lost and gained, and of those lost and gained by the space alone."""
    names = ("lost", "gained", "space lost", "space gained")
    lines = [
        [WORLDS[world], library, model, *(cell(measures, name, 1) for name in names)]
        for (which, world, each, library, model), measures in found.items()
        if which == "moved" and each == _GOAL_EACH
    ]
    columns = [
        "tagged world",
        "library",
        "model",
        "lost, %",
        "gained, %",
        "lost by the space, %",
        "gained by the space, %",
    ]
    report.table(
        "Known photos shown in only one of the two libraries, suggestions, five tagged photos per kind", columns, lines
    )


# ---------------------------------------------------------------------- the review by keys
def actions(photos: Described, rows: dict[str, Ints], seed: int) -> tuple[int, int, int, int]:
    """Tag 200 photos of ten Corel-5k classes beside 400 foreign ones in the real window; two per class have tags.

    Returns
    -------
    tuple of int
        Actions, questions, groups of foreign photos left open, and known photos without their tag at the end.
    """
    from PySide6.QtCore import Qt

    from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT
    from tests.benchmarks.tagging.annotate_by_keys import Person, Window, answer_question

    draw, rng = drawn(photos, rows, "corel5k", seed), random.Random(seed)
    known = [(row, photos.photos.names[photos.classes[row]]) for one in draw.members[:10] for row in one[:20]]
    others = [name for name in rows if name != "corel5k"]
    strange = [row for name in others for row in rng.sample(rows[name].tolist(), 400 // len(others) + 1)][:400]
    files = [(row, frozenset({name})) for row, name in known] + [(row, frozenset[str]()) for row in strange]
    rng.shuffle(files)
    with tempfile.TemporaryDirectory() as place:
        folder, truth = Path(place) / "photos", {}
        folder.mkdir()
        for number, (row, kind) in enumerate(files):
            source = photos.photos.files[row]
            shutil.copyfile(source, folder / f"{number:05}{source.suffix}")
            truth[f"{number:05}{source.suffix}"] = kind
        with Library.open(Path(place) / "library") as library:
            finish(index(library, [folder]))
            every = library.photos.get(library.photos.ids("").tolist())
            kinds = {photo.id: truth[photo.path.name] for photo in every}
            tagged: Counter[str] = Counter()
            for photo_id, own in kinds.items():
                for name in own:
                    tagged[name] += 1
                    if tagged[name] <= 2:
                        library.tags.change([photo_id], [name])
        way = Window(Path(place) / "library", Person(kinds, 0.0, random.Random(seed)))
        skipped = 0
        try:
            way.driver.press(Qt.Key.Key_G, CTRL | SHIFT)
            way.tally.keys += 1
            way.settle("the first question")
            review, page = way.session.review, way.window.modes.review_page.photo_page
            while (
                review.question is not None
                and not page.isVisible()  # then Review asks photo by photo
                and way.tally.given < way.tally.wanted
                and way.tally.questions < _QUESTIONS
            ):
                skipped += not answer_question(way)
        finally:
            way.close()
    return way.tally.actions, way.tally.questions, skipped, way.tally.wanted - way.tally.given


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3, help="number of draws of classes and photos")
    parser.add_argument("--label-errors", action="store_true", help="measure only likely label errors")
    parser.add_argument("--actions", type=int, default=0, help="number of draws to tag in the window")
    given = parser.parse_args()
    found = worlds(STANDARD, STANDARD_CODES)
    if found is None:
        return
    if given.label_errors:
        report = Report(
            "foreign-label-errors", "Tagged photos of another world: are their tags listed as likely errors?"
        )
        report.text((__doc__ or "").split("\n\n")[3])
        tables(report, run_label_errors(*found, range(given.seeds)))
        report.save()
        return
    report = Report("foreign-photos", "Photos of another world: do they get confident wrong tags?")
    paragraphs = (__doc__ or "").split("\n\n")
    report.text("\n\n".join([*paragraphs[1:3], *paragraphs[4:]]))
    results = run(*found, range(given.seeds))
    goals(report, results)
    causes(report, results)
    tables(report, results)
    report.save()
    if given.actions:
        lines = []
        for seed in range(given.actions):
            lines.append([str(one) for one in (seed, *actions(*found, seed))])
            print(lines[-1], flush=True)
        columns = ["draw", "actions", "questions", "foreign groups left open", "known photos without their tag"]
        report.table("Review of 200 known photos of ten kinds beside 400 foreign ones", columns, lines)
        report.save()


if __name__ == "__main__":
    main()
