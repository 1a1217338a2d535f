# SPDX-License-Identifier: MIT
"""Themes and icons: complete, readable, and following the user's choice."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QRect
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

import focal_photos.browser.views
from focal_photos.browser.models.settings.descriptor_model import DescriptorRole
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel, Node
from focal_photos.browser.views.base.theme import Theme, ThemeChoice, app_icon, icon_ratios
from focal_photos.browser.views.settings.descriptor_tree import DescriptorDelegate
from focal_photos.browser.views.sidebar.count_tree import CountTree
from focal_photos.browser.views.window.actions import ACTIONS

THEMES = files("focal_photos.resources") / "themes"
ICONS = files("focal_photos.resources") / "icons"


def table(name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((THEMES / f"{name}.json").read_text("utf-8"))
    return found


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2.2 defines it, 1..21."""

    def luminance(name: str) -> float:
        color = QColor(name)
        parts = (color.redF(), color.greenF(), color.blueF())
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_both_themes_name_all_colours_of_the_sheet() -> None:
    names = set(re.findall(r"@([a-z-]+)", (THEMES / "base.qss").read_text("utf-8")))
    assert names
    assert table("dark").keys() == table("light").keys()
    assert names <= table("dark").keys()


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [
        ("text", "window", 7.0),
        ("text", "selected", 7.0),
        ("text-soft", "panel", 4.5),
        ("text-soft", "tile", 4.5),
        ("text-soft", "selected", 4.5),
        ("text-faint", "panel", 4.5),
        ("text-faint", "tile", 4.5),
        ("text-faint", "window", 4.5),
        ("text-faint", "field", 4.5),
        ("accent-text", "accent", 4.5),
        ("accent", "tile", 3.0),
        ("text", "notice", 7.0),
        ("text", "notice-warning", 7.0),
        ("text", "notice-error", 7.0),
        ("similar", "window", 3.0),
        ("dissimilar", "window", 3.0),
        ("mark-text", "similar", 4.0),
        ("mark-text", "dissimilar", 4.0),
        ("focal", "canvas", 2.2),
    ],
)
def test_text_has_enough_contrast(theme: str, front: str, back: str, least: float) -> None:
    colors = table(theme)
    assert contrast(colors[front], colors[back]) >= least


@pytest.mark.slow
@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
@pytest.mark.parametrize("enabled", [True, False])
def test_texts_in_fields_have_enough_contrast(
    qapp: QApplication, qtbot: QtBot, choice: ThemeChoice, enabled: bool
) -> None:
    theme = Theme(qapp, choice)
    field = QLineEdit()
    qtbot.addWidget(field)
    field.setEnabled(enabled)
    field.ensurePolished()
    ground = theme.color("field")
    for role in (QPalette.ColorRole.PlaceholderText, QPalette.ColorRole.Text):
        color = field.palette().color(role)
        parts = (
            round(a * color.alphaF() + b * (1 - color.alphaF())) for a, b in zip(_rgb(color), _rgb(ground), strict=True)
        )
        assert contrast(QColor(*parts).name(), ground.name()) >= 4.5, role


