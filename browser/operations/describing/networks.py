"""Networks of the user's own among the descriptors: taken in, taken out, looked at again."""

from __future__ import annotations

from typing import Any

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.enabled import change_enabled, enabled_names
from focal_photos.browser.operations.describing.network_entries import read_networks, renewed
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.network.network import NetworkDescriptor


def add_network(library: Library, entry: dict[str, Any]) -> NetworkDescriptor:
    """Take a network in as descriptor, and enable it; one of the same name is replaced.

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
    switched = settings.ENABLED.get(library)
    others = [other for other in settings.NETWORKS.get(library) if other.name != network.name]
    settings.NETWORKS.set(library, (*others, network))
    if switched is not None:
        change_enabled(library, on=[network.name])
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
    if settings.ENABLED.get(library) is not None:
        change_enabled(library, off=[name])
    settings.NETWORKS.set(library, tuple(network for network in networks if network.name != name) or None)


def renew_networks(library: Library) -> None:
    """Look whether the files of the networks that are enabled have changed: they then have another key.

    Raises
    ------
    OperationError
        A file is gone, or cannot be used any more.
    """
    switched = enabled_names(library)
    before = settings.NETWORKS.get(library)
    after = tuple(renewed(network) if network.name in switched else network for network in before)
    if after != before:
        settings.NETWORKS.set(library, after)
