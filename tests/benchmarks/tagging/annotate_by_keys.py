# SPDX-License-Identifier: MIT
"""Numbers of keys, clicks and drags needed to tag every photo of a folder, in the real window.

The subfolders of a folder give the true tags; the photos are copied under meaningless names in random order. A
simulated user, who recognises photos reliably or makes some slips, tags them in Review, by hand in Browse, and with the
panel of suggestions. By default: Corel-5k by its CDs and Caltech-101 by its folders, 200 photos of 10 kinds.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import csv
import json
import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.views.base.fields.completer import LINES
from tests.benchmarks.common.photo_sets import data_folder
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.tagging.strokes import PIECES, fewest_actions, straight_pieces

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SCREENS: Final = 3
"""Maximum number of screens of photos that the user examines per question."""
_IMAGES: Final = {".jpg", ".jpeg", ".png"}


@dataclass
class Tally:
    """Counts of the user's work."""

    keys: int = 0
    letters: int = 0
    clicks: int = 0
    drags: int = 0
    pieces: int = 0
    """Number of straight pieces of the drags; each but the first of a drag begins with a change of direction."""
    looks: int = 0
    """`keys`, `letters`, `clicks`, `drags` and `looks`: `letters` are the keys of typed names, with the final Enter or
    Tab; `keys` are all others."""
    names: int = 0
    """Number of typed names."""
    questions: int = 0
    by_photo: int = 0
    """`questions` and `by_photo`: numbers of questions about tags and new kinds, and of questions about single
    photos."""
    photos: int = 0
    """Number of photos."""
    waiting: float = 0.0
    """Seconds between answers and next questions."""
    at_95: int = 0
    """Actions until 95 % of the photos had their tag; 0 if never."""
    errors: int = 0
    """Photos with a wrong tag, several tags or no tag at the end."""
    given: int = 0
    wanted: int = 0
    """`given` and `wanted`: numbers of correct tags that photos have, and should have."""
    course: list[tuple[int, int, int]] = field(default_factory=list)
    """Correct tags given, actions and looks after each question."""

    @property
    def actions(self) -> int:
        """Number of keys, clicks and drags, including every letter of a name."""
        return self.keys + self.letters + self.clicks + self.drags

    @property
    def actions_of_names(self) -> int:
        """Number of actions if a typed name counts as one."""
        return self.keys + self.names + self.clicks + self.drags

    @property
    def seconds(self) -> float:
        """Estimated seconds, without waiting: one for an action or a straight piece of a drag, and for eight looks."""
        return self.actions + max(0, self.pieces - self.drags) + self.looks / 8


@dataclass
class Person:
    """A simulated user who knows the tags of the photos and makes some slips."""

    kinds: dict[int, frozenset[str]]
    """True tags by photo: one kind, or several tags."""
    slips: float
    """Share of looks that see a wrong kind."""
    rng: random.Random
    tally: Tally = field(default_factory=Tally)

    def look(self, photo_id: int) -> frozenset[str]:
        """Return the tags that the user sees."""
        self.tally.looks += 1
        if self.slips and self.rng.random() < self.slips:
            return self.rng.choice(sorted(set(self.kinds.values()), key=sorted))
        return self.kinds[photo_id]


