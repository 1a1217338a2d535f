# SPDX-License-Identifier: MIT
"""``focal judge``: judge photos similar or dissimilar to a focal image or a text, alike in looks, or nearer."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.catalog.facts import records
from focal_photos.browser.cli.arguments import Parser, region
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.commands.tagging.import_options import add_import_options, show_import
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.exchange import import_file
from focal_photos.browser.operations.jobs import errors
from focal_photos.browser.operations.photos import find
from focal_photos.browser.operations.tagging.judging import judge, judge_regions

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the photos, their parts, the verdict, and a file of judgements."""
    parser.add_argument("images", nargs="*", type=Path, metavar="IMAGE", help="the focal image, then the judged ones")
    parser.add_argument("--text", metavar="TEXT", help="judge all the photos against a text (see focal rank --text)")
    parser.add_argument(
        "--box",
        type=region,
        metavar="X,Y,W,H",
        help="judge parts of the photos against this part of the focal image: left, top, width and height as shares of "
        "its sides, 0 to 1",
    )
    parser.add_argument(
        "--other-box",
        type=region,
        metavar="X,Y,W,H",
        help="the judged part of the photos (default: the part that focal rank --box finds)",
    )
    verdict = parser.add_mutually_exclusive_group()
    verdict.add_argument(
        "--list", action="store_true", help="list the judgements of parts of photos, of all or of the focal image"
    )
    verdict.add_argument("--similar", dest="verdict", action="store_const", const="similar", help="they are")
    verdict.add_argument("--dissimilar", dest="verdict", action="store_const", const="dissimilar", help="they are not")
    verdict.add_argument(
        "--looks-alike", dest="verdict", action="store_const", const="looks alike", help="they look alike"
    )
    verdict.add_argument(
        "--nearer",
        dest="verdict",
        action="store_const",
        const="nearer",
        help="of two judged ones, the first is nearer to the focal image",
    )
    verdict.add_argument(
        "--clear", dest="verdict", action="store_const", const="clear", help="take all judgements on them back"
    )
    add_import_options(parser, "judgements")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal judge FOCAL IMAGE... --similar`` or ``focal judge --from-csv FILE``."""
    if arguments.source is not None:
        if arguments.images or arguments.verdict or arguments.text or arguments.box or arguments.list:
            raise WrongUseError(
                f"{arguments.source.option} takes photos and verdicts from the table: name none beside it"
            )

        job = import_file.import_judgements(library, arguments.source.path, arguments.source.form, arguments.root)
        return show_import(terminal.run(job), terminal)
    if arguments.list:
        return _list_regions(library, arguments, terminal)
    if arguments.box is not None:
        return _judge_regions(library, arguments, terminal)
    if arguments.other_box is not None:
        raise WrongUseError("--other-box is judged against a part of the focal image: add --box")
    if arguments.text is not None and not (arguments.images and arguments.text.strip()):
        raise WrongUseError("name a text and at least one photo to judge against it")
    if arguments.text is None and len(arguments.images) < 2:
        raise WrongUseError("name the focal image and at least one other photo")
    if arguments.verdict is None:
        raise WrongUseError("add --similar, --dissimilar, --looks-alike, --nearer or --clear")
    relation = records.Relation(arguments.verdict) if arguments.verdict in set(records.Relation) else None
    verdict = None if arguments.verdict == "clear" or relation else records.Verdict(arguments.verdict)
    if relation is not None and arguments.text is not None:
        raise WrongUseError("photos look like a photo, or are nearer to it, not to a text: leave --text out")
    if arguments.text is not None:
        judged = find.find_photos(library, arguments.images)
        changes = library.text_judgements.set(arguments.text, judged, verdict)
        document = {
            "text": " ".join(arguments.text.split()),
            "verdict": arguments.verdict if verdict is not None else None,
            "images": [str(path) for path in library.photos.paths(judged)],
            "changed": len(changes.photo_ids),
        }
        terminal.result(document, changes.label or "Nothing to change.")
        return 0
    (focal,) = find.find_photos(library, arguments.images[:1])
    others = [photo for photo in find.find_photos(library, arguments.images[1:]) if photo != focal]
    if not others:
        raise errors.OperationError("A photo cannot be judged against itself: name another one.")
    if relation is records.Relation.NEARER and len(others) != 2:
        raise WrongUseError("--nearer compares two photos: name the focal image, the nearer photo and the other one")
    if relation is records.Relation.NEARER:
        changes = library.judged_relations.set([(focal, others[0], others[1])], holds=True)
    elif relation is not None:
        changes = library.judged_relations.set([(focal, other, None) for other in others], holds=True)
    elif verdict is not None:
        changes = library.judgements.set(focal, others, verdict)
    else:
        changes = judge.withdraw(library, focal, others)
    document = {
        "focal": str(library.photos.paths([focal])[0]),
        "verdict": None if arguments.verdict == "clear" else arguments.verdict,
        "images": [str(path) for path in library.photos.paths(others)],
        "changed": max(0, len(changes.photo_ids) - 1),
    }
    terminal.result(document, changes.label or "Nothing to change.")
    return 0


def _judge_regions(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Judge parts of photos against a part of the focal image."""
    if arguments.text is not None or arguments.verdict not in ("similar", "dissimilar", "clear"):
        raise WrongUseError("parts of photos are judged by --similar, --dissimilar or --clear")
    if len(arguments.images) < 2:
        raise WrongUseError("name the focal image and at least one other photo")
    (focal,) = find.find_photos(library, arguments.images[:1])
    others = [photo for photo in find.find_photos(library, arguments.images[1:]) if photo != focal]
    if not others:
        raise errors.OperationError("A photo cannot be judged against itself: name another one.")
    verdict = None if arguments.verdict == "clear" else records.Verdict(arguments.verdict)
    changes = judge_regions.judge_regions(library, focal, arguments.box, others, verdict, arguments.other_box)
    judged = [one for one in library.region_judgements.against(focal, arguments.box) if one.other_id in others]
    document = {
        "focal": str(library.photos.paths([focal])[0]),
        "box": _sides(arguments.box),
        "verdict": None if verdict is None else verdict.value,
        "images": [str(path) for path in library.photos.paths(others)],
        "other_boxes": [_sides(one.other_region) for one in sorted(judged, key=lambda one: others.index(one.other_id))],
        "changed": max(0, len(changes.photo_ids) - 1),
    }
    terminal.result(document, changes.label or "Nothing to change.")
    return 0


