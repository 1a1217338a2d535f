"""What belongs to the person rather than to a library: how clicks work, how it looks, the language, keys.

Each setting is declared once, with its default and what it may be. What is kept and is none of that is as if nobody had
chosen.
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
class PersonSetting(Generic[T]):
    """One setting.

    Attributes
    ----------
    name : str
        Under which it is kept.
    default : bool, int or str
    choices : tuple
        What it may be; empty: anything of its type.
    """

    name: str
    default: T
    choices: tuple[T, ...] = ()


CLICK: Final = PersonSetting("browse.click", "select", ("select", "walk"))
"""Whether one click on a photo selects it, or makes it the focal image."""
SHAPE: Final = PersonSetting("grid.shape", "justified", ("justified", "square"))
"""Photos in lines of one height, or cut to squares."""
CAPTIONS: Final = PersonSetting("grid.captions", False)
"""Whether a name stands under each photo."""
TRASH: Final = PersonSetting("files.trash", False)
"""Whether photos may be moved to the system's trash."""
OFFER_VERIFYING: Final = PersonSetting("backups.offer-verifying", True)
"""Whether the window offers to verify a backup where none was verified for a month."""
THEME: Final = PersonSetting("window/theme", "system", ("system", "dark", "light"))
LANGUAGE: Final = PersonSetting("window/language", "system", ("system", "en", "de"))
DIGITS: Final = PersonSetting("keys.digits", "tags", ("tags", "stars"))
"""Whether the keys 1 to 9 give tags, or stars and labels."""
THUMBNAILS: Final = PersonSetting("thumbnails.megabytes", 2048, (512, 1024, 2048, 4096, 8192, 16384))
"""Most that the thumbnails of a library take on the disk; counts from the next start on."""

_RECENT: Final = "libraries/recent"
_NAMES: Final = "libraries/names"
_MOST_RECENT: Final = 9


class Person(QObject):
    """The settings of the person, which count at once.

    Parameters
    ----------
    settings : QSettings
        Where they are kept.

    Signals
    -------
    changed : str
        The name of a setting that is another one now.
    """

    changed = Signal(str)

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    def get(self, setting: PersonSetting[T]) -> T:
        """Return what was chosen, else the default."""
        kept = self._settings.value(setting.name)
        value = _as(kept, setting.default)
        return value if value is not None and value in (setting.choices or (value,)) else setting.default

    def set(self, setting: PersonSetting[T], value: T) -> None:
        """Keep a choice.

        Raises
        ------
        ValueError
            The setting cannot be that.
        """
        if setting.choices and value not in setting.choices:
            raise ValueError(f"{setting.name} is one of {setting.choices}, not {value!r}")
        if value != self.get(setting):
            self._settings.setValue(setting.name, value)
            self.changed.emit(setting.name)

    # ------------------------------------------------------------------ keys
    def keys(self, name: str) -> tuple[str, ...] | None:
        """Return the keys that were chosen for an action, as portable text; None if nobody did."""
        kept = self._settings.value(f"keys/{name}")
        if kept is None and name in _FORMER_NAMES:
            kept = self._settings.value(f"keys/{_FORMER_NAMES[name]}")
        if kept is None:
            return None
        texts = kept if isinstance(kept, list) else [kept]
        return tuple(text for text in texts if isinstance(text, str) and text)

    def set_keys(self, name: str, keys: Sequence[str] | None) -> None:
        """Keep the keys of an action; None forgets them."""
        if keys is None:
            for each in (name, _FORMER_NAMES.get(name, name)):
                self._settings.remove(f"keys/{each}")
        else:
            self._settings.setValue(f"keys/{name}", list(keys))
        self.changed.emit(f"keys/{name}")

    # ------------------------------------------------------------------ libraries
    def recent_libraries(self) -> list[Path]:
        """Return the folders of the libraries that were opened last, the latest first."""
        kept = self._settings.value(_RECENT)
        texts = kept if isinstance(kept, list) else [kept]
        return [Path(text) for text in texts if isinstance(text, str) and text]

    def note_library(self, folder: Path, *, instead_of: Path | None = None) -> None:
        """Note that a library was opened; one that was moved takes the place of its former one."""
        others = [one for one in self.recent_libraries() if one not in (folder, instead_of)]
        self._settings.setValue(_RECENT, [str(one) for one in [folder, *others][:_MOST_RECENT]])

    def note_name(self, folder: Path, name: str) -> None:
        """Note what a library is called, which only a library that is open says itself."""
        there = {str(one) for one in (folder, *self.recent_libraries())}
        names = {one: called for one, called in _names(self._settings.value(_NAMES)).items() if one in there}
        self._settings.setValue(_NAMES, json.dumps({**names, str(folder): name}))

    def library_name(self, folder: Path) -> str:
        """Return what a library was called when it was open last, else the name of its folder."""
        return _names(self._settings.value(_NAMES)).get(str(folder)) or folder.name


def _names(kept: object) -> dict[str, str]:
    """Return what is kept as names of libraries by their folders, whatever was written there."""
    try:
        names = json.loads(kept) if isinstance(kept, str) else {}
    except ValueError:
        return {}
    texts = names.items() if isinstance(names, dict) else ()
    return {folder: name for folder, name in texts if isinstance(name, str)}


def _as(kept: object, default: T) -> T | None:
    """Return what is kept as a value of the type of `default`; files of settings hold text. None if it is none."""
    if isinstance(default, bool):
        words = {"true": True, "false": False}
        return kept if isinstance(kept, bool) else words.get(kept) if isinstance(kept, str) else None
    if isinstance(default, int):
        try:
            return int(kept) if isinstance(kept, (int, str)) else None
        except ValueError:
            return None
    return kept if isinstance(kept, str) else None
