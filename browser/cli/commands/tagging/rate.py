# SPDX-License-Identifier: MIT
"""``focal rate``: rate and label photos."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.catalog.facts import marks
from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.photos import find

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library

_REJECTED = "rejected"


def add_arguments(parser: Parser) -> None:
    """Add the photos, a rating and a label."""
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="photos of the library")
    parser.add_argument("--rating", metavar="STARS", help="1 to 5, 0 for none, or rejected")
    parser.add_argument(
        "--label", metavar="NAME", help="Red, Yellow, Green, Blue, Purple or any other; none takes it off"
    )


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal rate IMAGE... --rating 4 --label Red``."""
    if arguments.rating is None and arguments.label is None:
        raise WrongUseError("name a rating or a label, such as: focal rate a.jpg --rating 4 --label Red")
    rating: Any = marks.UNCHANGED if arguments.rating is None else _rating(arguments.rating, marks.REJECTED)
    label: Any = marks.UNCHANGED if arguments.label is None else arguments.label
    if isinstance(label, str) and label.lower() == "none":
        label = None
    ids = find.find_photos(library, arguments.images)
    changes = library.marks.set(ids, rating=rating, label=label)
    given = library.marks.of(ids)
    photos = zip(ids, library.photos.paths(ids), strict=True)
    document: dict[str, Any] = {
        "photos": [
            {"path": str(path), "rating": given[number].rating, "label": given[number].label} for number, path in photos
        ],
        "changed": len(changes.photo_ids),
    }
    terminal.result(document, changes.label or "Nothing to change.")
    return 0


def _rating(text: str, rejected: int) -> int:
    if text.lower() == _REJECTED:
        return rejected
    try:
        return int(text)
    except ValueError:
        raise WrongUseError(f"--rating takes 1 to 5, 0 for none, or rejected, not {text}") from None


COMMAND = Command(
    "rate photos and give them labels",
    run,
    add_arguments=add_arguments,
    epilog="Example: focal rate a.jpg b.jpg --rating 4 --label Red. Ratings and labels can be undone: focal undo.",
    in_window=True,
)
