"""How long a photo takes on one thread: decoding, each descriptor, the thumbnail; and the demo album."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

# Before numpy is imported: one thread in all of its pools.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import numpy as np

from features import DESCRIPTORS
from features.description import describe
from features.image import IMAGE_SUFFIXES, decode, to_jpeg
from resources.demo_album import draw_demo_album


def sample(folder: Path, count: int) -> list[Path]:
    """Return some photos of a folder, the same ones each time."""
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in IMAGE_SUFFIXES)
    if len(files) <= count:
        return files
    chosen = np.random.default_rng(0).choice(len(files), count, replace=False)
    return [files[i] for i in sorted(chosen)]


def report(title: str, sources: Sequence[Path | bytes], repeats: int) -> None:
    """Print milliseconds a photo by stage: mean, median and 95th percentile of each photo's best repeat."""
    names = list(DESCRIPTORS)
    stages = ["decode", *names, "thumbnail"]
    best = np.full((len(sources), len(stages)), np.inf)
    for source in sources[:3]:  # caches of masks and the like
        describe(source, names)
    for _ in range(repeats):
        for i, source in enumerate(sources):
            seconds = describe(source, names).seconds
            best[i] = np.minimum(best[i], [seconds[stage] * 1000 for stage in stages])
    print(f"{title}: {len(sources)} photos, ms a photo (best of {repeats})")
    print(f"  {'stage':<18}{'mean':>8}{'median':>8}{'95 %':>8}")
    for name, column in zip([*stages, "sum"], [*best.T, best.sum(axis=1)], strict=True):
        print(f"  {name:<18}{column.mean():>8.2f}{np.median(column):>8.2f}{np.quantile(column, 0.95):>8.2f}")


def large_jpeg() -> bytes:
    """Return a 12-megapixel JPEG with the detail of a photo."""
    rng = np.random.default_rng(0)
    total = np.zeros((3000, 4000, 3), np.float32)
    for size, strength in ((8, 90), (40, 40), (200, 22), (1000, 12), (3000, 5)):
        layer = rng.standard_normal((size * 3 // 4, size, 3), np.float32) * strength
        total += cv2.resize(layer, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    return to_jpeg(np.clip(total + 120, 0, 255).astype(np.uint8))


def main() -> None:
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("FOCAL_DATA", beside)))
    parser.add_argument("--photos", type=int, default=300, help="of each set")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)

    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter(), time.process_time()
        photos = draw_demo_album(Path(folder))
        wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
        print(f"Demo album: {len(photos)} pictures in {wall:.1f} s ({cpu:.1f} s of one core)\n")
        report("Demo album", sample(Path(folder), arguments.photos), arguments.repeats)
    for name in ("corel5k", "caltech101"):
        print()
        if (arguments.data / name).is_dir():
            report(name, sample(arguments.data / name, arguments.photos), arguments.repeats)
        else:
            print(f"{name}: skipped, there is no folder {arguments.data / name} (set FOCAL_DATA).")
    content = large_jpeg()
    print()
    report(f"12 megapixels, {len(content) / 1e6:.1f} MB of JPEG", [content], 5 * arguments.repeats)
    start_full = time.perf_counter()
    decode(content, side=None)
    print(f"  at full size, decoding alone takes {1000 * (time.perf_counter() - start_full):.0f} ms")


if __name__ == "__main__":
    main()
