# SPDX-License-Identifier: MIT
"""Labels: plain text with a style variant, text elided to fit, and hints that omit sentences."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from focal_photos.browser.models.photos.tool_tip import tool_tip

_PARTS: Final = re.compile(r"(?<=\.) |  \N{MIDDLE DOT}  ")
"""Separators between the parts that a hint can omit: sentences, and parts between dots."""
_DOTS: Final = " \N{MIDDLE DOT}"
_LEAST_LETTERS: Final = 6
"""Least number of letters of a shortened word; fewer are unreadable."""


def label(text: str = "", variant: str = "", *, wrap: bool = False) -> QLabel:
    """Return a plain-text label; `variant` names a style of the sheet."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setWordWrap(wrap)
    if variant:
        widget.setProperty("variant", variant)
    return widget


class ElidedLabel(QLabel):
    """A label that elides its text instead of requesting more space.

    Text is cut at its end; a file name in its middle, because names of a series differ at their ends.

    Parameters
    ----------
    variant : str
        Style variant.
    lines : int
        Number of lines into which the text is broken before it is elided.
    asks : bool
        Whether to request the width of the whole text; otherwise the label takes the width that the layout gives it.
    """

    def __init__(self, text: str = "", variant: str = "", *, lines: int = 1, asks: bool = False) -> None:
        super().__init__()
        self._text = ""
        self._cut = Qt.TextElideMode.ElideRight
        self._lines = lines
        self._asks = asks
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(lines > 1)
        policy = QSizePolicy.Policy.Maximum if asks else QSizePolicy.Policy.Ignored
        self.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
        if variant:
            self.setProperty("variant", variant)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Set the text; it is cut at its end if there is too little space."""
        self._show(text, Qt.TextElideMode.ElideRight)

    def show_file_name(self, name: str) -> None:
        """Show a file name or path; it is cut in its middle if there is too little space."""
        self._show(name, Qt.TextElideMode.ElideMiddle)

    def _show(self, text: str, cut: Qt.TextElideMode) -> None:
        self._text, self._cut = text, cut
        self.setToolTip(tool_tip(text))
        self.setAccessibleName(text)
        self._elide()
        self.updateGeometry()

    def full_text(self) -> str:
        """Return the whole text."""
        return self._text

    def whole_width(self) -> int:
        """Return the width of the whole text in one line."""
        return self.fontMetrics().horizontalAdvance(self._text) + 4

    def sizeHint(self) -> QSize:
        """Return the width of the whole text, if requested, and the height of the lines used."""
        hint = super().sizeHint()
        if self._asks:
            hint.setWidth(self.whole_width())
        return hint if self._lines == 1 else QSize(0, self._height_of_lines())

    def minimumSizeHint(self) -> QSize:
        """Return the height of the lines, and width 0."""
        return QSize(0, self.sizeHint().height())

    def hasHeightForWidth(self) -> bool:
        """Return False: the height follows from the number of lines."""
        return False

    def _height_of_lines(self) -> int:
        metrics = self.fontMetrics()
        box = metrics.boundingRect(QRect(0, 0, self._room(), 1 << 14), int(Qt.TextFlag.TextWordWrap), self._text)
        lines = max(1, min(self._lines, round(box.height() / max(metrics.lineSpacing(), 1))))
        return lines * metrics.lineSpacing() + metrics.leading()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide the text for the new width."""
        super().resizeEvent(event)
        self._elide()
        if self._lines > 1 and event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def _room(self) -> int:
        return max(20, self.width() - 2)

    def _elide(self) -> None:
        metrics, room = self.fontMetrics(), self._room()
        if self._lines == 1:
            super().setText(metrics.elidedText(self._text, self._cut, room))
            return
        super().setText(self._fitting(room))

    def _fitting(self, room: int) -> str:
        """Return as many words as fit into the lines; a path may be elided in its middle."""
        words, metrics = self._text.split(" "), self.fontMetrics()
        flags, most = int(Qt.TextFlag.TextWordWrap), self._lines * metrics.lineSpacing() + metrics.leading()

        def fits(text: str) -> bool:
            box = metrics.boundingRect(QRect(0, 0, room, 1 << 14), flags, text)
            return box.height() <= most and box.width() <= room

        if fits(self._text):
            return self._text
        for count in range(len(words), 0, -1):
            cut = Qt.TextElideMode.ElideMiddle if os.sep in words[count - 1] else Qt.TextElideMode.ElideRight
            shortened = metrics.elidedText(words[count - 1], cut, room)
            text = " ".join([*words[: count - 1], shortened])
            if shortened != words[count - 1] and len(shortened) > _LEAST_LETTERS and fits(text):
                return text
            text = " ".join(words[: count - 1]).rstrip(_DOTS) + "\N{HORIZONTAL ELLIPSIS}"
            if count > 1 and fits(text):
                return text
        return metrics.elidedText(self._text, self._cut, room)


