# SPDX-License-Identifier: MIT
"""Export the questions of an audit as a table for another program, and import the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TextIO

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.exchange.csv_format import cell_text, read_rows, write_table
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.photos.find import PhotoFinder
from focal_photos.browser.operations.tagging.audit.answer import answer_audit

COLUMNS: Final = ("tag", "file", "hash", "tagged", "present")
"""Columns of the table; `present` contains the answers, yes or no."""

_ANSWERS: Final = {"yes": True, "y": True, "1": True, "true": True, "no": False, "n": False, "0": False, "false": False}


def write_questions(library: Library, stream: TextIO, *, blind: bool = False) -> int:
    """Write the drawn photos of an audit as comma-separated values; return their number.

    The last column contains the existing answers.

    Parameters
    ----------
    blind : bool
        Whether to leave out which photos carry the tag and the existing answers, for a second pass that they do not
        influence.
    """
    drawn = library.audits.drawn()
    ids = [one.photo_id for one in drawn]
    photos = {photo.id: photo for photo in library.photos.get(list(dict.fromkeys(ids)))}
    carried = library.tags.of(ids)
    said = {None: None, True: "yes", False: "no"}
    records = (
        {
            "tag": one.tag,
            "file": str(photos[one.photo_id].path),
            "hash": photos[one.photo_id].content_hash,
            "tagged": None if blind else "yes" if one.tag in carried[one.photo_id] else "no",
            "present": None if blind else said[one.present],
        }
        for one in drawn
    )
    return write_table(COLUMNS, stream, records)


def read_answers(library: Library, path: Path, *, correct: bool | None = None) -> ChangeSet:
    """Import the answers in a table, in one undo step; rows without an answer are skipped.

    Parameters
    ----------
    path : pathlib.Path
        A table with the columns `tag`, `file` and `present`, as written by `write_questions`.
    correct : bool, optional
        As in `answer_audit`.

    Raises
    ------
    OperationError
        If the table cannot be read, an answer is neither yes nor no, or a photo is unknown.
    NotDrawnError
        If a photo was not drawn for its tag.
    """
    answers: dict[str, dict[int, bool]] = {}
    finder = PhotoFinder(library)
    columns = {"tag": ("tag",), "file": ("file",), "present": ("present",)}
    with finder.at_once():
        for line, row in read_rows(path, columns, {"hash": ("hash",)}):
            answer = cell_text(row["present"][0]).lower()
            if not answer:
                continue
            if answer not in _ANSWERS:
                raise OperationError("{0}, line {1}: {2} is not an answer: write yes or no.", path, line, answer)
            content = cell_text(row["hash"][0]) if row["hash"] else ""
            photo_id = finder.find(content or None, [cell_text(row["file"][0])])
            if photo_id is None:
                raise OperationError("{0}, line {1}: the photo is not in the library.", path, line)
            answers.setdefault(cell_text(row["tag"][0]), {})[photo_id] = _ANSWERS[answer]
    total = sum(map(len, answers.values()))
    count = counted(total, "1 photo", "{0} photos")
    with library.journal.action(Text("Audit {0}: {1}", ", ".join(list(answers)[:3]), count)) as action:
        for tag, present in answers.items():
            answer_audit(library, tag, present, correct=correct)
    return action.changes
