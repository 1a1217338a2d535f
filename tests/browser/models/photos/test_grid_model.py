# SPDX-License-Identifier: MIT
from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.facts.records import Photo, Verdict
from focal_photos.browser.models.photos.grid.card_cache import MAX_CARDS
from focal_photos.browser.models.photos.grid_model import GridModel, Role
from focal_photos.browser.models.photos.tiles import PhotoCard, TileState, shown
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import PixelSize, ThumbnailLoader

BOX = PixelSize(16, 12)


def card(photo_id: int, **facts: object) -> PhotoCard:
    photo = Photo(photo_id, f"{photo_id:032x}", Path(f"/photos/{photo_id}.jpg"), 10, 4, 3, None, None, False)
    return PhotoCard(photo, **facts)  # type: ignore[arg-type]


def box(_row: int) -> PixelSize:
    return BOX


class Grid:
    """A grid model with cards made on demand."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []
        self.runner = Runner()
        self.loader = ThumbnailLoader(lambda _id, size: QImage(*size, QImage.Format.Format_RGB32))
        self.model = GridModel(self._fetch, self.runner, self.loader)
        self.tester = QAbstractItemModelTester(self.model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    def _fetch(self, ids: Sequence[int]) -> dict[int, PhotoCard]:
        self.asked.append(list(ids))
        return {photo_id: card(photo_id) for photo_id in ids}

    def tile(self, row: int) -> TileState:
        tile: TileState = self.model.index(row).data(Role.TILE)
        return tile


@pytest.fixture
def grid(qtbot: QtBot) -> Iterator[Grid]:
    grid = Grid()
    yield grid
    grid.runner.close()
    grid.loader.close()


def ids(count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.arange(1, count + 1, dtype=np.int64)


def test_ids_are_shown_at_once_and_cards_when_loaded(grid: Grid, qtbot: QtBot) -> None:
    grid.model.arrange(ids(500))
    assert grid.model.rowCount() == 500
    assert grid.tile(3).card is None
    assert grid.asked == [], "data() fetches nothing"
    grid.model.show_rows(0, 9, box)
    qtbot.waitUntil(lambda: grid.tile(3).card is not None and grid.tile(3).image is not None)
    assert grid.model.index(3).data() == "4.jpg"
    assert max(map(max, grid.asked)) < 100, "only cards near the visible rows are fetched"


def test_a_new_order_resets_the_model_once_and_the_same_order_never(grid: Grid, qtbot: QtBot) -> None:
    resets: list[None] = []
    grid.model.modelReset.connect(lambda: resets.append(None))
    scores = np.linspace(0, 1, 10, dtype=np.float32)
    assert grid.model.arrange(ids(10)[::-1], scores, 99)
    assert not grid.model.arrange(ids(10)[::-1].copy(), scores.copy(), 99)
    assert len(resets) == 1
    assert grid.tile(9).score == 1.0
    assert grid.model.arrange(ids(10)[::-1], None, 99)
    assert not grid.model.ranked


def test_scores_must_match_the_rows(grid: Grid) -> None:
    with pytest.raises(ValueError, match="3 photos but 2 scores"):
        grid.model.arrange(ids(3), np.zeros(2, dtype=np.float32))


def test_marks_redraw_only_changed_rows(grid: Grid) -> None:
    grid.model.arrange(ids(20), np.zeros(20, dtype=np.float32), 99)
    grid.model.show_rows(0, 19, box)
    changed: list[int] = []
    grid.model.dataChanged.connect(lambda first, last, _roles: changed.extend(range(first.row(), last.row() + 1)))
    grid.model.set_marks({3: Verdict.SIMILAR, 5: Verdict.DISSIMILAR})
    grid.model.set_marks({3: Verdict.SIMILAR})
    assert changed == [2, 4, 4]
    assert grid.tile(2).mark is Verdict.SIMILAR


def test_rows_are_redrawn_at_their_place_after_scrolling(grid: Grid) -> None:
    grid.model.arrange(ids(40), np.zeros(40, dtype=np.float32), 99)
    grid.model.show_rows(20, 29, box)
    changed: list[int] = []
    grid.model.dataChanged.connect(lambda first, last, _roles: changed.extend(range(first.row(), last.row() + 1)))
    grid.model.set_marks({1: Verdict.SIMILAR, 23: Verdict.SIMILAR})
    assert changed == [22]


def test_cards_in_memory_are_bounded(grid: Grid, qtbot: QtBot) -> None:
    del grid.tester  # it reads every row after every change
    grid.model.arrange(ids(3 * MAX_CARDS))
    for first in range(0, 3 * MAX_CARDS, 1000):
        grid.model.show_rows(first, first + 999, box)
        qtbot.waitUntil(lambda first=first: grid.tile(min(first + 999, 3 * MAX_CARDS - 1)).card is not None)  # type: ignore[misc]
    known = [photo_id for photo_id in range(1, 3 * MAX_CARDS + 1) if grid.model.card(photo_id)]
    assert len(known) <= MAX_CARDS


def test_refresh_keeps_the_old_cards_until_the_new_ones_arrive(grid: Grid, qtbot: QtBot) -> None:
    grid.model.arrange(ids(10))
    grid.model.show_rows(0, 9, box)
    qtbot.waitUntil(lambda: grid.tile(0).card is not None)
    grid.asked.clear()
    grid.model.refresh([2])
    assert grid.tile(1).card is not None
    qtbot.waitUntil(lambda: grid.asked == [[2]])
    qtbot.waitUntil(lambda: grid.runner.idle)
    grid.model.show_rows(0, 9, box)
    qtbot.waitUntil(lambda: grid.runner.idle)
    assert grid.asked == [[2]], "a refetched card is fresh"


def test_rows_and_photos_are_mapped_both_ways(grid: Grid) -> None:
    grid.model.arrange(ids(10)[::-1])
    assert grid.model.row_of(10) == 0
    assert grid.model.row_of(77) == -1
    assert grid.model.rows_of([1, 10, 77]) == [0, 9]
    assert grid.model.rows_of([]) == []
    assert grid.model.photo_ids([(8, 9), (0, 1)]) == [10, 9, 2, 1]
    assert grid.model.data(QModelIndex()) is None


def test_the_rest_is_appended(grid: Grid) -> None:
    scores = np.linspace(0, 1, 10, dtype=np.float32)
    called: list[int] = []
    grid.model.arrange(ids(10)[:4], scores[:4], 99, total=10)
    assert (grid.model.rowCount(), grid.model.total, grid.model.complete) == (4, 10, False)
    assert grid.model.row_of(7) == -1
    grid.model.when_complete(lambda: called.append(grid.model.row_of(7)))
    assert called == []
    with pytest.raises(ValueError, match="6 photos but 5 scores"):
        grid.model.extend(ids(10)[4:], scores[5:])
    with pytest.raises(ValueError, match="6 photos but 0 scores"):
        grid.model.extend(ids(10)[4:])
    grid.model.extend(ids(10)[4:], scores[4:])
    assert (grid.model.rowCount(), grid.model.total, grid.model.complete) == (10, 10, True)
    assert called == [6]
    assert grid.model.rows_of([9, 2, 9, -3, 4000]) == [1, 8]
    assert grid.tile(9).score == 1.0
    grid.model.when_complete(lambda: called.append(-1))
    assert called == [6, -1]


def test_another_order_drops_callbacks_waiting_for_the_rest(grid: Grid) -> None:
    called: list[None] = []
    grid.model.arrange(ids(4), np.zeros(4, np.float32), 99, total=10)
    grid.model.when_complete(lambda: called.append(None))
    grid.model.arrange(ids(6))
    assert grid.model.complete
    grid.model.extend(ids(6)[:0])
    assert called == []


def test_the_same_first_part_of_another_total_is_another_order(grid: Grid) -> None:
    assert grid.model.arrange(ids(4), total=10)
    assert not grid.model.arrange(ids(4), total=10)
    assert grid.model.arrange(ids(4))
    assert grid.model.complete


def test_a_tile_has_a_description(grid: Grid, qtbot: QtBot) -> None:
    grid.model.arrange(ids(2), np.array([0.25, 0.5], dtype=np.float32), 99)
    grid.model.set_marks({1: Verdict.DISSIMILAR})
    grid.model.show_rows(0, 1, box)
    qtbot.waitUntil(lambda: grid.tile(0).card is not None)
    spoken = grid.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "1.jpg, rank 1, distance 0.250, judged not similar"


def test_odd_names_can_be_shown() -> None:
    assert shown("a\nb\udcffc") == "a\N{REPLACEMENT CHARACTER}b?c"


def test_the_model_holds_a_million_rows(grid: Grid, record_property: object) -> None:
    million = np.random.default_rng(0).permutation(np.arange(1_000_000, dtype=np.int64))
    scores = np.sort(np.random.default_rng(1).random(1_000_000, dtype=np.float32))
    del grid.tester  # it reads every row
    times = {}
    for name, action in (
        ("reset", lambda: grid.model.arrange(million, scores, 5)),
        ("same again", lambda: grid.model.arrange(million.copy(), scores, 5)),
        ("row_of", lambda: grid.model.row_of(int(million[999_999]))),
        ("rows_of 100", lambda: grid.model.rows_of(million[::10_000].tolist())),
        ("show_rows", lambda: grid.model.show_rows(500_000, 500_059, box)),
    ):
        start = time.perf_counter()
        action()
        times[name] = round(1000 * (time.perf_counter() - start), 2)
    print("milliseconds at a million rows:", times)
    record_property("milliseconds", times)  # type: ignore[operator]
    assert grid.model.rowCount() == 1_000_000


@pytest.mark.parametrize(
    ("order", "place"),
    [
        ([1, 2, 3, 4, 5], 2),  # unmoved: 4 is next
        ([3, 1, 2, 4, 5], 2),  # moved to the front
        ([1, 2, 4, 5, 3], 1),  # moved to the end: the photo now in its row is next
        ([4, 3, 2, 1, 5], 2),
        ([1, 2, 4, 5], -1),  # no longer in the collection
    ],
)
def test_a_judged_photo_remembers_its_old_row(grid: Grid, order: list[int], place: int) -> None:
    grid.model.arrange(ids(5))
    scores = np.arange(len(order), dtype=np.float32)
    assert grid.model.place_of(3) == 2
    grid.model.arrange(np.array(order), scores, left=3)
    assert grid.model.place_of(3) == place
    assert [grid.model.place_of(each) for each in order if each != 3] == [
        row for row, each in enumerate(order) if each != 3
    ]
    grid.model.forget_place()
    assert [grid.model.place_of(each) for each in order] == list(range(len(order)))


def test_the_old_row_is_kept_until_the_next_order(grid: Grid) -> None:
    grid.model.arrange(ids(5))
    grid.model.arrange(np.array([2, 3, 4, 5, 1]), left=1)
    assert grid.model.place_of(1) == -1
    grid.model.arrange(np.array([1, 2, 3, 4, 5]), left=1)
    assert grid.model.place_of(1) == 0
    grid.model.arrange(np.array([2, 3, 4, 5, 1]), left=1)
    grid.model.arrange(np.array([3, 2, 4, 5, 1]))
    assert grid.model.place_of(1) == 4


def test_tiles_state_how_far_photos_moved(grid: Grid) -> None:
    grid.model.arrange(np.array([4, 2, 9, 7, 8], np.int64), np.arange(5, dtype=np.float32), 1)
    assert [grid.tile(row).rose for row in range(5)] == [0] * 5
    grid.model.show_former_places({2: 0, 4: 1, 7: 2})
    # 9 was beyond the three remembered places and so rose by at least one; the place of 8 is unknown.
    assert [grid.tile(row).rose for row in range(5)] == [1, -1, 1, -1, 0]
    grid.model.show_former_places({})
    assert [grid.tile(row).rose for row in range(5)] == [0] * 5


def test_aspects_come_with_the_rows_and_follow_rotations(grid: Grid) -> None:
    assert grid.model.arrange(ids(2), total=3, aspects=np.array([1.5, 0.5], np.float32))
    grid.model.extend(np.array([3]), None, np.array([2.0], np.float32))
    assert grid.model.aspects.tolist() == [1.5, 0.5, 2.0]
    grid.model.show_aspects(np.array([3, 9]), np.array([0.5, 3.0], np.float32))
    assert grid.model.aspects.tolist() == [1.5, 0.5, 0.5]


def test_thumbnails_give_the_aspects_of_undescribed_photos(grid: Grid, qtbot: QtBot) -> None:
    unknown = np.array([1, 2, 1, 1], np.float32)
    grid.model.arrange(ids(4), aspects=unknown)
    changes: list[None] = []
    grid.model.aspects_changed.connect(lambda: changes.append(None))
    grid.model.show_rows(0, 1, box)
    qtbot.waitUntil(lambda: bool(changes))
    qtbot.waitUntil(lambda: grid.tile(1).image is not None)
    assert grid.model.aspects.tolist()[:2] == pytest.approx([16 / 12, 2]), "aspects of described photos stay"
    assert unknown.tolist() == [1, 2, 1, 1], "the caller's array is unchanged"
    seen = grid.model.aspects.tolist()
    grid.model.arrange(ids(4)[::-1], aspects=unknown[::-1].copy())
    assert grid.model.aspects.tolist() == seen[::-1], "aspects are known in another order too"
    beginning, rest = np.array([2, 3]), np.array([1, 4])
    grid.model.arrange(beginning, aspects=unknown[1:3], total=4)
    grid.model.extend(rest, None, unknown[[0, 3]])
    assert grid.model.aspects.tolist() == [seen[row] for row in (1, 2, 0, 3)], "aspects follow moved rows"
    grid.model.arrange(ids(4), aspects=unknown)
    grid.model.renew_pictures([1])
    grid.model.show_aspects(ids(4), unknown)
    assert grid.model.aspects[0] == 1, "a rotated photo's aspect is unknown until its new thumbnail"
    grid.model.arrange(ids(4), aspects=np.array([1.5, 2, 0.5, 1.25], np.float32))
    assert grid.model.aspects.tolist() == [1.5, 2, 0.5, 1.25], "descriptions are more exact"
