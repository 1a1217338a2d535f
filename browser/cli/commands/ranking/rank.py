# SPDX-License-Identifier: MIT
"""``focal rank``: rank photos by similarity to an image or a text."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from focal_photos.browser.catalog.facts.query import syntax
from focal_photos.browser.cli.arguments import Parser, add_metric, positive, region
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.ranking import ranker as rankers
from focal_photos.browser.operations.ranking import why_near
from focal_photos.browser.operations.ranking.queries import query as queries

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library

_EXPLAINED: Final = 10  # default number of photos whose distances are explained


def add_arguments(parser: Parser) -> None:
    """Add the image, the metric, and the photos to rank."""
    parser.add_argument("image", type=Path, nargs="?", metavar="IMAGE", help="any image file")
    parser.add_argument(
        "--text",
        metavar="TEXT",
        help="rank by a text instead: a red boat (needs an image-and-text network)",
    )
    parser.add_argument(
        "--box",
        type=region,
        metavar="X,Y,W,H",
        help="rank by a part of the image: left, top, width and height as shares of its sides, 0 to 1",
    )
    add_metric(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="only the N nearest")
    parser.add_argument(
        "--no-rerank",
        action="store_true",
        help="by the metric's own distance, without shared neighbours (default: as in focal settings)",
    )
    parser.add_argument(
        "--without-judgements",
        action="store_true",
        help="by the metric alone, without judgements against this photo (default: as in focal settings)",
    )
    parser.add_argument(
        "--why",
        action="store_true",
        help="say of each photo what its distance is made of; the first 10, unless --limit says more",
    )
    parser.add_argument("--query", default="", metavar="QUERY", help="rank only photos that match (see focal list)")


def one_query(arguments: argparse.Namespace) -> None:
    """Check that either an image or a text is given."""
    if (arguments.image is None) == (arguments.text is None):
        raise WrongUseError("name an image, or a text with --text: one of them")
    if arguments.box is not None and (arguments.image is None or arguments.why):
        raise WrongUseError("--box needs an image, and is used without --why")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal rank IMAGE`` or ``focal rank --text TEXT``."""
    image = None if arguments.image is None else arguments.image.absolute()
    whole = queries.TextQuery(arguments.text) if image is None else image
    query: queries.Query = whole
    if image is not None and arguments.box is not None:
        query = queries.RegionQuery(image, arguments.box)
    rerank = False if arguments.no_rerank else None
    by_judgements = False if arguments.without_judgements else None
    limit = arguments.limit or (_EXPLAINED if arguments.why else None)
    among = library.photos.listed(syntax.leave_out(syntax.parse(arguments.query), syntax.Missing()))
    ranker = rankers.Ranker(library, once=True)
    ranking = ranker.rank(query, arguments.metric, limit=limit, among=among, rerank=rerank, by_judgements=by_judgements)
    if ranking.why_all:
        terminal.say(ranking.why_all)
    if ranking.why_cosine:
        terminal.say(ranking.why_cosine)
    if ranking.by_index:
        terminal.say("An index found the nearest, and may miss a few: without --limit all photos are compared.")
    if ranking.among_nearest:
        terminal.say(
            "Neighbours are compared among the 1,000 photos nearest to the image: a window, which compares all photos "
            "once, may show another order."
        )
    paths = library.photos.paths(ranking.photo_ids)
    distances = ranking.distances.tolist()
    photo = None if image is None else library.photos.by_path(image)
    if ranking.focal_id is not None and (photo is None or photo.id != ranking.focal_id):
        (image,) = library.photos.paths([ranking.focal_id])  # the query is a copy or a moved file
    results: list[dict[str, Any]] = [{"path": str(p), "distance": d} for p, d in zip(paths, distances, strict=True)]
    lines = [f"{d:.4f}  {path_text(p)}" for p, d in zip(paths, distances, strict=True)]
    if ranking.windows is not None:
        for number, (x0, y0, x1, y1) in enumerate(ranking.windows.astype(float).round(4).tolist()):
            results[number]["box"] = [x0, y0, round(x1 - x0, 4), round(y1 - y0, 4)]
            lines[number] += f"  {','.join(f'{value:g}' for value in results[number]['box'])}"
    if arguments.why:
        focal: int | Path | queries.TextQuery
        focal = whole if ranking.focal_id is None else ranking.focal_id
        for number, photo_id in enumerate(ranking.photo_ids.tolist()):
            why = why_near.why_near(
                library,
                ranker,
                focal,
                photo_id,
                arguments.metric,
                distance=distances[number],
                rerank=rerank,
                by_judgements=by_judgements,
            )
            results[number]["parts"] = [
                {"kind": part.kind.value, "name": part.name, "title": part.title, "value": part.value}
                for part in why.parts
            ]
            lines[number] += "\n" + "\n".join(f"    {part.value:8.4f}  {part.title}" for part in why.parts)
    document = {
        **({"text": query.text} if isinstance(query, queries.TextQuery) else {"focal": str(image)}),
        "metric": ranking.metric.name,
        "judgements": ranking.judgements,
        "results": results,
    }
    terminal.result(document, lines)
    return 0


COMMAND = Command(
    "list the photos most similar to an image, which need not be in the library, or to a text",
    run,
    Access.WRITE_IF_FREE,
    add_arguments,
    prepare=one_query,
)
