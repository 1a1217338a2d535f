"""What every back end that describes photos offers, and the simplest one: threads of this process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor

from focal_photos.browser.operations.workers.memory import decoding_memory
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask, describe_within_limit
from focal_photos.features.description import DescriptionPlan


class PhotoExecutor(ABC):
    """Workers that hold a plan and take batches of photos.

    Attributes
    ----------
    size : int
        Batches worked on at the same time.
    """

    size: int

    @abstractmethod
    def submit(self, batch: Sequence[PhotoTask]) -> Future[list[PhotoResult]]:
        """Hand a batch out; the future gives a result for each of its tasks.

        A result with `try_alone` is to be handed out again after all others, with nothing beside it.
        """

    def is_death(self, error: BaseException) -> bool:
        """Tell whether a future's error means that a worker died of its batch, rather than a fault of ours."""
        return isinstance(error, BrokenExecutor)

    def check(self) -> None:  # noqa: B027 - most workers are always there
        """Raise `OperationError` if nothing can be expected any more; called again and again."""

    def continue_alone(self) -> None:  # noqa: B027 - most need nothing for it
        """Get ready for photos that are handed out one at a time, each when the one before is done."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the workers; what they still do is not wanted."""


class ThreadExecutor(PhotoExecutor):
    """Threads of this process: no copies of the results, but whatever kills a decoder kills the program.

    Parameters
    ----------
    plan : DescriptionPlan
    size : int
        Threads.
    memory : int, optional
        Bytes that photos beside each other may take; `decoding_memory`, if not given.
    """

    def __init__(self, plan: DescriptionPlan, size: int, memory: int | None = None) -> None:
        self.size = size
        self._share: int | None = (decoding_memory() if memory is None else memory) // size
        self._plan = plan
        self._executor: Executor = ThreadPoolExecutor(size, thread_name_prefix="focal-describe")

    def submit(self, batch: Sequence[PhotoTask]) -> Future[list[PhotoResult]]:
        """Hand a batch out; see `PhotoExecutor.submit`."""
        return self._executor.submit(describe_within_limit, batch, self._plan, self._share)

    def continue_alone(self) -> None:
        """Leave all of the memory to one photo."""
        self._share = None

    def close(self) -> None:
        """Wait for the batches that are being described."""
        self._executor.shutdown(wait=True, cancel_futures=True)
