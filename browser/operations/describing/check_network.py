"""Look into a network before it is taken in."""

from __future__ import annotations

from typing import Any

from focal_photos.browser.operations.describing.network_entries import document, read_networks
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.watchdog import Cancellation


def check_network(entry: dict[str, Any], cancelled: Cancellation | None = None) -> dict[str, Any]:
    """Run a network once, and return its entry with what this told: `enabled.add_network` then has nothing to read.

    Parameters
    ----------
    entry : dict
        See `browser.operations.describing.networks.read_networks`.
    cancelled : Cancellation, optional
        Ends it early.

    Raises
    ------
    OperationError
        The network cannot be used; the message says why and what to do.
    """
    try:
        (network,) = read_networks([entry], cancelled)
    except ValueError as error:
        reason = str(error).rstrip(".")
        if reason.split(" ")[0].isalpha():  # not the name of a file
            reason = reason[:1].upper() + reason[1:]
        raise OperationError(f"{reason}.") from error
    return document(network)
