"""Delays imports in background threads while the main thread is busy."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

from focal_photos.browser.tasks.main_thread import MainThreadPriority


class PoliteImports:
    """Import finder that makes background threads wait for the main thread before they execute a module.

    Loading the modules of a package runs Python for 0.05 s, and a concurrent paint would wait for the GIL each time it
    releases it. A waiting thread holds the import locks of its modules. If the main thread needs one of them, it waits
    no longer than `tasks.main_thread.PATIENCE`.

    Parameters
    ----------
    priority : MainThreadPriority
    """

    def __init__(self, priority: MainThreadPriority) -> None:
        self._priority = priority
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
        spec.loader = _PoliteLoader(spec.loader, self._priority)
        return spec

    def close(self) -> None:
        """Stop delaying imports."""
        sys.meta_path.remove(self)


class _PoliteLoader(SourceFileLoader):
    def __init__(self, loader: SourceFileLoader, priority: MainThreadPriority) -> None:
        super().__init__(loader.name, loader.path)
        self._priority: MainThreadPriority | None = priority

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module after waiting for the main thread."""
        priority, self._priority = self._priority, None  # drop the reference, because modules keep their loaders
        if priority is not None:
            priority.wait()
        super().exec_module(module)
