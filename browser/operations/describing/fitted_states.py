"""What descriptors learned from a library: one file a fitted descriptor in ``derived/fitted``, never a pickle."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.record_files import file_name
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.store.errors import not_writable
from focal_photos.browser.catalog.store.translation import translated
from focal_photos.features.base import FittedState

_FORMAT: Final = 1
_DESCRIPTION: Final = "description"

Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class KeptState:
    """A state that was learned.

    Attributes
    ----------
    key : str
        Of the fitted descriptor.
    of : str
        Key of the descriptor before, with the sources that it learned from in place.
    sampled : int
        Photos that it was to be learned from; those of them that cannot be decoded are counted too.
    learned : int
        When, in nanoseconds since 1970.
    state : FittedState
    """

    key: str
    of: str
    sampled: int
    learned: int
    state: FittedState


class FittedStates:
    """The fitted states of a library. A file that is damaged counts as not there. Any thread may call.

    Parameters
    ----------
    folder : pathlib.Path
        Created when the first state is kept.
    read_only : bool
    """

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.folder = folder
        self.read_only = read_only
        self._lock = threading.Lock()
        self._read: dict[tuple[str, int, int], KeptState | None] = {}

    def stamp(self) -> Stamp:
        """Return a value that changes when the files do."""
        found = []
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                if entry.name.endswith(".npz"):
                    with suppress(OSError):
                        status = entry.stat()
                        found.append((entry.name, status.st_mtime_ns, status.st_size))
        return tuple(sorted(found))

    def all(self) -> list[KeptState]:
        """Return what can be read, the newest first."""
        stamp = self.stamp()
        with self._lock:
            self._read = {entry: self._read[entry] if entry in self._read else self._load(entry[0]) for entry in stamp}
            kept = [state for state in self._read.values() if state is not None]
        return sorted(kept, key=lambda one: (one.learned, one.key), reverse=True)

    def newest(self, of: str) -> KeptState | None:
        """Return the state that was learned last for a descriptor; see `Kept.of`."""
        return next((kept for kept in self.all() if kept.of == of), None)

    def keep(self, key: str, of: str, sampled: int, state: FittedState, learned: int | None = None) -> None:
        """Write a state; the file is complete or not there.

        Parameters
        ----------
        key, of, sampled, state
            See `KeptState`.
        learned : int, optional
            Now, if not given; 0 for one that comes from elsewhere, before which everything counts that the library
            itself has learned.

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
        """Delete the states whose key is not in `keep`, and what is damaged or was left behind; return their names."""
        names = {f"{file_name(kept.key)}.npz" for kept in self.all() if kept.key in keep}
        gone = []
        with translated(self.folder):
            for path in sorted(self.folder.glob("*")) if self.folder.is_dir() else []:
                if path.name not in names:
                    path.unlink(missing_ok=True)
                    gone.append(path.name)
        return gone

    def _load(self, name: str) -> KeptState | None:
        # Bytes that are not what they claim to be make the readers of zip, npy and JSON fail in many ways.
        with suppress(Exception), (self.folder / name).open("rb") as stream:
            with np.load(stream, allow_pickle=False) as archive:
                arrays: dict[str, NDArray[np.generic]] = {entry: archive[entry] for entry in archive.files}
            text = json.loads(arrays.pop(_DESCRIPTION).tobytes())
            state = FittedState({entry.removeprefix("state."): array for entry, array in arrays.items()})
            if text["format"] == _FORMAT and text["digest"] == state.digest:
                return KeptState(str(text["key"]), str(text["of"]), int(text["sampled"]), int(text["learned"]), state)
        return None
