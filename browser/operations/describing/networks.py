# SPDX-License-Identifier: MIT
"""Manage the user's own networks among the descriptors: check, add, remove, rename and renew them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.enabled import change_enabled, enabled_names
from focal_photos.browser.operations.describing.network_entries import document, read_networks, renewed
from focal_photos.browser.operations.describing.try_network import backends_of
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.watchdog import Cancellation
from focal_photos.features.network.network import NetworkDescriptor
from focal_photos.features.network.network_file import NetworkError
from focal_photos.features.network.preprocessing import read_preprocessing

_MAX_CAPTION_LENGTH: Final = 100  # maximum length of a network's caption in characters


def check_network(entry: dict[str, Any], cancelled: Cancellation | None = None) -> dict[str, Any]:
    """Run a network once and return its completed entry, which `add_network` need not check again.

    Parameters
    ----------
    entry : dict
        See `browser.operations.describing.network_entries.read_networks`.

    Raises
    ------
    OperationError
        If the network cannot be used; the message names the reason and the remedy.
    """
    try:
        (network,) = read_networks([entry], cancelled)
    except ValueError as error:
        reason = str(error).rstrip(".")
        if reason.split(" ")[0].isalpha():  # not a file name
            reason = reason[:1].upper() + reason[1:]
        raise OperationError("{0}.", reason) from error
    return document(network)


def add_network(library: Library, entry: dict[str, Any]) -> NetworkDescriptor:
    """Add a network to the descriptors and enable it, replacing one of the same name.

    Parameters
    ----------
    entry : dict
        See `browser.operations.describing.network_entries.read_networks`.

    Raises
    ------
    OperationError
        If it cannot be used; the message names the reason.
    """
    try:
        (network,) = read_networks([entry])
    except ValueError as error:
        raise OperationError("The network cannot be used: {0}.", str(error).rstrip(".")) from error
    switched = settings.ENABLED.get(library)
    others = [other for other in settings.NETWORKS.get(library) if other.name != network.name]
    with library.database.transaction():  # otherwise it might exist and be disabled
        settings.NETWORKS.set(library, (*others, network))
        if switched is not None:
            change_enabled(library, on=[network.name])
    return network


def remove_network(library: Library, name: str) -> None:
    """Remove a network from the descriptors without deleting its file.

    Raises
    ------
    OperationError
        If there is no such network, or no other descriptor is enabled.
    """
    find_network(library, name)
    networks = settings.NETWORKS.get(library)
    with library.database.transaction():  # otherwise it might stay and be disabled
        if settings.ENABLED.get(library) is not None:
            change_enabled(library, off=[name])
        settings.NETWORKS.set(library, tuple(network for network in networks if network.name != name) or None)


def renew_networks(library: Library) -> None:
    """Check whether the files of enabled networks have changed, which gives them other keys.

    Raises
    ------
    OperationError
        If a file is missing or no longer usable.
    """
    switched = enabled_names(library)
    before = settings.NETWORKS.get(library)
    after = tuple(renewed(network) if network.name in switched else network for network in before)
    if after != before:
        settings.NETWORKS.set(library, after)


def find_network(library: Library, name: str) -> NetworkDescriptor:
    """Return a network of the library.

    Raises
    ------
    OperationError
        If there is no such network.
    """
    networks = settings.NETWORKS.get(library)
    for network in networks:
        if network.name == name:
            return network
    there = ", ".join(network.name for network in networks) or "none"
    raise OperationError("There is no network {0!r}; there are: {1}.", name, there)


def rename_network(library: Library, name: str, caption: str) -> NetworkDescriptor:
    """Change the caption of a network for the user; its descriptor name and vectors stay.

    Parameters
    ----------
    caption : str
        Empty: "Network" and its name, the default.

    Raises
    ------
    OperationError
        If there is no such network, or the caption is longer than 100 characters.
    """
    caption = " ".join(caption.split())
    if len(caption) > _MAX_CAPTION_LENGTH:
        raise OperationError("The name is longer than {0} characters: choose a shorter one.", _MAX_CAPTION_LENGTH)
    renamed = dataclasses.replace(find_network(library, name), caption=caption)
    networks = settings.NETWORKS.get(library)
    settings.NETWORKS.set(library, tuple(renamed if one.name == name else one for one in networks))
    return renamed


def preprocessing_of(file: Path) -> dict[str, Any]:
    """Return the input parameters of a network from a ``preprocessor_config.json``, as parts of an entry.

    Raises
    ------
    OperationError
        If the file has another format.
    """
    try:
        found = read_preprocessing(file)
    except NetworkError as error:
        raise OperationError(str(error)) from error
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


@dataclasses.dataclass(frozen=True)
class NetworkState:
    """Status of a network of the library."""

    network: NetworkDescriptor
    on: bool
    photos: int
    backend: str
    """Package that runs it, with its version: ``onnxruntime 1.23.0``; or why it cannot be used."""


def network_states(library: Library) -> list[NetworkState]:
    """Return the status of the library's networks; each is loaded in the sandbox to determine its backend."""
    networks, switched = settings.NETWORKS.get(library), enabled_names(library)
    backends = backends_of(networks)
    states = []
    for network in networks:
        store = library.vectors.open(str(network.key))
        photos = 0 if store is None else len(store)
        states.append(NetworkState(network, network.name in switched, photos, backends[network.name]))
    return states
