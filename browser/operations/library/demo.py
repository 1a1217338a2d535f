# SPDX-License-Identifier: MIT
"""The demo album: generated pictures, indexed and partly tagged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.records import TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.csv_format import read_tags
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.library.index import IndexReport, index
from focal_photos.resources.demo_album import draw_demo_album

COUNT: Final = 304
_UNTAGGED_EVERY: Final = 4  # leaves photos for tag suggestions


@dataclass
class DemoReport:
    """Result of `demo`."""

    folder: Path
    index: IndexReport = field(default_factory=IndexReport)
    tagged: int = 0
    """Number of photos tagged in this run."""


def demo(library: Library, folder: Path, *, count: int = COUNT, workers: int | None = None) -> Job[DemoReport]:
    """Draw the demo album if needed, add it to the library, and tag three quarters of it.

    Parameters
    ----------
    folder : pathlib.Path
        Created if needed.
    """
    folder = absolute(folder)
    report = DemoReport(folder)
    table = folder / "tags.csv"
    if not table.exists():
        yield from in_thread(Text("Drawing the demo album"), partial(_draw, folder, count))
    report.index = yield from index(library, [folder], workers=workers)
    photos: dict[tuple[str, ...], list[int]] = {}
    for number, line in enumerate(read_tags(table)):
        photo = library.photos.by_path(folder / line.files[0])
        if photo is not None and number % _UNTAGGED_EVERY:
            photos.setdefault(line.tags, []).append(photo.id)
    ids = [photo_id for group in photos.values() for photo_id in group]
    if not any(library.tags.of(ids).values()):  # the user's changes stay
        with library.journal.action(Text("Tag the demo album")) as action:
            for names, group in photos.items():
                library.tags.change(group, names, source=TagSource.IMPORT)
        report.tagged = len(action.changes.photo_ids)
    return report


def _draw(folder: Path, count: int, report: Callable[[float], None]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    draw_demo_album(folder, count=count, report=lambda done, total: report(done / total))
