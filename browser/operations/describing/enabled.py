# SPDX-License-Identifier: MIT
"""The descriptors of a library and which of them are enabled."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features import any_rotation, plugins, table
from focal_photos.features.base import CodeDescriptor, GlobalDescriptor, LocalDescriptor

AnyDescriptor = GlobalDescriptor | LocalDescriptor | CodeDescriptor


def all_descriptors(library: Library, of_plugins: Collection[str] | None = None) -> dict[str, AnyDescriptor]:
    """Return all descriptors that can be enabled, by name: global, local and code descriptors, networks, plug-ins.

    In a library of photos without an "up", they ignore rotation. Fitted parts are absent; see `ready_descriptors`.

    Parameters
    ----------
    of_plugins : collection of str, optional
        Names of the plug-ins' descriptors to import and include, if they work; default: all.
    """
    every = _as_in_table(library, of_plugins)
    if settings.ANY_ROTATION.get(library):
        return {name: any_rotation.in_any_rotation(one) for name, one in every.items()}
    return every


def both_forms(library: Library, of_plugins: Collection[str]) -> Iterator[AnyDescriptor]:
    """Yield all descriptors, of plug-ins only the named ones, in both forms: as in the table, and ignoring rotation."""
    for one in _as_in_table(library, of_plugins).values():
        yield from dict.fromkeys((one, any_rotation.in_any_rotation(one)))


def _as_in_table(library: Library, of_plugins: Collection[str] | None) -> dict[str, AnyDescriptor]:
    networks = {network.name: network for network in settings.NETWORKS.get(library)}
    own: dict[str, AnyDescriptor] = {**table.DESCRIPTORS, **table.LOCAL_DESCRIPTORS, **table.CODE_DESCRIPTORS}
    if of_plugins is not None:
        of_plugins = [name for name in of_plugins if name not in own and name not in networks]
    more = plugins.plugin_descriptors(of_plugins) if of_plugins is None or of_plugins else {}
    return {**own, **{name: one for name, one in more.items() if name not in networks}, **networks}


def enabled_descriptors(library: Library) -> dict[str, AnyDescriptor]:
    """Return the enabled ones among `all_descriptors`, in the same order.

    Default: `features.table.STANDARD`, `STANDARD_CODES` and all networks. Those of plug-ins are imported only if they
    are enabled; those that are not installed or do not work are left out, see `absent_names`.
    """
    switched = settings.ENABLED.get(library)
    every = all_descriptors(library, switched or ())
    if switched is None:
        switched = (
            *table.STANDARD,
            *table.STANDARD_CODES,
            *(name for name, one in every.items() if one.kind == "network"),
        )
    return {name: one for name, one in every.items() if name in switched}


def enabled_names(library: Library) -> tuple[str, ...]:
    """Return the names of `enabled_descriptors`."""
    return tuple(enabled_descriptors(library))


def absent_names(library: Library) -> tuple[str, ...]:
    """Return the enabled descriptors that are not there: their plug-ins are not installed, or do not work."""
    switched = settings.ENABLED.get(library) or ()
    if all(name in table.DESCRIPTORS for name in switched):
        return ()
    known = all_descriptors(library, switched)
    return tuple(name for name in switched if name not in known)


def set_enabled(library: Library, wanted: Sequence[str] | None) -> None:
    """Enable exactly these descriptors; None: those of a new library.

    Vectors of other descriptors stay until the library is checked, so that enabling them again costs nothing. Enabled
    descriptors of absent plug-ins may stay enabled.

    Raises
    ------
    OperationError
        If there is no such descriptor, or none of them describes whole photos.
    """
    if wanted is not None:
        known = all_descriptors(library)
        absent = [name for name in absent_names(library) if name in wanted]
        for name in wanted:
            if name not in known and name not in absent:
                raise OperationError("There is no descriptor {0!r}; there are {1}.", name, ", ".join(known))
        if not any(isinstance(known.get(name), GlobalDescriptor) for name in wanted):
            raise OperationError("Photos are ranked by descriptors of the whole photo: leave at least one switched on.")
        wanted = [name for name in (*known, *absent) if name in wanted]
    settings.ENABLED.set(library, None if wanted is None else tuple(wanted))


def change_enabled(library: Library, on: Iterable[str] = (), off: Iterable[str] = ()) -> None:
    """Enable descriptors (`on`) and disable others (`off`); see `set_enabled`."""
    disabled = list(off)
    absent = absent_names(library)
    wanted = [name for name in dict.fromkeys([*enabled_names(library), *absent, *on]) if name not in disabled]
    known = {*all_descriptors(library), *absent}
    set_enabled(library, [*wanted, *(name for name in disabled if name not in known)])
