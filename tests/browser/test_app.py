# SPDX-License-Identifier: MIT
"""Tests of starting, running and ending the program."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from focal_photos.browser import app
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.theme import ThemeChoice
from focal_photos.browser.views.dialogs.damaged_dialog import DamagedDialog
from focal_photos.browser.views.window.main_window import MainWindow


def when(shown: type, act: Callable[..., object]) -> None:
    """Call a function with the first window of a type that appears during this test.

    If the function fails, the window is closed, as a modal window would block the test forever.
    """
    test = os.environ["PYTEST_CURRENT_TEST"]

    def search() -> None:
        if os.environ.get("PYTEST_CURRENT_TEST") != test:  # any window shown now belongs to another test
            return
        found = [
            widget for widget in QApplication.topLevelWidgets() if isinstance(widget, shown) and widget.isVisible()
        ]
        if found:
            try:
                act(found[0])
            except BaseException:
                found[0].close()
                raise
        else:
            QTimer.singleShot(20, search)

    QTimer.singleShot(20, search)


@pytest.fixture
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the test away from the user's own settings."""
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(tmp_path / "config"))


def press(text: str) -> Callable[[QMessageBox], None]:
    def act(box: QMessageBox) -> None:
        next(button for button in box.buttons() if text in button.text()).click()

    return act


@pytest.mark.usefixtures("own_settings")
def test_the_window_opens_and_closes(qapp: QApplication, library_folder: Path) -> None:
    titles: list[str] = []

    def end(window: MainWindow) -> None:
        titles.append(window.windowTitle())
        QTimer.singleShot(200, window.close)

    when(MainWindow, end)
    assert app.run_window(library_folder, []) == 0
    assert titles == ["Focal"]
    assert QApplication.applicationName() == "Focal"
    with Library.open(library_folder) as library:
        assert library.photos.count() == 32


@pytest.mark.usefixtures("own_settings")
def test_work_begins_once_and_immediately_in_an_empty_library(
    qtbot: QtBot, tmp_path: Path, drawn_album: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "_PICTURE_WAIT", float("inf"))
    session = Session(Library.open(tmp_path / "new"))
    begun: list[int] = []
    session.runner.task_changed.connect(lambda state: begun.append(state.number) if "Index" in state.title else None)
    app.start(session, [drawn_album])
    qtbot.waitUntil(lambda: session.library.photos.count() > 0)
    qtbot.wait(10 * app._LOOK_MILLISECONDS)
    assert len(set(begun)) == 1
    session.close()


@pytest.mark.usefixtures("own_settings")
def test_a_session_closed_before_its_work_begins_starts_none(qtbot: QtBot, library_folder: Path) -> None:
    session = Session(Library.open(library_folder))
    app.start(session, [])
    session.close()
    begun = session.runner.tasks()
    session.begin_work()
    qtbot.wait(5 * app._LOOK_MILLISECONDS)
    assert session.runner.tasks() == begun


@contextmanager
def another_program(folder: Path) -> Iterator[Callable[[], None]]:
    """Open a library in another program, and yield a function that ends the program."""
    program = (
        "import sys; from pathlib import Path; from focal_photos.browser.catalog.library import Library\n"
        "library = Library.open(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read(); library.close()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "open\n"
        yield other.stdin.close
        other.stdin.close()
        other.wait(60)


@pytest.mark.usefixtures("own_settings")
def test_a_second_program_offers_to_open_read_only(qtbot: QtBot, library_folder: Path) -> None:
    with another_program(library_folder):
        when(QMessageBox, press("Quit"))
        assert app.open_library(library_folder) is None
        when(QMessageBox, press("read-only"))
        library = app.open_library(library_folder)
        assert library is not None
        assert library.read_only
        assert library.photos.count() == 32
        library.close()


@pytest.mark.usefixtures("own_settings")
def test_a_library_opens_once_the_other_program_has_ended(qtbot: QtBot, library_folder: Path) -> None:
    with another_program(library_folder) as end_it:
        texts: list[str] = []

        def end(box: QMessageBox) -> None:
            texts.append(box.informativeText())
            end_it()

        when(QMessageBox, end)
        library = app.open_library(library_folder)
        assert library is not None
        assert not library.read_only
        assert "opens automatically" in texts[0]
        library.close()


def test_an_unreadable_library_is_reported_with_the_reason(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("no folder")
    texts: list[str] = []

    def read(box: QMessageBox) -> None:
        texts.append(box.text())
        box.accept()

    when(QMessageBox, read)
    assert app.open_library(tmp_path / "a file") is None
    assert "choose a folder for the library" in texts[0]


def test_a_damaged_library_lets_the_user_quit_or_open_another(
    qtbot: QtBot, tmp_path: Path, library_folder: Path
) -> None:
    (tmp_path / "catalog.sqlite").write_text("no database, but many letters " * 100)
    texts: list[str] = []

    def give_up(dialog: DamagedDialog) -> None:
        texts.append(dialog.problem.text())
        dialog.quit_button.click()

    when(DamagedDialog, give_up)
    assert app.open_library(tmp_path) is None
    assert "is damaged" in texts[0]

    def open_other(dialog: DamagedDialog) -> None:
        dialog.other = library_folder
        dialog.accept()

    when(DamagedDialog, open_other)
    library = app.open_library(tmp_path)
    assert library is not None
    assert library.path == library_folder
    library.close()


@pytest.mark.parametrize(
    ("saved", "choice"), [(None, ThemeChoice.SYSTEM), ("light", ThemeChoice.LIGHT), ("pink", ThemeChoice.SYSTEM)]
)
def test_the_saved_theme_is_used(tmp_path: Path, saved: str | None, choice: ThemeChoice) -> None:
    settings = QSettings(str(tmp_path / "a.ini"), QSettings.Format.IniFormat)
    if saved is not None:
        settings.setValue("window/theme", saved)
    assert app.saved_theme(settings) is choice


@pytest.mark.slow
def test_a_normal_start_loads_no_test_modules(library_folder: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from PySide6.QtCore import QTimer\n"
        "from focal_photos.browser import app\n"
        "QTimer.singleShot(0, app.make_application([]).closeAllWindows)\n"
        "assert app.run_window(Path(sys.argv[1])) == 0\n"
        "from focal_photos.browser.lazy_imports import is_executed\n"
        "loaded = {name for name, module in sys.modules.items() if is_executed(module)}\n"
        "own = {'focal_photos.browser.views.window.main_window', 'focal_photos.browser.walkthrough.steps'}\n"
        "print(sorted((own | {'PySide6.QtTest'}) & loaded))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(library_folder)],
        capture_output=True,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path / "config")},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["['focal_photos.browser.views.window.main_window']"]


@pytest.mark.slow
def test_listing_all_files_triggers_no_full_garbage_collection() -> None:
    """A full collection blocks all threads: 1.5 s in a library of 1,000,000 photos."""
    thresholds = gc.get_threshold()
    try:
        app.freeze_loaded_objects()
        before = gc.get_stats()[2]["collections"]
        files = {number: (number, [number]) for number in range(1_000_000)}
        assert len(files) == 1_000_000
        assert gc.get_stats()[2]["collections"] == before
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        gc.collect()
        gc.freeze()  # excludes the objects of the collection phase again, as conftest.py did
