# SPDX-License-Identifier: MIT
"""Thumbnails and larger previews of photos for the window; all decoding is sandboxed."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import decode_limits
from focal_photos.browser.operations.describing.settings import SECONDS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.photos.offline import look_for_offline, offline_root
from focal_photos.browser.operations.workers.sandbox import decode_in_sandbox, sandbox
from focal_photos.browser.operations.workers.watchdog import Cancellation
from focal_photos.features import description
from focal_photos.features.decoding.limits import ImageError


def thumbnail(library: Library, photo_id: int) -> bytes | None:
    """Return a photo's thumbnail as a JPEG file, cached or newly made; None if it cannot be made.

    Raises
    ------
    UnknownPhotoError
        If the id is not in the library.
    """
    cached = library.thumbnails.get(photo_id)
    if cached is not None:
        return cached
    photo = library.photos.get([photo_id])[0]
    if photo.missing or photo.failure is not None:
        return None

    plan = description.DescriptionPlan(limits=decode_limits(library))  # no descriptors
    try:
        made = sandbox().call(description.describe, photo.path, plan, seconds=SECONDS.get(library)).thumbnail
    except (ImageError, OperationError):
        return None
    if made is not None and not library.read_only:
        library.thumbnails.put(photo_id, made)
    return made


def preview(library: Library, photo_id: int, side: int, *, cancelled: Cancellation | None = None) -> NDArray[np.uint8]:
    """Return a photo's pixels, upright, sRGB, uint8 (h, w, 3), with a longer side of at most `side` pixels.

    Raises
    ------
    OperationError
        If it cannot be decoded, with the reason, or was cancelled.
    UnknownPhotoError
        If the id is not in the library.
    """
    photo = library.photos.get([photo_id])[0]
    try:
        return decode_in_sandbox(
            photo.path, side=side, limits=decode_limits(library), seconds=SECONDS.get(library), cancelled=cancelled
        ).rgb
    except ImageError as error:
        raise OperationError("{0} cannot be shown: {1}", photo.path, _reason(library, photo) or error) from error


def preview_of(library: Library, source: Path | bytes, side: int) -> NDArray[np.uint8]:
    """Return the pixels of any image, in or outside the library, as `preview` does.

    Raises
    ------
    OperationError
        If it cannot be decoded.
    """
    try:
        return decode_in_sandbox(source, side=side, limits=decode_limits(library), seconds=SECONDS.get(library)).rgb
    except ImageError as error:
        raise OperationError("The image cannot be shown: {0}", error) from error


def _reason(library: Library, photo: Photo) -> str:
    """Return the remedy for a photo whose file does not exist; empty if it does."""
    if os.path.lexists(photo.path):
        return ""
    if offline_root(photo.path, look_for_offline(library)) is not None:
        return Text("its folder is offline. Connect its drive, or relocate the folder (File menu) if it was moved.")
    return Text("the file is missing. Missing photos (File menu) searches for missing files.")
