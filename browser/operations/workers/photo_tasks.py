# SPDX-License-Identifier: MIT
"""Photos to describe, and their results. Imports neither the catalogue nor Qt."""

from __future__ import annotations

import errno
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.text import Text
from focal_photos.features.decoding.decode import probe
from focal_photos.features.decoding.limits import ImageError, ImageTooLargeError
from focal_photos.features.decoding.regular_file import open_regular
from focal_photos.features.description import Description, DescriptionPlan, describe

BYTES_PER_PIXEL: Final = {"JPEG": 4, "MPO": 4, "GIF": 6, "PNG": 9, "TIFF": 12, "AVIF": 12, "HEIF": 12, "WEBP": 17}
"""Peak memory for decoding by format, in bytes per pixel, measured with 81 megapixels and rounded up.

A progressive JPEG stores its coefficients (3.1 bytes), a PNG with transparency is multiplied by it (8.1), a TIFF may
contain floats (12.0), WebP stores the canvas, the previous one and copies of both (16.4).
"""

MOST_BYTES_PER_PIXEL: Final = max(BYTES_PER_PIXEL.values())
"""Bytes per pixel of other and unknown formats."""

_NO_MEMORY: Final = Text("The image needs more memory than is available.")
DIED: Final = Text("Decoding it ended the process (out of memory, or the decoder crashed).")
"""Failure of a photo whose process ended without being killed."""

_KILLED: Final = Text("The process that decoded it was killed, probably because memory was low.")
_WORKER_DIED: Final = Text(
    "The worker that decoded it was lost: it was killed, ran out of memory, or the decoder crashed."
)
_OF_THE_DISK: Final = frozenset(
    {
        *(errno.EIO, errno.ENXIO, errno.ENODEV, errno.ESTALE, errno.ETIMEDOUT),
        *(errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ENOTCONN, errno.EMFILE, errno.ENFILE),
    }
)
"""Errors not caused by the content of a file: of disks, network drives and the limit of open files."""


@dataclass(frozen=True)
class PhotoTask:
    """A photo to describe."""

    photo_id: int
    path: Path
    """One of its files."""
    names: tuple[str, ...]
    """Descriptors that it lacks."""
    source: bytes | NDArray[np.uint8] | None = field(default=None, repr=False, compare=False)
    """File content or pixels to describe instead; `path` then names the source in words; shape (h, w, 3)."""
    part: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom of the part of the photo to describe; see `features.description.describe`."""


@dataclass(frozen=True)
class PhotoResult:
    """Result of a `PhotoTask`."""

    task: PhotoTask
    description: Description | None = None
    """None if it failed."""
    failure: str = ""
    """Why it failed, for the user; empty if it did not."""
    lasting: bool = False
    """Whether the content is at fault, so that another attempt is useless until the file changes. False if the file
    could not be read: its drive may be offline."""
    passing: bool = False
    """Whether the cause may be elsewhere: it took too long, perhaps on a busy computer, or its process was killed or
    lost. The reason is saved, and the photo is tried again at the next indexing."""
    try_alone: bool = False
    """Whether the result is preliminary: the process died, perhaps of another cause, or the photo needs too much memory
    to be described beside others."""


def describe_photo(task: PhotoTask, plan: DescriptionPlan) -> PhotoResult:
    """Describe one photo; any error becomes a result."""
    try:
        description = describe(task.path if task.source is None else task.source, plan, task.names, task.part)
    except ImageTooLargeError as error:  # there may be more memory when the photo is alone
        return PhotoResult(task, None, str(error), lasting=True, try_alone=True)
    except ImageError as error:
        unread = _disk_error(error) or _reading_error(task.path) if task.source is None else ""
        return PhotoResult(task, None, unread or str(error), lasting=not unread)
    except MemoryError:
        return lacked_memory(task)
    except Exception as error:  # an error with one odd photo must not stop the others
        return PhotoResult(
            task, None, Text("Focal cannot describe it ({0}: {1}).", type(error).__name__, error), lasting=True
        )
    arrays = [*description.vectors.values(), *(found.vectors for found in description.patches.values())]
    if not all(np.isfinite(array).all() for array in arrays):
        return PhotoResult(task, None, Text("Focal cannot describe it (values that are not finite)."), lasting=True)
    return PhotoResult(task, description)


def describe_within_limit(
    tasks: Sequence[PhotoTask], plan: DescriptionPlan, memory: int | None = None
) -> list[PhotoResult]:
    """Describe photos in a process that must not be killed: in a thread or on a cluster.

    A photo that takes too long is left to a separate thread, and the next ones follow. Photos that may need more than
    `memory` bytes must be tried alone.
    """
    return [
        PhotoResult(task, try_alone=True)
        if memory is not None and not isinstance(task.source, np.ndarray) and is_heavy(_file(task), plan, memory)
        else _describe_in_thread(task, plan)
        for task in tasks
    ]


def is_heavy(source: Path | bytes, plan: DescriptionPlan, memory: int) -> bool:
    """Tell whether decoding a photo may take more than `memory` bytes, according to its header."""
    if plan.limits.max_pixels * MOST_BYTES_PER_PIXEL <= memory:
        return False
    try:
        header = probe(source, plan.limits)
    except ImageError:
        return False
    return header.width * header.height * BYTES_PER_PIXEL.get(header.format, MOST_BYTES_PER_PIXEL) > memory


def died(task: PhotoTask, *, killed: bool = False) -> PhotoResult:
    """Return the result for a photo whose process died; `killed`: ended from outside."""
    reason = _KILLED if killed else DIED
    return PhotoResult(task, None, reason, lasting=not killed, passing=killed, try_alone=True)


def worker_lost(task: PhotoTask) -> PhotoResult:
    """Return the result for a photo whose worker was lost on a back end that gives no reason."""
    return PhotoResult(task, None, _WORKER_DIED, passing=True, try_alone=True)


def lacked_memory(task: PhotoTask) -> PhotoResult:
    """Return the result for a photo that needs more memory than its process may use."""
    return PhotoResult(task, None, _NO_MEMORY, lasting=True, try_alone=True)


def took_too_long(task: PhotoTask, seconds: float) -> PhotoResult:
    """Return the result for a photo that exceeded the limit of `seconds`."""
    reason = Text(
        "Its decoding took longer than {0:g} seconds: raise the limit if your disk or computer is slow.", seconds
    )
    return PhotoResult(task, None, reason, passing=True)


def _file(task: PhotoTask) -> Path | bytes:
    return task.source if isinstance(task.source, bytes) else task.path


def _describe_in_thread(task: PhotoTask, plan: DescriptionPlan) -> PhotoResult:
    found: list[PhotoResult] = []
    thread = threading.Thread(target=lambda: found.append(describe_photo(task, plan)), daemon=True)
    thread.start()
    thread.join(plan.seconds_per_photo)
    return found[0] if found else took_too_long(task, plan.seconds_per_photo)


def _disk_error(error: BaseException) -> str:
    """Return the disk error that stopped the decoder, or an empty string if there was none."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in _OF_THE_DISK:
            return _unread(cause)
        cause = cause.__context__
    return ""


def _unread(error: OSError) -> str:
    return Text("The file cannot be read: {0}.", error.strerror or type(error).__name__)


def _reading_error(path: Path) -> str:
    """Return why the file is unreadable, or an empty string if it is readable and its content is at fault."""
    try:
        with open_regular(path) as stream:
            while stream.read(1 << 20):
                pass
    except OSError as error:
        return _unread(error)
    return ""
