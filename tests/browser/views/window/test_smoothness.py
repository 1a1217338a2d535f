"""How long the main thread is blocked: measured and reported, without a time limit."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from focal_photos.browser.app import freeze_loaded_objects
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.tiles import PhotoCard
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.demo import demo
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.walkthrough.window_driver import pause
from tests.browser.models.photos.test_grid_model import card
from tests.browser.views.conftest import OpenWindow

Record = Callable[[str, object], None]
TICK = 0.010


class Pulse:
    """A timer on the main thread that records its delays."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setInterval(round(1000 * TICK))
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, now - self._last - TICK))
        self._last = now

    def stop(self) -> dict[str, float]:
        """Return the longest delay and some quantiles, in milliseconds."""
        self._timer.stop()
        late = 1000 * np.asarray(self.late)
        numbers = {"longest": late.max(), "99.9 %": np.quantile(late, 0.999), "99 %": np.quantile(late, 0.99)}
        return {name: round(float(value), 1) for name, value in numbers.items()} | {"ticks": len(late)}


@pytest.mark.alone
@pytest.mark.slow
def test_the_main_thread_stays_free_while_2000_photos_are_indexed(
    open_window: OpenWindow, tmp_path: Path, record_property: Record
) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    rng = np.random.default_rng(0)
    for number in range(2000):
        coarse = Image.fromarray(rng.integers(0, 256, (6, 8, 3), dtype=np.uint8))
        coarse.resize((96, 72), Image.Resampling.BICUBIC).save(folder / f"{number:04}.jpg")
    driver = open_window(tmp_path / "library")
    freeze_loaded_objects()
    pulse = Pulse()
    driver.window.dialogs.open_folders([folder])
    driver.wait_until(lambda: driver.session.grid.rowCount() >= 2000, "the photos", 120)
    while driver.session.jobs.indexing.running:
        # scroll like a user
        bar = driver.grid.verticalScrollBar()
        bar.setValue((bar.value() + 97) % max(1, bar.maximum()))
        pause(40)
    numbers = pulse.stop()
    print("milliseconds late on the main thread while indexing:", numbers)
    record_property("late_milliseconds", numbers)
    driver.wait_until_idle("the end")
    gc.unfreeze()
    assert driver.session.overview.now.photos == 2000
    assert driver.session.overview.now.failed == 0


@pytest.mark.alone
@pytest.mark.slow
def test_the_main_thread_stays_free_while_local_distances_are_learned(
    open_window: OpenWindow, tmp_path: Path, record_property: Record
) -> None:
    with Library.open(tmp_path / "library") as library:
        finish(demo(library, tmp_path / "album", count=16))
        tagged = library.photos.ids("-untagged").tolist()
    driver = open_window(tmp_path / "library")
    view = driver.session.local_view
    freeze_loaded_objects()
    pulse = Pulse()
    driver.session.jobs.training.retrain("local")
    bar = driver.grid.verticalScrollBar()
    while driver.session.jobs.training.running:
        bar.setValue((bar.value() + 97) % max(1, bar.maximum()))
        pause(40)
    learned = pulse.stop()
    driver.wait_until_idle("the metric")
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    driver.press(Qt.Key.Key_H)
    driver.press(Qt.Key.Key_M)
    pulse = Pulse()
    seen = set()
    for photo_id in tagged[:8]:
        driver.navigator.focus(photo_id)
        driver.wait_until_idle("the heat map and the matches")
        view.next_kind()
        assert view.shown_map is not None
        assert view.matches is not None
        seen.add(view.shown_map.cacheKey())
    shown = pulse.stop()
    print("milliseconds late while learning local distances:", learned, "while they are shown:", shown)
    record_property("late_milliseconds", [learned, shown])
    gc.unfreeze()
    assert len(seen) == 8


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


def test_the_grid_handles_a_million_photos(
    model: GridModel, theme: Theme, qtbot: QtBot, record_property: Record
) -> None:
    view = GridView(model, theme)
    qtbot.addWidget(view)
    view.resize(1200, 800)
    view.show()
    ids = np.arange(1_000_000, dtype=np.int64)
    times: dict[str, float] = {}

    def measure(name: str, action: Callable[[], object]) -> None:
        start = time.perf_counter()
        action()
        pause(0)
        times[name] = round(1000 * (time.perf_counter() - start), 1)

    measure("first", lambda: model.arrange(ids))
    pulse = Pulse()
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 100_000 * view.gridSize().height())
    numbers = pulse.stop()
    measure("reset", lambda: model.arrange(ids[::-1].copy(), np.linspace(0, 1, 1_000_000, dtype=np.float32), 3))
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 100_000 * view.gridSize().height())
    bar = view.verticalScrollBar()
    measure("scroll step", lambda: bar.setValue(bar.value() + 120))
    measure("jump to the end", lambda: bar.setValue(bar.maximum()))
    measure("paint", view.viewport().grab)
    measure("select all", view.selectAll)
    measure("resize", lambda: view.resize(1000, 800))
    print("milliseconds at a million photos:", times, "while laid out in batches:", numbers)
    record_property("milliseconds", times)
    record_property("late_milliseconds", numbers)
    assert model.rowCount() == 1_000_000
    assert view.first_visible() > 0
