# SPDX-License-Identifier: MIT
"""The photos in the grid: an array of ids, and a bounded cache of cards with their data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from focal_photos.browser.catalog.facts.records import Region, Relation, Verdict
from focal_photos.browser.models.photos.grid.card_cache import CardCache
from focal_photos.browser.models.photos.grid.grid_rows import GridRows, same
from focal_photos.browser.models.photos.grid.tile_marks import TileMarks
from focal_photos.browser.models.photos.grid.tile_texts import spoken, tool_tip
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.tiles import PhotoCard, TileState
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import PixelSize, ThumbnailLoader

AHEAD_MILLISECONDS: Final = 50
"""Delay between the first visible pictures and loading those out of sight; by then the first are painted."""

_ENLARGED: Final = PixelSize(768, 768)
"""Size of the picture from which an enlarged part is cut, in device pixels."""

_MIN_RANGE_ROWS: Final = 8  # changed rows from which one range is reported instead of single rows
Index = QModelIndex | QPersistentModelIndex
BoxOf = Callable[[int], PixelSize]
"""Row -> the size that its picture must fit into, in device pixels."""
FetchCards = Callable[[Sequence[int]], dict[int, PhotoCard]]


class Role(IntEnum):
    """Item data roles in addition to Qt's."""

    TILE = Qt.ItemDataRole.UserRole + 1
    """`TileState`: everything the delegate paints, in one call."""
    PHOTO_ID = Qt.ItemDataRole.UserRole + 2


