"""Indexing costs on whole Corel-5k and Caltech-101 with every descriptor, and the quality of each descriptor alone.

Indexing: time, photos per second, size on disk and peak memory. Quality: precision@20 by class on Corel-5k, and mean
recognition by the nearest neighbour on Caltech-101 with 15 training photos per class, with the distance of the
descriptor's source; this reveals faulty descriptors. Local descriptors use the mean elementary distance of the focal
image's patches (Frome 2006, without learned weights), on fewer photos.

With ``--libraries DIR``, the libraries are saved and indexed only once.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
import psutil

import focal_photos.browser.environment  # noqa: F401 - before numpy
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import descriptors as of
from focal_photos.browser.operations.describing.enabled import all_descriptors, set_enabled
from focal_photos.browser.operations.library.index import index
from focal_photos.features.base import GlobalDescriptor, LocalDescriptor
from focal_photos.features.local.elementary_distances import elementary_distances
from tests.benchmarks.common.photo_sets import Floats, Ints, PhotoSet, distances, photo_set, splits

_K: Final = 20
_QUERIES: Final = 1000
_LOCAL_QUERIES: Final = 50
_LOCAL_GALLERY: Final = 21  # photos per class of Corel-5k


@contextmanager
def peak_memory() -> Iterator[list[float]]:
    """Sample the memory of this process and its workers: maximum MB of all together, and of the largest worker."""
    peaks, stop, me = [0.0, 0.0], threading.Event(), psutil.Process()

    def look() -> None:
        while not stop.wait(0.25):
            try:
                workers = [child.memory_info().rss / 1e6 for child in me.children(recursive=True)]
            except psutil.Error:
                continue
            peaks[0] = max(peaks[0], me.memory_info().rss / 1e6 + sum(workers))
            peaks[1] = max(peaks[1], *workers, 0.0)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield peaks
    finally:
        stop.set()
        thread.join()


def size(folder: Path) -> float:
    """Return the total size of the files in a folder in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def index_whole(library: Library, photos: PhotoSet) -> None:
    """Index a set with every descriptor and print the costs."""
    set_enabled(library, list(all_descriptors(library)))
    with peak_memory() as peaks:
        start = time.perf_counter()
        job = index(library, [photos.folder])
        while True:
            try:
                next(job)
            except StopIteration as stop:
                report = stop.value
                break
        seconds = time.perf_counter() - start
    if not report.extract.done:
        print(f"{photos.folder.name}: indexed before ({report.photos} photos)")
        return
    print(
        f"{photos.folder.name}: {report.photos} photos, {len(report.failed)} failed, {seconds:.0f} s, "
        f"{report.extract.done / seconds:.1f} photos/s; {size(library.path / 'derived'):.0f} MB of derived data; "
        f"peak memory {peaks[0]:.0f} MB together, {peaks[1]:.0f} MB the largest worker"
    )
    stages = sorted(report.stages.items(), key=lambda stage: -stage[1])
    print("  ms of processor time a photo: " + ", ".join(f"{name} {ms:.1f}" for name, ms in stages))


def rows_of(library: Library, photos: PhotoSet) -> dict[Path, int]:
    ids = library.photos.ids()
    return dict(zip(library.photos.paths([int(i) for i in ids]), (int(i) for i in ids), strict=True))


def precision(X: Floats, classes: Ints, descriptor: GlobalDescriptor) -> float:
    """Return precision@20 by class, with random queries, all other photos as the gallery, and ties in random order."""
    rng = np.random.default_rng(0)
    queries = rng.choice(len(X), min(_QUERIES, len(X)), replace=False)
    D = distances(X[queries], X, descriptor.distance)
    D[np.arange(len(queries)), queries] = np.inf
    shuffled = rng.permutation(len(X))
    nearest = shuffled[np.argsort(D[:, shuffled], axis=1, kind="stable")[:, :_K]]
    return float((classes[nearest] == classes[queries][:, None]).mean())


