# SPDX-License-Identifier: MIT
"""Searches by a region: objects of Caltech-101 in photos of Corel-5k.

Photos of Caltech-101 are pasted into photos of Corel-5k at a share of the area, at random places. Each pasted object is
the region of a query, and the other photos with an object of its class are relevant. Compared are the best window
(`features.fitted.fisher_windows`),
rankings of whole photos, template matching, ORB with a homography, and windowed visual words. Takes 10 minutes on one
core. Photos with two objects, and judged regions: `tests.benchmarks.parts.judged`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.operations.ranking.queries.by_region import rank_windows
from focal_photos.browser.operations.ranking.space import shows_foreground, unfitted_space
from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.clustering import kmeans, nearest
from focal_photos.features.fitted.fisher_windows import WIDTH, WINDOWS, FisherWindows, Rectangle, window_values
from focal_photos.features.local.dense_sift import DenseSift
from focal_photos.features.table import STANDARD
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.measures import average_precision
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.row_gallery import row_gallery
from tests.benchmarks.common.photo_sets import Ints, PhotoSet, photo_set, ready
from tests.benchmarks.common.report import Report, mean_and_spread

Scores = NDArray[np.floating]
"""Similarities of queries and photos."""

AREAS: Final = (0.05, 0.1, 0.2, 0.4)
"""Shares of the area that objects cover."""

CLASSES, OBJECTS, PLAIN = 12, 10, 120
"""Classes per draw, photos with an object of each, and photos without one."""

QUERIES: Final = 40
"""Queries of a draw, for template matching and ORB too."""

SAMPLE: Final = 200
"""Other photos of Corel-5k to which descriptors are fitted."""

WORDS: Final = 200
STORED, ROUNDS = 100_000, 7
"""Photos of the timed ranking, and its rounds."""

SCALES: Final = (0.7, 1.0, 1.4)
"""Sizes at which templates are compared."""


Layout = Literal["one object", "several", "overlapping"]
"""One object in a photo; two apart from each other; two of which the second covers about 30 % of the first."""

COVERED: Final = (0.2, 0.4)
"""Share of the first object that the second one covers."""


@dataclass(frozen=True)
class Composed:
    """Photos with objects, followed by photos without."""

    photos: list[NDArray[np.uint8]]
    """Shape (h, w, 3)."""
    boxes: list[Rectangle]
    """Of the objects."""
    classes: Ints
    holders: Ints
    """`classes` and `holders`: class of each object, and the number of its photo; shape (n,)."""

    def holding(self, kind: int) -> NDArray[np.bool_]:
        """Return which photos hold an object of a class: bool (photos,)."""
        held = np.zeros(len(self.photos), np.bool_)
        held[self.holders[self.classes == kind]] = True
        return held


def composed(
    objects: PhotoSet,
    scenes: PhotoSet,
    area: float,
    places: Ints,
    rng: np.random.Generator,
    layout: Layout = "one object",
    each: int = OBJECTS,
    plain: int = PLAIN,
) -> Composed:
    """Paste objects of random classes into scenes; `places` are the numbers of the scenes."""
    chosen = rng.permutation(len(objects.names))[:CLASSES]
    photos: list[NDArray[np.uint8]] = []
    boxes: list[Rectangle] = []
    classes: list[int] = []
    holders: list[int] = []
    for one in chosen.tolist():
        for row in rng.permutation(np.flatnonzero(objects.classes == one))[:each].tolist():
            scene = decode(scenes.files[places[len(photos)]]).rgb.copy()
            kinds, rows = [one], [row]
            if layout != "one object":
                kinds.append(int(rng.choice(chosen[chosen != one])))
                rows.append(int(rng.choice(np.flatnonzero(objects.classes == kinds[1]))))
            pasted: list[tuple[int, int, int, int]] = []
            for number in rows:
                pasted.append(_paste(scene, decode(objects.files[number]).rgb, area, pasted, rng, layout))
            height, width = scene.shape[:2]
            boxes += [(x0 / width, y0 / height, x1 / width, y1 / height) for x0, y0, x1, y1 in pasted]
            classes += kinds
            holders += [len(photos)] * len(rows)
            photos.append(scene)
    photos += [decode(scenes.files[row]).rgb for row in places[len(photos) : len(photos) + plain]]
    return Composed(photos, boxes, np.array(classes), np.array(holders))


def _paste(
    scene: NDArray[np.uint8],
    thing: NDArray[np.uint8],
    area: float,
    before: list[tuple[int, int, int, int]],
    rng: np.random.Generator,
    layout: Layout,
) -> tuple[int, int, int, int]:
    """Paste an object into a scene; return its sides in pixels. Of 100 places beside another one, the best is used."""
    height, width = scene.shape[:2]
    aspect = thing.shape[1] / thing.shape[0]
    across = np.sqrt(area * width * height * aspect)
    shrink = min(1.0, width / across, height * aspect / across)
    w, h = max(1, int(across * shrink)), max(1, int(across * shrink / aspect))
    low, high = COVERED if layout == "overlapping" else (0.0, 0.0)
    found, off = (0, 0), np.inf
    for _ in range(100 if before else 1):
        x, y = int(rng.integers(0, width - w + 1)), int(rng.integers(0, height - h + 1))
        covered = 0.0
        for x0, y0, x1, y1 in before:
            shared = max(0, min(x1, x + w) - max(x0, x)) * max(0, min(y1, y + h) - max(y0, y))
            covered = shared / ((x1 - x0) * (y1 - y0))
        missed = max(low - covered, covered - high, 0.0)
        if missed < off:
            found, off = (x, y), missed
        if not off:
            break
    x, y = found
    scene[y : y + h, x : x + w] = cv2.resize(thing, (w, h), interpolation=cv2.INTER_AREA)
    return x, y, x + w, y + h


def score(near: Scores, queries: Ints, found: Composed) -> float:
    """Return the mean average precision of similarities (q, n) of queried objects and all photos."""
    orders = [np.argsort(-row, kind="stable") for row in near]
    pairs = zip(orders, queries.tolist(), strict=True)
    return average_precision(
        [found.holding(found.classes[query])[order[order != found.holders[query]]] for order, query in pairs]
    )


def overlap(one: NDArray[np.floating], other: Rectangle) -> float:
    """Return the intersection of two rectangles over their union."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    shared = float(np.prod(np.clip(high - low, 0, None)))
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in (one, other)]
    return shared / (float(sum(areas)) - shared)


