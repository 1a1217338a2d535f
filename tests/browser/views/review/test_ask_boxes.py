# SPDX-License-Identifier: MIT
"""Ask me next about boxes in the real window: unnamed and suggested ones, named and refused by keys and mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.catalog.facts.records import TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.review.ask_next import REFUSED, AskNext
from focal_photos.browser.operations.ranking.queries.by_region import prepares_regions
from focal_photos.browser.views.review.ask_page import AskPage
from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT, WindowDriver
from tests.browser import region_album
from tests.browser.catalog.albums import id_of
from tests.browser.copies import copied_with_photos
from tests.browser.region_album import place
from tests.browser.views.conftest import OpenWindow
from tests.conftest import MadeOnce

Key = Qt.Key
EACH = 12
NAMED = 5
"""Photos of each kind with a named box."""
DRAWN = 7
"""Photos of each kind with a box; the others have none."""


@pytest.fixture(params=[True])
def driver_of_boxes(
    request: pytest.FixtureRequest, open_window: OpenWindow, made_once: MadeOnce, tmp_path: Path
) -> WindowDriver:
    prepared = bool(request.param)

    def fill(made: Path) -> None:
        region_album.make(made, prepared=prepared, each=EACH)
        with Library.open(made / "library") as library:
            library.boxes.add(
                (
                    id_of(library, made / "photos" / f"{kind}_{number}.png"),
                    place(number),
                    kind if number < NAMED else None,
                )
                for kind in region_album.KINDS
                for number in range(DRAWN)
            )

    made = made_once(f"boxes to ask about {prepared}", fill)
    return open_window(copied_with_photos(made, tmp_path / "photos", tmp_path / "library"), watching=False)


def ask(driver: WindowDriver) -> tuple[AskPage, AskNext]:
    """Open Ask me next and switch to boxes, by keys."""
    driver.press(Key.Key_K, CTRL)
    driver.wait_until_idle("the photos", 120)
    driver.press(Key.Key_R, CTRL | SHIFT)
    driver.wait_until_idle("the boxes", 120)
    assert driver.session.scope.boxes
    return driver.window.modes.review_page.ask_page, driver.session.review_pages.ask_next


def name_all(driver: WindowDriver) -> None:
    """Name all drawn boxes, so that Review asks about suggested ones."""
    library = driver.session.library
    for kind in region_album.KINDS:
        ids = [
            box.id
            for box in library.boxes.all()
            if box.tag is None and library.photos.paths([box.photo_id])[0].stem.startswith(kind)
        ]
        driver.session.editor.name_boxes(ids, kind)
    driver.wait_until_idle("the names", 120)


def tile_texts(page: AskPage) -> list[str]:
    """Return the answers below the first three pictures."""
    tiles = [page.findChild(QToolButton, f"ask{at}") for at in range(3)]
    return [tile.text() for tile in tiles if tile is not None]


def test_unnamed_boxes_are_named_by_a_typed_name_and_by_a_digit(driver_of_boxes: WindowDriver) -> None:
    driver, library = driver_of_boxes, driver_of_boxes.session.library
    without = [box.id for box in library.boxes.all() if box.tag is None]
    page, model = ask(driver)
    assert sorted(box_ids_of(model.photo_ids)) == without
    first, second = library.boxes.get(box_ids_of(model.photo_ids[:1])) + library.boxes.get(
        box_ids_of(model.photo_ids[1:2])
    )
    driver.wait_until_idle("the pictures")
    region = first.region
    assert page.picture._region == QRectF(region.x0, region.y0, region.x1 - region.x0, region.y1 - region.y0)
    assert page.crop.isVisible()
    width, height = region_album.SIZE
    shape = (region.x1 - region.x0) * width / ((region.y1 - region.y0) * height)
    assert page.crop.aspect == pytest.approx(shape, rel=0.05)
    driver.type("coil")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("naming")
    assert library.boxes.get([first.id])[0].tag == "coil"
    assert library.tags.of([first.photo_id])[first.photo_id] == ["coil"]
    key = driver.session.review_pages.tag_keys.tag(1)
    driver.press(Key.Key_1)
    driver.wait_until_idle("naming")
    assert library.boxes.get([second.id])[0].tag == key
    assert tile_texts(page) == ["coil", key, "?"]
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert library.boxes.get([second.id])[0].tag is None
    assert library.tags.of([second.photo_id])[second.photo_id] == []
    assert model.at == 1, "Review asks about the box again"
    assert tile_texts(page) == ["coil", "?", "?"]


def test_the_number_of_boxes_left_is_shown_instead_of_photos(driver_of_boxes: WindowDriver) -> None:
    driver = driver_of_boxes
    drawn = len(region_album.KINDS) * DRAWN
    driver.press(Key.Key_K, CTRL)
    driver.wait_until_idle("the photos", 120)
    progress = driver.window.modes.review_page.findChild(QLabel, "reviewProgress")
    assert isinstance(progress, QLabel)
    of_photos = progress.text()
    assert "boxes" not in of_photos
    page, model = ask(driver)
    left = len(model.photo_ids)
    assert progress.text() == f"{left} of {drawn} boxes left"
    driver.press(Key.Key_1)
    driver.wait_until_idle("naming")
    driver.press(Key.Key_Delete)
    driver.wait_until_idle("removing")
    assert progress.text() == f"{left - 2} of {drawn} boxes left"
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert progress.text() == f"{left - 1} of {drawn} boxes left"
    name_all(driver)
    page.enter()
    driver.wait_until_idle("suggested boxes", 120)
    assert model.suggested, "only suggested boxes are left"
    assert progress.text() == ""


def test_delete_removes_an_unnamed_box_and_undo_restores_it(driver_of_boxes: WindowDriver) -> None:
    driver, library = driver_of_boxes, driver_of_boxes.session.library
    page, model = ask(driver)
    (box_id,) = box_ids_of(model.photo_ids[:1])
    assert page.refuse_button.text() == "Delete the box (Del)"
    driver.press(Key.Key_Delete)
    driver.wait_until_idle("removing")
    assert not library.boxes.get([box_id])
    assert tile_texts(page) == [REFUSED, "?", "?"]
    assert model.at == 1
    driver.press(Key.Key_Left)
    driver.type("coil")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("nothing")
    assert not library.boxes.get([box_id]), "a removed box cannot be named"
    driver.press(Key.Key_Escape)
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert library.boxes.get([box_id])[0].tag is None
    assert model.at == 0
    assert tile_texts(page) == ["?", "?", "?"]


def test_suggested_boxes_are_accepted_renamed_and_refused(driver_of_boxes: WindowDriver) -> None:
    driver, library = driver_of_boxes, driver_of_boxes.session.library
    name_all(driver)
    before = library.boxes.all()
    page, model = ask(driver)
    assert len(model.photo_ids) > 3
    assert not set(box_ids_of(model.photo_ids)) & {box.id for box in before}
    first, second, third = (model.boxes[item] for item in model.photo_ids[:3])
    assert page.field.placeholderText().startswith(f"{first.tag}? Press Enter")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("accepting")
    (drawn,) = library.boxes.all()[len(before) :]
    assert (drawn.photo_id, drawn.region, drawn.tag) == (first.photo_id, first.region, first.tag)
    assert drawn.source is TagSource.ACCEPTED
    driver.type("coil")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("accepting")
    drawn = library.boxes.all()[-1]
    assert (drawn.photo_id, drawn.region, drawn.tag) == (second.photo_id, second.region, "coil")
    QTest.mouseClick(page.refuse_button, Qt.MouseButton.LeftButton, NONE)
    driver.wait_until_idle("refusing")
    (refused,) = library.boxes.rejected()
    assert (refused.photo_id, refused.region, refused.tag) == (third.photo_id, third.region, third.tag)
    assert model.at == 3
    answers = [str(first.tag), "coil", REFUSED]
    assert tile_texts(page) == answers
    for at in (2, 1, 0):
        driver.press(Key.Key_Z, CTRL)
        driver.wait_until_idle("undo")
        answers[at] = "?"
        assert tile_texts(page) == answers
        assert model.at == at
    assert library.boxes.all() == before
    assert not library.boxes.rejected()


def test_photos_are_asked_about_again_and_the_scope_limits_boxes(driver_of_boxes: WindowDriver) -> None:
    driver, library = driver_of_boxes, driver_of_boxes.session.library
    driver.session.navigator.show_collection(Collection("path:bars"))
    driver.wait_until_idle("the filter")
    page, model = ask(driver)
    photos = [model.photo_of(item) for item in model.photo_ids]
    assert len(photos) == DRAWN - NAMED
    assert all(path.stem.startswith("bars") for path in library.photos.paths(photos))
    driver.press(Key.Key_R, CTRL | SHIFT)
    driver.wait_until_idle("the photos", 120)
    assert model.photo_ids
    assert all(item > 0 for item in model.photo_ids)
    assert not page.crop.isVisible()
    assert not page.refuse_button.isVisible()
    driver.press(Key.Key_Delete)
    driver.wait_until_idle("nothing")
    assert model.at == 0
    assert len(library.boxes.all()) == DRAWN * 2


@pytest.mark.slow
@pytest.mark.parametrize("driver_of_boxes", [False], indirect=True)
def test_photos_are_described_for_boxes_first(driver_of_boxes: WindowDriver) -> None:
    driver = driver_of_boxes
    page, model = ask(driver)
    driver.wait_until(lambda: bool(model.photo_ids), "the boxes", 180)
    assert prepares_regions(driver.session.library)
    assert len(model.photo_ids) == 2 * (DRAWN - NAMED)
    assert page.crop.isVisible()
