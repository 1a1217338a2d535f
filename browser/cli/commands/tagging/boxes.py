"""``focal boxes``: list, draw, move, name and remove boxes on photos."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.catalog.store import changes
from focal_photos.browser.cli.arguments import Parser, region
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.photos import find

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library

_ACTIONS = ("add", "move", "name", "remove")


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
    parser.add_argument("--tag", metavar="NAME", help="tag that names the boxes of --add or --name")


def _access(arguments: argparse.Namespace) -> Access:
    return Access.WRITE if any(getattr(arguments, one) for one in _ACTIONS) else Access.READ


def _check(arguments: argparse.Namespace) -> None:
    """Check that the options fit together, and read the region of ``--move``."""
    if sum(getattr(arguments, one) is not None for one in _ACTIONS) > 1:
        raise WrongUseError("--add, --move, --name and --remove stand alone: leave all but one out")
    if arguments.add and not arguments.images:
        raise WrongUseError("name the photo on which to draw, such as: focal boxes a.jpg --add .1,.2,.5,.4 --tag dog")
    if arguments.tag is not None and not (arguments.add or arguments.name):
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
    """Run ``focal boxes [IMAGE...] [--add X,Y,W,H... | --move N X,Y,W,H | --name N... | --remove N...]``."""
    ids = find.find_photos(library, arguments.images) if arguments.images else None
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
        sides = box.region
        place = [round(side, 6) for side in (sides.x0, sides.y0, sides.x1 - sides.x0, sides.y1 - sides.y0)]
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


COMMAND = Command(
    "list the boxes on photos, draw, move, name and remove them",
    run,
    _access,
    add_arguments,
    epilog="Example: focal boxes a.jpg --add .1,.2,.5,.4 --tag dog. The photo gets the tag too. Changes can be undone: "
    "focal undo.",
    prepare=_check,
    in_window=True,
)
