# SPDX-License-Identifier: MIT
"""Describe photos on a Dask cluster. Its workers need the same paths to the photos."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import cv2

from focal_photos.browser.operations.workers.cluster.cluster import Cluster
from focal_photos.browser.operations.workers.executor import PhotoExecutor
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask, describe_within_limit
from focal_photos.features.description import DescriptionPlan


class DaskExecutor(PhotoExecutor):
    """The workers of a Dask cluster; see `Cluster`.

    Parameters
    ----------
    plan : DescriptionPlan
        Sent once to the scheduler and to each worker.
    workers : int or None
        Maximum number of simultaneous batches; None: number of threads of the cluster.

    Raises
    ------
    OperationError
        If there is no address, or no scheduler answers there.
    """

    def __init__(self, plan: DescriptionPlan, workers: int | None, scheduler: str | None) -> None:
        self._cluster = Cluster(scheduler, workers)
        try:
            self._plan = self._cluster.keep(plan)
        except BaseException:
            self._cluster.close()
            raise
        self.size = self._cluster.size

    def submit(self, batch: Sequence[PhotoTask]) -> Future[list[PhotoResult]]:
        """Submit a batch; see `PhotoExecutor.submit`."""
        return self._cluster.submit(_describe, batch, self._plan)

    def is_death(self, error: BaseException) -> bool:
        """Distinguish deaths from other errors; see `Cluster.is_death`."""
        return self._cluster.is_death(error)

    def check(self) -> None:
        """Count the workers; see `PhotoExecutor.check`."""
        self._cluster.check()
        self.size = self._cluster.size

    def close(self) -> None:
        """Cancel pending batches and disconnect from the cluster; see `PhotoExecutor.close`."""
        self._cluster.close()


def _describe(
    batch: Sequence[PhotoTask], plan: DescriptionPlan
) -> list[PhotoResult]:  # pragma: no cover - in workers, which end by force
    cv2.setNumThreads(1)  # the cluster reserves one core for a task
    return describe_within_limit(batch, plan)
