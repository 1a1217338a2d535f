# SPDX-License-Identifier: MIT
"""A real Dask cluster of two worker processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask
import distributed

LocalCluster: Any = distributed.LocalCluster  # untyped


@contextmanager
def two_workers(folder: Path, failures: int = 3) -> Iterator[Any]:
    """Run two workers with one thread each; the scheduler drops a call after some killed workers."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": failures}),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            local_directory=str(folder / "dask"),
            silence_logs=50,
        ) as running,
    ):
        yield running
