# SPDX-License-Identifier: MIT
"""The settings of the user rather than of a library: clicks, appearance, language, keys.

Each setting is declared once, with its default and its choices. A saved value that is not valid counts as not set.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QObject, QSettings, Signal

T = TypeVar("T", bool, int, str)

_FORMER_NAMES: Final = {"check_tags": "contradictions"}
"""Names under which older versions saved the keys of actions."""


@dataclass(frozen=True)
class UserSetting(Generic[T]):
    """One setting.

    Attributes
    ----------
    default : bool, int or str
    """

    name: str
    default: T
    choices: tuple[T, ...] = ()
    """The valid values; empty: any value of the default's type."""


CLICK: Final = UserSetting("browse.click", "select", ("select", "walk"))
"""Whether one click on a photo selects it or makes it the focal image."""
SHAPE: Final = UserSetting("grid.shape", "justified", ("justified", "square"))
"""Whether photos are shown in lines of equal height or cropped to squares."""
CAPTIONS: Final = UserSetting("grid.captions", False)
"""Whether each photo has its name below it."""
TRASH: Final = UserSetting("files.trash", False)
"""Whether photos may be moved to the system's trash."""
OFFER_VERIFYING: Final = UserSetting("backups.offer-verifying", True)
"""Whether the window offers to verify a backup if none was verified for a month."""
THEME: Final = UserSetting("window/theme", "system", ("system", "dark", "light"))
LANGUAGE: Final = UserSetting("window/language", "system", ("system", "en", "de"))
DIGITS: Final = UserSetting("keys.digits", "tags", ("tags", "stars"))
"""Whether the keys 1 to 9 give tags, or stars and labels."""
THUMBNAILS: Final = UserSetting("thumbnails.megabytes", 2048, (512, 1024, 2048, 4096, 8192, 16384))
"""Disk space that the thumbnails of a library may use, in megabytes; applies from the next start."""

_RECENT_LIBRARIES: Final = "libraries/recent"
_NAMES: Final = "libraries/names"
_MOST_RECENT: Final = 9


class UserSettings(QObject):
    """The settings of the user, which take effect at once."""

    changed = Signal(str)
    """Name of a setting that has changed."""

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    def get(self, setting: UserSetting[T]) -> T:
        """Return the chosen value, or the default."""
        saved = self._settings.value(setting.name)
        value = _as(saved, setting.default)
        return value if value is not None and value in (setting.choices or (value,)) else setting.default

    def set(self, setting: UserSetting[T], value: T) -> None:
        """Save a choice.

        Raises
        ------
        ValueError
            If the value is not one of the choices.
        """
        if setting.choices and value not in setting.choices:
            raise ValueError(f"{setting.name} is one of {setting.choices}, not {value!r}")
        if value != self.get(setting):
            self._settings.setValue(setting.name, value)
            self.changed.emit(setting.name)

    # ------------------------------------------------------------------ keys
    def keys(self, name: str) -> tuple[str, ...] | None:
        """Return the keys chosen for an action as portable text; None if none were chosen."""
        saved = self._settings.value(f"keys/{name}")
        if saved is None and name in _FORMER_NAMES:
            saved = self._settings.value(f"keys/{_FORMER_NAMES[name]}")
        if saved is None:
            return None
        texts = saved if isinstance(saved, list) else [saved]
        return tuple(text for text in texts if isinstance(text, str) and text)

    def set_keys(self, name: str, keys: Sequence[str] | None) -> None:
        """Save the keys of an action; None restores the default."""
        if keys is None:
            for each in (name, _FORMER_NAMES.get(name, name)):
                self._settings.remove(f"keys/{each}")
        else:
            self._settings.setValue(f"keys/{name}", list(keys))
        self.changed.emit(f"keys/{name}")

    # ------------------------------------------------------------------ libraries
    def recent_libraries(self) -> list[Path]:
        """Return the folders of the recently opened libraries, the latest first."""
        saved = self._settings.value(_RECENT_LIBRARIES)
        texts = saved if isinstance(saved, list) else [saved]
        return [Path(text) for text in texts if isinstance(text, str) and text]

    def note_library(self, folder: Path, *, instead_of: Path | None = None) -> None:
        """Record that a library was opened; a moved library replaces its former entry."""
        others = [one for one in self.recent_libraries() if one not in (folder, instead_of)]
        self._settings.setValue(_RECENT_LIBRARIES, [str(one) for one in [folder, *others][:_MOST_RECENT]])

    def note_name(self, folder: Path, name: str) -> None:
        """Record the name of a library, which can be read only while the library is open."""
        there = {str(one) for one in (folder, *self.recent_libraries())}
        names = {one: called for one, called in _names(self._settings.value(_NAMES)).items() if one in there}
        self._settings.setValue(_NAMES, json.dumps({**names, str(folder): name}))

    def library_name(self, folder: Path) -> str:
        """Return a library's last known name, or the name of its folder."""
        return _names(self._settings.value(_NAMES)).get(str(folder)) or folder.name


def _names(saved: object) -> dict[str, str]:
    """Return saved library names by folder; ignore invalid data."""
    try:
        names = json.loads(saved) if isinstance(saved, str) else {}
    except ValueError:
        return {}
    texts = names.items() if isinstance(names, dict) else ()
    return {folder: name for folder, name in texts if isinstance(name, str)}


def _as(saved: object, default: T) -> T | None:
    """Convert a saved value to the type of `default`, since settings files hold text; None if impossible."""
    if isinstance(default, bool):
        words = {"true": True, "false": False}
        return saved if isinstance(saved, bool) else words.get(saved) if isinstance(saved, str) else None
    if isinstance(default, int):
        try:
            return int(saved) if isinstance(saved, (int, str)) else None
        except ValueError:
            return None
    return saved if isinstance(saved, str) else None
