# SPDX-License-Identifier: MIT
"""The enabled descriptors of a library in fitted form, and the plan for describing photos."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

from focal_photos.browser.catalog.arrays.vectors import Vectors, VectorStore
from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import network_entries, settings
from focal_photos.browser.operations.describing.display import display_of
from focal_photos.browser.operations.describing.enabled import (
    AnyDescriptor,
    all_descriptors,
    both_forms,
    enabled_descriptors,
    enabled_names,
)
from focal_photos.browser.operations.describing.fitted_states import FittedStates, SavedState
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features import description, plugins, table
from focal_photos.features.base import CodeDescriptor, Descriptor, Fitted, GlobalDescriptor, LocalDescriptor
from focal_photos.features.decoding.limits import DecodeLimits

if TYPE_CHECKING:
    from focal_photos.browser.catalog.arrays.codes import Codes
    from focal_photos.browser.catalog.arrays.patches import Patches
    from focal_photos.browser.catalog.arrays.vectors import Vectors

_STATES: Final = CacheEntry[FittedStates]("what descriptors learned")
_READY: Final = CacheEntry[tuple[AnyDescriptor, ...]]("descriptors that are ready")


def fitted_states_of(library: Library) -> FittedStates:
    """Return the store of the library's fitted descriptor states."""
    folder = library.path / "derived" / "fitted"
    return library.cache.once(_STATES, None, lambda: FittedStates(folder, read_only=library.read_only))


def ready_descriptors(library: Library) -> tuple[AnyDescriptor, ...]:
    """Return the enabled descriptors that are ready: without a fitted part, or fitted."""
    enabled = list(enabled_descriptors(library).values())
    stamp = (enabled, fitted_states_of(library).stamp())

    def find() -> tuple[AnyDescriptor, ...]:
        found = (complete(library, one) for one in enabled)
        return tuple(descriptor for descriptor in found if descriptor is not None)

    return library.cache.once(_READY, stamp, find)


def complete(library: Library, bare: AnyDescriptor) -> AnyDescriptor | None:
    """Return a descriptor of the table with all its parts fitted to this library; None if any is not fitted."""
    whole = with_sources(library, bare)
    if whole is None or not isinstance(whole, Fitted):
        return whole
    saved = fitted_states_of(library).newest(str(whole.key))
    return None if saved is None else _restored(whole, saved)


def with_sources(library: Library, bare: AnyDescriptor) -> AnyDescriptor | None:
    """Return a descriptor with complete sources, though possibly unfitted itself; None if a source is incomplete."""
    changes = {}
    for name, part in sources_of(bare).items():
        whole = complete(library, part)
        if whole is None:
            return None
        changes[name] = whole
    return dataclasses.replace(bare, **changes) if changes else bare


def sources_of(descriptor: Descriptor) -> dict[str, AnyDescriptor]:
    """Return the descriptors from which a descriptor is computed, by parameter name."""
    values = {one.name: getattr(descriptor, one.name) for one in dataclasses.fields(descriptor)}
    return {name: value for name, value in values.items() if isinstance(value, AnyDescriptor)}


def _restored(bare: AnyDescriptor, saved: SavedState) -> AnyDescriptor | None:
    """Return a fitted descriptor; None if its key shows that the state belongs to other code."""
    assert isinstance(bare, Fitted)
    made: AnyDescriptor = bare.with_state(saved.state)
    return made if str(made.key) == saved.key else None


def _variants(library: Library, bare: AnyDescriptor, saved: Sequence[SavedState]) -> Iterator[AnyDescriptor]:
    """Yield all fitted versions of a descriptor, newest first."""
    inside = sources_of(bare)
    for combination in product(*(list(_variants(library, part, saved)) for part in inside.values())):
        whole = dataclasses.replace(bare, **dict(zip(inside, combination, strict=True))) if inside else bare
        if not isinstance(whole, Fitted):
            yield whole
            continue
        key = str(whole.key)
        yield from (made for one in saved if one.of == key and (made := _restored(whole, one)) is not None)