class NamesLabel(ElidedLabel):
    """A label that elides the names in its text first, and breaks into two lines if the text is still too long.

    If that is not enough either, the ends of the lines are cut.
    """

    def __init__(self, variant: str = "") -> None:
        self._pattern = ""
        self._names: tuple[str, ...] = ()
        super().__init__("", variant)

    def show_names(self, pattern: str, names: Sequence[str]) -> None:
        """Show a text with ``{0}``, ``{1}``, ... for the names in it."""
        self._pattern, self._names = pattern, tuple(names)
        self.setText(pattern.format(*names))

    def _elide(self) -> None:
        room, former = self._room(), QLabel.text(self)
        lines = [self._pattern]
        if self._least_width(self._pattern) > room:
            words = self._pattern.split(" ")
            breaks = [[" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words))]
            lines = min(breaks, key=lambda two: max(map(self._least_width, two)), default=lines)
        shown = "\n".join(self._in_room(line, room) for line in lines) if self._names else self._text
        QLabel.setText(self, shown)
        if shown.count("\n") != former.count("\n"):
            self.updateGeometry()

    def _least_width(self, pattern: str) -> int:
        """Return the width of a part of the text with all names as short as possible."""
        metrics = self.fontMetrics()
        least = metrics.horizontalAdvance("n" * _LEAST_LETTERS)
        empty = [""] * len(self._names)
        names = [self._names[place] for place in self._places(pattern)]
        return metrics.horizontalAdvance(pattern.format(*empty)) + sum(
            min(least, metrics.horizontalAdvance(name)) for name in names
        )

    def _places(self, pattern: str) -> list[int]:
        return [place for place in range(len(self._names)) if f"{{{place}}}" in pattern]

    def _in_room(self, pattern: str, room: int) -> str:
        """Return a part of the text with names that fit into the width."""
        metrics, shortened = self.fontMetrics(), list(self._names)
        left = room - metrics.horizontalAdvance(pattern.format(*([""] * len(shortened))))
        least = metrics.horizontalAdvance("n" * _LEAST_LETTERS)
        widths = {place: metrics.horizontalAdvance(self._names[place]) for place in self._places(pattern)}
        if sum(widths.values()) > left:
            # the shortest first, so that longer names can use the space that it does not need
            for count, place in enumerate(sorted(widths, key=lambda place: widths[place])):
                share = max(left // (len(widths) - count), least)
                shortened[place] = metrics.elidedText(self._names[place], Qt.TextElideMode.ElideMiddle, share)
                left -= metrics.horizontalAdvance(shortened[place])
        return metrics.elidedText(pattern.format(*shortened), Qt.TextElideMode.ElideRight, room)


class HintLabel(QLabel):
    """A hint in the available lines: the last sentences are omitted if they do not fit.

    So essential text must come first. The tool tip and the accessible name have the whole text.
    """

    def __init__(self, text: str = "", variant: str = "faint") -> None:
        super().__init__()
        self._text = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setProperty("variant", variant)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Set the hint."""
        self._text = text
        self.setToolTip(tool_tip(text))
        self.setAccessibleName(text)
        self._fit()

    def full_text(self) -> str:
        """Return the whole hint."""
        return self._text

    def minimumSizeHint(self) -> QSize:
        """Return the height of a line, and width 0."""
        return QSize(0, self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        """Return the size of one line."""
        return QSize(self.fontMetrics().horizontalAdvance(self._text), self.fontMetrics().height())

    def heightForWidth(self, _width: int) -> int:
        """Return the height of one line: more lines are used if available, but not requested."""
        return self.fontMetrics().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the text to the new size."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.contentsRect()
        ends = [match.start() for match in _PARTS.finditer(self._text)]
        for end in [len(self._text), *reversed(ends)]:
            need = self.fontMetrics().boundingRect(
                QRect(0, 0, room.width(), 1 << 16), Qt.TextFlag.TextWordWrap, self._text[:end]
            )
            if need.width() <= room.width() and need.height() <= room.height():
                super().setText(self._text[:end])
                return
        super().setText("")
