# SPDX-License-Identifier: MIT
"""Cost of reading and merging a sidecar, and check that ExifTool and Exiv2 read the same tags from the result.

Uses sidecars that imitate those documented for other programs, and the real ones among the odd files if available.
Times are processor times, the median of several runs.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from focal_photos.features.metadata.xmp import XmpError, merge_xmp, parse_xmp
from tests.benchmarks.common.photo_sets import data_folder
from tests.benchmarks.common.report import Report
from tests.features.metadata.imitations import IMITATIONS

NEW = ["animal/dog", "Tom & Jerry", "été"]
_WRITTEN = (
    *("XMP-dc:Subject", "XMP-lr:HierarchicalSubject", "XMP-digiKam:TagsList", "XMP-xmp:Rating", "XMP-xmp:Label"),
    "XMP-microsoft:RatingPercent",
)


def microseconds(work: Callable[[], object], runs: int = 15, calls: int = 20) -> float:
    times = []
    for _ in range(runs):
        start = time.process_time()
        for _ in range(calls):
            work()
        times.append((time.process_time() - start) / calls)
    return 1e6 * statistics.median(times)


def by_exiftool(path: Path) -> dict[str, object]:
    done = subprocess.run(
        ["exiftool", "-j", "-G1", "-a", "-XMP:all", str(path)], capture_output=True, check=True, timeout=60
    )
    (found,) = json.loads(done.stdout)
    return {name: value for name, value in found.items() if name != "SourceFile"}


def tags_by_exiv2(path: Path) -> str:
    done = subprocess.run(
        ["exiv2", "-q", "-K", "Xmp.digiKam.TagsList", "-Pt", str(path)], capture_output=True, check=False, timeout=60
    )
    return done.stdout.decode().strip()


def runs(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0


def judged(before: bytes, merged: bytes) -> tuple[str, str, str]:
    """Return whether ExifTool and Exiv2 read the merged tags, and whether everything else is unchanged."""
    tags = list(parse_xmp(merged).tags)
    with tempfile.TemporaryDirectory(prefix="focal-bench-") as folder:
        old, new = Path(folder, "old.xmp"), Path(folder, "new.xmp")
        old.write_bytes(before)
        new.write_bytes(merged)
        exiftool = exiv2 = kept = "not installed"
        if shutil.which("exiftool"):
            seen = [by_exiftool(path) for path in (old, new)]
            found = seen[1].get("XMP-digiKam:TagsList", [])
            listed = found if isinstance(found, list) else [found]
            exiftool = "yes" if sorted(map(str, listed)) == sorted(tags) else "no" if seen[1] else "no XMP to it"
            others = [{name: value for name, value in one.items() if name not in _WRITTEN} for one in seen]
            kept = "yes" if others[0] == others[1] else "no"
        if shutil.which("exiv2"):
            exiv2 = "yes" if sorted(tags_by_exiv2(new).split(", ")) == sorted(tags) else "no"
            exiv2 = "no XMP to it" if not runs("exiv2", "-q", "-px", str(old)) else exiv2
        return exiftool, exiv2, kept


def main() -> None:
    report = Report("sidecars", "Time of reading and merging sidecars, checked with ExifTool and Exiv2")
    sidecars = {name: one.packet for name, one in IMITATIONS.items()}
    for path in sorted((data_folder() / "odd_files").rglob("*.xmp")):
        try:
            parse_xmp(path.read_bytes())
        except XmpError:
            continue
        sidecars[path.name] = path.read_bytes()
    rows = []
    for name, packet in sidecars.items():
        merged = merge_xmp(packet, NEW, 2)
        tags = len(parse_xmp(packet).tags)
        again = microseconds(lambda merged=merged: merge_xmp(merged, NEW, 2))  # type: ignore[misc]  # early binding
        read = microseconds(lambda packet=packet: parse_xmp(packet))  # type: ignore[misc]
        merging = microseconds(lambda packet=packet: merge_xmp(packet, NEW, 2))  # type: ignore[misc]
        times = [f"{value:.0f}" for value in (read, merging, again)]
        rows.append([name, f"{len(packet):,}", str(tags), *times, *judged(packet, merged)])
    new = microseconds(lambda: merge_xmp(None, NEW, 2))
    written = judged(merge_xmp(None, ["x"]), merge_xmp(None, ["x", *NEW]))
    rows.append(["a new one", "0", "0", "", f"{new:.0f}", "", *written])
    report.table(
        "Three tags and a rating merged into imitated and real sidecars of other programs",
        ["sidecar", "bytes", "tags", "read, µs", "merge, µs", "nothing new, µs",
         "same tags by ExifTool", "by Exiv2", "all else as it was"],
        rows,
    )  # fmt: skip
    report.save()


if __name__ == "__main__":
    main()
