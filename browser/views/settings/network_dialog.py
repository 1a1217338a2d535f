# SPDX-License-Identifier: MIT
"""The dialog to add a network: its files, its name and a description of its input."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QDialog, QFileDialog, QGridLayout, QLineEdit, QWidget

from focal_photos.browser.models.settings.networks import Networks
from focal_photos.browser.models.settings.preferences import NetworkEntry, Preferences
from focal_photos.browser.operations.describing.networks import preprocessing_of
from focal_photos.browser.operations.describing.try_network import NetworkTrial
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.fields.field_error import show_field_error
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.task_strip import busy_bar
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.settings.network_trial import trial_in_words

_Numbers = tuple[tuple[float, float, float], tuple[float, float, float]]

_CONFIG: Final = "preprocessor_config.json"
_SIDE: Final = 224
_LARGEST_SIDE: Final = 4096
_FRAMINGS: Final = (("crop", 1.0), ("squeeze", 1.0))
"""Part of a photo that is used: framing, and share of the shorter side."""
_UNIT_SCALE: Final = (1.0, 1.0, 1.0)
_PRESETS: Final[tuple[_Numbers, ...]] = (
    # mean and standard deviation of the photos of ImageNet, which most published networks use
    ((123.675, 116.28, 103.53), (1 / 58.395, 1 / 57.12, 1 / 57.375)),
    ((0.0, 0.0, 0.0), (1 / 255, 1 / 255, 1 / 255)),
    ((127.5, 127.5, 127.5), (1 / 127.5, 1 / 127.5, 1 / 127.5)),
    ((0.0, 0.0, 0.0), _UNIT_SCALE),
)


class NetworkDialog(QDialog):
    """A form that is checked before it closes: errors are shown in it, and typed text is not lost.

    Parameters
    ----------
    preferences : Preferences
        Checks the network and adds it.
    networks : Networks, optional
        Tries it on photos; without it, the network can only be added.
    """

    def __init__(
        self,
        preferences: Preferences,
        theme: Theme,
        parent: QWidget | None = None,
        networks: Networks | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Add a network"))
        self.setProperty("guide", "descriptors.md#switching-descriptors")
        self._preferences, self._networks = preferences, networks
        self._proposed = ""
        self._make_fields(theme)
        self.error = label("", "error", wrap=True)
        self.error.hide()
        self._busy = busy_bar(self.tr("Inspecting the network"))
        self._working = QWidget()
        self.cancel_button = button(self.tr("Cancel"), "", self.reject)
        self.add_button = button(self.tr("Add"), "primary", self._add)
        self.try_button = button(self.tr("Try on 10 photos"), "", self._try)
        self.try_button.setVisible(networks is not None)
        self.outcome = label("", "soft", wrap=True)
        self.outcome.hide()
        self._form = self._make_form()
        self._place()
        self._choose_preset(0)
        self._connect()
        for each in (
            self.choose_button,
            self.choose_text_button,
            self.choose_tokenizer_button,
            self.config_button,
            self.try_button,
        ):
            each.setAutoDefault(False)
        self.cancel_button.setAutoDefault(False)
        self.add_button.setDefault(True)
        self.finished.connect(preferences.stop_adding)
        if networks is not None:
            self.finished.connect(networks.cancel)
        self._work(False)
        self._show()
        self.file_field.setFocus()

    def _make_fields(self, theme: Theme) -> None:
        self.file_field = _field(self.tr("File"), self.tr("Path of an .onnx file"))
        self.choose_button = button(self.tr("Choose\N{HORIZONTAL ELLIPSIS}"), "", self._choose)
        self.text_field = _field(self.tr("File for texts"), self.tr("optional (.onnx)"))
        self.tokenizer_field = _field(self.tr("Tokenizer"), self.tr("Its tokenizer.json"))
        self.choose_text_button = button(self.tr("Choose\N{HORIZONTAL ELLIPSIS}"), "", self._choose_text)
        self.choose_tokenizer_button = button(self.tr("Choose\N{HORIZONTAL ELLIPSIS}"), "", self._choose_tokenizer)
        self.config_button = button(
            self.tr("Read preprocessor_config.json\N{HORIZONTAL ELLIPSIS}"), "", self._choose_config
        )
        self.name_field = _field(self.tr("Name"), self.tr("a-z, 0-9 and _, a letter first"))
        self.width_field = _field(self.tr("Width of the input in pixels"), text=str(_SIDE))
        self.height_field = _field(self.tr("Height of the input in pixels"), text=str(_SIDE))
        for side in (self.width_field, self.height_field):
            side.setValidator(QIntValidator(1, _LARGEST_SIDE, side))
            side.setFixedWidth(70)
        self.preset_box = _box(
            theme,
            self.tr("Levels"),
            (
                self.tr("ImageNet mean and deviation"),
                self.tr("0 to 1"),
                self.tr("\N{MINUS SIGN}1 to 1"),
                self.tr("0 to 255"),
            ),
        )
        self.preset_box.addItem(self.tr("Other values"))
        self.mean_field = _field(self.tr("Mean of R, G and B"))
        self.scale_field = _field(self.tr("Scale of R, G and B"))
        self.channels_box = _box(theme, self.tr("Order of the channels"), ("RGB", "BGR"))
        self.layout_box = _box(theme, self.tr("Order of the axes"), ("NCHW", "NHWC"))
        self.framing_box = _box(
            theme, self.tr("Part of the photo"), (self.tr("Centre, undistorted"), self.tr("Whole photo, distorted"))
        )
        self.output_field = _field(self.tr("Output"), self.tr("Remove a photo"))

    def _connect(self) -> None:
        self.preset_box.activated.connect(self._choose_preset)
        self.file_field.textChanged.connect(self._propose_name)
        for each in (self.mean_field, self.scale_field):
            each.textEdited.connect(lambda _: self.preset_box.setCurrentIndex(len(_PRESETS)))
        for each in (
            self.file_field,
            self.name_field,
            self.width_field,
            self.height_field,
            self.mean_field,
            self.scale_field,
            self.text_field,
            self.tokenizer_field,
        ):
            each.textChanged.connect(self._show)

    def _make_form(self) -> QWidget:
        form = QWidget()
        grid = QGridLayout(form)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(9)
        grid.setColumnStretch(1, 1)
        size = (
            self.width_field,
            label("\N{MULTIPLICATION SIGN}", "soft"),
            self.height_field,
            label(self.tr("pixels"), "soft"),
            self.config_button,
        )
        formula = label(
            self.tr("What goes in is (level \N{MINUS SIGN} mean) \N{MULTIPLICATION SIGN} scale, levels from 0 to 255"),
            "faint",
        )
        for row, (title, widgets, stretches) in enumerate(
            (
                (self.tr("File"), (self.file_field, self.choose_button), False),
                (
                    self.tr("For texts"),
                    (
                        self.text_field,
                        self.choose_text_button,
                        self.tokenizer_field,
                        self.choose_tokenizer_button,
                    ),
                    False,
                ),
                (self.tr("Name"), (self.name_field,), False),
                (self.tr("Input"), size, True),
                (self.tr("Levels"), (self.preset_box,), False),
                (self.tr("Mean"), (self.mean_field,), False),
                (self.tr("Scale"), (self.scale_field,), False),
                ("", (formula,), False),
                (self.tr("Channels"), (self.channels_box, label(self.tr("axes"), "soft"), self.layout_box), True),
                (self.tr("Photo"), (self.framing_box, label(self.tr("output"), "soft"), self.output_field), False),
            )
        ):
            line = in_row(*widgets, spacing=8)
            if stretches:
                line.addStretch(1)
            grid.addWidget(label(title, "soft"), row, 0)
            grid.addLayout(line, row, 1)
        return form

    def _place(self) -> None:
        in_row(
            label(self.tr("Looking into the network\N{HORIZONTAL ELLIPSIS}"), "soft"),
            (self._busy, 1),
            margins=0,
            spacing=10,
            parent=self._working,
        )
        buttons = in_row(self.try_button, STRETCH, self.cancel_button, self.add_button)
        in_dialog(self, self._form, self.error, self.outcome, self._working, STRETCH, buttons, spacing=14)
        self.setMinimumWidth(560)

    # ------------------------------------------------------------------ filling in
    def _choose(self) -> None:
        start = self.file_field.text() or str(Path.home())
        chosen, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose a network"), start, self.tr("ONNX networks (*.onnx)")
        )
        if chosen:
            self.file_field.setText(chosen)
            self.name_field.setFocus()

    def take_files(self, files: Sequence[Path]) -> None:
        """Put files into the fields that match their names; other files count as the network itself."""
        for file in files:
            name = file.name.lower()
            if name == _CONFIG:
                self._read_config(file)
            elif name.endswith(".json"):
                self.tokenizer_field.setText(str(file))
            elif "text" in name and len(files) > 1:
                self.text_field.setText(str(file))
            else:
                self.file_field.setText(str(file))

    def _choose_text(self) -> None:
        self._choose_into(self.text_field, self.tr("ONNX networks (*.onnx)"))

    def _choose_tokenizer(self) -> None:
        self._choose_into(self.tokenizer_field, self.tr("Tokenizers (*.json)"))

    def _choose_into(self, field: QLineEdit, kinds: str) -> None:
        start = field.text() or self.file_field.text() or str(Path.home())
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a file"), start, kinds)
        if chosen:
            field.setText(chosen)
            field.setFocus()

    def _choose_config(self) -> None:
        start = self.file_field.text() or str(Path.home())
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a file"), start, self.tr("Settings (*.json)"))
        if chosen:
            self._read_config(Path(chosen))

    def _read_config(self, file: Path) -> None:
        """Fill in the fields from a preprocessor_config.json."""
        try:
            found = preprocessing_of(file)
        except OperationError as error:
            self._refused(in_words(str(error)))
            return
        if "width" in found:
            self.width_field.setText(str(found["width"]))
            self.height_field.setText(str(found["height"]))
            self._choose_framing(found["framing"], found.get("share", 1.0))
        for field, numbers in ((self.mean_field, found["mean"]), (self.scale_field, found["scale"])):
            field.setText(", ".join(f"{value:.8g}" for value in numbers))
            field.setCursorPosition(0)
        self.preset_box.setCurrentIndex(len(_PRESETS))

    def _choose_framing(self, framing: str, share: float) -> None:
        """Choose the part of a photo that is used; an unusual share gets a separate entry."""
        while self.framing_box.count() > len(_FRAMINGS):
            self.framing_box.removeItem(len(_FRAMINGS))
        if (framing, share) not in _FRAMINGS:
            text = self.tr("Centre {0} %, undistorted").format(f"{100 * share:.3g}")
            self.framing_box.addItem(text, (framing, share))
        entries = [*_FRAMINGS, (framing, share)]
        self.framing_box.setCurrentIndex(entries.index((framing, share)))

    def _propose_name(self, file: str) -> None:
        """Propose the file's name, unless the user has typed another one."""
        if self.name_field.text() == self._proposed:
            plain = re.sub(r"[^a-z0-9]+", "_", Path(file).stem.lower()).strip("_")
            self._proposed = (f"net_{plain}" if plain[:1].isdecimal() else plain)[:64]
            self.name_field.setText(self._proposed)

    def _choose_preset(self, number: int) -> None:
        if number < len(_PRESETS):
            for field, numbers in zip((self.mean_field, self.scale_field), _PRESETS[number], strict=True):
                field.setText(", ".join(f"{value:.6g}" for value in numbers))
                field.setCursorPosition(0)
        else:
            self.mean_field.setFocus()

    def _show(self) -> None:
        for field in (self.mean_field, self.scale_field):
            wrong = self.tr("A number, or three for R, G and B: 123.7, 116.3, 103.5")
            show_field_error(field, "" if _three(field.text()) else wrong)
        self.error.hide()
        self.outcome.hide()
        self.try_button.setEnabled(self._working.isHidden() and self._entry() is not None)
        self.add_button.setEnabled(self._working.isHidden() and self._entry() is not None)

    # ------------------------------------------------------------------ adding
    def _entry(self) -> NetworkEntry | None:
        """Return the entry; None while a value is missing or invalid."""
        file, name = self.file_field.text().strip(), self.name_field.text().strip()
        mean, scale = _three(self.mean_field.text()), _three(self.scale_field.text())
        sides = (self.width_field, self.height_field)
        text, tokenizer = self.text_field.text().strip(), self.tokenizer_field.text().strip()
        if (
            not file
            or bool(text) != bool(tokenizer)
            or not name
            or mean is None
            or scale is None
            or not all(side.hasAcceptableInput() for side in sides)
        ):
            return None
        width, height = (int(side.text()) for side in sides)
        framing, share = [*_FRAMINGS, self.framing_box.currentData()][self.framing_box.currentIndex()]
        return NetworkEntry(
            Path(file),
            name,
            width,
            height,
            mean,
            scale,
            self.channels_box.currentText(),
            self.layout_box.currentText(),
            framing,
            self.output_field.text().strip(),
            share,
            Path(text) if text else None,
            Path(tokenizer) if text else None,
        )

    def _add(self) -> None:
        entry = self._entry()
        if entry is not None:
            self.error.hide()
            self._work(True)
            self._preferences.add_network(entry, self.accept, self._refused)

    def _try(self) -> None:
        """Check the network, and run it on photos of the library."""
        entry, networks = self._entry(), self._networks
        if entry is None or networks is None:
            return

        def tried(trial: NetworkTrial) -> None:
            self._work(False)
            self.outcome.setText(trial_in_words(trial))
            self.outcome.show()
            self.add_button.setFocus()

        self.error.hide()
        self.outcome.hide()
        self._work(True)
        self._preferences.look_into(entry, lambda known: networks.try_entry(known, tried, self._refused), self._refused)

    def _refused(self, reason: str) -> None:
        self._work(False)
        self.error.setText(reason)
        self.error.show()
        self.file_field.setFocus()

    def _work(self, at_work: bool) -> None:
        self._working.setVisible(at_work)
        self._form.setEnabled(not at_work)
        self.add_button.setEnabled(not at_work and self._entry() is not None)
        self.try_button.setEnabled(self.add_button.isEnabled())
        if at_work:
            self.cancel_button.setFocus()


def _field(name: str, hint: str = "", text: str = "") -> QLineEdit:
    field = QLineEdit(text)
    field.setAccessibleName(name)
    field.setPlaceholderText(hint)
    return field


def _box(theme: Theme, name: str, entries: tuple[str, ...]) -> ComboBox:
    box = ComboBox(theme)
    box.setAccessibleName(name)
    box.addItems(entries)
    return box


def _three(text: str) -> tuple[float, float, float] | None:
    """Return the three numbers in a text; a single number is used three times. None if there are not one or three."""
    try:
        numbers = [float(part) for part in text.replace(";", ",").split(",")]
    except ValueError:
        return None
    if len(numbers) == 1:
        numbers *= 3
    if len(numbers) != 3:
        return None
    first, second, third = numbers
    return first, second, third
