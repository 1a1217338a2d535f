# SPDX-License-Identifier: MIT
"""``focal import``: import tags or judgements that other programs wrote."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.commands.tagging import import_options
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.exchange import import_file, work_records
from focal_photos.browser.operations.exchange.formats import FORMATS, format_name, format_of, plugin_names

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the file or folder, and its format."""
    parser.add_argument("path", type=Path, metavar="PATH", help="a file or, as the format wants, a folder")
    readable = [name for name, one in FORMATS.items() if one.reads_something] + list(plugin_names())
    parser.add_argument("--format", type=format_name, choices=readable, required=True, help="what PATH is: see below")
    parser.add_argument("--what", choices=("tags", "judgements", "everything"), default="tags", help="default: tags")
    parser.add_argument("--root", type=Path, metavar="DIR", help="folder of the files in it (default: its own)")
    parser.add_argument(
        "--boxes", action="store_true", help="import boxes and outlines too: their names become tags of the photo"
    )


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal import PATH --format NAME``."""
    form = format_of(arguments.format)
    if arguments.boxes and arguments.what != "tags":
        raise WrongUseError(f"--boxes is about tags, not {arguments.what}: leave one out")
    if arguments.what == "tags":
        job = import_file.import_tags(library, arguments.path, form, arguments.root, boxes=arguments.boxes)
    elif arguments.what == "judgements":
        job = import_file.import_judgements(library, arguments.path, form, arguments.root)
    elif form.name != "jsonl" or arguments.root is not None:
        raise WrongUseError("everything is read from --format jsonl, without --root, as focal export writes it")
    else:
        job = work_records.import_everything(library, arguments.path)
    return import_options.show_import(terminal.run(job), terminal)


COMMAND = Command(
    "take tags or judgements in that other programs wrote",
    run,
    add_arguments=add_arguments,
    epilog="Formats: "
    + "; ".join(f"{one.name} ({one.title})" for one in FORMATS.values() if one.reads_something)
    + "; and those of plug-ins (focal plugins).",
    in_window=True,
)
