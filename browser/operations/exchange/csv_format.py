# SPDX-License-Identifier: MIT
"""Tables as comma-separated values with a header row, in UTF-8; several tags of a photo are joined by ``;``.

Texts are safe for terminals and spreadsheets: invisible characters are escaped (see `escapes`), and apparent formulas
get a leading apostrophe. Reading reverses both.
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
from focal_photos.browser.operations.exchange.text_lines import MAX_LINE_LENGTH, text_lines
from focal_photos.browser.operations.jobs.errors import OperationError

_TAG_COLUMNS: Final = {"file": ("file", "file_name", "path", "filename"), "tags": ("tags", "keywords")}
_JUDGEMENT_COLUMNS: Final = {
    "focal": ("focal", "focal_path"),
    "other": ("other", "other_path"),
    "verdict": ("verdict",),
}
_BETWEEN_TAGS: Final = ";"
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # the last ones are full-width characters
_MORE_TAG_COLUMNS: Final = {
    "hash": ("hash",),
    "rejected": ("rejected",),
    "rating": ("rating",),
    "label": ("label",),
}
_MORE_JUDGEMENT_COLUMNS: Final = {
    "focal_hash": ("focal_hash",),
    "other_hash": ("other_hash",),
    "than": ("than", "than_path"),
    "than_hash": ("than_hash",),
}


def read_tags(path: Path) -> Iterator[TaggedFile]:
    """Yield the rows of a table with a column of files and one of tags.

    If a table has several columns of files, such as the one written by `export_photos`, each is a candidate. Absolute
    paths are tried before relative ones, because they do not depend on the table's folder.

    Raises
    ------
    OperationError
        If the file cannot be read or a column is missing.
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
    """Yield the rows of a table with a focal image, another photo and a verdict; errors as for `read_tags`.

    For the verdict "nearer", the column ``than`` names the photo that is less near.
    """
    for line, row in read_rows(path, _JUDGEMENT_COLUMNS, _MORE_JUDGEMENT_COLUMNS):
        focal_hash, other_hash, than_hash = (_text(row[key]) for key in ("focal_hash", "other_hash", "than_hash"))
        focal, other = (tuple(map(Path, _file_names(row[key][0]))) or (Path(),) for key in ("focal", "other"))
        than = tuple(Path(name) for cell in row["than"] for name in _file_names(cell))
        yield JudgedPair(line, focal, other, row["verdict"][0].strip(), focal_hash, other_hash, than, than_hash)


def cell_text(cell: str) -> str:
    """Return the text in a cell written by `write_table`, without surrounding spaces."""
    return _name(cell.strip())


def _text(cells: Sequence[str]) -> str | None:
    return (_name(cells[0].strip()) or None) if cells else None


def _names(cells: Sequence[str]) -> tuple[str, ...]:
    if not cells or not cells[0]:
        return ()
    return tuple(_name(name) for part in cells[0].split(_BETWEEN_TAGS) if (name := part.strip()))


def _file_names(cell: str) -> list[str]:
    """Return the possible names in a cell, with and without surrounding spaces."""
    bare = cell.strip()
    if bare == cell and not cell.startswith("'") and "\\" not in cell:  # almost always
        return [cell] if cell and "\0" not in cell else []
    names = (_name(cell), _name(bare), cell)
    return list(dict.fromkeys(name for name in names if name.strip() and "\0" not in name))


def read_rows(
    path: Path, columns: Mapping[str, Sequence[str]], more: Mapping[str, Sequence[str]] | None = None
) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """Yield the rows of a table, with all columns that match a name of each requested column.

    Parameters
    ----------
    path : pathlib.Path
        UTF-8, with or without a byte order mark; columns are separated by commas.
    columns : mapping of str to sequence of str
        Possible names of each required column; case is ignored.
    more : mapping of str to sequence of str, optional
        The same for optional columns; if missing, their lists are empty.

    Yields
    ------
    line : int
        Line number in the file, from 1.
    row : dict of str to list of str
        Raw cells by the keys of `columns` and `more`, in the order of the names.

    Raises
    ------
    OperationError
        If the file cannot be read or a column is missing.
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
        raise OperationError("{0} is not a table in CSV: {1}.", path, error) from error


class _RowSize:
    """Counts the characters of a row, which the reader joins from many lines if a quotation mark is open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.characters = 0

    def counted(self, line: str) -> str:
        """Count and return a line of the row."""
        self.characters += len(line)
        if self.characters > MAX_LINE_LENGTH:
            raise OperationError(
                "{0} is not a table in CSV: a row has more than {1:,} characters; is a quotation mark never closed?",
                self._path,
                MAX_LINE_LENGTH,
            )
        return line


def _places(
    path: Path, head: Sequence[str], columns: Mapping[str, Sequence[str]], more: Mapping[str, Sequence[str]]
) -> dict[str, list[int]]:
    """Return the positions of the columns in the header row."""
    wanted = {**columns, **more}
    places = {key: [head.index(name) for name in names if name in head] for key, names in wanted.items()}
    for key, found in places.items():
        if not found and key in columns:
            raise OperationError(
                "{0} has no column {1}: its first line must name the columns.", path, " or ".join(columns[key])
            )
    return places


class _LineFeeds:
    """Ends lines with a line feed; the writer also gets a carriage return, so that it quotes cells that contain one."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, line: str) -> None:
        self._stream.write(line.removesuffix("\r\n") + "\n")


def write_table(fields: Sequence[str], stream: TextIO, records: Iterable[Record]) -> int:
    """Write a header row and one row per record, with empty cells for None; return the number of records."""
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
    if isinstance(value, list):  # some spreadsheets treat a semicolon as the end of a cell
        return _BETWEEN_TAGS.join(map(_guarded, value))
    return _guarded(value) if isinstance(value, str) else str(value)


def _guarded(text: str) -> str:
    """Return a text that is harmless in terminals and spreadsheets.

    Invisible characters are escaped, and apparent formulas get a leading apostrophe.
    """
    text = escaped(text)
    return f"'{text}" if _FORMULA.match(text) else text


def _name(text: str) -> str:
    """Reverse `_guarded`; other texts stay, except for an apostrophe added by a spreadsheet."""
    return unescaped(text[1:] if text.startswith("'") and _FORMULA.match(text) else text)
