# SPDX-License-Identifier: MIT
"""Check tags: likely label errors in the real window, kept and changed by keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.views.review.check_page import CheckPage
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.operations.album import Album
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import Key

KINDS = ("warm", "cold")


@pytest.fixture
def wrong(open_window: OpenWindow, tmp_path: Path) -> tuple[WindowDriver, dict[int, str]]:
    """Return a window on 40 photos of two kinds, and the right tags of those tagged with the other kind."""
    album = Album(tmp_path / "photos")
    wrong = {}
    with Library.open(tmp_path / "library") as library:
        set_enabled(library, ["color_moments", "gabor"])
        for kind in KINDS:
            for place in range(20):
                album.draw(f"{kind}/{place:02}.jpg", kind=kind, seed=place)
        finish(index(library, [album.folder], backend="threads", workers=1))
        for kind, other in zip(KINDS, reversed(KINDS), strict=True):
            ids = library.photos.ids(f"path:{kind}").tolist()
            library.tags.change(ids[1:], [kind])
            library.tags.change(ids[:1], [other])
            wrong[ids[0]] = kind
    return open_window(tmp_path / "library"), wrong


def check(driver: WindowDriver) -> CheckPage:
    driver.press(Key.Key_K, CTRL | SHIFT)
    driver.wait_until_idle("the list", 120)
    page = driver.window.modes.review_page.check_page
    assert page.isVisible()
    return page


@pytest.mark.slow
def test_enter_keeps_a_tag_and_x_changes_it(wrong: tuple[WindowDriver, dict[int, str]]) -> None:
    driver, right = wrong
    library = driver.session.library
    page, model = check(driver), driver.session.review_pages.check_tags
    assert set(right) <= {one.photo_id for one in model.found}
    assert page.list.count() == len(model.found)
    first, second = model.found[:2]
    assert first.tag in page.question.text()
    assert page.keep_button.text() == f"Keep {first.tag} (Enter)"
    assert page.change_button.text() == f"Change to {first.instead} (X)"
    before = library.tags.of([first.photo_id, second.photo_id])
    driver.press(Key.Key_Return)
    driver.wait_until_idle("keeping")
    assert library.tags.of([first.photo_id, second.photo_id]) == before, "Enter never removes a tag"
    assert library.confirmations.tags() == {(first.photo_id, first.tag)}
    assert model.current == second
    driver.press(Key.Key_X)
    driver.wait_until_idle("changing")
    assert library.tags.of([second.photo_id])[second.photo_id] == [second.instead]
    page.again_button.click()
    driver.wait_until_idle("the list", 120)
    assert not {first.photo_id, second.photo_id} & {one.photo_id for one in model.found}
    for _ in range(2):
        driver.session.editor.undo()
        driver.wait_until_idle("undo")
    page.again_button.click()
    driver.wait_until_idle("the list", 120)
    assert set(right) <= {one.photo_id for one in model.found}


def test_the_list_and_the_photo_stay_in_step(wrong: tuple[WindowDriver, dict[int, str]]) -> None:
    driver, _ = wrong
    page, model = check(driver), driver.session.review_pages.check_tags
    driver.press(Key.Key_Down)
    assert model.at == 1
    assert page.picture.photo_id == model.found[1].photo_id
    driver.wait_until_idle("pictures")
    assert not page.picture._image.pixmap().isNull()
    page.list.setCurrentRow(0)
    assert page.picture.photo_id == model.found[0].photo_id
    page.next_button.click()
    assert model.at == 1


def test_without_label_errors_nothing_is_highlighted(driver: WindowDriver) -> None:
    page = check(driver)
    assert page.words.text() == "Nothing stands out."
    assert not page.keep_button.isEnabled()
    assert not page.list.isVisible(), "there is no empty list"
    driver.press(Key.Key_Space)
    assert not page.isVisible(), "the keyboard is on the button that returns to the questions"


def test_escape_returns_to_the_questions(driver: WindowDriver) -> None:
    page = check(driver)
    driver.press(Key.Key_Escape)
    assert not page.isVisible()
    assert driver.window.modes.review_page.isVisible()


def test_a_scope_limits_the_list_and_clearing_it_shows_the_rest(wrong: tuple[WindowDriver, dict[int, str]]) -> None:
    driver, right = wrong
    in_warm, in_cold = right
    session = driver.session
    session.navigator.show_folder(session.library.photos.get([in_warm])[0].path.parent)
    driver.wait_until_idle("the folder")
    page, model = check(driver), session.review_pages.check_tags
    found = {one.photo_id for one in model.found}
    assert in_warm in found
    assert in_cold not in found
    assert not driver.window.modes.review_page.tag_chooser.isVisible()
    driver.press(Key.Key_X, CTRL | SHIFT)
    driver.wait_until_idle("the list of the library", 120)
    assert page.isVisible()
    assert {in_warm, in_cold} <= {one.photo_id for one in model.found}
