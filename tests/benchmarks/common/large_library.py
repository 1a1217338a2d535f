# SPDX-License-Identifier: MIT
"""Large libraries with full vectors, made from Corel-5k photos and cached.

Each photo has a file, so scans find no changes and the window can read its pictures. The file is a hard link to one of
5,000 small pictures. For all standard families, its vectors are blends of two photos of the same class with noise.
Numbers of folders, dates, tags, ratings, judgements and suggestions are realistic.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image

from focal_photos.browser.catalog.facts.records import FoundFile, Suggestion, SuggestionState, TagSource, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import fitted_states_of
from focal_photos.browser.operations.describing.families import record_complete
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.galleries.gallery import embedding
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.features.base import Fitted, GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.table import STANDARD
from tests.benchmarks.common.described_photos import CACHE, Described, described
from tests.benchmarks.common.photo_sets import Floats, Ints, ready

_BATCH = 10_000
_FOLDER = 200  # photos per folder
_SIDE = 192  # longer side of the small pictures in pixels
_BLEND, _NOISE = 0.5, 0.1
_SAMPLE = 400  # photos used to fit Fisher vectors, as in `described_photos`
_BYTES = 21_000  # disk space per photo
_ROOM = 20 << 30  # bytes left free on the disk


@dataclass(frozen=True)
class LargeLibrary:
    """A generated library."""

    library: Path
    photos: Path
    """`library` and `photos`: folders of the library and of its photos."""

    def bytes_on_disk(self) -> dict[str, int]:
        """Return the sizes of the parts of the library in bytes."""
        parts = {"catalogue": self.library / "catalog.sqlite"}
        found = {name: path.stat().st_size for name, path in parts.items()}
        for path in sorted((self.library / "derived" / "vectors").iterdir()):
            key = path.name.split("-", 1)[0].split(".", 1)[0]
            found[key] = found.get(key, 0) + path.stat().st_size
        return found


def tagged_photos(count: int) -> int:
    """Return the number of tagged photos for `count` photos: a tenth, at most 5,000, plus 2 % of those over 250,000."""
    return min(count // 10, 5000) + max(0, count - 250_000) // 50


def large_library(count: int) -> LargeLibrary | None:
    """Return a library of `count` photos from the cache, or make it; None, with a message, if that is impossible.

    Do not change this library: use `copied` instead.
    """
    folder = CACHE / f"library-{count}"
    made = LargeLibrary(folder / "library", folder / "photos")
    if folder.exists():
        return made
    if shutil.disk_usage(CACHE).free - count * _BYTES < _ROOM:
        print(f"{count:,} photos: skipped, the disk has no room for {count * _BYTES / 1e9:.0f} GB.")
        return None
    source = described("corel5k", STANDARD)
    if source is None:
        return None
    part = folder.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    (part / "photos").mkdir(parents=True)
    print(f"making a library of {count:,} photos", flush=True)
    _Maker(source, LargeLibrary(part / "library", part / "photos"), count).make()
    # The roots store absolute paths.
    with Library.open(part / "library") as library, library.database.transaction() as connection:
        connection.execute("UPDATE root SET path = ?", (os.fsencode(folder / "photos"),))
    part.rename(folder)
    return made


def copied(made: LargeLibrary, folder: Path) -> LargeLibrary:
    """Return a copy whose catalogue may be changed.

    Vectors of the families, which are only read, are hard links. All other files are copied.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for path in sorted(made.library.rglob("*")):
        target = folder / path.relative_to(made.library)
        if path.is_dir():
            target.mkdir(parents=True)
        elif path.suffix == ".rows":
            os.link(path, target)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
    return LargeLibrary(folder, made.photos)


