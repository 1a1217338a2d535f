# SPDX-License-Identifier: MIT
"""The photos of a question in a grid, and the user's unsaved answers, tile by tile."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.review.questions.answers import Answers


class TileAnswers(QObject):
    """Changes answers as the user flips tiles, drags over them, or moves the line."""

    shown = Signal()
    """The photos of another question are shown, or none."""
    changed = Signal()
    """`answers` has changed."""

    def __init__(self, grid: GridModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.grid = grid
        self.answers = Answers()
        self._stroke: tuple[list[int], Answers] | None = None
        """Tiles that the present drag has touched, in order, and the answers before it."""

    def show(self, answers: Answers, regions: NDArray[np.float64] | None = None) -> None:
        """Show the photos of a question, or regions of them (n, 4), with these answers to begin with."""
        self.answers = answers
        windows = None if regions is None else regions.astype(np.float32)
        self.grid.arrange(np.array(answers.photo_ids, dtype=np.int64), windows=windows)
        self.shown.emit()
        self.changed.emit()

    def adopt(self, former: Answers, line: int | None) -> None:
        """Repeat the user's changes of a former search in the present photos.

        Parameters
        ----------
        line : int or None
            The line, if the user had moved it.
        """
        if line is not None:
            self.answers.move_line(line)
        self.answers.adopt(former)
        self.changed.emit()

    def flip(self, rows: Iterable[int]) -> None:
        """Invert the answer of the first photo, and give the others the same."""
        self.answers.flip(row for row in rows if 0 <= row < len(self.answers.photo_ids))
        self.changed.emit()

    def draw(self, photo_id: int) -> None:
        """Answer nothing about the suggested box of a photo, because another was drawn instead."""
        self.answers.drawn.add(photo_id)
        self.changed.emit()

    def name(self, row: int, tag: str) -> None:
        """Accept the suggested box of a photo by another name."""
        self.answers.names[self.answers.photo_ids[row]] = tag
        self.answers.set_yes([row], True)
        self.changed.emit()

    def move_line(self, line: int) -> None:
        """Move the line behind a number of photos."""
        self.answers.move_line(line)
        self.changed.emit()

    # ------------------------------------------------------------------ strokes
    def begin_stroke(self, row: int) -> None:
        """Flip a photo and begin a stroke, which gives other photos the same answer."""
        if 0 <= row < len(self.answers.photo_ids):
            self._stroke = [], self.answers.copy()
            self.continue_stroke(row)

    def continue_stroke(self, row: int) -> None:
        """Give a photo the new answer of the first; going back to the photo before restores the last one."""
        if self._stroke is None or not 0 <= row < len(self.answers.photo_ids):
            return
        touched, before = self._stroke
        if before.photo_ids != self.answers.photo_ids:  # other photos have arrived since
            self._stroke = None
            return
        if touched[-1:] == [row]:
            return
        if touched[-2:-1] == [row]:
            touched.pop()
        else:
            touched.append(row)
        self.answers.flipped, self.answers.drawn = set(before.flipped), set(before.drawn)
        self.answers.set_yes(list(dict.fromkeys(touched)), not before.is_yes(touched[0]))
        self.changed.emit()

    def end_stroke(self) -> None:
        """End the stroke, keeping its answers."""
        self._stroke = None
