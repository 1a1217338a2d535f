# SPDX-License-Identifier: MIT
"""Flip bits on the disk, in the catalogue, the metrics and derived files: none may remain unnoticed.

``python -m tests.benchmarks.faults.bit_flips [--count 10000] [--seed 0]``: four of five flips are in the catalogue. A
flip is silent if the library's contents change and neither opening it nor `check` reports damage. Every row of the
user's data, and of the photos that these data refer to, is compared.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import numpy as np

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, TagAudit
from focal_photos.browser.catalog.facts.records import (
    Exchanged,
    NamedRegion,
    Region,
    SavedStep,
    Suggestion,
    SuggestionState,
    Verdict,
)
from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.schema import objects
from focal_photos.browser.operations.describing.descriptors import fitted_states_of
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.persistence import PersistenceError, load
from tests.benchmarks.common.shim import fast_folder
from tests.browser.operations.album import Album

OF_THE_PROGRAM: Final = objects.OF_THE_PROGRAM | {"sqlite_stat1", "sqlite_stat4"}
"""Tables without data about photos or by the user."""


def make(folder: Path) -> None:
    """Make a library with rows in every table of the user's data."""
    album = Album(folder.with_name("photos"))
    album.draw_many(12)
    album.draw_many(8, kind="cold")
    (album.folder / "broken.jpg").write_bytes(b"no photo")
    with Library.open(folder) as library:
        library.settings.set("descriptors", ["color_moments", "color_coherence", "color_histogram_50"])
        finish(index(library, [album.folder]))
        ids = library.photos.ids("-failed").tolist()
        for number in range(30):
            library.tags.change(ids[number % 7 : number % 7 + 4], [f"animal/kind {number % 9}", "été"])
            library.judgements.set(ids[number % 5], ids[6 : 8 + number % 4], list(Verdict)[number % 2])
            library.marks.set(ids[number % 11 : number % 11 + 2], rating=number % 5 + 1, label=f"label {number % 3}")
            library.rotations.rotate(ids[number % 6 : number % 6 + 2], number % 3 + 1)
        for number in range(12):
            region, tag = Region(0.1, 0.2, 0.5 + number / 30, 0.9), f"box/{number % 3}"
            library.boxes.add([(ids[number], region, tag), (ids[number + 1], region, None)])
            library.boxes.reject([(ids[number], region, f"kind {number % 2}")])
            library.region_judgements.set(ids[number], region, [(ids[13], region)], list(Verdict)[number % 2])
            share = (ids[number], album.folder / "a.xmp", f"{number:032x}", (tag,), None, None, timestamps.now())
            library.exchange.record([Exchanged(*share, (NamedRegion(tag, region),))], journaled=number % 2 == 0)
        library.regions.set(ids[0], Region(0, 0, 0.5, 0.5))
        library.text_judgements.set("a boat", ids[:2], Verdict.SIMILAR)
        library.judged_relations.set([(ids[0], ids[1], ids[2])], holds=True)
        library.not_duplicates.add(ids[:2])
        library.trails.save("way", [SavedStep(focal=ids[0]), SavedStep(text="sea")])
        library.searches.save("Summer", "tag:été")
        library.confirmations.confirm_tag(ids[0], "été")
        library.confirmations.confirm_judgement(ids[0], ids[6])
        library.vocabulary.add_alias("summer", "été")
        audit = TagAudit("été", "", 9, False, (AuditStratum(0, 9, 0.5),), "0", timestamps.now())
        library.audits.begin([audit], [DrawnPhoto("été", ids[0], 0)])
        library.suggestions.replace_open(
            [Suggestion(photo, "été", 0.5, SuggestionState.OPEN, (ids[0],)) for photo in ids[15:]], 1
        )
        library.suggestions.reject([(ids[16], "été"), (ids[17], "été")])
        finish(train(library, "kernel"))
        for number in range(3):
            library.thumbnails.put(ids[number], b"%d" % number * 500)
        library.journal.undo()
        library.journal.redo()
        library.database.compact()


