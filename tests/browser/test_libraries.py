# SPDX-License-Identifier: MIT
"""Libraries in the window: naming them, opening several in one process, creating and moving them."""

from __future__ import annotations

import os
import shutil
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox
from shiboken6 import isValid

from focal_photos.browser import app
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.views.dialogs.moving_dialog import MovingDialog
from focal_photos.browser.views.sidebar.library_button import LibraryNameDialog
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.test_app import press, when


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path) -> Iterator[None]:
    """Keep the test away from the user's own settings."""
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(tmp_path / "config"))
    yield
    QSettings("Focal", "Focal").clear()


def shown_windows() -> list[MainWindow]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow) and one.isVisible()]


def run(folder: Path, *steps: Callable[[MainWindow], object]) -> list[str]:
    """Run the program, do one step in each window that it opens, and return the library name of each window.

    A step may take long and handle events meanwhile: its own window is never taken for the next one.
    """
    opened: list[str] = []
    waiting = list(steps)
    met: list[weakref.ref[MainWindow]] = []
    over = False

    def look_for_the_next() -> None:
        if over:  # any window shown now belongs to another test
            return
        new = [window for window in shown_windows() if not any(window is one() for one in met)]
        if new:
            step(new[0])
        else:
            QTimer.singleShot(20, look_for_the_next)

    def step(window: MainWindow) -> None:
        met.append(weakref.ref(window))
        opened.append(window.session.library.path.name)
        act = waiting.pop(0) if waiting else MainWindow.close
        QTimer.singleShot(100, lambda: do(act, window))
        QTimer.singleShot(20, look_for_the_next)

    def do(act: Callable[[MainWindow], object], window: MainWindow) -> None:
        nonlocal over
        try:
            assert len(shown_windows()) == 1
            act(window)
        except BaseException:  # a window that nobody closes would block the test forever
            over = True
            for one in shown_windows():
                one.close()
            raise

    QTimer.singleShot(20, look_for_the_next)
    assert app.run_window(folder, []) == 0
    over = True
    assert not waiting
    return opened


