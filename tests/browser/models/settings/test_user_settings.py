# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction, QKeySequence

from focal_photos.browser.models.settings.shortcuts import Keyed, Shortcuts
from focal_photos.browser.models.settings.user_settings import CAPTIONS, CLICK, THEME, THUMBNAILS, UserSettings

ACTIONS = [
    Keyed("undo", "Edit", "Undo", ("Ctrl+Z",)),
    Keyed("redo", "Edit", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    Keyed("about", "Help", "About", ()),
]


def kept(folder: Path) -> QSettings:
    return QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)


def test_choices_are_saved_and_signalled_once(tmp_path: Path) -> None:
    settings = kept(tmp_path)
    chosen = UserSettings(settings)
    told: list[str] = []
    chosen.changed.connect(told.append)
    assert (chosen.get(CLICK), chosen.get(CAPTIONS), chosen.get(THUMBNAILS)) == (
        "select",
        False,
        2048,
    )
    chosen.set(CLICK, "walk")
    chosen.set(CLICK, "walk")
    chosen.set(CAPTIONS, True)
    chosen.set(THUMBNAILS, 512)
    assert told == [CLICK.name, CAPTIONS.name, THUMBNAILS.name]
    settings.sync()
    again = UserSettings(kept(tmp_path))
    assert (again.get(CLICK), again.get(CAPTIONS), again.get(THUMBNAILS)) == ("walk", True, 512)
    with pytest.raises(ValueError, match="one of"):
        chosen.set(THEME, "pink")


@pytest.mark.parametrize("wrong", ["pink", "", 7, ["dark"], None])
def test_invalid_stored_values_are_ignored(tmp_path: Path, wrong: object) -> None:
    settings = kept(tmp_path)
    for setting in (THEME, THUMBNAILS, CAPTIONS):
        settings.setValue(setting.name, wrong)
    chosen = UserSettings(settings)
    assert (chosen.get(THEME), chosen.get(THUMBNAILS), chosen.get(CAPTIONS)) == (
        "system",
        2048,
        False,
    )


def test_the_libraries_opened_last_are_listed(tmp_path: Path) -> None:
    chosen = UserSettings(kept(tmp_path))
    assert chosen.recent_libraries() == []
    for number in range(12):
        chosen.note_library(Path(f"/l/{number}"))
    chosen.note_library(Path("/l/5"))
    assert [one.name for one in chosen.recent_libraries()] == ["5", "11", "10", "9", "8", "7", "6", "4", "3"]
    chosen.note_library(Path("/m/11"), instead_of=Path("/l/11"))
    assert [str(one) for one in chosen.recent_libraries()][:3] == ["/m/11", "/l/5", "/l/10"]


def test_libraries_have_names(tmp_path: Path) -> None:
    settings = kept(tmp_path)
    chosen = UserSettings(settings)
    for name in ("a", "b"):
        chosen.note_library(Path("/l") / name)
    chosen.note_name(Path("/l/a"), "Zoo")
    chosen.note_name(Path("/l/gone"), "Gone")
    chosen.note_name(Path("/l/b"), "Sea, blue")
    again = UserSettings(settings)
    assert [again.library_name(Path("/l") / name) for name in ("a", "b", "c")] == ["Zoo", "Sea, blue", "c"]
    assert "Gone" not in str(settings.value("libraries/names")), "names of unlisted libraries are not stored"
    for wrong in ("{", "[1]", '{"/l/a": 3}', 7):
        settings.setValue("libraries/names", wrong)
        assert UserSettings(settings).library_name(Path("/l/a")) == "a"


def test_keys_are_chosen_saved_and_reset(tmp_path: Path) -> None:
    settings = kept(tmp_path)
    shortcuts = Shortcuts(UserSettings(settings), ACTIONS)
    told: list[str] = []
    shortcuts.changed.connect(told.append)
    assert shortcuts.keys("redo") == ("Ctrl+Shift+Z", "Ctrl+Y")
    assert not shortcuts.any_changed
    owner = shortcuts.owner("ctrl+y", apart_from="about")
    assert owner is not None
    assert owner.name == "redo"
    assert shortcuts.owner("Ctrl+Y", apart_from="redo") is None
    shortcuts.set("about", ["ctrl+y", "Ctrl+Y", ""])
    assert (shortcuts.keys("about"), shortcuts.keys("redo")) == (("Ctrl+Y",), ("Ctrl+Shift+Z",))
    assert told == ["redo", "about"]
    assert shortcuts.is_changed("redo")
    shortcuts.set("undo", [])
    assert shortcuts.keys("undo") == ()
    settings.sync()
    again = Shortcuts(UserSettings(kept(tmp_path)), ACTIONS)
    assert [again.keys(one.name) for one in ACTIONS] == [(), ("Ctrl+Shift+Z",), ("Ctrl+Y",)]
    again.reset("redo")
    assert (again.keys("redo"), again.keys("about")) == (("Ctrl+Shift+Z", "Ctrl+Y"), ())
    assert not again.is_changed("redo")
    again.reset_all()
    assert [again.keys(one.name) for one in ACTIONS] == [one.keys for one in ACTIONS]
    assert not again.any_changed


def test_actions_of_different_places_may_have_the_same_key(tmp_path: Path) -> None:
    grid, preview = Keyed("fold", "View", "Fold", ("B",), "grid"), Keyed("boxes", "Tags", "Boxes", ("B",), "preview")
    anywhere = Keyed("about", "Help", "About", ())
    shortcuts = Shortcuts(UserSettings(kept(tmp_path)), (grid, preview, anywhere))
    assert shortcuts.owner("B", apart_from="fold") is None
    shortcuts.set("fold", ["B", "F"])
    assert shortcuts.keys("boxes") == ("B",)
    assert shortcuts.owner("F", apart_from="about") == grid
    shortcuts.set("about", ["B"])
    assert (shortcuts.keys("fold"), shortcuts.keys("boxes")) == (("F",), ())


def test_an_action_registered_later_has_the_chosen_keys(tmp_path: Path, qapp: object) -> None:
    settings = kept(tmp_path)
    UserSettings(settings).set_keys("view.captions", ["F7"])
    shortcuts, action = Shortcuts(UserSettings(settings), ACTIONS), QAction()
    shortcuts.bind(Keyed("view.captions", "View", "Captions", ("Shift+C",)), action)
    assert action.shortcut() == QKeySequence("F7")
    assert shortcuts.actions[-1].name == "view.captions"
    shortcuts.set("about", ["F7"])
    assert action.shortcuts() == []
    shortcuts.reset("view.captions")
    assert action.shortcut() == QKeySequence("Shift+C")
    assert shortcuts.keys("about") == ("F7",)
