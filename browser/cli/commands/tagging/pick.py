# SPDX-License-Identifier: MIT
"""``focal pick``: pick photos for a goal."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from focal_photos.browser.catalog.facts.query import syntax
from focal_photos.browser.cli.arguments import Parser, natural, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.ranking import ranker
from focal_photos.browser.operations.tagging.subsets import pick

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library

_NEAR_PREFIX: Final = "near:"


class _Chosen(NamedTuple):
    """A goal, and the image of ``near:FILE``."""

    goal: pick.Goal
    image: Path | None = None


def _goal(text: str) -> _Chosen:
    if text.startswith(_NEAR_PREFIX) and len(text) > len(_NEAR_PREFIX):
        return _Chosen(pick.Goal.NEAR, Path(text.removeprefix(_NEAR_PREFIX)))
    if text in set(pick.Goal) - {pick.Goal.NEAR}:
        return _Chosen(pick.Goal(text))
    raise argparse.ArgumentTypeError(f"{text!r} is no goal: diverse, typical, odd, balanced, unsure or near:FILE")


def add_arguments(parser: Parser) -> None:
    """Add the goal, the count, the seed and the photos to pick from."""
    parser.add_argument(
        "--goal",
        type=_goal,
        required=True,
        metavar="GOAL",
        help="diverse: as different as possible; typical: each photo has a similar one among them; odd: unlike all "
        "others; balanced: the same number of each tag; unsure: untagged ones unlike the tagged ones, or between "
        "several tags; near:FILE: the most similar to an image",
    )
    parser.add_argument("--count", type=positive, default=200, metavar="N", help="at most N photos (default: 200)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="another number picks others (default: 0)")
    parser.add_argument("--query", default="", metavar="QUERY", help="pick from photos that match (see focal list)")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal pick --goal GOAL``."""
    goal, image = arguments.goal
    among = library.photos.listed(syntax.leave_out(syntax.parse(arguments.query), syntax.Missing()))
    job = pick.pick(
        library,
        ranker.Ranker(library, once=goal is pick.Goal.NEAR),
        goal,
        arguments.count,
        among=among,
        seed=arguments.seed,
        image=None if image is None else image.absolute(),
    )
    found = terminal.run(job)
    paths = library.photos.paths(found.ids)
    document = {
        "goal": str(goal),
        "focal": None if image is None else str(image.absolute()),
        "seed": arguments.seed,
        "considered": found.considered,
        "photos": [str(path) for path in paths],
    }
    terminal.result(document, [path_text(path) for path in paths])
    return 0


COMMAND = Command(
    "pick photos for a goal: different, typical or odd ones, the same number of each tag, uncertain ones",
    run,
    Access.WRITE_IF_FREE,
    add_arguments,
    epilog="The same seed picks the same photos. Nothing is changed.",
)
