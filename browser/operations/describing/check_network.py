"""Look into a network before it is taken in: in the sandbox, whose process it may end."""

from __future__ import annotations

from typing import Any, Final

from browser.operations.describing.network_entries import document, read_networks
from browser.operations.jobs.errors import OperationError
from browser.operations.workers.sandbox import sandbox
from browser.operations.workers.watchdog import Cancellation
from browser.operations.workers.worker_process import EndedProcessError, TookTooLongError

SECONDS: Final = 120.0
"""How long a network may take for its first image, reading the file included."""


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
        (network,) = sandbox().call(read_networks, [entry], seconds=SECONDS, cancelled=cancelled)
    except ValueError as error:
        reason = str(error).rstrip(".")
        if reason.split(" ")[0].isalpha():  # not the name of a file
            reason = reason[:1].upper() + reason[1:]
        raise OperationError(f"{reason}.") from error
    except EndedProcessError as error:
        text = "The network ended the process that tried it: it needs more memory than there is, or is damaged."
        raise OperationError(text) from error
    except TookTooLongError as error:
        raise OperationError(f"The network took more than {SECONDS:g} s for one image: take a smaller one.") from error
    return document(network)
