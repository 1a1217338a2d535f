# SPDX-License-Identifier: MIT
"""Checks that the files of a catalogue open for writing are as its writer left them."""

from __future__ import annotations

from pathlib import Path

from focal_photos.browser.catalog.store.integrity.commit_count import CommitCount
from focal_photos.browser.catalog.store.integrity.file_identity import FileContents, FileIdentities


class WriterFiles:
    """The catalogue's file, its write-ahead log and the lock, as seen by the writer that holds the lock.

    Detecting a foreign file changes no state: once the original is put back, it is accepted again.
    """

    def __init__(self, path: Path, lock: Path | None, count: CommitCount) -> None:
        self._path = path
        self._log = Path(f"{path}-wal")
        self._count = count
        self._identities = FileIdentities([path, self._log] if lock is None else [path, self._log, lock])
        self._contents = FileContents([path, self._log])

    def replaced(self) -> Path | None:
        """Return the first file that is missing or replaced; None if all are the same."""
        return self._identities.changed()

    def overwritten(self, *, in_transaction: bool = False) -> Path | None:
        """Return the first file that another program has written to; None if there is none.

        Parameters
        ----------
        in_transaction : bool
            If True, ignore the log, because SQLite writes large transactions to it before the commit.
        """
        changed = self._contents.changed()
        if self._path in changed and self._is_foreign():
            return self._path
        return self._log if self._log in changed and not in_transaction else None

    def note(self) -> None:
        """Store the current state of the files as written by the writer.

        A catalogue that the writer cannot have made is not accepted: `overwritten` continues to return it.
        """
        self._contents.note(self._log)
        if self._path in self._contents.changed() and self._is_foreign():
            return
        self._contents.note(self._path)

    def _is_foreign(self) -> bool:
        """Return whether the catalogue's changed file is another one.

        It may only have been touched, or another program may have copied pages from the log into it. If that cannot be
        decided, the size decides: no checkpoint that leaves a part of the log makes the file smaller.
        """
        foreign = self._count.is_foreign()
        return self._contents.has_shrunk(self._path) if foreign is None else foreign