def by_windows(found: Composed, queries: Ints, windows: FisherWindows) -> tuple[Scores, Ints]:
    """Return the similarities (q, n) of regions and best windows, and these windows (q, n)."""
    images = [WorkingImage.from_array(photo) for photo in found.photos]
    values = window_values(np.stack([windows.extract(image) for image in images])).astype(np.float32)
    values /= np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-9)
    regions = np.stack(
        [windows.of_region(images[found.holders[query]], found.boxes[query]) for query in queries.tolist()]
    )
    regions /= np.maximum(np.linalg.norm(regions, axis=1, keepdims=True), 1e-9)
    near = (regions @ values.T).reshape(len(queries), len(images), len(WINDOWS))
    return near.max(axis=2), near.argmax(axis=2)


def by_whole(found: Composed, queries: Ints, fitted: dict[str, GlobalDescriptor]) -> Scores:
    """Return the similarities (q, n) of whole photos, ranked as in a library: its space and shared neighbours."""
    descriptors = [fitted[name] for name in STANDARD]
    images = [WorkingImage.from_array(photo) for photo in found.photos]
    X = np.stack([np.concatenate([one.of(image) for one in descriptors]) for image in images])
    space = unfitted_space(descriptors, STANDARD, foreground=shows_foreground(descriptors, X))
    gallery = row_gallery(None, np.ascontiguousarray(space.fit(X).transform(X)))
    return build(gallery).similarities(gallery, found.holders[queries]).T


def by_template(found: Composed, queries: Ints) -> Scores:
    """Return the largest correlation of each query's region with a photo, at three sizes."""
    grey = [cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY) for photo in found.photos]
    near = np.full((len(queries), len(grey)), -1.0)
    for row, query in enumerate(queries.tolist()):
        template = _crop(grey[found.holders[query]], found.boxes[query])
        for scale in SCALES:
            size = tuple(max(4, round(side * scale)) for side in template.shape[::-1])
            resized = cv2.resize(template, size, interpolation=cv2.INTER_AREA)
            for column, photo in enumerate(grey):
                if resized.shape[0] <= photo.shape[0] and resized.shape[1] <= photo.shape[1]:
                    matched = cv2.matchTemplate(photo, resized, cv2.TM_CCOEFF_NORMED)
                    near[row, column] = max(near[row, column], float(matched.max()))
    return near


