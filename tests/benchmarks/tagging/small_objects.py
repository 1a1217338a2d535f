# SPDX-License-Identifier: MIT
"""Tags of small things: which parts of Focal find the tag in whole photos that do not show the thing?

Photos of six classes of Caltech-101 are pasted into photos of Corel-5k at 5 to 20 % of the area, 30 of each, beside 220
photos without a thing. Half of the photos are of four CDs of Corel-5k, the others of all. One, two, three or six
classes are tagged, on 5, 10 or 20 photos each; boxes count as tags of their photos. *Alone*: only they are tagged.
*Beside CDs*: the four CDs are tagged, too, so that photos have several tags; only the tags of things count.

*Shown*: the confidence of the likeliest tag of an untagged photo is at least .5 (.8). *Without*: photos that show none
of the tagged things. *Right*, *stated*: share of the shown tags that are right, and mean of their confidences. *Found*:
photos with a tagged thing whose tag is shown. ECE: likeliest tag of all untagged photos, by tenths. *Tagged only*:
suggestions if the photos of a tag are compared with other tagged photos only. *Review*: before the first answer, and
after six questions of at least 24 photos, with each confidence before its answer.
*Classifier*: `TagClassifier`, with or without the untagged photos.

The constants of the model were chosen on draws 100 to 103; here, others are drawn.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import shutil
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.answer import answer
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.review.answered_questions import AnsweredQuestions
from focal_photos.browser.operations.tagging.review.review import Question, review
from focal_photos.features.decoding.decode import decode
from focal_photos.learners.tags.confidence.answered import Answered
from focal_photos.learners.tags.tag_classifier import TagClassifier
from tests.benchmarks.common.photo_sets import PhotoSet, photo_set
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.tagging.boxes import calibration_error, paste

CLASSES, EACH, PLAIN, CDS = 6, 30, 220, 4
SMALLEST, LARGEST = 0.05, 0.2
KINDS: Final = (1, 2, 3, 6)
TAGGED: Final = (5, 10, 20)
WAYS: Final = ("alone", "beside CDs")
QUESTIONS, SCREEN = 6, 24
GOAL: Final = 2.0

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Shown:
    """Contents of a photo: the thing and its place, and the CD if the photo is from one of the four; otherwise None."""

    thing: str | None
    place: Region | None
    disc: str | None


def draw(folder: Path, objects: PhotoSet, scenes: PhotoSet, seed: int) -> dict[str, Shown]:
    """Write composed photos; return the things in them, by file name."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(seed)
    count = CLASSES * EACH + PLAIN
    part = count // (2 * CDS)
    few = rng.choice(len(scenes.names), CDS, replace=False)
    own = [rng.permutation(np.flatnonzero(scenes.classes == one))[:part] for one in few]
    rest = rng.permutation(np.flatnonzero(~np.isin(scenes.classes, few)))[: count - CDS * part]
    chosen = rng.permutation(np.flatnonzero(np.bincount(objects.classes) >= 1.4 * EACH))[:CLASSES].tolist()
    rows = {one: rng.permutation(np.flatnonzero(objects.classes == one)).tolist() for one in chosen}
    shown: dict[str, Shown] = {}
    kinds = [*np.repeat(chosen, EACH).tolist(), *[None] * PLAIN]
    for row, kind in zip(rng.permutation(np.concatenate([*own, rest])).tolist(), kinds, strict=True):
        scene, place = decode(scenes.files[row]).rgb.copy(), None
        if kind is not None:
            border = ("sharp", "soft")[int(rng.integers(2))]
            area = float(np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST))))
            place = paste(scene, decode(objects.files[rows[kind].pop()]).rgb, area, [], border, rng)
        name, cd = f"{len(shown):04}.png", int(scenes.classes[row])
        Image.fromarray(scene).save(folder / name)
        thing = None if place is None else objects.names[kind].lower()
        shown[name] = Shown(thing, place, scenes.names[cd] if cd in few else None)
    return shown


