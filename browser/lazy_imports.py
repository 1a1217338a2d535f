# SPDX-License-Identifier: MIT
"""Imports of modules that are executed on first use.

A start of the program imports far more modules than it uses. After `install`, ``import numpy as np`` and ``from
focal_photos.browser.operations.training import train`` only declare the modules of the list below. A declared module is
executed when one of its attributes is first accessed (``train.train_for_gain``); ``from module import name`` does so at
once. Where nobody calls `install`, as in programs that import the learners, all imports are ordinary ones.

The entry of the program that needs these modules installs it: the command line, the window, worker processes
(`browser.environment`). It is Python's `importlib.util.LazyLoader` with three additions: it is safe with threads (that
of Python 3.11 shows a module that another thread is executing), it does not search for the file of a module before that
is used, and threads in the background let the main thread go first.
"""

from __future__ import annotations

import importlib._bootstrap
import os
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any, Final

ROOMS: Final = (
    "focal_photos.browser.catalog.arrays",
    "focal_photos.browser.catalog.columns",
    "focal_photos.browser.catalog.facts.query",
    "focal_photos.browser.operations",
    "focal_photos.browser.views.dialogs",
    "focal_photos.browser.views.help",
    "focal_photos.browser.views.metrics",
    "focal_photos.browser.views.settings",
    "focal_photos.features",
    "focal_photos.learners",
)
"""Rooms of which a start uses few modules. The packages in them contain only modules."""

MODULES: Final = frozenset(
    {
        # Commands on metadata do without them.
        *("concurrent.futures", "dataclasses", "hashlib", "numpy", "platform", "platformdirs", "shutil", "tempfile"),
        # Each takes as long as numpy, and few commands use them.
        *("cv2", "pywt", "scipy"),
        # `urllib.parse` imports it for addresses in brackets, which Focal never parses.
        "ipaddress",
        # Texts of the general help, of faults and of versions.
        *("importlib.metadata", "textwrap", "traceback"),
        # The general help loads all commands, but not the catalogue.
        *("focal_photos.browser.catalog.library", "focal_photos.browser.catalog.store.location"),
        *(f"focal_photos.browser.catalog.facts.{name}" for name in ("marks", "records", "tags")),
        *(f"focal_photos.browser.cli.commands.ranking.{name}" for name in ("caltech101", "curves")),
        "focal_photos.learners",
        # Needed if a window has the library open.
        "focal_photos.browser.cli.window",
        # Needed without a display.
        *("focal_photos.browser.walkthrough.steps", "focal_photos.resources.demo_album"),
    }
)
"""Other modules."""

_WITHOUT_EXECUTION: Final = frozenset(
    {"__class__", "__name__", "__spec__", "__loader__", "__package__", "__warningregistry__"}
)
"""Attributes that the import system and searches of all modules access."""

_bootstrap: Final[Any] = importlib._bootstrap  # its locks recognise threads that wait for each other

_executing: Final[dict[str, int]] = {}
"""Names of the modules that are being executed, and the threads that do so."""
_permissions: Final[list[Callable[[], None]]] = []


def install() -> None:
    """Make the modules of the list lazy in this process, from now on."""
    if not any(type(finder) is LazyFinder for finder in sys.meta_path):
        sys.meta_path.insert(0, LazyFinder(MODULES, ROOMS))


def is_executed(module: ModuleType) -> bool:
    """Tell whether a module is executed, by this mechanism or as an ordinary import."""
    return type(module) is not _LazyModule


def execute(module: ModuleType) -> None:
    """Execute a module that is only declared; wait if another thread is executing it."""
    if type(module) is not _LazyModule:
        return
    name = module.__name__
    if _executing.get(name) == threading.get_ident():
        return
    try:
        with _bootstrap._ModuleLockManager(name):  # the lock that an import of it takes
            if type(module) is _LazyModule and name not in _executing:
                _execute(module, name)
    except _bootstrap._DeadlockError:
        pass  # two threads execute modules that need each other: as with imports, one sees an incomplete module


def ask_before_executing(permission: Callable[[], None]) -> Callable[[], None]:
    """Make background threads call a function before they execute a module; return a function that ends this.

    Executing the modules of a package takes 0.05 s. A paint in the main thread would wait for the interpreter each time
    it releases it.
    """
    _permissions.append(permission)
    return lambda: _permissions.remove(permission)


class LazyFinder:
    """Import finder and loader of lazy modules.

    Parameters
    ----------
    rooms : sequence of str, optional
        Names of packages all of whose modules are lazy, and whose packages have no code.
    """

    def __init__(self, modules: Collection[str], rooms: Sequence[str] = ()) -> None:
        self._modules = modules
        self._rooms = tuple(f"{room}." for room in rooms)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a lazy module, or of one that a background thread executes; else None."""
        if name not in _executing:
            if name in self._modules:
                return ModuleSpec(name, self)  # type: ignore[arg-type]  # a loader by its methods
            if path and name.startswith(self._rooms):
                folder = f"{path[0]}/{name.rpartition('.')[2]}"
                is_room = os.path.isdir(folder)  # noqa: PTH112 - called often; needs no pathlib
                spec = ModuleSpec(name, None if is_room else self, is_package=is_room)  # type: ignore[arg-type]
                if is_room:
                    spec.submodule_search_locations = [folder]  # and no code
                return spec
        if not _permissions or threading.current_thread() is threading.main_thread():
            return None
        found = PathFinder.find_spec(name, path)
        if found is not None and type(found.loader) is SourceFileLoader:
            # Do not ask here, because finding a module holds the lock of all imports.
            found.loader = _AskingLoader(found.loader.name, found.loader.path)
        return found

    def create_module(self, _spec: ModuleSpec) -> None:
        """Let Python create an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Declare the module."""
        module.__class__ = _LazyModule


class _LazyModule(ModuleType):
    """A module that is declared, or being executed."""

    # Not super(): another thread may have finished the module, which then is an ordinary one.

    def __getattribute__(self, name: str) -> Any:
        if name == "__file__" and self.__name__ not in _executing:  # `inspect` asks all modules for it
            return _find(self.__name__).origin
        if name not in _WITHOUT_EXECUTION:
            execute(self)
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _WITHOUT_EXECUTION:
            execute(self)
        ModuleType.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        execute(self)
        ModuleType.__delattr__(self, name)


class _AskingLoader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        """Execute the module after waiting for the main thread."""
        _ask()
        super().exec_module(module)


def _ask() -> None:
    if _permissions and threading.current_thread() is not threading.main_thread():
        for permission in tuple(_permissions):
            permission()


def _find(name: str) -> ModuleSpec:
    """Return the spec of a lazy module by the other finders."""
    parent = name.rpartition(".")[0]
    path = sys.modules[parent].__path__ if parent else None
    with _bootstrap._ImportLockContext():
        for finder in sys.meta_path:
            spec = None if type(finder) is LazyFinder else finder.find_spec(name, path)
            if spec is not None:
                return spec
    raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _execute(module: ModuleType, name: str) -> None:
    content: dict[str, Any] = ModuleType.__getattribute__(module, "__dict__")
    declared = dict(content)
    _executing[name] = threading.get_ident()
    try:
        spec = _find(name)
        assert spec.loader is not None
        _bootstrap._init_module_attrs(spec, module, override=True)
        _ask()
        spec.loader.exec_module(module)
    except BaseException:
        content.clear()
        content.update(declared)  # so that the next access tries again
        raise
    finally:
        del _executing[name]
    ModuleType.__setattr__(module, "__class__", ModuleType)
