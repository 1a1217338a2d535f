"""``focal export``: write tags or judgements for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.exchange.formats import FORMATS

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add what is written, where, and in which format."""
    writable = [name for name, one in FORMATS.items() if one.write_photos or one.write_judgements]
    parser.add_argument("--format", choices=writable, help="default: csv; jsonl with --json")
    parser.add_argument("--what", choices=("photos", "judgements"), default="photos", help="default: photos")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")
    parser.add_argument("--force", action="store_true", help="write over a FILE of another kind too; photos are safe")
    parser.add_argument("--query", default="", metavar="QUERY", help="only photos that match (see focal list)")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal export``."""
    from focal_photos.browser.operations.exchange.export_file import export_judgements, export_photos, output_file
    from focal_photos.browser.operations.exchange.overwriting import require_replaceable

    form = FORMATS[arguments.format or ("jsonl" if terminal.as_json else "csv")]
    write: Callable[[TextIO], int]
    if arguments.what == "photos":
        write = partial(export_photos, library, form=form, query=arguments.query)
    elif arguments.query:
        raise WrongUseError("--query chooses photos, not judgements: leave one out")
    else:
        write = partial(export_judgements, library, form=form)
    if arguments.output is None:
        if terminal.as_json and form.name != "jsonl":
            raise WrongUseError(f"{form.title} is not JSON: add --output FILE, or leave --json out")
        write(terminal.table())
        return 0
    tables = {suffix for one in FORMATS.values() for suffix in one.suffixes} | {".json", ".txt"}
    require_replaceable(library, arguments.output, tables, force=arguments.force)
    with output_file(arguments.output) as stream:
        lines = write(stream)
    path = arguments.output.absolute()
    terminal.result({"file": str(path), "lines": lines}, f"{lines} lines in {path_text(path)}")
    return 0


COMMAND = Command("write tags or judgements as a table", run, Access.READ, add_arguments)
