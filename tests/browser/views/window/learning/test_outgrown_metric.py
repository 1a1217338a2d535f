# SPDX-License-Identifier: MIT
"""Metrics learned in a small library that has grown since, and whose descriptors were learned again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from focal_photos.browser.models.base.notices import Message, Severity
from focal_photos.browser.operations.describing.extraction import fit_descriptors
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.operations.album import Album
from tests.browser.views.window_steps import train, walk_to


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sixth more photos suffice instead of four times as many."""
    monkeypatch.setattr(fit_descriptors, "GROWTH", 1.1)


def learned_keys(driver: WindowDriver) -> set[str]:
    library = driver.session.library
    return {key for key in library.vectors.keys() if key.startswith("dense_sift_fisher")}  # noqa: SIM118 - no mapping


def grow(driver: WindowDriver, folder: Path) -> list[Message]:
    before, said = learned_keys(driver), list[Message]()
    driver.session.notices.posted.connect(said.append)
    album = Album(folder / "more")
    album.draw_many(6, kind="green")
    driver.session.jobs.indexing.open_folders([album.folder])
    driver.wait_until_idle("indexing", 120)
    assert before < learned_keys(driver), "the library was trained again"
    return said


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["RCA", "Local distances"])
def test_the_metric_in_use_ranks_new_photos(driver: WindowDriver, tmp_path: Path, learner: str) -> None:
    train(driver, learner)
    said = grow(driver, tmp_path)
    driver.session.navigator.show_folder(None)
    driver.wait_until_idle("all photos")
    walk_to(driver, 0)
    assert driver.window.top_bar.metric_box.toolTip().startswith(f"{learner} (v1)")
    assert driver.session.grid.rowCount() == 37
    assert "among" not in driver.window.status_bar.text()
    assert not [message.text for message in said if message.severity is Severity.ERROR]


@pytest.mark.slow
def test_a_former_metric_ranks_known_photos_first_and_soon_all(driver: WindowDriver, tmp_path: Path) -> None:
    train(driver, "RCA")
    box = driver.window.top_bar.metric_box
    box.activated.emit(box.findText("Euclidean"))
    driver.wait_until_idle("the other metric")
    said = grow(driver, tmp_path)
    driver.session.navigator.show_folder(None)
    driver.wait_until_idle("all photos")
    walk_to(driver, 0)
    box.activated.emit(box.findText("Learned", Qt.MatchFlag.MatchStartsWith))
    driver.wait_until(lambda: driver.session.navigator.ranked and driver.session.grid.rowCount() == 37, "all photos")
    driver.wait_until_idle("the ranking")
    assert box.toolTip().startswith("RCA (v1)")
    assert "among" not in driver.window.status_bar.text()
    assert not [message.text for message in said if message.severity is Severity.ERROR]
