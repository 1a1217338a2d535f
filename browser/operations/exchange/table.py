"""Read tables that a person or another program wrote: CSV with a head line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from browser.catalog.store.changes import ChangeSet
from browser.operations.jobs.errors import OperationError

FILE_COLUMNS = ("file", "file_name", "path", "filename")
"""Names under which a column of files is known."""


@dataclass
class ImportReport:
    """What the import of a table came to.

    Attributes
    ----------
    lines : int
        Of the table, without its head.
    taken : int
        Lines of which something was taken in, be it there already.
    unknown : list of Path
        Files that are not in the library.
    refused : list of (int, str)
        Numbers of lines with something that was left out, and why.
    changes : ChangeSet
        Of the one step of the journal; `photo_ids` are the photos that changed.
    """

    lines: int = 0
    taken: int = 0
    unknown: list[Path] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)
    changes: ChangeSet = field(default_factory=ChangeSet)


def read_table(path: Path, columns: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines of a CSV file, with the first column that has one of the names for each wanted one.

    Parameters, yields and errors are those of `read_cells`, but that a row has one value for each key.
    """
    for line, row in read_cells(path, columns):
        yield line, {key: cells[0] for key, cells in row.items()}


def files_of(cells: Sequence[str]) -> list[Path]:
    """Return the files that a row may mean by the cells of its file columns, the likeliest first.

    An absolute path means one file wherever the table lies, so it comes before a relative one.
    """
    paths = [Path(cell) for cell in cells if cell] or [Path()]
    return sorted(paths, key=lambda path: not path.is_absolute())


def read_cells(path: Path, columns: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """Yield the lines of a CSV file, with all columns that have one of the names for each wanted one.

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
    row : dict of str to list of str
        By the keys of `columns`, in the order of the names; blanks around values are taken off.

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
                found = [head.index(name) for name in names if name in head]
                if not found:
                    raise OperationError(
                        f"{path} has no column {' or '.join(names)}: its first line must name the columns."
                    )
                places[key] = found
            for row in reader:
                if row:
                    yield (
                        reader.line_num,
                        {
                            key: [row[place].strip() if place < len(row) else "" for place in found]
                            for key, found in places.items()
                        },
                    )
    except OSError as error:
        raise OperationError(f"{path} cannot be read: {error.strerror or error}.") from error
    except csv.Error as error:
        raise OperationError(f"{path} is not a table in CSV: {error}.") from error
