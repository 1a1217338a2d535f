"""``focal rank``: the photos most similar to an image."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from browser.cli.arguments import Parser, add_metric, positive
from browser.cli.command import Access, Command
from browser.cli.terminal import Terminal, path_text

if TYPE_CHECKING:
    from browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the image, the metric, and which photos are ranked."""
    parser.add_argument("image", type=Path, metavar="IMAGE")
    add_metric(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="only the N nearest")
    parser.add_argument(
        "--no-rerank",
        action="store_true",
        help="by the metric's own distance alone, whatever neighbours photos share (default: as focal settings says)",
    )
    parser.add_argument(
        "--without-judgements",
        action="store_true",
        help="by the metric alone, whatever was judged against this photo (default: as focal settings says)",
    )
    parser.add_argument("--query", default="", metavar="QUERY", help="rank only photos that match (see focal list)")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal rank IMAGE``."""
    from browser.catalog.facts.query import Missing, leave_out, parse
    from browser.operations.ranking.ranker import Ranker

    image = arguments.image.absolute()
    among = library.photos.listed(leave_out(parse(arguments.query), Missing()))
    ranking = Ranker(library).rank(
        image,
        arguments.metric,
        limit=arguments.limit,
        among=among,
        rerank=False if arguments.no_rerank else None,
        by_judgements=False if arguments.without_judgements else None,
    )
    if ranking.provisional:
        terminal.say(
            "Neighbours are compared among the 1,000 photos nearest to the image: a window, which compares all photos "
            "once, may show another order."
        )
    paths = library.photos.paths(ranking.photo_ids)
    distances = ranking.distances.tolist()
    photo = library.photos.by_path(image)
    if ranking.focal_id is not None and (photo is None or photo.id != ranking.focal_id):
        (image,) = library.photos.paths([ranking.focal_id])  # a copy, or a file that was moved
    document = {
        "focal": str(image),
        "metric": ranking.metric.name,
        "judgements": ranking.judgements,
        "results": [{"path": str(p), "distance": d} for p, d in zip(paths, distances, strict=True)],
    }
    terminal.result(document, (f"{d:.4f}  {path_text(p)}" for p, d in zip(paths, distances, strict=True)))
    return 0


COMMAND = Command(
    "list the photos most similar to an image, which need not be in the library",
    run,
    Access.WRITE_IF_FREE,
    add_arguments,
)
