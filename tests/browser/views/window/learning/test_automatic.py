# SPDX-License-Identifier: MIT
"""Automatic, the first entry of the menu beside Retrain."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.copies import copied
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import learner_menu

Key = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def striped(striped_folder: Path, tmp_path: Path, open_window: OpenWindow) -> WindowDriver:
    return open_window(copied(striped_folder, tmp_path / "striped"))


def automatic(driver: WindowDriver) -> QAction:
    first: QAction = learner_menu(driver).actions()[0]
    assert first.text() == "Automatic"
    assert "ranks held-out data best" in first.toolTip()
    return first


def messages(driver: WindowDriver) -> list[str]:
    """Return a list that collects all later messages."""
    told: list[str] = []
    driver.session.notices.posted.connect(lambda message: told.append(message.text))
    return told


@pytest.mark.slow
def test_the_choice_is_reported_and_repeated_by_retrain(striped: WindowDriver) -> None:
    told = messages(striped)
    automatic(striped).trigger()
    assert striped.session.jobs.training.running
    assert not automatic(striped).isEnabled()
    striped.wait_until_idle("training", 120)
    metric = striped.session.overview.now.metric
    assert metric is not None
    assert (metric.name, metric.learner) == ("automatic-1", "automatic")
    box = striped.window.top_bar.metric_box
    assert box.currentText().startswith("Learned ")
    assert box.toolTip().startswith(metric.title)
    assert metric.title.startswith("Automatic: ")
    (text,) = told
    chosen = metric.title.removeprefix("Automatic: ").removesuffix(" (v1)")
    assert f"{chosen}: right among the first " in text
    assert "held out: " in text
    assert "(n = 32, " in text
    striped.press(Key.Key_R, CTRL)
    striped.wait_until_idle("training", 120)
    assert box.toolTip().startswith(metric.title.replace("(v1)", "(v2)"))
    striped.press(Key.Key_Z, CTRL)
    striped.wait_until_idle("undo")
    assert box.toolTip().startswith(metric.title)
    # the judgement is applied, or not, without a message, because the chosen metric may be unable to follow
    striped.session.navigator.focus(striped.session.grid.photo_id(0))
    striped.wait_until_idle("the focal image")
    striped.hover(3)
    striped.press(Key.Key_S)
    striped.wait_until_idle("judging")
    assert striped.session.overview.now.new_judgements == 1


def test_too_little_data_for_a_choice_is_not_a_failure(striped: WindowDriver) -> None:
    library: Library = striped.session.library
    library.tags.change(library.photos.ids()[5:], remove=["lying", "standing"])
    told = messages(striped)
    automatic(striped).trigger()
    striped.wait_until(lambda: bool(told) and not striped.session.jobs.training.running, "the message and the end")
    assert "tag 8 photos" in told[0]
    assert [metric.name for metric in library.metrics.all()] == ["euclidean"]
