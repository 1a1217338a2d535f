# SPDX-License-Identifier: MIT
"""Photos as pictures for the screen, created in the loader's threads."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QTransform

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.photos.thumbnail import preview, preview_of, thumbnail
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.thumbnail_loader import PixelSize

STORED_SIDE: Final = 256
"""Longest side of stored thumbnails in pixels; larger pictures are made from the original."""

_MAX_SIDE: Final = 4096
"""Longest side in pixels to which a photo is decoded for the part in a small box."""

_WHOLE_PHOTO: Final = Region(0.0, 0.0, 1.0, 1.0)

CANCEL_SECONDS: Final = 1.5
"""Seconds after which decoding for a cancelled request is stopped."""


def picture(library: Library, item: int, size: PixelSize) -> QImage:
    """Return a photo, or the part of it in a box, scaled to fit a size; a null image if it is unavailable.

    Parameters
    ----------
    item : int
        Item of `catalog.facts.learning.items`.
    size : PixelSize
        Size in device pixels. The picture has the user's rotation, keeps its proportions and is never enlarged.
    """
    photo_id, region, side = item, _WHOLE_PHOTO, max(size)
    if item < 0:
        boxes = library.boxes.get(box_ids_of([item]))
        if not boxes:
            return QImage()
        photo_id, region = boxes[0].photo_id, boxes[0].region
        (photo,) = library.photos.get([photo_id])
        width, height = photo.width or 1, photo.height or 1
        longest = max((region.x1 - region.x0) * width, (region.y1 - region.y0) * height)
        side = min(_MAX_SIDE, math.ceil(side * max(width, height) / longest))
    quarters = library.rotations.of([photo_id])[photo_id]
    if quarters % 2:
        size = PixelSize(size.height, size.width)
    if side > STORED_SIDE:
        image = full_picture(library, photo_id, side)
        if not image.isNull():
            return rotated(fitted(_part(image, region), size), quarters)
    # Also for a large size if the original is missing: a blurred photo is better than none.
    stored = thumbnail(library, photo_id)
    if stored is None:
        return QImage()
    image = _from_jpeg(stored, size if region == _WHOLE_PHOTO else PixelSize(side, side))
    return rotated(fitted(_part(image, region), size), quarters)


def _part(image: QImage, region: Region) -> QImage:
    """Return the part of an image in a region."""
    if region == _WHOLE_PHOTO:
        return image
    width, height = image.width(), image.height()
    corner = QPointF(region.x0 * width, region.y0 * height)
    return image.copy(QRectF(corner, QPointF(region.x1 * width, region.y1 * height)).toAlignedRect())


def _from_jpeg(data: bytes, size: PixelSize) -> QImage:
    """Decode a JPEG file, scaled down to fit a size; a null image if it is invalid.

    Unlike `QImage.fromData` and `QImage.scaled`, this releases the GIL, so the window need not wait for every picture.
    """
    buffer = QBuffer()
    buffer.setData(QByteArray(data))  # copies the data; with the other constructor it would have to outlive the buffer
    reader = QImageReader(buffer, QByteArray(b"JPEG"))
    # Otherwise Qt asks the readers of all formats. The one for SVG connects objects, for which this thread would wait
    # for a lock held by the main thread.
    reader.setAutoDetectImageFormat(False)
    if not reader.canRead():
        return QImage()
    whole = reader.size()
    if whole.width() > size.width or whole.height() > size.height:
        reader.setScaledSize(whole.scaled(QSize(*size), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()


class PictureRequest:
    """A request for a full picture that can be cancelled.

    Even then decoding continues for `CANCEL_SECONDS`, because it may be nearly done, and stopping a decoder ends its
    process.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._cancelled = False

    def cancel(self) -> None:
        """Cancel the request."""
        self._cancelled = True

    def is_set(self) -> bool:
        """Return whether to stop decoding."""
        return self._cancelled and time.monotonic() - self._begun > CANCEL_SECONDS


@dataclass(frozen=True)
class FullPicture:
    """A photo decoded from its file."""

    image: QImage
    """The image as in the file; null if decoding failed."""
    failure: str = ""
    """Why decoding failed, as text for the user; else empty."""
    quarters: int = 0
    """The user's rotation, in quarter turns clockwise."""

    @property
    def upright(self) -> QImage:
        """The image with the user's rotation."""
        return rotated(self.image, self.quarters)


def warm_up() -> None:
    """Start the process that decodes photos, so that the first photo need not wait for it; return at once."""
    sandbox().warm_up()


def interrupt() -> None:
    """Stop all running decoding, so that waiting threads can end."""
    sandbox().interrupt()


def read_picture(library: Library, photo_id: int, side: int, request: PictureRequest | None = None) -> FullPicture:
    """Decode a photo from its file, its longest side at most `side` pixels, or return the failure."""
    try:
        image = _image(preview(library, photo_id, side, cancelled=request))
        return FullPicture(image, quarters=library.rotations.of([photo_id])[photo_id])
    except OperationError as error:
        return FullPicture(QImage(), in_words(str(error)))


def read_image(library: Library, source: Path | bytes, side: int) -> QImage:
    """Decode any image, its longest side at most `side` pixels; a null image if decoding fails."""
    try:
        return _image(preview_of(library, source, side))
    except OperationError:
        return QImage()


def _image(rgb: NDArray[np.uint8]) -> QImage:
    height, width = rgb.shape[:2]
    # The conversion copies the pixels, so the array may be freed.
    image = QImage(rgb.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return image.convertToFormat(QImage.Format.Format_RGB32)


def rotated(image: QImage, quarters: int) -> QImage:
    """Rotate an image clockwise by quarter turns."""
    return image.transformed(QTransform().rotate(90 * quarters)) if quarters else image


def full_picture(library: Library, photo_id: int, side: int) -> QImage:
    """Return a photo decoded from its file, its longest side at most `side` pixels; a null image if decoding fails."""
    return read_picture(library, photo_id, side).image


def fitted(image: QImage, size: PixelSize) -> QImage:
    """Scale the image down to fit a size, in the format that is painted fastest."""
    if image.width() > size.width or image.height() > size.height:
        image = image.scaled(
            QSize(*size), Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
    return image.convertToFormat(QImage.Format.Format_RGB32)
