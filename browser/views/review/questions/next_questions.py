# SPDX-License-Identifier: MIT
"""Buttons in the heading of a page that go on with other questions than the current one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Signal

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.views.base.buttons import FreshButton
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import OneLine

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.review import Question

_SHOWN: Final = 4
_LETTERS: Final = 18
"""Largest number of letters of a tag on a button."""


class NextQuestions(OneLine):
    """Shows the next questions, each with the expected number of photos or boxes.

    Parameters
    ----------
    tip : callable
        Question -> text of its tool tip.
    """

    chosen = Signal(object)
    """A button was clicked; its question (`Question`)."""

    def __init__(self, tip: Callable[[Question], str]) -> None:
        super().__init__()
        self._tip = tip

    def show_questions(self, questions: Sequence[Question]) -> None:
        """Show the first of these questions; without any, show nothing."""
        chips = [self._chip(question) for question in questions[:_SHOWN]]
        self.set_widgets([label(self.tr("next:"), "faint"), *chips] if chips else [])

    def _chip(self, question: Question) -> FreshButton:
        name, expected = question_name(question), round(question.expected)
        text = short_name(name)
        chip = FreshButton(f"{text}  \N{ALMOST EQUAL TO}{expected}" if expected else text, "recent")
        chip.setAccessibleName(self.tr("Continue with {0}").format(name))
        chip.setToolTip(tool_tip(self._tip(question)))
        chip.clicked.connect(lambda: self.chosen.emit(question))
        return chip


def question_name(question: Question) -> str:
    """Return the tag in question, or the title of a question about all tags or about a new kind."""
    if question.tags:
        return QCoreApplication.translate("review", "All tags")
    return QCoreApplication.translate("review", "A new kind?") if question.tag is None else question.tag


def short_name(name: str) -> str:
    """Return a tag with at most as many letters as a button shows."""
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}\N{HORIZONTAL ELLIPSIS}"
