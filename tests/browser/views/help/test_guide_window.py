# SPDX-License-Identifier: MIT
"""The guide in the real window: F1 by place, links, and search, all with keys."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import Qt, QTranslator, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QImage, QKeySequence, QPixmap, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

import focal_photos.browser.views
from focal_photos.browser.models.help.guide import Place, make_anchor, read_guide
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.base.theme import ThemeChoice
from focal_photos.browser.views.help.guide_window import GuideWindow
from focal_photos.browser.views.settings.settings_dialog import SettingsDialog
from focal_photos.browser.views.window.actions import ACTIONS
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, WindowDriver, pause
from focal_photos.plugin_registry import Group, State, find
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.test_accessibility import check
from tests.guide_in_german import in_german, keys_in_german
from tests.plugins.conftest import example, path, with_example

__all__ = ["example", "path", "with_example"]  # fixtures

Key = Qt.Key
PICTURE: Final = "\N{OBJECT REPLACEMENT CHARACTER}"


def guide_windows() -> list[GuideWindow]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, GuideWindow) and each.isVisible()]


@pytest.fixture(autouse=True)
def closed(qapp: QApplication) -> Iterator[None]:
    yield
    for window in guide_windows():
        window.close()


def ask(driver: WindowDriver, widget: QWidget | None = None) -> GuideWindow:
    if widget is not None:
        widget.window().activateWindow()
        driver.wait_until(widget.window().isActiveWindow, "the window")
        widget.setFocus()
    QTest.keyClick(widget or driver.focus_widget(), Key.Key_F1)
    pause(20)
    (window,) = guide_windows()
    return window


def heading_in_sight(window: GuideWindow) -> str:
    """Return the heading at the top of the text."""
    return str(window.text.textCursor().block().text())


@pytest.mark.slow
def test_f1_opens_the_section_about_the_focused_widget(driver: WindowDriver) -> None:
    window = ask(driver, driver.grid)
    assert window.place == Place("browsing.md")
    assert window.text.hasFocus()
    for mode, place, heading in (
        (Mode.MAP, Place("browsing.md", "map"), "Map"),
        (Mode.COMPARE, Place("browsing.md", "compare-and-slideshow"), "Compare and slideshow"),
        (Mode.DUPLICATES, Place("browsing.md", "duplicates"), "Duplicates"),
        (Mode.LEARNING, Place("teaching.md", "learning-the-mode"), "Learning, the mode"),
        (Mode.REVIEW, Place("reviewing.md", "review"), "Review"),
    ):
        driver.window.activateWindow()
        driver.window.show_mode(mode)
        driver.wait_until_idle("the mode")
        window = ask(driver)
        assert window.place == place
        assert heading_in_sight(window) == heading
    driver.window.activateWindow()
    driver.window.show_mode(Mode.BROWSE)
    assert ask(driver, driver.window.sidebar.search).place == Place("browsing.md", "filter")
    driver.window.activateWindow()
    driver.click(0)
    driver.wait_until_idle("the selection")
    assert ask(driver, driver.window.right_column.tags.field).place == Place("reviewing.md")


@pytest.mark.slow
def test_a_closed_window_passes_its_keys_to_no_other(
    open_window: OpenWindow, library_folder: Path, tmp_path: Path
) -> None:
    former = open_window(tmp_path / "former")
    former.window.close()
    driver = open_window(library_folder)
    assert ask(driver, driver.grid).place == Place("browsing.md")


def test_f1_works_in_dialogs_too(driver: WindowDriver) -> None:
    driver.window.dialogs.show_settings()
    driver.wait_until_idle("the dialog")
    dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, SettingsDialog))
    dialog.activateWindow()
    for page, place in (
        (dialog.keys, Place("keys.md")),
        (dialog.limits, Place("descriptors.md", "photos-that-are-read")),
        (dialog.learning, Place("descriptors.md", "settings")),
    ):
        dialog.show_page(page)
        pause(20)
        focus = dialog.focusWidget()
        assert focus is not None
        window = ask(driver, focus)
        assert window.place == place
        assert window.parentWidget() is dialog, "a modal dialog blocks all other windows"
        dialog.activateWindow()
    dialog.close()
    pause(20)
    assert ask(driver, driver.grid).parentWidget() is driver.window


def test_links_and_the_way_back(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    window = ask(driver, driver.grid)
    window.follow("learners.md#local-distances")
    assert window.place == Place("learners.md", "local-distances")
    assert heading_in_sight(window) == "Local distances"
    item = window.contents.currentItem()
    assert item is not None
    assert item.text(0) == "Local distances"
    assert window.text.verticalScrollBar().value() > 0
    window.follow("#metrics")
    assert heading_in_sight(window) == "Metrics"
    for _ in range(2):
        QTest.keyClick(window.text, Key.Key_Left, ALT)
    assert window.place == Place("browsing.md")
    assert window.text.verticalScrollBar().value() == 0
    assert not window.back_button.isEnabled()
    QTest.keyClick(window.text, Key.Key_Right, ALT)
    assert window.place == Place("learners.md", "local-distances")
    window.follow("../../tests/benchmarks/results/README.md")
    assert window.note.isVisible()
    assert window.note.text().startswith("tests/benchmarks/results/README.md is part of Focal's source")
    assert window.place == Place("learners.md", "local-distances")
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    window.follow("https://keepachangelog.com/")
    assert opened == ["https://keepachangelog.com/"]
    assert not window.note.isVisible()


def test_the_search_works_by_keys_alone(driver: WindowDriver) -> None:
    window = ask(driver, driver.grid)
    QTest.keyClick(window.text, Key.Key_F, CTRL)
    assert window.field.hasFocus()
    QTest.keyClicks(window.field, "lasso qwerty")
    assert window.contents.topLevelItemCount() == 0
    assert window.nothing.isVisible()
    window.field.clear()
    QTest.keyClicks(window.field, "surrounds")
    assert not window.nothing.isVisible()
    QTest.keyClick(window.field, Key.Key_Return)
    assert window.place == Place("browsing.md", "map")
    assert window.text.extraSelections()
    QTest.keyClick(window.field, Key.Key_Down)
    assert window.contents.hasFocus()
    QTest.keyClick(window.contents, Key.Key_Escape)
    assert not window.isVisible()


@pytest.mark.slow
def test_all_widgets_have_names_contrast_and_a_tab_order(driver: WindowDriver) -> None:
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        driver.window.view_menu.choose_theme(choice)
        window = ask(driver, driver.grid)
        assert check(window) == []
        color: QColor = driver.window.theme.color("text")
        assert window.text.palette().text().color() == color
        window.close()


def test_every_place_is_in_the_guide() -> None:
    guide, found = read_guide(), []
    for source in Path(next(iter(focal_photos.browser.views.__path__))).rglob("*.py"):
        found += [
            str(node.value)
            for node in ast.walk(ast.parse(source.read_text("utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and ".md" in node.value
        ]
    links = [link for link in found if " " not in link]
    assert len(links) > 20
    for link in links:
        file, _, anchor = link.partition("#")
        chapter = guide.chapter(file)
        assert chapter.file == file, link
        assert not anchor or anchor in {section.anchor for section in chapter.sections}, link


def test_every_dialog_names_its_section_of_the_guide(driver: WindowDriver) -> None:
    dialogs = driver.window.dialogs
    for show in (
        dialogs.show_settings,
        dialogs.show_shortcuts,
        dialogs.show_backups,
        dialogs.show_failures,
        dialogs.show_missing,
        dialogs.ask_to_relocate,
        dialogs.ask_to_remove,
        dialogs.exchange_with_sidecars,
    ):
        show()
        driver.wait_until_idle("the dialog")
        (dialog,) = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]
        assert dialog.property("guide"), type(dialog).__name__
        dialog.close()


@pytest.mark.slow
@pytest.mark.parametrize("speaking", ["de"], indirect=True)
def test_the_guide_speaks_german(speaking: str, driver: WindowDriver) -> None:
    driver.window.activateWindow()
    driver.window.show_mode(Mode.MAP)
    driver.wait_until_idle("the mode")
    window = ask(driver)
    assert window.place == Place("browsing.md", "map")
    assert heading_in_sight(window) == "Karte"
    assert "Die Karte zeigt alle Fotos auf einer Fläche" in window.text.toPlainText()
    assert "nicht übersetzt" not in window.text.toPlainText()
    window.follow("reviewing.md#durchsicht")
    assert heading_in_sight(window) == "Durchsicht"
    for chapter in read_guide(speaking).chapters:
        window.follow(chapter.file)
        assert window.text.toPlainText().startswith(chapter.title if chapter.language == speaking else "Dieses Kapitel")
    entries = map(window.contents.topLevelItem, range(window.contents.topLevelItemCount()))
    assert {"Stöbern", "Verschlagworten und Durchsicht"} <= {entry.text(0) for entry in entries if entry is not None}
    window.field.setText("fokusbild")
    driver.wait_until_idle("the search")
    assert window.contents.topLevelItemCount() > 0


@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
def test_the_heading_is_at_the_top_when_the_guide_opens(speaking: str, driver: WindowDriver) -> None:
    """The text must be laid out for the window as shown; before, the heading was in another place."""
    driver.window.activateWindow()
    driver.window.show_mode(Mode.LEARNING)
    driver.wait_until_idle("the mode")
    window = ask(driver)

    def top() -> float:
        block = window.text.textCursor().block()
        return window.text.document().documentLayout().blockBoundingRect(block).top()

    bar = window.text.verticalScrollBar()
    driver.wait_until(lambda: 0 <= top() - bar.value() < 40, "the heading at the top")
    window.resize(window.width() - 200, window.height())
    driver.wait_until(lambda: 0 <= top() - bar.value() < 40, "the heading at the top again")
    bar.setValue(bar.value() + 300)
    kept = bar.value()
    window.resize(window.width(), window.height() - 60)
    pause(20)
    assert bar.value() == kept, "the scroll position of the user stays"


def links_of(window: GuideWindow) -> list[str]:
    """Return the link targets of the current chapter."""
    found, block = [], window.text.document().begin()
    while block.isValid():
        found += [part.format.anchorHref() for part in block.textFormats() if part.format.isAnchor()]
        block = block.next()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
def test_every_link_leads_to_its_heading(speaking: str, driver: WindowDriver) -> None:
    """The links of a translation name its own headings, so that they also work outside the program."""
    window, guide, followed = ask(driver), read_guide(speaking), 0
    for chapter in guide.chapters:
        window.show_place(Place(chapter.file))
        for link in links_of(window):
            window.show_place(Place(chapter.file))
            if link.startswith("http"):
                continue
            window.text.anchorClicked.emit(QUrl(link))
            file, _, anchor = link.partition("#")
            if (file.endswith(".md") and "/" not in file) or not file:
                target = guide.chapter(file or chapter.file)
                titles = {make_anchor(section.title): section.title for section in target.sections}
                assert window.place.file == target.file
                assert not anchor or heading_in_sight(window) == titles[anchor], link
                assert not anchor or window.place.anchor in {each.anchor for each in target.sections}
                followed += bool(anchor)
            else:
                assert window.note.text().startswith(("tests/", "learners/")), link
    assert followed > 20


@pytest.mark.slow
@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
def test_every_chapter_fits_a_small_window(speaking: str, driver: WindowDriver) -> None:
    window = ask(driver, driver.grid)
    window.resize(900, 700)
    for chapter in read_guide(speaking).chapters:
        window.follow(chapter.file)
        pause(20)
        assert "\\|" not in window.text.toPlainText(), "bars in tables are not escaped"
        assert broken_words(window) == [], chapter.file
        examples = chapter.file == "python.md"  # whose lines are not wrapped
        assert window.text.horizontalScrollBar().isVisible() == examples, chapter.file


def broken_words(window: GuideWindow) -> list[str]:
    """Return the words that are broken across lines."""
    found, block = [], window.text.document().begin()
    while block.isValid():
        text, layout = block.text(), block.layout()
        for number in range(layout.lineCount() - 1):
            end = layout.lineAt(number).textStart() + layout.lineAt(number).textLength()
            if text[end - 1].isalnum() and (text[end].isalnum() or text[end] in ",;:"):
                found.append(text[max(0, end - 20) : end] + "/" + text[end : end + 10])
        block = block.next()
    return found


class Frisian(QTranslator):
    """A language without a translated chapter, for which the window shows a note."""

    TEXTS: Final = {"en": "fy", "This chapter is not translated yet: it is shown in English.": "Yn it Ingelsk."}

    def translate(self, _context: str, text: str, _disambiguation: str | None = None, _n: int = -1) -> str | None:
        """Return the translation of a text; None is Qt's null text: not translated."""
        return self.TEXTS.get(text)