def rows(path: Path) -> dict[str, Any]:
    """Return all rows of a catalogue, read directly from the tables."""
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        connection.text_factory = bytes
        names = [name.decode() for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: sorted(connection.execute(f"SELECT * FROM {name} NOT INDEXED").fetchall(), key=repr)
            for name in names
            if name not in OF_THE_PROGRAM
        }


def said(library: Library) -> dict[str, Any]:
    """Return the contents of a library as the program reads them, with its own queries and indexes."""
    ids = library.photos.ids().tolist()
    terms = ("tag:été", "untagged", "judged", "failed", "missing")
    return {
        "photos": library.photos.get(ids),
        "queries": [library.photos.ids(text).tolist() for text in terms],
        "tags": library.tags.of(ids),
        "counts": library.tags.all(),
        "judgements": library.judgements.all(),
        "marks": library.marks.of(ids),
        "turns": library.rotations.all(),
        "boxes": library.boxes.all(),
        "rejected boxes": library.boxes.rejected(),
        "judged regions": library.region_judgements.all(),
        "exchanges": library.exchange.of(ids),
        "rejected": sorted(library.suggestions.rejected_pairs()),
        "metrics": library.metrics.all(),
        "current": library.metrics.current(),
        "undo": library.journal.undo_label(),
        "roots": library.roots.all(),
    }


class Flips:
    """Flips bits in copies of a library and counts the outcomes."""

    def __init__(self, library: Path, work: Path) -> None:
        self._library = library
        self._work = work
        self.outcomes: Counter[str] = Counter()
        self.silent: list[str] = []
        self._rows = rows(library / "catalog.sqlite")
        with Library.open(library, read_only=True) as opened:
            self._said = said(opened)
            if opened.database.check():
                raise RuntimeError("the library is not sound to begin with")

    def in_catalogue(self, spot: int, bit: int) -> None:
        """Flip a bit of the catalogue; `spot` is the byte, from 0."""
        shutil.rmtree(self._work, ignore_errors=True)
        self._work.mkdir()
        path = self._work / "catalog.sqlite"
        content = bytearray((self._library / "catalog.sqlite").read_bytes())
        content[spot] ^= 1 << bit
        path.write_bytes(content)
        try:
            with Library.open(self._work, read_only=True) as library:
                told = bool(library.database.check())
                now = None if told else said(library)
        except LibraryError:
            self.outcomes["catalogue: refused at the opening"] += 1
            return
        if told:
            self.outcomes["catalogue: found by check"] += 1
        elif now == self._said and rows(path) == self._rows:
            self.outcomes["catalogue: changed nothing"] += 1
        else:
            self.outcomes["catalogue: SILENT"] += 1
            near = content[max(0, spot - 20) : spot + 20]
            self.silent.append(f"catalogue, byte {spot}, bit {bit}: {bytes(near)!r}")

    def in_file(self, name: str, spot: int, bit: int, look: Callable[[Path], str | None]) -> None:
        """Flip a bit of another file; `look` returns the outcome, or None for a silent change."""
        shutil.rmtree(self._work, ignore_errors=True)
        shutil.copytree(self._library, self._work)
        path = self._work / name
        content = bytearray(path.read_bytes())
        content[spot] ^= 1 << bit
        path.write_bytes(content)
        outcome = look(self._work)
        kind = name.split("/")[-2] if "/" in name else name
        self.outcomes[f"{kind}: {outcome or 'SILENT'}"] += 1
        if outcome is None:
            self.silent.append(f"{name}, byte {spot}, bit {bit}")


def _look_at_vectors(whole: dict[str, Any]) -> Callable[[Path], str | None]:
    def look(folder: Path) -> str | None:
        with Library.open(folder) as library:
            damaged = {key: None if (store := library.vectors.open(key)) is None else store.check() for key in whole}
            found = vectors_of(library)
        for key, expected in whole.items():
            for photo, vector in found.get(key, {}).items():
                if photo not in expected or not np.array_equal(vector, expected[photo], equal_nan=True):
                    return None
        lost = any(len(found.get(key, {})) < len(expected) for key, expected in whole.items())
        return "told or dropped" if lost or any(damaged.values()) else "changed nothing"

    return look


