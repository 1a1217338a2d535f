# SPDX-License-Identifier: MIT
"""``focal accept`` and ``focal reject``: turn suggested tags into tags, or reject them permanently."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.commands.tagging.signed_tags import signed_tags
from focal_photos.browser.cli.terminal import Terminal
from focal_photos.browser.operations.jobs import errors
from focal_photos.browser.operations.photos import find

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the photos and tags."""
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="photos of the library")
    parser.add_argument("--add", dest="tags", action="append", default=[], metavar="TAG", help="the same as +TAG")


def accept(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal accept IMAGE... [+TAG]``."""
    return _answer(library, arguments, terminal, accepted=True)


def reject(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal reject IMAGE... [+TAG]``."""
    return _answer(library, arguments, terminal, accepted=False)


def _answer(library: Library, arguments: argparse.Namespace, terminal: Terminal, *, accepted: bool) -> int:
    """Accept or reject the selected suggestions and print them."""
    pairs = _open_suggestions(library, arguments)
    changes = library.suggestions.accept(pairs) if accepted else library.suggestions.reject(pairs)
    paths = library.photos.paths([photo_id for photo_id, _ in pairs])
    answered = [{"path": str(path), "tag": tag} for path, (_, tag) in zip(paths, pairs, strict=True)]
    terminal.result({"accepted" if accepted else "rejected": answered}, changes.label)
    return 0


def _open_suggestions(library: Library, arguments: argparse.Namespace) -> list[tuple[int, str]]:
    """Return the selected open suggestions, as pairs of photo id and tag."""
    ids = find.find_photos(library, arguments.images)
    pairs = [
        (photo_id, suggestion.tag)
        for photo_id, suggestions in library.suggestions.of(ids).items()
        for suggestion in suggestions
        if not arguments.tags or suggestion.tag in arguments.tags
    ]
    if not pairs:
        raise errors.OperationError("None of these tags is suggested for these photos: run focal suggest first.")
    return pairs


def _example(name: str) -> str:
    """Return the example in the help of a command."""
    return f"Example: focal {name} a.jpg +beach. Without tags: all that are suggested."


ACCEPT = Command(
    "turn suggested tags into tags",
    accept,
    add_arguments=add_arguments,
    epilog=_example("accept"),
    reword=signed_tags,
    in_window=True,
)
REJECT = Command(
    "reject suggested tags permanently",
    reject,
    add_arguments=add_arguments,
    epilog=_example("reject"),
    reword=signed_tags,
    in_window=True,
)
