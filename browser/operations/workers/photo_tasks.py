"""A photo to describe, what became of it, and how that is done. Imports neither the catalogue nor Qt."""

from __future__ import annotations

import errno
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.decode import probe
from focal_photos.features.decoding.limits import ImageError, ImageTooLargeError
from focal_photos.features.decoding.regular_file import open_regular
from focal_photos.features.description import Description, DescriptionPlan, describe

BYTES_PER_PIXEL: Final = {"JPEG": 4, "MPO": 4, "GIF": 6, "PNG": 9, "TIFF": 12, "AVIF": 12, "HEIF": 12, "WEBP": 17}
"""Memory that decoding takes at its peak, by format, measured with 81 megapixels and rounded up.

A progressive JPEG keeps its coefficients (3.1 bytes), a PNG with transparency is multiplied by it (8.1), a TIFF may
hold real numbers (12.0), WebP keeps the canvas, the one before and copies of both (16.4).
"""

MOST_BYTES_PER_PIXEL: Final = max(BYTES_PER_PIXEL.values())
"""Of formats that are not listed, and before the format is known."""

_NO_MEMORY: Final = "The image needs more memory than there is."
_DIED: Final = "Its decoding ended the process (out of memory, or a fault in the decoder)."
_KILLED: Final = "The process that decoded it was killed, as the system does where memory is short."
_LOST: Final = "The worker that decoded it was lost: killed, out of memory, or ended by a fault in the decoder."
_OF_THE_DISK: Final = frozenset(
    {
        *(errno.EIO, errno.ENXIO, errno.ENODEV, errno.ESTALE, errno.ETIMEDOUT),
        *(errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ENOTCONN, errno.EMFILE, errno.ENFILE),
    }
)
"""Errors that no content of a file leads to: of disks, network drives and the limit of open files."""


@dataclass(frozen=True)
class PhotoTask:
    """A photo to describe.

    Attributes
    ----------
    photo_id : int
    path : pathlib.Path
        One of its files.
    names : tuple of str
        Descriptors that it lacks.
    source : bytes or ndarray of uint8, shape (h, w, 3), optional
        The content of a file, or pixels, that are to be described instead; `path` then says in words what it is.
    """

    photo_id: int
    path: Path
    names: tuple[str, ...]
    source: bytes | NDArray[np.uint8] | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class PhotoResult:
    """What became of one `PhotoTask`.

    Attributes
    ----------
    task : PhotoTask
    description : Description or None
        None if it failed.
    failure : str
        Why it failed, in words for a person; empty if it did not.
    lasting : bool
        True if the content is to blame, so that another try is of no use until the file changes. False if the file
        could not be read: its disk may be away.
    passing : bool
        True if something else may be to blame: it took too long, perhaps because the computer had much else to do, or
        its process was killed or lost. The reason is kept, and the photo is tried again at the next indexing.
    try_alone : bool
        True if this is not the last word: the process died, perhaps of something else, or the photo needs so much
        memory that no other should be described beside it.
    """

    task: PhotoTask
    description: Description | None = None
    failure: str = ""
    lasting: bool = False
    passing: bool = False
    try_alone: bool = False


def describe_photo(task: PhotoTask, plan: DescriptionPlan) -> PhotoResult:
    """Describe one photo; whatever goes wrong with it is a result too."""
    try:
        description = describe(task.path if task.source is None else task.source, plan, task.names)
    except ImageTooLargeError as error:  # of memory there may be more when nothing else is described
        return PhotoResult(task, None, str(error), lasting=True, try_alone=True)
    except ImageError as error:
        unread = _disk_error(error) or _reading_error(task.path) if task.source is None else ""
        return PhotoResult(task, None, unread or str(error), lasting=not unread)
    except MemoryError:
        return lacked_memory(task)
    except Exception as error:  # a fault of ours with one odd photo must not keep all others from being described
        return PhotoResult(task, None, f"Focal cannot describe it ({type(error).__name__}: {error}).", lasting=True)
    arrays = [*description.vectors.values(), *(found.vectors for found in description.patches.values())]
    if not all(np.isfinite(array).all() for array in arrays):
        return PhotoResult(task, None, "Focal cannot describe it (values that are not finite).", lasting=True)
    return PhotoResult(task, description)


def describe_within_limit(
    tasks: Sequence[PhotoTask], plan: DescriptionPlan, memory: int | None = None
) -> list[PhotoResult]:
    """Describe photos in a process that is not ours to end: in a thread, or on a cluster.

    A photo that takes too long is left to a thread of its own, and the others go on. One that may take more `memory`,
    in bytes, is to be tried alone.
    """
    return [
        PhotoResult(task, try_alone=True)
        if memory is not None and not isinstance(task.source, np.ndarray) and is_heavy(_file(task), plan, memory)
        else _describe_in_thread(task, plan)
        for task in tasks
    ]


def is_heavy(source: Path | bytes, plan: DescriptionPlan, memory: int) -> bool:
    """Tell whether decoding a photo may take more than a number of bytes, by what its header claims."""
    if plan.limits.max_pixels * MOST_BYTES_PER_PIXEL <= memory:
        return False
    try:
        header = probe(source, plan.limits)
    except ImageError:
        return False
    return header.width * header.height * BYTES_PER_PIXEL.get(header.format, MOST_BYTES_PER_PIXEL) > memory


def died(task: PhotoTask, *, killed: bool = False) -> PhotoResult:
    """Return the result for a photo whose process died; `killed` tells that something else ended it."""
    reason = _KILLED if killed else _DIED
    return PhotoResult(task, None, reason, lasting=not killed, passing=killed, try_alone=True)


def worker_lost(task: PhotoTask) -> PhotoResult:
    """Return the result for a photo whose worker was lost on a back end that does not tell why."""
    return PhotoResult(task, None, _LOST, passing=True, try_alone=True)


def lacked_memory(task: PhotoTask) -> PhotoResult:
    """Return the result for a photo that needs more memory than its process may take."""
    return PhotoResult(task, None, _NO_MEMORY, lasting=True, try_alone=True)


def took_too_long(task: PhotoTask, seconds: float) -> PhotoResult:
    """Return the result for a photo that took longer than the `seconds` that it may."""
    reason = f"Its decoding took longer than {seconds:g} seconds: raise the limit if your disk or computer is slow."
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
    """Return why the disk did not give the bytes, or an empty string if that was not what stopped the decoder."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in _OF_THE_DISK:
            return _unread(cause)
        cause = cause.__context__
    return ""


def _unread(error: OSError) -> str:
    return f"The file cannot be read: {error.strerror or type(error).__name__}."


def _reading_error(path: Path) -> str:
    """Return why the bytes cannot be read, or an empty string if they can: then the content is to blame."""
    try:
        with open_regular(path) as stream:
            while stream.read(1 << 20):
                pass
    except OSError as error:
        return _unread(error)
    return ""
