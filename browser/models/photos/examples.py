# SPDX-License-Identifier: MIT
"""Names and pictures of the examples that photos are ranked by."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards, image_title
from focal_photos.browser.operations.ranking.queries.query import Example, Examples
from focal_photos.browser.tasks.pictures import read_image
from focal_photos.browser.tasks.thumbnail_loader import PixelSize

SIDE: Final = 256
"""Longest side of the pictures, in device pixels."""
_BOX: Final = PixelSize(SIDE, SIDE)


class ShownExamples(Model):
    """The examples, or the image from outside the library, that replace the focal image."""

    changed = Signal()
    """`examples` has changed."""
    pictures_arrived = Signal()
    """A name or picture was loaded."""

    def __init__(self, services: Services, navigator: Navigator) -> None:
        super().__init__(services)
        self._navigator = navigator
        self.examples: Examples | None = None
        """None if photos are not ranked, or are ranked by one focal image of the library."""
        self._cards: dict[int, PhotoCard] = {}
        self._images: dict[Example, QImage] = {}
        navigator.trail_changed.connect(self._take)
        self._loader.loaded.connect(self._loaded)

    def name(self, example: Example) -> str:
        """Return the name of an example; empty until it is loaded."""
        if isinstance(example, int):
            return self._cards[example].name if example in self._cards else ""
        return image_title(example)

    def picture(self, example: Example) -> QImage | None:
        """Return the picture of an example; None until it is loaded, a null image if there is none."""
        if isinstance(example, int):
            return self._loader.image(example, _BOX)
        return self._images.get(example)

    def _take(self) -> None:
        examples = self._navigator.examples
        if examples == self.examples:
            return
        self.examples = examples
        every = () if examples is None else (*examples.like, *examples.unlike)
        self._images = {one: image for one, image in self._images.items() if one in every}
        ids = [one for one in every if isinstance(one, int)]
        if ids:
            self._loader.request("examples", ids, _BOX)
        self._read([one for one in every if not isinstance(one, int) and one not in self._images], ids)
        self.changed.emit()

    def _read(self, outside: list[Example], ids: list[int]) -> None:
        library = self._library

        def read() -> tuple[dict[int, PhotoCard], dict[Example, QImage]]:
            images: dict[Example, QImage] = {}
            for one in outside:
                if not isinstance(one, int):
                    images[one] = read_image(library, one, SIDE)
            return fetch_cards(library, ids), images

        def done(found: tuple[dict[int, PhotoCard], dict[Example, QImage]]) -> None:
            self._cards = found[0]
            self._images.update(found[1])
            self.pictures_arrived.emit()

        self._runner.read("examples", read, done)

    def _loaded(self, photo_ids: list[int]) -> None:
        if self.examples is not None and any(one in photo_ids for one in self.examples.like + self.examples.unlike):
            self.pictures_arrived.emit()
