# SPDX-License-Identifier: MIT
"""Waiting times in the real window with libraries of 10,000, 100,000 and 1,000,000 photos with full vectors.

The libraries are made once and cached (`tests.benchmarks.common.large_library`); each run works on a copy. Seconds are
measured from the key press or click until the result is on the screen (shown) and until no more work is in progress
(idle). Processor time includes all threads until idle, so it is reproducible on a busy machine.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.settings import FOLD
from focal_photos.features.table import STANDARD
from tests.benchmarks.common.described_photos import CACHE
from tests.benchmarks.common.large_library import LargeLibrary, copied, large_library, tagged_photos
from tests.benchmarks.common.report import Report

SIZES = (10_000, 100_000)
_LONGEST = 3600.0  # time limit in seconds for each action
_NEAREST = 200
_TEXT = (
    "Corel-5k many times over with noise; {tagged} photos have tags, 300 pairs are judged. **shown**: seconds from "
    "the key press or click until the result is on the screen; **processor**: seconds of all threads until idle; "
    "median / 95th percentile over the rounds. **Held up**: the longest time between two answers of the main thread; "
    "the maximum processor time of all threads between two answers, a bound for the delay with a core to itself; and "
    "the maximum of the main thread alone. The main thread cannot answer while the window is made. Memory: "
    "**owned** is private (anonymous), **mapped** is mapped from files."
)


@dataclass
class Measured:
    """Results for one library."""

    photos: int
    shown: dict[str, list[float]] = field(default_factory=dict)
    processor: dict[str, list[float]] = field(default_factory=dict)
    blocked: dict[str, float] = field(default_factory=dict)
    worked: dict[str, float] = field(default_factory=dict)
    all_worked: dict[str, float] = field(default_factory=dict)
    memory: list[tuple[str, int, int]] = field(default_factory=list)
    ranking: dict[str, float] = field(default_factory=dict)
    disk: dict[str, int] = field(default_factory=dict)


def memory() -> tuple[int, int]:
    """Return the private bytes of this process in memory, and those mapped from files."""
    sizes = {}
    for line in Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]:
        name, size, *_ = line.split()
        sizes[name] = int(size) << 10
    own = sizes["Anonymous:"]
    return own, sizes["Rss:"] - own


class Run:
    """Drives one window on one library and records the times."""

    def __init__(self, library: Path, count: int) -> None:
        from PySide6.QtCore import QSettings

        from focal_photos.browser.app import make_application
        from focal_photos.browser.views.base.theme import Theme, ThemeChoice
        from tests.benchmarks.common.main_thread import MainThread

        self.found = Measured(count)
        self._library = library
        self._app = make_application([])
        self._settings = QSettings(str(library.parent / "settings.ini"), QSettings.Format.IniFormat)
        self._theme = Theme(self._app, ThemeChoice.DARK)
        self._main = MainThread()

    def note(self, when: str) -> None:
        """Record the memory in use."""
        gc.collect()
        self.found.memory.append((when, *memory()))

    def measure(self, name: str, act: Callable[[], object], shown: Callable[[], bool], *, answers: bool = True) -> None:
        """Act, and record the times until the result is shown and until nothing is in progress.

        Without `answers`, `act` blocks the main thread, and delays are measured only after it.
        """
        from focal_photos.browser.walkthrough.window_driver import pause

        self._main.begin()
        start, processor = time.perf_counter(), time.process_time()
        act()
        if not answers:
            self._main.begin()
        while not shown():
            pause(1)
            if time.perf_counter() - start > _LONGEST:
                raise RuntimeError(f"waited in vain for: {name}")
        waited = time.perf_counter() - start
        self.driver.wait_until_idle(name, _LONGEST)
        used = time.process_time() - processor
        self.found.shown.setdefault(name, []).append(waited)
        self.found.processor.setdefault(name, []).append(used)
        main = self._main
        for kept, longest in (
            (self.found.blocked, main.longest),
            (self.found.worked, main.longest_work),
            (self.found.all_worked, main.longest_of_all),
        ):
            kept[name] = max(kept.get(name, 0.0), longest)
        held_up = f"held up {1000 * main.longest:.0f} ms, {1000 * main.longest_of_all:.0f} of the processor, "
        held_up += f"{1000 * main.longest_work:.0f} its own"
        print(f"  {name}: {waited:.3f} s shown, {used:.2f} s processor, {held_up}", flush=True)

    # ------------------------------------------------------------------ the window
    def open(self) -> None:
        """Open the library in a window and wait for the first pictures."""
        from focal_photos.browser.app import freeze_loaded_objects, make_window, start
        from focal_photos.browser.catalog.library import Library
        from focal_photos.browser.walkthrough.window_driver import WindowDriver

        def act() -> None:
            self.library = Library.open(self._library)
            self.window = make_window(self.library, self._theme, self._settings)
            self.window.resize(1600, 1000)
            self.window.show()
            self.session = self.window.session
            self.driver = WindowDriver(self.window)
            start(self.session, ())
            gc.unfreeze()
            gc.collect()  # free the previous window
            freeze_loaded_objects()

        self.measure("open, first screen", act, self._pictures_shown, answers=False)

    def close(self) -> None:
        """Close the window and destroy it completely before another one opens, as in the program."""
        from PySide6.QtCore import QCoreApplication, QEvent

        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(self.window, QEvent.Type.DeferredDelete)
        self._app.processEvents()

    def _pictures_shown(self) -> bool:
        return len(self.session.grid.ids) > 0 and bool(self.session.grid.visible_ids) and self.session.loader.idle

    def _arranged(self, before: object, focal: int | None) -> Callable[[], bool]:
        """Return a check whether the grid has new rows for this focal image; pictures may still be loading."""
        return lambda: self.session.grid.ids is not before and self.session.navigator.focal_id == focal

    def go(self, rounds: int, heavy: bool) -> None:
        """Perform all actions of the user."""
        for i in range(3):
            self.open()
            if i < 2:
                self.close()
        self.note("opened")
        self.scroll(rounds)
        self.rank(rounds)
        self.note("ranked")
        self.filter(rounds)
        self.judge(rounds)
        self.tag(max(3, rounds // 3))
        self.note("judged and tagged")
        self.train(heavy)
        self.suggest(heavy)
        self.compare()
        self.close()

    def scroll(self, rounds: int) -> None:
        """Page down, and drag to distant places."""
        bar = self.window.photos.grid.verticalScrollBar()
        for _ in range(rounds):
            self.measure("a page down", lambda: bar.setValue(bar.value() + bar.pageStep()), self._pictures_shown)
        for i in range(rounds):
            place = bar.maximum() * (i + 1) // (rounds + 1)
            self.measure("to a far place", lambda place=place: bar.setValue(place), self._pictures_shown)  # type: ignore[misc]
        bar.setValue(0)
        self.driver.wait_until_idle("the top")

    def rank(self, rounds: int) -> None:
        """Click photos to make them focal images, in the order of folders and in a ranking."""
        for i in range(rounds):
            before, photo = self.session.grid.ids, int(self.session.grid.ids[3 + i])
            name = "click: the first ranking" if not i else "click: a ranking"
            self.measure(name, lambda photo=photo: self.session.navigator.focus(photo), self._arranged(before, photo))  # type: ignore[misc]

    def filter(self, rounds: int) -> None:
        """Filter in a ranking and without one."""
        navigator = self.session.navigator
        texts = ("tag:sky", "untagged", "rating>=3", "date:2012", "trip", "tag:water -tag:sky", "größe", "")
        for ranked in (True, False):
            if not ranked:
                before = self.session.grid.ids
                self.measure("leave the ranking", navigator.leave_ranking, self._arranged(before, None))
            for text in texts * max(1, rounds // 6):
                before, focal = self.session.grid.ids, navigator.focal_id
                name = f"filter{' in a ranking' if ranked else ''}: {text or 'none'}"
                self.measure(name, lambda text=text: navigator.set_query(text), self._arranged(before, focal))  # type: ignore[misc]
        done: list[int | None] = []
        for _ in range(rounds):
            done.clear()
            self.measure(
                "next untagged", lambda: self.session.tagging.next_untagged(None, done.append), lambda: bool(done)
            )

    def judge(self, rounds: int) -> None:
        """Judge against a focal image, and undo it."""
        from focal_photos.browser.catalog.facts.records import Verdict

        navigator = self.session.navigator
        before, photo = self.session.grid.ids, int(self.session.grid.ids[7])
        self.measure("click: a ranking", lambda: navigator.focus(photo), self._arranged(before, photo))
        for i in range(rounds):
            other = int(self.session.grid.ids[5 + i])
            marks = len(navigator.marks)
            act = lambda other=other: self.session.targets.judge([other], Verdict.SIMILAR)  # noqa: E731
            self.measure("S: judged", act, lambda marks=marks: len(navigator.marks) > marks)  # type: ignore[misc]
        for _ in range(2):
            marks = len(navigator.marks)
            self.measure("undo of S", self.session.editor.undo, lambda marks=marks: len(navigator.marks) < marks)  # type: ignore[misc]

    def tag(self, rounds: int) -> None:
        """Tag one photo and a thousand photos, and undo it."""
        navigator = self.session.navigator
        for count in (1, 1000):
            for i in range(rounds):
                chosen = tuple(self.session.grid.ids[100 + 1000 * i :][:count].tolist())
                navigator.select(chosen)
                self.driver.wait_until_idle("the selection")
                names = self._names()
                tag = f"new {count} {i}"
                act = lambda tag=tag: self.session.targets.tag([tag])  # noqa: E731
                # Shown: the list of tags has the new tag with its count.
                self.measure(f"tag {count:,}", act, lambda names=names: self._names() != names)  # type: ignore[misc]
                names = self._names()
                undo = self.session.editor.undo
                self.measure(f"undo of tag {count:,}", undo, lambda names=names: self._names() != names)  # type: ignore[misc]
        navigator.select(())

    def _names(self) -> object:
        return tuple(self.session.sidebar.words.tags)

    def train(self, heavy: bool) -> None:
        """Retrain, use the learned metric even if it gains nothing, and let Automatic choose."""
        from focal_photos.browser.models.base.notices import Message, MessageAction

        training = self.session.jobs.training
        before: list[Metric | None] = [None]
        said: list[MessageAction] = []

        def trained() -> bool:
            metric = self.session.overview.now.metric
            # A metric without gain is not used: it counts as shown when the task has ended.
            ended = all(task.title != "Training" for task in self.session.runner.tasks())
            return ended or (metric is not None and metric != before[0])

        def used() -> bool:
            metric = self.session.overview.now.metric
            return metric is not None and metric != before[0]

        def told(message: Message) -> None:
            said.append(message.action)

        self.session.notices.posted.connect(told)
        for learner in ("kernel", "kernel", *(["automatic"] if heavy else [])):
            before[0] = self.session.overview.now.metric
            name = "Automatic" if learner == "automatic" else "Retrain: kernel metric"
            said.clear()
            self.measure(name, lambda learner=learner: training.retrain(learner), trained)  # type: ignore[misc]
            self.note(name)
            # Random photos teach little: without this, only the Euclidean metric would be in use.
            if learner == "kernel" and MessageAction.TRAINED_METRIC in said:
                self.measure("used nevertheless", training.use_nevertheless, used)
                self.note("used nevertheless")
        before_ids, photo = self.session.grid.ids, int(self.session.grid.ids[7])
        act = lambda: self.session.navigator.focus(photo)  # noqa: E731
        self.measure("click: a ranking, learned metric", act, self._arranged(before_ids, photo))

    def suggest(self, heavy: bool) -> None:
        """Suggest tags for the visible photos and for all untagged photos."""
        navigator, told = self.session.navigator, [0]
        self.session.jobs.suggesting.suggested.connect(lambda _ids: told.__setitem__(0, told[0] + 1))
        for everything in (False, *([True] if heavy else [])):
            navigator.select(() if everything else tuple(self.session.grid.visible_ids))
            self.driver.wait_until_idle("the selection")
            if everything and navigator.focal_id is not None:
                navigator.leave_ranking()
                self.driver.wait_until_idle("the folders")
            before = told[0]
            name = f"suggest for {'all untagged' if everything else 'what is in view'}"
            self.measure(name, self.session.tagging.suggest, lambda before=before: told[0] > before)  # type: ignore[misc]
            self.note(name)

    # ------------------------------------------------------------------ rankings beside other programs
    def compare(self) -> None:
        """Rank with the Euclidean metric, faiss, numpy and scikit-learn: first 200, processor seconds."""
        from focal_photos.browser.operations.ranking.ranker import Ranker

        gallery = Ranker(self.library).gallery("euclidean")
        rows = np.array(gallery.rows)
        queries = rows[:: max(1, len(rows) // 9)][:9]
        ways: dict[str, Callable[[np.ndarray], object]] = {
            "Focal": lambda query: gallery.nearest(query, _NEAREST),
            "numpy": lambda query: np.argpartition(np.square(rows - query).sum(1), _NEAREST)[:_NEAREST],
        }
        if importlib.util.find_spec("faiss"):
            import faiss

            faiss.omp_set_num_threads(1)
            index = faiss.IndexFlatL2(rows.shape[1])
            index.add(rows)
            ways["faiss, flat"] = lambda query: index.search(query[None], _NEAREST)
        from sklearn.neighbors import NearestNeighbors

        brute = NearestNeighbors(n_neighbors=_NEAREST, algorithm="brute").fit(rows)
        ways["scikit-learn, brute force"] = lambda query: brute.kneighbors(query[None])
        for name, way in ways.items():
            way(queries[0])
            times = []
            for query in queries:
                start = time.process_time()
                way(query)
                times.append(time.process_time() - start)
            self.found.ranking[name] = float(np.median(times))


def run_one(made: LargeLibrary, count: int, rounds: int, heavy: bool, out: Path) -> None:
    """Measure one library in this process, and write the results as JSON."""
    with tempfile.TemporaryDirectory(prefix="run-", dir=CACHE) as folder:
        copy = copied(made, Path(folder) / "library")
        # These libraries repeat each photo with noise; in a user's library, not all photos are duplicates.
        with Library.open(copy.library) as library:
            FOLD.set(library, False)
            set_enabled(library, STANDARD)  # the library was made with these: no other descriptor runs meanwhile
        run = Run(copy.library, count)
        try:
            run.go(rounds, heavy)
        finally:
            run.found.disk = made.bytes_on_disk()
            out.write_text(json.dumps(asdict(run.found)), encoding="utf-8")


def report(found: list[Measured], label: str) -> None:
    """Write the results."""
    part = Report(f"million{'-' + label if label else ''}", "A large library in the window")
    part.text(_TEXT.format(tagged=", ".join(f"{tagged_photos(one.photos):,}" for one in found)))
    names = list(dict.fromkeys(name for one in found for name in one.shown))

    def cells(one: Measured, name: str) -> list[str]:
        if name not in one.shown:
            return ["", "", ""]
        shown, used = one.shown[name], one.processor[name]
        return [
            f"{np.median(shown):.3f} / {np.percentile(shown, 95):.3f}",
            f"{np.median(used):.2f}",
            " / ".join(f"{1000 * kept[name]:.0f}" for kept in (one.blocked, one.all_worked, one.worked)),
        ]

    columns = [
        "",
        *(
            f"{one.photos:,}: {what}"
            for one in found
            for what in ("shown, s", "processor, s", "held up, ms / all / own")
        ),
    ]
    part.table("Seconds", columns, [[name, *(cell for one in found for cell in cells(one, name))] for name in names])
    moments = list(dict.fromkeys(when for one in found for when, _, _ in one.memory))
    by_time = [{when: (own, mapped) for when, own, mapped in one.memory} for one in found]
    part.table(
        "Memory in MB, owned / mapped",
        ["after", *(f"{one.photos:,}" for one in found)],
        [
            [
                when,
                *(
                    f"{known[when][0] / 1e6:,.0f} / {known[when][1] / 1e6:,.0f}" if when in known else ""
                    for known in by_time
                ),
            ]
            for when in moments
        ],
    )
    ways = list(dict.fromkeys(way for one in found for way in one.ranking))
    part.table(
        f"First {_NEAREST} of a ranking, processor milliseconds on one thread",
        ["", *(f"{one.photos:,}" for one in found)],
        [[way, *(f"{1000 * one.ranking[way]:.1f}" if way in one.ranking else "" for one in found)] for way in ways],
    )
    kinds = list(dict.fromkeys(kind for one in found for kind in one.disk))
    rows = [[kind, *(f"{one.disk.get(kind, 0) / one.photos:,.0f}" for one in found)] for kind in kinds]
    rows.append(["all, GB", *(f"{sum(one.disk.values()) / 1e9:.2f}" for one in found)])
    part.table("Bytes per photo on the disk", ["", *(f"{one.photos:,}" for one in found)], rows)
    part.save()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="*", type=int, default=SIZES, help="sizes of the libraries")
    parser.add_argument("--rounds", type=int, default=9, help="repetitions of quick actions")
    parser.add_argument("--light", action="store_true", help="skip Automatic and suggestions for all")
    parser.add_argument("--label", default="", help="label in the name of the results file, such as before")
    parser.add_argument("--one", nargs=1, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if options.one:
        (count,) = options.photos
        made = large_library(count)
        assert made is not None
        run_one(made, count, options.rounds, not options.light, options.one[0])
        return
    found = []
    for count in options.photos:
        if large_library(count) is None:
            continue
        print(f"\n{count:,} photos", flush=True)
        out = Path(tempfile.mkdtemp(prefix="focal-bench-")) / "found.json"
        command = [sys.executable, "-m", "tests.benchmarks.speed.million", str(count), "--one", str(out)]
        command += ["--rounds", str(options.rounds), *(["--light"] if options.light else [])]
        subprocess.run(command, check=False)  # a separate process for each, to measure its memory
        if out.exists():
            found.append(Measured(**json.loads(out.read_text(encoding="utf-8"))))
        shutil.rmtree(out.parent)
    if found:
        report(found, options.label)


if __name__ == "__main__":
    main()