def vectors_of(library: Library) -> dict[str, Any]:
    """Return the vectors of every photo by key of the descriptor."""
    found = {}
    for key in library.vectors.keys():  # noqa: SIM118 - no mapping
        store = library.vectors.open(key)
        if store is not None:
            found[key] = {int(photo): store.rows([photo])[0].copy() for photo in store.ids}
    return found


def _look_at_thumbnails(whole: dict[int, bytes | None]) -> Callable[[Path], str | None]:
    def look(folder: Path) -> str | None:
        with Library.open(folder) as library:
            damaged = library.thumbnails.check()
            found = {photo: library.thumbnails.get(photo) for photo in whole}
        if any(jpeg is not None and jpeg != whole[photo] for photo, jpeg in found.items()):
            return None
        return "told or dropped" if damaged or found != whole else "changed nothing"

    return look


def _look_at_metric(name: str, whole: Any) -> Callable[[Path], str | None]:
    def look(folder: Path) -> str | None:
        try:
            now = _arrays(load(folder / name))
        except PersistenceError:
            return "refused"
        return "changed nothing" if now == whole else None

    return look


def _arrays(parts: dict[str, Any]) -> Any:
    return {name: {key: repr(np.asarray(value, dtype=object).tolist()) for key, value in sorted(vars(part).items())}
            for name, part in parts.items()}  # fmt: skip


def _look_at_fitted(whole: dict[str, str]) -> Callable[[Path], str | None]:
    def look(folder: Path) -> str | None:
        with Library.open(folder) as library:
            found = {kept.key: kept.state.digest for kept in fitted_states_of(library).all()}
        if any(whole.get(key) != digest for key, digest in found.items()):
            return None
        return "changed nothing" if found == whole else "refused"

    return look


def flip(count: int, seed: int, place: Path) -> Flips:
    """Flip `count` bits, four out of five of them in the catalogue."""
    library = place / "library"
    make(library)
    flips, chance = Flips(library, place / "work"), random.Random(seed)
    size = (library / "catalog.sqlite").stat().st_size
    for _ in range(count * 4 // 5):
        flips.in_catalogue(chance.randrange(size), chance.randrange(8))
    with Library.open(library) as opened:
        vectors = vectors_of(opened)
        thumbnails = {photo: opened.thumbnails.get(photo) for photo in opened.photos.ids().tolist()}
        fitted = {kept.key: kept.state.digest for kept in fitted_states_of(opened).all()}
        fitted_folder = fitted_states_of(opened).folder.relative_to(library)
    looks: list[tuple[str, Callable[[Path], str | None]]] = []
    for path in sorted(path for path in library.rglob("*") if path.is_file() and path.stat().st_size):
        name = path.relative_to(library).as_posix()
        if name.startswith("derived/vectors/"):
            looks.append((name, _look_at_vectors(vectors)))
        elif name == "derived/thumbnails.sqlite":
            looks.append((name, _look_at_thumbnails(thumbnails)))
        elif name.startswith("metrics/"):
            looks.append((name, _look_at_metric(name, _arrays(load(path)))))
        elif name.startswith(fitted_folder.as_posix()):
            looks.append((name, _look_at_fitted(fitted)))
    for number in range(count - count * 4 // 5):
        name, look = looks[number % len(looks)]
        flips.in_file(name, chance.randrange((library / name).stat().st_size), chance.randrange(8), look)
    return flips


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=fast_folder()) as name:
        flips = flip(options.count, options.seed, Path(name))
    for outcome, number in sorted(flips.outcomes.items()):
        print(f"{number:7} {outcome}")
    print("\n".join(flips.silent[:20]))
    print(
        f"{options.count} flips of seed {options.seed}: {len(flips.silent)} silent; {time.perf_counter() - begun:.0f} s"
    )
    return 1 if flips.silent else 0


if __name__ == "__main__":
    sys.exit(main())
