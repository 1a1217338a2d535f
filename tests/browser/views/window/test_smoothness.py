# SPDX-License-Identifier: MIT
"""The window can be used during long work, and with very many photos; benchmarks measure how fast it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.tiles import PhotoCard
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.walkthrough.window_driver import pause
from tests.browser.models.photos.test_grid_model import card
from tests.browser.operations.album import Album
from tests.browser.views.conftest import OpenWindow


@pytest.mark.slow
def test_a_user_scrolls_while_photos_are_indexed(open_window: OpenWindow, tmp_path: Path) -> None:
    album = Album(tmp_path / "photos")
    album.draw_many(100)
    driver = open_window(tmp_path / "library")
    driver.window.dialogs.open_folders([album.folder])
    driver.wait_until(lambda: driver.session.grid.rowCount() >= 100, "the photos", 120)
    bar = driver.grid.verticalScrollBar()
    while driver.session.jobs.indexing.running:
        bar.setValue((bar.value() + 97) % max(1, bar.maximum()))
        pause(40)
    driver.wait_until_idle("the end")
    assert driver.session.overview.now.photos == 100
    assert driver.session.overview.now.failed == 0


@pytest.fixture
def model(qtbot: QtBot) -> Iterator[GridModel]:
    """Return a grid model whose photos need no library."""

    def fetch(ids: object) -> dict[int, PhotoCard]:
        return {photo_id: card(photo_id) for photo_id in ids}  # type: ignore[attr-defined]

    runner = Runner()
    loader = ThumbnailLoader(lambda _id, box: QImage(*box, QImage.Format.Format_RGB32))
    yield GridModel(fetch, runner, loader)
    runner.close()
    loader.close()


def test_the_grid_handles_a_million_photos(model: GridModel, theme: Theme, qtbot: QtBot) -> None:
    view = GridView(model, theme)
    qtbot.addWidget(view)
    view.resize(1200, 800)
    view.show()
    ids = np.arange(1_000_000, dtype=np.int64)
    bar = view.verticalScrollBar()
    model.arrange(ids)
    qtbot.waitUntil(lambda: bar.maximum() > 100_000 * view.gridSize().height())
    model.arrange(ids[::-1].copy(), np.linspace(0, 1, 1_000_000, dtype=np.float32), 3)
    qtbot.waitUntil(lambda: bar.maximum() > 100_000 * view.gridSize().height())
    for act in (
        lambda: bar.setValue(bar.maximum()),
        view.viewport().grab,
        view.selectAll,
        lambda: view.resize(1000, 800),
    ):
        act()
        pause(0)
    assert model.rowCount() == 1_000_000
    assert view.first_visible() > 0
