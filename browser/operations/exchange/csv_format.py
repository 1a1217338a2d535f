"""Tables as comma-separated values with a head line, in UTF-8; several tags of a photo are joined by ``;``.

Texts are written for terminals and spreadsheets: `escapes` says how characters that are not seen are written, and what
looks like a formula gets an apostrophe before it. Both are undone by reading.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TextIO

from focal_photos.browser.operations.exchange.escapes import escaped, unescaped
from focal_photos.browser.operations.exchange.file_contents import JudgedPair, Record, TaggedFile
from focal_photos.browser.operations.exchange.records import JUDGEMENT_FIELDS, PHOTO_FIELDS
from focal_photos.browser.operations.exchange.text_lines import LONGEST, text_lines
from focal_photos.browser.operations.jobs.errors import OperationError

_TAG_COLUMNS: Final = {"file": ("file", "file_name", "path", "filename"), "tags": ("tags", "keywords")}
_JUDGEMENT_COLUMNS: Final = {
    "focal": ("focal", "focal_path"),
    "other": ("other", "other_path"),
    "verdict": ("verdict",),
}
_BETWEEN_TAGS: Final = ";"
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # the last ones: of full width
_MORE_TAG_COLUMNS: Final = {
    "hash": ("hash",),
    "rejected": ("rejected",),
    "rating": ("rating",),
    "label": ("label",),
}
_MORE_JUDGEMENT_COLUMNS: Final = {"focal_hash": ("focal_hash",), "other_hash": ("other_hash",)}


def read_tags(path: Path) -> Iterator[TaggedFile]:
    """Yield the lines of a table with a column of files and one of tags.

    Where a table has several columns of files, such as the one that `export_photos` writes, each names a file that may
    be meant. An absolute path means one file wherever the table lies, so it comes before a relative one.

    Raises
    ------
    OperationError
        The file cannot be read, or a column is missing.
    """
    for line, row in read_rows(path, _TAG_COLUMNS, _MORE_TAG_COLUMNS):
        files = [Path(name) for cell in row["file"] for name in _file_names(cell)]
        if len(files) > 1:
            files.sort(key=lambda file: not file.is_absolute())
        yield TaggedFile(
            line,
            tuple(files) or (Path(),),
            _names(row["tags"]),
            _text(row["hash"]),
            _names(row["rejected"]),
            _text(row["rating"]),
            _text(row["label"]),
        )


def read_judgements(path: Path) -> Iterator[JudgedPair]:
    """Yield the lines of a table with a focal image, another photo and a verdict; errors are those of `read_tags`."""
    for line, row in read_rows(path, _JUDGEMENT_COLUMNS, _MORE_JUDGEMENT_COLUMNS):
        hashes = (_text(row[key]) for key in ("focal_hash", "other_hash"))
        focal, other = (tuple(map(Path, _file_names(row[key][0]))) or (Path(),) for key in ("focal", "other"))
        yield JudgedPair(line, focal, other, row["verdict"][0].strip(), *hashes)


def cell_text(cell: str) -> str:
    """Return the text that `write_table` wrote into a cell, without blanks around it."""
    return _name(cell.strip())


def _text(cells: Sequence[str]) -> str | None:
    return (_name(cells[0].strip()) or None) if cells else None


def _names(cells: Sequence[str]) -> tuple[str, ...]:
    if not cells or not cells[0]:
        return ()
    return tuple(_name(name) for part in cells[0].split(_BETWEEN_TAGS) if (name := part.strip()))


def _file_names(cell: str) -> list[str]:
    """Return what a cell may name: a file whose name has blanks around it, or one with blanks around the value."""
    bare = cell.strip()
    if bare == cell and not cell.startswith("'") and "\\" not in cell:  # as nearly all are
        return [cell] if cell and "\0" not in cell else []
    names = (_name(cell), _name(bare), cell)
    return list(dict.fromkeys(name for name in names if name.strip() and "\0" not in name))


def read_rows(
    path: Path, columns: Mapping[str, Sequence[str]], more: Mapping[str, Sequence[str]] | None = None
) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """Yield the lines of a table, with all columns that have one of the names for each wanted one.

    Parameters
    ----------
    path : pathlib.Path
        UTF-8, with or without a byte order mark; columns are separated by commas.
    columns : mapping of str to sequence of str
        For each wanted column the names that it may have, in any case.
    more : mapping of str to sequence of str, optional
        The same for columns that may be missing; their lists are empty then.

    Yields
    ------
    line : int
        Number of the line in the file, from 1.
    row : dict of str to list of str
        By the keys of `columns` and `more`, in the order of the names, as they stand there.

    Raises
    ------
    OperationError
        The file cannot be read, or a column is missing.
    """
    try:
        with closing(text_lines(path)) as lines:
            size = _RowSize(path)
            reader = csv.reader(map(size.counted, lines), strict=True)
            places = _places(path, [name.strip().lower() for name in next(reader, [])], columns, more or {})
            width = 1 + max((place for found in places.values() for place in found), default=0)
            for row in reader:
                size.characters = 0
                if row:
                    if len(row) < width:
                        row += [""] * (width - len(row))
                    yield reader.line_num, {key: [row[place] for place in found] for key, found in places.items()}
    except csv.Error as error:
        raise OperationError(f"{path} is not a table in CSV: {error}.") from error


class _RowSize:
    """Counts the characters of a row, which the reader joins from many lines while a quotation mark is open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.characters = 0

    def counted(self, line: str) -> str:
        """Return a line of the row as it is."""
        self.characters += len(line)
        if self.characters > LONGEST:
            raise OperationError(
                f"{self._path} is not a table in CSV: a row has more than {LONGEST:,} characters; "
                "is a quotation mark never closed?"
            )
        return line


