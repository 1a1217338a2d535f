# SPDX-License-Identifier: MIT
"""``focal recognise``: recognise the contents of images."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from focal_photos.browser.cli.arguments import Parser, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.recognition import recognise

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library

_METRIC: Final = "local"


def add_arguments(parser: Parser) -> None:
    """Add the images, the number of tags, and the metric."""
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="need not be in the library")
    parser.add_argument("--limit", type=positive, default=5, metavar="N", help="at most N tags each (default: 5)")
    parser.add_argument(
        "--metric", default=_METRIC, metavar="NAME", help=f"a metric of local distances (default: {_METRIC})"
    )


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal recognise IMAGE...``."""
    images = [image.absolute() for image in arguments.images]
    if arguments.metric == _METRIC and not any(metric.learner == _METRIC for metric in library.metrics.all()):
        raise OperationError("There are no local distances yet: run focal train --learner local first.")
    report = terminal.run(recognise.recognise(library, images, arguments.metric))
    for one in report.recognised:
        tags = one.tags[: arguments.limit]
        document = {
            "path": str(one.path),
            "metric": report.metric.name,
            "focal_images": report.focal_images,
            "tags": [
                {"tag": each.tag, "score": each.score, "sum": each.total, "probability": each.probability}
                for each in tags
            ],
        }
        said = [(each.tag, each.score if each.probability is None else each.probability) for each in tags]
        terminal.line(document, f"{path_text(one.path)}: {', '.join(f'{tag} {much:.2f}' for tag, much in said)}")
    return 0


COMMAND = Command("say what is in images, by local distances and all descriptors", run, Access.READ, add_arguments)
