# SPDX-License-Identifier: MIT
"""Photos and folders with very unusual names, added, tagged, exported, removed, archived and restored.

``python -m tests.benchmarks.faults.odd_names [--count 100000]``: names that are not UTF-8, contain line breaks, have
255 bytes, differ only in case or Unicode normal form, run from right to left, or contain markup or look like options;
500 nested folders, and more than a path can name; circular links. Each photo is tagged by its path, listed, exported,
removed and added again, archived and unpacked. Then `count` files are added from one folder.
"""
# ruff: noqa: PTH102, PTH103, PTH104, PTH211

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.archives.unpack_archive import merge_archive, unpack_archive
from focal_photos.browser.operations.exchange.export_file import export_photos, output_file
from focal_photos.browser.operations.exchange.formats import CSV, JSON_LINES
from focal_photos.browser.operations.exchange.import_file import import_tags
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.operations.album import Album

NAMES: Final[tuple[bytes, ...]] = (
    b"plain.jpg",
    b"caf\xe9 latin-1.jpg",
    b"\xff\xfe\x80.jpg",
    b"line\nbreak.jpg",
    b"carriage\rreturn.jpg",
    b"tab\tand \x1b[31mred\x07.jpg",
    b"a" * 251 + b".jpg",
    "é".encode() * 125 + b".jpg",
    b"Twin.jpg",
    b"twin.jpg",
    b"twin.JPG",
    "\u00e9.jpg".encode(),
    "e\u0301.jpg".encode(),
    "\u212b.jpg".encode(),
    "\u00c5.jpg".encode(),
    "\u05e9\u05dc\u05d5\u05dd.jpg".encode(),
    "\u202egpj.exe\u202c.jpg".encode(),
    "zero\u200bwidth\ufeff.jpg".encode(),
    "\U0001f431\u200d\U0001f464.jpg".encode(),
    b"<b>bold<i>&amp;.jpg",
    b"-rf.jpg",
    b"--library.jpg",
    b"+tag.jpg",
    b"=cmd|' '!A0.jpg",
    b'@sum;a,b".jpg',
    b"  blanks  .jpg",
    b"%s%n{0}$HOME`ls`.jpg",
    b"dots...jpg",
    b"back\\slash.jpg",
    b"star*?[a].jpg",
    b"file:%2e%2e.jpg",
)


def make(folder: Path, levels: int = 500) -> dict[bytes, str]:
    """Make the photos and return their intended tags by path."""
    album, drawn = Album(folder.with_name("drawn")), 0
    tags: dict[bytes, str] = {}

    def put(path: bytes) -> None:
        nonlocal drawn
        drawn += 1
        os.rename(album.draw("x.jpg", seed=drawn, size=(32, 32)), path)
        tags[path] = f"number {drawn}"

    folder.mkdir()
    top = os.fsencode(folder)
    for name in NAMES:
        put(top + b"/" + name)
    deep = top + b"/d" * levels
    os.makedirs(deep)
    put(deep + b"/deep.jpg")
    odd = top + b"/odd\xff\nfolder"
    os.mkdir(odd)
    put(odd + b"/inside.jpg")
    os.symlink(top, odd + b"/circle")
    os.symlink(b"self", top + b"/self")
    os.symlink(b"nothing", top + b"/dangling.jpg")
    _make_beyond_paths(folder)
    return tags


