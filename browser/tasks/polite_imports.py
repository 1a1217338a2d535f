"""Delays imports in background threads while the main thread is busy."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

from focal_photos.browser.tasks.turn import Turn


class PoliteImports:
    """Import finder that makes background threads wait for the main thread before they execute a module.

    Loading the modules of a package runs Python for 0.05 s, and a concurrent paint would wait for the GIL each time it
    releases it. A waiting thread holds the import locks of its modules. If the main thread needs one of them, it waits
    no longer than `tasks.turn.PATIENCE`.

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
        """Return the spec of a source file; None, for the next finder, in the main thread and for other modules."""
        if threading.current_thread() is threading.main_thread():
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or type(spec.loader) is not SourceFileLoader:
            return None
        # Do not wait here, because finding a module holds the lock of all imports.
        spec.loader = _PoliteLoader(spec.loader, self._turn)
        return spec

    def close(self) -> None:
        """Stop delaying imports."""
        sys.meta_path.remove(self)


class _PoliteLoader(SourceFileLoader):
    def __init__(self, loader: SourceFileLoader, turn: Turn) -> None:
        super().__init__(loader.name, loader.path)
        self._turn: Turn | None = turn

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module after waiting for the main thread."""
        turn, self._turn = self._turn, None  # drop the reference, because modules keep their loaders
        if turn is not None:
            turn.wait()
        super().exec_module(module)