def recognition(X: Floats, classes: Ints, descriptor: GlobalDescriptor) -> tuple[float, float]:
    """Return the mean recognition over classes by 1-NN: its mean and standard deviation over splits."""
    scores = []
    for train, test in splits(classes, 15, 20, 3):
        found = classes[train][distances(X[test], X[train], descriptor.distance).argmin(1)]
        scores.append(per_class(found == classes[test], classes[test]))
    return float(np.mean(scores)), float(np.std(scores, ddof=1))


def per_class(right: np.ndarray[tuple[int], np.dtype[np.bool_]], classes: Ints) -> float:
    """Return the mean over classes of the correct share."""
    return float(np.mean([right[classes == label].mean() for label in np.unique(classes)]))


def local_scores(library: Library, descriptor: LocalDescriptor, ids: Ints, photos: PhotoSet, caltech: bool) -> float:
    """Return the score of a local descriptor by its mean elementary distance, with few queries and a small gallery."""
    store = library.patches.store(str(descriptor.key), descriptor.dimension)
    if caltech:
        gallery, queries = next(iter(splits(photos.classes, 15, 1, 1)))
    else:
        gallery = next(iter(splits(photos.classes, _LOCAL_GALLERY, 0, 1)))[0]
        queries = np.random.default_rng(0).choice(gallery, _LOCAL_QUERIES, replace=False)
    vectors, offsets = store.gather(ids[gallery])
    right = []
    for query in queries:
        focal = store.read(int(ids[query]))[1].astype(np.float32)
        if not len(focal):
            right.append(0.0)
            continue
        D = elementary_distances(focal, vectors, offsets).mean(1)
        D[gallery == query] = np.inf
        nearest = gallery[np.argsort(D, kind="stable")[: 1 if caltech else _K]]
        right.append(float((photos.classes[nearest] == photos.classes[query]).mean()))
    return float(np.mean(right))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", type=Path, help="folder for the two libraries")
    parser.add_argument("--no-local", action="store_true", help="skip the scores of local descriptors (minutes)")
    arguments = parser.parse_args()
    sets = {name: photos for name in ("corel5k", "caltech101") if (photos := photo_set(name)) is not None}
    lines: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = arguments.libraries or Path(place)
        for name, photos in sets.items():
            with Library.open(folder / name) as library:
                index_whole(library, photos)
        for name, photos in sets.items():
            with Library.open(folder / name) as library:
                by_path = rows_of(library, photos)
                ids = np.array([by_path[file] for file in photos.files], dtype=np.int64)
                for descriptor in of.ready_descriptors(library):
                    line = lines.setdefault(descriptor.name, {"d": str(descriptor.dimension)})
                    if isinstance(descriptor, GlobalDescriptor):
                        X = library.vectors.store(str(descriptor.key), descriptor.dimension).rows(ids)
                        line["distance"] = descriptor.distance
                        if name == "corel5k":
                            line[name] = f"{precision(np.asarray(X), photos.classes, descriptor):.4f}"
                        else:
                            mean, deviation = recognition(np.asarray(X), photos.classes, descriptor)
                            line[name] = f"{100 * mean:.1f} +- {100 * deviation:.1f}"
                    elif isinstance(descriptor, LocalDescriptor) and not arguments.no_local:
                        line["distance"] = "mean elementary"
                        score = local_scores(library, descriptor, ids, photos, name == "caltech101")
                        line[name] = f"{score:.4f}" if name == "corel5k" else f"{100 * score:.1f}"
    print(f"\n{'descriptor alone':<26}{'d':>6}  {'distance':<16}{'Corel-5k P@20':>14}{'Caltech-101 1-NN, %':>22}")
    for name, line in lines.items():
        print(
            f"{name:<26}{line['d']:>6}  {line.get('distance', ''):<16}"
            f"{line.get('corel5k', ''):>14}{line.get('caltech101', ''):>22}"
        )


if __name__ == "__main__":
    main()