def _make_beyond_paths(folder: Path, levels: int = 40) -> None:
    """Make folders whose paths exceed the system's limit."""
    here = os.open(folder, os.O_RDONLY)
    try:
        for _ in range(levels):
            os.mkdir("x" * 200, dir_fd=here)
            inner = os.open("x" * 200, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        os.close(os.open("beyond.jpg", os.O_WRONLY | os.O_CREAT, dir_fd=here))
    finally:
        os.close(here)


def through_every_door(place: Path) -> list[str]:
    """Add, remove and re-add the photos in every way, and return the problems."""
    folder = place / "photos"
    tags = make(folder)
    problems: list[str] = []
    with Library.open(place / "library") as library:
        library.settings.set("descriptors", ["color_moments"])
        report = finish(index(library, [folder]))
        if report.new != len(tags):
            problems.append(f"{report.new} of {len(tags)} photos are new; failed: {report.failed[:3]}")
        for path, tag in tags.items():
            photo = library.photos.by_path(Path(os.fsdecode(path)))
            if photo is None:
                problems.append(f"{path[-60:]!r} is not found by its path")
            else:
                library.tags.change([photo.id], [tag])
        expected = _tags(library)
        if expected != tags:
            problems.append("paths are not as they are on the disk")
        finish(save_archive(library, place / "all.focal.zip"))
        for form in (CSV, JSON_LINES):
            file = place / f"tags{form.suffixes[0]}"
            with output_file(file) as stream:
                export_photos(library, stream, form)
            _untag(library)
            taken = finish(import_tags(library, file, form))
            if _tags(library) != expected or taken.unknown or taken.refused:
                problems.append(f"{form.title} brings not back what it took: {taken.unknown[:2]} {taken.refused[:2]}")
                _untag(library)
                finish(merge_archive(library, place / "all.focal.zip"))
        finish(unpack_archive(place / "all.focal.zip", place / "again"))
        with Library.open(place / "again") as again:
            if _tags(again) != expected:
                problems.append("the unpacked library has other tags")
        found = finish(check(library))
        problems += found.problems + found.repaired
    problems += _by_commands(place, tags)
    return problems


def _tags(library: Library) -> dict[bytes, str]:
    ids = library.photos.ids().tolist()
    tags = library.tags.of(ids)
    return {
        os.fsencode(path): ";".join(tags[photo]) for photo, path in zip(ids, library.photos.paths(ids), strict=True)
    }


def _untag(library: Library) -> None:
    for photo, names in library.tags.of(library.photos.ids().tolist()).items():
        library.tags.change([photo], remove=names)


def _by_commands(place: Path, tags: dict[bytes, str]) -> list[str]:
    """Tag by paths as a shell passes them, and read the listing."""

    def focal(*words: bytes) -> bytes:
        command = [os.fsencode(sys.executable), b"-m", b"browser", *words]
        done = subprocess.run(
            [*command, b"--library", os.fsencode(place / "library"), b"--json"], capture_output=True, check=False
        )
        return done.stdout or json.dumps({"error": os.fsdecode(done.stderr)}).encode()

    given = json.loads(focal(b"tag", *tags, b"+bycommand"))
    listed = [json.loads(line) for line in focal(b"list", b"tag:bycommand").splitlines()]
    if any("error" in one for one in [given, *listed]):
        return [f"focal tag: {given}, focal list: {listed[:1]}"]
    problems = [] if len(given.get("photos", [])) == len(tags) else [f"focal tag: {given}"]
    if {os.fsencode(one["path"]) for one in listed} != set(tags):
        problems.append(f"focal list tells {len(listed)} paths, not those {len(tags)}")
    return problems


def many_in_a_folder(place: Path, count: int) -> str:
    """Add a folder of `count` files, look for changes, and return the timings."""
    folder = place / "many"
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.jpg").write_bytes(b"%d" % number)
    with Library.open(place / "many-library") as library:
        times = []
        for expected in (count, 0):
            begun = time.process_time()
            report = finish(scan(library, [folder]))
            times.append(time.process_time() - begun)
            if report.new != expected:
                return f"WRONG: {report.new} of {expected} files were new"
        if len(library.photos.ids()) != count or library.database.check():
            return "WRONG: not all files are there"
    shutil.rmtree(folder)
    return f"{count} files in one folder: {times[0]:.1f} s of processor time, {times[1]:.1f} s to look for changes"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        try:
            problems = through_every_door(Path(name))
            print(f"{len(NAMES) + 2} photos with odd names and places: {len(problems)} problems")
            many = many_in_a_folder(Path(name), options.count)
        finally:
            subprocess.run(["rm", "-rf", f"{name}/photos"], check=False)  # shutil.rmtree fails on such paths
    print("\n".join([*problems, many]))
    return 1 if problems or many.startswith("WRONG") else 0


if __name__ == "__main__":
    sys.exit(main())
