# SPDX-License-Identifier: MIT
"""Pages about all commands from their parsers.

``python -m tests.tools.command_reference`` writes the manual page of the checkout; ``make docs`` writes the page of the
documentation site. Texts of arguments come from the parsers, forms of JSON from the guide.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import focal_photos
from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.commands import COMMANDS, load
from focal_photos.browser.cli.grammar import DESCRIPTION, EPILOG, window_parser
from tests.guide import ROOT, rows_of_commands

MANUAL: Final = ROOT / "resources" / "desktop" / "focal.1"
_COMMON: Final = {"--help", "--library", "--json"}
"""Options of every command, described once."""


@dataclass(frozen=True)
class Argument:
    """An argument of a command."""

    names: tuple[str, ...]
    """Of an option, such as ``("-h", "--help")``; empty for a positional argument."""
    value: str
    """How its value is written, such as ``DIR`` or ``NAME...``; empty for a switch."""
    text: str
    """What it means."""

    @property
    def is_common(self) -> bool:
        """Whether every command has it."""
        return bool(_COMMON & set(self.names))

    @property
    def written(self) -> str:
        """The argument as it is typed: ``--limit N``."""
        return f"{', '.join(self.names)} {self.value}".strip()


def arguments_of(parser: argparse.ArgumentParser) -> Iterator[Argument]:
    """Yield the arguments of a parser in their order, without those that its help hides."""
    formatter = parser._get_formatter()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
            continue
        text = formatter._expand_help(action) if action.help else ""
        yield Argument(tuple(action.option_strings), _value(action), re.sub(r"\s+", " ", text))


def _value(action: argparse.Action) -> str:
    """Return how the value of an argument is written."""
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    name = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    optional = f"[{name}]"
    return {"*": f"[{name}...]", "+": f"{name}...", "?": optional}.get(str(action.nargs), name)


def parser_of(name: str) -> Parser:
    """Return the parser of one command."""
    commands = Parser(prog="focal").add_subparsers(parser_class=Parser)
    return load(name).add_to(commands, name)


def usage_of(name: str) -> str:
    """Return how a command is called, in one line."""
    found = list(arguments_of(parser_of(name)))
    words = ["focal", name, *(["[OPTION...]"] if any(not one.is_common for one in found if one.names) else [])]
    return " ".join([*words, *(one.value for one in found if not one.names)])


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


# ---------------------------------------------------------------- documentation site
def page() -> str:
    """Return the page of the documentation site, in Markdown."""
    lines = [
        "# Commands",
        "",
        DESCRIPTION,
        "",
        "The chapter [Command line](../../guide/command-line.md) has all commands in one table. This page lists every "
        "argument.",
        "",
        "```text",
        "focal [OPTION...] [PATH...]",
        "focal COMMAND [OPTION...] ...",
        "```",
        "",
        EPILOG,
        "",
        *_table(list(arguments_of(window_parser()))),
    ]
    for name in COMMANDS:
        command, own = load(name), [one for one in arguments_of(parser_of(name)) if not one.is_common]
        lines += ["", f"## focal {name}", "", _sentence(command.summary), "", "```text", usage_of(name), "```", ""]
        lines += _table(own)
        if command.epilog:
            lines += ["", _plain(command.epilog)]
        document = rows_of_commands()[name][2]
        if document:
            linked = re.sub(r"\]\((?=[a-z-]+\.md)", "](../../guide/", document)
            lines += ["", f"JSON: {linked}"]
    return "\n".join(lines) + "\n"


def _table(arguments: list[Argument]) -> list[str]:
    if not arguments:
        return []
    rows = (f"| {_cell(f'`{one.written}`')} | {_cell(_plain(one.text))} |" for one in arguments)
    return ["| argument | meaning |", "|---|---|", *rows]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _plain(text: str) -> str:
    """Return a text in which Markdown finds no marks."""
    return re.sub(r"([*_<\[\]`~^$])", r"\\\1", text)


# ---------------------------------------------------------------- manual page
def manual() -> str:
    """Return the manual page, for man."""
    lines = [
        '.\\" Written by python -m tests.tools.command_reference.',
        f'.TH FOCAL 1 "" "Focal {focal_photos.__version__}" "User Commands"',
        ".SH NAME",
        "focal \\- photo browser that learns what you call similar",
        ".SH SYNOPSIS",
        ".B focal",
        _roff("[OPTION...] [PATH...]"),
        ".br",
        ".B focal",
        _roff("COMMAND [OPTION...] ..."),
        ".SH DESCRIPTION",
        _roff(DESCRIPTION),
        ".SH OPTIONS",
        *_paragraphs(list(arguments_of(window_parser()))),
        ".SH COMMANDS",
        _roff("Every command takes --library, --json and --help."),
    ]
    for name in COMMANDS:
        command = load(name)
        lines += [f".SS {_roff(usage_of(name))}", _roff(_sentence(command.summary))]
        lines += _paragraphs([one for one in arguments_of(parser_of(name)) if not one.is_common])
        if command.epilog:
            lines += [".PP", _roff(command.epilog)]
    lines += [".SH EXIT STATUS", _roff(EPILOG)]
    return "\n".join(lines) + "\n"


def _paragraphs(arguments: list[Argument]) -> Iterator[str]:
    for one in arguments:
        yield from (".TP", f".B {_roff(one.written)}", _roff(_sentence(one.text)))


def _roff(text: str) -> str:
    """Return a text in which roff finds no marks."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text


if __name__ == "__main__":
    MANUAL.write_text(manual(), encoding="utf-8")
