"""Progress on a terminal."""

from __future__ import annotations

import io
from typing import Any

from browser.cli.terminal import Terminal, describe, duration
from browser.operations.jobs.progress import Progress


class Screen:
    """A text stream that says it is a terminal."""

    def __init__(self) -> None:
        self.written = ""

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True


def test_progress_rewrites_one_line_and_leaves_nothing() -> None:
    screen = Screen()
    clock = iter(range(1000))
    terminal = Terminal(as_json=False, err=screen, clock=lambda: float(next(clock)))  # type: ignore[arg-type]

    def job() -> Any:
        for done in range(4):
            yield Progress("Reading photos", done, 3, 12.3, 5.0)
        return "end"

    assert terminal.run(job()) == "end"
    assert "\n" not in screen.written
    assert "Reading photos 3/3, 12/s, 5 s left" in screen.written
    assert screen.written.endswith("\r")


def test_a_file_gets_a_line_now_and_then() -> None:
    stream = io.StringIO()
    clock = iter([0.0, 1.0, 2.5, 3.0, 13.0, 14.0, 15.0])
    terminal = Terminal(as_json=False, err=stream, clock=lambda: next(clock))

    def job() -> Any:
        for done in range(5):
            yield Progress("Reading", done)
        yield Progress("Ranking", 0)
        yield Progress("Ranking", 1)

    terminal.run(job())
    assert stream.getvalue().splitlines() == ["Reading 2", "Reading 4"], "a stage of less than 2 s says nothing"


def test_progress_and_durations_in_words() -> None:
    assert describe(Progress("Looking", 7)) == "Looking 7"
    assert describe(Progress("Reading", 7, 9, 0.5, 400.0)) == "Reading 7/9, 0.5/s, 7 min left"
    assert [duration(seconds) for seconds in (5, 99, 100, 9000)] == ["5 s", "99 s", "2 min", "2.5 h"]
