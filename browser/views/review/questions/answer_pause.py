# SPDX-License-Identifier: MIT
"""The pause after an answer in which Enter is ignored, because a double press would answer unseen photos."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QApplication


class AnswerPause:
    """Lasts as long as a double click may take."""

    def __init__(self) -> None:
        self._since_answer = QElapsedTimer()

    def begin(self) -> None:
        """Begin after an answer."""
        self._since_answer.start()

    @property
    def over(self) -> bool:
        """Whether Enter is accepted again."""
        since = self._since_answer
        return not since.isValid() or since.elapsed() >= QApplication.doubleClickInterval()
