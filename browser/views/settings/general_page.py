# SPDX-License-Identifier: MIT
"""The settings page for the user's choices: clicks, appearance, language, disk."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QWidget

from focal_photos.browser.models.photos.formatting import file_size
from focal_photos.browser.models.settings.user_settings import (
    CAPTIONS,
    CLICK,
    DIGITS,
    LANGUAGE,
    OFFER_VERIFYING,
    SHAPE,
    THEME,
    THUMBNAILS,
    TRASH,
    T,
    UserSetting,
    UserSettings,
)
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column
from focal_photos.browser.views.base.theme import Theme


class GeneralPage(QWidget):
    """A line for each choice, which takes effect at once."""

    def __init__(self, user_settings: UserSettings, theme: Theme) -> None:
        super().__init__()
        self._user_settings = user_settings
        self._theme = theme
        self.boxes: dict[str, QComboBox] = {}
        """By the names of the settings."""
        self.switches: dict[str, QCheckBox] = {}
        self._shows: list[Callable[[], None]] = []
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(18)
        self._form.setVerticalSpacing(10)
        self._add(
            CLICK,
            self.tr("Single click on a photo"),
            {
                "select": self.tr("selects it; double-click or Enter sets it as focal image"),
                "walk": self.tr("sets it as focal image"),
            },
        )
        self._add(
            SHAPE,
            self.tr("Layout"),
            {
                "justified": self.tr("uncropped, justified rows"),
                "square": self.tr("cropped to squares"),
            },
        )
        self._add(
            DIGITS,
            self.tr("The keys 1 to 9"),
            {"tags": self.tr("add tags"), "stars": self.tr("add stars, and labels from 6 on")},
        )
        self._switch(CAPTIONS, self.tr("Names under the photos"))
        self._switch(TRASH, self.tr("Offer “Move to trash” in the context menu"))
        self._switch(OFFER_VERIFYING, self.tr("Remind me to verify backups once a month"))
        self._add(
            THEME,
            self.tr("Theme"),
            {
                "system": self.tr("Follow system"),
                "dark": self.tr("Dark"),
                "light": self.tr("Light"),
            },
        )
        self._add(
            LANGUAGE,
            self.tr("Language"),
            {
                "system": self.tr("Follow system"),
                "en": "English",
                "de": "Deutsch",
            },
        )
        self._form.addRow("", label(self.tr("Takes effect after restarting."), "soft", wrap=True))
        self._add(
            THUMBNAILS,
            self.tr("Largest size of thumbnails"),
            {size: file_size(size * 10**6) for size in THUMBNAILS.choices},
        )
        self._form.addRow("", label(self.tr("For each library. Takes effect after restarting."), "soft", wrap=True))
        in_column(self._form, STRETCH, margins=0, parent=self)
        user_settings.changed.connect(self._show)
        self._show()

    def _add(self, setting: UserSetting[T], title: str, choices: dict[T, str]) -> None:
        box = ComboBox(self._theme)
        box.setAccessibleName(title)
        for value, text in choices.items():
            box.addItem(text, value)
        box.activated.connect(lambda row, setting=setting: self._user_settings.set(setting, box.itemData(row)))
        self.boxes[setting.name] = box
        self._form.addRow(label(title), box)
        self._shows.append(lambda: box.setCurrentIndex(box.findData(self._user_settings.get(setting))))

    def _switch(self, setting: UserSetting[bool], title: str) -> None:
        box = QCheckBox(title)
        box.toggled.connect(lambda on: self._user_settings.set(setting, on))
        self.switches[setting.name] = box
        self._form.addRow(box)
        self._shows.append(lambda: box.setChecked(self._user_settings.get(setting)))

    def _show(self) -> None:
        for show in self._shows:
            show()
