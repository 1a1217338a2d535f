"""Which descriptors there are in a library, and which of them are switched on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from browser.catalog.library import Library
from browser.operations.describing import settings
from browser.operations.describing.networks import read_networks, renewed
from browser.operations.jobs.errors import OperationError
from features import DESCRIPTORS, LOCAL_DESCRIPTORS, STANDARD
from features.base import GlobalDescriptor, LocalDescriptor
from features.network.network import NetworkDescriptor

Either = GlobalDescriptor | LocalDescriptor


def table(library: Library) -> dict[str, Either]:
    """Return all descriptors that can be switched on, by name: Focal's own, global before local, and the networks.

    Those with a fitted part lack it here; see `ready`.
    """
    networks = {network.name: network for network in settings.NETWORKS.get(library)}
    return {**DESCRIPTORS, **LOCAL_DESCRIPTORS, **networks}


def chosen(library: Library) -> tuple[str, ...]:
    """Return the names of the descriptors that are switched on, in the order of the table.

    Where nobody chose, these are `features.STANDARD` and all networks.
    """
    switched = settings.CHOSEN.get(library)
    if switched is None:
        switched = (*STANDARD, *(network.name for network in settings.NETWORKS.get(library)))
    return tuple(name for name in table(library) if name in switched)


def choose(library: Library, wanted: Sequence[str] | None) -> None:
    """Switch exactly these descriptors on; None stands for those that a new library has.

    Vectors of others are kept until the library is checked, so that switching them on again costs nothing.

    Raises
    ------
    OperationError
        There is no such descriptor, or none of them describes a photo as a whole.
    """
    if wanted is not None:
        known = table(library)
        for name in wanted:
            if name not in known:
                raise OperationError(f"There is no descriptor {name!r}; there are {', '.join(known)}.")
        if all(name in LOCAL_DESCRIPTORS for name in wanted):
            raise OperationError("Photos are ranked by descriptors of the whole photo: leave at least one switched on.")
        wanted = [name for name in known if name in wanted]
    settings.CHOSEN.set(library, None if wanted is None else tuple(wanted))


def switch(library: Library, on: Iterable[str] = (), off: Iterable[str] = ()) -> None:
    """Switch some descriptors on and others off; see `choose`."""
    away = list(off)
    wanted = [name for name in dict.fromkeys([*chosen(library), *on]) if name not in away]
    choose(library, [*wanted, *(name for name in away if name not in table(library))])


def add_network(library: Library, entry: dict[str, Any]) -> NetworkDescriptor:
    """Take a network in as descriptor, and switch it on; one of the same name is replaced.

    Parameters
    ----------
    library : Library
    entry : dict
        See `browser.operations.describing.networks.read_networks`.

    Raises
    ------
    OperationError
        It cannot be used; the message says why.
    """
    try:
        (network,) = read_networks([entry])
    except ValueError as error:
        raise OperationError(f"The network cannot be used: {str(error).rstrip('.')}.") from error
    switched = settings.CHOSEN.get(library)
    others = [other for other in settings.NETWORKS.get(library) if other.name != network.name]
    settings.NETWORKS.set(library, (*others, network))
    if switched is not None:
        switch(library, on=[network.name])
    return network


def remove_network(library: Library, name: str) -> None:
    """Take a network out of the descriptors; its file stays where it is.

    Raises
    ------
    OperationError
        There is no such network, or nothing else is switched on.
    """
    networks = settings.NETWORKS.get(library)
    if all(network.name != name for network in networks):
        there = ", ".join(network.name for network in networks) or "none"
        raise OperationError(f"There is no network {name!r}; there are: {there}.")
    if settings.CHOSEN.get(library) is not None:
        switch(library, off=[name])
    settings.NETWORKS.set(library, tuple(network for network in networks if network.name != name) or None)


def renew_networks(library: Library) -> None:
    """Look whether the files of the networks that are switched on have changed: they then have another key.

    Raises
    ------
    OperationError
        A file is gone, or cannot be used any more.
    """
    switched = chosen(library)
    before = settings.NETWORKS.get(library)
    after = tuple(renewed(network) if network.name in switched else network for network in before)
    if after != before:
        settings.NETWORKS.set(library, after)
