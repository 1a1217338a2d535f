# SPDX-License-Identifier: MIT
"""Steps in the review, by keys and mouse."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver, pause

Key = Qt.Key


class ReviewDriver:
    """Drives the review of a window."""

    def __init__(self, driver: WindowDriver) -> None:
        self.driver = driver
        self.page = driver.window.modes.review_page
        self.questions = self.page.question_page
        self.grid = self.questions.grid
        self.review = driver.session.review
        # even on a busy machine, the next question must wait for the effect of the last answer
        self.review._patience.setInterval(600_000)

    def open(self) -> None:
        """Show the review and wait for the first question."""
        self.driver.press(Key.Key_G, CTRL | SHIFT)
        self.wait()

    def wait(self) -> None:
        """Wait until the question is shown and Enter is accepted."""
        self.driver.wait_until_idle("the question")
        self.driver.wait_until(lambda: self.questions.ready, "the pause after an answer")

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the focused widget."""
        self.driver.press(key, modifiers)

    def center(self, row: int) -> QPoint:
        """Return the middle of a tile, scrolled into view."""
        index = self.review.tiles.grid.index(row)
        self.grid.scrollTo(index)
        pause(5)
        return self.grid.visualRect(index).center()

    def click(self, row: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Click a tile."""
        QTest.mouseClick(self.grid.viewport(), Qt.MouseButton.LeftButton, modifiers, self.center(row))

    def drag(self, start: QPoint, *stops: QPoint) -> None:
        """Press at a point, move over others, release at the last."""
        viewport = self.grid.viewport()
        QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
        for stop in stops:
            QTest.mouseMove(viewport, stop)
            pause(5)
        QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, stops[-1])

    def line_point(self) -> QPoint:
        """Return a point on the line."""
        points = self.grid.line_points(self.review.answers.line)
        return ((points[0] + points[1]) / 2 + QPointF(0, 1)).toPoint()

    def tags(self) -> dict[int, list[str]]:
        """Return the tags of all photos."""
        library = self.driver.session.library
        return library.tags.of(library.photos.ids("").tolist())

    def rejected(self) -> set[tuple[int, str]]:
        """Return the rejected suggestions."""
        return self.driver.session.library.suggestions.rejected_pairs()
