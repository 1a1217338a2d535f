# SPDX-License-Identifier: MIT
"""The page that asks about one tag at a time: the question, the grid with its line, and the effect of Enter."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget

from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.review.tag_keys import KEYS
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.layouts import in_column
from focal_photos.browser.views.base.modes import PageBar
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.review.key_bar import KeyBar
from focal_photos.browser.views.review.questions.answer_pause import AnswerPause
from focal_photos.browser.views.review.questions.no_question import NoQuestion
from focal_photos.browser.views.review.questions.question_foot import QuestionFoot
from focal_photos.browser.views.review.questions.question_heading import QuestionHeading
from focal_photos.browser.views.review.questions.supporter_overlay import SupporterOverlay
from focal_photos.browser.views.review.review_grid import ReviewGrid
from focal_photos.browser.views.review.subpage import Subpage

_EMPHASISED_TAGS: Final = 2  # number of emphasised tags of a new kind


class QuestionPage(Subpage):
    """Asks the questions of `Review`."""

    gives_way = True

    ask_wanted = Signal()
    check_wanted = Signal()
    boxes_wanted = Signal()
    audit_wanted = Signal()
    """A button for another page was pressed."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._review: Review = session.review
        self._session = session
        self._pause = AnswerPause()
        self.heading = QuestionHeading(session)
        self.key_bar = KeyBar(session.review_pages.tag_keys)
        self._key_row = PageBar()
        in_column(self.key_bar, margins=(16, 0, 12, 8), parent=self._key_row)
        self.grid = ReviewGrid(self._review, theme)
        self.no_question = NoQuestion(session)
        self._grid_or_nothing = QStackedWidget()
        self._grid_or_nothing.addWidget(self.grid)
        self._grid_or_nothing.addWidget(self.no_question)
        self.foot = QuestionFoot(self._review)
        rows = self.heading, self._key_row, (self._grid_or_nothing, 1), self.foot
        in_column(*rows, margins=0, spacing=0, parent=self)
        self.supporters = SupporterOverlay(session, theme, self.grid, self)
        self._connect()
        self._show_question()

    def _connect(self) -> None:
        review, field, nothing = self._review, self.heading.field, self.no_question
        review.tiles.shown.connect(self._show_question)
        review.renamed.connect(self._show_question)
        review.tiles.changed.connect(self.foot.show_answers)
        review.state_changed.connect(self._show_state)
        self._session.overview.changed.connect(self._show_state)
        self._session.review_pages.tag_keys.changed.connect(self._show_known)
        self.key_bar.chosen.connect(self._take_known)
        self.grid.accepted.connect(self.accept)
        self.grid.skipped.connect(self.leave_open)
        self.grid.typed.connect(self.heading.type)
        self.grid.key.connect(self._take_key)
        field.textChanged.connect(review.current.write)
        field.entered.connect(lambda _name: self.accept())
        field.key.connect(self._take_key)
        field.passed.connect(self.leave_open)
        field.left.connect(self.grid.setFocus)
        for each, wanted in (
            (self.heading.ask_button, self.ask_wanted),
            (self.heading.boxes_button, self.boxes_wanted),
            (self.heading.audit_button, self.audit_wanted),
            (nothing.check_button, self.check_wanted),
            (nothing.audit_button, self.audit_wanted),
            (nothing.browse_button, self.left),
        ):
            each.clicked.connect(wanted)
        self.foot.accept_button.clicked.connect(self.accept)
        self.foot.skip_button.clicked.connect(self.leave_open)
        self.foot.why_button.clicked.connect(self.supporters.toggle)

    # ------------------------------------------------------------------ user actions
    @property
    def ready(self) -> bool:
        """Whether Enter is accepted."""
        return not self._review.busy and self._pause.over

    def enter(self) -> None:
        """Give the keyboard focus to the field of a new kind, the grid, or the first of the next steps."""
        if self.isVisible():
            question = self._review.question
            if question is None:
                self.no_question.browse_button.setFocus()
            else:
                (self.heading.field if question.tag is None else self.grid).setFocus()

    def leave(self) -> None:
        """Hide the supporting neighbours."""
        self.supporters.hide()

    def escape(self) -> None:
        """Hide the supporting neighbours, or leave the page."""
        if self.supporters.shown:
            self.supporters.hide()
        else:
            self.left.emit()

    def accept(self) -> None:
        """Save the answers and go on; a new kind must have a name."""
        if not self.ready or self._review.question is None:
            return
        names = [self.heading.field.text().strip(), *self._session.review_pages.proposed.names]
        name = next(filter(None, names), "")
        if self._review.question.tag is None and not name:
            self.heading.field.setFocus()
            text = self.tr("A new kind needs a name. Tab leaves these photos open.")
            self._session.notices.post(text)
            return
        if self._review.accept(name):
            self._pause.begin()

    def leave_open(self) -> None:
        """Save flipped photos, leave the rest open, and go on."""
        if self.ready and self._review.leave_open():
            self._pause.begin()

    def _take_key(self, number: int) -> None:
        """Take a supporting neighbour, or give the photos of a new kind the tag on this key."""
        if self.supporters.shown:
            self.supporters.strip.take(number)
        elif self.heading.field.isVisible() and self.heading.field.text():
            self.heading.type(KEYS[number - 1][-1])
        else:
            self._take_known(self._session.review_pages.tag_keys.tag(number))

    def _take_known(self, tag: str) -> None:
        question = self._review.question
        if tag and question is not None and question.tag is None:
            self.heading.field.setText(tag)
            self.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the supporting neighbours at the foot of the grid."""
        super().resizeEvent(event)
        if self.supporters.shown:
            self.supporters.place()

    # ------------------------------------------------------------------ display
    def _show_question(self) -> None:
        self.supporters.hide()
        self.heading.show_question()
        self._show_known()
        self._show_state()
        self.enter()

    def _show_known(self) -> None:
        """Show the existing tags that a new kind may be, each with its key; the likeliest are emphasised."""
        question = self._review.question
        new = question is not None and question.tag is None
        if question is not None and new:
            self.key_bar.show_tags(question.known, question.known[:_EMPHASISED_TAGS])
        self._key_row.setVisible(new and self.key_bar.shows_any)

    def _show_state(self) -> None:
        empty = self._review.question is None
        self._grid_or_nothing.setCurrentWidget(self.no_question if empty else self.grid)
        if empty:
            self.no_question.show_state()
        self.grid.setEnabled(not self._review.busy)
        self.heading.show_state()
        self.foot.show_answers()
        self.foot.show_state()
