# SPDX-License-Identifier: MIT
"""The installed plug-ins: packages with descriptors, learners and file formats for Focal.

A package offers them as entry points, and names the versions of this interface that it was built for::

    [project.entry-points."focal_photos.interface"]
    1 = "my_package"

    [project.entry-points."focal_photos.descriptors"]
    my_descriptor = "my_package.descriptors:MY_DESCRIPTOR"

    [project.entry-points."focal_photos.learners"]
    my-learner = "my_package.learners:MyLearner"

    [project.entry-points."focal_photos.formats"]
    myformat = "my_package.formats:MY_FORMAT"

The name of an entry point is the name of what it offers. The tables of descriptors (`features.plugins`), learners
(`learners.LEARNERS`) and formats (`browser.operations.exchange.formats`) find the entry points, and import a package
when something of it is used. A plug-in that cannot be used has an error, which ``focal plugins`` and the settings show;
everything else works without it. `focal_photos.testing` has the checks that a plug-in should pass.

Imports nothing of Focal, so that every floor can use it.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from importlib import metadata

INTERFACE: Final = 1
"""Version of the interface between Focal and plug-ins; a package must name it in ``focal_photos.interface``."""

LOAD_SECONDS: Final = 20.0
"""Time limit in seconds for importing a plug-in; it is left out after that."""

SLOW_SECONDS: Final = 1.0
"""Time in seconds above which a plug-in is called slow: to import it, or to describe a photo."""

T = TypeVar("T")


class Group(StrEnum):
    """What plug-ins offer; the entry points are in ``focal_photos.GROUP``."""

    DESCRIPTORS = "descriptors"
    LEARNERS = "learners"
    FORMATS = "formats"


class State(StrEnum):
    """State of a plug-in."""

    WAITING = "not loaded"
    """Nothing has used it yet."""
    READY = "ready"
    SLOW = "slow"
    """It works, but takes longer than `SLOW_SECONDS`."""
    OUTDATED = "outdated"
    """It was built for another version of the interface."""
    BROKEN = "broken"
    """It cannot be imported, or offers something else than it should."""


class PluginError(Exception):
    """A plug-in cannot be used; the message states the problem and the remedy.

    Parameters
    ----------
    template : str
        Literal text with fields of `str.format`; the window translates it.
    *arguments : object
        Values of the fields.
    """

    def __init__(self, template: str, *arguments: object) -> None:
        super().__init__(template.format(*arguments) if arguments else template)
        self.template = template
        self.arguments = arguments


class OutdatedError(PluginError):
    """A plug-in was built for another version of the interface."""


class Plugin:
    """One entry point of an installed package. Thread-safe.

    Attributes
    ----------
    group : Group
    name : str
        Name of the descriptor, learner or format.
    package, version : str
        The package that offers it, and its version.
    place : str
        The object, as ``module:name``.
    seconds : float
        Time that importing it took; 0 before.
    """

    def __init__(self, group: Group, entry: metadata.EntryPoint, package: str, version: str) -> None:
        self.group, self.name, self.place = group, entry.name, entry.value
        self.package, self.version = package, version
        self.seconds = 0.0
        self._entry = entry
        self._lock = threading.Lock()
        self._loaded: object = None
        self._error: PluginError | None = None
        self._tried = False

    def __repr__(self) -> str:
        return f"Plugin({self.group}, {self.name!r} of {self.package} {self.version}: {self.state})"

    @property
    def state(self) -> State:
        """Its state, without importing it."""
        if self._error is not None:
            return State.OUTDATED if isinstance(self._error, OutdatedError) else State.BROKEN
        if not self._tried:
            return State.WAITING
        return State.SLOW if self.seconds > SLOW_SECONDS else State.READY

    @property
    def error(self) -> PluginError | None:
        """Why it cannot be used; None if it can, or if nothing has used it yet."""
        return self._error

    def offered(self) -> object:
        """Return the object of the entry point without any check, for `focal_photos.testing`."""
        return self._entry.load()

    def refuse(self, error: PluginError) -> None:
        """Leave it out from now on, for this reason."""
        self._error, self._tried = error, True

    def load(self, check: Callable[[object], T]) -> T:
        """Import it once, and return the descriptor, learner or format.

        Parameters
        ----------
        check : callable
            Takes the object; returns the object to use, or raises `PluginError` if it cannot be used. The same for all
            calls.

        Raises
        ------
        PluginError
            If it cannot be imported, takes longer than `LOAD_SECONDS`, or fails the check.
        """
        with self._lock:
            if not self._tried:
                start = time.perf_counter()
                try:
                    self._loaded = _within(LOAD_SECONDS, lambda: check(self._entry.load()))
                except PluginError as error:
                    self._error = error
                except TimeoutError:
                    self._error = PluginError(
                        "It took longer than {0:g} seconds to load, and was left out: update or remove the package.",
                        LOAD_SECONDS,
                    )
                except BaseException as error:
                    self._error = PluginError(
                        "It cannot be loaded ({0}: {1}): update or remove the package.", type(error).__name__, error
                    )
                self.seconds = time.perf_counter() - start
                self._tried = True
            if self._error is not None:
                raise self._error
            return cast(T, self._loaded)


def installed(group: Group | None = None) -> tuple[Plugin, ...]:
    """Return the plug-ins of all installed packages, of one group or all, without importing any.

    Two of the same name and group: the second is refused. Packages installed meanwhile are found after
    `search_again`.
    """
    every = _search()
    return every if group is None else tuple(one for one in every if one.group is group)


def find(group: Group, name: str) -> Plugin | None:
    """Return the plug-in of a name, or None if no installed package has it."""
    return next((one for one in _search() if one.group is group and one.name == name), None)


def search_again() -> None:
    """Search for packages again at the next use; what was imported stays imported."""
    _search.cache_clear()


def is_foreign(kind: type) -> bool:
    """Return whether a class is defined outside Focal, so that its errors are not faults of Focal."""
    return kind.__module__.partition(".")[0] != __name__.partition(".")[0]


def package_of(kind: type) -> str:
    """Return the top-level module that defines a class, by which errors name its package."""
    return kind.__module__.partition(".")[0]


@functools.cache
def _search() -> tuple[Plugin, ...]:
    from importlib import metadata  # here: it takes longer to load than the tables of what Focal has itself

    every = metadata.entry_points()  # reads the metadata of all packages; once for all groups
    versions: dict[str, set[str]] = {}
    for entry in every.select(group="focal_photos.interface"):
        versions.setdefault(_package(entry)[0], set()).add(entry.name)
    found: list[Plugin] = []
    for group in Group:
        for entry in every.select(group=f"focal_photos.{group}"):
            package, version = _package(entry)
            one = Plugin(group, entry, package, version)
            built_for = versions.get(package, set())
            other = next((each for each in found if each.group is group and each.name == one.name), None)
            if not built_for:
                one.refuse(
                    OutdatedError(
                        "The package does not say for which version of the plug-in interface it was built "
                        "(focal_photos.interface): update it."
                    )
                )
            elif str(INTERFACE) not in built_for:
                one.refuse(
                    OutdatedError(
                        "It was built for version {0} of the plug-in interface, and this Focal has version {1}: "
                        "install matching versions.",
                        ", ".join(sorted(built_for)),
                        INTERFACE,
                    )
                )
            elif other is not None:
                one.refuse(PluginError("The package {0} offers the same name: remove one of the two.", other.package))
            found.append(one)
    # those that can be used come first, so that `find` prefers them
    return tuple(sorted(found, key=lambda one: one.error is not None))


def _package(entry: metadata.EntryPoint) -> tuple[str, str]:
    """Return name and version of the package of an entry point; empty if its metadata are damaged."""
    try:
        if entry.dist is not None:
            return entry.dist.name or "", entry.dist.version or ""
    except Exception:  # damaged metadata of any package must not stop Focal
        pass
    return "", ""


def _within(seconds: float, work: Callable[[], T]) -> T:
    """Return the result of a function in a separate thread, or raise TimeoutError and leave it running."""
    result: dict[str, Any] = {}

    def run() -> None:
        try:
            result["found"] = work()
        except BaseException as error:
            result["error"] = error

    thread = threading.Thread(target=run, name="focal-plugin", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError
    if "error" in result:
        raise result["error"]
    return cast(T, result["found"])
