"""Commands that teach: tag, judge, accept, reject, undo, redo."""

from __future__ import annotations

import argparse
from typing import Any

from browser.catalog.facts.records import Verdict
from browser.catalog.facts.tags import normalise
from browser.catalog.library import Library
from browser.catalog.store.changes import ChangeSet
from browser.cli.terminal import Terminal, WrongUseError, shown
from browser.operations.exchange.csv_format import CSV
from browser.operations.exchange.import_file import ImportReport, import_judgements, import_tags
from browser.operations.jobs.errors import OperationError
from browser.operations.photos.find import find_photos
from browser.operations.tagging import answer as settle
from browser.operations.tagging import judge as judging
from browser.operations.tagging import tag as tagging
from browser.operations.tagging import undo as undoing


def tag(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal tag IMAGE... +beach -sea`` and ``focal tag --from-csv FILE``."""
    if arguments.from_csv is not None:
        if arguments.images or arguments.add or arguments.remove:
            raise WrongUseError("--from-csv takes photos and tags from the table: name none beside it")
        job = import_tags(library, arguments.from_csv, CSV, arguments.root)
        return _imported(terminal.run(job), terminal)
    if not arguments.images or not (arguments.add or arguments.remove):
        raise WrongUseError("name photos and tags, such as: focal tag a.jpg b.jpg +beach -sea")
    add, remove = ([*dict.fromkeys(map(normalise, names))] for names in (arguments.add, arguments.remove))
    both = [name for name in add if name in remove]
    if both:
        raise WrongUseError(f"+{both[0]} and -{both[0]} contradict each other: leave one out")
    ids = find_photos(library, arguments.images)
    changes = tagging.change_tags(library, ids, add, remove)
    document: dict[str, Any] = {
        "photos": [str(path) for path in library.photos.paths(ids)],
        "add": add,
        "remove": remove,
        "changed": len(changes.photo_ids),
    }
    terminal.result(document, changes.label or "Nothing to change.")
    return 0


def judge(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal judge FOCAL IMAGE... --similar`` and ``focal judge --from-csv FILE``."""
    if arguments.from_csv is not None:
        if arguments.images or arguments.verdict:
            raise WrongUseError("--from-csv takes photos and verdicts from the table: name none beside it")
        job = import_judgements(library, arguments.from_csv, CSV, arguments.root)
        return _imported(terminal.run(job), terminal)
    if len(arguments.images) < 2:
        raise WrongUseError("name the focal image and at least one other photo")
    if arguments.verdict is None:
        raise WrongUseError("add --similar, --dissimilar or --clear")
    verdict = None if arguments.verdict == "clear" else Verdict(arguments.verdict)
    (focal,) = find_photos(library, arguments.images[:1])
    others = [photo for photo in find_photos(library, arguments.images[1:]) if photo != focal]
    if not others:
        raise OperationError("A photo cannot be judged against itself: name another one.")
    changes = judging.judge(library, focal, others, verdict)
    document = {
        "focal": str(library.photos.paths([focal])[0]),
        "verdict": None if verdict is None else verdict.value,
        "images": [str(path) for path in library.photos.paths(others)],
        "changed": max(0, len(changes.photo_ids) - 1),
    }
    terminal.result(document, changes.label or "Nothing to change.")
    return 0


def accept(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal accept IMAGE... [+tag]``."""
    pairs = _suggested(library, arguments)
    return _settled("accepted", pairs, settle.accept(library, pairs), library, terminal)


def reject(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal reject IMAGE... [+tag]``."""
    pairs = _suggested(library, arguments)
    return _settled("rejected", pairs, settle.reject(library, pairs), library, terminal)


def undo(library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal undo``."""
    changes = undoing.undo(library)
    terminal.result({"undone": changes.label or None}, f"Undone: {changes.label}" if changes else "Nothing to undo.")
    return 0


def redo(library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal redo``."""
    changes = undoing.redo(library)
    terminal.result({"redone": changes.label or None}, f"Redone: {changes.label}" if changes else "Nothing to redo.")
    return 0


def _imported(report: ImportReport, terminal: Terminal) -> int:
    document = {
        "lines": report.lines,
        "changed": len(report.changes.photo_ids),
        "unknown": [str(path) for path in report.unknown],
        "refused": [{"line": line, "reason": reason} for line, reason in report.refused],
    }
    text = [
        *(f"{shown(path)}: not in the library" for path in report.unknown),
        *(f"line {line}: {reason}" for line, reason in report.refused),
        f"{report.lines} lines, {len(report.changes.photo_ids)} photos changed, {len(report.unknown)} unknown",
    ]
    terminal.result(document, text)
    if report.lines and not report.taken:
        terminal.say(
            "focal: nothing of the table was taken in: "
            "its files must be in the library (see --root) and its values such as --help says"
        )
        return 1
    return 0


def _suggested(library: Library, arguments: argparse.Namespace) -> list[tuple[int, str]]:
    """Return the open suggestions that are meant."""
    ids = find_photos(library, arguments.images)
    pairs = [
        (photo_id, suggestion.tag)
        for photo_id, suggestions in library.suggestions.of(ids).items()
        for suggestion in suggestions
        if not arguments.tags or suggestion.tag in arguments.tags
    ]
    if not pairs:
        raise OperationError("None of this is suggested for these photos: run focal suggest first.")
    return pairs


def _settled(done: str, pairs: list[tuple[int, str]], changes: ChangeSet, library: Library, terminal: Terminal) -> int:
    paths = library.photos.paths([photo_id for photo_id, _ in pairs])
    settled = [{"path": str(path), "tag": name} for path, (_, name) in zip(paths, pairs, strict=True)]
    terminal.result({done: settled}, changes.label)
    return 0
