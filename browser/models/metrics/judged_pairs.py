# SPDX-License-Identifier: MIT
"""The judgements of a library: focal image or text, judged photo, and verdict or relation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from datetime import datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QIcon

from focal_photos.browser.catalog.facts.learning.judged_relations import Related
from focal_photos.browser.catalog.facts.records import Region, Relation, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.rows_table import Index, RowsTable
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.ranking.queries.query import RegionQuery
from focal_photos.browser.operations.tagging.judging.judge import RegionPair
from focal_photos.browser.tasks.runner import Runner

if TYPE_CHECKING:
    from collections.abc import Mapping


_ROUNDING: Final = 1e-6
"""Largest difference between a side of a query and the stored one, as a share of the photo."""


class Column(IntEnum):
    """Columns of the table, from left to right."""

    FOCAL = 0
    PHOTO = 1
    VERDICT = 2
    AT = 3


Key = tuple[int | str, int, Relation | None, int | None, Region | None]
Against = int | str | RegionQuery
"""A focal image, a text, or a region of a photo."""


@dataclass(frozen=True)
class JudgedPair:
    """One judgement.

    Attributes
    ----------
    focal : int or str
        The focal image, or the text that photos were ranked by.
    verdict : Verdict, Relation or None
        None if it was cleared while the list was open.
    kind : Relation or None
        None: a verdict, which is similar or dissimilar.
    than_id : int or None
        The photo that is less near, for `Relation.NEARER`.
    region, found : Region or None
        The queried region of the focal image and the region found in the photo, if regions were judged; both without
        the rotation of the display.
    """

    focal: int | str
    photo_id: int
    verdict: Verdict | Relation | None
    at: datetime
    kind: Relation | None = None
    than_id: int | None = None
    region: Region | None = None
    found: Region | None = None

    @property
    def key(self) -> Key:
        """Photos and kind of the judgement, without the verdict."""
        return self.focal, self.photo_id, self.kind, self.than_id, self.region

    def is_against(self, query: Against) -> bool:
        """Return whether it is a judgement against a query; stored regions are rounded."""
        if not isinstance(query, RegionQuery):
            return self.region is None and self.focal == query
        if self.region is None or self.focal != query.source:
            return False
        return all(
            abs(one - other) < _ROUNDING for one, other in zip(astuple(self.region), astuple(query.region), strict=True)
        )

    @property
    def photos(self) -> tuple[int, ...]:
        """All its photos."""
        return tuple(number for number in (self.focal, self.photo_id, self.than_id) if isinstance(number, int))

    @property
    def related(self) -> Related | None:
        """The relation, or None for a verdict."""
        if self.kind is None or isinstance(self.focal, str):
            return None
        return self.focal, self.photo_id, self.than_id

    @property
    def regions(self) -> RegionPair | None:
        """The judged regions with their photos, or None."""
        if self.region is None or self.found is None or isinstance(self.focal, str):
            return None
        return self.focal, self.region, self.photo_id, self.found


class JudgedPairs(RowsTable):
    """A table of judgements, the newest first; the columns are those of `Column`.

    A cleared judgement stays in the table, without a verdict, so that it can be restored.

    Parameters
    ----------
    icon : callable
        Photo id, and a region of the displayed photo or None -> thumbnail, empty until it is loaded.
    """

    def __init__(
        self,
        library: Library,
        runner: Runner,
        editor: Editor,
        icon: Callable[[int, Region | None], QIcon],
        feed: ChangeFeed,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._library, self._runner, self._editor, self._icon = library, runner, editor, icon
        self._all: dict[Key, JudgedPair] = {}
        self._cards: Mapping[int, PhotoCard] = {}
        self._focal: Against | None = None
        self._verdict: str | None = None
        self.pairs: list[JudgedPair] = []
        """The rows: all pairs that match the filters."""
        feed.subscribe(self._take_changes, Kind.JUDGEMENTS, Kind.PHOTOS)

    # ------------------------------------------------------------------ content
    def read(self) -> None:
        """Read all judgements again; deleted ones lose their verdict."""
        library = self._library

        def read() -> tuple[list[JudgedPair], dict[int, PhotoCard]]:
            pairs: list[JudgedPair] = [
                JudgedPair(one.focal_id, one.other_id, one.verdict, one.at) for one in library.judgements.all()
            ]
            pairs += [JudgedPair(one.text, one.other_id, one.verdict, one.at) for one in library.text_judgements.all()]
            pairs += [
                JudgedPair(one.focal_id, one.other_id, one.relation, one.at, one.relation, one.than_id)
                for one in library.judged_relations.all()
            ]
            pairs += [
                JudgedPair(one.photo_id, one.other_id, one.verdict, one.at, region=one.region, found=one.other_region)
                for one in library.region_judgements.all()
            ]
            ids = {number for pair in pairs for number in pair.photos}
            return pairs, fetch_cards(library, sorted(ids))

        self._runner.read("judged pairs", read, lambda found: self._show(*found))

    def set_filter(self, focal: Against | None, verdict: str | None) -> None:
        """Show the judgements against one query (None: all), with one verdict or relation (None: all)."""
        self._focal, self._verdict = focal, verdict
        self._fill(keep=frozenset())

    def judge(self, rows: Sequence[int], verdict: Verdict | None) -> None:
        """Set the verdict of some rows, or clear it (None), in one undo step.

        A verdict leaves relations unchanged. Clearing rows all of which are cleared relations restores them.
        """
        if self._library.read_only:
            return
        chosen = [self.pairs[row] for row in rows]
        changed = [one for one in chosen if one.kind is None and one.verdict is not verdict]
        keys = [(one.focal, one.photo_id) for one in changed if one.region is None]
        regions = [one.regions for one in changed if one.regions is not None]
        related = [one.related for one in chosen if one.related and one.verdict] if verdict is None else []
        if keys or related or regions:
            self._editor.judge_pairs(keys, verdict, related, regions)
        elif verdict is None and (cleared := [one.related for one in chosen if one.related]):
            self._editor.restore_relations(cleared)

    def _take_changes(self, _changes: ChangeSet) -> None:
        self.read()

    def _show(self, found: list[JudgedPair], cards: dict[int, PhotoCard]) -> None:
        gone = {key: replace(pair, verdict=None) for key, pair in self._all.items()}
        self._cards = {**self._cards, **cards}
        # A pair keeps its place in the list if its verdict is changed or restored.
        self._all = gone | {pair.key: replace(pair, at=gone.get(pair.key, pair).at) for pair in found}
        self._fill(keep=frozenset(pair.key for pair in self.pairs))

    def _fill(self, keep: frozenset[Key]) -> None:
        """Show the pairs that match the filters, and those in `keep`, which were visible when their verdict changed."""
        shown = [
            pair
            for pair in self._all.values()
            if (self._focal is None or pair.is_against(self._focal))
            and (self._verdict is None or pair.verdict == self._verdict or pair.key in keep)
        ]
        shown.sort(
            key=lambda pair: (
                -pair.at.timestamp(),
                str(pair.focal),
                pair.photo_id,
                pair.kind or "",
                () if pair.region is None else astuple(pair.region),
            )
        )
        if [pair.key for pair in shown] == [pair.key for pair in self.pairs]:
            self.pairs = shown
            self.rows_changed()
            return
        self.beginResetModel()
        self.pairs = shown
        self.endResetModel()

    def photos(self, rows: Sequence[int]) -> list[int]:
        """Return the photos of some rows."""
        shown = (self.pairs[row] for row in rows if 0 <= row < len(self.pairs))
        return list(dict.fromkeys(number for pair in shown for number in pair.photos))

    def has_regions(self, rows: Sequence[int]) -> bool:
        """Return whether regions are among some rows."""
        return any(self.pairs[row].region is not None for row in rows if 0 <= row < len(self.pairs))

    def card(self, photo_id: int) -> PhotoCard | None:
        """Return the data of a photo of a pair."""
        return self._cards.get(photo_id)

    def _shown_region(self, photo_id: int, region: Region | None) -> Region | None:
        """Return a region as displayed."""
        card = self._cards.get(photo_id)
        return region if region is None or card is None else rotated_region(region, card.quarters)

    def name(self, focal: int | str) -> str:
        """Return the name of a photo, or a text in quotation marks."""
        if isinstance(focal, str):
            return f"\N{LEFT DOUBLE QUOTATION MARK}{focal}\N{RIGHT DOUBLE QUOTATION MARK}"
        card = self._cards.get(focal)
        return "" if card is None else card.name

    # ------------------------------------------------------------------ the table
    def items(self) -> Sequence[JudgedPair]:
        """Return the shown pairs."""
        return self.pairs

    def titles(self) -> tuple[str, ...]:
        """Return the titles of the columns."""
        return self.tr("Focal image"), self.tr("Photo"), self.tr("Judgement"), self.tr("When")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the data of a cell."""
        pair, column = self.pairs[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DecorationRole and column in (Column.FOCAL, Column.PHOTO):
            number, part = (pair.focal, pair.region) if column is Column.FOCAL else (pair.photo_id, pair.found)
            return self._icon(number, self._shown_region(number, part)) if isinstance(number, int) else None
        if role == Qt.ItemDataRole.ToolTipRole and column is Column.VERDICT:
            return tool_tip(self._text(pair, column))
        if role == Qt.ItemDataRole.ToolTipRole and column in (Column.FOCAL, Column.PHOTO):
            return tool_tip(self.name(pair.focal if column is Column.FOCAL else pair.photo_id))
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(pair, column)
        return None

    def _text(self, pair: JudgedPair, column: Column) -> str:
        if column is Column.AT:
            return f"{pair.at.astimezone():%Y-%m-%d %H:%M}"
        if column is Column.VERDICT:
            return {
                Verdict.SIMILAR: self.tr("Similar"),
                Verdict.DISSIMILAR: self.tr("Not similar"),
                Relation.LOOKS_ALIKE: self.tr("Looks alike"),
                Relation.NEARER: self.tr("Nearer than {0}"),
                None: self.tr("Withdrawn"),
            }[pair.verdict].format(self.name(pair.than_id) if pair.than_id is not None else "")
        name = self.name(pair.focal if column is Column.FOCAL else pair.photo_id)
        return self.tr("part of {0}").format(name) if pair.region is not None else name