class _Maker:
    def __init__(self, source: Described, target: LargeLibrary, count: int) -> None:
        self._source, self._target, self._count = source, target, count
        rng = np.random.default_rng(0)
        # Photos of a folder are similar, as on a trip: each folder draws from a few classes.
        classes = source.classes
        order = np.argsort(classes, kind="stable")
        starts = np.searchsorted(classes[order], np.arange(classes.max() + 2))
        of_folder = rng.integers(0, classes.max() + 1, (count // _FOLDER + 1, 4))
        number = np.arange(count)
        chosen = of_folder[number // _FOLDER, rng.integers(0, 4, count)]
        low, high = starts[chosen], starts[chosen + 1]
        self._one: Ints = order[low + rng.integers(0, 1 << 30, count) % (high - low)]
        self._other: Ints = order[low + rng.integers(0, 1 << 30, count) % (high - low)]

    def make(self) -> None:
        with Library.open(self._target.library) as library:
            self._record(library, self._small_pictures())
            ids = np.sort(library.photos.ids())
            self._facts(library, ids)
            self._vectors(library, ids)
            record_complete(library)
            finish(embedding(library, load_metric(library, library.metrics.current())))
            library.database.compact()

    def _small_pictures(self) -> list[Path]:
        folder = self._target.photos.parent / "pictures"
        folder.mkdir()
        found = []
        for number, file in enumerate(self._source.photos.files):
            path = folder / f"{number:05}.jpg"
            with Image.open(file) as image:
                image.thumbnail((_SIDE, _SIDE))
                image.convert("RGB").save(path, quality=80)
            found.append(path)
        return found

    def _record(self, library: Library, pictures: list[Path]) -> None:
        root = library.roots.add(self._target.photos)
        sizes = [path.stat() for path in pictures]
        for block in _blocks(self._count):
            files = []
            for number in block:
                name = f"{2005 + number // _FOLDER % 20}/trip {number // _FOLDER:05}/IMG_{number:07}.jpg"
                path = self._target.photos / name
                path.parent.mkdir(parents=True, exist_ok=True)
                one = int(self._one[number])
                os.link(pictures[one], path)
                digest = hashlib.blake2b(str(number).encode(), digest_size=16).hexdigest()
                files.append(FoundFile(root.id, name.encode(), sizes[one].st_size, sizes[one].st_mtime_ns, digest))
            library.files.record(files)

    def _facts(self, library: Library, ids: Ints) -> None:
        chance = random.Random(0)
        rng = np.random.default_rng(1)
        with library.database.transaction() as connection:
            connection.executemany(
                "UPDATE photo SET width = 6000, height = 4000, taken = ? WHERE id = ?",
                (
                    (
                        f"{2005 + i // _FOLDER % 20}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T12:00:00",
                        i,
                    )
                    for i in ids.tolist()
                ),
            )
            connection.executemany(
                "INSERT INTO mark (photo_id, rating, at) VALUES (?, ?, '2024-01-01T00:00:00.000000')",
                ((i, chance.choice((-1, 1, 2, 3, 4, 5))) for i in ids.tolist() if chance.random() < 0.05),
            )
            connection.executemany(
                "INSERT INTO information (photo_id, content_hash, sidecars, camera, tags) "
                "SELECT id, content_hash, '', ?, '[]' FROM photo WHERE id = ?",
                ((chance.choice(("Canon EOS 5D", "NIKON D90", "Pixel 6")), i) for i in ids.tolist()),
            )
        tagged = np.sort(rng.choice(len(ids), tagged_photos(self._count), replace=False))
        tags = self._source.tags
        assert tags is not None
        for start in range(0, len(tagged), 1000):
            given = {}
            for number in tagged[start : start + 1000].tolist():
                one = int(self._one[number])
                words = [self._source.tag_names[j] for j in tags.indices[tags.indptr[one] : tags.indptr[one + 1]]]
                kind = self._source.photos.names[self._source.classes[one]].replace(",", " ").replace(";", " ")
                given[int(ids[number])] = [*words, f"kind/{kind}"]
            library.tags.give(given, TagSource.HAND)
        untagged = np.delete(np.arange(len(ids)), tagged)
        for focal in rng.choice(len(ids), 30, replace=False).tolist():
            same = self._source.classes[self._one] == self._source.classes[self._one[focal]]
            for verdict, where in ((Verdict.SIMILAR, same), (Verdict.DISSIMILAR, ~same)):
                others = [i for i in rng.choice(np.flatnonzero(where), 5).tolist() if i != focal]
                library.judgements.set(int(ids[focal]), ids[others].tolist(), verdict)
        names = [tag.name for tag in library.tags.all()]
        some = rng.choice(untagged, min(len(untagged), 5000), replace=False)
        supporters = tuple(int(i) for i in ids[tagged[:3]])
        suggested = [
            Suggestion(int(ids[number]), name, 0.5, SuggestionState.OPEN, supporters)
            for number in some.tolist()
            for name in chance.sample(names, 3)
        ]
        library.suggestions.replace_open(suggested, 1)

    def _vectors(self, library: Library, ids: Ints) -> None:
        source = self._source
        sample = np.sort(np.random.default_rng(0).choice(len(source.photos.files), _SAMPLE, replace=False))
        fitted = ready([decode(source.photos.files[i]) for i in sample], STANDARD)
        for name, one in fitted.items():
            assert isinstance(one, GlobalDescriptor)
            if isinstance(one, Fitted):
                bare = replace(one, state=None)  # type: ignore[call-arg]
                fitted_states_of(library).keep(str(one.key), str(bare.key), _SAMPLE, one.fitted_state())
            store = library.vectors.store(str(one.key), one.dimension)
            rng = np.random.default_rng(len(name))
            for block in _blocks(self._count):
                store.append(ids[block.start : block.stop], self._rows(source.vectors[name], block, rng))
            print(f"  {name}", flush=True)

    def _rows(self, known: Floats, block: range, rng: np.random.Generator) -> Floats:
        """Return vectors (n, d): blends of two photos of a class, the second with a weight up to 0.5, plus noise."""
        part = slice(block.start, block.stop)
        # All families use the same weights; otherwise they would describe different photos.
        share = np.random.default_rng(block.start).uniform(0, _BLEND, len(block)).astype(np.float32)[:, None]
        rows = known[self._one[part]] * (1 - share) + known[self._other[part]] * share
        rows *= 1 + np.float32(_NOISE) * rng.standard_normal(rows.shape, np.float32)
        return rows


def _blocks(count: int) -> Iterator[range]:
    for start in range(0, count, _BATCH):
        yield range(start, min(count, start + _BATCH))
