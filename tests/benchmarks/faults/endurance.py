# SPDX-License-Identifier: MIT
"""Use a real window for hours while other programs read its library: no write may be refused or lost.

``python -m tests.benchmarks.faults.endurance [--minutes 60] [--commits 5000] [--photos 300] [--seed 0]``. A simulated
user with a seed browses, judges, tags, filters, undoes, trains, asks for suggestions and reviews, by keys and mouse. At
the same time, other processes read the catalogue in short and long transactions, and some are killed; threads of the
window hold readers across commits; and commands run. A checkpoint is attempted every few pages. A session lasts the
given minutes, over which it spreads the given commits, or longer until it has made them.

Each error message counts as a problem. Memory, open files and threads are sampled throughout. At the end, the library
is reopened, checked, and compared with the contents shown last.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import psutil
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from focal_photos.browser.app import make_application
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.views.base.theme import Theme, ThemeChoice
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, SHIFT, DriverError, WindowDriver
from tests.benchmarks.common.shim import REPOSITORY
from tests.browser.operations.album import Album

Key = Qt.Key

_TAGS: Final = ("beach", "sea", "city", "dog", "snow")
_SAMPLES_A_SESSION: Final = 60
_LONGEST_PAUSE: Final = 2.0  # seconds

_READER: Final = """
import random, sqlite3, sys, time
path, longest, seed = sys.argv[1], float(sys.argv[2]), sys.argv[3]
chance = random.Random(seed)
connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None, timeout=60)
while True:
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM photo_tag").fetchone()
    time.sleep(chance.uniform(0.0, longest))
    connection.execute("COMMIT")
    time.sleep(chance.uniform(0.0, 0.05))
"""

_FOCAL: Final = "import sys; from focal_photos.browser.cli import main; sys.exit(main())"
_COMMANDS: Final = (
    ("list",),
    ("list", "untagged"),
    ("tags",),
    ("metrics",),
    ("check",),
)


class Sample(NamedTuple):
    """Resources of the window's process at one moment."""

    minute: float
    commits: int
    memory: float  # private memory in MB
    files: int
    threads: int


