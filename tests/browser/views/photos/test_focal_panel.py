"""What stands beside the focal image is read whole."""

from __future__ import annotations

import pytest

from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.window_steps import walk_to


@pytest.mark.parametrize("size", [(1200, 800), (1366, 768)])
def test_the_hint_for_the_next_step_is_not_shortened(driver: WindowDriver, size: tuple[int, int]) -> None:
    driver.window.resize(*size)
    walk_to(driver, 0)
    panel = driver.window.photos.focal_panel
    hint = panel._hint
    assert hint.full_text().startswith("S: similar")
    driver.wait_until(lambda: hint.text() == hint.full_text(), "the whole hint", 5)
    assert panel.rect().contains(panel._words.geometry())
    assert hint.height() >= hint.sizeHint().height(), "no line of it is cut"
