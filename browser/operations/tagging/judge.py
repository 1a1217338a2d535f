"""Say which photos are similar to a focal image and which are not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from browser.catalog.facts.records import Verdict
from browser.catalog.library import Library
from browser.catalog.store.changes import ChangeSet
from browser.operations.exchange.table import ImportReport, read_table
from browser.operations.jobs.progress import Job, Meter
from browser.operations.photos.find import find_photo

_COLUMNS: Final = {"focal": ("focal", "focal_path"), "other": ("other", "other_path"), "verdict": ("verdict",)}
_REPORT_EVERY: Final = 200


def judge(library: Library, focal_id: int, other_ids: Iterable[int], verdict: Verdict | None) -> ChangeSet:
    """Record a judgement on photos as seen from the focal image; None takes it back.

    Raises
    ------
    UnknownPhotoError
        An id is not in the library.
    """
    return library.judgements.set(focal_id, other_ids, verdict)


def import_csv(library: Library, table: Path, base: Path | None = None) -> Job[ImportReport]:
    """Take judgements from a table with the columns ``focal``, ``other`` and ``verdict``, in one step of the journal.

    Parameters
    ----------
    library : Library
    table : pathlib.Path
        CSV with a head line; the verdict is ``similar`` or ``dissimilar``.
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
    wanted: dict[tuple[int, Verdict], list[int]] = {}
    meter = Meter("Reading judgements")
    for number, row in read_table(table, _COLUMNS):
        report.lines += 1
        photos = []
        for name in (row["focal"], row["other"]):
            photo = find_photo(library, folder / name)
            if photo is None:
                report.unknown.append(folder / name)
            else:
                photos.append(photo.id)
        verdict = row["verdict"].lower()
        if verdict not in set(Verdict):
            report.refused.append((number, f"The verdict {verdict!r} is neither similar nor dissimilar."))
        elif len(photos) == 2 and photos[0] == photos[1]:
            report.refused.append((number, "A photo cannot be judged against itself."))
        elif len(photos) == 2:
            report.taken += 1
            wanted.setdefault((photos[0], Verdict(verdict)), []).append(photos[1])
        if report.lines % _REPORT_EVERY == 0:
            yield meter.advance(_REPORT_EVERY)
    with library.journal.action("Import judgements") as action:
        for (focal, verdict_of), others in wanted.items():
            library.judgements.set(focal, others, verdict_of)
    report.changes = action.changes
    yield meter.state()
    return report
