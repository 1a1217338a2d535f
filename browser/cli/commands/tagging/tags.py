"""``focal tags``: the tags, and those that go with one."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from browser.cli.arguments import Parser, positive
from browser.cli.command import Access, Command
from browser.cli.terminal import Terminal

if TYPE_CHECKING:
    from browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the tag whose neighbours are wanted."""
    parser.add_argument("--related", metavar="TAG", help="the tags that go with TAG, nearest first")
    parser.add_argument("--limit", type=positive, default=10, metavar="N", help="at most N related tags (default: 10)")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal tags [--related TAG]``."""
    if arguments.related is None:
        listed = library.tags.all()
        terminal.result(
            {"tags": [{"tag": tag.name, "photos": tag.count} for tag in listed]},
            (f"{tag.count:>7}  {tag.name}" for tag in listed),
        )
        return 0
    from browser.catalog.facts.tags import normalise
    from browser.operations.tagging.related import related_tags

    found = terminal.run(related_tags(library, arguments.related, limit=arguments.limit))
    terminal.result(
        {"tag": normalise(arguments.related), "related": [asdict(one) for one in found]},
        (f"{one.distance:.4f}  {one.tag} ({one.photos})" for one in found),
    )
    return 0


COMMAND = Command("list the tags, or those that go with one", run, Access.READ, add_arguments)