def by_homography(found: Composed, queries: Ints) -> Scores:
    """Return the number of ORB matches of each query's region with a photo that agree with one homography."""
    orb = cv2.ORB.create(nfeatures=500, edgeThreshold=8, patchSize=16, fastThreshold=8)
    matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
    enlarged = [cv2.resize(cv2.cvtColor(one, cv2.COLOR_RGB2GRAY), None, fx=2, fy=2) for one in found.photos]
    described = [orb.detectAndCompute(one, None) for one in enlarged]
    near = np.zeros((len(queries), len(enlarged)))
    for row, query in enumerate(queries.tolist()):
        points, codes = orb.detectAndCompute(_crop(enlarged[found.holders[query]], found.boxes[query]), None)
        for column, (others, other_codes) in enumerate(described):
            if not points or len(others) < 2:
                continue
            pairs = matcher.knnMatch(codes, other_codes, k=2)
            good = [a for a, b in (pair for pair in pairs if len(pair) == 2) if a.distance < 0.8 * b.distance]
            near[row, column] = len(good) / 1000  # the number of matches orders photos without a homography
            if len(good) >= 4:
                here = np.array([points[one.queryIdx].pt for one in good], np.float32)
                there = np.array([others[one.trainIdx].pt for one in good], np.float32)
                _, inliers = cv2.findHomography(here, there, cv2.RANSAC, 4.0)
                near[row, column] += np.count_nonzero(inliers)  # None if there is no homography
    return near


def by_words(found: Composed, queries: Ints, words: NDArray[np.float32]) -> Scores:
    """Return the largest Hellinger affinity of visual words in each query's region and in windows of a photo."""
    local = DenseSift()
    described = []
    for photo in found.photos:
        features = local.of(WorkingImage.from_array(photo))
        places = features.vectors[:, [-2, -3]] + 0.5
        described.append((places, nearest(features.vectors[:, :128], words) if len(places) else np.empty(0, np.intp)))

    def histogram(photo: int, box: Rectangle | Scores) -> Scores:
        places, labels = described[photo]
        inside = ((box[:2] <= places) & (places <= box[2:])).all(axis=1)
        counts = np.bincount(labels[inside], minlength=WORDS)
        return np.asarray(np.sqrt(counts / max(counts.sum(), 1)), np.float64)

    windows = np.stack([[histogram(photo, box) for box in WINDOWS] for photo in range(len(described))])
    regions = np.stack([histogram(found.holders[query], found.boxes[query]) for query in queries.tolist()])
    return np.asarray((windows.reshape(-1, WORDS) @ regions.T).reshape(len(described), len(WINDOWS), -1).max(axis=1).T)


def _crop(photo: NDArray[np.uint8], box: Rectangle) -> NDArray[np.uint8]:
    height, width = photo.shape[:2]
    return photo[round(box[1] * height) : round(box[3] * height), round(box[0] * width) : round(box[2] * width)]


def timed() -> list[list[str]]:
    """Return time, memory and disk of a ranking of `STORED` photos by a region; the peer reads all codes once."""
    rng, found = np.random.default_rng(0), []
    dimension = len(WINDOWS) * WIDTH
    with tempfile.TemporaryDirectory() as folder:
        store = CodeStore(Path(folder), "windows", dimension)
        for start in range(0, STORED, 2000):
            ids = np.arange(start, start + 2000) + 1
            store.append(ids, rng.integers(0, 256, (len(ids), dimension), np.uint8))
        values = rng.integers(-127, 128, WIDTH).astype(np.int8)
        rows = store.rows(store.ids)
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            rows.max()
            read = time.perf_counter()
            rank_windows(store, store.ids, values)
            found.append((time.perf_counter() - read, read - begun))
        disk = sum(file.stat().st_size for file in Path(folder).rglob("*"))
        store.close()
    ranked, read = np.median(found, axis=0)
    return [
        ["milliseconds", f"{1000 * ranked:.0f}"],
        ["times the largest of all codes by numpy", f"{ranked / read:.2f}"],
        ["MB on the disk, mapped into memory", f"{disk / 1e6:.0f}"],
    ]


def _spent(work: Callable[[], object]) -> float:
    """Return the processor time of a call in seconds."""
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


