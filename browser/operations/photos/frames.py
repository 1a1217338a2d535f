# SPDX-License-Identifier: MIT
"""Write the frames of a DICOM file as separate images that can be indexed or shared."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import decode_limits
from focal_photos.browser.operations.describing.settings import SECONDS
from focal_photos.browser.operations.jobs.errors import OperationError, not_written
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.features.decoding import decode
from focal_photos.features.decoding.decoders.dicom_signature import HEAD, is_dicom
from focal_photos.features.decoding.limits import DecodeLimits, ImageError
from focal_photos.features.decoding.regular_file import open_regular

MOST_FRAMES: Final = 10_000


def write_frames(library: Library, file: Path, folder: Path) -> Job[list[Path]]:
    """Write each frame as ``NAME-0001.png`` as shown in the library, without any metadata.

    Parameters
    ----------
    library : Library
        Provides the display window and the limits.
    folder : pathlib.Path
        Created if needed. Existing files of the same names are replaced, except photos of the library. If not all
        frames can be written or the job is closed, the new files are deleted.

    Returns
    -------
    list of Path
        The files, in the order of the frames.

    Raises
    ------
    OperationError
        If the file has no frames, too many, or cannot be decoded, or files may not or cannot be written.
    """
    limits, seconds = decode_limits(library), SECONDS.get(library)
    try:
        count = sandbox().call(_count, file, limits, seconds=seconds)
        if not 1 <= count <= MOST_FRAMES:
            raise OperationError("{0} has {1:,} frames: from 1 to {2:,} can be written.", file, count, MOST_FRAMES)
        paths = [folder / f"{file.stem}-{frame:04}.png" for frame in range(1, count + 1)]
        for path in paths:
            _require_no_photo(library, path)
        meter = Meter(Text("Writing frames"), count)
        with _all_or_none(folder, paths):
            for frame, path in enumerate(paths, start=1):
                yield meter.state(str(file))
                display = dataclasses.replace(limits.display, frame=frame)
                content = sandbox().call(_picture, file, dataclasses.replace(limits, display=display), seconds=seconds)
                with atomic_file(path) as stream:
                    stream.write(content)
                meter.advance()
    except ImageError as error:
        raise OperationError("{0} cannot be decoded: {1}", file, error) from error
    except OSError as error:
        raise not_written(folder, error) from error
    return paths


@contextmanager
def _all_or_none(folder: Path, paths: Sequence[Path]) -> Iterator[None]:
    """Create a folder for files; if not all are written, delete the new ones."""
    known = {path for path in paths if path.exists()}
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for path in paths:
                if path not in known:
                    path.unlink(missing_ok=True)
            if is_new:
                folder.rmdir()
        raise


def _require_no_photo(library: Library, path: Path) -> None:
    """Raise unless a file is no photo, including photos in library folders that are not scanned yet."""
    if not path.exists():
        return
    folders = [os.path.realpath(root.path) for root in library.roots.all()]
    if library.photos.by_path(path) or any(path.resolve().is_relative_to(folder) for folder in folders):
        raise OperationError("{0} is a photo, and Focal never overwrites photos: choose another folder.", path)


def is_dicom_file(file: Path) -> bool:
    """Tell whether a file is DICOM by its first bytes; such files may identify patients and must not be shared."""
    try:
        with open_regular(file) as stream:
            return is_dicom(stream.read(HEAD))
    except OSError:
        return False


def shown_picture(library: Library, file: Path) -> bytes:
    """Return the image that the library shows for a file, as a PNG of full size without metadata.

    Raises
    ------
    OperationError
        If it cannot be decoded.
    """
    try:
        return sandbox().call(_picture, file, decode_limits(library), seconds=SECONDS.get(library))
    except ImageError as error:
        raise OperationError("{0} cannot be decoded: {1}", file, error) from error


def _count(file: Path, limits: DecodeLimits) -> int:
    return decode.count_frames(file, limits)  # pragma: no cover - in a worker, which ends by force


def _picture(file: Path, limits: DecodeLimits) -> bytes:
    picture: Any = decode.decode(file, side=None, limits=limits).rgb  # pragma: no cover
    return decode.to_png(picture)  # pragma: no cover