# ---------------------------------------------------------------------- ways of tagging
class Window:
    """The window of a library, operated by a simulated user."""

    def __init__(self, folder: Path, person: Person) -> None:
        from PySide6.QtCore import QSettings
        from PySide6.QtWidgets import QApplication

        from focal_photos.browser.models.session import Session
        from focal_photos.browser.views.base.theme import Theme, ThemeChoice
        from focal_photos.browser.views.window.main_window import MainWindow
        from focal_photos.browser.walkthrough.window_driver import WindowDriver

        app = QApplication.instance() or QApplication([])
        assert isinstance(app, QApplication)
        QApplication.setDoubleClickInterval(1)  # the user waits only for the window
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(Session(Library.open(folder)), Theme(app, ThemeChoice.DARK), settings)
        self.window.resize(1440, 900)
        self.window.show()
        self.session = self.window.session
        self.session.start()
        self.driver = WindowDriver(self.window)
        self.person, self.tally = person, person.tally
        self.course_kept: Callable[[], None] = lambda: None  # called after each question
        self.settle("the window")

    def settle(self, what: str) -> None:
        """Wait until the window is idle, and update the tally."""
        self.driver.wait_until_idle(what, 600)
        kinds, library = self.person.kinds, self.session.library
        tags = library.tags.of(kinds)
        done = sum(
            kind.issuperset(tags[photo_id]) and len(kind) == len(tags[photo_id]) for photo_id, kind in kinds.items()
        )
        self.tally.given = sum(len(kind.intersection(tags[photo_id])) for photo_id, kind in kinds.items())
        self.tally.wanted = sum(map(len, kinds.values()))
        self.tally.errors, self.tally.photos = len(kinds) - done, len(kinds)
        if not self.tally.at_95 and done >= 0.95 * len(kinds):
            self.tally.at_95 = self.tally.actions

    def answered(self) -> None:
        """Record the progress after a question."""
        self.tally.course.append((self.tally.given, self.tally.actions, self.tally.looks))
        self.course_kept()

    def name(self, kind: str) -> None:
        """Type as few letters of a name as its completion needs, and press the key of its line in the list."""
        from PySide6.QtCore import Qt

        from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT

        steps, letters = self._first_word(kind)
        word = kind.partition(" ")[0]
        start = f"{word} " if letters else ""
        if letters:
            self.driver.type(word[: letters - steps - 2])
            for _ in range(steps):
                self.driver.press(Qt.Key.Key_Down)
            self.driver.press(Qt.Key.Key_Tab)
            self.driver.type(" ")
        typed, line = self._least_letters(kind, start)
        self.driver.type(kind[len(start) : typed])
        self.tally.letters += letters + typed - len(start) + 1
        self.tally.names += 1
        if line == 0:
            self.driver.press(Qt.Key.Key_Return)
        elif line > 0:
            self.driver.press(Qt.Key(Qt.Key.Key_0.value + (line + 1) % LINES), CTRL)
        else:
            self.driver.press(Qt.Key.Key_Return, SHIFT if self._completions(kind) else NONE)

    def _first_word(self, kind: str) -> tuple[int, int]:
        """Return the steps down the list and the keys that complete the first of several words, with Tab and Space.

        Both are 0 if it is not worth completing separately.
        """
        word, _, others = kind.partition(" ")
        if not others or self.window.modes.review_page.photo_page.isVisible():  # there, Tab takes the whole name
            return 0, 0
        lists = [(letters, self._completions(word[:letters])) for letters in range(1, len(word))]
        ways = [(letters + found.index(word) + 2, found.index(word)) for letters, found in lists if word in found]
        keys, steps = min(ways, default=(len(kind), 0))
        rest = self._least_letters(kind, f"{word} ")[0] - len(word) - 1
        return (steps, keys) if keys + rest < self._least_letters(kind)[0] else (0, 0)

    def _least_letters(self, kind: str, start: str = "") -> tuple[int, int]:
        """Return the letters of a name, begun with a text, with which it is in the list, and its line; -1 if never."""
        for letters in range(len(start) + 1, len(kind) + 1):
            found = self._completions(kind[:letters])[:LINES]
            if kind in found:
                return letters, found.index(kind)
        return len(kind), -1

    def _completions(self, typed: str) -> list[str]:
        """Return the names offered for a typed text, in the order of the list."""
        pages = self.session.review_pages
        if self.window.modes.review_page.photo_page.isVisible():
            return pages.photo_by_photo.offered(typed)
        return self.session.sidebar.words.complete_name(typed, pages.proposed.names)

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()


def by_review(way: Window) -> None:
    """Answer Review questions until none is left."""
    from PySide6.QtCore import Qt

    from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT

    key = Qt.Key
    way.driver.press(key.Key_G, CTRL | SHIFT)
    way.tally.keys += 1
    way.settle("the first question")
    answer_questions(way)
    page, asked = way.window.modes.review_page.photo_page, way.session.review_pages.photo_by_photo
    while page.isVisible() and _one_tag(way) and way.tally.by_photo < 2 * len(way.person.kinds):
        photos = asked.photos
        while asked.photo is not None and asked.photos is photos:
            _answer_photo(way)
            way.settle("the answer")
        way.answered()
        answer_questions(way)


