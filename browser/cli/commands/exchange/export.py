# SPDX-License-Identifier: MIT
"""``focal export``: write tags or judgements for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text, paths_with_reasons
from focal_photos.browser.operations.exchange import export_data_set, export_file, overwriting, work_records
from focal_photos.browser.operations.exchange.file_format import FileFormat, Media
from focal_photos.browser.operations.exchange.formats import FORMATS, format_name, format_of, plugin_names

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library

EVERYTHING: Final = "everything"


def add_arguments(parser: Parser) -> None:
    """Add the choice of data, the output and the format."""
    writable = [name for name, one in FORMATS.items() if one.writes_photos or one.writes_judgements]
    writable += plugin_names()
    parser.add_argument("--format", type=format_name, choices=writable, help="default: csv; jsonl with --json")
    parser.add_argument(
        "--what",
        choices=("photos", "judgements", EVERYTHING),
        default="photos",
        help="default: photos; everything: with trails, boxes, parts of photos, turned photos, searches, "
        "judgements against texts and of regions, rejected boxes, audits (jsonl)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="a file, or a new folder for formats that are one; default: standard output",
    )
    parser.add_argument("--force", action="store_true", help="write over a FILE of another kind too; photos are safe")
    parser.add_argument("--query", default="", metavar="QUERY", help="only photos that match (see focal list)")
    parser.add_argument(
        "--media",
        choices=[one.value for one in Media],
        help="of formats that are folders with photos: copy these, or make links to them (default: copy)",
    )
    parser.add_argument(
        "--vectors",
        metavar="NAME",
        help="of formats that hold vectors: space, metric, descriptors, descriptors:METRIC (what the script of focal "
        "lens export reads) or a descriptor (default: space)",
    )


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal export``."""
    plain = "jsonl" if terminal.as_json or arguments.what == EVERYTHING else "csv"
    form = format_of(arguments.format or plain)
    if arguments.what == EVERYTHING and form.name != "jsonl":
        raise WrongUseError(f"{form.title} does not hold everything: use --format jsonl")
    if arguments.what != "photos" and arguments.query:
        raise WrongUseError(f"--query chooses photos, not {arguments.what}: leave one out")
    saves = form.save_photos if arguments.what == "photos" else form.save_judgements
    if saves is not None:
        return _save(library, form, arguments, terminal)
    for option, value in (("--media", arguments.media), ("--vectors", arguments.vectors)):
        if value is not None:
            raise WrongUseError(f"{form.title} has no use for {option}: leave it out")
    return _write(library, form, arguments, terminal)


def _write(library: Library, form: FileFormat, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Write a table to a file or standard output."""
    if _nothing_matches(library, arguments, terminal, {"file": None, "lines": 0}):
        return 1
    write: Callable[[TextIO], int]
    if arguments.what == EVERYTHING:
        write = partial(work_records.export_everything, library)
    elif arguments.what == "photos":
        write = partial(export_file.export_photos, library, form=form, query=arguments.query)
    else:
        write = partial(export_file.export_judgements, library, form=form)
    if arguments.output is None:
        if terminal.as_json and form.name != "jsonl":
            raise WrongUseError(f"{form.title} is not JSON: add --output FILE, or leave --json out")
        write(terminal.table())
        _say_what_is_left_out(library, arguments, terminal)
        return 0
    tables = {suffix for one in (form, *FORMATS.values()) for suffix in one.suffixes} | {".json", ".txt"}
    overwriting.require_replaceable(library, arguments.output, tables, force=arguments.force)
    with export_file.output_file(arguments.output) as stream:
        lines = write(stream)
    path = arguments.output.absolute()
    terminal.result({"file": str(path), "lines": lines}, f"{lines} lines in {path_text(path)}")
    _say_what_is_left_out(library, arguments, terminal)
    return 0


def _nothing_matches(
    library: Library, arguments: argparse.Namespace, terminal: Terminal, document: dict[str, object]
) -> bool:
    """Report a query without matches and return True for it, because an empty file would look like a result."""
    if arguments.what != "photos" or not arguments.query or len(library.photos.listed(arguments.query)):
        return False
    if arguments.output is not None:
        terminal.result(document, [])
    terminal.say(f"focal: no photo matches {arguments.query}: there is nothing to export, and no file was written")
    return True


def _say_what_is_left_out(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> None:
    """Report the data that the export lacks, unless it is limited to some photos."""
    if arguments.what == EVERYTHING or arguments.query:
        return
    found = work_records.left_out_of_tables(library)
    if found:
        counts = ", ".join(f"{title} ({count})" for title, count in found.items())
        terminal.say(f"focal: left out are {counts}: --what {EVERYTHING} --format jsonl holds them")


def _save(library: Library, form: FileFormat, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Save a data set as a binary file or a folder."""
    if arguments.output is None:
        raise WrongUseError(f"{form.title} is no text: add --output {'FOLDER' if form.is_folder else 'FILE'}")
    saver = form.save_photos if arguments.what == "photos" else None
    if arguments.media is not None and not (saver and saver.with_media):
        raise WrongUseError(f"{form.title} holds no photos: leave --media out")
    if arguments.vectors is not None and saver is not None and not saver.with_vectors:
        raise WrongUseError(f"{form.title} holds no vectors: leave --vectors out")
    if _nothing_matches(library, arguments, terminal, {"file": None, "photos": 0, "left_out": []}):
        return 1
    vectors, force = arguments.vectors or export_data_set.SPACE, arguments.force
    if saver is not None:
        media = Media(arguments.media or Media.COPY)
        query = arguments.query
        job = export_data_set.save_photos(
            library, arguments.output, form, query=query, media=media, vectors=vectors, force=force
        )
    else:
        job = export_data_set.save_judgements(library, arguments.output, form, vectors=vectors, force=force)
    report = terminal.run(job)
    nothing = bool(report.left_out) and not report.saved
    document = {
        "file": None if nothing else str(report.place),
        arguments.what: report.saved,
        "left_out": [{"path": str(path), "reason": reason} for path, reason in report.left_out],
        "certificate": report.certificate,
    }
    text = paths_with_reasons(report.left_out)
    if not nothing:
        text.append(f"{report.saved} {arguments.what} in {path_text(report.place)}, {len(report.left_out)} left out")
    terminal.result(document, text)
    if report.unnamed:
        terminal.say(f"focal: boxes without a name are left out ({report.unnamed}): focal boxes --name names them")
    audited = any(one.present is not None for one in library.audits.drawn())
    if audited and not form.is_folder and arguments.what == "photos":
        terminal.say(f"focal: {form.title} does not hold the certificate: focal certify --export writes it")
    if nothing:
        terminal.say(f"focal: all {arguments.what} are left out: there is nothing to export, and no file was written")
    return int(nothing)


COMMAND = Command("write tags or judgements for other programs", run, Access.READ, add_arguments)
