# SPDX-License-Identifier: MIT
"""``focal tag``: add and remove tags."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.catalog.facts import tags
from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.commands.tagging.import_options import add_import_options, show_import
from focal_photos.browser.cli.commands.tagging.signed_tags import signed_tags
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.exchange import import_file
from focal_photos.browser.operations.photos import find

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the photos, the tags, and a file of tags."""
    parser.add_argument("images", nargs="*", type=Path, metavar="IMAGE", help="photos of the library")
    parser.add_argument("--add", action="append", default=[], metavar="TAG", help="the same as +TAG")
    parser.add_argument("--remove", action="append", default=[], metavar="TAG", help="the same as -TAG")
    add_import_options(parser, "tags")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal tag IMAGE... +beach -sea`` or ``focal tag --from-csv FILE``."""
    if arguments.source is not None:
        if arguments.images or arguments.add or arguments.remove:
            raise WrongUseError(f"{arguments.source.option} takes photos and tags from the table: name none beside it")

        job = import_file.import_tags(library, arguments.source.path, arguments.source.form, arguments.root)
        return show_import(terminal.run(job), terminal)
    if not arguments.images or not (arguments.add or arguments.remove):
        raise WrongUseError("name photos and tags, such as: focal tag a.jpg b.jpg +beach -sea")
    add, remove = ([*dict.fromkeys(map(tags.normalise, names))] for names in (arguments.add, arguments.remove))
    both = [name for name in add if name in remove]
    if both:
        raise WrongUseError(f"+{both[0]} and -{both[0]} contradict each other: leave one out")
    ids = find.find_photos(library, arguments.images)
    changes = library.tags.change(ids, add, remove)
    document: dict[str, Any] = {
        "photos": [str(path) for path in library.photos.paths(ids)],
        "add": add,
        "remove": remove,
        "changed": len(changes.photo_ids),
    }
    terminal.result(document, changes.label or "Nothing to change.")
    return 0


COMMAND = Command(
    "add tags to photos and take tags away",
    run,
    add_arguments=add_arguments,
    epilog=(
        "Example: focal tag a.jpg b.jpg +beach -sea '+animal/dog'. An odd name is written --add NAME or --remove NAME."
    ),
    reword=signed_tags,
    in_window=True,
)