def _one_tag(way: Window) -> bool:
    """Return whether the current question is about a photo with one tag."""
    photo = way.session.review_pages.photo_by_photo.photo
    return photo is not None and photo.one_tag


def _answer_photo(way: Window) -> None:
    """Answer for a photo with one tag: with Enter, its key, a click, or by typing."""
    from PySide6.QtCore import Qt

    asked, tally = way.session.review_pages.photo_by_photo, way.tally
    photo = asked.photo
    assert photo is not None
    wanted = next(iter(way.person.look(photo.photo_id)), "")
    tally.by_photo += 1
    if not wanted:
        way.driver.press(Qt.Key.Key_Tab)
        tally.keys += 1
    elif asked.chosen == [wanted]:
        way.driver.press(Qt.Key.Key_Return)
        tally.keys += 1
    elif not press_key(way, wanted):
        way.name(wanted)


def press_key(way: Window, tag: str) -> bool:
    """Press the digit key of a tag in Review, if it has one."""
    from PySide6.QtCore import Qt

    key = way.session.review_pages.tag_keys.key(tag)
    if len(key) != 1:
        return False
    way.driver.press(Qt.Key(Qt.Key.Key_0.value + int(key)))
    way.tally.keys += 1
    return True


def answer_questions(way: Window) -> None:
    """Answer the questions about tags and new kinds until none is left."""
    review, page = way.session.review, way.window.modes.review_page.photo_page
    while review.question is not None and not review.question.again and way.tally.questions < 5 * len(way.person.kinds):
        if page.isVisible():
            break
        answer_question(way)


def answer_question(way: Window) -> bool:
    """Answer one question; return False if it is left open because no photo of a new kind has a known tag."""
    review = way.session.review
    way.tally.questions += 1
    before = review.question
    answered = _answer(way)
    began = time.monotonic()
    way.driver.wait_until(lambda: way.window.modes.review_page.question_page.ready, "the next question", 600)
    way.tally.waiting += time.monotonic() - began
    way.settle("all that goes on behind")
    assert review.question is not before
    way.answered()
    if way.tally.questions % 20 == 0:
        print(f"  {way.tally.questions} questions: {way.tally.course[-1]}", flush=True)
    return answered


