"""Photos as pictures for the screen; made in the loader's threads."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from browser.catalog.library import Library
from browser.operations.jobs.errors import OperationError
from browser.operations.photos.thumbnail import preview, thumbnail
from browser.operations.workers.sandbox import apart
from browser.tasks.thumbnail_loader import Box

STORED_SIDE: Final = 256
"""Longest side of the stored thumbnails; larger boxes are filled from the original."""

PATIENCE: Final = 1.5
"""Seconds after which decoding that nobody waits for any longer is stopped."""


def picture(library: Library, photo_id: int, box: Box) -> QImage:
    """Return a photo fitted into a box; a null image if it cannot be had.

    Parameters
    ----------
    library : Library
        Where the photo is.
    photo_id : int
        Which photo.
    box : Box
        Device pixels; the picture keeps its proportions and is never enlarged.
    """
    if max(box) > STORED_SIDE:
        image = full_picture(library, photo_id, max(box))
        if not image.isNull():
            return fitted(image, box)
    # Also for a large box, where the original is gone: a blurred photo is better than none.
    stored = thumbnail(library, photo_id)
    return QImage() if stored is None else fitted(QImage.fromData(stored), box)


class Wish:
    """A wish for a full picture that may be given up.

    One that is nearly there is let be: to stop a decoder is to end its process.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._given_up = False

    def give_up(self) -> None:
        """Say that the picture is no longer wanted."""
        self._given_up = True

    def is_set(self) -> bool:
        """Tell whether to stop."""
        return self._given_up and time.monotonic() - self._begun > PATIENCE


@dataclass(frozen=True)
class FullPicture:
    """A photo decoded from its file.

    Attributes
    ----------
    image : QImage
        Null if it could not be decoded.
    failure : str
        Why it could not, for a person; else empty.
    """

    image: QImage
    failure: str = ""


def warm_up() -> None:
    """Start the process that decodes photos, so that the first one need not wait for it; returns at once."""
    apart().warm_up()


def interrupt() -> None:
    """End all decoding that is going on, so that threads which wait for it can end."""
    apart().interrupt()


def read_picture(library: Library, photo_id: int, side: int, wish: Wish | None = None) -> FullPicture:
    """Decode a photo from its file, its longest side at most `side`, or say why that cannot be done."""
    try:
        rgb = preview(library, photo_id, side, cancelled=wish)
    except OperationError as error:
        return FullPicture(QImage(), str(error))
    height, width = rgb.shape[:2]
    # The copy made by the conversion owns its pixels; the array may go.
    image = QImage(rgb.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return FullPicture(image.convertToFormat(QImage.Format.Format_RGB32))


def full_picture(library: Library, photo_id: int, side: int) -> QImage:
    """Return a photo decoded from its file, its longest side at most `side`; a null image if it cannot be had."""
    return read_picture(library, photo_id, side).image


def fitted(image: QImage, box: Box) -> QImage:
    """Return the image scaled down to fit the box, in the format that is painted fastest."""
    size = QSize(*box)
    if image.width() > size.width() or image.height() > size.height():
        image = image.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    return image.convertToFormat(QImage.Format.Format_RGB32)
