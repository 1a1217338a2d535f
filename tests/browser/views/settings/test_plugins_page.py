# SPDX-License-Identifier: MIT
"""The window with plug-ins: their page in the settings, the descriptors, the learners and the formats."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from focal_photos.browser.models.settings.descriptor_model import Column
from focal_photos.browser.operations.describing.settings import ENABLED
from focal_photos.browser.views.dialogs.data_set_dialog import DataSetDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.settings.settings_driver import Key, SettingsDriver
from tests.plugins.conftest import Install, example, install, path, with_example

__all__ = ["example", "install", "path", "with_example"]  # fixtures


@pytest.fixture
def prepared(with_example: None, install: Install) -> None:
    """The example package and a broken one are installed before the window opens."""
    install("odd_broken", "import not_here_at_all", learners="odd = odd_broken:ODD")


def texts(opened: SettingsDriver) -> list[str]:
    page = opened.dialog.plugins
    opened.dialog.show_page(page)
    opened.driver.wait_until(lambda: "not_here_at_all" in page.list.item(page.list.count() - 1).text(), "the plug-ins")
    return [page.list.item(row).text() for row in range(page.list.count())]


def test_the_page_lists_plug_ins_with_states_and_errors(prepared: None, opened: SettingsDriver) -> None:
    *good, bad = texts(opened)
    assert [" ".join(one.split()) for one in good] == [
        "example-for-focal 1.0 · learner · axis-ratio · ready",
        "example-for-focal 1.0 · descriptor · row_colors · ready",
        "example-for-focal 1.0 · file format · taglines · ready",
    ]
    assert bad.startswith("odd_broken 0.5")
    assert "broken\nIt cannot be loaded (ModuleNotFoundError: No module named 'not_here_at_all')" in bad


def test_a_descriptor_of_a_plug_in_is_switched_on_by_keys(prepared: None, opened: SettingsDriver) -> None:
    opened.go_to("row_colors")
    assert opened.text("row_colors", Column.TITLE) == "Colours of rows"
    assert not opened.checked("row_colors")
    opened.press(Key.Key_Space)
    opened.dialog.apply_button.click()
    opened.driver.wait_until_idle("the settings", 60)
    library = opened.driver.session.library
    assert "row_colors" in (ENABLED.get(library) or ())
    opened.driver.wait_until(lambda: opened.text("row_colors", Column.PHOTOS) == "32", "the vectors")


def test_learners_and_formats_of_plug_ins_are_offered(prepared: None, driver: WindowDriver) -> None:
    assert "axis-ratio" in {one.name for one in driver.session.jobs.training.learners}
    driver.window.window_actions.show_data_sets()
    (dialog,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, DataSetDialog) and one.isVisible()]
    driver.wait_until(lambda: dialog.forms.findData("taglines") >= 0, "the formats")
    dialog.forms.setCurrentIndex(dialog.forms.findData("taglines"))
    assert dialog.form.title == "Tag lines"
    assert dialog.save_button.isEnabled()
    assert dialog.take_button.isEnabled()
    assert not dialog.links.isEnabled()
    dialog.reject()


def test_the_page_names_what_the_library_lacks(driver: WindowDriver) -> None:
    said: list[str] = []
    driver.session.notices.posted.connect(lambda message: said.append(message.text))
    ENABLED.set(driver.session.library, ("color_moments", "of_a_lost_plug_in"))
    driver.session.jobs.indexing.rescan()
    driver.wait_until_idle("the indexing", 60)
    expected = "of_a_lost_plug_in is switched on, but not installed or not working. (Settings, Plug-ins)"
    assert said.count(expected) == 1
    opened = SettingsDriver(driver)
    page = opened.dialog.plugins
    opened.dialog.show_page(page)
    lacking = "of_a_lost_plug_in: switched on, but not installed or not working"
    driver.wait_until(lambda: page.list.item(0).text() == lacking, "the plug-ins")
    assert page.list.hasFocus()
