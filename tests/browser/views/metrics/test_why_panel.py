# SPDX-License-Identifier: MIT
"""The bars beside the focal image, in the real window."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from focal_photos.browser.models.metrics.reasons import Bar
from focal_photos.browser.operations.ranking.why_near import Part, PartKind, WhyNear
from focal_photos.browser.tasks.messages import Localized
from focal_photos.browser.views.base.theme import ThemeChoice
from focal_photos.browser.views.metrics.why_panel import ROW, WhyPanel
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import Key, walk_to

CTRL = Qt.KeyboardModifier.ControlModifier


def select(driver: WindowDriver, *rows: int) -> list[int]:
    driver.grid.clearSelection()
    for row in rows:
        driver.click(row, CTRL)
    driver.wait_until_idle("the reasons")
    return [driver.session.grid.photo_id(row) for row in rows]


def panel(driver: WindowDriver) -> WhyPanel:
    return driver.window.photos.why_panel


def test_without_a_selection_a_hint_is_shown(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    driver.wait_until_idle("the reasons")
    why = panel(driver)
    assert why.isVisible()
    assert "Select one photo" in why.hint.text()
    assert not why.bars.isVisible()


def test_no_hint_is_shown_during_the_computation(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    driver.wait_until_idle("the reasons")
    why, seen = panel(driver), list[str]()
    assert "Select one photo" in why.hint.text()
    driver.session.metrics.reasons.changed.connect(lambda: seen.append(why.hint.text()))
    select(driver, 4)
    assert len(seen) == 2, seen
    assert "Explaining this distance" in seen[0]
    assert why.hint.isHidden()
    assert why.bars.isVisible()
    driver.grid.clearSelection()
    driver.wait_until_idle("the hint")
    assert "Select one photo" in why.hint.text()


def test_the_bars_add_up_to_the_score_of_the_tile(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    (photo_id,) = select(driver, 4)
    why, score = panel(driver), driver.session.grid.score_of(photo_id)
    shown = driver.session.metrics.reasons.shown
    assert score is not None
    assert shown.total == score
    numbers = [f"{Localized(bar.value):.3f}" for bar in why.bars.shown]
    assert f"{sum(map(float, numbers)):.3f}" == f"{score:.3f}", numbers
    assert why.title.full_text().endswith(f"{score:.3f}")
    assert why.hint.isHidden()
    by_title = {bar.title: number for number, bar in enumerate(why.bars.shown)}
    assert "Shared neighbours" in by_title
    number = by_title["Colour"]
    assert "typical value" in why.bars.tip(number)
    assert "Colour layout" in why.bars.tip(number)
    widths = [why.bars.bar_rect(place).width() for place in range(len(why.bars.shown))]
    values = [abs(bar.value) for bar in why.bars.shown]
    assert widths.index(max(widths)) == values.index(max(values))
    assert f"Colour {why.bars.shown[number].value:.3f}" in why.accessibleDescription()


@pytest.mark.slow
def test_two_selected_photos_are_compared(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    near, far = select(driver, 2, 20)
    shown, grid = driver.session.metrics.reasons.shown, driver.session.grid
    one, other = grid.score_of(near), grid.score_of(far)
    assert one is not None
    assert other is not None
    assert shown.total == pytest.approx(round(other, 3) - round(one, 3)), "the total matches the distances on the tiles"
    assert sum(bar.value for bar in shown.bars) == pytest.approx(round(other, 3) - round(one, 3), abs=1e-9)
    assert "is closer than" in panel(driver).title.full_text()
    note = panel(driver).note.full_text()
    assert "would be closer" in note or note == "No single feature decides this."


def test_three_selected_photos_are_not_explained(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    select(driver, 2, 20)
    assert driver.session.metrics.reasons.shown.bars
    driver.click(21, CTRL)
    driver.wait_until_idle("the reasons")
    assert not driver.session.metrics.reasons.shown.bars
    assert "or two" in panel(driver).hint.text()


def test_judgements_have_a_bar_and_are_named(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    for row, key in ((20, Key.Key_S), (21, Key.Key_D)):
        driver.hover(row)
        driver.press(key)
        driver.wait_until_idle("judging")
    (photo_id,) = select(driver, 9)
    shown = driver.session.metrics.reasons.shown
    assert [bar.kind for bar in shown.bars].count(PartKind.JUDGEMENTS) == 1
    assert shown.total == driver.session.grid.score_of(photo_id)
    assert "Moved by your judgements" in shown.note
    assert "(similar)" in shown.note or "(not similar)" in shown.note
    assert not re.search(r"[+-]\d", shown.note), "the bar shows the effect; effects on similarities have another unit"
    driver.grid.clearSelection()
    driver.wait_until_idle("the hint")
    assert panel(driver).hint.isVisible()


def test_a_distance_without_parts_has_no_bars(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    (photo_id,) = select(driver, 9)
    rest = Part(PartKind.JUDGEMENTS, "", "Your judgements", "other", 0.5)
    assert driver.navigator.shown.metric is not None
    why = WhyNear(driver.navigator.shown.metric, driver.navigator.focal_id, photo_id, 0.5, (rest,))
    shown = driver.session.metrics.reasons._one(why, {})
    assert not shown.bars
    assert "nothing was learned" in shown.hint


def test_german_nouns_are_capitalised_in_sentences(driver: WindowDriver, german: None) -> None:
    walk_to(driver, 3)
    notes = set()
    for row in range(6):
        select(driver, row)
        notes.add(driver.session.metrics.reasons.shown.note)
    (photo_id,) = select(driver, 4)
    driver.press(Key.Key_D)
    driver.wait_until_idle("judging")
    driver.grid.clearSelection()
    driver.session.navigator.select([photo_id])
    driver.wait_until_idle("the reasons")
    moved = driver.session.metrics.reasons.shown.note
    told = " ".join(notes)
    assert "Näher als üblich: " in told
    assert "gemeinsame Nachbarn" in told
    assert re.search(r"\b(Farbe|Textur|Form)\b", told)
    assert not re.search(r"\b(farbe|textur|form)\b", told)
    assert "(unähnlich)" in moved
    assert re.search(r"\d,\d{3}", driver.session.metrics.reasons.shown.heading)


def test_file_names_are_shortened_first_in_a_narrow_panel(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path, german: None
) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for number, path in enumerate(sorted(drawn_album.rglob("*.jpg"))[:6]):
        shutil.copy(path, folder / f"airplanes_image_in_the_sky_{number:04}.jpg")
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    driver.window.resize(1024, 700)
    walk_to(driver, 0)
    why = panel(driver)
    select(driver, 1)
    assert re.fullmatch(r"Abstand \d,\d{3}", why.title.text()), why.title.text()
    assert why.title.fontMetrics().horizontalAdvance(why.title.text()) <= why.title.width()
    select(driver, 1, 3)
    lines = why.title.text().split("\n")
    name = r"a\S*\N{HORIZONTAL ELLIPSIS}\S*g"
    assert re.fullmatch(rf"{name} ist um \d,\d{{3}} näher als {name}", " ".join(lines)), "the sentence is complete"
    assert len(lines) == 2
    for line in lines:
        assert why.title.fontMetrics().horizontalAdvance(line) <= why.title.width(), line
    assert why.title.height() >= 2 * why.title.fontMetrics().lineSpacing()
    assert why.bars.height() >= why.bars.minimumSizeHint().height()
    driver.window.resize(2600, 700)
    driver.wait_until(lambda: why.title.text() == why.title.full_text(), "the whole names")


@pytest.mark.slow
def test_lines_of_bars_never_overlap(driver: WindowDriver) -> None:
    bars = panel(driver).bars
    bars.show_bars(tuple(Bar(title, 0.2) for title in ("Colour", "Texture", "Shape", "Shared neighbours")))
    font = bars.font()
    font.setPointSizeF(20)
    bars.setFont(font)
    assert bars.sizeHint().height() > 4 * ROW
    for height in (bars.sizeHint().height(), bars.minimumSizeHint().height(), 36):
        bars.resize(300, height)
        assert QFontMetricsF(bars._font()).ascent() <= bars._height() + 1


@pytest.mark.slow
def test_the_panel_is_painted_in_both_themes(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    select(driver, 4)
    bars = panel(driver).bars
    looks = []
    for choice, name in ((ThemeChoice.DARK, "dark"), (ThemeChoice.LIGHT, "light")):
        driver.window.theme.choose(choice)
        image = bars.grab().toImage()
        rect = bars.bar_rect(max(range(len(bars.shown)), key=lambda number: bars.shown[number].value))
        ratio = image.devicePixelRatio()
        looks.append(image.pixelColor((rect.center() * ratio).toPoint()).name())
        expected = {"dark": ("focal", "accent"), "light": ("focal", "accent")}[name]
        assert looks[-1] in [driver.window.theme.color(color).name() for color in expected]
    assert looks[0] != looks[1]


def test_late_results_of_another_photo_are_not_shown(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    early, late = select(driver, 4), select(driver, 9)
    session, seen = driver.session, []
    scores = {photo_id: session.grid.score_of(photo_id) for photo_id in (*early, *late)}
    session.navigator.select(early)
    session.metrics.reasons.read()
    session.metrics.reasons.changed.connect(lambda: seen.append(session.metrics.reasons.shown.total))
    session.navigator.select(late)  # before the first explanation has arrived
    driver.wait_until_idle("the reasons")
    assert scores[early[0]] != scores[late[0]]
    assert scores[early[0]] not in seen
    assert session.metrics.reasons.shown.total == scores[late[0]]
