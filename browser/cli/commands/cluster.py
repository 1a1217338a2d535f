# SPDX-License-Identifier: MIT
"""Options of commands that can run on a Dask cluster: ``--backend`` and ``--scheduler``."""

from __future__ import annotations

import argparse

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.terminal import WrongUseError


def add_cluster(parser: Parser, what: str) -> None:
    """Add ``--backend`` and ``--scheduler`` to a command that does `what` locally or on a cluster."""
    parser.add_argument("--backend", choices=("here", "dask"), default="here", help=f"who {what} (default: here)")
    add_scheduler(parser)


def add_scheduler(parser: Parser) -> None:
    """Add ``--scheduler``."""
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="of the Dask cluster for --backend dask, as tcp://host:8786"
    )


def scheduler_of(arguments: argparse.Namespace) -> str | None:
    """Return the address of the cluster's scheduler; None without ``--backend dask``.

    Raises
    ------
    WrongUseError
        If only one of the options is given.
    """
    scheduler: str | None = arguments.scheduler
    if scheduler is not None and arguments.backend != "dask":
        raise WrongUseError("--scheduler is the address of a Dask cluster: add --backend dask")
    if scheduler is None and arguments.backend == "dask":
        raise WrongUseError("--backend dask needs the address of the cluster: add --scheduler ADDRESS")
    return scheduler
