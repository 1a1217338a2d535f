# SPDX-License-Identifier: MIT
"""Run commands that write to one library at the same time, with and without a window, and kill some of them.

``python -m tests.benchmarks.faults.concurrent_writers [--writers 8] [--commands 100] [--seed 0]``: each writer adds
tags to its own photo and removes some of them, one command at a time. Some commands, and sometimes the window, are
killed with SIGKILL. At the end, the library is compared with a simple model: confirmed changes are present, killed ones
are present completely or not at all, no command fails, and each tagging is one undo step.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.forwarding.place import socket_name
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from tests.browser.cli.command_line import ENVIRONMENT, FOCAL
from tests.browser.operations.album import Album

KILLED: Final = 0.1
"""Share of commands to kill."""
LATEST: Final = 0.6
"""Maximum time in seconds before a command is killed."""
LONGEST: Final = 120.0
"""Time in seconds after which a process counts as hanging."""
UNKNOWN: Final = b"whether the change was made is not known"


@dataclass
class Writer:
    """One writer and its knowledge of its photo."""

    photo: Path
    sure: dict[str, bool] = field(default_factory=dict)
    """Known tags of the photo: True if present, False if absent."""
    unsure: set[str] = field(default_factory=set)
    """Tags whose command was killed or whose outcome the window did not report."""
    outcomes: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def work(self, library: Path, commands: int, chance: random.Random) -> None:
        for number in range(commands):
            here = [tag for tag, has in self.sure.items() if has]
            if here and chance.random() < 0.3:
                tag, adds = chance.choice(here), False
            else:
                tag, adds = f"{self.photo.stem}-{number}", True
            self._call(library, tag, chance.uniform(0, LATEST) if chance.random() < KILLED else None, adds=adds)

    def _call(self, library: Path, tag: str, killed_after: float | None, *, adds: bool) -> None:
        words = [*FOCAL, "tag", str(self.photo), f"{'+' if adds else '-'}{tag}", "--library", str(library)]
        with subprocess.Popen([*words, "--wait", str(LONGEST)], env=ENVIRONMENT, stdout=-1, stderr=-1) as process:
            try:
                out, err = process.communicate(timeout=killed_after or 2 * LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
        if process.returncode == 0:
            self.outcomes["confirmed"] += 1
            self.sure[tag] = adds
            if b"Nothing" in out:
                self.problems.append(f"{tag}: it said {out!r}")
        elif process.returncode == -signal.SIGKILL and killed_after is not None:
            self.outcomes["killed"] += 1
            self.sure.pop(tag, None)
            self.unsure.add(tag)
        elif UNKNOWN in err:
            self.outcomes["not known"] += 1
            self.sure.pop(tag, None)
            self.unsure.add(tag)
        else:
            self.problems.append(f"{tag}: it ended with {process.returncode}: {err.decode(errors='replace')}")


class Windows:
    """A window on a library, killed and restarted from time to time until the block ends."""

    def __init__(self, library: Path, seconds: float, chance: random.Random) -> None:
        self._library, self._seconds, self._chance = library, seconds, chance
        self._over = threading.Event()
        self.kills = 0
        self.starts = 0
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Windows:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        name = socket_name(self._library)
        assert name is not None
        settings = str(self._library.with_name("settings"))
        environment = {**ENVIRONMENT, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": settings}
        while not self._over.is_set():
            with suppress(FileNotFoundError):
                Path(name).unlink()
            with subprocess.Popen([*FOCAL, "--library", str(self._library)], env=environment, stderr=-3) as window:
                while not Path(name).exists() and not self._over.is_set() and window.poll() is None:
                    time.sleep(0.05)
                self.starts += Path(name).exists()
                self._over.wait(self._chance.uniform(0.5, 2) * self._seconds)
                window.kill()
                self.kills += 1


def write(place: Path, writers: int, commands: int, seed: int, *, window: bool, seconds: float = 8.0) -> list[str]:
    """Run writers on a new library in a folder; print the outcome and return the problems."""
    album, library = Album(place / "photos"), place / "library"
    for number in range(writers):
        album.draw(f"writer{number}.jpg", seed=number)
    words = ["index", str(album.folder), "--descriptors", "color_moments", "--library", str(library)]
    subprocess.run([*FOCAL, *words], env=ENVIRONMENT, check=True, capture_output=True)
    crew = [Writer(album.path(f"writer{number}.jpg")) for number in range(writers)]
    chances = [random.Random(f"{seed}-{number}") for number in range(writers + 1)]
    threads = [
        threading.Thread(target=writer.work, args=(library, commands, chance))
        for writer, chance in zip(crew, chances[1:], strict=True)
    ]

    def work() -> None:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    kills = ""
    if window:
        with Windows(library, seconds, chances[0]) as windows:
            work()
        kills = f", the window was started {windows.starts} times and killed {windows.kills} times"
    else:
        work()
    outcomes = sum((writer.outcomes for writer in crew), Counter())
    print(f"{'with' if window else 'without'} a window: {dict(outcomes)}{kills}")
    return [problem for writer in crew for problem in writer.problems] + differences(library, crew)


def differences(folder: Path, crew: list[Writer]) -> list[str]:
    """Return the differences between the library and the knowledge of the writers."""
    problems = []
    with Library.open(folder) as library:
        problems += finish(check(library)).problems
        ids = {writer.photo: library.photos.by_path(writer.photo) for writer in crew}
        for writer in crew:
            photo = ids[writer.photo]
            assert photo is not None
            found = set(library.tags.of([photo.id])[photo.id])
            expected = {tag for tag, has in writer.sure.items() if has}
            for tag in sorted((found ^ expected) - writer.unsure):
                problems.append(f"{writer.photo.name}: {tag} is {'not ' if tag in expected else ''}there")
        ((steps,),) = library.database.rows("SELECT count(*) FROM journal WHERE undone = 0")
        least = sum(writer.outcomes["confirmed"] for writer in crew)
        most = sum(writer.outcomes.total() for writer in crew)
        if not least <= steps <= most:
            problems.append(f"{steps} steps of undo, which are not between {least} and {most}")
    if left := [path.name for path in (folder / "queue").glob("*")]:
        problems += _queue_problems(folder, left)
    return problems


def _queue_problems(folder: Path, left: list[str]) -> list[str]:
    """Return a problem if tickets left by killed commands block the next waiting command, which removes them."""
    from focal_photos.browser.catalog.store.queue import Queue

    queue = Queue(folder)
    queue.join()
    first = queue.wait(0.0)
    queue.leave()
    return [] if first else [f"the tickets {left} keep everybody waiting"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--commands", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--window", choices=("yes", "no", "both"), default="both")
    options = parser.parse_args()
    problems = []
    for window in (False, True):
        if options.window in ("both", "yes" if window else "no"):
            with tempfile.TemporaryDirectory() as place:
                problems += write(Path(place), options.writers, options.commands, options.seed, window=window)
    print("\n".join(problems) or "The library and the model agree.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
