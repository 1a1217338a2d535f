"""The settings in the real window: descriptors, networks and limits, by keys and by mouse."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QFileDialog, QLineEdit, QWidget
from shiboken6 import isValid

from browser.catalog.library import Library
from browser.models.descriptor_model import Column, DescriptorRole
from browser.operations.settings import MEGAPIXELS, NETWORKS, SECONDS
from browser.operations.switches import choose, chosen
from browser.views.hands import CTRL, SHIFT, Hands, pause
from browser.views.look import ThemeChoice
from browser.views.network_dialog import NetworkDialog
from browser.views.settings_dialog import SettingsDialog
from tests.browser.operations.own_descriptors import write_network
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key
D = TypeVar("D", bound=QDialog)
LEFT = Qt.MouseButton.LeftButton


class Settings:
    """The dialog and a person in front of it."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        hands.window.activateWindow()  # as a window manager does when another dialog was closed
        hands.until(hands.window.isActiveWindow, "the window")
        hands.key(Key.Key_Comma, CTRL)
        self.dialog = shown(hands, SettingsDialog)
        self.tree = self.dialog.descriptors.tree
        self.model = hands.session.preferences.descriptors
        hands.settle("the settings")
        hands.until(self.tree.hasFocus, "the keyboard")

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key where the keyboard is."""
        QTest.keyClick(focused(self.dialog), key, modifiers)
        pause(5)

    def row(self, name: str) -> QModelIndex:
        return self.model.find(name)

    def go_to(self, name: str) -> None:
        """Walk to a descriptor with the arrow keys, opening its group if it is closed."""
        self.press(Key.Key_Home)
        while self.tree.currentIndex().data(DescriptorRole.NAME) != name:
            before = self.tree.currentIndex()
            if before == self.row(name).parent() and not self.tree.isExpanded(before):
                self.press(Key.Key_Right)
            self.press(Key.Key_Down)
            assert self.tree.currentIndex() != before, f"{name} was not reached"

    def click(self, index: QModelIndex) -> None:
        self.tree.scrollTo(index)
        QTest.mouseClick(self.tree.viewport(), LEFT, pos=self.tree.visualRect(index).center())

    def checked(self, name: str) -> bool:
        return bool(self.row(name).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked)

    def text(self, name: str, column: Column) -> str:
        return str(self.row(name).siblingAtColumn(column).data())


def focused(dialog: QDialog) -> QWidget:
    widget: QWidget | None = dialog.focusWidget()
    return dialog if widget is None else widget


def visible(hands: Hands, kind: type[D]) -> list[D]:
    return [each for each in hands.window.findChildren(kind) if each.isVisible()]


def shown(hands: Hands, kind: type[D]) -> D:
    hands.until(lambda: bool(visible(hands, kind)), "the dialog")
    return visible(hands, kind)[0]


def closed(hands: Hands, kind: type[QDialog]) -> bool:
    hands.until(lambda: not visible(hands, kind), "the end of the dialog")
    return True


@pytest.fixture
def opened(hands: Hands) -> Settings:
    return Settings(hands)


# ---------------------------------------------------------------------- descriptors
def test_it_opens_at_once_and_lists_everything_in_groups(opened: Settings) -> None:
    tree, model = opened.tree, opened.model
    titles = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert titles == [
        "Colour",
        "Texture",
        "Shape and edges",
        "Visual words",
        "Networks of your own",
        "At points of the photo",
        "Principal components of the others",
    ]
    assert [tree.isExpanded(model.index(row, 0)) for row in (0, 3, 6)] == [True, True, False]
    assert opened.checked("gabor")
    assert opened.text("gabor", Column.TITLE) == "Texture"
    assert opened.text("gabor", Column.DIMENSION) == "2\N{NARROW NO-BREAK SPACE}560"
    assert opened.text("gabor", Column.PHOTOS) == "32"
    assert opened.text("gabor", Column.BYTES).endswith("KB")
    assert not opened.checked("gabor_200")
    assert opened.text("gabor_200", Column.PHOTOS) == "\N{EN DASH}"
    assert not opened.dialog.apply_button.isEnabled(), "nothing waits"
    opened.press(Key.Key_Escape)
    assert closed(opened.hands, SettingsDialog)


def test_switching_by_keys_changes_nothing_before_enter_and_indexes_then(opened: Settings) -> None:
    session = opened.hands.session
    library = session.library
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    assert not opened.checked("gist")
    opened.go_to("color_histogram_50")
    opened.press(Key.Key_Space)
    assert opened.checked("color_histogram_50")
    assert opened.text("color_histogram_50", Column.PHOTOS) == "next indexing"
    assert opened.row("gist").parent().siblingAtColumn(Column.BYTES).data() == "1 of 2 on"
    assert "gist" in chosen(library)
    assert opened.dialog.apply_button.isDefault()
    seen: list[str] = []
    session.tasks.dataChanged.connect(lambda: seen.append(opened.dialog.strip.text.toolTip()))
    opened.press(Key.Key_Return)
    opened.hands.until(opened.dialog.strip.isVisible, "the progress")
    opened.hands.settle("indexing", 120)
    assert "gist" not in chosen(library)
    assert "color_histogram_50" in chosen(library)
    assert opened.text("color_histogram_50", Column.PHOTOS) == "32"
    assert opened.text("gist", Column.PHOTOS) == "32", "its vectors are kept until the library is checked"
    assert any(text.startswith("Looking for what photos have in common") for text in seen)
    assert any(text.startswith("Reading photos") for text in seen)
    assert opened.dialog.isVisible()
    assert not opened.dialog.strip.isVisible()
    assert not opened.dialog.apply_button.isEnabled()
    notice = opened.hands.window.message_bar.notice
    assert notice is not None
    assert "32 photos were described" in notice.text


def test_the_ranking_follows_what_is_switched_on(opened: Settings) -> None:
    hands = opened.hands
    opened.press(Key.Key_Escape)
    assert closed(hands, SettingsDialog)
    hands.click(0)
    hands.settle("the ranking")
    before = hands.session.grid.ids.tolist()
    again = Settings(hands)
    for name in hands.session.library.settings.get("descriptors") or chosen(hands.session.library):
        if name != "color_moments":
            hands.session.preferences.descriptors.toggle(again.row(name))
    again.press(Key.Key_Return)
    hands.settle("indexing", 120)
    assert chosen(hands.session.library) == ("color_moments",)
    after = hands.session.grid.ids.tolist()
    assert sorted(after) == sorted(before)
    assert after != before


def test_by_mouse_a_row_is_checked_and_a_group_closed(opened: Settings) -> None:
    opened.click(opened.row("lbp"))
    assert not opened.checked("lbp")
    opened.click(opened.row("lbp").siblingAtColumn(Column.BYTES))
    assert opened.checked("lbp")
    assert opened.model.pending == {}
    group = opened.row("lbp").parent()
    opened.click(group)
    assert not opened.tree.isExpanded(group)
    opened.hands.session.preferences.read()
    opened.hands.settle("the settings")
    assert not opened.tree.isExpanded(opened.row("lbp").parent()), "it stays closed"
    QTest.mouseClick(opened.dialog.close_button, LEFT)
    assert closed(opened.hands, SettingsDialog)


def test_the_last_one_for_whole_photos_stays_on_and_says_why(open_window: OpenWindow, library_folder: Path) -> None:
    with Library.open(library_folder) as library:
        choose(library, ["gist", "sift"])
    opened = Settings(open_window(library_folder))
    assert not opened.dialog.notice.isVisible()
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    assert opened.checked("gist")
    assert opened.dialog.notice.isVisible()
    assert "Scene layout stays on" in opened.dialog.notice.text()
    assert "last one" in opened.dialog.notice.text()
    opened.go_to("lbp")
    opened.press(Key.Key_Space)
    assert not opened.dialog.notice.isVisible()
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    assert not opened.checked("gist"), "there is another one now"


def test_what_was_not_applied_is_forgotten(opened: Settings) -> None:
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    opened.press(Key.Key_Escape)
    assert closed(opened.hands, SettingsDialog)
    again = Settings(opened.hands)
    assert again.checked("gist")
    assert not again.dialog.apply_button.isEnabled()


def test_indexing_is_stopped_in_the_dialog_and_goes_on(opened: Settings) -> None:
    session = opened.hands.session
    opened.go_to("geometric_blur_large")
    opened.press(Key.Key_Space)
    opened.press(Key.Key_Return)
    opened.hands.until(lambda: bool(session.tasks.states()), "the task")
    opened.dialog.strip.cancel_button.click()
    opened.hands.settle("the end", 60)
    assert "geometric_blur_large" in chosen(session.library)
    if opened.text("geometric_blur_large", Column.PHOTOS) != "32":
        assert opened.dialog.apply_button.isEnabled(), "it can be gone on with"
        QTest.mouseClick(opened.dialog.apply_button, LEFT)
        opened.hands.settle("indexing", 120)
    assert opened.text("geometric_blur_large", Column.PHOTOS) == "32"


# ---------------------------------------------------------------------- limits
def test_limits_are_checked_as_they_are_typed(opened: Settings) -> None:
    library = opened.hands.session.library
    dialog = opened.dialog
    opened.press(Key.Key_Tab, CTRL)
    row = dialog.limits.rows["decode.megapixels"]
    opened.hands.until(row.field.hasFocus, "the keyboard")
    assert row.field.text() == "300"
    row.field.selectAll()
    QTest.keyClicks(row.field, "0")
    assert row.error.isVisible()
    assert row.error.text() == "Expected a whole number from 1 to 4000."
    assert not dialog.apply_button.isEnabled()
    opened.press(Key.Key_Return)
    assert dialog.isVisible()
    row.field.selectAll()
    QTest.keyClicks(row.field, "120")
    assert not row.error.isVisible()
    seconds = dialog.limits.rows["decode.seconds"]
    seconds.field.setFocus()
    seconds.field.selectAll()
    QTest.keyClicks(seconds.field, "2.5")
    opened.press(Key.Key_Return)
    opened.hands.settle("indexing", 60)
    assert (MEGAPIXELS.get(library), SECONDS.get(library)) == (120, 2.5)
    assert row.field.text() == "120"
    assert not dialog.apply_button.isEnabled()
    opened.hands.until(row.reset_button.isEnabled, "the way back")
    row.reset_button.click()
    assert row.field.text() == "300"
    QTest.mouseClick(dialog.apply_button, LEFT)
    opened.hands.settle("indexing", 60)
    assert library.settings.get("decode.megapixels") is None, "the default is not written down"
    assert not row.reset_button.isEnabled()


# ---------------------------------------------------------------------- networks
class Adding:
    """The form of a network."""

    def __init__(self, opened: Settings) -> None:
        self.opened = opened
        opened.dialog.descriptors.add_button.setFocus()
        opened.press(Key.Key_Space)
        self.form = shown(opened.hands, NetworkDialog)
        opened.hands.until(self.form.file_field.hasFocus, "the keyboard")

    def put(self, field: QLineEdit, text: str) -> None:
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)

    def enter(self) -> None:
        QTest.keyClick(focused(self.form), Key.Key_Return)


def test_a_network_is_added_described_and_removed(opened: Settings, tmp_path: Path) -> None:
    library = opened.hands.session.library
    file = write_network(tmp_path / "Tiny-Net 8.onnx")
    adding = Adding(opened)
    form = adding.form
    assert not form.add_button.isEnabled()
    adding.put(form.file_field, str(file))
    assert form.name_field.text() == "tiny_net_8"
    adding.put(form.name_field, "tiny")
    adding.enter()
    assert not form.add_button.isEnabled(), "it is being looked into"
    opened.hands.until(form.error.isVisible, "the reason")
    assert form.error.text() == "The network takes images of 8x8 pixels, not 224x224."
    assert NETWORKS.get(library) == ()
    adding.put(form.width_field, "8")
    adding.put(form.height_field, "8")
    assert not form.error.isVisible()
    form.preset_box.setFocus()
    QTest.keyClick(form.preset_box, Key.Key_Down)
    form.preset_box.activated.emit(form.preset_box.currentIndex())
    assert form.mean_field.text() == "0, 0, 0"
    form.mean_field.setFocus()
    adding.enter()
    assert closed(opened.hands, NetworkDialog)
    opened.hands.settle("the settings")
    (network,) = NETWORKS.get(library)
    assert (network.name, network.width, network.height, network.values) == ("tiny", 8, 8, 5)
    assert network.scale == pytest.approx((1 / 255,) * 3, rel=1e-5)
    assert opened.checked("tiny")
    assert opened.text("tiny", Column.PHOTOS) == "next indexing"
    assert opened.dialog.apply_button.isEnabled()
    QTest.mouseClick(opened.dialog.apply_button, LEFT)
    opened.hands.settle("indexing", 120)
    assert opened.text("tiny", Column.PHOTOS) == "32"
    assert not opened.dialog.descriptors.remove_button.isEnabled()
    opened.tree.setFocus()
    opened.go_to("tiny")
    assert opened.dialog.descriptors.remove_button.isEnabled()
    QTest.mouseClick(opened.dialog.descriptors.remove_button, LEFT)
    opened.hands.settle("the removal", 60)
    assert NETWORKS.get(library) == ()
    assert not opened.row("tiny").isValid()
    assert file.is_file()


def test_what_is_wrong_with_a_network_is_said(opened: Settings, tmp_path: Path) -> None:
    adding = Adding(opened)
    form = adding.form
    for side in (form.width_field, form.height_field):
        adding.put(side, "8")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(write_network(tmp_path / "whole.onnx").read_bytes()[:200])
    for field, text, word in (
        (form.file_field, str(tmp_path / "none.onnx"), "no file none.onnx"),
        (form.file_field, str(broken), "broken.onnx"),
        (form.name_field, "gist", "another name"),
        (form.name_field, "Big Name", "cannot be a network's name"),
    ):
        adding.put(field, text)
        adding.enter()
        opened.hands.until(form.error.isVisible, "the reason")
        assert word in form.error.text()
        assert "\n" not in form.error.text()
        adding.put(form.file_field, str(tmp_path / "whole.onnx"))
    adding.put(form.mean_field, "1, 2")
    assert not form.add_button.isEnabled()
    assert "three" in form.mean_field.toolTip()
    assert form.preset_box.currentText() == "Other numbers"
    QTest.keyClick(form, Key.Key_Escape)
    opened.hands.settle("nothing")
    assert NETWORKS.get(opened.hands.session.library) == ()
    assert opened.dialog.isVisible()


def test_leaving_the_form_stops_looking_into_the_network(opened: Settings, tmp_path: Path) -> None:
    adding = Adding(opened)
    adding.put(adding.form.file_field, str(write_network(tmp_path / "tiny.onnx")))
    for side in (adding.form.width_field, adding.form.height_field):
        adding.put(side, "8")
    adding.enter()
    QTest.keyClick(adding.form, Key.Key_Escape)
    opened.hands.settle("nothing")
    assert NETWORKS.get(opened.hands.session.library) == ()
    assert not opened.dialog.notice.isVisible()


def test_the_file_of_a_network_is_chosen(opened: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("/nets/50 Layers.onnx", ""))
    form = Adding(opened).form
    QTest.mouseClick(form.choose_button, LEFT)
    assert form.file_field.text() == "/nets/50 Layers.onnx"
    assert form.name_field.text() == "net_50_layers"
    form.close()


# ---------------------------------------------------------------------- read-only, keys, looks
def test_a_read_only_library_is_shown_with_the_reason(open_window: OpenWindow, library_folder: Path) -> None:
    hands = open_window(library_folder, read_only=True)
    opened = Settings(hands)
    assert opened.text("gabor", Column.PHOTOS) == "32"
    assert "read-only" in opened.dialog.notice.text()
    assert opened.dialog.notice.isVisible()
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    assert opened.checked("gist")
    opened.click(opened.row("lbp"))
    assert opened.checked("lbp")
    page = opened.dialog.descriptors
    for widget in (opened.dialog.apply_button, page.add_button, page.remove_button):
        assert not widget.isEnabled()
    for row in opened.dialog.limits.rows.values():
        assert not row.field.isEnabled()
        assert not row.reset_button.isEnabled()
    opened.dialog.next_page()
    assert opened.dialog.notice.isVisible()
    opened.press(Key.Key_Escape)
    assert closed(opened.hands, SettingsDialog)


def test_tab_reaches_everything_and_everything_has_a_name(opened: Settings) -> None:
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    dialog = opened.dialog
    pages: list[set[QWidget]] = []
    for _ in range(2):
        seen: list[QWidget] = []
        while (widget := QApplication.focusWidget()) is not None and widget not in seen:
            seen.append(widget)
            opened.press(Key.Key_Tab)
        assert all(name(widget) for widget in seen), [type(widget).__name__ for widget in seen if not name(widget)]
        pages.append(set(seen))
        opened.press(Key.Key_PageDown, CTRL)
    everywhere = {dialog.apply_button, dialog.close_button}
    assert {*everywhere, opened.tree, dialog.descriptors.add_button} <= pages[0]
    assert {*everywhere, *(row.field for row in dialog.limits.rows.values())} <= pages[1]
    assert pages[0] & set(dialog.page_buttons)
    opened.press(Key.Key_Backtab, SHIFT)
    form = Adding(opened).form
    seen = []
    while (widget := QApplication.focusWidget()) is not None and widget not in seen:
        seen.append(widget)
        QTest.keyClick(widget, Key.Key_Tab)
        pause(5)
    assert len(seen) >= 11
    assert all(name(widget) for widget in seen)
    form.close()


def name(widget: QWidget) -> str:
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


def test_the_theme_changes_after_it_was_closed(opened: Settings) -> None:
    held = [opened.dialog.strip.pause_button, *(row.reset_button for row in opened.dialog.limits.rows.values())]
    opened.press(Key.Key_Escape)
    assert closed(opened.hands, SettingsDialog)
    opened.hands.window.choose_theme(ThemeChoice.LIGHT)
    opened.hands.window.choose_theme(ThemeChoice.DARK)
    assert not any(isValid(button) for button in held)


@pytest.mark.parametrize("theme", [ThemeChoice.DARK, ThemeChoice.LIGHT])
def test_nothing_is_cut_off(opened: Settings, theme: ThemeChoice) -> None:
    opened.hands.window.choose_theme(theme)
    dialog = opened.dialog
    form = Adding(opened).form
    pause(50)
    assert dialog.width() <= 1280
    assert dialog.height() <= 680
    assert form.height() <= 680
    for page in (dialog, form):
        assert not page.grab().isNull()
        for widget in page.findChildren(QAbstractButton):
            if widget.isVisible():
                assert widget.width() >= widget.minimumSizeHint().width(), name(widget)
                assert page.rect().contains(QPoint(*widget.mapTo(page, QPoint(0, 0)).toTuple()))
    form.close()
    dialog.resize(dialog.minimumSize())
    pause(20)
    assert dialog.width() <= 640
    widths = [opened.tree.columnWidth(column) for column in Column]
    assert sum(widths) <= opened.tree.viewport().width()
    assert widths[0] >= 150


def test_the_window_is_not_held_up(hands: Hands, record_property: object) -> None:
    hands.settle("the library")
    start = time.thread_time()
    hands.window.show_settings()
    milliseconds = 1000 * (time.thread_time() - start)
    print(f"opening the settings: {milliseconds:.1f} ms on the main thread")
    record_property("milliseconds", round(milliseconds, 1))  # type: ignore[operator]
    assert shown(hands, SettingsDialog).isVisible()
