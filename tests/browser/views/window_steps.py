# SPDX-License-Identifier: MIT
"""Common steps of window tests: go to a photo, tag and judge, choose a learner."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.walkthrough.window_driver import WindowDriver

Key = Qt.Key


def tags_of(driver: WindowDriver, row: int) -> list[str]:
    photo_id = driver.session.grid.photo_id(row)
    return driver.session.library.tags.of([photo_id])[photo_id]


def walk_to(driver: WindowDriver, row: int) -> int:
    """Click a tile and return its photo."""
    photo_id = driver.session.grid.photo_id(row)
    driver.walk(row)
    driver.wait_until_idle("the ranking")
    return photo_id


def teach(driver: WindowDriver) -> None:
    """Tag half of the photos by their folder, and judge some."""
    library = driver.session.library
    by_kind: dict[str, list[int]] = {}
    for photo in library.photos.get(driver.session.grid.ids.tolist()):
        by_kind.setdefault(photo.path.parent.name, []).append(photo.id)
    for kind, ids in by_kind.items():
        driver.session.editor.tag(ids[:2], [kind])
    driver.wait_until_idle("tagging")
    walk_to(driver, 0)
    for row, key in ((0, Key.Key_S), (1, Key.Key_S), (20, Key.Key_D), (21, Key.Key_D)):
        driver.hover(row)
        driver.press(key)
        driver.wait_until_idle("judging")


def train(driver: WindowDriver, *titles: str) -> None:
    """Tag all photos by their folder, and train and use a metric of each learner, even one without measurable gain."""
    library = driver.session.library
    for photo in library.photos.get(library.photos.ids().tolist()):
        library.tags.change([photo.id], [photo.path.parent.name])
    for title in titles:
        learner_actions(driver)[title].trigger()
        driver.wait_until_idle("training and measuring", 120)
        use_trained(driver)


def use_trained(driver: WindowDriver) -> None:
    """Use the metric trained last if it is only offered, because it has no measurable gain."""
    bar = driver.window.message_bar
    if bar.message is not None and bar.message.action is MessageAction.TRAINED_METRIC:
        QTest.mouseClick(bar._offer, Qt.MouseButton.LeftButton)
        driver.wait_until_idle("the metric")


def learner_menu(driver: WindowDriver) -> QMenu:
    """Return the menu beside Retrain, with the entries that it has when opened."""
    menu: QMenu = driver.window.top_bar.learner_button.menu()
    menu.aboutToShow.emit()
    return menu


def advanced_learners(driver: WindowDriver) -> list[QAction]:
    """Return the entries under Advanced in the menu beside Retrain: families of learners."""
    _automatic, advanced = learner_menu(driver).actions()
    menu = advanced.menu()
    assert isinstance(menu, QMenu)
    return menu.actions()


def learner_actions(driver: WindowDriver) -> dict[str, QAction]:
    """Return the entries of the menu beside Retrain by their titles."""
    entries = advanced_learners(driver)
    menus = [entry.menu() for entry in entries]
    return {
        action.text(): action
        for entry, menu in zip(entries, menus, strict=True)
        for action in (menu.actions() if isinstance(menu, QMenu) else [entry])
    }
