"""What is said of the selected photo: facts, and why it is near to the focal image."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from browser.views.photos.shared_neighbors import NeighborPicture
from browser.walkthrough.window_driver import CTRL, WindowDriver


def pictures(driver: WindowDriver) -> list[NeighborPicture]:
    return driver.window.info_panel.shared_neighbors.pictures()


def test_a_selected_photo_shows_what_it_is_near_to_together_with_the_focal_image(driver: WindowDriver) -> None:
    row = driver.window.info_panel.shared_neighbors
    assert not row.isVisible()
    driver.click(1)
    driver.wait_until_idle("the ranking")
    assert not row.isVisible()
    driver.click(0, CTRL)
    driver.wait_until_idle("why it is near")
    focal, selected = driver.navigator.focal_id, driver.navigator.selected
    assert focal is not None
    expected = driver.session.ranker.shared_neighbors(focal, selected[0], limit=5)
    assert 0 < len(expected) == len(pictures(driver))
    assert row.isVisible()
    names = [driver.session.library.photos.get([int(one)])[0].path.name for one in expected]
    assert [picture.toolTip() for picture in pictures(driver)] == names
    driver.click(1, CTRL)  # two are selected
    driver.wait_until_idle("why they are near")
    assert not row.isVisible()
    assert pictures(driver) == []


def test_a_click_walks_on_to_a_neighbour(driver: WindowDriver) -> None:
    driver.click(1)
    driver.wait_until_idle("the ranking")
    driver.click(0, CTRL)
    driver.wait_until_idle("why it is near")
    picture = pictures(driver)[0]
    name = picture.toolTip()
    QTest.mouseClick(picture, Qt.MouseButton.LeftButton)
    driver.wait_until_idle("the ranking")
    assert driver.focal_name() == name
    assert not driver.window.info_panel.shared_neighbors.isVisible()


def test_rankings_need_not_count_shared_neighbours(driver: WindowDriver) -> None:
    driver.click(1)
    driver.wait_until_idle("the ranking")
    driver.click(0, CTRL)
    driver.wait_until_idle("why it is near")
    focal, selected = driver.navigator.focal_id, driver.navigator.selected
    assert focal is not None
    before = driver.session.grid.ids.tolist()
    action = driver.window.window_actions.share_neighbors
    assert action.isChecked()
    action.trigger()
    driver.wait_until_idle("the setting")
    assert not action.isChecked()
    plain = driver.session.ranker.rank(focal, rerank=False)
    assert driver.session.grid.ids.tolist() == plain.photo_ids.tolist() != before
    assert driver.navigator.selected == selected
    assert not driver.window.info_panel.shared_neighbors.isVisible()
    action.trigger()
    driver.wait_until_idle("the setting")
    assert driver.session.grid.ids.tolist() == before
    assert driver.window.info_panel.shared_neighbors.isVisible()