def _rgb(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


@pytest.mark.slow
@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
@pytest.mark.parametrize(
    ("state", "ground"), [(QStyle.StateFlag.State_Selected, "selected"), (QStyle.StateFlag.State_MouseOver, "hover")]
)
def test_faint_texts_on_highlighted_rows_have_enough_contrast(
    qapp: QApplication, qtbot: QtBot, choice: ThemeChoice, state: QStyle.StateFlag, ground: str
) -> None:
    theme = Theme(qapp, choice)
    model = CountTreeModel()
    model.update_tree([Node("sea", "", 88888)])
    tree = CountTree(model, theme, "Tags")
    qtbot.addWidget(tree)
    descriptor = QStandardItemModel()
    group, leaf = QStandardItem("Colour"), QStandardItem("")
    leaf.setData("WWWW_WWWW", DescriptorRole.NAME)
    group.appendRow(leaf)
    descriptor.appendRow(group)
    for index, delegate, widget in (
        (model.index(0, 0), tree.itemDelegate(), tree),
        (leaf.index(), DescriptorDelegate(theme, tree), tree),
    ):
        option = QStyleOptionViewItem()
        option.initFrom(widget)
        option.rect, option.font, option.state = (
            QRect(0, 0, 300, 27),
            tree.font(),
            state | QStyle.StateFlag.State_Enabled,
        )
        image = QImage(300, 27, QImage.Format.Format_RGB32)
        image.fill(theme.color(ground))
        painter = QPainter(image)
        delegate.paint(painter, option, index)
        painter.end()
        seen = {image.pixelColor(x, y).name() for x in range(40, 300) for y in range(3, 24)}
        assert max(contrast(name, theme.color(ground).name()) for name in seen) >= 4.5, delegate


@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
def test_counts_on_selected_rows_have_enough_contrast(qapp: QApplication, qtbot: QtBot, choice: ThemeChoice) -> None:
    theme = Theme(qapp, choice)
    model = CountTreeModel()
    model.update_tree([Node("sea", "sea", 88888)])
    tree = CountTree(model, theme, "Tags")
    qtbot.addWidget(tree)
    tree.resize(300, 60)
    tree.show()
    tree.select_key("sea")
    image = tree.viewport().grab(tree.visualRect(model.index(0, 0))).toImage()
    ground = image.pixelColor(image.width() // 2, image.height() // 2)
    right = range(image.width() - 60, image.width())
    seen = {image.pixelColor(x, y).name() for x in right for y in range(image.height())}
    assert max(contrast(name, theme.color("selected").name()) for name in seen) >= 4.5
    assert ground == theme.color("selected")


def test_every_named_icon_exists(qapp: QApplication) -> None:
    theme = Theme(qapp, ThemeChoice.DARK)
    named = {spec.icon for spec in ACTIONS if spec.icon}
    for source in Path(next(iter(focal_photos.browser.views.__path__))).glob("*.py"):
        named |= set(re.findall(r'(?:dress|pixmap|tool_button|icon)\([^"\n]*"([a-z-]+)"', source.read_text("utf-8")))
    assert len(named) > 15
    for name in named - table("dark").keys():
        assert (ICONS / f"{name}.svg").is_file(), name
        image = theme.pixmap(name, 32).toImage()
        assert any(image.pixelColor(x, y).alpha() for x in range(32) for y in range(32)), f"{name} is empty"


def test_icons_follow_the_theme(qapp: QApplication, qtbot: QtBot) -> None:
    theme = Theme(qapp, ThemeChoice.DARK)
    button = QPushButton()
    qtbot.addWidget(button)
    theme.set_icon(button, "tag")

    def shade() -> int:
        image = button.icon().pixmap(32, 32).toImage()
        seen = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
        return max((color for color in seen), key=QColor.alpha).lightness()

    dark = shade()
    theme.choose(ThemeChoice.LIGHT)
    assert shade() < dark
    assert qapp.palette().window().color() == theme.color("window")
    theme.choose(ThemeChoice.DARK)


def test_windows_are_restyled_only_if_the_theme_changed(qapp: QApplication, qtbot: QtBot) -> None:
    theme = Theme(qapp, ThemeChoice.DARK)

    class Dressed(QPushButton):
        times = 0

        def changeEvent(self, event: QEvent) -> None:
            self.times += event.type() == QEvent.Type.StyleChange
            super().changeEvent(event)

    changes: list[None] = []
    theme.changed.connect(lambda: changes.append(None))
    button = Dressed()
    qtbot.addWidget(button)
    button.show()
    for choice, again in ((ThemeChoice.DARK, False), (ThemeChoice.LIGHT, True), (ThemeChoice.DARK, True)):
        before, told = button.times, len(changes)
        theme.choose(choice)
        assert (theme.choice, button.times > before, len(changes) > told) == (choice, again, again)


def test_the_application_has_an_icon(qapp: QApplication) -> None:
    assert not app_icon().pixmap(64, 64).isNull()


def test_icons_are_drawn_for_the_connected_screens() -> None:
    assert icon_ratios([1.0, 1.0], "xcb") == (1.0,)
    for screens, platform in (([1.0, 2.0], "xcb"), ([1.25], "windows"), ([2.0], "cocoa"), ([1.0], "wayland-egl")):
        assert icon_ratios(screens, platform) == (1.0, 2.0)


@pytest.mark.parametrize("scale", ["1", "1.5", "2"])
def test_an_icon_is_sharp_on_its_screen(scale: str) -> None:
    script = (
        "from PySide6.QtCore import QSize\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from focal_photos.browser.views.base.theme import Theme, ThemeChoice\n"
        "app = QApplication([])\n"
        "theme = Theme(app, ThemeChoice.DARK)\n"
        "ratio = app.primaryScreen().devicePixelRatio()\n"
        "for size in (16, 20, 24, 32, 48):\n"
        "    print(ratio, size, theme.icon('tag').pixmap(QSize(size, size), ratio).width())\n"
    )
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 5
    assert all(float(ratio) == float(scale) for ratio, _, _ in lines)
    assert all(int(width) == round(float(scale) * int(size)) for _, size, width in lines)