@pytest.mark.slow
def test_another_library_is_one_click_away(qapp: QApplication, library_folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    Library.open(other).close()

    def to_other(window: MainWindow) -> None:
        window.dialogs.library_wanted.emit(other)

    def back(window: MainWindow) -> None:
        with Library.open(library_folder):  # the first library is closed
            pass
        menu = window.library_button.fill()
        first, second = menu.actions()[:2]
        assert (first.text(), first.isChecked(), second.isChecked()) == ("other", True, False)
        second.trigger()

    assert run(library_folder, to_other, back) == [library_folder.name, "other", library_folder.name]


@pytest.mark.slow
def test_other_libraries_are_listed_by_their_names(qapp: QApplication, library_folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with Library.open(other) as library:
        library.rename("Holidays")
    listed: list[list[str]] = []

    def texts(window: MainWindow) -> list[str]:
        return [action.text() for action in window.library_button.fill().actions()[:2]]

    def rename(window: MainWindow) -> None:
        window.library_button.rename()
        dialog = window.findChild(LibraryNameDialog)
        assert isinstance(dialog, LibraryNameDialog)
        dialog.name_field.setText("Zoo")
        dialog.do_button.click()
        WindowDriver(window).wait_until(lambda: window.library_button.text() == "Zoo", "the new name")
        window.close_to_open(other)

    def read(window: MainWindow) -> None:
        listed.append(texts(window))
        window.close_to_open(library_folder)

    def read_again(window: MainWindow) -> None:
        listed.append(texts(window))
        window.close()

    run(library_folder, rename, read, read_again)
    assert listed == [["Holidays", "Zoo"], ["Zoo", "Holidays"]]


def test_the_menu_looks_for_other_libraries_in_the_background(
    qapp: QApplication, library_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drive may not respond. Choosing a missing library does not create it."""
    gone, main, asked = tmp_path / "gone", threading.get_ident(), set[str]()
    Library.open(gone).close()
    for name in ("exists", "is_file", "is_dir"):
        ask = getattr(Path, name)

        def told(path: Path, ask: Callable[[Path], bool] = ask) -> bool:
            if gone in (path, path.parent) and shown_windows():
                assert threading.get_ident() != main
                asked.add(path.name)
            return ask(path)

        monkeypatch.setattr(Path, name, told)

    def look(window: MainWindow) -> None:
        window.dialogs.user_settings.note_library(gone, instead_of=None)
        driver = WindowDriver(window)
        menu = window.library_button.fill()
        entry = menu.actions()[1]
        driver.wait_until_idle("the libraries")
        assert (entry.text(), entry.isEnabled()) == ("gone", True)
        shutil.rmtree(gone)
        entry.trigger()
        driver.wait_until_idle("the library")
        message = window.message_bar.message
        assert message is not None
        assert message.text.startswith("There is no library in")
        window.library_button.fill()
        driver.wait_until_idle("the libraries")
        assert not menu.actions()[1].isEnabled()
        window.close()

    assert run(library_folder, look) == [library_folder.name]
    assert asked == {"catalog.sqlite"}
    assert not os.path.lexists(gone)


@pytest.mark.slow
def test_the_folder_chosen_for_a_library_is_checked_in_the_background(
    qapp: QApplication, library_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drive may not respond: the window stays usable, and opens the library once the drive responds."""
    other, full, gone = tmp_path / "other", tmp_path / "full", tmp_path / "gone"
    Library.open(other).close()
    (full / "more").mkdir(parents=True)
    answers, chosen, scandir = threading.Event(), [other, full, full, gone], os.scandir

    def asked(folder: Any = ".") -> Any:
        if not isinstance(folder, int) and Path(os.fsdecode(folder)) in (other, full, gone):
            assert answers.wait(60)
        return scandir(folder)

    def choose(*_: object) -> str:
        return str(chosen.pop(0))

    def look(window: MainWindow) -> None:
        driver, said = WindowDriver(window), list[str]()
        window.session.notices.posted.connect(lambda message: said.append(message.text))
        wanted: list[Path] = []
        window.dialogs.move_wanted.disconnect()
        window.dialogs.move_wanted.connect(wanted.append)
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", choose)
        monkeypatch.setattr(os, "scandir", asked)
        for new in (True, False):
            window.dialogs.ask_for_library(new=new)  # returns although the drive does not respond
        assert not said
        answers.set()
        driver.wait_until(lambda: len(said) == 2, "the answers")
        assert "is not empty" in said[0]
        assert said[1].startswith("There is no library in")
        window.dialogs.ask_where_to_move()
        driver.wait_until(lambda: wanted == [full / library_folder.name], "the place")
        window.dialogs.ask_for_library(new=False)
        driver.wait_until(lambda: len(said) == 3, "the answer")
        assert "cannot be read (No such file or directory): choose another folder" in said[2]
        chosen.append(other)
        window.dialogs.ask_for_library(new=False)
        driver.wait_until(lambda: window not in shown_windows(), "the other library")

    assert run(library_folder, look) == [library_folder.name, "other"]


@pytest.mark.slow
def test_opening_another_library_frees_the_memory_of_the_closed_one(
    qapp: QApplication, library_folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    Library.open(other).close()
    held: list[weakref.ref[object]] = []

    def to_other(window: MainWindow) -> None:
        session = window.session
        held.extend(weakref.ref(one) for one in (session, session.ranker, session.library, session.grid, window))
        window.dialogs.library_wanted.emit(other)

    def look(window: MainWindow) -> None:
        assert [type(one()).__name__ for one in held if one() is not None] == []
        window.close()

    assert run(library_folder, to_other, look) == [library_folder.name, "other"]
    assert len(held) == 5


@pytest.mark.slow
def test_a_library_that_cannot_be_opened_returns_to_the_previous_one(
    qapp: QApplication, library_folder: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("a file")
    when(QMessageBox, press("OK"))
    assert run(library_folder, lambda window: window.close_to_open(wrong)) == [library_folder.name] * 2


@pytest.mark.slow
def test_a_moved_library_is_opened_at_its_new_place(qapp: QApplication, library_folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "far" / "moved"
    assert run(library_folder, lambda window: window.dialogs.move_wanted.emit(target)) == [
        library_folder.name,
        "moved",
    ]
    assert not library_folder.exists()
    with Library.open(target) as library:
        assert len(library.photos.ids()) == 32


@pytest.mark.slow
def test_a_failed_move_is_reported_and_reopens_the_old_library(
    qapp: QApplication, library_folder: Path, tmp_path: Path
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "x").touch()
    told: list[str] = []

    def read(dialog: MovingDialog) -> None:
        if not dialog.open_button.isVisible():
            QTimer.singleShot(20, lambda: read(dialog))
            return
        told.append(dialog.findChildren(QLabel)[0].text())
        dialog.open_button.click()

    when(MovingDialog, read)
    assert run(library_folder, lambda window: window.dialogs.move_wanted.emit(full)) == [library_folder.name] * 2
    assert "exists already" in told[0]


@pytest.mark.slow
def test_a_library_can_be_renamed(qapp: QApplication, library_folder: Path) -> None:
    def rename(window: MainWindow) -> None:
        assert window.library_button.text() == library_folder.name
        window.library_button.rename()
        dialog = window.findChild(LibraryNameDialog)
        assert isinstance(dialog, LibraryNameDialog)
        dialog.name_field.clear()
        QTest.keyClicks(dialog.name_field, "  Our   photos ")
        gone = threading.Event()  # a slow disk: the dialog is deleted before the name is written
        window.session.runner.write("Waiting", lambda: gone.wait(60))
        dialog.do_button.click()
        driver = WindowDriver(window)
        driver.wait_until(lambda: not isValid(dialog), "the end of the dialog")
        gone.set()
        driver.wait_until(lambda: window.library_button.text() == "Our photos", "the new name")
        window.close_to_open(library_folder)

    run(library_folder, rename)
    with Library.open(library_folder) as library:
        assert library.name == "Our photos"
        library.rename("")
        assert library.name == library_folder.name
