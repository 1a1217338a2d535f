"""Time per photo on one thread: decoding, each descriptor alone, all descriptors together, and comparable libraries.

A descriptor timed alone starts from a newly decoded photo and pays for all shared intermediate results. Timed together,
in the order of the table, the first user of a result pays. The peers are equivalent functions of other libraries, run
on the same photos. Times are compared with that of decoding the photo.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

# Before importing numpy: limit its thread pools to one thread.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import mahotas
import numpy as np
import psutil
import skimage
from mahotas.features import surf
from numpy.typing import NDArray

from focal_photos.features.base import Descriptor, GlobalDescriptor
from focal_photos.features.decoding.decode import decode, to_jpeg
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.table import DESCRIPTORS, LOCAL_DESCRIPTORS, STANDARD
from tests.benchmarks.common.photo_sets import photo_set, ready

CARD: Final = ("gabor", "color_moments", "color_coherence")
"""Global descriptors of the first design."""

Stage = Callable[[WorkingImage], object]

# The peers' stubs lack the functions compared here.
_cv2: Any = cv2
_skimage: Any = skimage


def _gray(image: WorkingImage) -> NDArray[np.uint8]:
    return np.rint(image.gray).astype(np.uint8)


def _lbp(image: WorkingImage) -> object:
    codes = _skimage.feature.local_binary_pattern(_gray(image), 8, 1, "nri_uniform")
    return np.bincount(codes.astype(int).ravel(), minlength=59)


def _coherence(image: WorkingImage) -> object:
    q = image.hsv // 32
    colors = q[..., 0].astype(np.int32) * 64 + q[..., 1] * 8 + q[..., 2]
    return [cv2.connectedComponentsWithStats((colors == color).astype(np.uint8)) for color in np.unique(colors)]


def _gabor(image: WorkingImage) -> object:
    square = cv2.resize(image.gray, (128, 128), interpolation=cv2.INTER_AREA)
    angles = np.arange(8) * np.pi / 8
    return [_skimage.filters.gabor(square, f, theta=a) for f in (0.05, 0.084, 0.141, 0.238, 0.4) for a in angles]


PEERS: Final[tuple[tuple[str, str, int, Stage], ...]] = (
    (
        "color_histogram",
        "OpenCV calcHist",
        20,
        lambda i: cv2.calcHist([i.hsv], [0, 1, 2], None, [8, 3, 3], [0, 256] * 3),
    ),
    ("color_coherence", "OpenCV connectedComponents, a color at a time", 20, _coherence),
    ("gabor", "scikit-image gabor x 40", 2, _gabor),
    ("lbp", "scikit-image local_binary_pattern", 20, _lbp),
    ("lbp", "mahotas lbp", 20, lambda i: mahotas.features.lbp(_gray(i), 1, 8)),
    ("edge_directions", "scikit-image canny", 20, lambda i: _skimage.feature.canny(i.gray)),
    ("sift", "OpenCV SIFT", 20, lambda i: _cv2.SIFT_create(500).detectAndCompute(_gray(i), None)),
    ("sift", "scikit-image SIFT", 3, lambda i: _skimage.feature.SIFT().detect_and_extract(_gray(i))),
    ("orb", "OpenCV ORB", 20, lambda i: _cv2.ORB_create(500).detectAndCompute(_gray(i), None)),
    ("orb", "mahotas SURF", 5, lambda i: surf.surf(_gray(i))),
)
"""Descriptor, name of the peer, number of photos, and the peer's function."""


def milliseconds(stages: dict[str, Stage], photos: Sequence[WorkingImage], rounds: int) -> dict[str, float]:
    """Return the median over photos of each stage's best processor time in several rounds on fresh photos."""
    best = {name: np.full(len(photos), np.inf) for name in stages}
    for _ in range(rounds):
        for row, photo in enumerate(photos):
            for name, stage in stages.items():
                fresh = WorkingImage.from_array(photo.rgb)
                start = time.thread_time()
                stage(fresh)
                best[name][row] = min(best[name][row], 1000 * (time.thread_time() - start))
    return {name: float(np.median(times)) for name, times in best.items()}


