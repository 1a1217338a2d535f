"""Photos as pictures for the screen; made in the loader's threads."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from browser.catalog.library import Library
from browser.operations.errors import OperationError
from browser.operations.thumbnail import preview, thumbnail
from browser.tasks.thumbnail_loader import Box

STORED_SIDE: Final = 256
"""Longest side of the stored thumbnails; larger boxes are filled from the original."""


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


def full_picture(library: Library, photo_id: int, side: int) -> QImage:
    """Return a photo decoded from its file, its longest side at most `side`; a null image if it cannot be had."""
    try:
        rgb = preview(library, photo_id, side)
    except OperationError:
        return QImage()
    height, width = rgb.shape[:2]
    # The copy made by the conversion owns its pixels; the array may go.
    return QImage(rgb.data, width, height, 3 * width, QImage.Format.Format_RGB888).convertToFormat(
        QImage.Format.Format_RGB32
    )


def fitted(image: QImage, box: Box) -> QImage:
    """Return the image scaled down to fit the box, in the format that is painted fastest."""
    size = QSize(*box)
    if image.width() > size.width() or image.height() > size.height():
        image = image.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    return image.convertToFormat(QImage.Format.Format_RGB32)
