# SPDX-License-Identifier: MIT
"""A window that accepts messages from other processes, and commands that run beside it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from focal_photos.browser import app
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.views.base.theme import Theme, ThemeChoice
from focal_photos.browser.views.window.main_window import MainWindow
from tests.browser.cli.command_line import ENVIRONMENT, FOCAL


@contextmanager
def listening_window(
    qapp: QApplication, qtbot: QtBot, folder: Path, settings: Path, *, read_only: bool = False
) -> Iterator[MainWindow]:
    """Show a window on a library until the block ends."""
    chosen = QSettings(str(settings), QSettings.Format.IniFormat)
    library = Library.open(folder, read_only=read_only)
    window = app.make_window(library, Theme(qapp, ThemeChoice.DARK), chosen)
    window.show()
    server = app.listen(window)
    app.start(window.session, [])
    qtbot.waitUntil(lambda: window.session.overview.loaded and window.session.grid.rowCount() == library.photos.count())
    try:
        yield window
    finally:
        window.close()
        server.close()
        window.deleteLater()


class Called:
    """A command in a separate process.

    Attributes
    ----------
    out, err : bytes
        Output of the command, available after `ended` has returned.
    """

    def __init__(self, library: Path, *words: str | Path, cwd: Path | None = None) -> None:
        command = [*FOCAL, *map(str, words), "--library", str(library)]
        self.process = subprocess.Popen(
            command,
            env=ENVIRONMENT,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.out = self.err = b""

    def ended(self, qtbot: QtBot) -> int:
        """Run the window's event loop until the command ends, and return its exit code."""
        try:
            qtbot.waitUntil(lambda: self.process.poll() is not None, timeout=60_000)
        finally:
            self.process.kill()
            self.out, self.err = self.process.communicate()
        return self.process.returncode
