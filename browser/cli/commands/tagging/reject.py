"""``focal reject``: reject suggested tags permanently."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.commands.tagging.open_suggestions import (
    add_arguments,
    example,
    open_suggestions,
    show_answered,
)
from focal_photos.browser.cli.commands.tagging.signed_tags import signed_tags
from focal_photos.browser.cli.terminal import Terminal

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal reject IMAGE... [+TAG]``."""
    pairs = open_suggestions(library, arguments)
    return show_answered("rejected", pairs, library.suggestions.reject(pairs), library, terminal)


COMMAND = Command(
    "reject suggested tags for ever",
    run,
    add_arguments=add_arguments,
    epilog=example("reject"),
    reword=signed_tags,
    in_window=True,
)
