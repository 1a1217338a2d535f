# SPDX-License-Identifier: MIT
"""Progress on a terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from focal_photos.browser.cli.terminal import Terminal, describe, duration, path_text, paths_with_reasons
from focal_photos.browser.operations.exchange.escapes import unescaped
from focal_photos.browser.operations.jobs.progress import Progress


class Screen:
    """A text stream that claims to be a terminal."""

    def __init__(self) -> None:
        self.written = ""

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True


def test_progress_rewrites_one_line_and_clears_it() -> None:
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


def test_progress_in_a_file_is_an_occasional_line() -> None:
    stream = io.StringIO()
    clock = iter([0.0, 1.0, 2.5, 3.0, 13.0, 14.0, 15.0])
    terminal = Terminal(as_json=False, err=stream, clock=lambda: next(clock))

    def job() -> Any:
        for done in range(5):
            yield Progress("Reading", done)
        yield Progress("Ranking", 0)
        yield Progress("Ranking", 1)

    terminal.run(job())
    assert stream.getvalue().splitlines() == ["Reading 2", "Reading 4"], "a stage shorter than 2 s prints nothing"


def test_progress_and_durations_in_words() -> None:
    assert describe(Progress("Looking", 7)) == "Looking 7"
    assert describe(Progress("Learning", 312, 1000, is_share=True)) == "Learning 31 %"
    assert describe(Progress("Reading", 7, 9, 0.5, 400.0)) == "Reading 7/9, 0.5/s, 7 min left"
    assert [duration(seconds) for seconds in (5, 99, 100, 9000)] == ["5 s", "99 s", "2 min", "2.5 h"]


ODD = "a\x1b]0;title\x07\x1b[2J b\u202egpj.exe c\u2066d\x9be\r f\x7f \u2028 \udcff"
SHOWN = r"a\x1b]0;title\x07\x1b[2J b\u202egpj.exe c\u2066d\x9be\r f\x7f \u2028 " + "\udcff"


def test_names_cannot_move_the_cursor_or_change_the_text_direction() -> None:
    out, err = Screen(), Screen()
    terminal = Terminal(as_json=False, out=out, err=err)  # type: ignore[arg-type]
    terminal.line({}, ODD)
    terminal.result({}, [ODD, "plain \u00e4\u05d0"])
    terminal.say(ODD)
    terminal.table().write(ODD)
    assert out.written == f"{SHOWN}\n{SHOWN}\nplain \u00e4\u05d0\n{SHOWN}"
    assert err.written == f"{SHOWN}\n"

    def job() -> Any:
        for done in range(3):
            yield Progress(ODD, done, 3)

    clock = iter(range(1000))
    screen = Screen()
    Terminal(as_json=False, err=screen, clock=lambda: float(next(clock))).run(job())  # type: ignore[arg-type]
    assert SHOWN in screen.written
    assert "\x1b" not in screen.written


def test_json_and_tables_contain_unescaped_names() -> None:
    out = io.StringIO()
    Terminal(as_json=True, out=out).line({"path": ODD}, "")
    assert json.loads(out.getvalue()) == {"path": ODD}
    assert out.getvalue().isascii()
    table = io.StringIO()
    Terminal(as_json=False, out=table).table().write(ODD)
    assert table.getvalue() == ODD


def test_a_path_is_one_cell_of_one_line() -> None:
    for name, text in (
        ("a\tb\nc\\d", r"a\u0009b\u000ac\d"),
        ("a\\d", "a\\d"),
        ("\x1b[31m\u202e", r"\u001b[31m\u202e"),
        (r"\u202e", r"\u005cu202e"),
        ("caf\udce9\x85", "caf\udce9\\u0085"),
        (r"\udce9", r"\u005cudce9"),
    ):
        assert path_text(Path(name)) == text
        assert unescaped(text) == name


def test_many_paths_with_one_reason_are_one_line() -> None:
    few = [(Path(f"{name}.jpg"), "It is broken.") for name in "abc"]
    assert paths_with_reasons(few) == ["a.jpg: It is broken.", "b.jpg: It is broken.", "c.jpg: It is broken."]
    many = [(Path(f"{number}.jpg"), "It has no tag.") for number in range(1200)]
    assert paths_with_reasons([many[0], few[0], *many[1:]]) == [
        "1,200 files: It has no tag. (0.jpg, 1.jpg, 2.jpg, ...; --json lists them all)",
        "a.jpg: It is broken.",
    ]
    assert paths_with_reasons([]) == []