def global_by_keys(library: Library, keys: Iterable[str]) -> dict[str, GlobalDescriptor]:
    """Return the global descriptors with these keys that can still be made, enabled or not."""
    found = _by_keys(library, dict.fromkeys(keys))
    return {key: one for key, one in found.items() if isinstance(one, GlobalDescriptor)}


def local_by_keys(library: Library, keys: Iterable[str]) -> dict[str, LocalDescriptor]:
    """Return the local descriptors with these keys; see `global_by_keys`."""
    found = _by_keys(library, dict.fromkeys(keys))
    return {key: one for key, one in found.items() if isinstance(one, LocalDescriptor)}


def _by_keys(library: Library, wanted: dict[str, None]) -> dict[str, AnyDescriptor]:
    """Return the descriptors with these keys: the ready ones, else those made from any saved state or rotation."""
    found = {str(one.key): one for one in ready_descriptors(library)}
    if not wanted.keys() <= found.keys():
        saved = fitted_states_of(library).all()
        named = {name_of(key) for key in wanted}
        for bare in both_forms(library, named):
            if bare.name in named:
                for made in _variants(library, bare, saved):
                    found.setdefault(str(made.key), made)
    return {key: found[key] for key in wanted if key in found}


def room_of(library: Library, descriptor: AnyDescriptor) -> Vectors | Patches | Codes:
    """Return the collection of stores for a descriptor: vectors, codes or patches."""
    if isinstance(descriptor, GlobalDescriptor):
        return library.vectors
    return library.codes if isinstance(descriptor, CodeDescriptor) else library.patches


def vector_store(library: Library, descriptor: GlobalDescriptor) -> VectorStore:
    """Return the vector store of a descriptor.

    Vectors of the standard families are stored with 16 bits per number, which changes neither rankings nor recognition:
    P@10 on Corel-5k is .6346 with 32 and with 16 bits.
    """
    is_half = descriptor.name in table.HALF_PRECISION
    return library.vectors.store(str(descriptor.key), descriptor.dimension, half=is_half)


def name_of(key: str) -> str:
    """Return the name of the descriptor in a key."""
    return key.rsplit("-", 2)[0]


def decode_limits(library: Library) -> DecodeLimits:
    """Return the library's decoding limits and its display of scientific images."""
    return DecodeLimits(
        settings.MEGAPIXELS.get(library) * 1_000_000,
        settings.MEGABYTES.get(library) << 20,
        display_of(library),
        partial=True,
    )


def description_plan(library: Library, only: Sequence[str] | None = None) -> description.DescriptionPlan:
    """Return the plan for describing a photo by all descriptors that are enabled and ready.

    Parameters
    ----------
    only : sequence of str, optional
        Names of descriptors; default: all but those of plug-ins, which describe photos separately
        (`extraction.describe_by_plugins`).

    Raises
    ------
    OperationError
        If a name is unknown, disabled or not fitted yet, or the file of a network is missing.
    """
    switched = enabled_names(library)
    for network in settings.NETWORKS.get(library):
        if network.name in switched and (only is None or network.name in only):
            network_entries.require_unchanged(network)
    usable = ready_descriptors(library)
    if only is not None:
        by_name = {descriptor.name: descriptor for descriptor in usable}
        for name in only:
            if name not in all_descriptors(library, only):
                raise OperationError(
                    "There is no descriptor {0!r}; there are {1}.", name, ", ".join(all_descriptors(library))
                )
            if name not in switched:
                raise OperationError("The descriptor {0} is switched off: focal descriptors --on {0}.", name)
            if name not in by_name:
                raise OperationError("The descriptor {0} is not fitted to this library yet: run focal index.", name)
        usable = tuple(by_name[name] for name in dict.fromkeys(only))
    else:
        usable = tuple(one for one in usable if not plugins.is_of_plugin(one))

    return description.DescriptionPlan(usable, decode_limits(library), seconds_per_photo=settings.SECONDS.get(library))
