"""A library: one folder with the catalogue (what a person did) and derived data (what can be made again)."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from focal_photos.browser.catalog.arrays.thumbnails import MAX_BYTES, Thumbnails
from focal_photos.browser.catalog.cache import Cache
from focal_photos.browser.catalog.facts.files import Files
from focal_photos.browser.catalog.facts.learning.audits import Audits
from focal_photos.browser.catalog.facts.learning.confirmations import Confirmations
from focal_photos.browser.catalog.facts.learning.judgements import Judgements
from focal_photos.browser.catalog.facts.learning.metrics import Metrics
from focal_photos.browser.catalog.facts.learning.not_duplicates import NotDuplicates
from focal_photos.browser.catalog.facts.learning.regions import Regions
from focal_photos.browser.catalog.facts.learning.text_judgements import TextJudgements
from focal_photos.browser.catalog.facts.marks import Marks
from focal_photos.browser.catalog.facts.metadata.exchange import Exchange
from focal_photos.browser.catalog.facts.metadata.information import InformationStore
from focal_photos.browser.catalog.facts.photos import Photos
from focal_photos.browser.catalog.facts.roots import Roots
from focal_photos.browser.catalog.facts.saved_searches import SavedSearches
from focal_photos.browser.catalog.facts.settings import Settings
from focal_photos.browser.catalog.facts.suggestions import Suggestions
from focal_photos.browser.catalog.facts.tags import Tags
from focal_photos.browser.catalog.facts.trails import Trails
from focal_photos.browser.catalog.facts.turns import Turns
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

if TYPE_CHECKING:  # a command that tags loads no numpy
    from focal_photos.browser.catalog.arrays.codes import Codes
    from focal_photos.browser.catalog.arrays.patches import Patches
    from focal_photos.browser.catalog.arrays.vectors import Vectors
    from focal_photos.browser.catalog.columns.columns import Columns

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


_FRESH = 3600  # seconds
_PRIVATE = 0o700
_NAME = "library.name"
_LONGEST_NAME = 100


class Library:
    """An open library; make one with `Library.open`. Any thread may use it.

    Attributes
    ----------
    path : pathlib.Path
        Its folder: ``catalog.sqlite``, ``backups/``, ``metrics/``, ``derived/``, ``lock``.
    read_only : bool
    warnings : tuple of str
        What a person should know about the place where it lies.
    database, roots, files, photos, information, tags, vocabulary, searches, trails, marks, turns, exchange, judgements,
    confirmations, regions, suggestions, audits, not_duplicates, metrics, journal, settings
        The catalogue.
    vectors, patches, thumbnails
        Derived data.
    cache : Cache
        What operations keep in memory of this library until it is closed.
    """

    def __init__(self, path: Path, database: Database, lock: LibraryLock | None, thumbnail_bytes: int) -> None:
        self.path = path
        self.read_only = database.read_only
        self._lock = lock
        drive = network_drive(path)
        self.warnings: tuple[str, ...] = ()
        if drive is not None:
            self.warnings = (
                f"The library {path} lies on a network drive ({drive}), "
                "where a broken connection can damage it: "
                "keep it on a disk of this computer.",
            )
        self.database = database
        self.settings = Settings(database)
        self.journal = Journal(database)
        self._making = threading.Lock()
        self._vectors: Vectors | None = None
        self._patches: Patches | None = None
        self._codes: Codes | None = None
        self._closed = False
        self.thumbnails = Thumbnails(path / "derived" / "thumbnails.sqlite", thumbnail_bytes, read_only=self.read_only)
        self._columns: Columns | None = None
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
        self.turns = Turns(database, self.journal)
        self.exchange = Exchange(database, self.journal)
        self.judgements = Judgements(database, self.journal)
        self.text_judgements = TextJudgements(database, self.journal)
        self.confirmations = Confirmations(database, self.journal)
        self.regions = Regions(database, self.journal)
        self.suggestions = Suggestions(database, self.journal)
        self.audits = Audits(database, self.journal)
        self.not_duplicates = NotDuplicates(database, self.journal)
        self.metrics = Metrics(database, self.journal, path / "metrics")
        self.cache = Cache()

    @property
    def vectors(self) -> Vectors:
        """The descriptors' vectors and what is worked out of them; made when it is first asked for."""
        from focal_photos.browser.catalog.arrays.vectors import Vectors

        with self._making:
            if self._vectors is None:
                self._vectors = Vectors(self.path / "derived" / "vectors", read_only=self.read_only)
                if self._closed:
                    self._vectors.close()
            return self._vectors

    @property
    def patches(self) -> Patches:
        """The patches of local descriptors; made when they are first asked for."""
        from focal_photos.browser.catalog.arrays.patches import Patches

        with self._making:
            if self._patches is None:
                self._patches = Patches(self.path / "derived" / "patches", read_only=self.read_only)
                if self._closed:
                    self._patches.close()
            return self._patches

    @property
    def codes(self) -> Codes:
        """The codes of photos; made when they are first asked for."""
        from focal_photos.browser.catalog.arrays.codes import Codes

        with self._making:
            if self._codes is None:
                self._codes = Codes(self.path / "derived" / "codes", read_only=self.read_only)
                if self._closed:
                    self._codes.close()
            return self._codes

    @classmethod
    def open(
        cls,
        path: Path | None = None,
        *,
        read_only: bool = False,
        thumbnail_bytes: int = MAX_BYTES,
        patience: Patience | None = None,
    ) -> Library:
        """Open a library; create it if it is not there, unless `read_only`.

        Parameters
        ----------
        path : pathlib.Path or None
            Its folder; None is the user's own library, see `default_path`.
        read_only : bool
            Write nothing, and let another program write meanwhile. Works on a medium that cannot be written.
        thumbnail_bytes : int
            Bound of the thumbnail cache.
        patience : Patience, optional
            How to wait while another program has it open for writing; not at all without one.

        Raises
        ------
        LibraryInUseError
            If another program has it open for writing.
        LibraryTooNewError
            If it was written by a later version.
        LibraryDamagedError
            If the catalogue is damaged, or gone from a library that was in use; the message names the newest
            backup.
        LibraryReadOnlyError
            If nothing can be written there.
        LibraryFullError
            If there is no room to create or update it.
        LibraryError
            If the folder holds no library (`read_only`) or cannot hold one.
        """
        path = absolute(default_path() if path is None else path)
        if path.exists() and not path.is_dir():
            raise LibraryError(f"{path} is a file: choose a folder for the library.")
        note = None if is_replacing(path) else note_of_moved(path)
        if note is not None:  # a new one there would look as if all work were lost
            raise LibraryError(
                f"Your library was moved to {path} and is not there now: connect its drive, or move it back there. "
                f"To begin a new one, delete {note}."
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
            raise LibraryError(f"A restore of the library {path} was interrupted: open it for writing to finish it.")
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
        """What a person calls it; the name of its folder, if nothing."""
        given = self.settings.get(_NAME)
        return given if isinstance(given, str) and given else readable(self.path.name)

    def rename(self, name: str) -> None:
        """Call it something else; an empty name means that of its folder. No step of undo."""
        self.settings.set(_NAME, " ".join(name.split())[:_LONGEST_NAME] or None)

    def close(self) -> None:
        """Close everything and let other programs in; a second time does nothing."""
        self.cache.close()
        self.keep_columns()
        try:
            self.thumbnails.close()
            with self._making:
                self._closed = True
                for arrays in (self._vectors, self._patches, self._codes):
                    if arrays is not None:
                        arrays.close()
            self.database.close()
        finally:
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def keep_columns(self) -> None:
        """Write what is kept of all photos to the disk where that is far behind; closing does it, a kill does not."""
        with self._keeping:
            if self._columns is not None:
                with suppress(LibraryError):
                    self._columns.save()

    def check_columns(self) -> list[str]:
        """Return in words what is kept of all photos and was not as the catalogue says; it is right from then on."""
        return self._all_photos().check()

    def back_up(self, reason: str = "by hand") -> Path:
        """Copy the catalogue and the metrics into ``backups/``, and return the path of the copied catalogue."""
        return self.database.back_up(reason)

    def vacuum(self, keep_vectors: Collection[str]) -> list[str]:
        """Delete derived data that nothing refers to, and give the room back.

        Parameters
        ----------
        keep_vectors : collection of str
            Keys of the vector, patch and code stores that are still needed.

        Returns
        -------
        list of str
            Names of what was deleted: vector, patch and code stores, and files of metrics that no metric and no undone
            one has.
        """
        rooms = self.vectors, self.patches, self.codes
        gone = [key for room in rooms for key in room.vacuum(keep_vectors)]
        with self.database.transaction() as connection:
            kept = {Path(file).stem for file in metric_files(connection)}
        with translated(self.path):
            for path in sorted((self.path / "metrics").iterdir()):
                # A fresh one may be that of a metric that is being trained: it is written before it is entered.
                # The whole lens that a metric was taken from lies beside it under the same name.
                if path.stem not in kept and time.time() - path.stat().st_mtime > _FRESH:
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

    def _all_photos(self) -> Columns:
        """Return what is kept of all photos; a command that asks for none of it loads nothing for it."""
        with self._columns_lock:
            if self._columns is None:
                from focal_photos.browser.catalog.columns.columns import Columns

                self._columns = Columns(self.database, self.path / "derived" / "columns")
            return self._columns

    def forget_derived(self, ids: Sequence[int]) -> None:
        """Drop vectors, patches and thumbnails of photos, which are made again by the next indexing."""
        self.vectors.forget(ids)
        self.patches.forget(ids)
        self.codes.forget(ids)
        self.thumbnails.forget(ids)


def _make_folders(path: Path) -> None:
    """Make the folders of a library that are not there; what a person tagged and judged is for nobody else to read.

    A folder that is made here is the user's alone, and so is the default one, also where an earlier version
    made it. One that a person made elsewhere keeps the permissions that it was given.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=_PRIVATE, exist_ok=True)
    elif path.name == OWN_NAME and path.stat().st_mode & 0o077 and path == absolute(default_path()):
        with suppress(OSError):  # a drive that keeps no permissions: whoever may read it all may read this
            path.chmod(_PRIVATE)
    for folder in (path / "backups", path / "metrics", path / "derived"):
        folder.mkdir(exist_ok=True)
