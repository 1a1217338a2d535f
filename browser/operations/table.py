"""Read tables that a person or another program wrote: CSV with a head line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from browser.catalog.changes import ChangeSet
from browser.operations.errors import OperationError

FILE_COLUMNS = ("file", "file_name", "path", "filename")
"""Names under which a column of files is known."""


@dataclass
class ImportReport:
    """What the import of a table came to.

    Attributes
    ----------
    lines : int
        Of the table, without its head.
    unknown : list of Path
        Files that are not in the library.
    refused : list of (int, str)
        Numbers of lines with something that was left out, and why.
    changes : ChangeSet
        Of the one step of the journal; `photo_ids` are the photos that changed.
    """

    lines: int = 0
    unknown: list[Path] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)
    changes: ChangeSet = field(default_factory=ChangeSet)


def read_table(path: Path, columns: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines of a CSV file.

    Parameters
    ----------
    path : pathlib.Path
        UTF-8, with or without a byte order mark; columns are separated by commas.
    columns : mapping of str to sequence of str
        For each wanted column the names that it may have, in any case.

    Yields
    ------
    line : int
        Number of the line in the file, from 1.
    row : dict of str to str
        By the keys of `columns`; blanks around values are taken off.

    Raises
    ------
    OperationError
        The file cannot be read, or a column is missing.
    """
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            head = [name.strip().lower() for name in next(reader, [])]
            places = {}
            for key, names in columns.items():
                place = next((head.index(name) for name in names if name in head), None)
                if place is None:
                    raise OperationError(
                        f"{path} has no column {' or '.join(names)}: its first line must name the columns."
                    )
                places[key] = place
            for row in reader:
                if row:
                    yield (
                        reader.line_num,
                        {key: row[place].strip() if place < len(row) else "" for key, place in places.items()},
                    )
    except OSError as error:
        raise OperationError(f"{path} cannot be read: {error.strerror or error}.") from error
    except csv.Error as error:
        raise OperationError(f"{path} is not a table in CSV: {error}.") from error
