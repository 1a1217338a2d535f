# SPDX-License-Identifier: MIT
"""Searches by a region: the image of which the user chooses a part, and its picture."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards, image_title
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.operations.ranking.queries import by_region
from focal_photos.browser.operations.ranking.queries.query import Example, RegionQuery
from focal_photos.browser.tasks.pictures import read_image
from focal_photos.browser.tasks.thumbnail_loader import PixelSize

SIDE: Final = 768
"""Longest side of the picture, in device pixels."""
_BOX: Final = PixelSize(SIDE, SIDE)
_MIDDLE: Final = Region(0.25, 0.25, 0.75, 0.75)


class RegionSearch(Model):
    """The image by whose part photos are ranked, or of which the user chooses a part.

    Regions are as displayed: the user may have rotated the photo.
    """

    changed = Signal()
    """Another image or region is shown, or `choosing` has changed."""
    picture_arrived = Signal()
    """Name and picture of the image were loaded."""

    def __init__(self, services: Services, navigator: Navigator, indexing: Indexing) -> None:
        super().__init__(services)
        self._navigator, self._indexing = navigator, indexing
        self.source: Example | None = None
        """The image; None if photos are not ranked by a region and the user does not choose one."""
        self.choosing = False
        """Whether the user is choosing a part."""
        self._first: Region | None = None
        self._only_box: Region | None = None  # of the unrotated image, if it has one box
        self._shown = navigator.trail.current.shows
        self._card: PhotoCard | None = None
        self._image: QImage | None = None
        self._asked: tuple[Example, Region] | None = None
        navigator.trail_changed.connect(self._follow)
        navigator.arranger.windows_wanted.connect(self._prepare)
        indexing.running_changed.connect(self._try_again)
        self._loader.loaded.connect(self._loaded)
        self._feed.subscribe(self._take_changes, Kind.ROTATIONS, Kind.FILES)

    # ------------------------------------------------------------------ content
    @property
    def name(self) -> str:
        """The name of the image; empty until it is loaded."""
        if isinstance(self.source, int):
            return "" if self._card is None else self._card.name
        return "" if self.source is None else image_title(self.source)

    @property
    def region(self) -> Region | None:
        """The region by which photos are ranked, or from which choosing begins; None until its place is known."""
        if isinstance(self.source, int) and self._card is None:
            return None
        query = self._navigator.part
        if self.choosing or query is None:
            if self._first is not None:
                return self._first
            return _MIDDLE if self._only_box is None else rotated_region(self._only_box, self._quarters)
        return rotated_region(query.region, self._quarters)

    @property
    def picture(self) -> QImage | None:
        """The picture of the image; None until it is loaded, a null image if there is none."""
        return self._loader.image(self.source, _BOX) if isinstance(self.source, int) else self._image

    @property
    def _quarters(self) -> int:
        return 0 if self._card is None else self._card.quarters

    # ------------------------------------------------------------------ actions of the user
    def begin(self, source: Example, first: Region | None = None) -> None:
        """Let the user choose a part of an image, beginning with a region, the only box of the photo or the middle."""
        shown = self.region if source == self.source else None
        self._first = first or shown
        self._show(source, choosing=True)

    def stop(self) -> bool:
        """Stop choosing a part; return whether the user was choosing one."""
        was = self.choosing
        if was:
            self._show_step()
        return was

    def search(self, region: Region) -> None:
        """Rank by a region of the shown image."""
        if isinstance(self.source, int) and self._card is not None:
            self.search_in(self._card, region)
        elif self.source is not None and not isinstance(self.source, int):
            self._rank(RegionQuery(self.source, region), region, self.name)

    def search_in(self, card: PhotoCard, region: Region) -> None:
        """Rank by a region of a photo."""
        self._rank(RegionQuery(card.photo.id, rotated_region(region, -card.quarters)), region, card.name)

    def search_box(self, item: int) -> None:
        """Rank by the region of a box, given as item (`learning.items`); do nothing if it no longer exists."""
        library = self._library

        def done(cards: dict[int, PhotoCard]) -> None:
            card = cards.get(item)
            if card is not None and card.region is not None:
                self.search_in(card, rotated_region(card.region, card.quarters))

        self._runner.read("region of a box", lambda: fetch_cards(library, [item]), done)

    def use_whole(self) -> None:
        """Rank by the whole image."""
        if self.source is not None:
            self._navigator.rank_by_examples([self.source])

    def _rank(self, query: RegionQuery, region: Region, name: str) -> None:
        if query == self._navigator.part:
            self.stop()
            return
        self._asked = query.source, region
        self._navigator.rank_by(query, self.tr("part of {0}").format(name))

    # ------------------------------------------------------------------ the shown image
    def _follow(self) -> None:
        """Show the image of a new step; new photos in the same step do not end choosing."""
        shows = self._navigator.trail.current.shows
        if shows != self._shown:
            self._shown = shows
            self._show_step()

    def _show_step(self) -> None:
        query = self._navigator.part
        self._show(None if query is None else query.source, choosing=False)

    def _show(self, source: Example | None, *, choosing: bool) -> None:
        self.choosing = choosing
        if source != self.source:
            self.source, self._card, self._image, self._only_box = source, None, None, None
            self._read()
        self.changed.emit()

    def _read(self) -> None:
        library, source = self._library, self.source
        if source is None:
            return
        if isinstance(source, int):
            self._loader.request("region", [source], _BOX)

        def read() -> tuple[PhotoCard | None, QImage | None, Region | None]:
            if isinstance(source, int):
                boxes = library.boxes.of([source]).get(source, [])
                return fetch_cards(library, [source]).get(source), None, boxes[0].region if len(boxes) == 1 else None
            return None, read_image(library, source, SIDE), None

        def done(found: tuple[PhotoCard | None, QImage | None, Region | None]) -> None:
            if source == self.source:
                self._card, self._image, self._only_box = found
                self.changed.emit()
                self.picture_arrived.emit()

        self._runner.read("region source", read, done)

    def _loaded(self, photo_ids: list[int]) -> None:
        if isinstance(self.source, int) and self.source in photo_ids:
            self.picture_arrived.emit()

    def _take_changes(self, changes: ChangeSet) -> None:
        if isinstance(self.source, int) and (not changes.photo_ids or self.source in changes.photo_ids):
            self._read()

    # ------------------------------------------------------------------ describing windows
    def _prepare(self) -> None:
        """Describe all photos for searches by a region, since the user wants the first one."""
        library = self._library

        def prepared(_nothing: None) -> None:
            self._notices.post(
                self.tr(
                    "Preparing searches by a region: all photos are being described for them. "
                    "The ranking appears when the first ones are ready."
                )
            )
            self._indexing.describe(self.tr("Preparing searches by a region"))

        if self._asked is not None:
            self.begin(*self._asked)
        attempt = self.tr("Preparing searches by a region")
        self._runner.write(attempt, lambda: by_region.prepare_regions(library), prepared)

    def _try_again(self) -> None:
        """Rank, or report why it is impossible, if nothing more is being described."""
        if self._navigator.arranger.waiting is not None and not self._indexing.running:
            self._navigator.again()
