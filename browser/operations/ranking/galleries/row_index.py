# SPDX-License-Identifier: MIT
"""The index of the rows of very large libraries: made in the background, saved and extended with the library."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file, replacing
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery, is_large
from focal_photos.browser.operations.ranking.galleries.neighbors import row_prints
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.progress import ProgressReport, part_of
from focal_photos.learners.galleries.indexed_gallery import IndexedGallery, RowIndex
from focal_photos.learners.galleries.inverted_file import InvertedFile, faiss_installed

STAGE: Final = Text("Making an index of the photos")

_PREFIX: Final = "index-"
_OUTGROWN: Final = 4  # factor of growth after which the centres are learned again
_HEAD: Final = 1 << 26  # bytes at the start of the file that define its layout; damaged lists beyond them do no harm


class _Stored(NamedTuple):
    """The saved facts about the points of an inverted file."""

    ids: NDArray[np.int64]
    prints: NDArray[np.uint64]
    learned: int  # number of photos from which the centres were learned
    head: bytes


def wants_index(library: Library, gallery: MetricGallery) -> bool:
    """Return whether the index of a gallery must be made, or checked for changed photos."""
    searched = gallery.gallery
    if not isinstance(searched, IndexedGallery) or not is_large(library, len(gallery.ids)) or not faiss_installed():
        return False
    return not library.read_only and (searched.index is None or not searched.index.checked)


def why_without_index(library: Library, gallery: MetricGallery) -> str:
    """Return why rankings of a large library compare all photos; empty if an index is used or not needed."""
    if not is_large(library, len(gallery.ids)):
        return ""
    every = f"Rankings compare all {len(gallery.ids):,} photos"
    if not isinstance(gallery.gallery, IndexedGallery):
        return f"{every}: the metric {gallery.loaded.metric.name} cannot use an index."
    if not faiss_installed():
        return f"{every}: an index of them needs the package faiss (in Focal's checkout: pip install '.[index]')."
    if gallery.gallery.index is None:
        return f"{every} until focal index, or the window in the background, builds an index."
    return ""


def attach_stored(library: Library, gallery: MetricGallery) -> None:
    """Let a gallery use the saved index of its rows, if any.

    Edited photos are found by their former descriptors until `find_index` has checked all photos.
    """
    searched = gallery.gallery
    if not isinstance(searched, IndexedGallery) or not is_large(library, len(gallery.ids)) or not faiss_installed():
        return
    stored = _read(library, gallery)
    if stored is not None:
        searched.index = _fitted(gallery, stored[1], stored[0].ids, checked=False)


def find_index(library: Library, gallery: MetricGallery) -> Job[bool]:
    """Make the index of a gallery, or update the saved one.

    Returns
    -------
    bool
        Whether the index is new.
    """
    searched = gallery.gallery
    if not wants_index(library, gallery) or not isinstance(searched, IndexedGallery):
        return False

    def work(report: ProgressReport) -> InvertedFile:
        report(0.001)
        prints = row_prints(gallery.ids, gallery.rows)
        stored = _read(library, gallery, mapped=False)
        report(0.05)
        rest = part_of(report, 0.05, 0.9)
        if stored is None or len(gallery.ids) > _OUTGROWN * stored[0].learned:
            file, learned = InvertedFile.build(gallery.rows, gallery.ids, progress=rest), len(gallery.ids)
        else:
            file, learned = stored[1], stored[0].learned
            if not _grow(file, stored[0], gallery, prints, rest):
                return file
        _write(library, gallery, file, prints, learned)
        return file

    before = searched.index
    file = yield from in_thread(STAGE, work)
    searched.index = _fitted(gallery, file, gallery.ids, checked=True)
    return before is None


def _grow(
    file: InvertedFile, stored: _Stored, gallery: MetricGallery, prints: NDArray[np.uint64], report: ProgressReport
) -> bool:
    """Update the lists with removed, new and changed photos; return whether anything changed."""
    known = np.isin(stored.prints, prints)  # a print identifies the photo and its row
    fresh = np.flatnonzero(~np.isin(prints, stored.prints))
    file.remove(stored.ids[~known])
    if len(fresh):
        file.add(gallery.rows[fresh], gallery.ids[fresh], progress=report)
    return bool(len(fresh)) or not known.all()


def _fitted(gallery: MetricGallery, file: InvertedFile, ids: NDArray[np.int64], *, checked: bool) -> RowIndex:
    """Return the index of a gallery from the inverted file of photos `ids` (m,)."""
    listed = np.zeros(int(max(ids.max(initial=0), gallery.ids.max(initial=0))) + 1, dtype=bool)
    listed[ids] = True
    return RowIndex(file, gallery.row_table, np.flatnonzero(~listed[gallery.ids]), checked)


# ---------------------------------------------------------------------- on disk
def _files(library: Library, key: str) -> tuple[Path, Path]:
    folder = library.path / "derived"
    return folder / f"{_PREFIX}{key}.faiss", folder / f"{_PREFIX}{key}.npz"


def _read(library: Library, gallery: MetricGallery, *, mapped: bool = True) -> tuple[_Stored, InvertedFile] | None:
    """Return the saved index, or None if missing or damaged; it is derived data and is made again."""
    path, facts = _files(library, gallery.loaded.key)
    try:
        with facts.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            stored = _Stored(arrays["ids"], arrays["prints"], int(arrays["learned"]), arrays["head"].tobytes())
        if stored.head != _head(path):
            return None
        file = InvertedFile.read(path, mapped=mapped)
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile, LearnerError):
        return None
    if stored.ids.dtype != np.int64 or stored.prints.dtype != np.uint64:
        return None
    if stored.ids.shape != stored.prints.shape or stored.ids.ndim != 1 or stored.ids.min(initial=0) < 0:
        return None
    if len(file) != len(stored.ids) or file.dimension != gallery.rows.shape[1]:
        return None
    return stored, file


def _write(
    library: Library, gallery: MetricGallery, file: InvertedFile, prints: NDArray[np.uint64], learned: int
) -> None:
    path, facts = _files(library, gallery.loaded.key)
    try:
        facts.unlink(missing_ok=True)  # it describes the former file
        with replacing(path) as part:
            file.write(part)
        head = np.frombuffer(_head(path), dtype=np.uint8)
        with atomic_file(facts) as stream:
            np.savez(stream, ids=gallery.ids, prints=prints, learned=learned, head=head)
    except OSError:
        return  # the disk is full; the index is made again next time
    _drop_others(library)


def _head(path: Path) -> bytes:
    """Return 16 bytes that depend on the size and the beginning of a file."""
    with path.open("rb") as stream:
        digest = hashlib.blake2b(stream.read(_HEAD), digest_size=16)
    digest.update(path.stat().st_size.to_bytes(8, "little"))
    return digest.digest()


def _drop_others(library: Library) -> None:
    """Delete the files of rows that are no longer stored."""
    stored = set(library.vectors.keys())
    for suffix in ("faiss", "npz"):
        for path in (library.path / "derived").glob(f"{_PREFIX}*.{suffix}"):
            if path.stem.removeprefix(_PREFIX) not in stored:
                path.unlink(missing_ok=True)
