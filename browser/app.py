# SPDX-License-Identifier: MIT
"""The window program: opens a library, shows its window and runs until the window is closed."""

from __future__ import annotations

from focal_photos.browser import environment, qt_import  # noqa: F401  isort: skip  (before numpy, before all that follows Qt)

import argparse
import gc
import logging
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    QSettings,
    Qt,
    QTimer,
    QtMsgType,
    QTranslator,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox

from focal_photos.browser.catalog.arrays.thumbnails import MAX_BYTES
from focal_photos.browser.catalog.library import Library, default_path
from focal_photos.browser.catalog.store.errors import (
    LibraryDamagedError,
    LibraryError,
    LibraryInUseError,
    LibraryReadOnlyError,
)
from focal_photos.browser.catalog.store.location import absolute, network_drive
from focal_photos.browser.catalog.store.queue import Queue
from focal_photos.browser.forwarded_commands import ForwardedCommands
from focal_photos.browser.forwarding.server import HandOverServer
from focal_photos.browser.forwarding.start import forwarding
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.user_settings import LANGUAGE, THEME, THUMBNAILS, UserSettings
from focal_photos.browser.operations.jobs.memory import limit_free_memory, release_memory
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base import translation
from focal_photos.browser.views.base.theme import Theme, ThemeChoice, app_icon
from focal_photos.browser.views.dialogs import damaged_dialog, moving_dialog, restoring_dialog
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.browser.walkthrough import steps
from focal_photos.resources import demo_album

TRY_AGAIN_MILLISECONDS = 300
_LOOK_MILLISECONDS = 20
_SWITCH_SECONDS = 0.0005
"""Interval after which a thread that runs Python yields to another one. Painting the window yields dozens of times:
beside three busy threads it took 280 ms with Python's default of 5 ms, and 36 ms with this value. The busy threads lose
3 %."""
_COLLECTIONS = (5_000, 5, 200)
"""Thresholds of the three generations of garbage collection: new objects, then collections of the generation before.
With Python's default (700, 10, 10), listing the files of a library triggers several full collections, each of which
stops every thread: for 0.1 s with 100,000 photos, for 1.5 s with 1,000,000. The younger thresholds are low for the same
reason: with 20,000 and 10, a collection took up to 54 ms."""
_PICTURE_WAIT = 3.0  # seconds after which background work begins although pictures in view are still missing


def run_window(library_path: Path | None, paths: Sequence[Path] = ()) -> int:
    """Open the window and return the exit code when it is closed.

    If a window already has the library open, the paths are forwarded to it and this process ends.

    Parameters
    ----------
    library_path : Path or None
        Folder of the library; None: the one in the user's data folder.
    paths : sequence of Path
        Photo folders to add, and images to rank by.
    """
    app = make_application(sys.argv[:1])
    if forwarding(default_path() if library_path is None else library_path, paths):
        return 0
    settings = QSettings("Focal", "Focal")
    theme = Theme(app, saved_theme(settings))
    user_settings = UserSettings(settings)
    speaking: list[QTranslator] = []
    former: Path | None = None
    while True:
        translation.remove(app, speaking)
        speaking = translation.install(app, user_settings.get(LANGUAGE))
        library = open_library(library_path, user_settings.get(THUMBNAILS) * 10**6)
        if library is None and former is not None:
            library_path, former = former, None  # the newly chosen library cannot be opened: return to the last one
            continue
        if library is None:
            return 1
        former = library.path
        user_settings.note_library(former)
        code, library_path = _run_until_closed(library, theme, settings, user_settings, paths)
        paths = ()
        if library_path is None:
            return code
        del library
        _free_what_was_closed()


def _run_until_closed(
    library: Library, theme: Theme, settings: QSettings, user_settings: UserSettings, paths: Sequence[Path]
) -> tuple[int, Path | None]:
    """Show a window on a library until it is closed; return the exit code, and the library to open next, if any."""
    window = make_window(library, theme, settings)
    window.show()
    listening = listen(window)
    start(window.session, paths)
    freeze_loaded_objects()
    code = QApplication.exec()
    listening.close()
    following = _what_is_next(window, user_settings)
    window.deleteLater()
    QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)  # delete the window and its session now
    return code, following


