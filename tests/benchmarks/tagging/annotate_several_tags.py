# SPDX-License-Identifier: MIT
"""Numbers of keys, clicks and drags per correct tag in the real window, if photos have several tags.

Uses Corel-5k with its own tags: 4,000 photos are tagged, 500 are new, and a user without errors answers the questions
of Review about the new ones. Tagging by hand needs at least one action per tag (dropping a photo on a tag, or pressing
its digit), and at least two if the tag is typed.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import csv
import json
import random
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from tests.benchmarks.common.photo_sets import data_folder
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.tagging.annotate_by_keys import Person, Tallies, Tally, Window, answer_questions, by_review

SHARES: Final = (0.1, 0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)


def prepare(folder: Path, place: Path, tagged: int, new: int, seed: int) -> dict[int, frozenset[str]]:
    """Index photos of a folder with a ``tags.csv`` in a new library, tag some, and return the tags of the others.

    A library left by an earlier call with the same numbers is reused.
    """
    rng = random.Random(seed)
    with (folder / "tags.csv").open(encoding="utf-8") as lines:
        truth = {line["file"]: frozenset(filter(None, line["tags"].split(";"))) for line in csv.DictReader(lines)}
    files = rng.sample(sorted(file for file, tags in truth.items() if tags), tagged + new)
    names = {f"{number:05}{Path(file).suffix}": truth[file] for number, file in enumerate(files)}
    known = (place / "library").exists()
    if not known:
        (place / "photos").mkdir(parents=True)
        for name, file in zip(names, files, strict=True):
            shutil.copyfile(folder / file, place / "photos" / name)
    with Library.open(place / "library") as library:
        if not known:
            finish(index(library, [place / "photos"]))
            _tag(library, names, tagged)
        by_id = {photo.id: photo.path.name for photo in library.photos.get(library.photos.ids().tolist())}
        untagged = set(library.photos.ids("untagged").tolist())
    return {photo_id: names[name] for photo_id, name in by_id.items() if photo_id in untagged}


def _tag(library: Library, names: dict[str, frozenset[str]], tagged: int) -> None:
    by_tag: dict[str, list[int]] = {}
    for photo in library.photos.get(library.photos.ids().tolist()):
        for tag in names[photo.path.name] if int(photo.path.stem) < tagged else ():
            by_tag.setdefault(tag, []).append(photo.id)
    with library.journal.action("Tag"):
        for tag, ids in sorted(by_tag.items()):
            library.tags.change(ids, [tag])


def by_photo(way: Window) -> None:
    """Answer photo by photo, and the questions in between, until every photo has its tags."""
    page, asked = way.window.modes.review_page.photo_page, way.session.review_pages.photo_by_photo
    while page.isVisible():
        before = asked.photos
        while asked.photo is not None and asked.photos is before:
            _complete(way)
            way.settle("the answer")
            way.answered()
        way.settle("the next questions")
        print(f"  {way.tally.questions} questions, {way.tally.by_photo} photos: {way.tally.course[-1]}", flush=True)
        answer_questions(way)


def _complete(way: Window) -> None:
    """Add all missing tags to the current photo: with its chips, the last with the middle button, or by typing."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from focal_photos.browser.walkthrough.window_driver import pause

    page, asked, tally = way.window.modes.review_page.photo_page, way.session.review_pages.photo_by_photo, way.tally
    photo = asked.photo
    assert photo is not None
    wanted = way.person.look(photo.photo_id) - frozenset(photo.tags)
    tally.by_photo += 1
    for tag in sorted(wanted - set(asked.chosen) - set(asked.offered())):
        way.name(tag)
    clicks = sorted(wanted ^ set(asked.chosen))
    for tag in clicks:
        pause(2)
        chip = next(chip for chip in page.chips() if chip.objectName() == f"tag {tag}")
        last = tag == clicks[-1]
        # A chip that appears under the pointer responds only after the pointer has moved.
        place = chip.rect().center()
        QTest.mouseMove(page, page.rect().bottomRight())
        QTest.mouseMove(chip, place)
        assert not last or set(asked.chosen) ^ {tag} == wanted
        middle = Qt.MouseButton.MiddleButton
        QTest.mouseClick(chip, middle if last else Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        tally.clicks += 1
    if not clicks:
        way.driver.press(Qt.Key.Key_Return)
        tally.keys += 1
    assert asked.photo is not photo


def by_hand(way: Window, photos: int) -> None:
    """Tag some photos one by one in Browse: click, T, and type each tag as far as its completion needs."""
    from PySide6.QtCore import Qt

    for photo_id in sorted(way.person.kinds)[:photos]:
        way.driver.click(way.session.grid.ids.tolist().index(photo_id))
        way.driver.press(Qt.Key.Key_T)
        way.tally.clicks += 1
        way.tally.keys += 1
        for tag in sorted(way.person.look(photo_id)):
            way.name(tag)
            way.driver.wait_until_idle("tagging", 600)
    way.settle("the end")
    way.answered()


def annotate(
    folder: Path,
    tagged: int,
    new: int,
    seed: int,
    kept: Tallies,
    *,
    place: Path,
    course: Path | None = None,
    way: str = "review",
    photos: int = 0,
) -> Tally:
    """Tag the new photos of one shuffle in Review, or some of them by hand.

    After each question, the current tally is written to `course`.
    """
    name = f"{folder.name} {tagged} {new} {seed}"
    known = kept.get(f"{name} {way}")
    if known is not None:
        return known

    def write() -> None:
        if course is not None:
            course.write_text(
                json.dumps({"of": f"{name} {way}", "tally": asdict(window.tally)}) + "\n", encoding="utf-8"
            )

    truth = prepare(folder, place / name, tagged, new, seed)
    own = place / name / way
    shutil.rmtree(own, ignore_errors=True)
    shutil.copytree(place / name / "library", own, ignore=shutil.ignore_patterns("lock*"))
    window = Window(own, Person(truth, 0.0, random.Random(seed)))
    window.course_kept = write
    try:
        if way == "by hand":
            by_hand(window, photos)
        else:
            by_review(window)
            by_photo(window)
    finally:
        window.close()
    kept.put(f"{name} {way}", window.tally)
    return window.tally


def at_share(tally: Tally, share: float) -> tuple[float, float, float]:
    """Return the questions, and the actions and looks per correct tag, at a share of the correct tags, or NaN."""
    course: Sequence[Sequence[int]] = tally.course
    for number, (given, actions, looks) in enumerate(course, 1):
        if given >= share * tally.wanted:
            return number, actions / given, looks / given
    return np.nan, np.nan, np.nan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tagged", type=int, default=4000)
    parser.add_argument("--new", type=int, default=500)
    parser.add_argument("--shuffles", type=int, default=1)
    parser.add_argument("--tallies", type=Path, help="save measurements to a file, and measure nothing twice")
    parser.add_argument(
        "--course",
        type=Path,
        help="save the current tally to a file after each question; pass it as --tallies to get a table",
    )
    parser.add_argument("--place", type=Path, help="folder to keep the libraries in, for reuse")
    parser.add_argument(
        "--by-hand", type=int, default=100, help="number of photos tagged by hand in Browse, one by one"
    )
    parser.add_argument("--save", action="store_true", help="write the table to the results")
    given = parser.parse_args()
    kept = Tallies(given.tallies)
    folder = data_folder() / "corel5k"
    with tempfile.TemporaryDirectory() as temporary:
        place = given.place or Path(temporary)
        numbers = [(folder, given.tagged, given.new, seed, kept) for seed in range(given.shuffles)]
        tallies = [annotate(*each, place=place, course=given.course) for each in numbers]
        typed = [annotate(*each, place=place, way="by hand", photos=given.by_hand) for each in numbers]
    title = f"Actions per correct tag: {given.new} new photos beside {given.tagged} with several tags each"
    report = Report("annotate-several-tags", title)
    rows = []
    for share in SHARES:
        found = np.array([at_share(tally, share) for tally in tallies])
        columns = [mean_and_spread(found[:, j], digits) for j, digits in ((0, 0), (1, 2), (2, 1))]
        rows.append([f"{100 * share:.0f} %", *columns])
    ends = np.array([[t.questions, t.actions / t.given, t.looks / t.given] for t in tallies])
    reached = 100 * np.mean([tally.given / tally.wanted for tally in tallies])
    columns = [mean_and_spread(ends[:, j], digits) for j, digits in ((0, 0), (1, 2), (2, 1))]
    rows.append([f"the last question ({reached:.0f} %)", *columns])
    by_photo = mean_and_spread(np.array([tally.by_photo for tally in tallies], dtype=np.float64), 0)
    rows[-1][1] += f" and {by_photo} photos"
    each = np.array([[tally.actions / tally.given, tally.looks / tally.given] for tally in typed])
    by_hand_columns = [mean_and_spread(each[:, j], digits) for j, digits in ((0, 2), (1, 1))]
    rows.append([f"by hand, {given.by_hand} photos one by one, names completed", "", *by_hand_columns])
    headings = ["right tags given", "questions and photos", "actions for each right tag", "looks for each right tag"]
    report.table(f"corel5k, {given.shuffles} shuffles, {tallies[0].wanted} correct tags in the first", headings, rows)
    if given.save:
        report.save()


if __name__ == "__main__":
    main()
