"""Compares the files that Focal refuses with those that ImageMagick and Pillow open.

``python -m tests.benchmarks.decoding.refusals [FOLDER] [--save] [--list]``: uses the files of a folder (default: the
odd files in FOCAL_DATA) and generated files, of all varieties of each format that the installed libraries can write.
ImageMagick, if installed, runs with a policy that starts no other program and opens no PostScript. ``--save`` writes
``results/refusals.md``. ``--before FILE`` adds refusals by an older version: a JSON object of counts of generated files
by format. The exit code is 1 if Focal refuses a generated file, or if decoding one kills its process.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.worker_process import EndedProcessError, TookTooLongError
from tests.benchmarks.common.photo_sets import data_folder
from tests.benchmarks.common.report import Report
from tests.features.other_programs import SECONDS, ImageMagick, read_by_focal, read_by_pillow
from tests.features.varieties import varieties

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


@dataclass(frozen=True)
class Refusal:
    """A file that Focal cannot read.

    Attributes
    ----------
    name : str
    kind : str
        Format according to the suffix.
    reason : str
        Message to the user.
    others : tuple of str
        Names of the programs that open it.
    made : bool
        Whether the campaign generated it, so that it is undamaged.
    """

    name: str
    kind: str
    reason: str
    others: tuple[str, ...]
    made: bool


@dataclass
class Survey:
    seen: Counter[tuple[str, bool]]
    refused: list[Refusal]
    ended: list[str]


def look_at(files: Sequence[tuple[Path, bool]]) -> Survey:
    """Return the outcomes of Focal and the other programs; each path has a flag whether the file was generated."""
    found = Survey(Counter(), [], [])
    pool = ProcessPool(size=1)
    with tempfile.TemporaryDirectory() as folder:
        magick = ImageMagick(Path(folder))
        try:
            for path, made in files:
                kind = kind_of(path)
                found.seen[kind, made] += 1
                try:
                    reason = pool.call(read_by_focal, path, seconds=SECONDS)
                except (EndedProcessError, TookTooLongError) as error:
                    found.ended.append(f"{path.name}: {error}")
                    reason = str(error)
                if reason:
                    found.refused.append(Refusal(path.name, kind, reason, _others(path, pool, magick), made))
        finally:
            pool.close()
    return found


def _others(path: Path, pool: ProcessPool, magick: ImageMagick) -> tuple[str, ...]:
    others = ["ImageMagick"] if magick.read(path) else []
    try:
        return (*others, "Pillow") if pool.call(read_by_pillow, path, seconds=SECONDS) else tuple(others)
    except (EndedProcessError, TookTooLongError):
        return tuple(others)


def kind_of(path: Path) -> str:
    """Return the format according to the suffix of a file."""
    return _KINDS.get(path.suffix.lower().lstrip("."), "others")


def make(folder: Path) -> Iterator[Path]:
    """Write all varieties into a folder and yield their paths."""
    for variety in varieties():
        path = folder / variety.kind / variety.name
        path.parent.mkdir(exist_ok=True)
        with path.open("xb") as stream:  # "x": two varieties must not share a name
            stream.write(variety.content)
        yield path


def report(found: Survey, magick: bool, before: dict[str, int] | None, *, save: bool) -> None:
    """Print the tables and write them to the results; `before` counts generated files refused by an older version."""
    by_kind: dict[tuple[str, bool], list[Refusal]] = defaultdict(list)
    for refusal in found.refused:
        by_kind[refusal.kind, refusal.made].append(refusal)
    rows = []
    for (kind, made), count in sorted(found.seen.items(), key=lambda one: (not one[0][1], one[0][0])):
        refused = by_kind[kind, made]
        opened = [one for one in refused if one.others]
        origin = "made" if made else "odd files"
        earlier = [str(before.get(kind, 0)) if made else ""] if before is not None else []
        rows.append(
            [kind, origin, *map(str, (count, count - len(refused))), *earlier, *map(str, map(len, (refused, opened)))]
        )
    written = Report("refusals", "Files that Focal refuses and other programs open")
    written.text(
        f"Each file that Focal refuses was given to {'ImageMagick and ' if magick else ''}Pillow. *Made* files are "
        "undamaged: all varieties that the installed libraries can write. *Odd files* are samples that image programs "
        "often misread, most of them damaged on purpose; a program that opens such a file may be too lenient."
        + ("" if before is None else " *Refused before*: by an older version with its required libraries.")
    )
    earlier = ["refused before"] if before is not None else []
    columns = ["format", "files", "all", "read", *earlier, "refused", "refused although another program opens them"]
    written.table("Files by format", columns, rows)
    reasons = Counter(one.reason for one in found.refused if one.others)
    if reasons:
        written.table(
            "Reasons for refusing files that another program opens",
            ["reason", "files"],
            [[reason, str(count)] for reason, count in reasons.most_common()],
        )
    if save:
        written.save()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=data_folder() / "odd_files")
    parser.add_argument("--save", action="store_true", help="write results/refusals.md")
    parser.add_argument("--list", action="store_true", help="name the refused files that another program opens")
    parser.add_argument("--stride", type=int, default=1, help="use every STRIDE-th generated file")
    parser.add_argument("--before", type=Path, help="counts of refusals by an older version")
    options = parser.parse_args()
    before = json.loads(options.before.read_text()) if options.before else None
    with tempfile.TemporaryDirectory() as place:
        files = [(path, True) for path in list(make(Path(place)))[:: options.stride]]
        if options.folder.is_dir():
            files += [(path, False) for path in sorted(options.folder.rglob("*")) if path.is_file()]
        found = look_at(files)
        has_magick = ImageMagick(Path(place)).command is not None
    report(found, has_magick, before, save=options.save)
    false = [one for one in found.refused if one.made or (options.list and one.others)]
    for one in false:
        print(f"{one.name}: {one.reason} ({', '.join(one.others) or 'nobody else opens it'})")
    whole = [one for one in found.refused if one.made]
    print(
        f"\n{len(files)} files, {len(found.refused)} refused, {len(whole)} of those made: problems {len(found.ended)}"
    )
    print("\n".join(found.ended))
    return int(bool(whole or found.ended))


if __name__ == "__main__":
    sys.exit(main())