def _free_what_was_closed() -> None:
    """Free the memory of a closed library (galleries, metrics, pictures) before another one is opened."""
    gc.unfreeze()  # `freeze_loaded_objects` also froze objects of the closed window
    gc.collect()
    release_memory()


def _what_is_next(window: MainWindow, user_settings: UserSettings) -> Path | None:
    """Do the work that waited for the library to close. Return the library to open next; None ends the program."""
    folder = window.session.library.path
    if window.restore is not None:
        restoring_dialog.RestoringDialog(folder, window.restore).exec()
        return folder
    if window.moves_to is not None:
        dialog = moving_dialog.MovingDialog(folder, window.moves_to)
        dialog.exec()
        user_settings.note_library(dialog.folder, instead_of=folder)
        return dialog.folder
    return window.next_library


def make_application(arguments: list[str]) -> QApplication:
    """Return the application object, with its name and icon."""
    limit_free_memory()
    sys.setswitchinterval(_SWITCH_SECONDS)
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(arguments)
    app.setApplicationName("Focal")
    app.setOrganizationName("Focal")
    app.setDesktopFileName("org.focal_photos.Focal")
    app.setWindowIcon(app_icon())
    return app


def saved_theme(settings: QSettings) -> ThemeChoice:
    """Return the theme that the user has chosen."""
    return ThemeChoice(UserSettings(settings).get(THEME))


def open_library(path: Path | None, thumbnail_bytes: int = MAX_BYTES) -> Library | None:
    """Open the library. If it cannot be written, ask what to do; return None if the user cancels."""
    try:
        return Library.open(path, thumbnail_bytes=thumbnail_bytes)
    except LibraryInUseError as error:
        opened = _wait_or_ask(error, path)
        if not isinstance(opened, bool):
            return opened
        if not opened:
            return None
    except LibraryReadOnlyError as error:
        if not _ask_read_only(error):
            return None
    except LibraryDamagedError as error:
        return _repair(error, default_path() if path is None else path)
    except LibraryError as error:
        QMessageBox.critical(None, "Focal", tool_tip(in_words(str(error))))
        return None
    try:
        return Library.open(path, read_only=True)
    except LibraryError as error:
        QMessageBox.critical(None, "Focal", tool_tip(in_words(str(error))))
        return None


def make_window(library: Library, theme: Theme, settings: QSettings) -> MainWindow:
    """Return a window on an open library; closing it closes the library."""
    return MainWindow(Session(library), theme, settings)


def listen(window: MainWindow) -> HandOverServer:
    """Let other processes bring the window to the front, open paths in it and run commands in it."""
    library = window.session.library
    server = HandOverServer(library.path, window, holds=not library.read_only)

    def take(paths: list[Path]) -> None:
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.raise_()
        window.activateWindow()
        window.session.photo_folders.opening.open(paths)

    server.received.connect(take)
    ForwardedCommands(window.session, server)
    return server


def start(session: Session, paths: Sequence[Path]) -> None:
    """Show the photos of the library. Once the first pictures are shown, open the paths and look for changes."""
    session.show(where_left=True)
    _once_photos_are_shown(session, partial(session.begin_work, paths))
    drive = network_drive(session.library.path)
    if drive is not None:
        text = session.tr(
            "The library lies on a network drive ({0}): what you do may be lost if the connection breaks."
        )
        session.notices.post(text.format(drive), Severity.WARNING)


def _once_photos_are_shown(session: Session, call: Callable[[], None]) -> None:
    """Call `call` once the pictures in view are shown, or after `_PICTURE_WAIT`; at once in an empty library."""
    begin = time.monotonic()
    timer = QTimer(session, interval=_LOOK_MILLISECONDS)

    def look() -> None:
        shown = session.overview.loaded and session.grid.visible_ids and session.loader.idle
        is_empty = session.overview.loaded and not session.overview.now.photos
        if shown or is_empty or time.monotonic() - begin > _PICTURE_WAIT:
            timer.stop()
            call()

    timer.timeout.connect(look)
    timer.start()


def freeze_loaded_objects() -> None:
    """Exclude the loaded modules from later garbage collections (`browser.tasks.garbage`).

    The modules hold several hundred thousand objects. A full collection of these would block the window for 0.1 s, and
    collections while they are loaded would take a tenth of the start. For the same reason full collections are rare
    afterwards.
    """
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)