def tag_some(library: Library, shown: dict[int, Shown], kinds: int, each: int, way: str, seed: int) -> list[str]:
    """Tag some photos of some kinds; return the kinds."""
    rng = np.random.default_rng(seed)
    every = sorted({one.thing for one in shown.values() if one.thing})
    names = [every[i] for i in rng.permutation(len(every))[:kinds]]
    discs = sorted({one.disc for one in shown.values() if one.disc}) if way == "beside CDs" else []
    chosen: set[int] = set()
    for name in [*names, *discs]:
        having = [photo for photo, one in shown.items() if name in (one.thing, one.disc) and photo not in chosen]
        chosen.update(rng.permutation(having)[:each].tolist())
    for photo in sorted(chosen):
        one = shown[photo]
        if one.thing in names and way == "alone" and one.place is not None:
            library.boxes.add([(photo, one.place, one.thing)])
        library.tags.change([photo], [name for name in (one.thing, one.disc) if name and name in [*names, *discs]])
    return names


def measured(sure: Floats, truth: NDArray[np.bool_]) -> dict[str, float]:
    """Measure confidences (q, m) of photos that show the things `truth` (q, m)."""
    best, most = sure.argmax(axis=1), sure.max(axis=1)
    right, none, shown = truth[np.arange(len(best)), best], ~truth.any(axis=1), most >= 0.5
    return {
        "without": 100 * float(shown[none].mean()),
        "at .8": 100 * float((most[none] >= 0.8).mean()),
        "count": float(shown.sum()),
        "right": float(right[shown].sum()),
        "stated": float(most[shown].sum()),
        "found": 100 * float((right & shown)[~none].mean()),
        "ece": calibration_error(most, right),
    }


def asked(library: Library, ranker: Ranker, passed: set[tuple[int, str]], answered: list[Answered]) -> list[Question]:
    """Return the questions about tags, with all their photos."""
    every = len(library.photos.ids(""))
    given = AnsweredQuestions(tuple(answered))
    found = finish(review(library, ranker, passed=frozenset(passed), answered=given, most=every))
    return [question for question in found if question.tag is not None]


