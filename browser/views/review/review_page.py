# SPDX-License-Identifier: MIT
"""The page of Review: the scope and the chosen tags, and below them one of its pages, each made when first opened."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row
from focal_photos.browser.views.base.modes import ModePage, PageBar
from focal_photos.browser.views.base.scope_bar import BOXES_KEY, CLEAR_KEY, ScopeBar
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.review.agreement.agreement_page import AgreementPage
from focal_photos.browser.views.review.ask_page import AskPage
from focal_photos.browser.views.review.audit.audit_page import AuditPage
from focal_photos.browser.views.review.boxes.box_page import BoxPage
from focal_photos.browser.views.review.check_page import CheckPage
from focal_photos.browser.views.review.photo_page import PhotoPage
from focal_photos.browser.views.review.progress_line import ProgressLine
from focal_photos.browser.views.review.questions.question_page import QuestionPage
from focal_photos.browser.views.review.review_grid import ReviewGrid
from focal_photos.browser.views.review.subpage import Subpage
from focal_photos.browser.views.review.tag_chooser import TagChooser

SubpageT = TypeVar("SubpageT", bound=Subpage)


class ReviewPage(ModePage):
    """Switches between the questions of Review and its other pages."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("reviewPage")
        self.setAccessibleName(self.tr("Review"))
        self._session = session
        self._theme = theme
        self._review: Review = session.review
        self._subpages = QStackedWidget()
        in_column(self._scope_row(), self._subpages, margins=0, spacing=0, parent=self)
        self._subpages.currentChanged.connect(self._show_what_applies)
        self.question_page = self._added(QuestionPage(session, theme))
        self.grid: ReviewGrid = self.question_page.grid
        self._connect()

    def _scope_row(self) -> QWidget:
        """Return the row with the scope and the chosen tags."""
        bar = PageBar()
        self.scope_bar = ScopeBar(self._session.scope, self.tr("Review of"), self)
        self.tag_chooser = TagChooser(self._session.review_pages.question_tags, self._session.sidebar.words)
        self._progress = ProgressLine(self._session)
        in_row(
            self.scope_bar,
            self.tag_chooser,
            STRETCH,
            self._progress,
            margins=(16, 5, 12, 5),
            spacing=9,
            parent=bar,
        )
        return bar

    def _added(self, page: SubpageT) -> SubpageT:
        self._subpages.addWidget(page)
        if isinstance(page, QuestionPage | PhotoPage):
            page.left.connect(self.left)
        else:
            page.left.connect(self.show_questions)
        return page

    @cached_property
    def ask_page(self) -> AskPage:
        """The questions about the most informative photos."""
        return self._added(AskPage(self._session, self._theme))

    @cached_property
    def photo_page(self) -> PhotoPage:
        """The questions about single photos."""
        return self._added(PhotoPage(self._session, self._theme))

    @cached_property
    def check_page(self) -> CheckPage:
        """The list of likely label errors."""
        return self._added(CheckPage(self._session))

    @cached_property
    def box_page(self) -> BoxPage:
        """The questions about suggested boxes."""
        return self._added(BoxPage(self._session, self._theme))

    @cached_property
    def agreement_page(self) -> AgreementPage:
        """The comparison with other annotators."""
        page = self._added(AgreementPage(self._session))
        page.again.connect(self._ask_again)
        return page

    @cached_property
    def audit_page(self) -> AuditPage:
        """The audit of a random sample."""
        page = self._added(AuditPage(self._session, self._theme))
        page.differences_wanted.connect(self._settle_passes)
        return page

    def _connect(self) -> None:
        self.question_page.ask_wanted.connect(self.ask)
        self.question_page.check_wanted.connect(self.check)
        self.question_page.boxes_wanted.connect(self.boxes)
        self.question_page.audit_wanted.connect(self.audit)
        self._session.scope.changed.connect(self._follow_scope)
        self._session.scope.items_changed.connect(self._follow_items)
        pages = self._session.review_pages
        pages.question_tags.changed.connect(self._follow_tags)
        pages.ask_next.finished.connect(self.show_questions)
        pages.photo_by_photo.begun.connect(self._show_photos)
        pages.photo_by_photo.finished.connect(self.show_questions)

    # ------------------------------------------------------------------ the mode
    def keys(self) -> list[tuple[str, list[str]]]:
        """Return the keys of the shown page."""
        keys = self._subpage.keys()
        if keys is not None:
            return keys
        return [
            (self.tr("Save the answers and continue"), ["Return"]),
            (self.tr("Yes or no to the current photo"), ["Space"]),
            (self.tr("The same, and continue"), ["Ctrl+Space"]),
            (self.tr("Save the flipped photos, leave the rest open"), ["Tab"]),
            (self.tr("Move the line by one photo"), ["Ctrl+Left", "Ctrl+Right"]),
            (self.tr("Move the line by one row"), ["Ctrl+Up", "Ctrl+Down"]),
            (self.tr("Put the line after the current photo"), ["L"]),
            (self.tr("Why this tag? (hold)"), ["W"]),
            (self.tr("Add the tag on this key (new kinds, photo by photo)"), ["1", "9"]),
            (self.tr("The tenth tag, and the next"), ["0", "Shift+1", "Shift+9"]),
            (self.tr("Switch to the whole library"), [CLEAR_KEY]),
            (self.tr("Boxes instead of photos (Ask me next, Check tags, map)"), [BOXES_KEY]),
        ]

    def enter(self) -> None:
        """Begin with the questions."""
        self._review.open()
        self.show_questions()

    def leave(self) -> None:
        """Stop asking, and stop learning from the answers."""
        self._subpage.leave()
        self._review.leave()
        self._session.review_pages.photo_by_photo.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the shown page handle Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self._subpage.escape()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------------ the shown page
    @property
    def _subpage(self) -> Subpage:
        page = self._subpages.currentWidget()
        assert isinstance(page, Subpage)
        return page

    def _show(self, page: Subpage) -> None:
        former = self._subpage
        if former is not page:
            former.leave()
        if page.pauses_questions:
            self._review.pause()
        elif former.pauses_questions:
            self._review.resume()
        self._subpages.setCurrentWidget(page)
        page.enter()

    def show_questions(self) -> None:
        """Continue with one tag at a time, or with single photos if Review has no other question."""
        asks_singly = self._session.review_pages.photo_by_photo.photo is not None
        self._show(self.photo_page if asks_singly else self.question_page)

    def _show_photos(self) -> None:
        """Ask about single photos, but not while the user answers others, checks tags or reviews suggested boxes."""
        if self._subpage.gives_way or not self.isVisible():
            self._show(self.photo_page)

    def ask(self) -> None:
        """Ask about ten photos."""
        self._show(self.ask_page)

    def check(self) -> None:
        """Show likely label errors."""
        self._show(self.check_page)

    def boxes(self) -> None:
        """Show suggested boxes."""
        self._show(self.box_page)

    def compare(self) -> None:
        """Show the agreement with other annotators."""
        self._show(self.agreement_page)

    def audit(self) -> None:
        """Show the audit of a random sample, which tells whether the tags are good enough."""
        self._show(self.audit_page)

    def _ask_again(self) -> None:
        """Choose the tags of a blind pass."""
        self.audit()
        self.audit_page.want_new()

    def _settle_passes(self) -> None:
        """Show the differences between the tags and the answers of a blind pass."""
        self.compare()
        self._session.review_pages.agreement.compare_passes()

    def _show_what_applies(self) -> None:
        """Show the parts of the top row that apply to the page."""
        page = self._subpage
        self.tag_chooser.setVisible(page.asks_chosen_tags)
        self._progress.setVisible(page.counts_photos_left)
        self._progress.set_asks_next(isinstance(page, AskPage))
        self.scope_bar.offer_boxes(page.asks_about_boxes)

    # ------------------------------------------------------------------ changes
    def _follow_scope(self) -> None:
        if self.isVisible():
            self._subpage.follow_scope()
        self._follow_tags()

    def _follow_items(self) -> None:
        if self.isVisible():
            self._subpage.follow_items()

    def _follow_tags(self) -> None:
        """Follow a change of scope or tags: return from single photos to the questions."""
        if self.isVisible() and isinstance(self._subpage, PhotoPage):
            self.show_questions()
