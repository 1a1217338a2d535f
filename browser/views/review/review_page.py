# SPDX-License-Identifier: MIT
"""The page of Review: the question, the grid with its line, and the effect of Enter."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QElapsedTimer, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from focal_photos.browser.models.photos.formatting import no_photos_yet
from focal_photos.browser.models.photos.tiles import PhotoCard
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.review.tag_keys import KEYS
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import FreshButton, button
from focal_photos.browser.views.base.labels import ElidedLabel, HintLabel, label
from focal_photos.browser.views.base.layouts import STRETCH, OneLine, in_column, in_row
from focal_photos.browser.views.base.modes import ModePage, page_bar
from focal_photos.browser.views.base.scope_bar import BOXES_KEY, CLEAR_KEY, ScopeBar
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.supporter_strip import SupporterStrip
from focal_photos.browser.views.review.agreement.agreement_page import AgreementPage
from focal_photos.browser.views.review.ask_page import AskPage
from focal_photos.browser.views.review.audit.audit_page import AuditPage
from focal_photos.browser.views.review.boxes.box_page import BoxPage
from focal_photos.browser.views.review.check_page import CheckPage
from focal_photos.browser.views.review.key_bar import KeyBar
from focal_photos.browser.views.review.name_field import NameField
from focal_photos.browser.views.review.photo_page import PhotoPage
from focal_photos.browser.views.review.progress_line import ProgressLine
from focal_photos.browser.views.review.review_grid import ReviewGrid
from focal_photos.browser.views.review.tag_chooser import TagChooser

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.review import Question

_NEXT_SHOWN: Final = 4
_TITLE_LETTERS: Final = 12  # of the tag in question, shown in any case
_EMPHASISED_TAGS: Final = 2  # number of emphasised tags of a new kind


class ReviewPage(ModePage):
    """One tag at a time over the full width of the window."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("reviewPage")
        self.setAccessibleName(self.tr("Review"))
        self._session = session
        self._review = session.review
        self._proposed = session.review_pages.proposed
        self._theme = theme
        self._since_answer = QElapsedTimer()
        self._supporters_of = -1
        self.grid = ReviewGrid(self._review, theme)
        self.field = NameField(session)
        self._pages = QStackedWidget()
        in_column(self._scope_row(), self._pages, margins=0, spacing=0, parent=self)
        self._pages.currentChanged.connect(self._show_page)
        self._pages.addWidget(self._question())
        self.supporter_strip = SupporterStrip(session.loader, theme, self)
        self._connect()
        self._show_question()

    # ------------------------------------------------------------------ creation
    @cached_property
    def ask_page(self) -> AskPage:
        """The questions about the most informative photos; like the other pages, made when it is first opened."""
        page = AskPage(self._session, self._theme)
        self._pages.addWidget(page)
        return page

    @cached_property
    def photo_page(self) -> PhotoPage:
        """The questions about single photos."""
        page = PhotoPage(self._session, self._theme)
        page.left.connect(self.left)
        self._pages.addWidget(page)
        return page

    @cached_property
    def check_page(self) -> CheckPage:
        """The list of likely label errors."""
        page = CheckPage(self._session, self._theme)
        page.left.connect(self.show_questions)
        self._pages.addWidget(page)
        return page

    @cached_property
    def box_page(self) -> BoxPage:
        """The questions about suggested boxes."""
        page = BoxPage(self._session, self._theme)
        page.left.connect(self._leave_boxes)
        self._pages.addWidget(page)
        return page

    @cached_property
    def agreement_page(self) -> AgreementPage:
        """The comparison with other annotators."""
        page = AgreementPage(self._session)
        page.left.connect(self._leave_agreement)
        page.again.connect(self._ask_again)
        self._pages.addWidget(page)
        return page

    @cached_property
    def audit_page(self) -> AuditPage:
        """The audit of a random sample."""
        page = AuditPage(self._session, self._theme)
        page.left.connect(self._leave_audit)
        page.differences_wanted.connect(self._settle_passes)
        self._pages.addWidget(page)
        return page

    def _scope_row(self) -> QWidget:
        """Return the row with the scope and the chosen tags."""
        bar = page_bar()
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

    def _question(self) -> QWidget:
        page = QWidget()
        rows = in_column(self._heading(), self._keys(), margins=0, spacing=0, parent=page)
        self._nothing = label("", "soft", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setMargin(40)
        self.browse_button = button(self.tr("Back to the photos"), "primary", self.left.emit)
        self.check_button = button(self.tr("Check tags"), "", self.check)
        self.check_button.setToolTip(self.tr("Tags and judgements that are probably wrong (Ctrl+Shift+K)"))
        self.body = self._grid_or_nothing = QStackedWidget()
        self._grid_or_nothing.addWidget(self.grid)
        self._grid_or_nothing.addWidget(self._end())
        rows.addWidget(self._grid_or_nothing, 1)
        rows.addWidget(self._foot())
        return page

    def _end(self) -> QWidget:
        """Return the page shown without a question: the reason, and the next steps to choose from."""
        page = QWidget()
        self.end_audit_button = button(self.tr("Am I done?"), "", self.audit)
        offers = in_row(STRETCH, self.browse_button, self.check_button, self.end_audit_button, STRETCH, spacing=8)
        in_column(STRETCH, self._nothing, offers, STRETCH, parent=page)
        return page

    def _heading(self) -> QWidget:
        bar = page_bar()
        self.title = ElidedLabel("", "title", asks=True)
        self.title.setFont(scaled_font(self.font(), 1.5))
        self._counts = ElidedLabel("", "soft")
        self.field.setMinimumWidth(190)
        self.field.setMaximumWidth(340)
        self._next = OneLine()
        self.ask_button = button(self.tr("Ask me next"), "", self.ask)
        self.ask_button.setToolTip(self.tr("The ten photos whose tags help most (Ctrl+K)"))
        self.boxes_button = button(self.tr("Boxes"), "", self.boxes)
        self.boxes_button.setToolTip(self.tr("Boxes that Focal suggests, like those you have drawn (Ctrl+Shift+B)"))
        self.audit_button = button(self.tr("Am I done?"), "", self.audit)
        self.audit_button.setToolTip(self.tr("Check a random sample to find out how good the tags are"))
        in_row(
            self.title,
            (self.field, 1),
            (self._counts, 1),
            self._next,
            self.ask_button,
            self.boxes_button,
            self.audit_button,
            margins=(16, 8, 12, 8),
            spacing=12,
            parent=bar,
        )
        return bar

    def _keys(self) -> QWidget:
        """Return the row of the tags that have keys."""
        self.key_bar = KeyBar(self._session.review_pages.tag_keys)
        self._key_row = page_bar()
        in_column(self.key_bar, margins=(16, 0, 12, 8), parent=self._key_row)
        return self._key_row

    def _foot(self) -> QWidget:
        bar = page_bar()
        self.accept_button = button("", "primary", self.accept)
        self.accept_button.setToolTip(
            self.tr("Enter, or end with a middle-button or Ctrl click or drag, which also saves the answers")
        )
        self.skip_button = button(self.tr("Leave open"), "", self.leave_open)
        self.skip_button.setToolTip(self.tr("Save the flipped photos, leave the rest open (Tab)"))
        self.why_button = button(self.tr("Why?"), "", self._toggle_supporters)
        self.why_button.setToolTip(self.tr("Similar photos with the tag suggested for the current photo (hold W)"))
        self._hint = HintLabel()
        self._gain = label("", "soft")
        row = in_row(
            self.accept_button, self.skip_button, self.why_button, margins=(12, 7, 16, 7), spacing=8, parent=bar
        )
        row.addSpacing(8)
        row.addWidget(self._hint, 1)
        row.addWidget(self._gain)
        return bar

    def _connect(self) -> None:
        review = self._review
        review.tiles.shown.connect(self._show_question)
        review.renamed.connect(self._show_question)
        self._proposed.changed.connect(self._show_proposed)
        review.tiles.changed.connect(self._show_answers)
        review.state_changed.connect(self._show_state)
        self._session.overview.changed.connect(self._show_state)
        self._session.review_pages.tag_keys.changed.connect(self._show_known)
        self._show_proposed()
        self.key_bar.chosen.connect(self._take_known)
        self._session.scope.changed.connect(self._show_scope)
        self._session.scope.items_changed.connect(self._show_items)
        self._session.review_pages.question_tags.changed.connect(self._show_other_tags)
        self.grid.accepted.connect(self.accept)
        self.grid.skipped.connect(self.leave_open)
        self.grid.typed.connect(self._type)
        self.grid.supporters_wanted.connect(self._want_supporters)
        self.field.textChanged.connect(self._review.current.write)
        self.field.entered.connect(lambda _name: self.accept())
        self.field.key.connect(self._take_key)
        self.grid.key.connect(self._take_key)
        self.field.passed.connect(self.leave_open)
        self.field.left.connect(self.grid.setFocus)
        self.supporter_strip.wrong.connect(self._untag_supporter)
        pages = self._session.review_pages
        pages.ask_next.finished.connect(self.show_questions)
        pages.photo_by_photo.begun.connect(self._show_photos)
        pages.photo_by_photo.finished.connect(self.show_questions)

    # ------------------------------------------------------------------ user actions
    @property
    def ready(self) -> bool:
        """Whether Enter is accepted; not just after an answer, because a double press would answer unseen photos."""
        since = self._since_answer
        return not self._review.busy and not (since.isValid() and since.elapsed() < QApplication.doubleClickInterval())

    def keys(self) -> list[tuple[str, list[str]]]:
        """Return the keys of this page."""
        if isinstance(self._pages.currentWidget(), BoxPage):
            return self.box_page.keys()
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
        self._review.leave()
        self._session.review_pages.photo_by_photo.end()
        self._session.review_pages.audit.leave()
        if isinstance(self._pages.currentWidget(), BoxPage):
            self.box_page.leave()

    def ask(self) -> None:
        """Ask about ten photos."""
        self._hide_supporters()
        self._end_comparison()
        self._pages.setCurrentWidget(self.ask_page)
        self.ask_page.begin()

    def check(self) -> None:
        """Show likely label errors."""
        self._hide_supporters()
        self._end_comparison()
        self._pages.setCurrentWidget(self.check_page)
        self.check_page.enter()

    def boxes(self) -> None:
        """Show suggested boxes."""
        self._hide_supporters()
        self._review.pause()
        self._pages.setCurrentWidget(self.box_page)
        self.box_page.enter()

    def _leave_boxes(self) -> None:
        self.box_page.leave()
        self._review.resume()
        self.show_questions()

    def compare(self) -> None:
        """Show the agreement with other annotators."""
        self._hide_supporters()
        self._review.pause()  # a settled disagreement may leave a photo without tags, which it would ask about at once
        self._pages.setCurrentWidget(self.agreement_page)
        self.agreement_page.enter()

    def _leave_agreement(self) -> None:
        self._end_comparison()
        self.show_questions()

    def _end_comparison(self) -> None:
        if isinstance(self._pages.currentWidget(), AgreementPage):
            self._review.resume()

    def audit(self) -> None:
        """Show the audit of a random sample, which tells whether the tags are good enough."""
        self._hide_supporters()
        self._review.pause()
        self._pages.setCurrentWidget(self.audit_page)
        self.audit_page.open()

    def _ask_again(self) -> None:
        """Choose the tags of a blind pass."""
        self.audit()
        self.audit_page.want_new()

    def _settle_passes(self) -> None:
        """Show the differences between the tags and the answers of a blind pass."""
        self._session.review_pages.audit.leave()
        self.compare()
        self._session.review_pages.agreement.compare_passes()

    def _leave_audit(self) -> None:
        self._session.review_pages.audit.leave()
        self._review.resume()
        self.show_questions()

    def _show_photos(self) -> None:
        """Ask about single photos, but not while the user answers others, checks tags or reviews suggested boxes."""
        if isinstance(self._pages.currentWidget(), AskPage | CheckPage | BoxPage) and self.isVisible():
            return
        self._hide_supporters()
        self._pages.setCurrentWidget(self.photo_page)
        self.photo_page.field.setFocus()

    def _show_page(self) -> None:
        """Hide the tag chooser and the number of photos left on pages to which they do not apply."""
        page = self._pages.currentWidget()
        self.tag_chooser.setVisible(not isinstance(page, AskPage | CheckPage | BoxPage | AgreementPage))
        self._progress.setVisible(not isinstance(page, CheckPage | BoxPage | AgreementPage))
        self._progress.set_asks_next(isinstance(page, AskPage))
        self.scope_bar.offer_boxes(isinstance(page, AskPage | CheckPage))

    def _show_scope(self) -> None:
        """Follow a change of the scope."""
        page = self._pages.currentWidget()
        if self.isVisible() and isinstance(page, AskPage):
            page.begin()
        elif self.isVisible() and isinstance(page, CheckPage):
            page.enter()
        self._show_other_tags()

    def _show_items(self) -> None:
        """Follow a switch between photos and boxes."""
        page = self._pages.currentWidget()
        if self.isVisible() and isinstance(page, CheckPage):
            page.enter()
        elif self.isVisible() and isinstance(page, AskPage):
            page.follow_items()

    def _show_other_tags(self) -> None:
        """Follow a change of scope or tags: return from single photos to the questions."""
        if self.isVisible() and isinstance(self._pages.currentWidget(), PhotoPage):
            self.show_questions()

    def show_questions(self) -> None:
        """Continue with one tag at a time, or with single photos if Review has no other question."""
        self._pages.setCurrentIndex(0)
        if self._session.review_pages.photo_by_photo.photo is not None:
            self._show_photos()
        else:
            self._focus()

    def accept(self) -> None:
        """Save the answers and go on; a new kind must have a name."""
        if not self.ready or self._review.question is None:
            return
        name = next(filter(None, [self.field.text().strip(), *self._proposed.names]), "")
        if self._review.question.tag is None and not name:
            self.field.setFocus()
            text = self.tr("A new kind needs a name. Tab leaves these photos open.")
            self._session.notices.post(text)
            return
        if self._review.accept(name):
            self._since_answer.start()

    def _take_key(self, number: int) -> None:
        """Take a supporting neighbour, or give the photos of a new kind the tag on this key."""
        if self.supporter_strip.isVisible():
            self.supporter_strip.take(number)
        elif self.field.isVisible() and self.field.text():
            self._type(KEYS[number - 1][-1])
        else:
            self._take_known(self._session.review_pages.tag_keys.tag(number))

    def _take_known(self, tag: str) -> None:
        question = self._review.question
        if tag and question is not None and question.tag is None:
            self.field.setText(tag)
            self.accept()

    def leave_open(self) -> None:
        """Save flipped photos, leave the rest open, and go on."""
        if self.ready and self._review.leave_open():
            self._since_answer.start()

    def escape(self) -> None:
        """Hide the supporting neighbours, or leave the page."""
        page = self._pages.currentWidget()
        if self.supporter_strip.isVisible():
            self._hide_supporters()
        elif isinstance(page, AskPage | CheckPage):
            self.show_questions()
        elif isinstance(page, AgreementPage):
            self._leave_agreement()
        elif isinstance(page, AuditPage | BoxPage):
            page.escape()
        else:
            self.left.emit()

    def _type(self, text: str) -> None:
        if self.field.isVisible():
            self.field.setFocus()
            if not self.field.isUndoAvailable():  # the name of an undone answer
                self.field.selectAll()
            self.field.insert(text)
            self.field.textEdited.emit(self.field.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.escape()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------------ supporting neighbours
    def _want_supporters(self, photo_id: int, wanted: bool) -> None:
        if not wanted:
            self._hide_supporters()
            return
        self._supporters_of = photo_id
        self._review.supporters.find(photo_id, lambda cards: self._show_supporters(photo_id, cards))

    def _toggle_supporters(self) -> None:
        row = self.grid.currentIndex().row()
        if self.supporter_strip.isVisible() or row < 0:
            self._hide_supporters()
        else:
            self._want_supporters(self._review.answers.photo_ids[row], True)

    def _show_supporters(self, photo_id: int, cards: list[PhotoCard]) -> None:
        question = self._review.question
        if photo_id != self._supporters_of or question is None or question.tag is None:
            return
        self.supporter_strip.show_cards(question.tag, cards)
        self.supporter_strip.show()
        self._place_strip()

    def _hide_supporters(self) -> None:
        self._supporters_of = -1
        self.supporter_strip.hide()

    def _untag_supporter(self, photo_id: int) -> None:
        self._hide_supporters()
        self._review.supporters.untag(photo_id)

    def _place_strip(self) -> None:
        strip = self.supporter_strip
        width = self.width() - 32
        strip.setGeometry(16, 0, width, strip.sizeHint().height())
        strip.move(16, self.grid.mapTo(self, self.grid.rect().bottomLeft()).y() - strip.height() - 12)
        strip.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the supporting neighbours at the foot of the grid."""
        super().resizeEvent(event)
        if self.supporter_strip.isVisible():
            self._place_strip()

    # ------------------------------------------------------------------ display
    def _show_question(self) -> None:
        question = self._review.question
        self._hide_supporters()
        new = question is not None and question.tag is None
        if self.field.text() != self._review.current.name:
            self.field.setText(self._review.current.name)
            self.field.selectAll()
        self.field.setVisible(new)
        self.title.setText(self._name(question) if question is not None else self.tr("Review"))
        least = _TITLE_LETTERS * self.title.fontMetrics().averageCharWidth()
        self.title.setMinimumWidth(min(self.title.whole_width(), least))  # the next questions are less important
        self._show_known()
        self._show_state()
        self._focus()

    def _show_known(self) -> None:
        """Show the existing tags that a new kind may be, each with its key; the likeliest are emphasised."""
        question = self._review.question
        new = question is not None and question.tag is None
        if question is not None and new:
            self.key_bar.show_tags(question.known, question.known[:_EMPHASISED_TAGS])
        self._key_row.setVisible(new and self.key_bar.shows_any)

    def _show_proposed(self) -> None:
        """Show the first name proposed for a new kind, which Enter in the empty field takes."""
        hint = self.tr("What are these? Type a name, Enter")
        if self._proposed.names:
            hint = self.tr("Enter: {0}, or type a name").format(_short(self._proposed.names[0]))
        self.field.setPlaceholderText(hint)
        self.field.setToolTip(tool_tip(hint))

    def _name(self, question: Question) -> str:
        return self.tr("A new kind?") if question.tag is None else question.tag

    def _focus(self) -> None:
        if not self.isVisible() or self._pages.currentIndex():
            return
        question = self._review.question
        if question is None:
            self.browse_button.setFocus()
        else:
            (self.field if question.tag is None else self.grid).setFocus()

    def _show_answers(self) -> None:
        review = self._review
        answers, question = review.answers, review.question
        yes, no = len(answers.yes), len(answers.no)
        text = self.tr("Yes to {0}").format(yes) + (self.tr(", no to {0}").format(no) if no else "")
        if question is not None and question.tag is None:
            text = self.tr("Name {0}").format(yes)
        self.accept_button.setText(text + "  \N{RETURN SYMBOL}")
        enabled = question is not None and review.writable and not review.busy
        self.accept_button.setEnabled(enabled)
        self.skip_button.setEnabled(question is not None and not review.busy)
        self.accept_button.setVisible(question is not None)
        self.skip_button.setVisible(question is not None)
        self.why_button.setVisible(question is not None and question.tag is not None)
        if question is not None:
            count = len(question.photo_ids)
            found = QCoreApplication.translate("review", "%n candidates, about {0} right", "", count)
            if question.again:
                found = QCoreApplication.translate("review", "%n with other tags, about {0} right", "", count)
            self._counts.setText(found.format(round(question.expected)))
        else:
            self._counts.setText("")

    def _show_state(self) -> None:
        review, overview = self._review, self._session.overview.now
        self._show_answers()
        empty = review.question is None
        self._grid_or_nothing.setCurrentIndex(1 if empty else 0)
        if empty:
            self._nothing.setText(self._why_nothing())
            ended = review.search.loaded and not review.busy and not review.search.obstacle
            self.browse_button.setVisible(ended and overview.photos > 0)
            self.check_button.setVisible(ended and overview.photos > overview.untagged)
            self.end_audit_button.setVisible(ended and overview.photos > overview.untagged)
        self.audit_button.setVisible(overview.photos > overview.untagged)
        self.boxes_button.setVisible(overview.boxes > 0)
        self.grid.setEnabled(not review.busy)
        others = [
            question for question in review.questions if question is not review.question and round(question.expected)
        ]
        if review.question is not None and review.question.tag is None:
            others = []  # leave the space to the tags that the kind may be
        chips = [self._chip(question) for question in others[:_NEXT_SHOWN]]
        self._next.set_widgets([label(self.tr("next:"), "faint"), *chips] if chips else [])
        self._hint.setText("" if empty else self.tr("Click or Space flips, a drag flips all that it touches"))
        held = review.progress.gained
        self._gain.setVisible(held is not None)
        if held is not None:
            self._gain.setText(self.tr("Suggestion accuracy {0:.0f} %").format(100 * held.after))
            figures = self.tr(
                "Measured on {0} tagged photos, each predicted without its own tags: {1:.0f} % before the last "
                "training, {2:.0f} % after it"
            )
            self._gain.setToolTip(tool_tip(figures.format(held.photos, 100 * held.before, 100 * held.after)))

    def _chip(self, question: Question) -> FreshButton:
        """Return the button that goes on with another question."""
        name = self._name(question)
        chip = FreshButton(f"{_short(name)}  ≈{round(question.expected)}", "recent")
        chip.setAccessibleName(self.tr("Continue with {0}").format(name))
        chip.setToolTip(tool_tip(self.tr("Continue with {0}: about {1} photos").format(name, round(question.expected))))
        chip.clicked.connect(lambda: self._review.go_to(question))
        return chip

    def _why_nothing(self) -> str:
        review, overview = self._review, self._session.overview.now
        if review.busy or not review.search.loaded:
            return self.tr("Looking for what to ask next\N{HORIZONTAL ELLIPSIS}")
        if not overview.photos:
            return no_photos_yet()
        if review.search.obstacle:
            return review.search.obstacle
        if not self._session.scope.scope.whole:
            return self._why_nothing_here()
        if not overview.untagged:
            return self.tr("Every photo has a tag.")
        return self.tr("There are no more questions. Tag the rest by hand: Esc, then Ctrl+J.")

    def _why_nothing_here(self) -> str:
        """Return the reason why a limited scope has no question."""
        if not self._review.progress.photo_count:
            return self.tr("There are no photos here now.")
        if not self._review.progress.untagged_count:
            return self.tr("Every photo here has a tag.")
        return self.tr("There are no more questions here. Tag the rest by hand: Esc, then Ctrl+J.")


def _short(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:17]}\N{HORIZONTAL ELLIPSIS}"
