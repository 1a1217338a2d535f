# SPDX-License-Identifier: MIT
"""The texts beside the focal image are fully visible."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.window_steps import walk_to


@pytest.mark.parametrize("size", [(1200, 800), (1366, 768)])
def test_the_hint_for_the_next_step_is_not_shortened(driver: WindowDriver, size: tuple[int, int]) -> None:
    driver.window.resize(*size)
    walk_to(driver, 0)
    panel = driver.window.photos.focal_panel
    hint = panel._hint
    assert hint.full_text().startswith("S: similar. D: not similar.")
    driver.wait_until(lambda: hint.text() == hint.full_text(), "the whole hint", 5)
    assert panel.rect().contains(panel._words.geometry())


def test_tags_take_one_line_and_the_rest_is_counted(driver: WindowDriver) -> None:
    driver.window.resize(1366, 768)
    focal = walk_to(driver, 0)
    tags = [f"a rather long tag {number}" for number in range(12)]
    driver.session.editor.tag([focal], tags)
    driver.wait_until_idle("tagging")
    panel = driver.window.photos.focal_panel
    chips = [chip for chip in panel._tags.widgets() if isinstance(chip, QLabel)]
    assert 2 < len(chips) < 12
    assert len({chip.geometry().center().y() for chip in chips}) == 1
    assert chips[-1].text() == f"+{12 - (len(chips) - 1)}"
    assert sorted(tags)[-1] in chips[-1].toolTip()
    assert chips[-1].geometry().right() <= panel._tag_line.width()
    shown = len(chips)
    driver.window.resize(2200, 768)
    driver.wait_until(lambda: len(panel._tags.widgets()) > shown, "more tags", 5)
