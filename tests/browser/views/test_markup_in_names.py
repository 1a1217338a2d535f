# SPDX-License-Identifier: MIT
"""Names of files, folders and tags are shown literally, and never rendered as markup."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QAction, QTextDocument
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QMessageBox, QWidget

from focal_photos import browser
from focal_photos.browser.app import _read_only_box
from focal_photos.browser.catalog.library import LibraryError
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.views.photos.grid.grid_view import GridView
from tests.browser.operations.album import Album
from tests.browser.views.conftest import OpenWindow

MARKUP = "<b>x</b><img src='picture.png'>"
ENTITY = "&lt;i&gt;y"


def shown(text: str) -> tuple[str, bool]:
    """Return the text that Qt shows for a tool tip or a label without a set format, and whether it is styled."""
    if not text.lstrip().startswith("<") and "&" not in text and "<" not in text:
        return text, False
    document = QTextDocument()
    document.setHtml(text)
    html = document.toHtml()
    return document.toPlainText(), "<img" in html or "font-weight:700" in html or "font-style:italic" in html


@pytest.mark.parametrize("text", [MARKUP, ENTITY, "a & b", "1 < 2", "<html>", "two\n<b>lines</b>", "plain"])
def test_a_tool_tip_shows_the_text_itself(text: str) -> None:
    assert shown(tool_tip(text)) == (text, False)


def test_text_without_markup_is_unchanged() -> None:
    assert tool_tip("a\nb > c") == "a\nb > c"


@pytest.mark.slow
def test_every_tool_tip_with_a_name_is_escaped() -> None:
    """All texts from outside the program must be escaped, in future code too."""
    bare = []
    for file in Path(browser.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr == "setToolTip" and not _is_fixed(node.args[-1]):
                bare.append(f"{file.name}:{node.lineno}")
    assert bare == []


def _is_fixed(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_fixed(node.body) and _is_fixed(node.orelse)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "tool_tip"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tr":
        return all(isinstance(one, ast.Constant) for one in node.args)
    return isinstance(node, ast.Constant)


def test_the_window_renders_no_markup_in_names(open_window: OpenWindow, tmp_path: Path) -> None:
    album = Album(tmp_path / "album")
    for number in range(6):
        album.draw(f"{ENTITY}/{number}{MARKUP}.jpg".replace("</b>", "<br>"), seed=number)
    driver = open_window(tmp_path / "library", album.folder)
    session = driver.session
    driver.wait_until(lambda: session.grid.rowCount() == 6, "the photos")
    driver.wait_until_idle("indexing")
    driver.walk(0)
    session.targets.tag(add=[MARKUP, ENTITY])
    driver.wait_until_idle("tagging")
    driver.walk(1)
    driver.wait_until_idle("ranking")
    names = 0
    for text in _texts(driver.window):
        plain, styled = shown(text)
        assert not styled, text
        names += MARKUP in plain or ENTITY in plain or "<br>" in plain
    assert names >= 4


def test_message_boxes_render_no_markup_in_names(qapp: QApplication) -> None:
    box, _ = _read_only_box(LibraryError(f"The library {MARKUP} is damaged."))
    assert shown(box.text()) == (f"The library {MARKUP} is damaged.", False)
    box.deleteLater()


def _texts(window: QWidget) -> list[str]:
    """Return all texts that Qt may render as HTML: tool tips, and labels without a set format."""
    texts = [action.toolTip() for action in window.findChildren(QAction)]
    for widget in window.findChildren(QWidget):
        texts.append(widget.toolTip())
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
            texts.append(widget.text())
        if isinstance(widget, QMessageBox):
            texts.append(widget.text())
        # the grid shows the tool tips of its tiles itself and escapes them
        if isinstance(widget, QAbstractItemView) and widget.model() is not None and not isinstance(widget, GridView):
            texts += _tips(widget.model(), QModelIndex())
    return [text for text in texts if text]


def _tips(model: QAbstractItemModel, parent: QModelIndex) -> list[str]:
    texts = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        texts += [index.data(Qt.ItemDataRole.ToolTipRole) or "", *_tips(model, index)]
    return texts
