# SPDX-License-Identifier: MIT
"""``focal suggest``: suggest tags by similarity to tagged photos."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser, add_metric, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.photos import find
from focal_photos.browser.operations.ranking import ranker
from focal_photos.browser.operations.recognition import suggestion_accuracy
from focal_photos.browser.operations.tagging import suggest

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the photos, the number of tags, the method, and the metric."""
    parser.add_argument("images", nargs="*", type=Path, metavar="IMAGE", help="photos of the library")
    parser.add_argument("--untagged", action="store_true", help="for all photos without tags (the default)")
    parser.add_argument("--per-photo", type=positive, default=5, metavar="N", help="at most N tags each (default: 5)")
    parser.add_argument(
        "--by",
        choices=("ridge", "votes", "votes-by-rank"),
        help="regression on all tagged photos, or the votes of the nearest, weighted by distance or by rank (default: "
        "the setting suggestions.by)",
    )
    parser.add_argument(
        "--accuracy",
        action="store_true",
        help="measure on tagged photos how often each method's first suggestion is right, and suggest nothing",
    )
    add_metric(parser)


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal suggest [IMAGE...|--untagged]``."""
    if arguments.images and arguments.untagged:
        raise WrongUseError("name photos or write --untagged, not both")
    if arguments.accuracy:
        if arguments.images or arguments.untagged or arguments.by:
            raise WrongUseError("--accuracy measures all methods on the tagged photos: leave photos and --by out")
        return _show_accuracy(library, arguments, terminal)
    ids = find.find_photos(library, arguments.images) if arguments.images else None
    report = terminal.run(
        suggest.suggest(
            library,
            ranker.Ranker(library),
            ids,
            per_photo=arguments.per_photo,
            metric=arguments.metric,
            by=arguments.by,
        )
    )
    if library.read_only:
        terminal.say("focal: the library is in use or cannot be written: the suggestions are shown, not kept")
    photo_ids = list(report.by_photo)
    supporters = sorted({w for many in report.by_photo.values() for one in many for w in one.supporters})
    path_of = dict(zip(supporters, library.photos.paths(supporters), strict=True))
    for photo_id, path in zip(photo_ids, library.photos.paths(photo_ids), strict=True):
        suggestions = report.by_photo[photo_id]
        document = {
            "path": str(path),
            "suggestions": [
                {"tag": s.tag, "confidence": s.confidence, "witnesses": [str(path_of[w]) for w in s.supporters]}
                for s in suggestions
            ],
        }
        tags = ", ".join(f"{s.tag} {s.confidence:.2f}" for s in suggestions) or "nothing to suggest"
        terminal.line(document, f"{path_text(path)}: {tags}")
    return 0


def _show_accuracy(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    found = terminal.run(
        suggestion_accuracy.measure_suggestions(library, ranker.Ranker(library), metric=arguments.metric)
    )
    for by, right in found.right.items():
        share = f"{100 * right / found.photos:.1f} % of {found.photos} held-out photos"
        terminal.line({"by": by, "right": right, "photos": found.photos}, f"{by}: {share}")
    return 0


COMMAND = Command("suggest tags by the look of tagged photos", run, Access.WRITE_IF_FREE, add_arguments)
