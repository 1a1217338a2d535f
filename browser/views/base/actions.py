"""All actions of the window in one table: menus, keys and the list of keys are made from it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication


@dataclass(frozen=True)
class ActionSpec:
    """One action.

    Attributes
    ----------
    name : str
        Of the window's method ``on_<name>``.
    menu : str
        Title of its menu.
    text : str
        What a person reads; translated where it is used.
    keys : tuple of str
        Shortcuts, the one shown in the menu first.
    icon : str
        Name of its icon; may be empty.
    in_grid : bool
        Whether the keys count only in the grid, the focal panel, the viewer and the suggestions: so that Space presses
        a button elsewhere, and letters search a tree.
    writes : bool
        Whether it needs a library that can be written.
    separated : bool
        Whether a line stands above it in the menu.
    once : bool
        Whether a key that is held down counts once only.
    """

    name: str
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    in_grid: bool = False
    writes: bool = False
    separated: bool = False
    once: bool = False


_FILE = QT_TRANSLATE_NOOP("actions", "&File")
_EDIT = QT_TRANSLATE_NOOP("actions", "&Edit")
_TAGS = QT_TRANSLATE_NOOP("actions", "&Tags")
_JUDGE = QT_TRANSLATE_NOOP("actions", "&Learn")
_VIEW = QT_TRANSLATE_NOOP("actions", "&View")
_GO = QT_TRANSLATE_NOOP("actions", "&Go")
_HELP = QT_TRANSLATE_NOOP("actions", "&Help")


def _spec(name: str, menu: object, text: object, *keys: str, icon: str = "", flags: str = "") -> ActionSpec:
    """Return an action; of the flags, g means `in_grid`, w `writes`, | `separated` and 1 `once`."""
    return ActionSpec(name, str(menu), str(text), keys, icon, "g" in flags, "w" in flags, "|" in flags, "1" in flags)


ACTIONS: tuple[ActionSpec, ...] = (
    _spec(
        "open_folder",
        _FILE,
        QT_TRANSLATE_NOOP("actions", "&Open a folder of photos…"),
        "Ctrl+O",
        icon="folder-open",
        flags="w",
    ),
    _spec("rescan", _FILE, QT_TRANSLATE_NOOP("actions", "&Look for changes"), "F5", icon="retrain", flags="w"),
    _spec(
        "remove_folder",
        _FILE,
        QT_TRANSLATE_NOOP("actions", "Remove a &folder from the library…"),
        icon="folder",
        flags="w",
    ),
    _spec("show_failures", _FILE, QT_TRANSLATE_NOOP("actions", "Files that could not be &read…"), icon="image-broken"),
    _spec("quit", _FILE, QT_TRANSLATE_NOOP("actions", "&Quit"), "Ctrl+Q", flags="|"),
    _spec("undo", _EDIT, QT_TRANSLATE_NOOP("actions", "&Undo"), "Ctrl+Z", icon="undo", flags="w"),
    _spec("redo", _EDIT, QT_TRANSLATE_NOOP("actions", "&Redo"), "Ctrl+Shift+Z", "Ctrl+Y", icon="redo", flags="w"),
    _spec("select_all", _EDIT, QT_TRANSLATE_NOOP("actions", "Select &all"), "Ctrl+A", flags="g|"),
    _spec("select_none", _EDIT, QT_TRANSLATE_NOOP("actions", "Select &nothing"), "Ctrl+Shift+A", flags="g"),
    _spec("find", _EDIT, QT_TRANSLATE_NOOP("actions", "&Filter"), "Ctrl+F", icon="search", flags="|"),
    _spec("settings", _EDIT, QT_TRANSLATE_NOOP("actions", "&Settings…"), "Ctrl+,", icon="settings", flags="|"),
    _spec("tag", _TAGS, QT_TRANSLATE_NOOP("actions", "&Add tags"), "T", icon="tag", flags="w"),
    _spec("repeat_tagging", _TAGS, QT_TRANSLATE_NOOP("actions", "&Repeat the last tagging"), ".", flags="gw"),
    _spec("next_untagged", _TAGS, QT_TRANSLATE_NOOP("actions", "Next &untagged photo"), "Ctrl+J"),
    _spec("suggest", _TAGS, QT_TRANSLATE_NOOP("actions", "&Suggest tags"), "Ctrl+G", icon="suggest", flags="w|"),
    _spec("accept", _TAGS, QT_TRANSLATE_NOOP("actions", "A&ccept the suggestion"), "A", icon="check", flags="gw1"),
    _spec("reject", _TAGS, QT_TRANSLATE_NOOP("actions", "Re&ject the suggestion"), "X", icon="cross", flags="gw1"),
    _spec("similar", _JUDGE, QT_TRANSLATE_NOOP("actions", "&Similar to the focal image"), "S", flags="gw1"),
    _spec("dissimilar", _JUDGE, QT_TRANSLATE_NOOP("actions", "&Not similar to the focal image"), "D", flags="gw1"),
    _spec("clear_mark", _JUDGE, QT_TRANSLATE_NOOP("actions", "&Clear the mark"), "U", "Del", flags="gw"),
    _spec("retrain", _JUDGE, QT_TRANSLATE_NOOP("actions", "&Retrain"), "Ctrl+R", icon="retrain", flags="w|"),
    _spec("grid", _VIEW, QT_TRANSLATE_NOOP("actions", "&Grid in folder order"), "G", icon="grid"),
    _spec("single", _VIEW, QT_TRANSLATE_NOOP("actions", "&Single photo"), "E", icon="image"),
    _spec("heat_map", _VIEW, QT_TRANSLATE_NOOP("actions", "&Heat map of what matters"), "H", icon="heat", flags="g|"),
    _spec("heat_kind", _VIEW, QT_TRANSLATE_NOOP("actions", "Heat map of the next &kind"), "Shift+H", flags="g"),
    _spec("matches", _VIEW, QT_TRANSLATE_NOOP("actions", "&Matching patches"), "M", icon="matches", flags="g"),
    _spec("larger", _VIEW, QT_TRANSLATE_NOOP("actions", "&Larger"), "+", "=", "Ctrl++", "Ctrl+=", flags="g|"),
    _spec("smaller", _VIEW, QT_TRANSLATE_NOOP("actions", "S&maller"), "-", "Ctrl+-", flags="g"),
    _spec("full_screen", _VIEW, QT_TRANSLATE_NOOP("actions", "&Full screen"), "F11", flags="|"),
    _spec(
        "focus_selected",
        _GO,
        QT_TRANSLATE_NOOP("actions", "Make it the focal &image"),
        "Return",
        icon="focal",
        flags="g",
    ),
    _spec("back", _GO, QT_TRANSLATE_NOOP("actions", "&Back"), "Alt+Left", icon="back", flags="|"),
    _spec("forward", _GO, QT_TRANSLATE_NOOP("actions", "&Forward"), "Alt+Right", icon="forward"),
    _spec("next", _GO, QT_TRANSLATE_NOOP("actions", "&Next photo"), "Space", flags="g|"),
    _spec("previous", _GO, QT_TRANSLATE_NOOP("actions", "&Previous photo"), "Backspace", flags="g"),
    _spec("escape", _GO, QT_TRANSLATE_NOOP("actions", "Back &out"), "Esc", flags="g"),
    _spec("shortcuts", _HELP, QT_TRANSLATE_NOOP("actions", "&Keys"), "?", "F1", icon="keyboard"),
    _spec("about", _HELP, QT_TRANSLATE_NOOP("actions", "&About Focal")),
)
"""Every action, in the order of the menus."""


def translated(text: str) -> str:
    """Return a text of this table in the person's language."""
    return QCoreApplication.translate("actions", text)
