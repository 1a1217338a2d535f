# SPDX-License-Identifier: MIT
"""``focal missing``: list photos without a file, and find their possible new locations."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.photos.missing_files import missing

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the folders to search, and the actions."""
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="folders to search for their files too")
    parser.add_argument("--accept", action="store_true", help="do what is proposed")
    parser.add_argument(
        "--forget", action="store_true", help="list those no more that have no tags, judgements, ratings or boxes"
    )
    parser.add_argument("--with-work", action="store_true", help="with --forget: also those that have")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal missing``."""
    if arguments.with_work and not arguments.forget:
        raise WrongUseError("--with-work says which photos are forgotten: add --forget")
    proposals = terminal.run(missing.propose(library, [folder.absolute() for folder in arguments.folders]))
    done = []
    if arguments.accept:
        for proposal in proposals:
            terminal.run(missing.accept(library, proposal))
            done.append(proposal)
    forgotten: frozenset[int] = frozenset()
    folders = missing.missing_photos(library)
    if arguments.forget:
        ids = [each.photo.id for photos in folders.values() for each in photos]
        forgotten = missing.forget(library, ids, with_work=arguments.with_work).photo_ids
    document = {
        "missing": [_photo(each) for photos in folders.values() for each in photos],
        "proposals": [_proposal(each) for each in proposals],
        "accepted": len(done),
        "forgotten": len(forgotten),
    }
    terminal.result(document, [*_lines(folders), *_said(proposals, done), *_forgotten(len(forgotten))])
    return 0


def _photo(each: missing.MissingPhoto) -> dict[str, Any]:
    return {
        "path": str(each.photo.path),
        "bytes": each.photo.bytes,
        "hash": each.photo.content_hash,
        "tags": list(each.tags),
        "judgements": each.judgements,
        "marked": each.marked,
        "boxes": each.boxes,
    }


def _proposal(each: missing.Proposal) -> dict[str, Any]:
    return {"kind": str(each.kind), "old": str(each.old), "new": str(each.new), "photos": len(each.photo_ids)}


def _lines(folders: dict[Path, list[missing.MissingPhoto]]) -> list[str]:
    lines = []
    for photos in folders.values():
        for each in photos:
            counts = {"judgements": each.judgements, "boxes": each.boxes}
            work = [*each.tags, *(f"{count} {name}" for name, count in counts.items() if count)]
            lines.append(path_text(each.photo.path) + (f"  ({', '.join(work)})" if work else ""))
    return lines or ["No photo is missing."]


def _said(proposals: Sequence[missing.Proposal], done: Sequence[missing.Proposal]) -> list[str]:
    texts = {
        "relocate": "{old} seems to be {new} now",
        "same-content": "{old}: the same content is at {new}",
        "same-name": "{old} may have been changed and moved: {new} has its name",
    }
    lines = []
    for each in proposals:
        text = texts[str(each.kind)].format(old=path_text(each.old), new=path_text(each.new))
        lines.append(f"{'Done' if each in done else 'Proposed'}: {text}")
    if len(done) < len(proposals):
        lines.append("focal missing --accept does what is proposed.")
    return lines


def _forgotten(count: int) -> list[str]:
    return [f"Forgotten: {count}; focal undo takes it back, and a file that is found again."] if count else []


def _access(arguments: argparse.Namespace) -> Access:
    return Access.WRITE if arguments.accept or arguments.forget else Access.READ


COMMAND = Command(
    "list the photos without a file and what hangs on them, and look where they may be now",
    run,
    _access,
    add_arguments,
    in_window=True,
)
