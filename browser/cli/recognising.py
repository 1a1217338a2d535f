"""The command that says what is in images."""

from __future__ import annotations

import argparse

from browser.catalog.library import Library
from browser.cli.terminal import Terminal, shown
from browser.operations.ranking.local.recognise import recognise as recognise_images


def recognise(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal recognise IMAGE...``."""
    images = [image.absolute() for image in arguments.images]
    report = terminal.run(recognise_images(library, images, arguments.metric))
    for one in report.recognised:
        tags = one.tags[: arguments.limit]
        document = {
            "path": str(one.path),
            "metric": report.metric.name,
            "focal_images": report.focal_images,
            "tags": [{"tag": each.tag, "score": each.score, "sum": each.total} for each in tags],
        }
        terminal.line(document, f"{shown(one.path)}: {', '.join(f'{each.tag} {each.score:.2f}' for each in tags)}")
    return 0
