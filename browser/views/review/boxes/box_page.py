# SPDX-License-Identifier: MIT
"""The page of suggested boxes: photos with frames of one tag or of all, the line of Review, and drawn boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.models.photos.formatting import no_photos_yet
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import ElidedLabel, HintLabel, label
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row
from focal_photos.browser.views.base.modes import PageBar
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.boxes.box_geometry import overlap
from focal_photos.browser.views.review.boxes.box_grid import BoxGrid
from focal_photos.browser.views.review.boxes.frame_picture import FramePicture
from focal_photos.browser.views.review.key_bar import KeyBar
from focal_photos.browser.views.review.name_field import NameField
from focal_photos.browser.views.review.questions.answer_pause import AnswerPause
from focal_photos.browser.views.review.questions.next_questions import NextQuestions, question_name
from focal_photos.browser.views.review.subpage import Subpage

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.review import Question

_PICTURE: Final = PixelSize(1280, 960)
"""Size of the photo whose frame is corrected, in device pixels."""
_CHANNEL: Final = "corrected box"


class BoxPage(Subpage):
    """Asks about the suggested boxes of one tag at a time."""

    pauses_questions = True
    asks_chosen_tags = False
    counts_photos_left = False

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Suggested boxes"))
        self._session, self._review = session, session.review_pages.boxes
        self._pause = AnswerPause()
        self._corrected: int | None = None
        """The photo whose frame is corrected."""
        self._named_row = 0
        """Row of the photo with the box whose name is typed."""
        self.grid = BoxGrid(self._review, theme)
        self.grid.setAccessibleName(self.tr("Suggested boxes"))
        self.picture = FramePicture(theme)
        self.picture.setAccessibleName(self.tr("Photo with a box"))
        self.picture.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._nothing = label("", "soft", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setMargin(40)
        self.rest_button = button("", "", self.show_rest)
        self._ended = QWidget()
        rest = in_row(STRETCH, self.rest_button, STRETCH)
        in_column(STRETCH, self._nothing, rest, STRETCH, spacing=0, parent=self._ended)
        self._pages = QStackedWidget()
        for page in (self.grid, self._ended, self.picture):
            self._pages.addWidget(page)
        self.key_bar = KeyBar(session.review_pages.box_keys)
        self.key_bar.setContentsMargins(12, 4, 12, 4)
        self.name_field = NameField(session)
        self.name_field.setPlaceholderText(self.tr("Name of the box"))
        self.name_field.hide()
        parts = self._heading(), self.name_field, (self._pages, 1), self.key_bar, self._foot()
        in_column(*parts, margins=0, spacing=0, parent=self)
        self.grid.accepted.connect(self.accept)
        self.grid.skipped.connect(self.leave_open)
        self.grid.typed.connect(self._take_letter)
        self.grid.drawn.connect(self._draw)
        self.grid.key.connect(lambda number: self._name(self._session.review_pages.box_keys.tag(number)))
        self.key_bar.chosen.connect(self._name)
        self.name_field.entered.connect(self._take_name)
        self.name_field.left.connect(self.end_naming)
        self.name_field.passed.connect(self.end_naming)
        session.review_pages.box_keys.changed.connect(self._show)
        self.picture.searched.connect(self._take_frame)
        self.picture.ended.connect(self.end_correction)
        self._review.tiles.shown.connect(self._show_question)
        self._review.tiles.changed.connect(self._show_answers)
        self._review.state_changed.connect(self._show)
        session.review_pages.frames.improved.connect(self._reorder)
        session.overview.changed.connect(self._show)
        session.loader.loaded.connect(self._pictures_arrived)
        self._show_question()

    def _heading(self) -> QWidget:
        bar = PageBar()
        self.title = ElidedLabel("", "title", asks=True)
        self.title.setFont(scaled_font(self.font(), 1.5))
        self._counts = ElidedLabel("", "soft")
        self._next = NextQuestions(lambda one: self.tr("Continue with {0}").format(question_name(one)))
        self._next.chosen.connect(self._go_to)
        self.back_button = button(self.tr("Back to Review"), "", self.left.emit)
        in_row(
            self.title, (self._counts, 1), self._next, self.back_button, margins=(16, 8, 12, 8), spacing=12, parent=bar
        )
        return bar

    def _foot(self) -> QWidget:
        bar = PageBar()
        self.accept_button = button("", "primary", self.accept)
        self.skip_button = button(self.tr("Leave open"), "", self.leave_open)
        self.skip_button.setToolTip(self.tr("Save the flipped photos, leave the rest open (Tab)"))
        self.correct_button = button(self.tr("Correct the frame (E)"), "", self.correct)
        self.parts_button = button("", "", self.show_parts)
        self.take_button = button(self.tr("Accept this frame"), "primary", self._take_shown)
        self.end_button = button(self.tr("Cancel (Esc)"), "", self.end_correction)
        self._hint = HintLabel()
        row = in_row(
            self.accept_button,
            self.skip_button,
            self.correct_button,
            self.parts_button,
            self.take_button,
            self.end_button,
            margins=(12, 7, 16, 7),
            spacing=8,
            parent=bar,
        )
        row.addSpacing(8)
        row.addWidget(self._hint, 1)
        return bar

    def keys(self) -> list[tuple[str, list[str]]]:
        """Return the keys of this page."""
        return [
            (self.tr("Save the answers and continue"), ["Return"]),
            (self.tr("Yes or no to the current box"), ["Space"]),
            (self.tr("Reject the current box"), ["X"]),
            (self.tr("Correct the frame of the current box"), ["E"]),
            (self.tr("On pages of all tags: name the box last drawn on the current photo, or its frame"), ["1", "9"]),
            (self.tr("On pages of all tags: type this name"), ["T"]),
            (self.tr("Only the suggested parts, or whole photos"), ["C"]),
            (self.tr("Save the flipped photos, leave the rest open"), ["Tab"]),
            (self.tr("Move the line by one photo"), ["Ctrl+Left", "Ctrl+Right"]),
            (self.tr("Put the line after the current photo"), ["L"]),
        ]

    # ------------------------------------------------------------------ user actions
    def enter(self) -> None:
        """Begin with the surest suggestions, or continue."""
        self._review.open()
        self._show()
        self._focus()

    def leave(self) -> None:
        """Stop asking."""
        self.end_correction()
        self._review.leave()

    @property
    def ready(self) -> bool:
        """Whether Enter is accepted."""
        return not self._review.busy and self._pause.over

    def accept(self) -> None:
        """Save the answers and go on."""
        if self.ready and self._review.accept():
            self._pause.begin()

    def leave_open(self) -> None:
        """Save flipped boxes, leave the rest open, and go on."""
        if self.ready and self._review.leave_open():
            self._pause.begin()

    def escape(self) -> None:
        """End typing a name or the correction, or return to Review."""
        if not self.end_naming() and not self.end_correction():
            self.left.emit()

    def _take_letter(self, text: str) -> None:
        row = self.grid.current_row()
        if text.lower() == "e":
            self.correct()
        elif text.lower() == "c":
            self.show_parts()
        elif text.lower() == "t" and self._of_all_tags and row >= 0:
            self._named_row = row
            self.name_field.show()
            self.name_field.setFocus()
        elif text.lower() == "x" and row >= 0 and not self._review.busy:
            if self._review.answers.is_yes(row):
                self._review.tiles.flip([row])
            self.grid.step(1)

    # ------------------------------------------------------------------ pages of all tags
    @property
    def _of_all_tags(self) -> bool:
        question = self._review.question
        return question is not None and bool(question.tags)

    def _name(self, tag: str) -> None:
        """Name the box last drawn on the current photo, or its frame."""
        row = self.grid.current_row()
        row = self.grid.currentIndex().row() if row < 0 else row
        if self._of_all_tags and row >= 0:
            self._review.name_box(row, tag)

    def _take_name(self, text: str) -> None:
        """Use the typed name."""
        self.end_naming()
        if text and self._of_all_tags and self._named_row < len(self._review.answers.photo_ids):
            self._review.name_box(self._named_row, text)

    def end_naming(self) -> bool:
        """Return to the photos without a name; return whether the user was typing one."""
        if self.name_field.isHidden():
            return False
        self.name_field.clear()
        self.name_field.hide()
        self._focus()
        return True

    def show_rest(self) -> None:
        """Go on with the photos that hardly show any box, the likeliest first."""
        if self._review.questions:
            self._review.go_to(self._review.questions[0])

    def show_parts(self) -> None:
        """Switch between whole photos, on which boxes can be drawn, and only the suggested parts."""
        self.grid.show_whole(not self._review.whole_photos)
        self._show()

    def _draw(self, row: int, region: Region) -> None:
        """Save a box that was dragged on a tile; it replaces the suggested box if it overlaps with it."""
        tiles = self._review.tiles.grid
        photo_id = tiles.photo_id(row)
        card, frame = tiles.card(photo_id), tiles.window(photo_id)
        if card is not None and frame is not None:
            self._review.draw(photo_id, rotated_region(region, -card.quarters), replaces=overlap(region, frame))

    # ------------------------------------------------------------------ correction of a frame
    def correct(self) -> None:
        """Show the photo of the current box large, to correct its frame."""
        row = self.grid.current_row()
        row = max(self.grid.currentIndex().row(), 0) if row < 0 else row
        tiles = self._review.tiles.grid
        if self._review.question is None or self._review.busy or not self._review.writable or row >= len(tiles.ids):
            return
        photo_id = tiles.photo_id(row)
        region = tiles.window(photo_id)
        if region is None:
            return  # the data of the photo have not arrived yet
        self._corrected = photo_id
        self.picture.set_region(region)
        self._session.loader.request(_CHANNEL, [photo_id], _PICTURE)
        self._show_picture()
        self._show()
        self.picture.setFocus()

    def end_correction(self) -> bool:
        """Return to the boxes without a change; return whether a frame was being corrected."""
        if self._corrected is None:
            return False
        self._corrected = None
        self._session.loader.request(_CHANNEL, [], _PICTURE)
        self._show()
        self._focus()
        return True

    def _take_shown(self) -> None:
        if self.picture.region is not None:
            self._take_frame(self.picture.region)

    def _take_frame(self, region: Region) -> None:
        photo_id, tiles = self._corrected, self._review.tiles.grid
        card = None if photo_id is None else tiles.card(photo_id)
        if photo_id is None or card is None:
            return
        self.end_correction()
        if self._review.draw(photo_id, rotated_region(region, -card.quarters), replaces=True):
            self.grid.make_current(min(tiles.row_of(photo_id) + 1, len(tiles.ids) - 1))

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        if self._corrected in photo_ids:
            self._show_picture()

    def _show_picture(self) -> None:
        if self._corrected is not None:
            self.picture.show_image(self._session.loader.image(self._corrected, _PICTURE))

    # ------------------------------------------------------------------ display
    def _show_question(self) -> None:
        question = self._review.question
        if question is None or self._corrected not in question.photo_ids.tolist():
            self.end_correction()
        self.title.setText(self.tr("Suggested boxes") if question is None else question_name(question))
        self.end_naming()
        self._show()
        self._focus()

    def _reorder(self) -> None:
        """Show the question in its new order, unless the user has begun to answer or points at a box."""
        question, answers = self._review.question, self._review.answers
        touched = answers.flipped or answers.drawn or answers.names or self._review.current.drawn_on
        untouched = question is not None and not touched and answers.line == question.line
        at_first = self.grid.currentIndex().row() <= 0 and not self.grid.viewport().underMouse()
        if untouched and at_first and self._corrected is None:
            self._review.ask_again()

    def _focus(self) -> None:
        if self.isVisible() and self._corrected is None:
            (self.back_button if self._review.question is None else self.grid).setFocus()

    def _show(self) -> None:
        review, correcting = self._review, self._corrected is not None
        empty = review.question is None
        self._pages.setCurrentWidget(self.picture if correcting else self._ended if empty else self.grid)
        self.grid.setEnabled(not review.busy)
        for widget in (self.accept_button, self.skip_button, self.correct_button, self.parts_button):
            widget.setVisible(not empty and not correcting)
        for widget in (self.take_button, self.end_button):
            widget.setVisible(correcting)
        self.key_bar.setVisible(self._of_all_tags and not correcting)
        if self._of_all_tags:
            self.key_bar.show_tags([], [])
        if empty:
            self._nothing.setText(self._why_nothing())
            self._show_rest_button()
        others = [question for question in review.questions if question is not review.question]
        self._next.show_questions([] if correcting else others)
        if correcting:
            text = self.tr(
                "Drag a corner. Drag inside to move the frame. By keys: the arrows move it, with Shift they resize it. "
                "Enter accepts the box with this frame."
            )
        elif review.whole_photos and self._of_all_tags:
            text = self.tr("A drag draws a box, which gets the likeliest name; a digit or T names it or the frame.")
        elif review.whole_photos:
            text = self.tr("A drag draws a box. Click or Space accepts or refuses a frame, E corrects it by keys.")
        else:
            text = self.tr("Click or Space flips, a drag flips all that it touches. X rejects, E corrects the frame.")
        self.parts_button.setText(self.tr("Parts (C)") if review.whole_photos else self.tr("Whole photos (C)"))
        self._hint.setText("" if empty else text)
        self._show_answers()

    def _go_to(self, former: Question) -> None:
        """Go on with another tag; its question may have been computed again."""
        question = next((question for question in self._review.questions if question.tag == former.tag), None)
        if question is not None:
            self._review.go_to(question)

    def _show_rest_button(self) -> None:
        rest = self._review.questions
        self.rest_button.setVisible(bool(rest) and not self._review.busy)
        number = len(rest[0].photo_ids) if rest else 0
        self.rest_button.setText(
            QCoreApplication.translate("review", "Show the remaining %n photos, most likely first", "", number)
        )

    def _show_answers(self) -> None:
        review, question = self._review, self._review.question
        yes, no = len(review.answers.yes), len(review.answers.no)
        text = self.tr("Yes to {0}").format(yes) + (self.tr(", no to {0}").format(no) if no else "")
        self.accept_button.setText(text + "  \N{RETURN SYMBOL}")
        writable = question is not None and review.writable and not review.busy
        self.accept_button.setEnabled(writable)
        self.correct_button.setEnabled(writable)
        self.skip_button.setEnabled(question is not None and not review.busy)
        counts = ""
        if question is not None:
            counts = QCoreApplication.translate("review", "%n boxes, about {0} right", "", len(question.photo_ids))
            counts = counts.format(round(question.expected))
        self._counts.setText(counts)

    def _why_nothing(self) -> str:
        review, overview = self._review, self._session.overview.now
        if review.search.obstacle:
            return review.search.obstacle
        if review.busy or not review.search.loaded:
            return self.tr("Looking for boxes\N{HORIZONTAL ELLIPSIS}")
        if not overview.photos:
            return no_photos_yet()
        if review.questions:
            return self.tr("Hardly any of the remaining photos shows such a box. You can go through them nevertheless.")
        return self.tr("There are no more suggested boxes. Draw boxes on a few more photos, and Focal suggests others.")
