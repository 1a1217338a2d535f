"""Single calls on files that may kill or block whoever reads them, in processes of the program that are kept warm.

This is for one file at a time: the photo that is looked at, a thumbnail that is made again, a focal image from a file,
a network that is tried. A decoder that dies or hangs takes its process with it and nothing else; the call gets an
`ImageError` that says so, the next call a new process.
"""

from __future__ import annotations

import atexit
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.operations.workers.process_pool import SECONDS, ProcessPool
from focal_photos.browser.operations.workers.watchdog import Cancellation
from focal_photos.features.decoding.limits import DecodeLimits

if TYPE_CHECKING:
    from focal_photos.features.decoding.image import WorkingImage

_shared: ProcessPool | None = None
_shared_lock = threading.Lock()


def sandbox() -> ProcessPool:
    """Return the two processes of this program, which end with it; none is started before the first call."""
    global _shared  # noqa: PLW0603 - one for the whole program
    with _shared_lock:
        if _shared is None:
            _shared = ProcessPool()
            atexit.register(_shared.close)
        return _shared


def decode_in_sandbox(
    source: Path | bytes,
    *,
    side: int | None,
    limits: DecodeLimits | None = None,
    seconds: float = SECONDS,
    cancelled: Cancellation | None = None,
) -> WorkingImage:
    """Decode in a process of the sandbox; see `features.decoding.decode.decode` and `ProcessPool.call`."""
    from focal_photos.features.decoding.image import (
        WorkingImage,  # here: most programs that have a sandbox decode nothing
    )

    rgb, header = sandbox().call(_decode, source, side, limits, seconds=seconds, cancelled=cancelled)
    return WorkingImage(rgb, header)


def _decode(source: Path | bytes, side: int | None, limits: DecodeLimits | None) -> tuple[Any, Any]:
    from focal_photos.features.decoding.decode import decode  # pragma: no cover - in a worker, which ends by force

    image = decode(source, side=side, limits=limits)  # pragma: no cover - in a worker, which ends by force
    return image.rgb, image.header  # pragma: no cover - as above
