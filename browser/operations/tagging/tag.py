"""Give tags to photos and take tags away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from browser.catalog.facts.records import TagSource
from browser.catalog.facts.tags import TagNameError, normalise
from browser.catalog.library import Library
from browser.catalog.store.changes import ChangeSet
from browser.operations.exchange.table import FILE_COLUMNS, ImportReport, files_of, read_cells
from browser.operations.jobs.progress import Job, Meter
from browser.operations.photos.find import find_photo

_COLUMNS: Final = {"file": FILE_COLUMNS, "tags": ("tags", "keywords")}
_REPORT_EVERY: Final = 200


def change_tags(library: Library, ids: Iterable[int], add: Sequence[str] = (), remove: Sequence[str] = ()) -> ChangeSet:
    """Give tags to photos by hand and take tags away, in one step of the journal.

    Raises
    ------
    TagNameError
        A name cannot be a tag.
    UnknownPhotoError
        An id is not in the library.
    """
    return library.tags.change(ids, add, remove)


def import_csv(library: Library, table: Path, base: Path | None = None) -> Job[ImportReport]:
    """Add tags from a table with the columns ``file`` and ``tags`` (``;`` between tags), in one step of the journal.

    Where a table has several columns of files, such as that of `export_photos`, each is tried.

    Parameters
    ----------
    library : Library
    table : pathlib.Path
        CSV with a head line.
    base : pathlib.Path, optional
        Folder that relative paths start from; the table's own folder, if not given.

    Yields
    ------
    Progress

    Returns
    -------
    ImportReport

    Raises
    ------
    OperationError
        The table cannot be read or lacks a column.
    """
    report = ImportReport()
    folder = table.absolute().parent if base is None else base
    wanted: dict[tuple[str, ...], list[int]] = {}
    meter = Meter("Reading tags")
    for number, row in read_cells(table, _COLUMNS):
        report.lines += 1
        files = [folder / file for file in files_of(row["file"])]
        photo = next(filter(None, (find_photo(library, file) for file in files)), None)
        if photo is None:
            report.unknown.append(files[0])
        else:
            names = []
            refused = len(report.refused)
            for name in filter(str.strip, row["tags"][0].split(";")):
                try:
                    names.append(normalise(name))
                except TagNameError as error:
                    report.refused.append((number, str(error)))
            report.taken += bool(names) or len(report.refused) == refused
            wanted.setdefault(tuple(dict.fromkeys(names)), []).append(photo.id)
        if report.lines % _REPORT_EVERY == 0:
            yield meter.advance(_REPORT_EVERY)
    with library.journal.action("Import tags") as action:
        for names_of, ids in wanted.items():
            library.tags.change(ids, names_of, source=TagSource.IMPORT)
    report.changes = action.changes
    yield meter.state()
    return report
