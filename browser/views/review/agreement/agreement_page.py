# SPDX-License-Identifier: MIT
"""Agreement: the tags compared with those of other libraries, and the disagreements settled one by one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QSplitter

from focal_photos.browser.models.exchange.archives import SUFFIX
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import FlowLayout
from focal_photos.browser.views.review.agreement.agreement_table import AgreementTable
from focal_photos.browser.views.review.list_page import ListPage

if TYPE_CHECKING:
    from focal_photos.browser.operations.exchange.annotators.compare import Disagreement


class AgreementPage(ListPage):
    """A list of disagreements: Enter keeps one's own answer, X takes the other one."""

    pauses_questions = (
        True  # a settled disagreement may leave a photo without tags, which Review would ask about at once
    )

    again = Signal()
    """The user wants to compare the tags with an own second opinion."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.setAccessibleName(self.tr("Agreement"))
        model = self._model = session.review_pages.agreement
        self.table = AgreementTable()
        self.table.cellClicked.connect(lambda row, _column: model.go_to_tag(self.table.tag(row)))
        self.answers = label("", "soft", wrap=True)
        self.keep_button.clicked.connect(lambda: model.settle_current(keep=True))
        self.change_button.clicked.connect(lambda: model.settle_current(keep=False))
        self.next_button.clicked.connect(lambda: model.go_to(model.at + 1))
        self.list.currentRowChanged.connect(model.go_to)
        self.archive_button = button(self.tr("Compare with an archive\N{HORIZONTAL ELLIPSIS}"), "", self._choose_file)
        self.library_button = button(self.tr("Compare with a library\N{HORIZONTAL ELLIPSIS}"), "", self._choose_folder)
        self.record_button = button(self.tr("Show in the certificate"), "", self._record)
        self.record_button.setToolTip(self.tr("Record this agreement with the tags of others for the certificate"))
        self.again_button = button(self.tr("Ask me again\N{HORIZONTAL ELLIPSIS}"), "", self.again.emit)
        self.again_button.setToolTip(self.tr("Compare your tags with your own second opinion on a random sample"))
        ways = FlowLayout(8)
        for each in (
            self.archive_button,
            self.library_button,
            self.record_button,
            self.again_button,
            self.back_button,
        ):
            each.setAutoDefault(True)  # Enter presses the focused button
            ways.addWidget(each)
        lists = QSplitter(Qt.Orientation.Vertical)
        lists.addWidget(self.table)
        lists.addWidget(self.list)
        lists.setSizes([200, 400])
        buttons = FlowLayout(8)
        for each in (self.keep_button, self.change_button, self.next_button):
            buttons.addWidget(each)
        body = self.question, self.answers, self.picture, buttons
        self._arrange(self.tr("Disagreements"), [self.words, ways], lists, body)
        self._columns.setSizes([420, 800])
        model.changed.connect(self._show)
        self._shown: object = None
        self._show()

    def enter(self) -> None:
        """Take the keyboard focus."""
        self._take_keyboard()

    def _take_keyboard(self) -> None:
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
        texts = []
        for listed in model.listed:
            name = model.cards[listed.photo_id].name if listed.photo_id in model.cards else ""
            texts.append((f"{listed.tag}  {name}", "\n".join([model.question(listed), *model.answers(listed)])))
        shown = model.comparison is not None
        self._show_list(texts, model.at, shown=shown, can_answer=one is not None and not model.read_only)
        if one is None:
            return
        self.question.setText(model.question(one))
        self.answers.setText("\n".join(model.answers(one)))
        answers = self.tr("Not {0}").format(one.tag), self.tr("Tagged {0}").format(one.tag)
        own = model.own_answer(one)
        self.keep_button.setText(self.tr("{0} (Enter)").format(answers[own]))
        self.change_button.setText(self.tr("{0} (X)").format(answers[not own]))
        self.picture.set_photo(one.photo_id, model.cards.get(one.photo_id))
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

    def _listed(self) -> Sequence[Disagreement]:
        return self._model.listed

    def _near(self) -> Sequence[int | None]:
        one = self._model.current
        return () if one is None else (one.photo_id,)