def _places(
    path: Path, head: Sequence[str], columns: Mapping[str, Sequence[str]], more: Mapping[str, Sequence[str]]
) -> dict[str, list[int]]:
    """Return the places of the wanted columns in the head line."""
    wanted = {**columns, **more}
    places = {key: [head.index(name) for name in names if name in head] for key, names in wanted.items()}
    for key, found in places.items():
        if not found and key in columns:
            raise OperationError(
                f"{path} has no column {' or '.join(columns[key])}: its first line must name the columns."
            )
    return places


class _LineFeeds:
    """Ends lines by a line feed; the writer is told of a carriage return too, and puts cells with one in quotes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, line: str) -> None:
        self._stream.write(line.removesuffix("\r\n") + "\n")


def write_table(fields: Sequence[str], stream: TextIO, records: Iterable[Record]) -> int:
    """Write a head line and one line a record, and return how many records there were; None becomes an empty cell."""
    count = 0
    table = csv.writer(_LineFeeds(stream))
    table.writerow(fields)
    for record in records:
        table.writerow([_cell(record[field]) for field in fields])
        count += 1
    return count


def write_photos(stream: TextIO, records: Iterable[Record]) -> int:
    """Write a table of photos; see `write_table`."""
    return write_table(PHOTO_FIELDS, stream, records)


def write_judgements(stream: TextIO, records: Iterable[Record]) -> int:
    """Write a table of judgements; see `write_table`."""
    return write_table(JUDGEMENT_FIELDS, stream, records)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):  # some spreadsheets take a semicolon for the end of a cell
        return _BETWEEN_TAGS.join(map(_guarded, value))
    return _guarded(value) if isinstance(value, str) else str(value)


def _guarded(text: str) -> str:
    """Return a text that no terminal obeys and no spreadsheet takes for a formula.

    Unseen characters are escaped, and what looks like a formula has an apostrophe before it.
    """
    text = escaped(text)
    return f"'{text}" if _FORMULA.match(text) else text


def _name(text: str) -> str:
    """Undo `_guarded`; texts of other programs do not change, but for an apostrophe that a spreadsheet added."""
    return unescaped(text[1:] if text.startswith("'") and _FORMULA.match(text) else text)
