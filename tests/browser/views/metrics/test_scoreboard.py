# SPDX-License-Identifier: MIT
"""The scoreboard in the real window: measured, drawn, saved, cancelled."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QGraphicsView

from focal_photos.browser.views.metrics.learning_page import SCOREBOARD
from focal_photos.browser.views.metrics.scoreboard_page import ScoreboardPage
from focal_photos.browser.walkthrough.window_driver import DriverError, WindowDriver
from tests.browser.operations.ranking.test_ranker import kinds
from tests.browser.views.metrics.test_history import history
from tests.browser.views.window_steps import Key, train, walk_to


def scoreboard(driver: WindowDriver) -> ScoreboardPage:
    history(driver)
    driver.window.modes.learning_page.buttons[SCOREBOARD].click()
    page = driver.window.modes.learning_page.pages[SCOREBOARD]
    assert isinstance(page, ScoreboardPage)
    assert page.isVisible()
    return page


def assert_drawn_as_shown(page: ScoreboardPage, file: Path) -> None:
    """Compare a saved picture with the screen, except for the edges of lines and letters."""
    (view,) = page.findChildren(QGraphicsView)
    screen = view.grab().toImage()
    drawn = QImage(screen.size(), QImage.Format.Format_RGB32)
    drawn.fill(view.backgroundBrush().color())
    painter = QPainter(drawn)
    QSvgRenderer(str(file)).render(painter)
    painter.end()
    small = [
        np.array(
            [
                [one.pixelColor(x, y).lightness() for x in range(one.width())]
                for one in [image.scaledToWidth(200, Qt.TransformationMode.SmoothTransformation)]
                for y in range(one.height())
            ],
            dtype=float,
        )
        for image in (screen, drawn)
    ]
    assert np.corrcoef(small[0].ravel(), small[1].ravel())[0, 1] > 0.99
    assert "<image" not in file.read_text(), "points are vector shapes"


@pytest.mark.slow
def test_the_scoreboard_is_measured_drawn_and_saved(driver: WindowDriver, tmp_path: Path) -> None:
    train(driver, "RCA")
    walk_to(driver, 0)
    for row, key in ((0, Key.Key_S), (1, Key.Key_S), (20, Key.Key_D), (21, Key.Key_D)):
        driver.hover(row)
        driver.press(key)
        driver.wait_until_idle("judging")
    page = scoreboard(driver)
    assert not page.findChildren(QGraphicsView)
    page.work_button.click()
    assert not page.work_button.isEnabled()
    assert page.cancel_button.isVisible()
    assert driver.focus_widget() is page.cancel_button, "the keyboard focus stays on the page"
    driver.wait_until_idle("the scoreboard", 180)
    assert driver.focus_widget() is page.work_button
    board = driver.session.metrics.scores.board
    assert board is not None
    assert [line.title for line in board.lines] == ["Euclidean (nothing learned)", "RCA (v1)"]
    assert all(0 <= value <= 1 for line in board.lines for value in line.precision)
    for line in board.lines:
        assert sum(count for _, _, count in line.reliability) >= 32
    assert page.words.text().count("confidence error of suggestions") == len(board.lines)
    assert "suggestions use the untrained metric" in page.words.text()
    (drawn,) = page.findChildren(QGraphicsView)
    assert drawn.isVisible()
    assert f"{board.queries} held-out queries" in page.words.text()
    driver.session.metrics.scores.save_csv(tmp_path / "board.csv")
    page.save_svg(tmp_path / "board.svg")
    driver.wait_until_idle("saving")
    with (tmp_path / "board.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    found = [float(row["value"]) for row in rows if (row["what"], row["metric"]) == ("precision", "RCA (v1)")]
    assert found == pytest.approx(board.lines[1].precision, abs=1e-6)
    assert ElementTree.parse(tmp_path / "board.svg").getroot().tag.endswith("svg")
    assert_drawn_as_shown(page, tmp_path / "board.svg")
    page.save_svg(tmp_path / "nowhere" / "board.svg")
    with pytest.raises(DriverError, match="Choose an existing folder"):
        driver.wait_until_idle("saving")
    assert kinds(driver.session.library, driver.session.grid.ids[:1])


def test_the_scoreboard_can_be_stopped_and_reports_missing_data(driver: WindowDriver) -> None:
    page = scoreboard(driver)
    page.work_button.click()
    driver.wait_until_idle("nothing to measure", 60)
    assert "nothing to measure with yet" in page.words.text()
    train(driver, "RCA")
    page = scoreboard(driver) if not page.isVisible() else page
    page.work_button.click()
    page.cancel_button.click()
    driver.wait_until_idle("the end", 60)
    assert driver.session.metrics.scores.board is None
    assert page.work_button.isEnabled()


@pytest.mark.slow
def test_starting_loads_no_plots_and_plots_use_pyside() -> None:
    script = (
        "import os, sys; os.environ['PYQTGRAPH_QT_LIB'] = 'PyQt6'; import focal_photos.browser.app; "
        "import focal_photos.browser.views.window.main_window; "
        "from focal_photos.browser.lazy_imports import is_executed; "
        "loaded = {name for name, module in sys.modules.items() if is_executed(module)}; "
        "assert not {'pyqtgraph', 'focal_photos.browser.operations.tagging.scoreboard'} & loaded"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
