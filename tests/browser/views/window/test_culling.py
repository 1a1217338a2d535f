# SPDX-License-Identifier: MIT
"""Culling in the real window: stars, picks and rejections by keys, the next photo, and stacked bursts."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image, ImageFilter
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.facts.marks import REJECTED
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.operations.duplicates.test_find_duplicates import write
from tests.browser.operations.duplicates.test_same_picture import scene
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


@pytest.fixture
def culling(open_window: OpenWindow, tmp_path: Path) -> WindowDriver:
    """Return a window on twelve photos and a burst of three, of which the second is the sharpest."""
    photos, start = tmp_path / "photos", datetime(2024, 5, 1, 12)
    for number in range(12):
        write(photos / f"photo-{number:02}.jpg", scene(100 + number))
    grain = Image.effect_noise((300, 220), 20).convert("RGB")
    wide = Image.blend(scene(5, (300, 220)), grain, 0.15)
    for shot in range(3):
        part = wide.crop((shot * 14, shot * 12, shot * 14 + 240, shot * 12 + 160))
        if shot != 1:
            part = part.filter(ImageFilter.GaussianBlur(1))
        write(photos / f"burst-{shot}.jpg", part, taken=start + timedelta(seconds=2 * shot))
    with Library.open(tmp_path / "library") as library:
        finish(index(library, [photos], backend="threads", workers=1))
    driver = open_window(tmp_path / "library")
    driver.grid.setFocus()
    driver.press(Key.Key_K)
    driver.wait_until_idle("the stacks")
    return driver


def names(driver: WindowDriver) -> list[str]:
    return [path.stem for path in driver.session.library.photos.paths(driver.session.grid.ids.tolist())]


def ratings(driver: WindowDriver) -> dict[str, int | None]:
    library = driver.session.library
    ids = library.photos.listed().tolist()
    marks = library.marks.of(ids)
    found = {path.stem: marks[each].rating for each, path in zip(ids, library.photos.paths(ids), strict=True)}
    return {name: rating for name, rating in found.items() if rating is not None}


def press(driver: WindowDriver, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    driver.press(key, modifiers)
    driver.wait_until_idle("what the key does")


@pytest.mark.slow
def test_bursts_are_stacked_under_the_sharpest_photo(culling: WindowDriver) -> None:
    assert names(culling) == ["burst-1", *(f"photo-{number:02}" for number in range(12))]
    culling.click(0)
    press(culling, Key.Key_B)
    assert names(culling)[:3] == ["burst-0", "burst-1", "burst-2"]
    press(culling, Key.Key_E)
    press(culling, Key.Key_B)
    assert names(culling)[:2] == ["burst-1", "photo-00"], "B expands and collapses stacks in the preview too"
    assert not culling.session.tagging.boxes.editing
    press(culling, Key.Key_B)
    press(culling, Key.Key_E)
    press(culling, Key.Key_B)
    assert names(culling)[0] == "burst-1"
    press(culling, Key.Key_K)
    assert len(names(culling)) == 15


@pytest.mark.slow
def test_each_key_rates_and_moves_to_the_next_photo(culling: WindowDriver) -> None:
    culling.click(1)
    press(culling, Key.Key_P)
    assert culling.grid.current_id() == culling.session.grid.photo_id(2)
    press(culling, Key.Key_X)
    press(culling, Key.Key_4)
    press(culling, Key.Key_Space)
    viewer = culling.window.photos.viewer
    assert viewer.photo_id == culling.session.grid.photo_id(4)
    press(culling, Key.Key_5)
    assert viewer.photo_id == culling.session.grid.photo_id(5), "the preview shows it too"
    press(culling, Key.Key_Left)
    assert viewer._card is not None
    assert viewer._card.rating == 5
    press(culling, Key.Key_Right)
    press(culling, Key.Key_P)
    assert ratings(culling) == {"photo-00": 1, "photo-01": REJECTED, "photo-02": 4, "photo-03": 5, "photo-04": 1}
    press(culling, Key.Key_Left)
    press(culling, Key.Key_P)
    assert ratings(culling)["photo-04"] == 1
    culling.session.editor.undo()
    culling.wait_until_idle("undo")
    assert "photo-04" not in ratings(culling)


@pytest.mark.slow
def test_no_tag_shows_a_digit_while_digits_rate(culling: WindowDriver) -> None:
    panel, driver = culling.window.right_column.tags, culling
    driver.session.tagging.pinned.pin(1, "sea")
    driver.click(0)
    driver.wait_until_idle("the selection")
    assert [chip.text() for chip in panel.pinned()] == ["sea"]
    assert not panel.digit_switch.isVisible()
    driver.press(Key.Key_K)
    assert [chip.text() for chip in panel.pinned()] == ["1  sea"]
    assert panel.digit_switch.isVisible()


def test_a_picked_photo_keeps_its_stars_and_u_clears_them(culling: WindowDriver) -> None:
    culling.click(1)
    press(culling, Key.Key_3)
    culling.click(1)
    press(culling, Key.Key_P)
    assert ratings(culling) == {"photo-00": 3}
    culling.click(1)
    press(culling, Key.Key_U)
    assert ratings(culling) == {}


@pytest.mark.slow
def test_one_key_picks_the_best_of_a_burst_and_rejects_the_others(culling: WindowDriver) -> None:
    culling.click(0)
    press(culling, Key.Key_P, SHIFT)
    assert ratings(culling) == {"burst-0": REJECTED, "burst-1": 1, "burst-2": REJECTED}
    assert culling.grid.current_id() == culling.session.grid.photo_id(1)
    culling.session.editor.undo()
    culling.wait_until_idle("undo")
    assert ratings(culling) == {}, "the rating is one step"


@pytest.mark.slow
def test_several_selected_photos_are_rated_together_and_stay_selected(culling: WindowDriver) -> None:
    for row in (2, 3):
        culling.click(row, CTRL)
    selected = culling.grid.selected_ids()
    press(culling, Key.Key_X)
    assert ratings(culling) == {"photo-01": REJECTED, "photo-02": REJECTED}
    assert culling.grid.selected_ids() == selected


@pytest.mark.slow
def test_without_culling_the_keys_have_their_usual_meaning(culling: WindowDriver) -> None:
    bar = culling.window.culling_bar
    assert bar.isVisible()
    QTest.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    culling.wait_until_idle("all photos")
    assert not bar.isVisible()
    culling.click(1)
    press(culling, Key.Key_X)
    assert ratings(culling) == {}
