# SPDX-License-Identifier: MIT
"""All places of the window with texts: its modes with their pages, and its dialogs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtWidgets import QApplication, QDialog, QWidget

from focal_photos.browser.operations.tagging.review.photo_by_photo import OpenPhoto
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.settings.network_dialog import NetworkDialog
from focal_photos.browser.views.sidebar.search_tree import SearchNameDialog
from focal_photos.browser.views.sidebar.tag_dialogs import DeleteTagDialog, EditTagDialog, MergeTagsDialog
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.window_steps import teach

DIALOGS: Final[dict[str, Callable[[WindowDriver], object]]] = {
    "settings": lambda driver: driver.window.dialogs.show_settings(),
    "shortcuts": lambda driver: driver.window.dialogs.show_shortcuts(),
    "backups": lambda driver: driver.window.dialogs.show_backups(),
    "failures": lambda driver: driver.window.dialogs.show_failures(),
    "judgements": lambda driver: driver.window.dialogs.show_judgements(),
    "missing": lambda driver: driver.window.dialogs.show_missing(),
    "relocate": lambda driver: driver.window.dialogs.ask_to_relocate(),
    "remove": lambda driver: driver.window.dialogs.ask_to_remove(),
    "sidecars": lambda driver: driver.window.dialogs.exchange_with_sidecars(),
    "import tags": lambda driver: driver.window.dialogs.import_tags(),
    "data sets": lambda driver: driver.window.dialogs.show_data_sets(),
    "search": lambda driver: SearchNameDialog(driver.session, "tag:sea", "", driver.window).open(),
    "edit tag": lambda driver: EditTagDialog(driver.session, driver.window.theme, "sea", driver.window).open(),
    "merge tags": lambda driver: MergeTagsDialog(
        driver.session, driver.window.theme, "sea", "sky", driver.window
    ).open(),
    "delete tag": lambda driver: DeleteTagDialog(driver.session, driver.window.theme, "sea", driver.window).open(),
    "network": lambda driver: NetworkDialog(driver.session.preferences, driver.window.theme, driver.window).open(),
}


def in_use(driver: WindowDriver) -> None:
    """Tag, judge, learn and navigate, so that all places have content."""
    teach(driver)
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["sea"])
    driver.session.jobs.training.retrain("kernel-weighted")
    driver.wait_until_idle("training", 180)
    driver.session.jobs.suggesting.suggest()
    driver.wait_until_idle("suggestions", 120)
    driver.click(2)
    driver.wait_until_idle("the selection")


def modes(driver: WindowDriver) -> Iterator[tuple[str, QWidget]]:
    """Show one mode after the other, with each of its pages."""
    window = driver.window
    for mode in Mode:
        if mode is Mode.COMPARE:
            window.show_mode(Mode.BROWSE)
            driver.click(1)
            driver.click(2, CTRL)
        window.show_mode(mode)
        driver.wait_until_idle("the mode", 120)
        yield mode, window
        if mode is Mode.LEARNING:
            for name, tab in window.modes.learning_page.buttons.items():
                tab.click()
                driver.wait_until_idle("the page", 120)
                yield f"{mode}, {name}", window
        if mode is Mode.REVIEW:
            window.modes.review_page.ask()
            driver.wait_until_idle("the questions", 120)
            yield f"{mode}, ask", window
            window.modes.review_page.show_questions()
            photo_id = window.session.library.photos.ids("").tolist()[0]
            window.session.review_pages.photo_by_photo.begin([OpenPhoto(photo_id, ("sea",), ("beach", "boat"), 1)])
            driver.wait_until_idle("the photo", 120)
            yield f"{mode}, photo by photo", window
            window.check_tags()
            driver.wait_until_idle("the label errors", 120)
            yield f"{mode}, check tags", window
            window.compare_tags()
            driver.wait_until_idle("the agreement")
            yield f"{mode}, agreement", window
            window.modes.review_page.audit()
            driver.wait_until_idle("the audit", 120)
            yield f"{mode}, am I done", window
            window.review_boxes()
            driver.wait_until_idle("no suggested boxes", 120)
            yield f"{mode}, suggested boxes", window
    window.show_mode(Mode.BROWSE)
    window.view_menu.by_name["map"].setChecked(True)
    driver.wait_until_idle("the map", 120)
    yield "browse, map beside the grid", window
    window.view_menu.by_name["map"].setChecked(False)
    window.show_mode(Mode.BROWSE)


def dialogs(driver: WindowDriver) -> Iterator[tuple[str, QWidget]]:
    """Open one dialog after the other, with each of its pages."""
    for name, show in DIALOGS.items():
        show(driver)
        driver.wait_until_idle("the dialog")
        (dialog,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible())
        for number, page in enumerate(getattr(dialog, "page_buttons", [None])):
            if page is not None:
                page.click()
                driver.wait_until_idle("the page")
            yield f"{name}, page {number}", dialog
        dialog.close()
        dialog.deleteLater()
