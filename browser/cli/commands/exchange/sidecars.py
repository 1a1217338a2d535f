# SPDX-License-Identifier: MIT
"""``focal sidecars``: exchange tags, ratings, labels and boxes with the XMP files beside photos."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.metadata import agreement, exchange_sidecars

if TYPE_CHECKING:
    from focal_photos.browser.catalog.facts.records import NamedRegion
    from focal_photos.browser.catalog.library import Library

_WITH_VALUE: Final = ("--library", "--prefer", "--wait")


def add_arguments(parser: Parser) -> None:
    """Add the query, the direction, and the handling of conflicts."""
    parser.add_argument("--word", dest="words", action="append", default=[], help=argparse.SUPPRESS)
    parser.add_argument("--dry-run", action="store_true", help="only say what would change on either side")
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--read", dest="way", action="store_const", const="read", default="both", help="only take in, write no sidecar"
    )
    way.add_argument("--write", dest="way", action="store_const", const="write", help="only write sidecars")
    parser.add_argument(
        "--prefer",
        choices=("ask", "focal", "sidecar"),
        help="winner if a rating or label was changed on both sides; ask: change neither "
        "(default: the setting sidecars.prefer)",
    )


def query_words(words: Sequence[str]) -> list[str]:
    """Convert the words of a query to options, so that ``-tag:boat`` is accepted."""
    turned: list[str] = []
    is_value = False
    for word in words:
        is_option = word == "-h" or word.startswith("--")
        turned.append(word if is_value or is_option else f"--word={word}")
        is_value = word in _WITH_VALUE
    return turned


def _access(arguments: argparse.Namespace) -> Access:
    return Access.READ if arguments.dry_run else Access.WRITE


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal sidecars [QUERY]``."""
    ids = library.photos.listed(" ".join(arguments.words))
    with_suffix = settings.SIDECAR_NAMES.get(library) == "photo.jpg.xmp"
    direction = exchange_sidecars.Direction(arguments.way)
    prefer = agreement.Prefer(arguments.prefer or settings.SIDECAR_PREFER.get(library))
    found = terminal.run(exchange_sidecars.compare_sidecars(library, ids.tolist(), with_suffix=with_suffix))
    differences = [(photo, photo.difference(direction, prefer)) for photo in found.differing]
    differences = [(photo, one) for photo, one in differences if one]
    report = exchange_sidecars.ExchangeReport()
    if not arguments.dry_run:
        report = terminal.run(exchange_sidecars.exchange_sidecars(library, found, direction, prefer))
    problems = found.problems + report.problems
    conflicts = sum(len(one.conflicts) for _, one in differences)
    document = {
        "photos": found.photos,
        "dry_run": arguments.dry_run,
        "differences": [_record(photo, one) for photo, one in differences],
        "written": len(report.written),
        "changed": len(report.changes.photo_ids),
        "conflicts": conflicts,
        "problems": [{"path": str(path), "reason": reason} for path, reason in problems],
    }
    text = [line for photo, one in differences for line in _lines(photo, one)]
    text += [f"{path_text(path)}: {reason}" for path, reason in problems]
    done = f"{len(report.written)} sidecars written, {len(report.changes.photo_ids)} photos changed"
    compared = f"{found.photos} photos compared, {len(differences)} differ"
    text.append(compared if arguments.dry_run else f"{compared}; {done}")
    terminal.result(document, text)
    if conflicts:
        terminal.say(
            f"focal: {conflicts} ratings or labels were changed on both sides: add --prefer focal or --prefer sidecar"
        )
    return 1 if report.problems and not (report.written or report.changes) else 0


def _record(photo: exchange_sidecars.ComparedPhoto, difference: exchange_sidecars.PhotoDifference) -> dict[str, Any]:
    return {
        "path": str(photo.path),
        "taken_in": _changes(difference.incoming) if difference.incoming else None,
        "written": [{"sidecar": str(one.path), **_changes(changes)} for one, changes in difference.outgoing],
        "conflicts": [{"field": one.field, "focal": one.focal, "sidecar": one.sidecar} for one in difference.conflicts],
    }


def _changes(difference: exchange_sidecars.Difference) -> dict[str, Any]:
    return {
        "add": list(difference.added),
        "remove": list(difference.removed),
        "rating": None if difference.rating is None else list(difference.rating),
        "label": None if difference.label is None else list(difference.label),
        "boxes": [{"old": _box(old), "new": _box(new)} for old, new in difference.boxes],
    }


def _box(box: NamedRegion | None) -> dict[str, Any] | None:
    if box is None:
        return None
    x0, y0, x1, y1 = (round(side, 4) for side in (box.region.x0, box.region.y0, box.region.x1, box.region.y1))
    return {"tag": box.tag, "box": [x0, y0, round(x1 - x0, 4), round(y1 - y0, 4)]}


def _lines(photo: exchange_sidecars.ComparedPhoto, difference: exchange_sidecars.PhotoDifference) -> list[str]:
    lines = []
    if difference.incoming:
        lines.append(f"{path_text(photo.path)}: {_words(difference.incoming)}")
    lines += [f"{path_text(one.path)}: {_words(changes)}" for one, changes in difference.outgoing]
    lines += [
        f"{path_text(photo.path)}: {one.field} {_value(one.focal)} in Focal, {_value(one.sidecar)} in its sidecar"
        for one in difference.conflicts
    ]
    return lines


def _words(difference: exchange_sidecars.Difference) -> str:
    words = [f"+{tag}" for tag in difference.added] + [f"-{tag}" for tag in difference.removed]
    if difference.rating is not None:
        words.append(f"rating {_value(difference.rating[0])} > {_value(difference.rating[1])}")
    if difference.label is not None:
        words.append(f"label {_value(difference.label[0])} > {_value(difference.label[1])}")
    words += [_box_words(old, new) for old, new in difference.boxes]
    return ", ".join(words)


def _box_words(old: NamedRegion | None, new: NamedRegion | None) -> str:
    if old is None or new is None:
        box = new if old is None else old
        return f"{'+' if old is None else '-'}box {_value(box.tag if box else None)}"
    if old.tag == new.tag:
        return f"box {_value(old.tag)} moved"
    return f"box {_value(old.tag)} > {_value(new.tag)}"


def _value(value: int | str | None) -> str:
    return "none" if value is None else str(value)


COMMAND = Command(
    "exchange tags, ratings, labels and boxes with XMP sidecars",
    run,
    _access,
    add_arguments,
    epilog="A query chooses photos, as in focal list. Photos themselves are never written.",
    usage="focal sidecars [-h] [--library DIR] [--json] [--dry-run] [--read | --write] [--prefer SIDE] [QUERY ...]",
    reword=query_words,
    in_window=True,
)
