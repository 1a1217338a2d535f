# SPDX-License-Identifier: MIT
"""Drag and drop on the window: the dragged addresses, and a frame that announces the effect."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QMimeData, QRectF, Qt, QUrl
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.tiles import is_named_as_image
from focal_photos.browser.views.base.theme import Theme, scaled_font

PHOTOS_TYPE: Final = "application/x-focal-photos"
"""MIME type of dragged photos of the library: their ids as JSON."""
NET: Final = ("http", "https")
_INSET: Final = 5
_CORNER: Final = 10.0
_PADDING: Final = 18


def addresses_in(data: QMimeData) -> list[QUrl]:
    """Return the addresses in pasted or dropped data: URLs, or text whose lines are all addresses.

    An absolute path counts as an address, because terminals and editors copy paths as text.
    """
    if data.urls() or data.hasImage():
        return data.urls()
    found = []
    for line in filter(None, map(str.strip, data.text().splitlines())):
        url = QUrl.fromLocalFile(line) if Path(line).is_absolute() else QUrl(line)
        if not url.isLocalFile() and url.scheme() not in NET:
            return []
        found.append(url)
    return found


def comes_from_elsewhere(data: QMimeData) -> bool:
    """Return whether data is an image, files or addresses from another program, rather than photos of the window."""
    return not data.hasFormat(PHOTOS_TYPE) and (data.hasImage() or bool(addresses_in(data)))


class DropFrame(QWidget):
    """A frame over a widget while data of another program is dragged over it, with the effect of dropping.

    Parameters
    ----------
    parent : QWidget
        Covered while the frame is shown; the frame receives neither mouse events nor drops.
    adds : bool
        Whether dropped images are added to the query rather than replace it.
    """

    def __init__(self, parent: QWidget, theme: Theme, *, adds: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName("dropFrame")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme = theme
        self._adds = adds
        self.text = ""
        """The displayed text."""
        self.setFont(scaled_font(self.font(), 1.3))
        theme.changed.connect(self.update)
        self.hide()

    def hold(self, data: QMimeData) -> None:
        """Show the effect of dropping data; do nothing for photos of the window itself."""
        if not comes_from_elsewhere(data):
            return
        self.text = _said(data, adds=self._adds)
        self.setAccessibleName(self.text)
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame and, in its middle, the text on a background."""
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(_INSET, _INSET, -_INSET, -_INSET)
        painter.setBrush(theme.color("accent", 0.12))
        painter.setPen(QPen(theme.color("accent"), 3))
        painter.drawRoundedRect(area, _CORNER, _CORNER)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        room = area.adjusted(_PADDING, _PADDING / 2, -_PADDING, -_PADDING / 2)
        text = painter.boundingRect(room, flags, self.text)
        painter.setPen(QPen(theme.color("accent"), 1))
        painter.setBrush(theme.color("window", 0.94))
        painter.drawRoundedRect(text.adjusted(-_PADDING, -_PADDING / 2, _PADDING, _PADDING / 2), _CORNER, _CORNER)
        painter.setPen(theme.color("text"))
        painter.drawText(room, flags, self.text)


def _said(data: QMimeData, *, adds: bool) -> str:
    urls = addresses_in(data)
    files = [url for url in urls if url.isLocalFile()]
    if not files and not data.hasImage():
        return nothing_from_the_net()
    # judged by their names, because their disk may not answer
    if not all(is_named_as_image(url.path()) for url in files):
        return QCoreApplication.translate("dropping", "Drop to open it")
    one = len(files) < 2
    if adds:
        also = QCoreApplication.translate("dropping", "Drop to look for photos like this one too")
        return also if one else QCoreApplication.translate("dropping", "Drop to look for photos like these too")
    found = QCoreApplication.translate("dropping", "Drop to find photos like this one")
    return found if one else QCoreApplication.translate("dropping", "Drop to find photos like these")


def nothing_from_the_net() -> str:
    """Return the message for an address that Focal would have to download."""
    return QCoreApplication.translate(
        "dropping", "Focal does not download anything: copy the picture itself and paste it here."
    )
