# SPDX-License-Identifier: MIT
"""Change the surroundings of an open library: the clock, its folder, its files, sync programs, second programs.

``python -m tests.benchmarks.faults.surroundings [--count 500] [--seed 0]``: a simulated user works on while these
changes happen at random. Confirmed changes are present once everything is back in place; after a return to an older
copy, the contents of that copy are. Writes that cannot be saved are refused with a remedy.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import shutil
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library, LibraryError, LibraryReplacedError
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.files.file_lock import FileLock
from focal_photos.browser.operations.jobs.errors import OperationError
from tests.benchmarks.common.user_actions import State, choose, differences, do, follow, new_library

_REAL_NOW: Final = timestamps.now


class Helper:
    """A second program: a process that opens the library separately on request."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pipe, theirs = multiprocessing.Pipe()
        self._child = os.fork()
        if not self._child:
            self._pipe.close()
            try:
                self._serve(theirs)
            finally:
                os._exit(0)
        theirs.close()

    def ask(self, what: str, with_what: Any) -> list[str]:
        """Send a request and return the reported errors or differences; empty if there are none."""
        self._pipe.send((what, with_what))
        found: list[str] = self._pipe.recv() if self._pipe.poll(120) else ["it hangs"]
        return found

    def close(self) -> None:
        self._pipe.close()
        os.waitpid(self._child, 0)

    def _serve(self, pipe: Any) -> None:
        while True:
            try:
                what, with_what = pipe.recv()
            except EOFError:
                return
            try:
                pipe.send(self._do(what, with_what))
            except LibraryError as error:
                pipe.send([str(error)])
            except Exception as error:
                pipe.send([f"a fault: {error!r}"])

    def _do(self, what: str, with_what: Any) -> list[str]:
        if what == "read":
            with Library.open(self._folder, read_only=True) as library:
                return differences(library, with_what)
        with _no_locks() if what == "write without locks" else nullcontext(), Library.open(self._folder) as library:
            for step in with_what:
                do(library, step)
        return []