def _answer(way: Window) -> bool:
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    from focal_photos.browser.views.base.buttons import FreshButton
    from focal_photos.browser.walkthrough.window_driver import NONE, SHIFT, pause

    review, grid, tally = way.session.review, way.window.modes.review_page.grid, way.tally
    assert review.question is not None
    ids, tag = review.answers.photo_ids, review.question.tag
    kinds: list[frozenset[str]] = []
    screen = max(1, grid.viewport().height() // grid.gridSize().height()) * grid.columns
    for number in range(SCREENS):
        kinds += [way.person.look(photo_id) for photo_id in ids[number * screen : (number + 1) * screen]]
        if number == 0 and tag is None:
            named = {each.name for each in way.session.library.tags.all()}
            first = kinds[: max(8, min(review.answers.line, screen))]
            fresh = Counter(kind for each in first for kind in each if kind not in named) or Counter(
                kind for each in first for kind in each
            )
            if not fresh:
                grid.setFocus()
                way.driver.press(Qt.Key.Key_Tab)
                tally.keys += 1
                return False
            wanted = fresh.most_common(1)[0][0]
        elif number == 0:
            assert tag is not None
            wanted = tag
        grid.scrollTo(grid.model().index(len(kinds) - 1, 0))
        pause(5)
        if len(kinds) >= len(ids) or not any(wanted in kind for kind in kinds[-2 * grid.columns :]):
            break
    line, strokes = fewest_actions([wanted in kind for kind in kinds], review.answers.line, grid.columns)

    def center(row: int) -> QPoint:
        grid.scrollTo(grid.model().index(row, 0))
        pause(2)
        return grid.visualRect(grid.model().index(row, 0)).center()

    left, viewport = Qt.MouseButton.LeftButton, grid.viewport()
    chosen = {ids[row] for row, kind in enumerate(kinds) if wanted in kind}
    if line != review.answers.line:
        if line:
            QTest.mouseClick(viewport, left, SHIFT, center(line - 1))
            tally.clicks += 1
        else:
            review.tiles.move_line(0)
            tally.drags += 1
    for stroke in strokes:
        # The last gesture of a question about a tag uses the middle button, which also submits the answers.
        goes_on = tag is not None and stroke is strokes[-1]
        button = Qt.MouseButton.MiddleButton if goes_on else left
        if len(stroke) == 1:
            tally.clicks += 1
        else:
            tally.drags += 1
            tally.pieces += straight_pieces(stroke, grid.columns)
        QTest.mousePress(viewport, button, NONE, center(stroke[0]))
        for row in stroke[1:]:
            QTest.mouseMove(viewport, center(row))
        if goes_on:
            assert set(review.answers.yes) == chosen, "the window differs from the user's answers"
        QTest.mouseRelease(viewport, button, NONE, center(stroke[-1]))
        if goes_on:
            return True
    assert set(review.answers.yes) == chosen, "the window differs from the user's answers"
    offered = way.window.modes.review_page.findChild(FreshButton, f"known {wanted}")
    if tag is None and press_key(way, wanted):
        return True
    if tag is None and offered is not None:
        QTest.mouseMove(offered, offered.rect().center())
        QTest.mouseClick(offered, left)
        QTest.mouseMove(viewport, viewport.rect().center())  # back to the photos, away from other chips
        tally.clicks += 1
    elif tag is None:
        way.name(wanted)
    else:
        grid.setFocus()
        way.driver.press(Qt.Key.Key_Return)
        tally.keys += 1
    return True


def by_hand(way: Window) -> None:
    """Tag in Browse: walk to an untagged photo, select photos of its kind at the top of the ranking, and tag them."""
    from PySide6.QtCore import Qt

    from focal_photos.browser.walkthrough.window_driver import CTRL

    session, tally, driver = way.session, way.tally, way.driver
    driver.press(Qt.Key.Key_F, CTRL)
    driver.type("untagged")
    driver.press(Qt.Key.Key_Return)
    tally.keys += len("untagged") + 2
    way.settle("the filter")
    while session.grid.rowCount() and tally.questions < 5 * len(way.person.kinds):
        tally.questions += 1
        if session.navigator.focal_id is not None:
            driver.press(Qt.Key.Key_G)
            tally.keys += 1
            way.settle("the order of the folders")
        first = session.grid.photo_id(0)
        (wanted,) = way.person.look(first)
        driver.walk(0)
        tally.clicks += 2
        way.settle("the ranking")
        _select(way, wanted)
        digit = session.tagging.pinned.tags.index(wanted) + 1 if wanted in session.tagging.pinned.tags else 0
        driver.grid.setFocus()
        if digit:
            driver.press(Qt.Key(Qt.Key.Key_0.value + digit))
            tally.keys += 1
        else:
            driver.press(Qt.Key.Key_T)
            tally.keys += 1
            way.name(wanted)
            driver.press(Qt.Key.Key_Escape)
            tally.keys += 1
        way.settle("tagging")


def _select(way: Window, wanted: str) -> None:
    """Select the photos of a kind on the first three screens."""
    from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT

    grid, model, tally = way.driver.grid, way.session.grid, way.tally
    screen = max(1, grid.viewport().height() // grid.gridSize().height()) * grid.columns
    seen: list[int] = []
    for number in range(SCREENS):
        seen += model.ids[number * screen : (number + 1) * screen].tolist()
        kinds = [way.person.look(photo_id) for photo_id in seen[number * screen :]]
        if not any(wanted in kind for kind in kinds[-2 * grid.columns :]):
            break
    right = [wanted in way.person.kinds[photo_id] for photo_id in seen]
    for first, last in runs_of(right):
        way.driver.click(first, CTRL)
        tally.clicks += 1
        if last > first:
            way.driver.click(last, CTRL | SHIFT)
            tally.clicks += 1
    way.settle("the selection")


def by_suggestions(way: Window) -> None:
    """Tag two photos of each kind, answer the suggestions in the panel one by one, and tag the rest by hand."""
    from PySide6.QtCore import Qt

    from focal_photos.browser.walkthrough.window_driver import CTRL

    session, tally, driver = way.session, way.tally, way.driver
    for wanted in sorted(frozenset[str]().union(*way.person.kinds.values())):
        rows = [row for row, i in enumerate(session.grid.ids.tolist()) if wanted in way.person.kinds[i]][:2]
        tally.looks += max(rows) + 1
        for row in rows:
            driver.click(row, CTRL)
        driver.press(Qt.Key.Key_T)
        tally.clicks += len(rows)
        tally.keys += 1
        way.name(wanted)
        way.settle("tagging")
        for _ in range(2):
            driver.press(Qt.Key.Key_Escape)
        tally.keys += 2
        way.settle("the empty selection")
    driver.press(Qt.Key.Key_G, CTRL)
    tally.keys += 1
    way.settle("the suggestions")
    panel = way.window.right_column.suggestions.list
    while session.tagging.suggestions.rowCount():
        suggestion = session.tagging.suggestions.row(0).suggestion
        right = suggestion.tag in way.person.look(suggestion.photo_id)
        panel.make_current(0)
        panel.setFocus()
        driver.press(Qt.Key.Key_A if right else Qt.Key.Key_X)
        tally.keys += 1
        way.settle("the answer")
    driver.grid.setFocus()
    by_hand(way)


def runs_of(right: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the runs (first, last) of True values."""
    runs: list[tuple[int, int]] = []
    for row in np.flatnonzero(np.asarray(right, dtype=bool)).tolist():
        if runs and row == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], row
        else:
            runs.append((row, row))
    return runs


WAYS: Final[dict[str, Callable[[Window], None]]] = {
    "by hand": by_hand,
    "suggestions one by one": by_suggestions,
    "review": by_review,
}


# ---------------------------------------------------------------------- photos
def short_names(folder: Path, kinds: Sequence[str]) -> dict[str, str]:
    """Return short names of the kinds: the most distinctive tag of a Corel-5k CD, otherwise the folder's name."""
    table = folder / "tags.csv"
    if not table.exists():
        return {kind: kind.lower().replace("_", " ") for kind in kinds}
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    with table.open(encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            kind = Path(line["file"]).parent.name
            if kind in counts:
                counts[kind].update(line["tags"].split(";"))
    names: dict[str, str] = {}
    for kind in kinds:
        others = sum((counts[other] for other in kinds if other != kind), Counter[str]())
        free = [word for word in counts[kind] if word not in names.values()]
        names[kind] = max(free, key=lambda word: (counts[kind][word] - others[word], word))
    return names


def copy_shuffled(folder: Path, target: Path, kinds: int, photos: int, seed: int) -> dict[str, str]:
    """Copy photos of some subfolders under meaningless names; return the kind of each file."""
    rng = random.Random(seed)
    folders = sorted(each for each in folder.iterdir() if each.is_dir() and each.name != "BACKGROUND_Google")
    files = {each.name: sorted(f for f in each.iterdir() if f.suffix.lower() in _IMAGES) for each in folders}
    share = -(-photos // kinds)
    largest = sorted(files, key=lambda name: (-len(files[name]), name))
    enough = [name for name in sorted(files) if len(files[name]) >= min(share, len(files[largest[kinds - 1]]))]
    chosen = sorted(rng.sample(enough, kinds))
    names = short_names(folder, chosen)
    taken = [(file, names[name]) for name in chosen for file in rng.sample(files[name], min(share, len(files[name])))]
    rng.shuffle(taken)
    target.mkdir(parents=True)
    truth = {}
    for number, (file, name) in enumerate(taken[:photos]):
        copied = target / f"{number:05}{file.suffix}"
        shutil.copyfile(file, copied)
        truth[copied.name] = name
    return truth


class Tallies:
    """Tallies saved in a file, so that nothing is measured twice."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._kept: dict[str, Tally] = {}
        if file is not None and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self._kept[entry["of"]] = Tally(**entry["tally"])

    def get(self, of: str) -> Tally | None:
        """Return the saved tally, or None."""
        return self._kept.get(of)

    def put(self, of: str, tally: Tally) -> None:
        self._kept[of] = tally
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"of": of, "tally": asdict(tally)}) + "\n")


def annotate(
    folder: Path, kinds: int, photos: int, seed: int, slips: float, ways: Sequence[str], kept: Tallies
) -> dict[str, Tally]:
    """Annotate one shuffle of a folder in each way, each time from an empty library."""
    names = {way: f"{folder.name} {photos} {kinds} {seed} {slips} {way}" for way in ways}
    tallies = {way: known for way in ways if (known := kept.get(names[way])) is not None}
    if len(tallies) == len(ways):
        return tallies
    with tempfile.TemporaryDirectory() as place:
        truth = copy_shuffled(folder, Path(place) / "photos", kinds, photos, seed)
        with Library.open(Path(place) / "library") as library:
            finish(index(library, [Path(place) / "photos"]))
            every = library.photos.get(library.photos.ids("").tolist())
            by_id = {photo.id: frozenset({truth[photo.path.name]}) for photo in every}
        for way in [way for way in ways if way not in tallies]:
            own = Path(place) / way.replace(" ", "-")
            shutil.copytree(Path(place) / "library", own, ignore=shutil.ignore_patterns("lock*"))
            window = Window(own, Person(by_id, slips, random.Random(seed)))
            try:
                WAYS[way](window)
                window.settle("the end")
            finally:
                window.close()
            tallies[way] = window.tally
            kept.put(names[way], window.tally)
            print(f"{names[way]}: {window.tally}", flush=True)
    return {way: tallies[way] for way in ways}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="folders whose subfolders give the true tags")
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--kinds", type=int, default=10)
    parser.add_argument("--shuffles", type=int, default=3)
    parser.add_argument("--slips", type=float, default=0.0, help="share of looks that see a wrong kind")
    parser.add_argument("--first", type=int, default=0, help="number of the first shuffle")
    parser.add_argument(
        "--patience", type=int, help="ms until the last known question is shown; increase it on a busy machine"
    )
    parser.add_argument("--tallies", type=Path, help="save measurements to a file, and measure nothing twice")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--save", action="store_true", help="write the table to the results")
    given = parser.parse_args()
    if given.patience:
        from focal_photos.browser.models.review import review

        review.MAX_WAIT = given.patience  # type: ignore[misc]
    data = data_folder()
    folders = given.folders or ([data / "corel5k", data / "caltech101"])
    slips = f", {100 * given.slips:.0f} % slips" if given.slips else ""
    name = f"annotate-by-keys-{given.photos}" + ("-slips" if given.slips else "")
    report = Report(name, f"Actions to tag {given.photos} photos of {given.kinds} kinds{slips}")
    rows = []
    kept = Tallies(given.tallies)
    for folder in folders:
        runs = [
            annotate(folder, given.kinds, given.photos, seed, given.slips, given.ways.split(","), kept)
            for seed in range(given.first, given.first + given.shuffles)
        ]
        for way in runs[0]:
            tallies = [run[way] for run in runs]

            def mean(what: Callable[[Tally], float], tallies: Sequence[Tally] = tallies) -> str:
                return mean_and_spread(np.array([what(tally) for tally in tallies], dtype=np.float64), 0)

            rows.append(
                [
                    folder.name,
                    way,
                    mean(lambda tally: tally.actions),
                    mean(lambda tally: tally.actions_of_names),
                    mean(lambda tally: tally.at_95),
                    mean(lambda tally: tally.keys),
                    mean(lambda tally: tally.letters),
                    mean(lambda tally: tally.clicks),
                    mean(lambda tally: tally.drags),
                    mean(lambda tally: tally.pieces),
                    mean(lambda tally: tally.looks),
                    mean(lambda tally: tally.questions),
                    mean(lambda tally: 1000 * tally.waiting / max(1, tally.questions)),
                    mean(lambda tally: 3600 * (tally.photos - tally.errors) / tally.seconds),
                    f"{100 * np.mean([tally.errors / tally.photos for tally in tallies]):.1f} %",
                ]
            )
    titles = ["photos", "way", "actions", "a name as one", "until 95 %", "keys", "letters", "clicks", "drags"]
    titles.append("straight pieces of drags")
    report.table(
        f"{given.photos} photos of {given.kinds} kinds, {given.shuffles} shuffles, {100 * given.slips:.0f} % slips",
        [*titles, "looks", "questions", "ms waited each", "photos an hour", "wrong at the end"],
        rows,
    )
    report.text(
        f"Photos per hour: correctly tagged ones, at one action, straight piece of a drag or eight looks per second. "
        f"The user draws drags of at most {PIECES} straight pieces."
    )
    if given.save:
        report.save()


if __name__ == "__main__":
    main()
