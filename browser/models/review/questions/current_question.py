# SPDX-License-Identifier: MIT
"""The question that is shown, with the user's unsaved answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.review.questions.answers import Answers
from focal_photos.browser.models.review.questions.tile_answers import TileAnswers
from focal_photos.learners.tags.confidence.answered import Answered

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.review import Question


class CurrentQuestion:
    """The shown question, or none.

    Parameters
    ----------
    tiles : TileAnswers
        Shows its photos.
    """

    def __init__(self, tiles: TileAnswers) -> None:
        self.question: Question | None = None
        self.shown: tuple[float, ...] = ()
        """Displayed confidence of its photos."""
        self.name = ""
        """Text typed as the name of the new kind."""
        self.outdated = False
        """Whether another part of the program has changed tags, boxes or answers of some of its photos."""
        self.drawn_on: set[int] = set()
        """Photos on which the user has drawn a box."""
        self._tiles = tiles
        self._seen = 0
        self._brought_back_by: ChangeSet | None = None

    @property
    def tag(self) -> str | None:
        """The tag of the question; None without a question, or for a new kind."""
        return None if self.question is None else self.question.tag

    def show(
        self,
        question: Question | None,
        answers: Answers | None = None,
        name: str = "",
        *,
        brought_back_by: ChangeSet | None = None,
    ) -> None:
        """Show a question, or none.

        Parameters
        ----------
        answers : Answers, optional
            Answers to begin with; default: those that the question proposes.
        name : str
            Name of the new kind to begin with.
        brought_back_by : ChangeSet, optional
            The undone change that asks the question again; it does not outdate the question.
        """
        self.question, self.name = question, name
        self.shown = () if question is None else tuple(question.shown.tolist())
        self.outdated, self._seen, self._brought_back_by = False, 0, brought_back_by
        self.drawn_on = set()
        if answers is not None:
            answers = answers.copy()
        elif question is not None:
            answers = Answers(tuple(question.photo_ids.tolist()), question.line)
        self._tiles.show(answers or Answers(), None if question is None else question.regions)

    def take_changes(self, changes: ChangeSet) -> None:
        """Read the changed photos again."""
        self._tiles.grid.refresh(changes.photo_ids or None)
        shown = self._tiles.answers.photo_ids
        if changes is self._brought_back_by:
            return
        if changes.photo_ids:
            self.outdated |= not changes.photo_ids.isdisjoint(shown)
        else:  # new photos and renewed suggestions change no photo that the user looks at
            self.outdated |= not changes.kinds.isdisjoint((Kind.TAGS, Kind.BOXES))

    def write(self, name: str) -> None:
        """Record the text typed as the name of the new kind."""
        self.name = name

    # ------------------------------------------------------------------ seen photos
    def see(self, rows: int) -> None:
        """Record the number of photos from the top that have been visible."""
        self._seen = max(self._seen, rows)

    @property
    def seen_ids(self) -> tuple[int, ...]:
        """Photos that have been visible."""
        return self._tiles.answers.photo_ids[: self._seen]

    def observed(self, question: Question) -> Answered:
        """Return the answers as evidence for the confidence of later photos: those of seen and of answered photos."""
        answers = self._tiles.answers
        rows = range(len(answers.photo_ids))
        answered = max((row for row in rows if answers.is_yes(row)), default=-1) + 1
        right = np.array([answers.is_yes(row) for row in rows[: max(self._seen, answered)]], dtype=bool)
        return Answered(question.stated[: len(right)], right, question.foreign[: len(right)])
