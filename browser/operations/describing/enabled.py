"""The descriptors of a library and which of them are enabled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features import any_rotation, table
from focal_photos.features.base import CodeDescriptor, GlobalDescriptor, LocalDescriptor

AnyDescriptor = GlobalDescriptor | LocalDescriptor | CodeDescriptor


def all_descriptors(library: Library) -> dict[str, AnyDescriptor]:
    """Return all descriptors that can be enabled, by name: global, local and code descriptors, and networks.

    In a library of photos without an "up", they ignore rotation. Fitted parts are absent; see `ready_descriptors`.
    """
    every = _as_in_table(library)
    if settings.ANY_ROTATION.get(library):
        return {name: any_rotation.in_any_rotation(one) for name, one in every.items()}
    return every


def both_forms(library: Library) -> Iterator[AnyDescriptor]:
    """Yield all descriptors, in both forms: as in the table, and ignoring rotation."""
    for one in _as_in_table(library).values():
        yield from dict.fromkeys((one, any_rotation.in_any_rotation(one)))


def _as_in_table(library: Library) -> dict[str, AnyDescriptor]:
    networks = {network.name: network for network in settings.NETWORKS.get(library)}
    return {**table.DESCRIPTORS, **table.LOCAL_DESCRIPTORS, **table.CODE_DESCRIPTORS, **networks}


def enabled_descriptors(library: Library) -> dict[str, AnyDescriptor]:
    """Return the enabled ones among `all_descriptors`, in the same order.

    Default: `features.table.STANDARD`, `STANDARD_CODES` and all networks.
    """
    every, switched = all_descriptors(library), settings.ENABLED.get(library)
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


def set_enabled(library: Library, wanted: Sequence[str] | None) -> None:
    """Enable exactly these descriptors; None: those of a new library.

    Vectors of other descriptors stay until the library is checked, so that enabling them again costs nothing.

    Raises
    ------
    OperationError
        If there is no such descriptor, or none of them describes whole photos.
    """
    if wanted is not None:
        known = all_descriptors(library)
        for name in wanted:
            if name not in known:
                raise OperationError("There is no descriptor {0!r}; there are {1}.", name, ", ".join(known))
        if all(name in table.LOCAL_DESCRIPTORS or name in table.CODE_DESCRIPTORS for name in wanted):
            raise OperationError("Photos are ranked by descriptors of the whole photo: leave at least one switched on.")
        wanted = [name for name in known if name in wanted]
    settings.ENABLED.set(library, None if wanted is None else tuple(wanted))


def change_enabled(library: Library, on: Iterable[str] = (), off: Iterable[str] = ()) -> None:
    """Enable descriptors (`on`) and disable others (`off`); see `set_enabled`."""
    disabled = list(off)
    wanted = [name for name in dict.fromkeys([*enabled_names(library), *on]) if name not in disabled]
    set_enabled(library, [*wanted, *(name for name in disabled if name not in all_descriptors(library))])