def together(descriptors: Sequence[Descriptor], photos: Sequence[WorkingImage], rounds: int) -> float:
    """Return the median over photos of the processor time of several descriptors on one decoded photo."""

    def everything(image: WorkingImage) -> None:
        for descriptor in descriptors:  # as in `describe`: shared intermediate results are computed once
            image.cached(descriptor, partial(_stage(descriptor), image))

    return milliseconds({"all": everything}, photos, rounds)["all"]


def report(title: str, sources: Sequence[Path | bytes], rounds: int, decoding: float | None = None) -> None:
    """Print the table for one set of photos."""
    photos = [decode(source) for source in sources]
    if decoding is None:
        times = np.full(len(sources), np.inf)
        for _ in range(rounds):
            for row, source in enumerate(sources):
                start = time.thread_time()
                decode(source)
                times[row] = min(times[row], 1000 * (time.thread_time() - start))
        decoding = float(np.median(times))
    tables = ready(photos)
    for photo in photos[:3]:  # warm up, e.g. the masks of filters
        for descriptor in tables.values():
            _stage(descriptor)(WorkingImage.from_array(photo.rgb))
    alone = milliseconds({name: _stage(d) for name, d in tables.items()}, photos, rounds)
    print(f"\n{title}: {len(sources)} photos, working size {photos[0].rgb.shape[1]} x {photos[0].rgb.shape[0]}")
    print(f"  {'ms a photo, one thread (median)':<52}{'ms':>9}{'/ decoding':>12}")

    def line(name: str, ms: float) -> None:
        print(f"  {name:<52}{ms:>9.2f}{ms / decoding:>12.2f}")

    line("decoding to the working size", decoding)
    for name, ms in alone.items():
        line(name, ms)
        for of, peer, count, stage in PEERS:
            if of == name:
                line(f"    peer: {peer}", milliseconds({peer: stage}, photos[:count], 1)[peer])
    sums: dict[str, list[Descriptor]] = {
        "together: Gabor, color moments, CCV": [tables[name] for name in CARD],
        "together: what is standard": [tables[name] for name in STANDARD],
        "together: all global descriptors and the bags": [
            d for d in tables.values() if isinstance(d, GlobalDescriptor)
        ],
        "together: geometric blur (both) and color patches": [
            tables[name] for name in ("geometric_blur_large", "geometric_blur_small", "color_patches")
        ],
        "together: everything": list(tables.values()),
    }
    for name, descriptors in sums.items():
        line(name, together(descriptors, photos, rounds))


def _stage(descriptor: Descriptor) -> Stage:
    extract: Any = descriptor.extract  # type: ignore[attr-defined]
    return extract  # type: ignore[no-any-return]


def large_jpeg(quality: int = 85, progressive: bool = False) -> bytes:
    """Return a 12-megapixel JPEG with the detail of a photo."""
    rng = np.random.default_rng(0)
    total = np.zeros((3000, 4000, 3), np.float32)
    for size, strength in ((8, 90), (40, 40), (200, 22), (1000, 12), (3000, 5)):
        layer = rng.standard_normal((size * 3 // 4, size, 3), np.float32) * strength
        total += cv2.resize(layer, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    rgb = np.clip(total + 120, 0, 255).astype(np.uint8)
    if not progressive:
        return to_jpeg(rgb, quality)
    done, content = cv2.imencode(
        ".jpg", rgb[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    )
    assert done
    return content.tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=40, help="number of photos per set")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    print(f"{len(DESCRIPTORS)} global and {len(LOCAL_DESCRIPTORS)} local descriptors")
    for name in ("corel5k", "caltech101"):
        chosen = photo_set(name)
        if chosen is not None:
            rows = np.sort(np.random.default_rng(0).choice(len(chosen.files), arguments.photos, replace=False))
            report(name, [chosen.files[row] for row in rows], arguments.rounds)
    for kind, content in (("baseline", large_jpeg()), ("progressive", large_jpeg(progressive=True))):
        full = []
        for _ in range(2 * arguments.rounds + 1):
            start = time.thread_time()
            decode(content, side=None)
            full.append(1000 * (time.thread_time() - start))
        title = f"12 megapixels, {kind}, {len(content) / 1e6:.1f} MB of JPEG"
        report(title, [content] * 3, arguments.rounds)
        print(f"  {'decoding at full size (the limit of the card)':<52}{np.median(full):>9.2f}")
    print(f"\npeak memory of this process: {psutil.Process().memory_info().rss / 1e6:.0f} MB resident at the end")


if __name__ == "__main__":
    main()
