"""What is known of an action of the window before it is made: its text, its keys, and when it is enabled."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication


@dataclass(frozen=True)
class ActionSpec:
    """One action.

    Attributes
    ----------
    name : str
        Of the method that carries it out.
    menu : str
        Title of its menu.
    text : str
        What a person reads; translated where it is used.
    keys : tuple of str
        Shortcuts, the one shown in the menu first.
    icon : str
        Name of its icon; may be empty.
    in_photos : bool
        Whether the keys count only in the middle of the window and in the list of suggestions: so that Space presses a
        button elsewhere, and letters search a tree.
    writes : bool
        Whether it needs a library that can be written.
    separated : bool
        Whether a line stands above it in the menu.
    repeats : bool
        Whether a key that is held down triggers it again and again.
    submenu : str
        Title of the menu inside its menu; empty: none.
    """

    name: str
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    in_photos: bool = False
    writes: bool = False
    separated: bool = False
    repeats: bool = True
    submenu: str = ""


def translated(text: str) -> str:
    """Return the text of an action or the title of a menu in the person's language."""
    return QCoreApplication.translate("actions", text)


def plain(text: str) -> str:
    """Return a translated text without the mark of its key and without an ellipsis: ``&Settings…`` is Settings."""
    return translated(text).replace("&", "").rstrip("…")
