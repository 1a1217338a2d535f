"""A thread that loads modules while the window has something to show waits for its turn before each."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

from focal_photos.browser.tasks.turn import Turn


class PoliteImports:
    """Finds modules as Python does, before it, but lets other threads than the main one wait before they run one.

    To load the modules of a room is to run Python for a twentieth of a second: a paint beside it would wait for the
    interpreter each time that it gives it up. Who waits holds the locks of the modules that are being loaded; if the
    main thread asks for one of them it is at work, and nobody waits for that longer than `tasks.turn.PATIENCE`.

    Parameters
    ----------
    turn : Turn
    """

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        sys.meta_path.insert(0, self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is; None, so that others are asked, in the main thread and where it is no file."""
        if threading.current_thread() is threading.main_thread():
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or type(spec.loader) is not SourceFileLoader:
            return None
        # Not here: who finds a module holds the lock of all imports.
        spec.loader = _PoliteLoader(spec.loader, self._turn)
        return spec

    def close(self) -> None:
        """Let nobody wait any more."""
        sys.meta_path.remove(self)


class _PoliteLoader(SourceFileLoader):
    def __init__(self, loader: SourceFileLoader, turn: Turn) -> None:
        super().__init__(loader.name, loader.path)
        self._turn: Turn | None = turn

    def exec_module(self, module: ModuleType) -> None:
        """Run the module when it is its turn."""
        turn, self._turn = self._turn, None  # modules keep their loaders
        if turn is not None:
            turn.wait()
        super().exec_module(module)