def run_walkthrough(out: Path, library: Path, photos: Path | None = None) -> int:
    """Walk through all features by keys and mouse in an offscreen window, and save a picture of each step in `out`.

    The library is a new or empty folder; without photos, the demo album is drawn into `out`. Return 0 if every step had
    the expected outcome.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = make_application(sys.argv[:1])
    out.mkdir(parents=True, exist_ok=True)
    # The user's own settings are neither read nor changed.
    settings = QSettings(str(out / "settings.ini"), QSettings.Format.IniFormat)
    theme = Theme(app, ThemeChoice.DARK)
    if photos is None:
        photos = out / "album"
        print("Drawing the demo album.", flush=True)
        demo_album.draw_demo_album(photos)
    with _quiet_offscreen_platform():
        window = make_window(Library.open(library), theme, settings)
        window.resize(1440, 900)  # larger than the screen of the offscreen platform
        return steps.walk_through(window, out.absolute(), photos.absolute(), partial(print, flush=True))


@contextmanager
def _quiet_offscreen_platform() -> Iterator[None]:
    """Suppress the message of the offscreen platform about each change of a window's minimum size."""

    def handle(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if text.startswith("This plugin does not support"):
            return
        if before is not None:
            before(kind, context, text)
        else:
            print(text, file=sys.stderr)

    before = qInstallMessageHandler(handle)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


def _repair(error: LibraryDamagedError, folder: Path) -> Library | None:
    """Let the user repair a damaged library or open another; None if the user cancels."""
    dialog = damaged_dialog.DamagedDialog(absolute(folder), in_words(str(error)))
    accepted = dialog.exec()
    other = dialog.other
    dialog.deleteLater()
    return open_library(folder if other is None else other) if accepted else None


def _wait_or_ask(error: LibraryError, path: Path | None) -> Library | bool:
    """Return the library once another program has released it; True to open it read-only meanwhile, False to quit."""
    box, read_only = _read_only_box(error)
    box.setInformativeText(box.tr("It opens automatically once the other program has closed."))
    opened: list[Library] = []
    queue = Queue(absolute(default_path() if path is None else path))  # else a series of commands could go first
    with suppress(OSError):
        queue.join()

    def try_again() -> None:
        with suppress(LibraryInUseError, OSError):
            if queue.wait(0.0):
                opened.append(Library.open(path))
                timer.stop()
                box.accept()

    timer = QTimer(box, interval=TRY_AGAIN_MILLISECONDS)
    timer.timeout.connect(try_again)
    timer.start()
    box.exec()
    timer.stop()
    queue.leave()
    return opened[0] if opened else box.clickedButton() is read_only


def _ask_read_only(error: LibraryError) -> bool:
    box, read_only = _read_only_box(error)
    box.setInformativeText(box.tr("Open it read-only to look at the photos without changing anything?"))
    box.exec()
    return box.clickedButton() is read_only


def _read_only_box(error: LibraryError) -> tuple[QMessageBox, QAbstractButton]:
    box = QMessageBox(QMessageBox.Icon.Warning, "Focal", tool_tip(in_words(str(error))))
    read_only = box.addButton(box.tr("Open read-only"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(box.tr("Quit"), QMessageBox.ButtonRole.RejectRole)
    return box, read_only


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``python -m focal_photos.browser.app``: the window, or the walk through all steps without a display."""
    parser = argparse.ArgumentParser(prog="python -m focal_photos.browser.app", description="The window of Focal.")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="folders of photos, and images, to open")
    parser.add_argument("--library", type=Path, metavar="DIR", help="where the library lies")
    parser.add_argument(
        "--offscreen", type=Path, metavar="OUT", help="go through the loop without a display, leave pictures in OUT"
    )
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    if options.offscreen is None:
        return run_window(options.library, options.paths)
    library = options.library
    if library is None:
        library = options.offscreen / "library"
        shutil.rmtree(library, ignore_errors=True)  # from an earlier run: the walkthrough begins with an empty library
    return run_walkthrough(options.offscreen, library, options.paths[0] if options.paths else None)


if __name__ == "__main__":
    sys.exit(main())
