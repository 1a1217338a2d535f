"""Common parts of ``focal accept`` and ``focal reject``: selecting suggestions, and writing the result."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.terminal import Terminal

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library
    from focal_photos.browser.catalog.store.changes import ChangeSet


def example(name: str) -> str:
    """Return the example in the help of a command."""
    return f"Example: focal {name} a.jpg +beach. Without tags: all that are suggested."


def add_arguments(parser: Parser) -> None:
    """Add the photos and tags."""
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="photos of the library")
    parser.add_argument("--add", dest="tags", action="append", default=[], metavar="TAG", help="the same as +TAG")


def open_suggestions(library: Library, arguments: argparse.Namespace) -> list[tuple[int, str]]:
    """Return the selected open suggestions, as pairs of photo id and tag."""
    from focal_photos.browser.operations.jobs.errors import OperationError
    from focal_photos.browser.operations.photos.find import find_photos

    ids = find_photos(library, arguments.images)
    pairs = [
        (photo_id, suggestion.tag)
        for photo_id, suggestions in library.suggestions.of(ids).items()
        for suggestion in suggestions
        if not arguments.tags or suggestion.tag in arguments.tags
    ]
    if not pairs:
        raise OperationError("None of this is suggested for these photos: run focal suggest first.")
    return pairs


def show_answered(
    done: str, pairs: list[tuple[int, str]], changes: ChangeSet, library: Library, terminal: Terminal
) -> int:
    """Write the accepted or rejected suggestions, and return the exit code."""
    paths = library.photos.paths([photo_id for photo_id, _ in pairs])
    answered = [{"path": str(path), "tag": name} for path, (_, name) in zip(paths, pairs, strict=True)]
    terminal.result({done: answered}, changes.label)
    return 0