def reviewed(
    library: Library, ranker: Ranker, ids: list[int], names: list[str], truth: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Answer six questions; return the confidences (q, m) before the first answer, and each before its answer."""
    row, column = {photo: i for i, photo in enumerate(ids)}, {name: j for j, name in enumerate(names)}

    def stated(questions: list[Question]) -> Floats:
        sure = np.zeros(truth.shape)
        for question in questions:
            if question.tag in column:
                for photo, confidence in zip(question.photo_ids.tolist(), question.confidences.tolist(), strict=True):
                    if photo in row:
                        sure[row[photo], column[question.tag]] = confidence
        return sure

    passed, answered = set[tuple[int, str]](), list[Answered]()
    questions = asked(library, ranker, passed, answered)
    first = now = stated(questions)
    kept, settled = np.zeros(truth.shape), np.zeros(truth.shape, bool)
    for _ in range(QUESTIONS):
        question = next((one for one in questions if one.tag in column), None)
        if question is None or question.tag is None:
            break
        j, count = column[question.tag], max(SCREEN, question.line)
        photos = [photo for photo in question.photo_ids[:count].tolist() if photo in row]
        rows = np.array([row[photo] for photo in photos], np.intp)
        right = truth[rows, j]
        kept[rows, j], settled[rows, j] = now[rows, j], True
        settled[rows[right]] = True
        passed |= {(photo, question.tag) for photo, yes in zip(photos, right, strict=True) if not yes}
        answered.append(Answered(question.stated[: len(photos)], right, question.foreign[: len(photos)]))
        no = [photo for photo, yes in zip(photos[: question.line], right[: question.line], strict=True) if not yes]
        answer(library, question.tag, [photos[i] for i in np.flatnonzero(right)], no)
        questions = asked(library, ranker, passed, answered)
        now = stated(questions)
    return first, np.where(settled, kept, now)


def measure(
    library: Library, shown: dict[int, Shown], kinds: int, each: int, way: str, seed: int, *, with_review: bool
) -> dict[str, dict[str, float]]:
    """Return the measures of each part of Focal."""
    names = tag_some(library, shown, kinds, each, way, seed)
    ranker = Ranker(library)
    gallery = ranker.gallery()
    annotated = read_annotated(library, gallery, set())
    looks = looks_for_tags(ranker, gallery)
    learned = finish(learn_tags(library, looks, annotated))
    ids = library.photos.ids("untagged -missing")
    columns = [learned.names.index(name) for name in names]
    truth = np.array([[shown[photo].thing == name for name in names] for photo in ids.tolist()])
    found = {"suggestions": measured(learned.confidences(ids).tags[:, columns], truth)}
    found["tagged only"] = measured(learned.confidences(ids, tagged=True).tags[:, columns], truth)
    X, others = looks.rows[looks.row_table[learned.ids]], looks.rows[looks.row_table[ids]]
    for name, untagged in (("classifier", None), ("classifier, untagged given", others)):
        tags = learned.tags.toarray()
        given = tags if (tags.sum(axis=1) > 1).any() else tags.argmax(axis=1)
        sure = TagClassifier().fit(X, given, untagged=untagged).confidences(others).tags
        found[name] = measured(sure[:, columns], truth)
    if with_review:
        first, last = reviewed(library, ranker, ids.tolist(), names, truth)
        found["Review"], found["Review, six answers"] = measured(first, truth), measured(last, truth)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="the first draw")
    parser.add_argument("--reviews", type=int, help="number of draws with a review, which takes most of the time")
    given = parser.parse_args()
    reviews = given.draws if given.reviews is None else given.reviews
    objects, scenes = photo_set("caltech101"), photo_set("corel5k")
    if objects is None or scenes is None:
        return
    done: dict[tuple[str, str, int, int], list[dict[str, float]]] = {}
    for seed in range(given.first, given.first + given.draws):
        with tempfile.TemporaryDirectory() as place:
            made, used = Path(place) / "library", Path(place) / "used"
            by_name = draw(Path(place) / "photos", objects, scenes, seed)
            with Library.open(made) as library:
                finish(index(library, [Path(place) / "photos"]))
                photos = library.photos.get(library.photos.ids("").tolist())
                shown = {photo.id: by_name[photo.path.name] for photo in photos}
            for way, kinds, each in product(WAYS, KINDS, TAGGED):
                shutil.rmtree(used, ignore_errors=True)
                shutil.copytree(made, used)
                with Library.open(used) as library:
                    with_review = seed - given.first < reviews
                    for part, found in measure(library, shown, kinds, each, way, seed, with_review=with_review).items():
                        done.setdefault((way, part, kinds, each), []).append(found)
                print(seed, way, kinds, each, flush=True)
    save(done, given.draws, reviews)


def save(done: dict[tuple[str, str, int, int], list[dict[str, float]]], draws: int, reviews: int) -> None:
    """Write the report."""
    report = Report("small-objects", "Tags of small things, in whole photos")
    report.text((__doc__ or "").partition("\n\n")[2].strip())
    goal = f"Goal: at most {GOAL:.0f} % of the photos without a tagged thing are shown at .5."
    report.text(f"{draws} draws, {reviews} of them with Review. {goal}")
    parts = list(dict.fromkeys(part for _, part, _, _ in done))

    def cells(runs: list[dict[str, float]]) -> list[str]:
        count = sum(run["count"] for run in runs)
        shares = [
            f"{100 * sum(run[what] for run in runs) / count:.0f}" if count else "-" for what in ("right", "stated")
        ]
        without = [mean_and_spread([run[what] for run in runs], 1) for what in ("without", "at .8")]
        last = [mean_and_spread([run["found"] for run in runs], 1), mean_and_spread([run["ece"] for run in runs])]
        return [*without, f"{count / len(runs):.1f}", *shares, *last]

    titles = ["without, at .5, %", "at .8, %", "shown", "right, %", "stated, %", "found, %", "ECE"]
    rows = [
        [way, part, *cells([run for key, runs in done.items() if key[:2] == (way, part) for run in runs])]
        for way, part in product(WAYS, parts)
    ]
    report.table("All numbers of kinds and tagged photos", ["tags", "part", *titles], rows)
    for way in WAYS:
        rows = [
            [part, str(kinds), str(each), *cells(done[way, part, kinds, each])]
            for part, kinds, each in product(parts, KINDS, TAGGED)
        ]
        report.table(f"Tags of things {way}", ["part", "kinds", "tagged each", *titles], rows)
    report.save()


if __name__ == "__main__":
    main()
