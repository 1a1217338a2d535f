# SPDX-License-Identifier: MIT
"""The page "Am I done?": the choice of tags for an audit, its questions, and its result."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Final

from PySide6.QtCore import QCoreApplication, QStandardPaths, Signal
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QPushButton, QScrollArea, QStackedWidget, QWidget

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.review.audit import PER_TAG, Audit
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.exchange.certificates import certificate_page
from focal_photos.browser.tasks import messages
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import ElidedLabel, HintLabel, label
from focal_photos.browser.views.base.layouts import FlowLayout, clear_layout, in_column, in_row
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.review.audit.audit_grid import AuditGrid
from focal_photos.browser.views.review.audit.certificate_table import CertificateTable
from focal_photos.browser.views.review.subpage import Subpage

_CHOSEN: Final = 12
"""Number of tags selected at first: those with the most photos."""


class AuditPage(Subpage):
    """Asks about the photos of `Audit`, and shows the certificate."""

    pauses_questions = True

    differences_wanted = Signal()
    """The user wants to settle the differences between the tags and a blind pass."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("auditPage")
        self.setAccessibleName(self.tr("Am I done?"))
        self._audit: Audit = session.review_pages.audit
        self._wants_new = False
        self.grid = AuditGrid(self._audit, theme)
        self.table = CertificateTable()
        self._pages = QStackedWidget()
        for page in (self._start_page(), self._question_page(), self._result_page()):
            self._pages.addWidget(page)
        for each in (self.resume_button, self.begin_button, self.again_button, self.leave_button, *self._results):
            each.setAutoDefault(True)  # Enter presses the focused button
        in_column(self._pages, margins=0, parent=self)
        self.grid.accepted.connect(self._audit.accept)
        self.grid.skipped.connect(self._audit.pass_over)
        self._audit.state_changed.connect(self._show)
        self._audit.tiles.shown.connect(self._show)
        self._audit.tiles.changed.connect(self._show_answers)
        self._show()

    # ------------------------------------------------------------------ creation
    def _start_page(self) -> QWidget:
        page = QWidget()
        title = label(self.tr("Am I done?"), "title")
        title.setFont(scaled_font(self.font(), 1.5))
        self._why = label("", "soft", wrap=True)
        self.tag_buttons: list[QPushButton] = []
        chips = QWidget()
        self._chips = FlowLayout(5)
        chips.setLayout(self._chips)
        policy = chips.sizePolicy()
        policy.setHeightForWidth(True)
        chips.setSizePolicy(policy)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Am I done?"))
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(chips)
        self._sizes = QButtonGroup(self)
        sizes = in_row(label(self.tr("Photos to check for each tag:"), "soft"))
        for number in PER_TAG:
            choice = button(str(number), "recent")
            choice.setCheckable(True)
            choice.setChecked(number == PER_TAG[1])
            choice.setAccessibleName(self.tr("{0} photos for each tag").format(number))
            self._sizes.addButton(choice, number)
            sizes.addWidget(choice)
        sizes.addStretch(1)
        self._sizes.idToggled.connect(self._show_begin)
        self.resume_button = button("", "", self._resume)
        self.resume_button.setToolTip(self.tr("Continue with the photos that were drawn last"))
        self.begin_button = button(self.tr("Begin"), "primary", self._begin)
        self.again_button = button("", "", lambda: self._begin(blind=True))
        self.again_button.setToolTip(
            self.tr("Answer without seeing your tags, which stay: do you agree with yourself?")
        )
        self.leave_button = button(self.tr("Back to Review"), "", self.left.emit)
        offers = FlowLayout(8)
        for each in (self.resume_button, self.begin_button, self.again_button, self.leave_button):
            offers.addWidget(each)
        self.plant_folder_button = button(self.tr("From a folder\N{HORIZONTAL ELLIPSIS}"), "", self._plant_folder)
        self.plant_list_button = button(self.tr("From a list\N{HORIZONTAL ELLIPSIS}"), "", self._plant_list)
        self.plant_none_button = button(self.tr("None"), "", lambda: self._audit.plant(None))
        self._planted = ElidedLabel("", "soft")
        self._planted.setToolTip(
            self.tr("Photos with known tags, mixed into the questions, measure how well you answer.")
        )
        planted = in_row(
            label(self.tr("Planted photos with known tags:"), "soft", wrap=True),
            *(self.plant_folder_button, self.plant_list_button, self.plant_none_button),
            (self._planted, 1),
        )
        rows = title, self._why, (area, 1), planted, sizes, offers
        in_column(*rows, margins=(24, 18, 24, 18), spacing=12, parent=page)
        return page

    def _question_page(self) -> QWidget:
        page = QWidget()
        self.title = label("", "title")
        self.title.setFont(scaled_font(self.font(), 1.5))
        self._where = ElidedLabel("", "soft")
        head = in_row(self.title, (self._where, 1), margins=(16, 8, 12, 8), spacing=12)
        self.accept_button = button(self.tr("Accept all as shown"), "primary", self._audit.accept)
        self.accept_button.setToolTip(self.tr("Enter"))
        self.skip_button = button(self.tr("Finish this tag"), "", self._audit.pass_over)
        self.skip_button.setToolTip(self.tr("Continue with the next tag (Tab)"))
        self.stop_button = button(self.tr("Show the result"), "", self._audit.stop)
        self._hint = HintLabel()
        foot = in_row(self.accept_button, self.skip_button, self.stop_button, margins=(8, 7, 8, 7), spacing=8)
        foot.addSpacing(8)
        foot.addWidget(self._hint, 1)
        in_column(head, (self.grid, 1), foot, margins=0, spacing=0, parent=page)
        return page

    def _result_page(self) -> QWidget:
        page = QWidget()
        self.summary = label("", "title", wrap=True)
        self.summary.setFont(scaled_font(self.font(), 1.3))
        self._about = label("", "soft", wrap=True)
        self.go_on_button = button(self.tr("Check more photos"), "", self._audit.go_on)
        self.new_button = button(self.tr("New audit\N{HORIZONTAL ELLIPSIS}"), "", self.want_new)
        self.settle_button = button("", "", self.differences_wanted.emit)
        self.export_button = button(self.tr("Export\N{HORIZONTAL ELLIPSIS}"), "", self._export)
        self.export_button.setToolTip(self.tr("Write the certificate as a page to print, or as JSON"))
        self.rest_button = button(self.tr("No open suggestion is sure enough"), "", self._take_rest)
        self.back_button = button(self.tr("Back to Review"), "primary", self.left.emit)
        self._results = (
            *(self.back_button, self.settle_button, self.go_on_button),
            *(self.rest_button, self.export_button, self.new_button),
        )
        foot = FlowLayout(8)
        for widget in self._results:
            foot.addWidget(widget)
        in_column(self.summary, self._about, (self.table, 1), foot, margins=(24, 18, 24, 18), spacing=10, parent=page)
        return page

    # ------------------------------------------------------------------ user actions
    def enter(self) -> None:
        """Show the state of the audit."""
        self._wants_new = False
        self._audit.open()

    def leave(self) -> None:
        """Stop asking; saved answers stay."""
        self._audit.leave()

    def escape(self) -> None:
        """Show the result, or return to Review."""
        shows_result = self._audit.question is not None and self._audit.certificate is not None
        self._audit.stop()
        if not shows_result:
            self.left.emit()

    def _begin(self, *, blind: bool = False) -> None:
        chosen = [chip.property("tag") for chip in self.tag_buttons if chip.isChecked()]
        if chosen:
            self._wants_new = False
            self._audit.begin(chosen, self._sizes.checkedId(), blind=blind)

    def _resume(self) -> None:
        self._wants_new = False
        self._audit.go_on()

    def _plant_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Folder with a folder of photos for each tag"))
        if chosen:
            self._audit.plant(Path(chosen))

    def _plant_list(self) -> None:
        title, kinds = self.tr("List of photos and their tags"), self.tr("JSON Lines (*.jsonl)")
        chosen, _ = QFileDialog.getOpenFileName(self, title, "", kinds)
        if chosen:
            self._audit.plant(Path(chosen))

    def want_new(self) -> None:
        """Show the choice of tags for a new audit."""
        self._wants_new = True
        self._show()

    def _take_rest(self) -> None:
        if self._audit.rest is None:
            self._audit.look_at_rest()
        else:
            self._audit.accept_rest()

    def _export(self) -> None:
        start = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        kinds = self.tr("Page to print (*.html);;JSON (*.json)")
        title = self.tr("Export the certificate")
        chosen, kind = QFileDialog.getSaveFileName(self, title, str(start / "certificate.html"), kinds)
        if chosen:
            file = Path(chosen)
            suffix = ".json" if "json" in kind else ".html"
            self._audit.export(file if file.suffix else file.with_suffix(suffix))

    # ------------------------------------------------------------------ display
    def _show(self) -> None:
        audit = self._audit
        if audit.question is not None:
            self._pages.setCurrentIndex(1)
            self._show_answers()
            if self.isVisible():
                self.grid.setFocus()
        elif audit.certificate is not None and not self._wants_new:
            self._pages.setCurrentIndex(2)
            self._show_result()
        else:
            self._pages.setCurrentIndex(0)
            self._show_start()

    def _show_start(self) -> None:
        audit = self._audit
        text = self.tr(
            "Focal shows photos drawn at random for each tag. You mark which should have it: most need only "
            "Enter. Then Focal estimates how many tags are right and how many photos lack the tag."
        )
        if not audit.writable:
            text = self.tr("The library is open read-only.")
        elif audit.loaded and not audit.tags:
            text = self.tr("No photo carries a tag yet.")
            if not audit.scope.whole:
                text = self.tr("No photo here carries a tag yet.")
        elif audit.obstacle:
            text = audit.obstacle
        self._why.setText(text)
        self.resume_button.setVisible(audit.left > 0)
        self.resume_button.setText(QCoreApplication.translate("audit", "Check %n more photos", "", audit.left))
        self._planted.setText(self.tr("none") if audit.planted is None else audit.planted.name)
        self.plant_none_button.setVisible(audit.planted is not None)
        shown = [chip.property("tag") for chip in self.tag_buttons]
        if shown != [tag for tag, _ in audit.tags]:
            clear_layout(self._chips)
            self.tag_buttons = []
            for place, (tag, photos) in enumerate(audit.tags):
                chip = QPushButton(f"{tag[:24]}  {grouped(photos)}")
                chip.setProperty("variant", "recent")
                chip.setProperty("tag", tag)
                chip.setCheckable(True)
                chip.setChecked(place < _CHOSEN)
                chip.setAccessibleName(self.tr("Audit {0}").format(tag))
                chip.setToolTip(tool_tip(tag))
                chip.toggled.connect(self._show_begin)
                self._chips.addWidget(chip)
                self.tag_buttons.append(chip)
        self._show_begin()

    def _show_begin(self) -> None:
        chosen = sum(chip.isChecked() for chip in self.tag_buttons)
        for each in (self.begin_button, self.again_button):
            each.setEnabled(chosen > 0 and self._audit.writable and not self._audit.busy)
        most = chosen * self._sizes.checkedId()
        self.again_button.setText(QCoreApplication.translate("audit", "Ask me again about up to %n photos", "", most))
        if self.isVisible() and self._pages.currentIndex() == 0:
            (self.begin_button if self.resume_button.isHidden() else self.resume_button).setFocus()

    def _show_answers(self) -> None:
        audit, question = self._audit, self._audit.question
        if question is None:
            return
        self.title.setText(self.tr("Which of these are {0}?").format(question.tag))
        where = self.tr("{0} to {1} of {2} photos for this tag, {3} left in total")
        last = question.answered + len(question.photo_ids)
        self._where.setText(where.format(question.answered + 1, last, question.drawn, audit.left))
        changed = len(audit.tiles.answers.flipped)
        if audit.blind:
            text = QCoreApplication.translate("audit", "Save: %n have the tag", "", changed)
            hint = self.tr("Click, drag or Space marks photos that should have the tag. Your tags are hidden and stay.")
        else:
            text = self.tr("{0} changed").format(changed) if changed else self.tr("Accept all as shown")
            hint = self.tr("Green photos should have the tag. Click, drag or Space changes them. Enter saves.")
        self._hint.setText(hint)
        self.accept_button.setText(text + "  \N{RETURN SYMBOL}")
        self.accept_button.setEnabled(audit.writable)

    def _show_result(self) -> None:
        audit, certificate = self._audit, self._audit.certificate
        if certificate is None:
            return
        self.table.show_certificate(certificate)
        self.summary.setText(certificate_page.sentence(certificate, messages.in_words))
        scope = certificate.scope or self.tr("the whole library")
        text = self.tr("{0} photos: {1}. Ranges contain the true value with a probability of 95 %.")
        about = text.format(grouped(certificate.photos), scope)
        if certificate.blind:
            about += " " + messages.in_words(certificate_page.BLIND)
        for record in certificate.agreements:
            kappas = [one.kappa[0] for one in record.tags if one.kappa is not None]
            if kappas:
                text = self.tr("Agreement with {0}: kappa {1:.2f} (the median of {2} tags).")
                names = ", ".join(record.people[1:])
                about += "\n" + text.format(names, messages.Localized(median(kappas)), len(kappas))
        for person in certificate.people:
            answers, precision, recall = certificate_page.person_texts(person)
            text = self.tr("{0}: {1} of the given tags right, {2} found, in {3} answers to planted photos.")
            about += "\n" + text.format(person.name, precision, recall, answers)
        if certificate.changed:
            about += " " + self.tr("* Out of date: tags have changed since the audit.")
        self._about.setText(about)
        self.settle_button.setVisible(audit.differences > 0)
        self.settle_button.setText(QCoreApplication.translate("audit", "Settle %n differences", "", audit.differences))
        self.go_on_button.setVisible(audit.left > 0)
        self.go_on_button.setText(QCoreApplication.translate("audit", "Check %n more photos", "", audit.left))
        rest = audit.rest
        if rest is None:
            self.rest_button.setText(self.tr("Accept the rest at 95 % precision\N{HORIZONTAL ELLIPSIS}"))
        elif rest.pairs:
            text = QCoreApplication.translate("audit", "Accept %n suggestions (about {0} % right)", "", len(rest.pairs))
            self.rest_button.setText(text.format(round(100 * rest.precision)))
        else:
            self.rest_button.setText(self.tr("No open suggestion is sure enough"))
        self.rest_button.setEnabled(audit.writable and not audit.busy and (rest is None or bool(rest.pairs)))
