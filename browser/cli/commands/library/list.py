# SPDX-License-Identifier: MIT
"""``focal list``: list the photos that match a query."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.exchange import records

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the words of the query, as converted by `query_words`."""
    parser.add_argument("--word", dest="words", action="append", default=[], help=argparse.SUPPRESS)


def query_words(words: Sequence[str]) -> list[str]:
    """Convert the words of a query to options, so that ``-tag:boat`` is accepted."""
    turned: list[str] = []
    is_value = False
    for word in words:
        is_option = word == "-h" or word.startswith("--")
        turned.append(word if is_value or is_option else f"--word={word}")
        is_value = word == "--library"
    return turned


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal list QUERY``."""
    query = " ".join(arguments.words)
    if terminal.as_json:
        for record in records.photo_records(library, query):
            terminal.line(record, "")
    else:
        for path in records.photo_paths(library, query):
            terminal.line({}, path_text(path))
    return 0


COMMAND = Command(
    "list photos that match a query",
    run,
    Access.READ,
    add_arguments,
    epilog="A query: words of tags and names, name:beach tag:sea -tag:boat untagged date:2024-05 'rating>=3' label:red",
    usage="focal list [-h] [--library DIR] [--json] [QUERY ...]",
    reword=query_words,
)