class GridModel(QAbstractListModel):
    """A list model whose rows are photos; `data` only reads from memory.

    Parameters
    ----------
    fetch : callable
        Photo ids -> cards; runs in the read lane.
    channel : str
        Name under which cards and pictures are requested; unique for each model.
    """

    rows_shown = Signal()
    """Other rows are in sight."""
    completed = Signal()
    """The remaining rows have arrived."""
    aspects_changed = Signal()
    """`aspects` has changed, the rows have not."""
    weak_changed = Signal()
    """`weak_from` has changed, the rows have not."""

    def __init__(
        self,
        fetch: FetchCards,
        runner: Runner,
        loader: ThumbnailLoader,
        parent: QObject | None = None,
        *,
        channel: str = "grid",
    ) -> None:
        super().__init__(parent)
        self._channel = channel
        self._fetch = fetch
        self._runner = runner
        self._loader = loader
        self._rows = GridRows()
        self._total = 0
        self._waiting: list[Callable[[], object]] = []
        self._marks = TileMarks()
        self.weak_from: int | None = None
        """First row with weak matches; None if it is unknown or no match is weak."""
        self.weak_tip = ""
        """Explanation of `weak_from`, for the user."""
        self._focal_id: int | None = None
        self._left: tuple[int, int] | None = None
        self._enlarged: int | None = None
        self._cards = CardCache()
        self._visible = (0, -1)
        self._box: BoxOf = lambda _row: PixelSize(160, 120)
        self._aspects: NDArray[np.float32] | None = None
        self._seen_aspects: dict[int, float] = {}  # of photos that are not described yet, by their pictures
        self._looks_ahead = False
        # Nothing out of sight is loaded before the first pictures are on the screen.
        self._shown_first = QTimer(self, singleShot=True, interval=AHEAD_MILLISECONDS)
        self._shown_first.timeout.connect(self._look_ahead)
        loader.loaded.connect(self._pictures_arrived)

    # ------------------------------------------------------------------ content
    @property
    def ids(self) -> NDArray[np.int64]:
        """Photo ids by row; not to be modified."""
        return self._rows.ids

    @property
    def scores(self) -> NDArray[np.float32] | None:
        """Distances to the focal image by row, if the rows are ordered by them; not to be modified."""
        return self._rows.scores

    @property
    def ranked(self) -> bool:
        """Whether the rows are ordered by distance to a focal image."""
        return self._rows.scores is not None

    @property
    def total(self) -> int:
        """Number of rows once all have arrived; counters show it from the beginning."""
        return self._total

    @property
    def complete(self) -> bool:
        """Whether all rows have arrived; a large ranking delivers the first screens first."""
        return len(self.ids) == self._total

    def when_complete(self, call: Callable[[], object]) -> None:
        """Call a function that needs all rows, now or when they have arrived.

        A new order that arrives earlier discards the call.
        """
        if self.complete:
            call()
        else:
            self._waiting.append(call)

    @property
    def aspects(self) -> NDArray[np.float32]:
        """Width over height of each row's photo as displayed, (n,); 1 if unknown. Not to be modified."""
        if self._aspects is None or len(self._aspects) != len(self.ids):
            self._aspects = np.ones(len(self.ids), dtype=np.float32)
        return self._aspects

    def aspect(self, row: int) -> float:
        """Return the width over height of a row's photo as displayed; 1 if unknown."""
        return 1.0 if self._aspects is None else float(self._aspects[row])

    def renew_pictures(self, photo_ids: Collection[int]) -> None:
        """Discard pictures and the proportions taken from them, because these photos have another rotation."""
        self._loader.renew(photo_ids)
        for photo_id in photo_ids:
            self._seen_aspects.pop(photo_id, None)

    def show_aspects(self, ids: NDArray[np.int64], aspects: NDArray[np.float32]) -> None:
        """Set the proportions of photos whose rotation has changed.

        Parameters
        ----------
        ids : ndarray of int64, shape (k,)
            Photos; those not in the grid are skipped.
        aspects : ndarray of float32, shape (k,)
            Width over height of each; 1 if unknown.
        """
        table, fresh = self._rows.table, self.aspects.copy()
        inside = ids < len(table)
        rows = table[ids[inside]]
        fresh[rows[rows >= 0]] = aspects[inside][rows >= 0]
        fresh = self._with_seen(self.ids, fresh)
        if not same(fresh, self._aspects):
            self._aspects = fresh
            self.aspects_changed.emit()
        self._see_aspects(self.visible_ids)

    def arrange(
        self,
        ids: NDArray[np.int64],
        scores: NDArray[np.float32] | None = None,
        focal_id: int | None = None,
        *,
        left: int | None = None,
        total: int | None = None,
        aspects: NDArray[np.float32] | None = None,
        weak_from: int | None = None,
        windows: NDArray[np.float32] | None = None,
    ) -> bool:
        """Replace the rows in one reset, or do nothing if they are the same.

        Parameters
        ----------
        ids : ndarray of int64, shape (n,)
            Photos in their new order, each once.
        scores : ndarray of float32, shape (n,), optional
            Distances to the focal image, ascending.
        left : int, optional
            The user's current photo, if judging it caused the new order: see `place_of`.
        total : int, optional
            Final number of rows if `extend` adds more; default: the current number.
        aspects : ndarray of float32, shape (n,), optional
            Width over height of each photo as displayed; 1 if unknown.
        weak_from : int, optional
            First row with weak matches, if any.
        windows : ndarray of float32, shape (n, 4), optional
            The part of each photo that matches a region; see `Ranking`.

        Returns
        -------
        bool
            Whether the rows have changed.
        """
        rows = GridRows(ids, scores, windows)
        total = len(ids) if total is None else total
        if aspects is not None:
            aspects = self._with_seen(ids, aspects)
        if focal_id == self._focal_id and total == self._total and rows.equals(self._rows):
            if aspects is not None and not same(aspects, self._aspects):
                self._aspects = aspects
                self.aspects_changed.emit()
            if weak_from != self.weak_from:
                self.weak_from = weak_from
                self.weak_changed.emit()
            return False
        former = -1 if left is None else self.place_of(left)
        self.beginResetModel()
        self._rows, self._focal_id, self._total = rows, focal_id, total
        self._aspects, self.weak_from = aspects, weak_from
        self._waiting = []
        self._visible = (0, -1)
        row = -1 if left is None else self.row_of(left)
        # If the photo moved towards the end, the photos behind its place have moved up by one.
        self._left = (left, former - (row > former)) if left is not None and row >= 0 <= former else None
        self.endResetModel()
        return True

    def extend(
        self,
        ids: NDArray[np.int64],
        scores: NDArray[np.float32] | None = None,
        aspects: NDArray[np.float32] | None = None,
        windows: NDArray[np.float32] | None = None,
    ) -> None:
        """Append the remaining rows; existing rows do not move.

        Parameters
        ----------
        ids : ndarray of int64, shape (m,)
            The following photos; empty if they cannot be found.
        scores : ndarray of float32, shape (m,), optional
            Their distances, if the grid has distances.
        aspects : ndarray of float32, shape (m,), optional
            Width over height of each; 1 if unknown.
        windows : ndarray of float32, shape (m, 4), optional
            The matching part of each, if the grid has windows.
        """
        rows = self._rows.followed_by(GridRows(ids, scores, windows))
        if len(ids):
            first = len(self.ids)
            self.beginInsertRows(QModelIndex(), first, first + len(ids) - 1)
            self._rows = rows
            if self._aspects is not None:
                more = np.ones(len(ids), np.float32) if aspects is None else self._with_seen(ids, aspects)
                self._aspects = np.concatenate([self._aspects, more])
            self.endInsertRows()
        self._total = len(self.ids)
        waiting, self._waiting = self._waiting, []
        self.completed.emit()
        for call in waiting:
            call()

    def set_marks(
        self, marks: Mapping[int, Verdict], relations: Mapping[int, frozenset[Relation]] | None = None
    ) -> None:
        """Show these judgements against the focal image; `relations` default to none."""
        self._redraw(self._marks.set_judgements(marks, relations or {}))

    def show_former_places(self, places: Mapping[int, int], *, others_beyond: bool = True) -> None:
        """Show on the tiles by how many rows photos rose or fell since they were in these rows; empty: no movement.

        Parameters
        ----------
        places : mapping of int to int
            Rows by photo id.
        others_beyond : bool
            Whether other photos were in rows beyond these; otherwise they are new and have not moved.
        """
        if self._marks.set_former_places(places, others_beyond=others_beyond):
            self._redraw(self.visible_ids)

    @property
    def folded(self) -> int:
        """Number of photos that are hidden behind their duplicates."""
        return sum(self._marks.folded.values())

    def show_folded(self, counts: Mapping[int, int]) -> None:
        """Show on the tiles how many duplicates each photo hides, by photo id; empty: none."""
        self._redraw(self._marks.set_folded(counts))

    def refresh(self, photo_ids: Iterable[int] | None = None) -> None:
        """Fetch the cards of these photos again (None: of all); the old ones are shown until then."""
        self._cards.outdate(photo_ids)
        self._fetch_visible()

    # ------------------------------------------------------------------ what is on the screen
    def show_rows(self, first: int, last: int, box: BoxOf) -> None:
        """Fetch the data of the visible rows, then their pictures, then those of a look-ahead in both directions."""
        if last < first or first >= len(self.ids):
            return
        last = min(last, len(self.ids) - 1)
        moved = self._visible != (first, last)
        self._visible, self._box = (first, last), box
        self._fetch_visible()
        self._request_pictures()
        if moved:
            self.rows_shown.emit()

    def reload_pictures(self) -> None:
        """Load all pictures again, because files have changed."""
        self._loader.forget()
        self._request_pictures()

    def _request_pictures(self) -> None:
        first, last = self._visible
        if last < first:
            return
        span = last - first + 1
        ahead = [
            *range(last + 1, min(last + 1 + span, len(self.ids))),
            *range(first - 1, max(first - 1 - span, -1), -1),
        ]
        if not self._looks_ahead:
            ahead = []
        wanted = [(int(self.ids[row]), self._box(row)) for row in [*range(first, last + 1), *ahead]]
        self._loader.request_sizes(self._channel, wanted)
        self._see_whether_shown()

    def _see_whether_shown(self) -> None:
        if not self._looks_ahead and self._loader.idle:
            self._shown_first.start()

    def _look_ahead(self) -> None:
        """Load pictures out of sight from now on."""
        self._looks_ahead = True
        self._request_pictures()

    @property
    def visible_ids(self) -> list[int]:
        """The photos in sight."""
        first, last = self._visible
        ids: list[int] = self.ids[first : last + 1].tolist()
        return ids

    def _fetch_visible(self) -> None:
        first, last = self._visible
        if last < first:
            return
        span = max(last - first + 1, 32)
        near = self.ids[max(0, first - span) : last + 1 + span].tolist()
        missing = self._cards.to_read(near)
        if missing:
            fetch = self._fetch
            self._runner.read(self._channel, lambda: fetch(missing), self._cards_arrived)

    def _cards_arrived(self, cards: dict[int, PhotoCard]) -> None:
        self._cards.add(cards)
        self._redraw(cards)

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        self._see_aspects(photo_ids)
        self._redraw(photo_ids)
        self._see_whether_shown()

    def _see_aspects(self, photo_ids: list[int]) -> None:
        """Take the proportions of undescribed photos from their pictures."""
        aspects = self._aspects
        if aspects is None:
            return
        seen: dict[int, float] = {}
        for photo_id in photo_ids:
            row = self._rows.row_of(photo_id)
            if row < 0 or aspects[row] != 1:
                continue
            image = self._loader.image(photo_id, self._box(row))
            if image is not None and not image.isNull() and image.width() != image.height():
                seen[photo_id] = image.width() / image.height()
        if seen:
            self._seen_aspects |= seen
            self._aspects = self._with_seen(self.ids, aspects)
            self.aspects_changed.emit()

    def _with_seen(self, ids: NDArray[np.int64], aspects: NDArray[np.float32]) -> NDArray[np.float32]:
        """Fill unknown proportions with those taken from pictures."""
        if not self._seen_aspects:
            return aspects
        unknown = np.flatnonzero(aspects == 1)
        cached = unknown[np.isin(ids[unknown], list(self._seen_aspects))]
        if not len(cached):
            return aspects
        aspects = aspects.copy()
        aspects[cached] = [self._seen_aspects[photo_id] for photo_id in ids[cached].tolist()]
        return aspects

    def _redraw(self, photo_ids: Iterable[int]) -> None:
        """Report these photos as changed if they are visible; other rows are painted afresh anyway."""
        first, last = self._visible
        wanted = np.fromiter(photo_ids, dtype=np.int64)
        rows: list[int] = (first + np.flatnonzero(np.isin(self.ids[first : last + 1], wanted))).tolist()
        if len(rows) > _MIN_RANGE_ROWS:
            self.dataChanged.emit(self.index(rows[0]), self.index(rows[-1]))
        else:
            for row in rows:
                self.dataChanged.emit(self.index(row), self.index(row))

    # ------------------------------------------------------------------ rows and photos
    def photo_id(self, row: int) -> int:
        """Return the photo of a row."""
        return int(self.ids[row])

    def score_of(self, photo_id: int) -> float | None:
        """Return the distance of a photo to the focal image; None if the grid is not ranked or lacks the photo."""
        return self._rows.score_of(photo_id)

    def window(self, photo_id: int) -> Region | None:
        """Return the matching part of a photo as displayed; None if the photos are not ranked by a region."""
        part, card = self.stored_window(photo_id), self._cards.get(photo_id)
        return None if part is None or card is None else rotated_region(part, card.quarters)

    def stored_window(self, photo_id: int) -> Region | None:
        """Return the matching part of a photo without its rotation; see `window`."""
        return self._rows.window_of(photo_id)

    def move_windows(self, regions: Mapping[int, Region]) -> None:
        """Show other parts of photos, without their rotation, by photo id; those not in the grid are skipped."""
        self._rows.move_windows(regions)
        self._redraw(regions)

    def enlarge(self, photo_id: int | None) -> None:
        """Show only the matching part of one photo, enlarged; None: all photos whole."""
        before, self._enlarged = self._enlarged, photo_id
        if photo_id != before:
            self._loader.request(f"{self._channel} enlarged", [] if photo_id is None else [photo_id], _ENLARGED)
            self._redraw(each for each in (before, photo_id) if each is not None)

    def row_of(self, photo_id: int) -> int:
        """Return the row of a photo, or -1."""
        return self._rows.row_of(photo_id)

    def place_of(self, photo_id: int) -> int:
        """Return the row from which arrow keys go on from a photo.

        For a photo that was just judged in an order that follows judgements, this is the row before its former
        successor, so that the next row is the photo the user would have seen next; -1 if that is the first row.
        Otherwise it is the photo's own row.
        """
        return self._left[1] if self._left is not None and self._left[0] == photo_id else self.row_of(photo_id)

    def forget_place(self) -> None:
        """Let arrow keys go on from the current place of the judged photo."""
        self._left = None

    def rows_of(self, photo_ids: Sequence[int]) -> list[int]:
        """Return the rows of the photos that are in the grid, ascending."""
        return self._rows.rows_of(photo_ids)

    def photo_ids(self, ranges: Iterable[tuple[int, int]]) -> list[int]:
        """Return the photos of ranges of rows (both ends included), in the order of the rows."""
        return self._rows.photo_ids(ranges)

    def card(self, photo_id: int) -> PhotoCard | None:
        """Return the card of a photo if it is cached."""
        return self._cards.get(photo_id)

    # ------------------------------------------------------------------ Qt
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of photos."""
        return 0 if parent.isValid() else len(self.ids)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return cached data; nothing is decoded, read or requested here."""
        row = index.row()
        if not 0 <= row < len(self.ids):
            return None
        if role == Role.TILE:
            return self._tile(row)
        if role == Role.PHOTO_ID:
            return int(self.ids[row])
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            tile = self._tile(row)
            if role == Qt.ItemDataRole.DisplayRole:
                return tile.card.name if tile.card else ""
            return spoken(tile) if role == Qt.ItemDataRole.AccessibleTextRole else tool_tip(tile)
        return None

    def _tile(self, row: int) -> TileState:
        photo_id = int(self.ids[row])
        return TileState(
            photo_id,
            row,
            self._cards.get(photo_id),
            self._loader.image(photo_id, self._box(row)),
            None if self.scores is None else float(self.scores[row]),
            self._marks.verdicts.get(photo_id),
            photo_id == self._focal_id,
            self._marks.rose_by(photo_id, row),
            self._marks.folded.get(photo_id, 0),
            self._marks.relations.get(photo_id, frozenset()),
            self.window(photo_id),
            self._loader.image(photo_id, _ENLARGED) if photo_id == self._enlarged else None,
        )
