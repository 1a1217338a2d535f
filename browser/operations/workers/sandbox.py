# SPDX-License-Identifier: MIT
"""Sandboxed calls on single files that may crash or block their reader, in processes that stay ready.

Used for one file at a time: the photo in view, a thumbnail made again, a focal image from a file, a trial of a network.
A decoder that crashes or hangs ends only its process; the call raises an `ImageError`, and the next call gets a new
process.
"""

from __future__ import annotations

import atexit
import threading
from pathlib import Path
from typing import Any

from focal_photos.browser.operations.workers.process_pool import SECONDS, ProcessPool
from focal_photos.browser.operations.workers.watchdog import Cancellation
from focal_photos.features.decoding import decode, image
from focal_photos.features.decoding.limits import DecodeLimits

_shared: ProcessPool | None = None
_shared_lock = threading.Lock()


def sandbox() -> ProcessPool:
    """Return the program's two sandbox processes, which end with it; none is started before the first call."""
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
) -> image.WorkingImage:
    """Decode in the sandbox; see `features.decoding.decode.decode` and `ProcessPool.call`."""
    rgb, header = sandbox().call(_decode, source, side, limits, seconds=seconds, cancelled=cancelled)
    return image.WorkingImage(rgb, header)


def _decode(source: Path | bytes, side: int | None, limits: DecodeLimits | None) -> tuple[Any, Any]:
    image = decode.decode(source, side=side, limits=limits)  # pragma: no cover - in a worker, which ends by force
    return image.rgb, image.header  # pragma: no cover - as above
