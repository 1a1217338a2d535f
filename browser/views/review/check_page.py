# SPDX-License-Identifier: MIT
"""Check tags: the list of likely label errors, and the current photo beside photos that contradict it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt

from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, FlowLayout, clear_layout, in_row
from focal_photos.browser.views.review.list_page import ListPage, QuestionPicture

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.label_errors import LabelError


class CheckPage(ListPage):
    """A list of label errors: Enter keeps the current tag, X changes it.

    The list may be one of boxes, which Delete removes.
    """

    asks_about_boxes = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.setAccessibleName(self.tr("Check tags"))
        model = self._model = session.review_pages.check_tags
        self.focal = QuestionPicture()
        self.against = label("", "faint")
        self._supporters = FlowLayout(8)
        self.delete_button = button(self.tr("Delete the box (Del)"), "", model.delete_current)
        self.list.add_key(Qt.Key.Key_Delete, self.delete_button)
        self.again_button = button(self.tr("Check again"), "", model.look)
        self.keep_button.clicked.connect(model.keep_current)
        self.change_button.clicked.connect(model.correct_current)
        self.next_button.clicked.connect(lambda: model.go_to(model.at + 1))
        self.list.currentRowChanged.connect(model.go_to)
        top = in_row((self.words, 1), self.again_button, self.back_button)
        photos = in_row(self.focal, self.picture, STRETCH, spacing=14)
        buttons = in_row(self.keep_button, self.change_button, self.delete_button, self.next_button, STRETCH)
        body = self.question, photos, buttons, self.against, self._supporters
        self._arrange(self.tr("Likely label errors"), [top], self.list, body)
        self._columns.setSizes([320, 900])
        model.changed.connect(self._show)
        self._show()

    def enter(self) -> None:
        """Make the list if it is outdated, and take the keyboard focus."""
        self._model.look_again()
        self._take_keyboard()

    def follow_scope(self) -> None:
        """Make the list for another scope."""
        self.enter()

    def follow_items(self) -> None:
        """Make the list of boxes instead of photos, or the other way round."""
        self.enter()

    def _listed(self) -> Sequence[LabelError]:
        return self._model.found

    def _near(self) -> Sequence[int | None]:
        one = self._model.current
        return () if one is None else (one.photo_id, one.focal_id, *one.supporters)

    def _show(self) -> None:
        model, one = self._model, self._model.current
        self.words.setText(self._summary())
        self.again_button.setEnabled(not model.busy)
        questions = [model.question(each) for each in model.found]
        texts = [
            (f"{100 * each.probability:.0f} %  {each.tag or text}", text)
            for each, text in zip(model.found, questions, strict=True)
        ]
        shown = bool(model.found) or model.busy
        self._show_list(texts, model.at, shown=shown, can_answer=one is not None and not model.read_only)
        self.delete_button.setVisible(model.boxes)
        clear_layout(self._supporters)
        if one is None:
            return
        self.question.setText(model.question(one))
        self.keep_button.setText(self.tr("{0} (Enter)").format(model.keeping(one)))
        self.change_button.setText(self.tr("{0} (X)").format(model.correction(one)))
        against = (
            self.tr("Similar boxes named differently:")
            if model.boxes
            else self.tr("Similar photos tagged differently:")
        )
        self.against.setText(against if one.supporters else "")
        for photo_id in one.supporters:
            supporter = QuestionPicture(small=True)
            supporter.set_photo(photo_id, model.cards.get(photo_id))
            self._supporters.addWidget(supporter)
        self.picture.set_photo(one.photo_id, model.cards.get(one.photo_id))
        self.focal.set_photo(one.focal_id, None if one.focal_id is None else model.cards.get(one.focal_id))
        self.focal.setVisible(one.focal_id is not None)
        self._request()

    def _summary(self) -> str:
        model = self._model
        if model.busy and model.boxes:
            return self.tr("Comparing the boxes with each other\N{HORIZONTAL ELLIPSIS}")
        if model.busy:
            return self.tr("Comparing tags and judgements with similar photos\N{HORIZONTAL ELLIPSIS}")
        if not model.found:
            return self.tr("Nothing stands out.")
        if model.boxes:
            return QCoreApplication.translate(
                "check",
                "The names of %n boxes are probably wrong. Those you keep will not be listed again.",
                "",
                len(model.found),
            )
        return QCoreApplication.translate(
            "check",
            "%n tags or judgements are probably wrong. Those you keep will not be listed again.",
            "",
            len(model.found),
        )
