# SPDX-License-Identifier: MIT
"""Compares the pictures that Focal decodes with those of a second decoder.

``python -m tests.benchmarks.decoding.differential_decoding [FOLDER] [--save] [--list]``: uses generated files, of all
varieties of each format that the installed libraries can write, and the files of a folder (default: the odd files in
FOCAL_DATA). The second decoder is ImageMagick or, if it is missing or cannot decode a file, OpenCV. ``--save`` writes
``results/differential-decoding.md``. The exit code is 1 if a generated file is decoded rotated, or brighter or darker
than `MOST_SCALE` allows.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.limits import ImageError
from tests.benchmarks.common.photo_sets import data_folder
from tests.benchmarks.common.report import Report
from tests.features.other_programs import Difference, ImageMagick, difference, opencv_pixels
from tests.features.varieties import varieties

MOST_SCALE: Final = 0.1
"""Maximum deviation of the slope of levels from 1: decoders round, convert inks and expand 5 bits differently."""

_TELLING: Final = 8.0
"""Minimum mean difference, in levels, of the listed files."""

_KINDS: Final = {
    **dict.fromkeys(("jpg", "jpeg", "jpe", "mpo", "jfif"), "JPEG"),
    **dict.fromkeys(("tif", "tiff"), "TIFF"),
    **dict.fromkeys(("heic", "heif", "hif"), "HEIC"),
    **dict.fromkeys(("jp2", "j2k", "jpc", "j2c", "jpx"), "JPEG 2000"),
    **dict.fromkeys(("ppm", "pgm", "pbm", "pnm"), "PNM"),
    **dict.fromkeys(("png", "apng"), "PNG"),
    **dict.fromkeys(("psd", "psb"), "PSD"),
    **dict.fromkeys(("avif", "avifs"), "AVIF"),
    **{kind: kind.upper() for kind in ("gif", "bmp", "tga", "dib")},
    "webp": "WebP",
}
"""Formats by the suffix of a file."""


@dataclass(frozen=True)
class Compared:
    """A file read by both decoders."""

    name: str
    kind: str
    made: bool
    beside: str
    found: Difference


def make(folder: Path) -> Iterator[Path]:
    """Write all varieties into a folder and yield their paths."""
    for variety in varieties():
        path = folder / variety.kind / variety.name
        path.parent.mkdir(exist_ok=True)
        with path.open("xb") as stream:  # "x": two varieties must not share a name
            stream.write(variety.content)
        yield path


def compare(files: Iterator[tuple[Path, bool]], magick: ImageMagick) -> Iterator[Compared]:
    """Yield the differences of each file that both decoders can read; Focal must read all generated files."""
    for path, made in files:
        try:
            ours = decode(path, side=None).rgb
        except ImageError:
            if made:
                raise
            continue
        beside, theirs = "ImageMagick", magick.pixels(path)
        if theirs is None:
            beside, theirs = "OpenCV", opencv_pixels(path.read_bytes())
        if theirs is not None:
            kind = _KINDS.get(path.suffix.lower().lstrip("."), "others")
            yield Compared(path.name, kind, made, beside, difference(ours, theirs))


def is_wrong(one: Compared) -> bool:
    """Return whether a picture is rotated, of another size, or brighter or darker than the second one."""
    return not one.found.upright or abs(one.found.scale - 1) > MOST_SCALE


def report(found: list[Compared], *, save: bool) -> None:
    """Print the tables and write them to the results."""
    by_kind: dict[tuple[bool, str], list[Compared]] = defaultdict(list)
    for one in found:
        by_kind[not one.made, one.kind].append(one)
    rows = []
    for (odd, kind), some in sorted(by_kind.items()):
        means = [one.found.mean for one in some]
        counts = (sum(not one.found.upright for one in some), sum(is_wrong(one) and one.found.upright for one in some))
        beside = ", ".join(sorted({one.beside for one in some}))
        levels = (f"{statistics.median(means):.2f}", f"{max(means):.2f}")
        rows.append([kind, "odd files" if odd else "made", str(len(some)), beside, *levels, *map(str, counts)])
    written = Report("differential-decoding", "Decoded pictures compared with a second decoder")
    written.text(
        "Mean absolute differences in levels of 0 to 255 over the whole picture. *Turned*: another rotation, "
        f"reflection or size would fit better. *Scaled*: the levels differ by more than {100 * MOST_SCALE:.0f} % of "
        "their range. Either decoder may be wrong: ImageMagick shows inks without their colour profile, and scales "
        "32-bit values by their full range, Focal by the values in the file. ImageMagick 6 also ignores the "
        "transparency of AVIF and HEIC, and misreads some Targa files: `test_differential.py` compares Focal's "
        "results for these with the drawn picture."
    )
    columns = ["format", "files", "compared", "beside", "median difference", "largest", "turned", "scaled"]
    written.table("Files by format", columns, rows)
    if save:
        written.save()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=data_folder() / "odd_files")
    parser.add_argument("--save", action="store_true", help="write results/differential-decoding.md")
    parser.add_argument("--list", action="store_true", help="name the files that differ much")
    parser.add_argument("--stride", type=int, default=1, help="use every STRIDE-th generated file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        files = [(path, True) for path in list(make(Path(place)))[:: options.stride]]
        if options.folder.is_dir():
            files += [(path, False) for path in sorted(options.folder.rglob("*")) if path.is_file()]
        found = list(compare(iter(files), ImageMagick(Path(place))))
    report(found, save=options.save)
    wrong = [one for one in found if one.made and is_wrong(one)]
    for one in found:
        if one in wrong or (options.list and (is_wrong(one) or one.found.mean > _TELLING)):
            print(f"{one.name}: {one.found} beside {one.beside}")
    print(f"\n{len(found)} files compared; problems: {len(wrong)}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
