"""Speed of importing metadata written by other programs, in photos per second, compared with hashing the files.

``python -m tests.benchmarks.speed.metadata [--photos 10000] [--kilobytes 200]``: photos with three tags and a rating
each are drawn into a temporary folder; every fourth has its metadata in a sidecar instead of the file.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PIL import Image

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.metadata.embedded import read_embedded
from focal_photos.browser.operations.metadata.read_metadata import read_metadata
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.features.metadata.xmp import merge_xmp

T = TypeVar("T")
_A_FOLDER = 200


def draw(folder: Path, count: int, size: int) -> list[Path]:
    """Write `count` photos of about `size` bytes; their pixels, as from a camera, are never decoded here."""
    chance = random.Random(0)
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "Canon", "Canon EOS 5D"
    stream = io.BytesIO()
    Image.new("RGB", (600, 400), (90, 120, 60)).save(stream, "JPEG", exif=exif)
    jpeg = stream.getvalue()
    paths = []
    for number in range(count):
        names = [f"kind {chance.randrange(30)}/tag {chance.randrange(300)}" for _ in range(3)]
        packet = merge_xmp(None, names, chance.randrange(1, 6), None)
        path = folder / f"{number // _A_FOLDER:04}" / f"{number:06}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = jpeg[:2]
        if number % 4:
            data = b"http://ns.adobe.com/xap/1.0/\0" + packet
            head += b"\xff\xe1" + (len(data) + 2).to_bytes(2, "big") + data
        else:
            path.with_name(path.name + ".xmp").write_bytes(packet)
        path.write_bytes(head + jpeg[2:] + str(number).encode() + bytes(max(0, size - len(jpeg))))
        paths.append(path)
    return paths


def measure(name: str, count: int, work: Callable[[], T]) -> T:
    wall, processor = time.perf_counter(), time.process_time()
    found = work()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(f"{1e3 * processor / count:9.3f} ms {count / wall:11,.0f}   {name}")
    return found


def digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=10_000)
    parser.add_argument("--kilobytes", type=int, default=200, help="size of a photo")
    options = parser.parse_args()
    count = options.photos
    with tempfile.TemporaryDirectory(prefix="focal-bench-") as name:
        folder = Path(name) / "album"
        paths = draw(folder, count, 1000 * options.kilobytes)
        print(f"{'processor':>12} {'photos/s':>11}   of {count:,} photos of {options.kilobytes} kB")
        measure("hash the files", count, lambda: [digest(path) for path in paths])
        measure("read what is embedded", count, lambda: [read_embedded(path) for path in paths])
        with Library.open(Path(name) / "library") as library:
            measure("scan", count, lambda: finish(scan(library, [folder])))
            report = measure("read and take over", count, lambda: finish(read_metadata(library)))
            measure("again, nothing new", count, lambda: finish(read_metadata(library)))
            measure("undo", count, library.journal.undo)
            measure("redo", count, library.journal.redo)
    print(report.in_words())


if __name__ == "__main__":
    main()
