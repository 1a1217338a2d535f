# SPDX-License-Identifier: MIT
"""Translations: all texts are translated, compiled files match their sources, and counts have a singular."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QObject, QPoint, QRect, QSettings, QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos import formatting
from focal_photos.browser.models.photos.formatting import (
    file_size,
    grouped,
    photos_in_words,
    training_data_in_words,
)
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.work.task_model import TaskModel
from focal_photos.browser.operations.jobs.progress import Progress
from focal_photos.browser.tasks.messages import Localized
from focal_photos.browser.tasks.runner import Runner, TaskState, TaskStatus
from focal_photos.browser.views.base import translation
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.translations import FOLDER, compile_to, expected, translations

_FIELD = re.compile(r"\{(\d*)[^}]*\}")


@pytest.mark.slow
@pytest.mark.parametrize("language", translation.LANGUAGES)
def test_each_text_of_the_window_is_translated(language: str) -> None:
    known, wanted = translations(language), expected(language)
    assert {text for text in wanted if text not in known} == set(), "python -m tests.translations lists missing texts"
    assert set(known) <= set(wanted), "python -m tests.translations removes unused texts"
    for text, forms in known.items():
        for form in forms:
            assert sorted(_FIELD.findall(form)) == sorted(_FIELD.findall(text)), text
            assert ("&" in form) == ("&" in text), text
            assert form.endswith("…") == text.endswith("…"), text
            assert (form[:1].isspace(), form[-1:].isspace()) == (text[:1].isspace(), text[-1:].isspace()), text


@pytest.mark.parametrize("language", translation.LANGUAGES)
def test_loaded_translations_equal_the_written_ones(language: str, tmp_path: Path) -> None:
    compile_to(language, tmp_path / "new.qm")
    assert (tmp_path / "new.qm").read_bytes() == (FOLDER / f"focal_{language}.qm").read_bytes()


def test_plural_forms_follow_the_count(qapp: QApplication) -> None:
    for language, one, many in (("en", "1 photo", "1,234 photos"), ("de", "1 Foto", "1,234 Fotos")):
        kept = translation.install(qapp, language)
        assert photos_in_words(1) == one
        assert photos_in_words(1234) == many.replace(",", "\N{NARROW NO-BREAK SPACE}")
        translation.remove(qapp, kept)


def test_numbers_have_the_decimal_sign_of_the_language(qapp: QApplication) -> None:
    for language, size, distance, rate in (("en", "3.2 MB", "0.125", "3.1/s"), ("de", "3,2 MB", "0,125", "3,1/s")):
        kept = translation.install(qapp, language)
        assert file_size(3_200_000) == size
        assert file_size(840_000) == "840 kB"
        assert f"{Localized(0.125):.3f}" == distance
        runner = Runner()
        state = TaskState(1, "", TaskStatus.RUNNING, Progress("Reading", 1, 2, 3.14))
        assert rate in TaskModel(runner).text(state)
        runner.close()
        translation.remove(qapp, kept)


def test_no_number_is_shown_with_a_fixed_decimal_sign() -> None:
    """Decimal numbers that the user sees must use `Localized`; `{0:.3f}` in a text receives one."""
    fixed = re.compile(r"\{(?!Localized|\d)[^{}]*:\.[1-9]f\}")
    browser = Path(formatting.__file__).parents[2]
    found = {
        f"{path.name}: {line.strip()}"
        for room in ("models", "views")
        for path in sorted((browser / room).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if fixed.search(line)
    }
    place = 'info_panel.py: return [(self.tr("Place"), f"{information.latitude:.5f}, {information.longitude:.5f}")]'
    assert found == {place}, "a place is two numbers and a comma"


def test_a_text_has_its_translation_in_any_class(german: None) -> None:
    class Any(QWidget):
        pass

    class Other(QObject):
        pass

    assert Any().tr("Similar") == Other().tr("Similar") == "Ähnlich"
    assert Any().tr("nobody translated this") == "nobody translated this"


@pytest.mark.parametrize(("language", "shift"), [("en", "Shift"), ("de", "Umschalt")])
def test_the_enter_key_has_the_same_name_as_in_the_guide(qapp: QApplication, language: str, shift: str) -> None:
    kept = translation.install(qapp, language)
    native = QKeySequence.SequenceFormat.NativeText
    shown = [QKeySequence(key).toString(native) for key in ("Return", "Shift+Return")]
    translation.remove(qapp, kept)
    assert shown == ["Enter", f"{shift}+Enter"]


def test_the_language_is_the_chosen_one_or_that_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert translation.language_of("de") == "de"
    for locale, language in (("de_AT", "de"), ("en_GB", "en"), ("fr_FR", "en")):
        monkeypatch.setattr(QLocale, "system", lambda locale=locale: QLocale(locale))
        assert translation.language_of("system") == language


def test_the_window_speaks_german(german: None, theme: Theme, settings: QSettings, tmp_path: Path) -> None:
    window = MainWindow(Session(Library.open(tmp_path / "library")), theme, settings)
    window.show()
    window.session.start()
    WindowDriver(window).wait_until_idle("the library")
    titles = [action.text() for action in window.menuBar().actions()]
    assert titles[:2] == ["&Datei", "&Bearbeiten"]
    assert window.sidebar.search.accessibleName() == "Filter"
    window.close()


def every(window: QWidget) -> Iterator[tuple[QWidget, QRect]]:
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and widget.width() > 1:
            yield widget, QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


@pytest.mark.slow
@pytest.mark.parametrize("size", [QSize(1024, 700), QSize(1440, 900)])
def test_right_to_left_mirrors_the_window(qapp: QApplication, german: None, driver: WindowDriver, size: QSize) -> None:
    window = driver.window
    window.resize(size)
    driver.wait_until_idle("the window")
    plain = {id(widget): rect for widget, rect in every(window)}
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        driver.wait_until_idle("the window")
        for _ in range(5):
            qapp.processEvents()
        mirrored = dict(every(window))
        for widget, rect in mirrored.items():
            if widget.parentWidget() in (window, window.centralWidget()):
                assert window.rect().adjusted(-1, -1, 1, 1).contains(rect), widget
        sidebar, right = mirrored[window.sidebar], mirrored[window.right_column]
        assert sidebar.left() > window.width() / 2 > right.right()
        assert sidebar.size() == plain[id(window.sidebar)].size()
        for row in range(driver.session.grid.rowCount()):
            rect = driver.grid.visualRect(driver.grid.model().index(row, 0))
            assert rect.left() >= 0
            assert rect.right() <= driver.grid.viewport().width()
        driver.walk(3)
        driver.wait_until_idle("the ranking")
        assert driver.navigator.focal_id is not None
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_the_training_data_of_a_metric_has_the_right_plural(qapp: QApplication) -> None:
    kept = translation.install(qapp, "en")
    try:
        assert training_data_in_words(1, 1) == "1 judgement, 1 tagged photo"
        assert training_data_in_words(2, 1200) == f"2 judgements, {grouped(1200)} tagged photos"
        assert training_data_in_words(0, 3) == "3 tagged photos"
        assert training_data_in_words(0, 0) == "0 judgements"
    finally:
        translation.remove(qapp, kept)
