# SPDX-License-Identifier: MIT
"""The walkthrough runs all its steps without a display."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from focal_photos.browser import app
from focal_photos.browser.walkthrough.steps import Walkthrough
from tests.browser.views.conftest import OpenWindow


@pytest.mark.slow
def test_all_steps_run(
    qapp: QApplication, tmp_path: Path, drawn_album: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    for _ in range(2):  # it can be repeated
        capsys.readouterr()
        assert app.main(["--offscreen", str(out), str(drawn_album)]) == 0
    printed = capsys.readouterr().out
    steps = re.findall(r"^ *(\d+)\. (.+)$", printed, re.MULTILINE)
    assert [int(number) for number, _ in steps] == list(range(1, 15))
    assert str(out) in printed
    pictures = sorted(out.glob("*.png"))
    assert len(pictures) == 14
    assert all(QImage(str(picture)).width() > 300 for picture in pictures)


@pytest.mark.slow
def test_a_library_in_use_is_not_touched(
    qapp: QApplication, tmp_path: Path, library_folder: Path, drawn_album: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main(["--offscreen", str(tmp_path), "--library", str(library_folder), str(drawn_album)]) == 1
    assert "the library is not empty" in capsys.readouterr().out


@pytest.mark.slow
def test_a_step_that_failed_is_named(qapp: QApplication, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "one.png").write_text("no picture")
    assert app.main(["--offscreen", str(tmp_path / "out"), str(tmp_path / "empty")]) == 1
    assert "FAILED: no folder has two photos that can be read" in capsys.readouterr().out


@pytest.mark.slow
def test_unreadable_photos_are_not_tagged(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    kinds = sorted(path for path in drawn_album.iterdir() if path.is_dir())[:2]
    photos = tmp_path / "photos"
    for kind in kinds:
        (photos / kind.name).mkdir(parents=True)
        for file in sorted(kind.glob("*.jpg"))[:3]:
            (photos / kind.name / file.name).write_bytes(file.read_bytes())
    (photos / kinds[0].name / "broken.jpg").write_bytes(b"no picture")
    driver = open_window(tmp_path / "library", photos)
    walkthrough = Walkthrough(driver.window, tmp_path, print)
    (photos / kinds[1].name / sorted(path.name for path in (photos / kinds[1].name).iterdir())[0]).unlink()
    driver.session.jobs.indexing.rescan()
    driver.wait_until_idle("the scan", 60)
    assert driver.session.grid.rowCount() == 7
    assert {name: len(ids) for name, ids in walkthrough.folders().items()} == {kinds[0].name: 3, kinds[1].name: 2}