def test_untranslated_chapters_are_in_english_with_a_notice(qapp: QApplication, driver: WindowDriver) -> None:
    frisian = Frisian()
    qapp.installTranslator(frisian)
    try:
        window = ask(driver, driver.grid)
        window.follow("learners.md#metrics")
        assert window.text.toPlainText().startswith("Yn it Ingelsk.\nLearners")
        assert heading_in_sight(window) == "Metrics"
    finally:
        qapp.removeTranslator(frisian)


@pytest.mark.parametrize("speaking", ["de"], indirect=True)
def test_the_german_guide_names_keys_as_the_window_does(speaking: str, qapp: QApplication) -> None:
    native = QKeySequence.SequenceFormat.NativeText
    keys = {key for action in ACTIONS for key in action.keys}
    assert len(keys) > 50
    for key in keys - {"Return", "Shift+Return"}:  # Enter in the guide
        assert keys_in_german(key.replace("Del", "Delete")) == QKeySequence(key).toString(native)


def test_the_guide_has_only_one_window(driver: WindowDriver) -> None:
    first = ask(driver, driver.grid)
    assert ask(driver, driver.grid) is first
    assert ask(driver, first.text) is first
    driver.window.dialogs.show_data_sets()
    driver.wait_until(lambda: isinstance(QApplication.activeModalWidget(), QDialog), "the dialog")
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    second = ask(driver, dialog)  # `ask` checks that there is only one
    assert second.parentWidget() is dialog
    assert ask(driver, second.text) is second
    dialog.close()