def costs(files: list[Path], windows: FisherWindows) -> list[list[str]]:
    """Return the processor time of describing the windows of a photo, whose dense vectors other descriptors use too."""

    def dense(photo: NDArray[np.uint8]) -> WorkingImage:
        image = WorkingImage.from_array(photo)
        for one in windows.computed_from:
            one.of(image)
        return image

    found = []
    for file in files:
        photo = decode(file).rgb
        works = (partial(decode, file), partial(dense, photo), partial(windows.extract, dense(photo)))
        found.append(np.min([[_spent(work) for work in works] for _ in range(ROUNDS)], axis=0))
    decoding, dense_vectors, described = np.median(found, axis=0)
    return [
        ["windows, milliseconds of processor time", f"{1000 * described:.1f}"],
        ["windows, in decodings", f"{described / decoding:.1f}"],
        ["dense vectors, unless described anyway, in decodings", f"{dense_vectors / decoding:.1f}"],
        ["kB on the disk", f"{len(WINDOWS) * WIDTH / 1000:.1f}"],
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3)
    draws = parser.parse_args().draws
    objects, scenes = photo_set("caltech101"), photo_set("corel5k")
    if objects is None or scenes is None:
        return
    titles = ("best window", "whole photo", "visual words of windows", "template matching", "ORB and homography")
    reached: dict[tuple[str, float], list[float]] = {}
    cost: list[list[str]] = []
    located: dict[float, list[tuple[float, float]]] = {}
    with one_thread():
        for draw in range(draws):
            rng = np.random.default_rng(draw)
            places = rng.permutation(len(scenes.files))
            sample = [decode(scenes.files[row]) for row in places[-SAMPLE:].tolist()]
            fitted = ready(sample, [*STANDARD, FisherWindows.name])
            windows = fitted[FisherWindows.name]
            assert isinstance(windows, FisherWindows)
            whole = {name: one for name, one in fitted.items() if isinstance(one, GlobalDescriptor)}
            vectors = np.concatenate([DenseSift().of(one).vectors[::20, :128] for one in sample])
            words = kmeans(vectors, WORDS, np.random.default_rng(draw))
            cost = cost or costs([scenes.files[row] for row in places[:40].tolist()], windows)
            for area in AREAS:
                found = composed(objects, scenes, area, places, np.random.default_rng([draw, round(100 * area)]))
                queries = np.sort(rng.permutation(len(found.boxes))[:QUERIES])
                near, best = by_windows(found, queries, windows)
                found_by = (
                    near,
                    by_whole(found, queries, whole),
                    by_words(found, queries, words),
                    by_template(found, queries),
                    by_homography(found, queries),
                )
                scores = dict(zip(titles, found_by, strict=True))
                for title, similar in scores.items():
                    reached.setdefault((title, area), []).append(score(similar, queries, found))
                overlaps = [
                    overlap(WINDOWS[best[row, found.holders[other]]], found.boxes[other])
                    for row, query in enumerate(queries.tolist())
                    for other in np.flatnonzero(found.classes == found.classes[query]).tolist()
                    if other != query
                ]
                located.setdefault(area, []).append(
                    (float(np.mean(overlaps)), float(np.mean(np.array(overlaps) > 0.5)))
                )
                print(draw, area, {title: round(reached[title, area][-1], 3) for title in titles}, flush=True)
    report = Report("parts", "Searches by a region")
    report.text(
        f"{draws} draws of {CLASSES} classes of Caltech-101, {OBJECTS} photos each, pasted into photos of Corel-5k "
        f"beside {PLAIN} without an object. {QUERIES} queries per draw: the region of an object. Mean average "
        "precision for its class. Photos with two objects, and every metric before and after 20 judged regions: "
        "[parts-judged](parts-judged.md)."
    )
    columns = ["share of the area", *(f"{area:.0%}" for area in AREAS)]
    report.table(
        "Mean average precision",
        columns,
        [[title, *(mean_and_spread(reached[title, area]) for area in AREAS)] for title in titles],
    )
    ratios = [np.divide(reached[titles[0], area], reached[titles[1], area]) for area in AREAS]
    report.table("Best window against the whole photo", columns, [["ratio", *(mean_and_spread(r, 2) for r in ratios)]])
    report.table(
        "Overlap (intersection over union) of the best window with the object, in photos of the class",
        columns,
        [
            ["mean", *(mean_and_spread([one for one, _ in located[area]], 2) for area in AREAS)],
            ["above .5", *(mean_and_spread([share for _, share in located[area]], 2) for area in AREAS)],
        ],
    )
    report.table(
        f"{STORED:,} photos with random windows, all ranked by a region: median of {ROUNDS} rounds",
        ["", ""],
        timed(),
    )
    report.table(f"Describing a photo of Corel-5k; median of photos, fastest of {ROUNDS} rounds", ["", ""], cost)
    report.save()


if __name__ == "__main__":
    main()
