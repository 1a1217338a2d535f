# SPDX-License-Identifier: MIT
"""Output of commands: results to standard output, progress and errors to standard error."""

from __future__ import annotations

import io
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar, cast

from focal_photos.browser.cli.output import OutputLostError, drop
from focal_photos.browser.cli.visible_text import visible
from focal_photos.browser.operations.exchange.escapes import dumped, escaped
from focal_photos.browser.operations.jobs.progress import Job, Progress, finish

T = TypeVar("T")

_EVERY_ON_SCREEN: Final = 0.1  # seconds between updates of the progress line
_EVERY_IN_FILE: Final = 10.0  # seconds between progress lines if standard error is not a terminal
_NAMED: Final = 3  # number of paths shown for a common reason
_A_BYTE: Final = re.compile(r"\\u(dc[89a-f][0-9a-f])")  # an escaped byte; a literal backslash before it is \u005c
MOST_TOLD: Final = 10
"""Largest number of lines about single files in text output; JSON contains all."""


class WrongUseError(Exception):
    """Invalid combination of arguments; the message says what to write instead."""


class _Table(io.TextIOBase):
    """Text stream that passes text to a function."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def write(self, text: str) -> int:
        self._write(text)
        return len(text)


class Terminal:
    """The output streams of a command.

    Parameters
    ----------
    as_json : bool
        Whether results are written as JSON instead of text.
    out, err : text streams, optional
        Default: standard output and standard error.
    clock : callable
        Time in seconds; replaced in tests.
    check : callable, optional
        Called at each progress of a job; its exceptions end the job.
    """

    def __init__(
        self,
        *,
        as_json: bool,
        out: TextIO | None = None,
        err: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        check: Callable[[], None] | None = None,
    ) -> None:
        self.as_json = as_json
        self._clock, self._check = clock, check
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        self._on_screen = self._err.isatty()
        self._stage = ""
        self._next = 0.0
        self._drawn = 0
        self.ends_early = False
        """Whether the command stops with `OutputLostError` as soon as its output cannot be written, because it has no
        other effect. Others continue without output."""
        self.lost: OSError | None = None
        """Error because of which output was lost."""

    def result(self, document: dict[str, Any], text: str | Iterable[str]) -> None:
        """Write the only result of a command: the document as JSON, or the text (one or several lines)."""
        if self.as_json:
            self.line(document, "")
        else:
            for line in [text] if isinstance(text, str) else text:
                self.line({}, line)
        self._write("", flush=True)

    def line(self, document: dict[str, Any], text: str) -> None:
        """Write one of many results: one line of JSON Lines, or one line of text."""
        # ASCII with escapes is valid in any encoding, and distinguishes unusual file names.
        self._write((dumped(document) if self.as_json else visible(text)) + "\n")

    def table(self) -> TextIO:
        """Return the stream for a table: UTF-8 for a file or pipe, with visible escapes for a terminal."""
        if self._out.isatty():
            return cast(TextIO, _Table(lambda text: self._write(visible(text))))
        if isinstance(self._out, io.TextIOWrapper):
            self._out.reconfigure(encoding="utf-8", errors="surrogateescape")
        return cast(TextIO, _Table(self._write))

    def say(self, message: str) -> None:
        """Write a message line to standard error; drop it if that fails."""
        self._wipe()
        self._write_error(visible(message) + "\n")

    def _write(self, text: str, *, flush: bool = False) -> None:
        if self.lost is not None:
            return
        try:
            if text:  # Python passes even an empty text on, and a full device refuses that
                self._out.write(text)
            if flush:
                self._out.flush()
        except OSError as error:
            self.lost = error
            drop(self._out)
            if self.ends_early:
                raise OutputLostError(error) from error

    def _write_error(self, text: str) -> None:
        try:
            self._err.write(text)
            self._err.flush()
        except OSError:
            drop(self._err)

    def run(self, job: Job[T]) -> T:
        """Run a job with its progress on standard error; always close the job."""
        try:
            return finish(job, self.show)
        finally:
            job.close()
            self.end_progress()

    @property
    def out_is_terminal(self) -> bool:
        """Whether the results are shown on a screen."""
        return self._out.isatty()

    def pass_on(self, text: str, *, is_error: bool = False) -> None:
        """Write text of another process unchanged to standard output or standard error."""
        if is_error:
            self._wipe()
            self._write_error(text)
        else:
            self._write(text, flush=True)

    def end_progress(self) -> None:
        """Hide the progress until the next job."""
        self._wipe()
        self._stage = ""

    def show(self, progress: Progress) -> None:
        """Show the progress at intervals."""
        if self._check is not None:
            self._check()
        now = self._clock()
        if progress.stage != self._stage:
            self._stage = progress.stage
            self._next = now + (_EVERY_ON_SCREEN if self._on_screen else 2.0)
        if now < self._next:
            return
        self._next = now + (_EVERY_ON_SCREEN if self._on_screen else _EVERY_IN_FILE)
        line = visible(describe(progress))
        if self._on_screen:
            line = line[: shutil.get_terminal_size().columns - 1]
            self._write_error("\r" + line.ljust(self._drawn))
            self._drawn = len(line)
        else:
            self._write_error(line + "\n")

    def _wipe(self) -> None:
        if self._drawn:
            self._write_error("\r" + " " * self._drawn + "\r")
            self._drawn = 0


def describe(progress: Progress) -> str:
    """Format the progress as one line: ``Reading photos 412/900, 38/s, 13 s left``."""
    count = f"{progress.done}" + (f"/{progress.total}" if progress.total is not None else "")
    parts = [f"{progress.stage} {progress.percent if progress.is_share else count}"]
    if progress.rate is not None:
        parts.append(f"{progress.rate:.0f}/s" if progress.rate >= 10 else f"{progress.rate:.1f}/s")
    if progress.seconds_left is not None:
        parts.append(f"{duration(progress.seconds_left)} left")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """Format a time span: ``13 s``, ``4 min``, ``2.5 h``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def path_text(path: Path) -> str:
    """Format a path as one line: invisible characters are escaped as in tables; undecodable bytes are unchanged."""
    return _A_BYTE.sub(lambda found: chr(int(found[1], 16)), escaped(str(path)))


def paths_with_reasons(found: Sequence[tuple[Path, str]]) -> list[str]:
    """Return one line for each path with its reason, or one line for many paths with the same reason."""
    together: dict[str, list[Path]] = {}
    for path, reason in found:
        together.setdefault(reason, []).append(path)
    lines = []
    for reason, paths in together.items():
        if len(paths) <= _NAMED:
            lines += [f"{path_text(path)}: {reason}" for path in paths]
        else:
            first = ", ".join(map(path_text, paths[:_NAMED]))
            lines.append(f"{len(paths):,} files: {reason} ({first}, ...; --json lists them all)")
    return lines
