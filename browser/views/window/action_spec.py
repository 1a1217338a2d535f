# SPDX-License-Identifier: MIT
"""The specification of an action of the window: its text, its keys, and when it is enabled."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication


@dataclass(frozen=True)
class ActionSpec:
    """One action."""

    name: str
    """Name of the method that carries it out."""
    menu: str
    text: str
    """Displayed text, translated when used."""
    keys: tuple[str, ...] = ()
    """Shortcuts; the first is shown in the menu."""
    icon: str = ""
    in_photos: bool = False
    """Whether the keys work only in the middle of the window and in the list of suggestions, so that elsewhere Space
    presses buttons and letters search trees."""
    place: str = ""
    """``grid`` or ``preview`` if the keys work only there, so that another action can have them in the other place."""
    writes: bool = False
    """Whether it needs a writable library."""
    separated: bool = False
    """Whether a line is above it in the menu."""
    repeats: bool = True
    """Whether holding a key down triggers it repeatedly."""
    submenu: str = ""
    """Title of its submenu; empty if none."""


def translated(text: str) -> str:
    """Return the text of an action or the title of a menu in the user's language."""
    return QCoreApplication.translate("actions", text)


def plain(text: str) -> str:
    """Return a translated text without its mnemonic and ellipsis: ``&Settings…`` becomes Settings."""
    return translated(text).replace("&", "").rstrip("…")
