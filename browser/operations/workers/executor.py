# SPDX-License-Identifier: MIT
"""Interface of all back ends that describe photos, and the simplest one: threads of this process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor

from focal_photos.browser.operations.workers.memory import decoding_memory
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask, describe_within_limit
from focal_photos.features.description import DescriptionPlan


class PhotoExecutor(ABC):
    """Workers that hold a plan and describe batches of photos."""

    size: int
    """Number of simultaneous batches."""

    @abstractmethod
    def submit(self, batch: Sequence[PhotoTask]) -> Future[list[PhotoResult]]:
        """Submit a batch; the future yields a result for each of its tasks.

        Results with `try_alone` must be submitted again, alone, after all others.
        """

    def is_death(self, error: BaseException) -> bool:
        """Tell whether a future's error means that a worker died during its batch, and is no error of Focal."""
        return isinstance(error, BrokenExecutor)

    def check(self) -> None:  # noqa: B027 - most workers are always there
        """Raise `OperationError` if no results can be expected any more; called repeatedly."""

    def continue_alone(self) -> None:  # noqa: B027 - most need nothing for it
        """Prepare for photos submitted one at a time."""

    @abstractmethod
    def close(self) -> None:
        """Release the workers; pending results are dropped."""


class ThreadExecutor(PhotoExecutor):
    """Threads of this process: results are not copied, but a crash of a decoder ends the program.

    Parameters
    ----------
    memory : int, optional
        Bytes for photos decoded at the same time; default: `decoding_memory`.
    """

    def __init__(self, plan: DescriptionPlan, size: int, memory: int | None = None) -> None:
        self.size = size
        self._share: int | None = (decoding_memory() if memory is None else memory) // size
        self._plan = plan
        self._executor: Executor = ThreadPoolExecutor(size, thread_name_prefix="focal-describe")

    def submit(self, batch: Sequence[PhotoTask]) -> Future[list[PhotoResult]]:
        """Submit a batch; see `PhotoExecutor.submit`."""
        return self._executor.submit(describe_within_limit, batch, self._plan, self._share)

    def continue_alone(self) -> None:
        """Give all the memory to one photo."""
        self._share = None

    def close(self) -> None:
        """Wait for the batches in progress."""
        self._executor.shutdown(wait=True, cancel_futures=True)
