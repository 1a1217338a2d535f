# SPDX-License-Identifier: MIT
"""Storage of fitted descriptor states: one file per descriptor in ``derived/fitted``, without pickle."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.record_files import file_name
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.store.errors import not_writable
from focal_photos.browser.catalog.store.files.checked_json import read_checked, write_checked
from focal_photos.browser.catalog.store.translation import translated
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.base import FittedState

_FORMAT: Final = 1
_DESCRIPTION: Final = "description"
_CHECKED_NAME: Final = "fitted.json"  # in `derived/`: headers of the files found valid

Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class SavedState:
    """A stored state of a fitted descriptor."""

    key: str
    of: str
    """Key of the unfitted descriptor with complete sources."""
    sampled: int
    """Number of photos in the fitting sample, including undecodable ones."""
    learned: int
    """Time of fitting, in nanoseconds since 1970."""
    state: FittedState


class _StateInFile(FittedState):
    """A state loaded from a valid file on first use: rankings of described photos do not need these megabytes."""

    def __init__(self, path: Path, digest: str) -> None:
        self._path = path
        self.digest = digest

    @cached_property
    def arrays(self) -> dict[str, NDArray[np.generic]]:  # type: ignore[override]
        """The arrays; raises `OperationError` if the file cannot be read any more."""
        saved = _read(self._path)
        if saved is None or saved.state.digest != self.digest:
            raise OperationError("The fitted descriptors are no longer in {0}: run focal index.", self._path)
        return saved.state.arrays

    def __reduce__(self) -> tuple[type[FittedState], tuple[dict[str, NDArray[np.generic]]]]:
        return FittedState, (self.arrays,)


class FittedStates:
    """The fitted states of a library. Damaged files count as missing. Thread-safe.

    Parameters
    ----------
    folder : pathlib.Path
        Created when the first state is stored.
    """

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.folder = folder
        self.read_only = read_only
        self._lock = threading.Lock()
        self._read: dict[tuple[str, int, int], SavedState | None] = {}

    def stamp(self) -> Stamp:
        """Return a value that changes with the files."""
        found = []
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                if entry.name.endswith(".npz"):
                    with suppress(OSError):
                        status = entry.stat()
                        found.append((entry.name, status.st_mtime_ns, status.st_size))
        return tuple(sorted(found))

    def all(self) -> list[SavedState]:
        """Return the readable states, newest first."""
        stamp = self.stamp()
        with self._lock:
            if self._read.keys() != set(stamp):
                seen = {} if self._read.keys() >= set(stamp) else self._seen()
                before, self._read = self._read, {}
                for entry in stamp:
                    if entry in before:
                        self._read[entry] = before[entry]
                    else:
                        self._read[entry] = seen.get(entry) or _read(self.folder / entry[0])
                if any(entry not in before and entry not in seen for entry, one in self._read.items() if one):
                    self._note_seen()
            saved = [state for state in self._read.values() if state is not None]
        return sorted(saved, key=lambda one: (one.learned, one.key), reverse=True)

    def newest(self, of: str) -> SavedState | None:
        """Return the latest state of a descriptor; see `SavedState.of`."""
        return next((saved for saved in self.all() if saved.of == of), None)

    def keep(self, key: str, of: str, sampled: int, state: FittedState, learned: int | None = None) -> None:
        """Write a state atomically.

        Parameters
        ----------
        key, of, sampled, state
            See `SavedState`.
        learned : int, optional
            Time of fitting; default: now. 0 for a state from outside, to which all states fitted in the library are
            preferred.

        Raises
        ------
        LibraryFullError, LibraryReadOnlyError
        """
        if self.read_only:
            raise not_writable(self.folder)
        learned = time.time_ns() if learned is None else learned
        text = json.dumps({"format": _FORMAT, "key": key, "of": of, "sampled": sampled, "learned": learned,
                           "digest": state.digest})  # fmt: skip
        arrays: dict[str, Any] = {f"state.{name}": array for name, array in state.arrays.items()}
        arrays[_DESCRIPTION] = np.frombuffer(text.encode(), dtype=np.uint8)
        target = self.folder / f"{file_name(key)}.npz"
        with translated(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with atomic_file(target) as stream:
                np.savez(stream, allow_pickle=False, **arrays)

    def vacuum(self, keep: Collection[str]) -> list[str]:
        """Delete states whose key is not in `keep`, and damaged or abandoned files; return the file names."""
        names = {f"{file_name(saved.key)}.npz" for saved in self.all() if saved.key in keep}
        gone = []
        with translated(self.folder):
            for path in sorted(self.folder.glob("*")) if self.folder.is_dir() else []:
                if path.name not in names:
                    path.unlink(missing_ok=True)
                    gone.append(path.name)
        return gone

    def _seen(self) -> dict[tuple[str, int, int], SavedState]:
        """Return the headers of the files found valid, by name, time and size, without reading the arrays."""
        found = {}
        with suppress(ValueError, TypeError):  # written by another version
            for name, at, size, key, of, sampled, learned, digest in read_checked(self._seen_path) or ():
                state = _StateInFile(self.folder / str(name), str(digest))
                found[str(name), int(at), int(size)] = SavedState(str(key), str(of), int(sampled), int(learned), state)
        return found

    def _note_seen(self) -> None:
        if self.read_only:
            return
        rows = [
            [*entry, one.key, one.of, one.sampled, one.learned, one.state.digest]
            for entry, one in self._read.items()
            if one is not None
        ]
        with suppress(OSError):
            write_checked(self._seen_path, rows)

    @property
    def _seen_path(self) -> Path:
        return self.folder.parent / _CHECKED_NAME


def _read(path: Path) -> SavedState | None:
    """Return a state after reading all of it and verifying its digest; None if the file is damaged."""
    # Invalid bytes make the readers of zip, npy and JSON fail in many ways.
    with suppress(Exception), path.open("rb") as stream:
        with np.load(stream, allow_pickle=False) as archive:
            arrays: dict[str, NDArray[np.generic]] = {entry: archive[entry] for entry in archive.files}
        text = json.loads(arrays.pop(_DESCRIPTION).tobytes())
        state = FittedState({entry.removeprefix("state."): array for entry, array in arrays.items()})
        if text["format"] == _FORMAT and text["digest"] == state.digest:
            return SavedState(str(text["key"]), str(text["of"]), int(text["sampled"]), int(text["learned"]), state)
    return None
