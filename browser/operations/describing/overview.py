# SPDX-License-Identifier: MIT
"""Status of each descriptor of a library: enabled, fitting sample, and number of described photos."""

from __future__ import annotations

from dataclasses import dataclass

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import complete, fitted_states_of, room_of, with_sources
from focal_photos.browser.operations.describing.enabled import AnyDescriptor, all_descriptors, enabled_names
from focal_photos.features.any_rotation import AnyRotation
from focal_photos.features.base import Fitted, Kind


@dataclass(frozen=True)
class DescriptorState:
    """A row of the overview."""

    name: str
    title: str
    kind: Kind
    """See `features.base.Kind`."""
    on: bool
    dimension: int
    """Length of a vector; bytes of a code."""
    learned_from: int | None
    """Number of photos in the fitting sample; None if it needs no fitting or is not fitted yet."""
    key: str | None
    """Key of its vectors; None before fitting."""
    photos: int
    bytes: int


def overview(library: Library) -> list[DescriptorState]:
    """Return the status of all descriptors, in table order."""
    switched = enabled_names(library)
    return [_state(library, one, one.name in switched) for one in all_descriptors(library).values()]


def _state(library: Library, bare: AnyDescriptor, on: bool) -> DescriptorState:
    whole = complete(library, bare)
    learned_from = None
    before = with_sources(library, bare.base if isinstance(bare, AnyRotation) else bare)
    if isinstance(before, Fitted):
        state = fitted_states_of(library).newest(str(before.key))
        learned_from = None if state is None else state.sampled
    key = None if whole is None else str(whole.key)
    photos = size = 0
    if key is not None:
        room = room_of(library, bare)
        store = room.open(key)
        if store is not None:
            photos, size = len(store), room.size_on_disk(key)
    return DescriptorState(bare.name, bare.title, bare.kind, on, bare.dimension, learned_from, key, photos, size)
