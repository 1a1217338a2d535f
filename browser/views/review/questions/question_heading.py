# SPDX-License-Identifier: MIT
"""The heading of a question: its tag or the field for a name, the number of candidates, and the ways to other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import in_row
from focal_photos.browser.views.base.modes import PageBar
from focal_photos.browser.views.base.theme import scaled_font
from focal_photos.browser.views.review.name_field import NameField
from focal_photos.browser.views.review.questions.next_questions import NextQuestions, question_name, short_name

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.review import Question

_TITLE_LETTERS: Final = 12  # of the tag in question, shown in any case


class QuestionHeading(PageBar):
    """The row above the grid; it shows the question of `Review`."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._review: Review = session.review
        self._overview = session.overview
        self._proposed = session.review_pages.proposed
        self.title = ElidedLabel("", "title", asks=True)
        self.title.setFont(scaled_font(self.font(), 1.5))
        self.field = NameField(session)
        self.field.setMinimumWidth(190)
        self.field.setMaximumWidth(340)
        self.counts = ElidedLabel("", "soft")
        self._next = NextQuestions(self._next_tip)
        self._next.chosen.connect(self._review.go_to)
        self.ask_button = button(self.tr("Ask me next"))
        self.ask_button.setToolTip(self.tr("The ten photos whose tags help most (Ctrl+K)"))
        self.boxes_button = button(self.tr("Boxes"))
        self.boxes_button.setToolTip(self.tr("Boxes that Focal suggests, like those you have drawn (Ctrl+Shift+B)"))
        self.audit_button = button(self.tr("Am I done?"))
        self.audit_button.setToolTip(self.tr("Check a random sample to find out how good the tags are"))
        in_row(
            self.title,
            (self.field, 1),
            (self.counts, 1),
            self._next,
            self.ask_button,
            self.boxes_button,
            self.audit_button,
            margins=(16, 8, 12, 8),
            spacing=12,
            parent=self,
        )
        self._proposed.changed.connect(self._show_proposed)
        self._show_proposed()

    def show_question(self) -> None:
        """Show another question: its tag, or the field for the name of a new kind."""
        question, name = self._review.question, self._review.current.name
        if self.field.text() != name:
            self.field.setText(name)
            self.field.selectAll()
        self.field.setVisible(question is not None and question.tag is None)
        self.title.setText(question_name(question) if question is not None else self.tr("Review"))
        least = _TITLE_LETTERS * self.title.fontMetrics().averageCharWidth()
        self.title.setMinimumWidth(min(self.title.whole_width(), least))  # the next questions are less important

    def show_state(self) -> None:
        """Show the number of candidates, the next questions, and the ways that lead to something."""
        question, overview = self._review.question, self._overview.now
        self.audit_button.setVisible(overview.photos > overview.untagged)
        self.boxes_button.setVisible(overview.boxes > 0)
        self.counts.setText("" if question is None else self._candidates(question))
        others = [one for one in self._review.questions if one is not question and round(one.expected)]
        if question is not None and question.tag is None:
            others = []  # leave the space to the tags that the kind may be
        self._next.show_questions(others)

    def _candidates(self, question: Question) -> str:
        count = len(question.photo_ids)
        found = QCoreApplication.translate("review", "%n candidates, about {0} right", "", count)
        if question.again:
            found = QCoreApplication.translate("review", "%n with other tags, about {0} right", "", count)
        return found.format(round(question.expected))

    def _next_tip(self, question: Question) -> str:
        text = self.tr("Continue with {0}: about {1} photos")
        return text.format(question_name(question), round(question.expected))

    def _show_proposed(self) -> None:
        """Show the first name proposed for a new kind, which Enter in the empty field takes."""
        hint = self.tr("What are these? Type a name, Enter")
        if self._proposed.names:
            hint = self.tr("Enter: {0}, or type a name").format(short_name(self._proposed.names[0]))
        self.field.setPlaceholderText(hint)
        self.field.setToolTip(tool_tip(hint))

    def type(self, text: str) -> None:
        """Give the keyboard focus to the field for a name, and write the text that was typed elsewhere there."""
        if self.field.isVisible():
            self.field.setFocus()
            if not self.field.isUndoAvailable():  # the name of an undone answer
                self.field.selectAll()
            self.field.insert(text)
            self.field.textEdited.emit(self.field.text())
