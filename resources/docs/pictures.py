# SPDX-License-Identifier: MIT
"""Takes the pictures of the tutorials: ``python resources/docs/pictures.py FOLDER``.

Each tutorial has a folder of drawn photos and a window with an empty library. Keys and mouse take it through the steps
of the tutorial.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image, ImageOps
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QWidget

from focal_photos.browser.app import make_application, make_window
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.views.base.theme import Theme, ThemeChoice
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.browser.walkthrough.steps import Walkthrough
from focal_photos.browser.walkthrough.window_driver import CTRL
from focal_photos.resources.demo_album import draw_demo_album

KINDS: Final = {
    "holiday": ("beach", "boat", "city", "mountain"),
    "camera-trap": ("animal", "forest"),
    "scans": ("city", "flower", "portrait"),
}
"""Kinds of drawn photos in the folder of each tutorial."""

_SIZE: Final = (1200, 750)
_WIDTH: Final = 960  # of the pictures: wider than the text of the window's guide and of the site
_PHOTOS: Final = 176


class Tour(Walkthrough):
    """The steps of one tutorial.

    Parameters
    ----------
    name : str
        The tutorial, with which the names of its pictures begin.
    """

    def __init__(self, window: MainWindow, out: Path, name: str) -> None:
        super().__init__(window, out, lambda _text: None)
        self._folder = out
        self._name = name

    def go(self, photos: Path) -> None:
        """Run the steps and take the pictures."""
        self.open(photos)
        self.window.resize(*_SIZE)
        self.wait_until_idle("the smaller window")
        self.take("indexed")
        if self._name == "camera-trap":
            self.tag()
            self.press(Qt.Key.Key_G, CTRL)
            self.wait_until_idle("suggesting", 300)
            self.check(self.session.overview.now.open_suggestions > 0, "no tag was suggested")
            self.take("suggested")
        else:
            kind = {"holiday": "beach", "scans": "portrait"}[self._name]
            self.walk(self.session.grid.rows_of(self.folders()[kind])[2])
            self.wait_until(lambda: self.navigator.focal is not None, "the ranking")
            self.wait_until_idle("the pictures")
            self.take("focal")

    def take(self, name: str) -> None:
        """Save a picture of the window."""
        picture = self.window.grab().toImage()
        picture = picture.scaledToWidth(_WIDTH, Qt.TransformationMode.SmoothTransformation)
        path = self._folder / f"{self._name}-{name}.webp"
        self.check(picture.save(str(path), None, 80), f"the picture {path} could not be written")

    def picture(self, name: str, widget: QWidget | None = None) -> None:
        """Take no picture of the steps that the walkthrough itself reports."""


def take_pictures(out: Path) -> None:
    """Take all pictures into a folder, which is created if missing.

    Raises
    ------
    DriverError
        If the window did not do what a tutorial says.
    """
    out.mkdir(parents=True, exist_ok=True)
    app = make_application(sys.argv[:1])
    theme = Theme(app, ThemeChoice.LIGHT)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        draw_demo_album(place / "album", count=_PHOTOS)
        for tutorial, kinds in KINDS.items():
            photos = place / tutorial
            for kind in kinds:
                shutil.copytree(place / "album" / kind, photos / kind)
            if tutorial == "scans":
                _age(photos)
            settings = QSettings(str(place / "settings.ini"), QSettings.Format.IniFormat)  # not those of the user
            window = make_window(Library.open(place / f"library-{tutorial}"), theme, settings)
            try:
                Tour(window, out, tutorial).go(photos)
            finally:
                window.close()


def _age(folder: Path) -> None:
    """Give photos the colours and the white border of old prints."""
    for path in sorted(folder.rglob("*.jpg")):
        with Image.open(path) as photo:
            print_ = ImageOps.colorize(ImageOps.grayscale(photo), black="#2b1d0e", white="#f3e7d0")
        ImageOps.expand(print_, border=12, fill="#f7f2e6").save(path, quality=90)


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1]))
