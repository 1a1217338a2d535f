# SPDX-License-Identifier: MIT
"""Speed and memory of importing long data set documents and long tables.

Each file is read in its own process. Times are processor times. The peer is the bare parser, of lxml or the standard
library, on the same file; for documents it stores all values. Memory is the growth of the peak while reading, minus the
memory in use at the end: none for a document, the report for a table.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from focal_photos.browser.catalog.facts.records import FoundFile
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.exchange.import_file import import_tags
from focal_photos.browser.operations.jobs.progress import finish
from tests.benchmarks.common.report import Report
from tests.browser.operations.exchange.datasets.long_documents import DOCUMENTS, peak, write_document

KINDS = ("known", "unknown", "mixed")
MB = 1_000_000
_PHOTOS = 100_000


def document(folder: Path, name: str, size: int) -> dict[str, float]:
    """Read a long document, after a short one to load the modules."""
    reader = FORMATS[DOCUMENTS[name][0]].tags
    assert reader is not None
    short, long = (write_document(folder / str(length), name, length) for length in (1, size))
    for _ in reader.read(short):
        pass
    before, start = peak(), time.process_time()
    count = sum(1 for _ in reader.read(long))
    seconds, size = time.process_time() - start, document_file(long, name).stat().st_size
    return {"seconds": seconds, "peak": peak() - before, "count": count, "bytes": size}


def document_file(imported: Path, name: str) -> Path:
    """Return the file of a document; `imported` is the file or its folder."""
    return {"voc": imported / "Annotations" / "a.xml", "fiftyone": imported / "labels.json"}.get(
        DOCUMENTS[name][0], imported
    )


def document_by_peer(folder: Path, name: str, size: int) -> dict[str, float]:
    """Parse a document with lxml or `json.load` alone, and store all values."""
    from lxml import etree

    long = write_document(folder / str(size), name, size)
    file = document_file(long, name)
    before, start = peak(), time.process_time()
    if DOCUMENTS[name][0] in ("cvat", "voc"):
        kept: object = etree.parse(file)
    else:
        with file.open(encoding="utf-8") as stream:
            kept = json.load(stream)
    assert kept is not None
    return {"seconds": time.process_time() - start, "peak": peak() - before}


def parts(name: str, size: int) -> int:
    """Return the number of repeated parts of a document."""
    return sum(1 for _ in DOCUMENTS[name][1](size)) - 2  # without the beginning and the end


def write_rows(file: Path, kind: str, rows: int) -> None:
    """Write a table of which all rows, no row or every second row names a photo of the library."""
    known = {"known": (True, True), "unknown": (False, False), "mixed": (True, False)}[kind]
    names = (
        f"known/{row // 1000 % 100}/{row % _PHOTOS}.jpg" if known[row % 2] else f"gone/{row // 1000}/{row}.jpg"
        for row in range(rows)
    )
    with file.open("w", encoding="utf-8") as stream:
        if file.suffix == ".csv":
            stream.write("file,tags\n")
            stream.writelines(f"{name},sea;kind {row % 50}\n" for row, name in enumerate(names))
        else:
            stream.writelines(
                json.dumps({"path": name, "tags": ["sea", f"kind {row % 50}"]}) + "\n" for row, name in enumerate(names)
            )


def table(folder: Path, name: str, rows: int) -> dict[str, float]:
    """Import a table into a library of photos whose files do not exist: opening one would fail."""
    form, kind = name.split(", ")
    album = folder / "album"
    album.mkdir()
    with Library.open(folder / "library") as library:
        root = library.roots.add(album).id
        library.files.record(
            FoundFile(root, f"known/{i // 1000}/{i}.jpg".encode(), 1000 + i, 1, f"{i:032x}") for i in range(_PHOTOS)
        )
        short, long = (folder / f"{what}.{form}" for what in ("short", "long"))
        write_rows(short, kind, 10)
        write_rows(long, kind, rows)
        finish(import_tags(library, short, FORMATS[form], album))
        library.journal.undo()
        before = peak()
        times = [time.process_time()]
        report = finish(import_tags(library, long, FORMATS[form], album), lambda _: times.append(time.process_time()))
        times.append(time.process_time())
        most = peak() - max(before, psutil.Process().memory_info().rss)
        tags = sum(map(len, library.tags.of(report.changes.photo_ids).values()))
    return {
        # The last progress report but one comes after reading, the last one after writing to the catalogue.
        "seconds": times[-1] - times[0], "reading": times[-3] - times[0], "peak": max(0, most), "count": report.lines,
        "unknown": len(report.unknown), "tags": tags, "bytes": long.stat().st_size,
    }  # fmt: skip


def table_by_peer(folder: Path, name: str, rows: int) -> dict[str, float]:
    """Read a table with `csv.reader`, or with `json.loads` line by line."""
    form, kind = name.split(", ")
    file = folder / f"long.{form}"
    write_rows(file, kind, rows)
    start = time.process_time()
    with file.open(encoding="utf-8", newline="") as stream:
        each = csv.reader(stream) if form == "csv" else map(json.loads, stream)
        count = sum(1 for _ in each)
    return {"seconds": time.process_time() - start, "count": count}


WORK: dict[str, Callable[[Path, str, int], dict[str, float]]] = {
    one.__name__: one for one in (document, document_by_peer, table, table_by_peer)
}


def measured(work: str, name: str, size: int) -> dict[str, Any]:
    """Run one entry of `WORK` in another process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.speed.imports", "--only", work, name, str(size)],
        check=True, capture_output=True, text=True, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"}, timeout=1800,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(work, name, found, flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=500_000, help="rows per table")
    parser.add_argument("--xml", type=int, default=80, help="MB of XML")
    parser.add_argument("--json", type=int, default=120, help="MB of JSON")
    parser.add_argument("--documents", nargs="+", metavar="NAME", choices=list(DOCUMENTS), default=list(DOCUMENTS))
    parser.add_argument("--only", nargs=3, metavar=("WORK", "NAME", "SIZE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        work, name, size = given.only
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(WORK[work](Path(folder), name, int(size))))
        return
    report = Report("imports", "Imports: long documents and tables")
    report.text(
        "Processor time. Memory is the growth of the peak while reading. VOC uses one file per photo; here one file is "
        "long. Rows are photos; for COCO they are annotations, for documents of one photo its parts."
    )
    rows = []
    for name in given.documents:
        size = MB * (given.xml if DOCUMENTS[name][0] in ("cvat", "voc") else given.json)
        own, peer = (measured(work, name, size) for work in ("document", "document_by_peer"))
        count = parts(name, size)
        rows.append([
            name, f"{own['bytes'] / MB:.0f}", f"{count:,}", f"{count / own['seconds']:,.0f}",
            f"{own['peak'] / MB:.0f}", f"{peer['peak'] / MB:,.0f}", f"{own['seconds'] / peer['seconds']:.1f}",
        ])  # fmt: skip
    report.table(
        "Documents; the peer is lxml.etree.parse or json.load",
        ["document", "MB", "rows", "rows a second", "memory, MB", "peer's memory, MB", "time / peer's"],
        rows,
    )
    rows = []
    for name in (f"{form}, {kind}" for form in ("csv", "jsonl") for kind in KINDS):
        own, peer = (measured(work, name, given.rows) for work in ("table", "table_by_peer"))
        entering = own["seconds"] - own["reading"]
        rows.append([
            name, f"{own['bytes'] / MB:.0f}", f"{own['count']:,}", f"{own['unknown']:,}",
            f"{own['count'] / own['reading']:,.0f}", f"{own['peak'] / MB:.0f}",
            f"{own['reading'] / peer['seconds']:.1f}", f"{own['tags']:,}", f"{entering:.1f}",
            f"{own['count'] / own['seconds']:,.0f}",
        ])  # fmt: skip
    report.table(
        f"Tables, imported into a library of {_PHOTOS:,} photos; the peer is csv.reader or json.loads",
        ["table", "MB", "rows", "unknown", "rows a second", "memory, MB", "time / peer's", "tags entered",
         "entering, s", "rows a second with entering"],
        rows,
    )  # fmt: skip
    report.save()


if __name__ == "__main__":
    main()
