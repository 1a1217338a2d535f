# SPDX-License-Identifier: MIT
"""Agreement: the tags compared with those of other libraries, and the disagreements settled one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPixmap, QShowEvent
from PySide6.QtWidgets import QFileDialog, QScrollArea, QSplitter, QWidget

from focal_photos.browser.models.exchange.archives import SUFFIX
from focal_photos.browser.models.review.agreement import Agreement
from focal_photos.browser.models.review.check_tags import PICTURE
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, FlowLayout, in_column
from focal_photos.browser.views.base.painting import square_icon
from focal_photos.browser.views.review.agreement.agreement_table import AgreementTable
from focal_photos.browser.views.review.check_page import AnswerList, CheckPicture, caption

_PICTURES: Final = 60
"""Number of disagreements listed with a picture."""


class AgreementPage(QWidget):
    """A list of disagreements: Enter keeps one's own answer, X takes the other one, arrow keys select a question."""

    left = Signal()
    """Esc or the button was pressed, to return to the questions of Review."""
    again = Signal()
    """The user wants to compare the tags with an own second opinion."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Agreement"))
        self._session = session
        self._model: Agreement = session.review_pages.agreement
        self.words = label("", "soft", wrap=True)
        self.table = AgreementTable()
        self.table.cellClicked.connect(lambda row, _column: self._model.go_to_tag(self.table.tag(row)))
        self.question = label("", "title", wrap=True)
        self.answers = label("", "soft", wrap=True)
        self.picture = CheckPicture()
        self.keep_button = button("", "primary", lambda: self._model.settle_current(keep=True))
        self.change_button = button("", "", lambda: self._model.settle_current(keep=False))
        self.list = AnswerList(self.tr("Disagreements"), self.keep_button, self.change_button)
        self.list.currentRowChanged.connect(self._model.go_to)
        self.list.left.connect(self.left)
        self.next_button = button(self.tr("Next"), "", lambda: self._model.go_to(self._model.at + 1))
        self.archive_button = button(self.tr("Compare with an archive\N{HORIZONTAL ELLIPSIS}"), "", self._choose_file)
        self.library_button = button(self.tr("Compare with a library\N{HORIZONTAL ELLIPSIS}"), "", self._choose_folder)
        self.record_button = button(self.tr("Show in the certificate"), "", self._record)
        self.record_button.setToolTip(self.tr("Record this agreement with the tags of others for the certificate"))
        self.again_button = button(self.tr("Ask me again\N{HORIZONTAL ELLIPSIS}"), "", self.again.emit)
        self.again_button.setToolTip(self.tr("Compare your tags with your own second opinion on a random sample"))
        self.back_button = button(self.tr("Back to Review"), "", self.left.emit)
        buttons = FlowLayout(8)
        for each in (
            self.archive_button,
            self.library_button,
            self.record_button,
            self.again_button,
            self.back_button,
        ):
            each.setAutoDefault(True)  # Enter presses the focused button
            buttons.addWidget(each)
        self._columns = self._make_columns()
        layout = in_column(self.words, buttons, (self._columns, 1), margins=(18, 14, 18, 14), spacing=10, parent=self)
        layout.addStretch(0)  # takes the place of the list when there is nothing to show
        self._model.changed.connect(self._show)
        session.loader.loaded.connect(self._pictures_arrived)
        self._shown: object = None
        self._show()

    def _make_columns(self) -> QSplitter:
        lists = QSplitter(Qt.Orientation.Vertical)
        lists.addWidget(self.table)
        lists.addWidget(self.list)
        lists.setSizes([200, 400])
        inside = QWidget()
        buttons = FlowLayout(8)
        for each in (self.keep_button, self.change_button, self.next_button):
            buttons.addWidget(each)
        in_column(
            self.question,
            self.answers,
            self.picture,
            buttons,
            STRETCH,
            margins=(18, 6, 6, 6),
            spacing=12,
            parent=inside,
        )
        self._body = QScrollArea()
        self._body.setAccessibleName(self.tr("Agreement"))
        self._body.setWidgetResizable(True)
        self._body.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click beside the buttons leaves the keys to the list
        self._body.setFrameShape(QScrollArea.Shape.NoFrame)
        self._body.setWidget(inside)
        columns = QSplitter(Qt.Orientation.Horizontal)
        columns.setHandleWidth(1)
        columns.addWidget(lists)
        columns.addWidget(self._body)
        columns.setSizes([420, 800])
        columns.setStretchFactor(1, 1)
        return columns

    def enter(self) -> None:
        """Take the keyboard focus."""
        (self.archive_button if self._columns.isHidden() else self.list).setFocus()

    # ------------------------------------------------------------------ user actions
    def _choose_file(self) -> None:
        kinds = self.tr("Archives (*{0})").format(SUFFIX)
        title = self.tr("Archive of another person")
        chosen, _ = QFileDialog.getOpenFileName(self, title, str(Path.home()), kinds)
        if chosen:
            self._model.compare_with([Path(chosen)])

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Library of another person"), str(Path.home()))
        if chosen:
            self._model.compare_with([Path(chosen)])

    def _record(self) -> None:
        """Record the comparison; the keys answer disagreements again."""
        self._model.record()
        self.list.setFocus()

    # ------------------------------------------------------------------ display
    def _show(self) -> None:
        model, one = self._model, self._model.current
        self.words.setText(self._summary())
        for each in (self.archive_button, self.library_button):
            each.setEnabled(not model.busy)
        self.record_button.setEnabled(model.can_be_recorded)
        if self._shown is not model.comparison:
            self._shown = model.comparison
            self.table.show_comparison(model.comparison)
        self._fill_list()
        shown = model.comparison is not None
        if shown == self._columns.isHidden():
            self._columns.setVisible(shown)
            if self.isVisible():
                self.enter()
        self._body.setVisible(one is not None)
        for button_ in (self.keep_button, self.change_button):
            button_.setEnabled(one is not None and not model.read_only)
        self.next_button.setEnabled(model.at + 1 < len(model.listed))
        if one is None:
            return
        self.question.setText(model.question(one))
        self.answers.setText("\n".join(model.answers(one)))
        answers = self.tr("Not {0}").format(one.tag), self.tr("Tagged {0}").format(one.tag)
        own = model.own_answer(one)
        self.keep_button.setText(self.tr("{0} (Enter)").format(answers[own]))
        self.change_button.setText(self.tr("{0} (X)").format(answers[not own]))
        self.picture.photo_id = one.photo_id
        self.picture.name(caption(model.cards.get(one.photo_id)))
        self._request()

    def _summary(self) -> str:
        model = self._model
        if model.busy:
            return self.tr("Comparing tags\N{HORIZONTAL ELLIPSIS}")
        if model.comparison is None:
            return self.tr("Compare your tags with those of another person on the same photos.")
        number = model.comparison.photos
        if model.self_agreement:
            photos = QCoreApplication.translate("agreement", "%n of your photos, answered again.", "", number)
        else:
            photos = QCoreApplication.translate("agreement", "%n photos in common with {0}.", "", number)
            photos = photos.format(", ".join(model.comparison.names[1:]))
        if not model.open:
            return f"{photos} {self.tr('There is no disagreement to settle.')}"
        differ = QCoreApplication.translate("agreement", "%n disagreements to settle.", "", len(model.open))
        return f"{photos} {differ}"

    def _fill_list(self) -> None:
        model = self._model
        with QSignalBlocker(self.list):
            self.list.clear()
            for one in model.listed:
                name = model.cards[one.photo_id].name if one.photo_id in model.cards else ""
                self.list.add(f"{one.tag}  {name}", "\n".join([model.question(one), *model.answers(one)]))
            self.list.setCurrentRow(model.at)

    def _request(self) -> None:
        one = self._model.current
        if self.isVisible() and one is not None:
            listed = [other.photo_id for other in self._model.listed[:_PICTURES]]
            self._session.loader.request("check", list(dict.fromkeys([one.photo_id, *listed])), PICTURE)
        self._show_pictures()

    def _pictures_arrived(self, _photo_ids: list[int]) -> None:
        if self.isVisible():
            self._show_pictures()

    def _show_pictures(self) -> None:
        loader = self._session.loader
        if self.picture.photo_id is not None:
            image = loader.image(self.picture.photo_id, PICTURE)
            self.picture.show_pixmap(None if image is None or image.isNull() else QPixmap.fromImage(image))
        for row, one in enumerate(self._model.listed[:_PICTURES]):
            image = loader.image(one.photo_id, PICTURE)
            item = self.list.item(row)
            if image is not None and not image.isNull():
                item.setIcon(square_icon(image))

    def showEvent(self, event: QShowEvent) -> None:
        """Request the pictures."""
        self._request()
