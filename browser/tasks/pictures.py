"""Photos as pictures for the screen; made in the loader's threads."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QByteArray, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QTransform

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.photos.thumbnail import preview, preview_of, thumbnail
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.thumbnail_loader import PixelSize

STORED_SIDE: Final = 256
"""Longest side of the stored thumbnails; larger sizes are made from the original."""

PATIENCE: Final = 1.5
"""Seconds after which decoding that nobody waits for any longer is stopped."""


def picture(library: Library, photo_id: int, size: PixelSize) -> QImage:
    """Return a photo fitted into a size; a null image if it cannot be had.

    Parameters
    ----------
    library : Library
        Where the photo is.
    photo_id : int
        Which photo.
    size : PixelSize
        Device pixels; the picture, turned as a person has turned it, keeps its proportions and is never enlarged.
    """
    quarters = library.turns.of([photo_id])[photo_id]
    if quarters % 2:
        size = PixelSize(size.height, size.width)
    if max(size) > STORED_SIDE:
        image = full_picture(library, photo_id, max(size))
        if not image.isNull():
            return turned(fitted(image, size), quarters)
    # Also for a large size, where the original is gone: a blurred photo is better than none.
    stored = thumbnail(library, photo_id)
    return QImage() if stored is None else turned(fitted(_from_jpeg(stored, size), size), quarters)


def _from_jpeg(data: bytes, size: PixelSize) -> QImage:
    """Return what a JPEG file shows, scaled down to fit into a size; a null image if it is none.

    `QImage.fromData` and `QImage.scaled` would keep the interpreter while they work, so that the window waits for every
    picture.
    """
    buffer = QBuffer()
    buffer.setData(QByteArray(data))  # of its own: one that it is given must outlive it
    reader = QImageReader(buffer, QByteArray(b"JPEG"))
    # Qt otherwise asks the readers of all formats, and that of SVG connects objects: this thread would wait for a lock
    # of the main thread's.
    reader.setAutoDetectImageFormat(False)
    if not reader.canRead():
        return QImage()
    whole = reader.size()
    if whole.width() > size.width or whole.height() > size.height:
        reader.setScaledSize(whole.scaled(QSize(*size), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()


class PictureRequest:
    """A request for a full picture, which may be cancelled.

    Decoding goes on for `PATIENCE` all the same, for it may be nearly done: to stop a decoder is to end its process.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._cancelled = False

    def cancel(self) -> None:
        """Say that the picture is no longer wanted."""
        self._cancelled = True

    def is_set(self) -> bool:
        """Tell whether to stop."""
        return self._cancelled and time.monotonic() - self._begun > PATIENCE


@dataclass(frozen=True)
class FullPicture:
    """A photo decoded from its file.

    Attributes
    ----------
    image : QImage
        Null if it could not be decoded.
    failure : str
        Why it could not, for a person; else empty.
    quarters : int
        By how many quarter turns, clockwise, it is to be shown turned; `image` is as the file has it.
    """

    image: QImage
    failure: str = ""
    quarters: int = 0

    @property
    def upright(self) -> QImage:
        """The image as it is to be shown."""
        return turned(self.image, self.quarters)


def warm_up() -> None:
    """Start the process that decodes photos, so that the first one need not wait for it; returns at once."""
    sandbox().warm_up()


def interrupt() -> None:
    """End all decoding that is going on, so that threads which wait for it can end."""
    sandbox().interrupt()


def read_picture(library: Library, photo_id: int, side: int, request: PictureRequest | None = None) -> FullPicture:
    """Decode a photo from its file, its longest side at most `side`, or say why that cannot be done."""
    try:
        image = _image(preview(library, photo_id, side, cancelled=request))
        return FullPicture(image, quarters=library.turns.of([photo_id])[photo_id])
    except OperationError as error:
        return FullPicture(QImage(), in_words(str(error)))


def read_image(library: Library, source: Path | bytes, side: int) -> QImage:
    """Decode an image that need not be in the library, its longest side at most `side`; a null one if it cannot be."""
    try:
        return _image(preview_of(library, source, side))
    except OperationError:
        return QImage()


def _image(rgb: NDArray[np.uint8]) -> QImage:
    height, width = rgb.shape[:2]
    # The copy made by the conversion owns its pixels; the array may go.
    image = QImage(rgb.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return image.convertToFormat(QImage.Format.Format_RGB32)


def turned(image: QImage, quarters: int) -> QImage:
    """Return an image turned clockwise by some quarters; itself if it is upright already."""
    return image.transformed(QTransform().rotate(90 * quarters)) if quarters else image


def full_picture(library: Library, photo_id: int, side: int) -> QImage:
    """Return a photo decoded from its file, its longest side at most `side`; a null image if it cannot be had."""
    return read_picture(library, photo_id, side).image


def fitted(image: QImage, size: PixelSize) -> QImage:
    """Return the image scaled down to fit into a size, in the format that is painted fastest."""
    if image.width() > size.width or image.height() > size.height:
        image = image.scaled(
            QSize(*size), Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
    return image.convertToFormat(QImage.Format.Format_RGB32)
