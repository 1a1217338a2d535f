# SPDX-License-Identifier: MIT
"""``focal agree``: how far the tags of several libraries agree, and where they differ."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.catalog.text import counted
from focal_photos.browser.cli.arguments import Parser, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.exchange.annotators import compare, record

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library
    from focal_photos.learners.evaluation.audit import Estimate

_LISTED = 20


def add_arguments(parser: Parser) -> None:
    """Add the other libraries, and the choice of tags."""
    parser.add_argument(
        "others", nargs="+", type=Path, metavar="LIBRARY_OR_ARCHIVE", help="the folder of a library, or an archive"
    )
    parser.add_argument("--tag", dest="tags", action="append", default=[], metavar="TAG", help="only this tag")
    parser.add_argument("--record", action="store_true", help="show the agreement in the certificate (focal certify)")
    parser.add_argument("--untagged", action="store_true", help="count photos without any tag as answered by no")
    parser.add_argument(
        "--limit", type=positive, default=_LISTED, metavar="N", help=f"list N disagreements (default: {_LISTED})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the intervals (default: 0)")


def _access(arguments: argparse.Namespace) -> Access:
    return Access.WRITE if arguments.record else Access.READ


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal agree LIBRARY_OR_ARCHIVE...``."""
    found = terminal.run(
        compare.compare_annotators(
            library, arguments.others, tags=arguments.tags, untagged=arguments.untagged, seed=arguments.seed
        )
    )
    if arguments.record:
        record.record_agreement(library, found)
    ids = [one.photo_id for one in found.disagreements]
    paths = dict(zip(ids, library.photos.paths(ids), strict=True))
    terminal.result(_document(found, paths), _lines(found, paths, arguments.limit))
    return 0


def _document(found: compare.Comparison, paths: dict[int, Path]) -> dict[str, Any]:
    return {
        "annotators": list(found.names),
        "photos": found.photos,
        "statistic": "cohen" if len(found.names) == 2 else "fleiss",
        "tags": [
            {
                "tag": one.tag,
                "photos": one.photos,
                "carried": list(one.carried),
                "observed": None if math.isnan(one.observed) else one.observed,
                "kappa": _numbers(one.kappa),
                "alpha": _numbers(one.alpha),
                "disagreements": one.disagreements,
            }
            for one in found.tags
        ],
        "disagreements": [
            {
                "path": str(paths[one.photo_id]),
                "tag": one.tag,
                "answers": list(one.answers),
                "answered": one.answered,
            }
            for one in found.disagreements
        ],
    }


def _numbers(one: Estimate) -> dict[str, float] | None:
    """Return an estimate with its limits; None if it is undefined."""
    return None if math.isnan(one.value) else {"value": one.value, "low": one.low, "high": one.high}


def _lines(found: compare.Comparison, paths: dict[int, Path], limit: int) -> Iterator[str]:
    yield f"{counted(found.photos, '1 photo', '{0} photos')} in common: {', '.join(found.names)}"
    name = "kappa" if len(found.names) == 2 else "Fleiss' kappa"
    for one in found.tags:
        if one.photos:
            yield (
                f"{one.tag}: {name} {_text(one.kappa)}, alpha {_text(one.alpha)}, {100 * one.observed:.0f} % equal, "
                f"{counted(one.disagreements, '1 disagreement', '{0} disagreements')} in "
                f"{counted(one.photos, '1 photo', '{0} photos')}"
            )
        else:
            yield f"{one.tag}: answered by one annotator only"
    for each in found.disagreements[:limit]:
        answers = (
            f"{name} {'no answer' if answer is None else 'yes' if answer else 'no'}"
            for name, answer in zip(found.names, each.answers, strict=True)
        )
        yield f"{path_text(paths[each.photo_id])}: {each.tag}: {', '.join(answers)}"
    rest = len(found.disagreements) - limit
    if rest > 0:
        yield f"and {rest} more disagreements: add --limit {len(found.disagreements)}, or --json"


def _text(one: Estimate) -> str:
    """Return an estimate with its interval, such as ``.81 (.70 to .90)``."""
    if math.isnan(one.value):
        return "undefined"
    value, low, high = (f"{number:.2f}".replace("0.", ".", 1) for number in one)
    return f"{value} ({low} to {high})"


COMMAND = Command(
    "compare tags with those of other libraries: agreement beyond chance, and the disagreements",
    run,
    _access,
    add_arguments,
    epilog="Example: focal agree ~/colleague.focal.zip --tag fox",
)
