"""Whether the files of a catalogue that is open for writing are still as its writer left them."""

from __future__ import annotations

from pathlib import Path

from focal_photos.browser.catalog.store.integrity.commit_count import CommitCount
from focal_photos.browser.catalog.store.integrity.file_identity import FileContents, FileIdentities


class WriterFiles:
    """The catalogue's file, its write-ahead log and the lock, by the writer that holds the lock.

    Nothing is remembered of a file that was found to be foreign: once it is put back, it is the writer's own again.

    Parameters
    ----------
    path : pathlib.Path
        The catalogue.
    lock : pathlib.Path or None
        The file that is locked.
    count : CommitCount
        Of the writer.
    """

    def __init__(self, path: Path, lock: Path | None, count: CommitCount) -> None:
        self._path = path
        self._log = Path(f"{path}-wal")
        self._count = count
        self._identities = FileIdentities([path, self._log] if lock is None else [path, self._log, lock])
        self._contents = FileContents([path, self._log])

    def replaced(self) -> Path | None:
        """Return the first file that is gone, or is another one of the same name; None if all are the same."""
        return self._identities.changed()

    def overwritten(self, *, in_transaction: bool = False) -> Path | None:
        """Return the first file that another program has written to; None if there is none.

        Parameters
        ----------
        in_transaction : bool
            Inside a transaction the log is not looked at: SQLite writes a large one to it before the end.
        """
        changed = self._contents.changed()
        if self._path in changed and self._is_foreign():
            return self._path
        return self._log if self._log in changed and not in_transaction else None

    def note(self) -> None:
        """Take the files as they are now for what the writer has just written.

        A catalogue that the writer cannot have made is not taken: `overwritten` goes on to return it.
        """
        self._contents.note(self._log)
        if self._path in self._contents.changed() and self._is_foreign():
            return
        self._contents.note(self._path)

    def _is_foreign(self) -> bool:
        """Tell whether the catalogue's file, which has changed, is another one.

        It may only have been touched, or another program may have copied pages from the log into it. Where it cannot
        be judged, only its size tells: no checkpoint that leaves a part of the log behind makes the file smaller.
        """
        foreign = self._count.is_foreign()
        return self._contents.has_shrunk(self._path) if foreign is None else foreign
