# SPDX-License-Identifier: MIT
"""A library: one folder with the catalogue (the user's work) and derived data (reproducible)."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from focal_photos.browser.catalog.arrays import codes, patches, vectors
from focal_photos.browser.catalog.arrays.thumbnails import MAX_BYTES, Thumbnails
from focal_photos.browser.catalog.cache import Cache
from focal_photos.browser.catalog.columns import columns
from focal_photos.browser.catalog.facts.files import Files
from focal_photos.browser.catalog.facts.learning.audits import Audits
from focal_photos.browser.catalog.facts.learning.boxes import Boxes
from focal_photos.browser.catalog.facts.learning.confirmations import Confirmations
from focal_photos.browser.catalog.facts.learning.judged_relations import JudgedRelations
from focal_photos.browser.catalog.facts.learning.judgements import Judgements
from focal_photos.browser.catalog.facts.learning.metrics import Metrics
from focal_photos.browser.catalog.facts.learning.not_duplicates import NotDuplicates
from focal_photos.browser.catalog.facts.learning.region_judgements import RegionJudgements
from focal_photos.browser.catalog.facts.learning.regions import Regions
from focal_photos.browser.catalog.facts.learning.text_judgements import TextJudgements
from focal_photos.browser.catalog.facts.marks import Marks
from focal_photos.browser.catalog.facts.metadata.exchange import Exchange
from focal_photos.browser.catalog.facts.metadata.information import InformationStore
from focal_photos.browser.catalog.facts.photos import Photos
from focal_photos.browser.catalog.facts.roots import Roots
from focal_photos.browser.catalog.facts.rotations import Rotations
from focal_photos.browser.catalog.facts.saved_searches import SavedSearches
from focal_photos.browser.catalog.facts.settings import Settings
from focal_photos.browser.catalog.facts.suggestions import Suggestions
from focal_photos.browser.catalog.facts.tags import Tags
from focal_photos.browser.catalog.facts.trails import Trails
from focal_photos.browser.catalog.facts.vocabulary import Vocabulary
from focal_photos.browser.catalog.store.backups import metric_files
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import (
    LibraryDamagedError,
    LibraryError,
    LibraryFullError,
    LibraryInUseError,
    LibraryReadOnlyError,
    LibraryReplacedError,
    LibraryTooNewError,
    UndoError,
    UnknownPhotoError,
)
from focal_photos.browser.catalog.store.files.scratch import remove_abandoned
from focal_photos.browser.catalog.store.journal import Journal
from focal_photos.browser.catalog.store.location import (
    OWN_NAME,
    absolute,
    default_path,
    network_drive,
    note_of_moved,
    readable,
)
from focal_photos.browser.catalog.store.lock import LibraryLock, Patience
from focal_photos.browser.catalog.store.rescue.restore import finish_replacing, is_replacing
from focal_photos.browser.catalog.store.translation import translated

__all__ = [
    "Library",
    "LibraryDamagedError",
    "LibraryError",
    "LibraryFullError",
    "LibraryInUseError",
    "LibraryReadOnlyError",
    "LibraryReplacedError",
    "LibraryTooNewError",
    "UndoError",
    "UnknownPhotoError",
    "default_path",
]


if TYPE_CHECKING:
    from focal_photos.browser.catalog.arrays.store_folder import StoreFolder

FolderT = TypeVar("FolderT", bound="StoreFolder[Any]")

_FRESH_SECONDS = 3600  # seconds
_PRIVATE = 0o700
_NAME = "library.name"
_LONGEST_NAME = 100


class Library:
    """An open library, created by `Library.open`. Thread-safe.

    Attributes
    ----------
    database, roots, files, photos, information, tags, vocabulary, searches, trails, marks, rotations, exchange,
    judgements, judged_relations, text_judgements, region_judgements, confirmations, regions, boxes, suggestions,
    audits, not_duplicates, metrics, journal, settings
        The catalogue.
    vectors, patches, thumbnails
        Derived data.
    """

    def __init__(self, path: Path, database: Database, lock: LibraryLock | None, thumbnail_bytes: int) -> None:
        self.path = path
        """Its folder, with ``catalog.sqlite``, ``backups/``, ``metrics/``, ``derived/`` and ``lock``."""
        self.read_only = database.read_only
        self._lock = lock
        drive = network_drive(path)
        self.warnings: tuple[str, ...] = ()
        """Warnings for the user about the library's location."""
        if drive is not None:
            self.warnings = (
                f"The library {path} is on a network drive ({drive}), where a lost connection can damage it: "
                "keep it on a disk of this computer.",
            )
        self.database = database
        self.settings = Settings(database)
        self.journal = Journal(database)
        self._making = threading.Lock()
        self._arrays: dict[type, StoreFolder[Any]] = {}
        self._closed = False
        self.thumbnails = Thumbnails(path / "derived" / "thumbnails.sqlite", thumbnail_bytes, read_only=self.read_only)
        self._columns: columns.Columns | None = None
        self._columns_lock = threading.Lock()
        self._keeping = threading.Lock()
        self.roots = Roots(database, self.journal, self._all_photos)
        self.files = Files(database, self.forget_derived)
        self.photos = Photos(database, self.roots, self.journal, self._all_photos)
        self.information = InformationStore(database)
        self.tags = Tags(database, self.journal, self._all_photos)
        self.vocabulary = Vocabulary(database, self.journal)
        self.searches = SavedSearches(database, self.journal)
        self.trails = Trails(database, self.journal)
        self.marks = Marks(database, self.journal)
        self.rotations = Rotations(database, self.journal)
        self.exchange = Exchange(database, self.journal)
        self.judgements = Judgements(database, self.journal)
        self.judged_relations = JudgedRelations(database, self.journal)
        self.text_judgements = TextJudgements(database, self.journal)
        self.region_judgements = RegionJudgements(database, self.journal)
        self.confirmations = Confirmations(database, self.journal)
        self.regions = Regions(database, self.journal)
        self.boxes = Boxes(database, self.journal, self.tags)
        self.suggestions = Suggestions(database, self.journal)
        self.audits = Audits(database, self.journal)
        self.not_duplicates = NotDuplicates(database, self.journal)
        self.metrics = Metrics(database, self.journal, path / "metrics")
        self.cache = Cache()
        """In-memory cache of operations, cleared when the library is closed."""

    @property
    def vectors(self) -> vectors.Vectors:
        """Vectors of the descriptors; created at first access."""
        return self._made(vectors.Vectors)

    @property
    def patches(self) -> patches.Patches:
        """Patches of local descriptors; created at first access."""
        return self._made(patches.Patches)

    @property
    def codes(self) -> codes.Codes:
        """Codes of photos; created at first access."""
        return self._made(codes.Codes)

    def _made(self, kind: type[FolderT]) -> FolderT:
        """Return the stores of one kind, in a folder of its name."""
        with self._making:
            made = self._arrays.get(kind)
            if made is None:
                name = kind.__name__.lower()
                made = self._arrays[kind] = kind(self.path / "derived" / name, read_only=self.read_only)
                if self._closed:
                    made.close()
            assert isinstance(made, kind)
            return made

    @classmethod
    def open(
        cls,
        path: Path | None = None,
        *,
        read_only: bool = False,
        thumbnail_bytes: int = MAX_BYTES,
        patience: Patience | None = None,
    ) -> Library:
        """Open a library; create it if it does not exist, unless `read_only`.

        Parameters
        ----------
        path : pathlib.Path or None
            Its folder; None: the user's own library, see `default_path`.
        read_only : bool
            Write nothing, and let another program write meanwhile. Works on read-only media.
        patience : Patience, optional
            How to wait while another program has it open for writing; None: do not wait.

        Raises
        ------
        LibraryInUseError
            If another program has it open for writing.
        LibraryTooNewError
            If it was written by a later version.
        LibraryDamagedError
            If the catalogue is damaged, or missing from a library that was in use; the message names the newest
            backup.
        LibraryReadOnlyError
            If the folder is not writable.
        LibraryFullError
            If the disk is too full to create or update it.
        LibraryError
            If the folder holds no library (`read_only`) or cannot hold one.
        """
        path = absolute(default_path() if path is None else path)
        if path.exists() and not path.is_dir():
            raise LibraryError("{0} is a file: choose a folder for the library.", path)
        note = None if is_replacing(path) else note_of_moved(path)
        if note is not None:  # with a new library there, all work would seem lost
            raise LibraryError(
                "Your library was moved to {0} but is not there: connect its drive, or move the library "
                "back there. To start a new library, delete {1}.",
                path,
                note,
            )
        lock = None
        if not read_only:
            with translated(path):
                _make_folders(path)
            lock = LibraryLock(path, patience)
            remove_abandoned()
            with translated(path):
                finish_replacing(path)
        elif is_replacing(path):
            raise LibraryError("A restore of the library {0} was interrupted: open it for writing to finish it.", path)
        database = None
        try:
            database = Database(path / "catalog.sqlite", read_only=read_only, lock=None if lock is None else lock.path)
            return cls(path, database, lock, thumbnail_bytes)
        except BaseException:
            if database is not None:
                database.close()
            if lock is not None:
                lock.release()
            raise

    @property
    def name(self) -> str:
        """Name given by the user; default: the name of its folder."""
        given = self.settings.get(_NAME)
        return given if isinstance(given, str) and given else readable(self.path.name)

    def rename(self, name: str) -> None:
        """Rename the library; an empty name stands for that of its folder. Not undoable."""
        self.settings.set(_NAME, " ".join(name.split())[:_LONGEST_NAME] or None)

    def close(self) -> None:
        """Close the library and release its lock; safe to call repeatedly."""
        self.cache.close()
        self.keep_columns()
        try:
            self.thumbnails.close()
            with self._making:
                self._closed = True
                for arrays in self._arrays.values():
                    arrays.close()
            self.database.close()
        finally:
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def keep_columns(self) -> None:
        """Save the columns that have changed much. Called by `close`; a killed process does not do it."""
        with self._keeping:
            if self._columns is not None:
                with suppress(LibraryError):
                    self._columns.save()

    def check_columns(self) -> list[str]:
        """Return an error text for each column that differed from the catalogue, and correct the column."""
        return self._all_photos().check()

    def back_up(self, reason: str = "by hand") -> Path:
        """Copy the catalogue and the metrics to ``backups/``, and return the path of the copied catalogue."""
        return self.database.back_up(reason)

    def vacuum(self, keep_vectors: Collection[str]) -> list[str]:
        """Delete unreferenced derived data and release its space.

        Parameters
        ----------
        keep_vectors : collection of str
            Keys of the vector, patch and code stores that are still needed.

        Returns
        -------
        list of str
            Names of the deleted vector, patch and code stores, and of the deleted metric files, to which neither a
            metric nor an undone metric refers.
        """
        rooms = self.vectors, self.patches, self.codes
        gone = [key for room in rooms for key in room.vacuum(keep_vectors)]
        with self.database.transaction() as connection:
            used = {Path(file).stem for file in metric_files(connection)}
        with translated(self.path):
            for path in sorted((self.path / "metrics").iterdir()):
                # A recent file may belong to a metric in training, which is written before its row. The lens that a
                # metric was imported from is stored beside it under the same name.
                if path.stem not in used and time.time() - path.stat().st_mtime > _FRESH_SECONDS:
                    path.unlink()
                    gone.append(path.name)
        self.database.compact()
        return gone

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _all_photos(self) -> columns.Columns:
        """Return the columns of all photos; loaded only by commands that need them."""
        with self._columns_lock:
            if self._columns is None:
                self._columns = columns.Columns(self.database, self.path / "derived" / "columns")
            return self._columns

    def forget_derived(self, ids: Sequence[int]) -> None:
        """Delete vectors, patches, codes and thumbnails of photos; the next indexing computes them again."""
        self.vectors.forget(ids)
        self.patches.forget(ids)
        self.codes.forget(ids)
        self.thumbnails.forget(ids)


def _make_folders(path: Path) -> None:
    """Create the missing folders of a library, readable by the user alone.

    The default folder is made private even if an earlier version created it otherwise. A folder that the user created
    elsewhere retains its permissions.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=_PRIVATE, exist_ok=True)
    elif path.name == OWN_NAME and path.stat().st_mode & 0o077 and path == absolute(default_path()):
        with suppress(OSError):  # a drive without permissions: whoever can read the drive may read this
            path.chmod(_PRIVATE)
    for folder in (path / "backups", path / "metrics", path / "derived"):
        folder.mkdir(exist_ok=True)
