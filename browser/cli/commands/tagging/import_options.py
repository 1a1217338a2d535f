# SPDX-License-Identifier: MIT
"""Common parts of ``focal tag`` and ``focal judge``: import options, and the output of an import."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.terminal import MOST_TOLD, Terminal, paths_with_reasons
from focal_photos.browser.operations.exchange.file_format import FileFormat
from focal_photos.browser.operations.exchange.formats import FORMATS

if TYPE_CHECKING:
    from focal_photos.browser.operations.exchange.import_file import ImportReport


class Source(NamedTuple):
    """A file to import, and its format."""

    form: FileFormat
    path: Path

    @property
    def option(self) -> str:
        """The option that named the file."""
        return f"--from-{self.form.name}"


def add_import_options(parser: Parser, what: Literal["tags", "judgements"]) -> None:
    """Add ``--from-csv FILE`` and so on for each table format, as `source`, and ``--root``."""
    sources = parser.add_mutually_exclusive_group()
    for form in FORMATS.values():
        reader = form.tags if what == "tags" else form.judgements
        if reader is not None and form.is_table:  # `focal import` reads all other formats
            sources.add_argument(
                f"--from-{form.name}",
                dest="source",
                type=partial(_source, form),
                metavar="FILE",
                help=f"import {reader.help}",
            )
    parser.add_argument("--root", type=Path, metavar="DIR", help="folder of the files in the table (default: its own)")


def _source(form: FileFormat, text: str) -> Source:
    return Source(form, Path(text))


def show_import(report: ImportReport, terminal: Terminal) -> int:
    """Write the result of an import, and return the exit code."""
    document = {
        "lines": report.lines,
        "changed": len(report.changes.photo_ids),
        "unknown": [str(path) for path in report.unknown],
        "refused": [{"line": line, "reason": reason} for line, reason in report.refused],
        "boxed": report.boxed,
        "boxes": report.boxes,
        "outlines": report.outlines,
        "clipped": report.clipped,
        "invalid": report.invalid,
    }
    more = len(report.refused) - MOST_TOLD
    text = [
        *paths_with_reasons([(path, "not in the library") for path in report.unknown]),
        *(f"line {line}: {reason}" for line, reason in report.refused[:MOST_TOLD]),
        *([f"{more:,} more such lines (--json lists them all)"] if more > 0 else []),
        f"{report.lines} lines, {len(report.changes.photo_ids)} photos changed, {len(report.unknown)} unknown",
    ]
    if report.boxed:
        text.append(f"{report.boxed} photos have boxes: --boxes imports them, and their names as tags of the photo")
    if report.boxes or report.invalid:
        text.append(
            f"{report.boxes} boxes, of which {report.outlines} around outlines or masks, {report.clipped} cut to the "
            f"photo; {report.invalid} invalid ones left out"
        )
    terminal.result(document, text)
    if report.lines and not report.taken:
        terminal.say(
            "focal: nothing of the table was taken in: "
            "its files must be in the library (see --root) and its values such as --help says"
        )
        return 1
    return 0