class Walk:
    """A simulated user, a library, and events around it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.problems: list[str] = []
        self.events: Counter[str] = Counter()
        self._folder = folder
        self._chance = random.Random(seed)
        self._state = State()
        self._number = 0
        self._what = ""
        new_library(folder)
        self._helper = Helper(folder)  # before opening the library: SQLite must not be forked
        self._library = Library.open(folder)

    def run(self, count: int) -> None:
        events: list[Callable[[], None]] = [
            self._jump,
            self._move_away,
            self._move_away_inside_a_step,
            self._lose,
            self._replace_by_older,
            self._overwrite_by_older,
            self._conflict_copies,
            self._second_program,
            self._reader,
            self._other_machine,
            self._lose_lock,
            self._copy_without_log,
            self._empty,
        ]
        for number in range(count):
            event = events[number % len(events)]
            self._what = f"{number}, {event.__name__[1:].replace('_', ' ')}"
            self.events[event.__name__[1:].replace("_", " ")] += 1
            try:
                event()
            except (LibraryError, OperationError, OSError) as error:
                self._wrong(f"refused: {error}")
                self._reopen()
            self._steps(self._chance.randint(1, 4))
            self._compare()
            if len(self.problems) > 10:
                break
        self._library.close()
        self._helper.close()

    # ------------------------------------------------------------------ the user
    def _steps(self, count: int, *, refused: bool = False) -> None:
        """Do some steps; with `refused`, all must be refused, otherwise none."""
        for _ in range(count):
            step = choose(self._chance, self._state, self._number)
            self._number += 1
            try:
                do(self._library, step)
            except (LibraryReplacedError, FileNotFoundError) as error:
                clear = isinstance(error, FileNotFoundError) or "open the library again" in str(error)
                if not refused or not clear:  # the file of a metric is written before any row
                    self._wrong(f"{step} was refused: {error}")
                continue
            new = follow(self._state, step)
            if refused and new != self._state and step.kind not in ("undo", "redo"):
                self._wrong(f"{step} was confirmed")
            if not refused:
                self._state = new

    def _compare(self, state: State | None = None) -> None:
        for line in differences(self._library, self._state if state is None else state)[:2]:
            self._wrong(line)
            self._state.future.clear()

    def _reopen(self) -> None:
        self._library.close()
        self._library = Library.open(self._folder)

    def _wrong(self, text: str) -> None:
        self.problems.append(f"{self._what}: {text}")

    # ------------------------------------------------------------------ events
    def _jump(self) -> None:
        """Change the clock; the newest backup is the one made last, at any clock time."""
        offset = timedelta(days=self._chance.choice([-4000, -400, -1, 0, 1, 30, 3000]), seconds=self._chance.random())
        timestamps.now = lambda: _REAL_NOW() + offset
        self._steps(2)
        copy = self._library.back_up()
        if not copy.exists():
            self._wrong("the backup that was just made is gone")
            return
        self._reopen()
        if not copy.exists():
            self._wrong("the backup that was made last is gone after an opening")
        place = self._folder.with_name("from-backup")
        place.mkdir()
        shutil.copy(copy, place / "catalog.sqlite")
        shutil.copytree(self._folder / "metrics", place / "metrics")
        with Library.open(place) as restored:
            for line in differences(restored, self._state)[:2]:
                self._wrong(f"the backup: {line}")
        shutil.rmtree(place)

    def _move_away(self) -> None:
        elsewhere = self._folder.with_name("elsewhere")
        self._folder.rename(elsewhere)
        self._steps(3, refused=True)
        elsewhere.rename(self._folder)
        self._steps(1)

    def _move_away_inside_a_step(self) -> None:
        elsewhere = self._folder.with_name("elsewhere")
        step = choose(self._chance, self._state, self._number)
        try:
            with self._library.journal.action("Label a photo that is moved away"):
                self._library.marks.set([1], label=f"moved {step.number}")
                self._folder.rename(elsewhere)
            self._wrong("a step was confirmed whose library had been moved away")
        except LibraryReplacedError:
            pass
        elsewhere.rename(self._folder)
        self._steps(1)

    def _lose(self) -> None:
        """Delete the folder, then restore a copy made while no program was writing."""
        self._reopen()
        copy, state = self._copy(), self._state
        shutil.rmtree(self._folder)
        self._steps(2, refused=True)
        self._library.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        copy.rename(self._folder)
        self._library = Library.open(self._folder)
        self._compare(state)

    def _copy(self) -> Path:
        """Copy the library while it is closed, and reopen it."""
        self._library.close()
        target = self._folder.with_name("copy")
        shutil.copytree(self._folder, target)
        self._library = Library.open(self._folder)
        return target

    def _replace_by_older(self) -> None:
        """Replace the open catalogue by an older one, as a sync program does."""
        older, state = self._copy(), self._state
        self._steps(3)
        (older / "catalog.sqlite").replace(self._folder / "catalog.sqlite")
        self._steps(2, refused=True)
        self._after_older(older, state)

    def _overwrite_by_older(self) -> None:
        """Write an older catalogue into the open file."""
        older, state = self._copy(), self._state
        self._steps(3)
        content = (older / "catalog.sqlite").read_bytes()
        pid = os.fork()  # in a child: closing the file here would drop SQLite's locks on it
        if not pid:
            (self._folder / "catalog.sqlite").write_bytes(content)
            os._exit(0)
        os.waitpid(pid, 0)
        newer = self._state
        self._library.close()
        try:
            self._library = Library.open(self._folder)
        except LibraryError as error:
            if "focal restore" not in str(error) and "backup" not in str(error):
                self._wrong(f"it says not what to do: {error}")
            (self._folder / "catalog.sqlite-wal").unlink(missing_ok=True)
            (self._folder / "catalog.sqlite").write_bytes(content)
            self._library = Library.open(self._folder)
        if differences(self._library, newer):
            self._state = state
            self._compare()
        shutil.rmtree(older)

    def _after_older(self, older: Path, state: State) -> None:
        self._library.close()
        for end in ("-wal", "-shm"):
            (self._folder / f"catalog.sqlite{end}").unlink(missing_ok=True)
        (self._folder / "catalog.commits").unlink(missing_ok=True)
        self._library = Library.open(self._folder)
        self._state = state
        self._compare()
        shutil.rmtree(older)

    def _conflict_copies(self) -> None:
        """Leave conflict copies of files, as a sync program does."""
        self._library.back_up()
        for path in [path for path in self._folder.rglob("*") if path.is_file()][:: self._chance.randint(1, 3)]:
            name = self._chance.choice(
                [
                    f"{path.stem} (conflicted copy){path.suffix}",
                    f"{path.stem}.sync-conflict-1{path.suffix}",
                    f"~{path.name}",
                ]
            )
            if path.name not in ("catalog.sqlite", "lock"):
                shutil.copy(path, path.with_name(name))
        self._steps(2)
        self._reopen()
        self._compare()
        for path in [path for path in self._folder.rglob("*") if "conflict" in path.name or path.name.startswith("~")]:
            path.unlink()

    def _second_program(self) -> None:
        told = self._helper.ask("write", [])
        if not told or f"process {os.getpid()}" not in told[0]:
            self._wrong(f"a second writer: {told}")

    def _reader(self) -> None:
        """Read from a second program, which sees one consistent state while the window works on."""
        for line in self._helper.ask("read", self._state)[:2]:
            self._wrong(f"a reader: {line}")

    def _other_machine(self) -> None:
        """Do a step in a program on another machine, where the lock has no effect, then one here."""
        step = choose(self._chance, self._state, self._number)
        self._number += 1
        told = self._helper.ask("write without locks", [step])
        if told == []:
            self._state = follow(self._state, step)
        elif "Library" not in told[0] and "catalogue" not in told[0]:
            self._wrong(f"the other machine reported {told}")
        step = choose(self._chance, self._state, self._number)
        self._number += 1
        try:
            do(self._library, step)
        except LibraryReplacedError:
            self.events["refused beside another machine"] += 1
        else:
            self._state = follow(self._state, step)
        self._reopen()

    def _copy_without_log(self) -> None:
        """Copy the files without the log, as a backup program does: opening the copy must report the loss."""
        self._reopen()
        before = self._state
        while self._state == before:
            self._steps(1)
        copy = self._folder.with_name("copy")
        shutil.copytree(
            self._folder, copy, ignore=shutil.ignore_patterns("catalog.sqlite-*", "catalog.sqlite", "lock*")
        )
        pid = os.fork()  # in a child: closing the file here would drop SQLite's locks on it
        if not pid:
            shutil.copy(self._folder / "catalog.sqlite", copy)
            os._exit(0)
        os.waitpid(pid, 0)
        try:
            with Library.open(copy) as opened:
                for line in differences(opened, self._state)[:1]:
                    self._wrong(f"a copy without its log opens as if nothing were lost: {line}")
        except LibraryError as error:
            if "log" not in str(error):
                self._wrong(f"it says not what is lost: {error}")
        shutil.rmtree(copy)

    def _empty(self) -> None:
        """Empty the catalogue: no new catalogue may replace it."""
        if not list((self._folder / "backups").glob("*.sqlite")):
            self._library.back_up()
        self._library.close()
        whole = (self._folder / "catalog.sqlite").read_bytes()
        (self._folder / "catalog.sqlite").write_bytes(b"")
        try:
            Library.open(self._folder).close()
            self._wrong("an empty catalogue replaced one that was in use")
        except LibraryError:
            pass
        (self._folder / "catalog.sqlite").write_bytes(whole)
        self._library = Library.open(self._folder)

    def _lose_lock(self) -> None:
        (self._folder / "lock").unlink()
        self._steps(2, refused=True)
        self._reopen()


@contextmanager
def _no_locks() -> Iterator[None]:
    """Disable file locks and change the name of this machine."""
    acquire, name = FileLock.acquire, socket.gethostname
    FileLock.acquire = lambda *_: True  # type: ignore[method-assign]
    socket.gethostname = lambda: "other"
    try:
        yield
    finally:
        FileLock.acquire = acquire  # type: ignore[method-assign]
        socket.gethostname = name


def walk(folder: Path, count: int, seed: int) -> Walk:
    """Make `count` events happen around a new library in `folder`."""
    try:
        walked = Walk(folder, seed)
        walked.run(count)
    finally:
        timestamps.now = _REAL_NOW
    return walked


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        walked = walk(Path(name) / "library", options.count, options.seed)
    print("\n".join(walked.problems[:20]))
    kinds = ", ".join(f"{number} of {kind}" for kind, number in sorted(walked.events.items()))
    took = time.perf_counter() - begun
    print(f"{options.count} events ({kinds}) of seed {options.seed}: {len(walked.problems)} problems; {took:.0f} s")
    return 1 if walked.problems else 0


if __name__ == "__main__":
    sys.exit(main())