@dataclass
class Outcome:
    seconds: float = 0.0
    commits: int = 0
    problems: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    killed_readers: int = 0
    commands: int = 0
    samples: list[Sample] = field(default_factory=list)

    def growth(self) -> str:
        """Return memory, files and threads in the second and the last quarter of the session, as medians."""
        quarter = max(1, len(self.samples) // 4)
        early, late = self.samples[quarter : 2 * quarter] or self.samples, self.samples[-quarter:]

        def medians(name: str) -> str:
            before, after = (statistics.median(getattr(one, name) for one in part) for part in (early, late))
            return f"{name} {before:.0f} -> {after:.0f}"

        return ", ".join(medians(name) for name in ("memory", "files", "threads")) if self.samples else "no samples"


# ---------------------------------------------------------------------- concurrent readers
class ReaderProcesses:
    """Processes that hold read transactions of the catalogue; from time to time a reader is killed.

    Parameters
    ----------
    catalog : pathlib.Path
    seed : int
    """

    def __init__(self, catalog: Path, seed: int) -> None:
        self._catalog = catalog
        self._chance = random.Random(f"readers {seed}")
        self.killed = 0
        self._processes = [self._start(longest) for longest in (0.05, 0.5, 3.0)]

    def step(self) -> None:
        """Rarely, kill one process and start another."""
        if self._chance.random() > 0.02:
            return
        number = self._chance.randrange(len(self._processes))
        self._processes[number].send_signal(signal.SIGKILL)
        self._processes[number].wait()
        self._processes[number] = self._start(self._chance.choice((0.05, 0.5, 3.0)))
        self.killed += 1

    def end(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()

    def _start(self, longest: float) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", _READER, str(self._catalog), str(longest), str(self._chance.random())]
        return subprocess.Popen(command)


def _hold_readers(library: Library, seed: int, ended: threading.Event) -> None:
    """Hold readers in the window's own process across commits until the session ends."""
    chance = random.Random(f"thread {seed}")
    while not ended.is_set():
        with library.database.reading() as connection:
            connection.execute("SELECT count(*) FROM photo_tag").fetchone()
            ended.wait(chance.choice((0.0, 0.05, 0.5, 2.0)))
        ended.wait(0.01)


def _run_commands(folder: Path, seed: int, ended: threading.Event, outcome: Outcome, pause: float) -> None:
    """Run read-only commands, one after another, until the session ends."""
    chance = random.Random(f"commands {seed}")
    while not ended.wait(pause):
        arguments = chance.choice(_COMMANDS)
        done = subprocess.run(
            [sys.executable, "-c", _FOCAL, arguments[0], "--library", str(folder), *arguments[1:]],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        outcome.commands += 1
        if done.returncode:
            outcome.problems.append(f"focal {' '.join(arguments)} ended with {done.returncode}: {done.stderr[-300:]}")


@contextmanager
def _company(library: Library, seed: int, outcome: Outcome, pause: float) -> Iterator[ReaderProcesses]:
    """Run reading processes, threads and commands beside the window."""
    ended = threading.Event()
    readers = ReaderProcesses(library.path / "catalog.sqlite", seed)
    threads = [
        threading.Thread(target=_hold_readers, args=(library, seed, ended)),
        threading.Thread(target=_run_commands, args=(library.path, seed, ended, outcome, pause)),
    ]
    for thread in threads:
        thread.start()
    try:
        yield readers
    finally:
        ended.set()
        readers.end()
        for thread in threads:
            thread.join()
        outcome.killed_readers = readers.killed


# ---------------------------------------------------------------------- the user
class Person:
    """A simulated user of a window, with a seed.

    Parameters
    ----------
    driver : WindowDriver
    seed : int
    """

    def __init__(self, driver: WindowDriver, seed: int) -> None:
        self._driver = driver
        self._session = driver.session
        self._chance = random.Random(seed)
        self._doings: dict[Callable[[], None], int] = {
            self.judge: 30,
            self.tag: 12,
            self.rate: 15,
            self.undo_and_redo: 8,
            self.walk: 10,
            self.go_back: 3,
            self.filter: 2,
            self.answer_suggestions: 4,
            self.review: 1,
            self.retrain: 1,
            self.suggest: 1,
        }

    def step(self) -> str:
        """Do one random action and return its name."""
        (doing,) = self._chance.choices(list(self._doings), list(self._doings.values()))
        doing()
        self._driver.wait_until_idle(doing.__name__, 300)
        return doing.__name__

    def walk(self) -> None:
        """Make a visible photo the focal image."""
        row = self._row()
        if row is not None:
            self._driver.walk(row)

    def go_back(self) -> None:
        self._driver.window.focus_photos()
        self._driver.press(Key.Key_Left, ALT)

    def judge(self) -> None:
        """Judge some photos under the pointer with S and D."""
        if self._driver.navigator.focal is None:
            self.walk()
            self._driver.wait_until_idle("the ranking", 300)
        for _ in range(4):
            row = self._row()
            if row is None:
                return
            self._driver.hover(row)
            self._driver.press(self._chance.choice((Key.Key_S, Key.Key_D)))

    def tag(self) -> None:
        first, last = self._row(), self._row()
        if first is None or last is None:
            return
        self._driver.click(first)
        self._driver.click(last, SHIFT)
        self._driver.press(Key.Key_T)
        self._driver.type(self._chance.choice(_TAGS))
        for key in (Key.Key_Return, Key.Key_Escape, Key.Key_Escape):
            self._driver.press(key)

    def rate(self) -> None:
        for _ in range(6):
            row = self._row()
            if row is not None:
                self._driver.click(row)
                self._session.editor.rate([self._session.grid.photo_id(row)], self._chance.randrange(1, 6))

    def undo_and_redo(self) -> None:
        count = self._chance.randrange(1, 5)
        for _ in range(count):
            self._driver.press(Key.Key_Z, CTRL)
        self._driver.wait_until_idle("undo", 300)
        for _ in range(self._chance.randrange(count + 1)):
            self._driver.press(Key.Key_Z, CTRL | SHIFT)

    def filter(self) -> None:
        """Filter by a tag, then show all photos again."""
        self._driver.press(Key.Key_F, CTRL)
        self._driver.type(self._chance.choice(("untagged", *_TAGS)))
        self._driver.press(Key.Key_Return)
        self._driver.wait_until_idle("the filter", 300)
        self._driver.press(Key.Key_F, CTRL)
        self._driver.press(Key.Key_A, CTRL)
        for key in (Key.Key_Delete, Key.Key_Return, Key.Key_Escape):
            self._driver.press(key)
        self._driver.window.focus_photos()

    def suggest(self) -> None:
        self._driver.press(Key.Key_G, CTRL)

    def answer_suggestions(self) -> None:
        """Accept or reject the current suggestion."""
        self._driver.window.right_column.suggestions.list.setFocus()
        self._driver.press(self._chance.choice((Key.Key_A, Key.Key_X)))
        self._driver.window.focus_photos()

    def retrain(self) -> None:
        self._driver.press(Key.Key_R, CTRL)

    def review(self) -> None:
        self._driver.press(Key.Key_G, CTRL | SHIFT)
        for _ in range(4):
            self._driver.wait_until_idle("the question", 300)
            self._driver.press(Key.Key_Return)
        self._driver.wait_until_idle("the answers", 300)
        for _ in range(3):
            self._driver.press(Key.Key_Escape)
        self._driver.wait_until_idle("the photos", 300)
        self._driver.press(Key.Key_G)
        self._driver.window.focus_photos()

    def _row(self) -> int | None:
        """Return one of the first rows, or None if no photo is shown."""
        count = len(self._session.grid.ids)
        return self._chance.randrange(min(count, 24)) if count else None


# ---------------------------------------------------------------------- one session
def session(
    place: Path, *, minutes: float, commits: int, photos: int, seed: int, pages: int, pause: float = 5.0
) -> Outcome:
    """Run one session in an empty folder and return its outcome.

    Parameters
    ----------
    place : pathlib.Path
    minutes, commits
        Minimum duration and number of commits.
    photos : int
        Number of photos in the library.
    seed : int
    pages : int
        Number of pages in the log that triggers a checkpoint.
    pause : float
        Seconds between two commands.
    """
    outcome = Outcome()
    folder = place / "library"
    album = Album(place / "photos")
    for number in range(photos):
        album.draw(f"{number % 3}/{number:04}.jpg", kind=("warm", "cold", "green")[number % 3], seed=number)
    with Library.open(folder) as library:
        set_enabled(library, ["color_moments", "gabor"])
        finish(index(library, [album.folder], backend="threads", workers=2))
    app = make_application(["focal"])
    settings = QSettings(str(place / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(Session(Library.open(folder)), Theme(app, ThemeChoice.DARK), settings)
    window.resize(1200, 800)
    window.show()
    window.session.start([])
    driver = WindowDriver(window)
    driver.wait_until_idle("the library", 300)
    library = window.session.library
    with library.database.transaction() as connection:
        connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")
    process = psutil.Process()
    begun, first = time.monotonic(), _count(library)
    with _company(library, seed, outcome, pause) as readers:
        person = Person(driver, seed)
        while True:
            outcome.seconds, outcome.commits = time.monotonic() - begun, _count(library) - first
            if outcome.seconds >= len(outcome.samples) * minutes * 60 / _SAMPLES_A_SESSION:
                held = process.memory_full_info().uss / 1e6
                outcome.samples.append(
                    Sample(outcome.seconds / 60, outcome.commits, held, process.num_fds(), process.num_threads())
                )
            if outcome.seconds >= minutes * 60 and outcome.commits >= commits:
                break
            try:
                outcome.done[person.step()] += 1
            except DriverError as error:
                outcome.problems.append(f"after {outcome.commits} commits, {outcome.seconds:.0f} s: {error}")
                _dismiss_messages(driver)
                if len(outcome.problems) > 20:
                    break
            readers.step()
            ahead = minutes * 60 * outcome.commits / commits - outcome.seconds
            if ahead > 0:  # spread the commits over the session, like a user who pauses
                QTest.qWait(round(1000 * min(ahead, _LONGEST_PAUSE)))
        with suppress(DriverError):
            driver.wait_until_idle("the end", 300)
        shown = _contents(library)
    window.close()
    with Library.open(folder) as library:
        outcome.problems += [f"after the session: {problem}" for problem in library.database.check()]
        if _contents(library) != shown:
            outcome.problems.append("after the session: the library is not what the window showed")
    return outcome


def _dismiss_messages(driver: WindowDriver) -> None:
    """Close the current message of the message bar and all waiting ones."""
    bar = driver.window.message_bar
    while bar.message is not None:
        QTest.keyClick(bar, Key.Key_Escape)


def _count(library: Library) -> int:
    (count,) = library.database.rows("SELECT commits FROM commit_count")[0]
    return int(count)


def _contents(library: Library) -> list[object]:
    """Return the user's data."""
    return [
        library.database.rows(f"SELECT * FROM {table} ORDER BY 1, 2")
        for table in ("tag", "photo_tag", "judgement", "mark")
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--commits", type=int, default=5000)
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pause", type=float, default=5.0, help="seconds between two commands")
    parser.add_argument("--pages", type=int, default=20, help="log pages that trigger a checkpoint")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        outcome = session(
            Path(name),
            minutes=options.minutes,
            commits=options.commits,
            photos=options.photos,
            seed=options.seed,
            pages=options.pages,
            pause=options.pause,
        )
    print(
        f"seed {options.seed}, {options.pages} pages: {outcome.commits} commits in {outcome.seconds / 60:.0f} minutes, "
        f"{outcome.commands} commands, {outcome.killed_readers} readers killed"
    )
    print(", ".join(f"{name} {count}" for name, count in outcome.done.most_common()))
    print(outcome.growth())
    print(f"{len(outcome.problems)} problems")
    for problem in outcome.problems:
        print(problem)
    return 1 if outcome.problems else 0


if __name__ == "__main__":
    sys.exit(main())
