# SPDX-License-Identifier: MIT
"""``focal boxes``: list, draw, move, name, remove and suggest boxes on photos."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from focal_photos.browser.catalog.facts.records import Region, TagSource
from focal_photos.browser.catalog.store import changes
from focal_photos.browser.cli.arguments import Parser, region, share
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.photos import find
from focal_photos.browser.operations.tagging.boxes import suggest_boxes

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library

_ACTIONS: Final = ("add", "move", "name", "remove")
_DEFAULT_CONFIDENCE: Final = 0.5
"""Minimum confidence of suggested boxes unless another is given."""


def add_arguments(parser: Parser) -> None:
    """Add the photos and the actions."""
    parser.add_argument("images", nargs="*", type=Path, metavar="IMAGE", help="photos of the library (default: all)")
    parser.add_argument(
        "--add",
        action="append",
        type=region,
        metavar="X,Y,W,H",
        help="draw a box: left, top, width and height as shares of the photo's sides, 0 to 1; can be repeated",
    )
    parser.add_argument(
        "--move", nargs=2, metavar=("N", "X,Y,W,H"), help="move or resize the box with the number N in the list"
    )
    parser.add_argument("--name", nargs="+", type=int, metavar="N", help="name boxes by --tag; without --tag, by none")
    parser.add_argument("--remove", nargs="+", type=int, metavar="N", help="remove boxes")
    parser.add_argument("--tag", metavar="NAME", help="tag that names the boxes of --add or --name, or to suggest")
    parser.add_argument(
        "--suggest", action="store_true", help="suggest boxes like the named ones on other photos; also: boxes suggest"
    )
    parser.add_argument(
        "--min-confidence",
        type=share,
        metavar="C",
        help=f"minimum confidence of suggested boxes, 0 to 1 (default: {_DEFAULT_CONFIDENCE})",
    )
    parser.add_argument("--accept", action="store_true", help="draw the suggested boxes")


def _reword(words: Sequence[str]) -> list[str]:
    """Return the words with ``--suggest`` instead of a first word ``suggest``."""
    return ["--suggest", *words[1:]] if words and words[0] == "suggest" else list(words)


def _access(arguments: argparse.Namespace) -> Access:
    return Access.WRITE if arguments.accept or any(getattr(arguments, one) for one in _ACTIONS) else Access.READ


def _check(arguments: argparse.Namespace) -> None:
    """Check that the options fit together, and read the region of ``--move``."""
    if sum(getattr(arguments, one) is not None for one in _ACTIONS) > 1:
        raise WrongUseError("--add, --move, --name and --remove stand alone: leave all but one out")
    if arguments.add and not arguments.images:
        raise WrongUseError("name the photo on which to draw, such as: focal boxes a.jpg --add .1,.2,.5,.4 --tag dog")
    if arguments.suggest and any(getattr(arguments, one) is not None for one in _ACTIONS):
        raise WrongUseError("suggest stands alone: leave --add, --move, --name and --remove out")
    if not arguments.suggest and (arguments.accept or arguments.min_confidence is not None):
        raise WrongUseError("--accept and --min-confidence are for suggestions: write focal boxes suggest")
    if arguments.tag is not None and not (arguments.add or arguments.name or arguments.suggest):
        raise WrongUseError("--tag names the boxes of --add or --name: add one of them")
    if arguments.move:
        number, sides = arguments.move
        try:
            arguments.move = int(number), region(sides)
        except (ValueError, argparse.ArgumentTypeError) as error:
            raise WrongUseError(
                f"--move takes the number of a box and its region X,Y,W,H, not {number} {sides}"
            ) from error


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal boxes [suggest] [IMAGE...] [--add X,Y,W,H... | --move N X,Y,W,H | --name N... | --remove N...]``."""
    ids = find.find_photos(library, arguments.images) if arguments.images else None
    if arguments.suggest:
        return _suggest(library, arguments, ids, terminal)
    done = changes.ChangeSet()
    if arguments.add:
        done = library.boxes.add((photo, box, arguments.tag) for photo in ids or () for box in arguments.add)
    elif arguments.move:
        done = library.boxes.move(*arguments.move)
    elif arguments.name:
        done = library.boxes.name(arguments.name, arguments.tag)
    elif arguments.remove:
        done = library.boxes.remove(arguments.remove)
    found = (
        library.boxes.all() if ids is None else [box for of_photo in library.boxes.of(ids).values() for box in of_photo]
    )
    paths = {photo.id: photo.path for photo in library.photos.get(sorted({box.photo_id for box in found}))}
    boxes: list[dict[str, Any]] = []
    lines: list[str] = [str(done.label)] if done else []
    for box in found:
        place = _place(box.region)
        boxes.append(
            {
                "id": box.id,
                "path": str(paths[box.photo_id]),
                "box": place,
                "tag": box.tag,
                "source": box.source.value,
                "uncertain": box.uncertain,
            }
        )
        doubt = "  (the photo has changed)" if box.uncertain else ""
        name = box.tag or "(no name)"
        lines.append(
            f"{box.id:>6}  {','.join(f'{side:g}' for side in place)}  {name}  {path_text(paths[box.photo_id])}{doubt}"
        )
    terminal.result({"boxes": boxes, "changed": len(done.photo_ids)}, lines)
    return 0


def _suggest(library: Library, arguments: argparse.Namespace, ids: Sequence[int] | None, terminal: Terminal) -> int:
    least = _DEFAULT_CONFIDENCE if arguments.min_confidence is None else arguments.min_confidence
    found = terminal.run(
        suggest_boxes.suggest_exactly(
            library,
            tags=None if arguments.tag is None else [arguments.tag],
            allowed=None if ids is None else np.array(ids, np.int64),
        )
    )
    found = [one for one in found if one.confidence >= least]
    done = changes.ChangeSet()
    if arguments.accept:
        done = library.boxes.add(((one.photo_id, one.region, one.tag) for one in found), TagSource.ACCEPTED)
    numbers = [one.photo_id for one in found]
    documents: list[dict[str, Any]] = []
    lines = [str(done.label)] if done else []
    for one, path in zip(found, library.photos.paths(numbers), strict=True):
        place = _place(one.region)
        documents.append({"path": str(path), "box": place, "tag": one.tag, "confidence": round(one.confidence, 4)})
        lines.append(f"{one.confidence:.2f}  {','.join(f'{side:g}' for side in place)}  {one.tag}  {path_text(path)}")
    terminal.result({"suggestions": documents, "changed": len(done.photo_ids)}, lines or ["nothing to suggest"])
    return 0


def _place(box: Region) -> list[float]:
    """Return left, top, width and height as shares of the photo's sides."""
    return [round(side, 6) for side in (box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)]


COMMAND = Command(
    "list the boxes on photos, draw, move, name and remove them, suggest others",
    run,
    _access,
    add_arguments,
    epilog="Example: focal boxes a.jpg --add .1,.2,.5,.4 --tag dog. The photo gets the tag too. Changes can be undone: "
    "focal undo. After some boxes are named: focal boxes suggest.",
    reword=_reword,
    prepare=_check,
    in_window=True,
)