def _list_regions(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """List judgements of parts of photos."""
    if len(arguments.images) > 1 or any(
        one is not None for one in (arguments.text, arguments.box, arguments.other_box)
    ):
        raise WrongUseError("--list takes no more than a focal image: leave the rest out")
    focal = find.find_photos(library, arguments.images)
    judged = [one for one in library.region_judgements.all() if not focal or one.photo_id == focal[0]]
    ids = sorted({photo for one in judged for photo in (one.photo_id, one.other_id)})
    paths = {photo.id: photo.path for photo in library.photos.get(ids)}
    found = [
        {
            "focal": str(paths[one.photo_id]),
            "box": _sides(one.region),
            "other": str(paths[one.other_id]),
            "other_box": _sides(one.other_region),
            "verdict": one.verdict.value,
            "at": one.at.isoformat(),
        }
        for one in judged
    ]
    lines = [
        f"{one.verdict.value:<10}  {path_text(paths[one.photo_id])} {_written(one.region)}  "
        f"{path_text(paths[one.other_id])} {_written(one.other_region)}"
        for one in judged
    ]
    terminal.result({"regions": found}, lines)
    return 0


def _sides(found: records.Region) -> list[float]:
    """Return left, top, width and height, rounded."""
    return [round(side, 6) for side in (found.x0, found.y0, found.x1 - found.x0, found.y1 - found.y0)]


def _written(found: records.Region) -> str:
    return ",".join(f"{side:.4g}" for side in _sides(found))


COMMAND = Command(
    "say that photos or parts of them are similar to a focal image, or not, look alike, or are nearer to it",
    run,
    add_arguments=add_arguments,
    in_window=True,
)