@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
def test_a_tutorial_shows_its_pictures_no_wider_than_its_text(speaking: str, driver: WindowDriver) -> None:
    guide = ask(driver)
    guide.resize(700, 500)
    guide.show_place(Place("holiday.md"))
    pause(20)
    document, found = guide.text.document(), 0
    at = document.find(PICTURE)
    while not at.isNull():
        name = at.charFormat().toImageFormat().name()
        picture = document.resource(QTextDocument.ResourceType.ImageResource.value, QUrl(name))
        assert isinstance(picture, (QImage, QPixmap)), name
        assert picture.width() > guide.text.viewport().width()
        found += 1
        at = document.find(PICTURE, at)
    assert found == 2
    assert guide.text.horizontalScrollBar().maximum() <= 1


@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
def test_plug_ins_are_in_the_tables(with_example: None, speaking: str, driver: WindowDriver) -> None:
    window = ask(driver, driver.grid)
    driver.wait_until_idle("the guide")
    assert find(Group.DESCRIPTORS, "row_colors").state is State.WAITING, "nothing has needed it"  # type: ignore[union-attr]
    window.show_place(Place("descriptors.md"))
    driver.wait_until(lambda: "Mean colours of horizontal bands" in window.text.toPlainText(), "the descriptor")
    row = cells_beside(window, "row_colors")
    assert row == ["row_colors", "global", "24", "Mean colours of horizontal bands", ""]
    window.show_place(Place("learners.md", "local-distances"))
    needs = "judged pairs, or tags that several photos share"
    row = cells_beside(window, "axis-ratio")
    say = in_german if speaking == "de" else str
    assert row[:4] == [say("Plug-ins"), "axis-ratio", "A weight for each principal component", say(needs)]
    assert heading_in_sight(window) == {"en": "Local distances", "de": "Lokale Abstände"}[speaking]
    window.field.setText("row_colors")
    driver.wait_until_idle("the search")
    assert window.contents.topLevelItemCount() == 2, "the table and the example in the chapter on plug-ins"


def cells_beside(window: GuideWindow, text: str) -> list[str]:
    """Return the cells of the table row with this text."""
    cursor = window.text.document().find(text)
    table = cursor.currentTable()
    row = table.cellAt(cursor).row()
    return [table.cellAt(row, column).firstCursorPosition().block().text() for column in range(table.columns())]
