# SPDX-License-Identifier: MIT
"""All widgets of the window, its modes and dialogs have names, are reached by Tab in order, and are readable."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QRadioButton,
    QWidget,
)

from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.base.theme import ThemeChoice
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.places import DIALOGS, dialogs
from tests.browser.views.window_steps import walk_to

THEMES: Final = [ThemeChoice.DARK, ThemeChoice.LIGHT]
_SCALE: Final = 3
"""Scale at which strokes of letters have pixels of their full colour."""

_ROLES: Final = {
    QAccessible.Role.Button,
    QAccessible.Role.ButtonDropDown,
    QAccessible.Role.ButtonMenu,
    QAccessible.Role.CheckBox,
    QAccessible.Role.RadioButton,
    QAccessible.Role.ComboBox,
    QAccessible.Role.EditableText,
    QAccessible.Role.Slider,
    QAccessible.Role.SpinBox,
    QAccessible.Role.List,
    QAccessible.Role.Tree,
    QAccessible.Role.Table,
    QAccessible.Role.PageTabList,
    QAccessible.Role.ProgressBar,
}
"""Roles of interactive widgets."""


def of_qt(widget: QWidget) -> bool:
    """Return whether Qt created a widget as a part of another one."""
    while True:
        if widget.objectName().startswith("qt_") or widget.inherits("QComboBoxPrivateContainer"):
            return True
        parent = widget.parentWidget()
        if widget.isWindow() or parent is None:
            return False
        if parent.inherits("QAbstractSpinBox") or parent.inherits("QComboBox") or parent.inherits("QTableView"):
            return True
        widget = parent
    return False


def described(widget: QWidget) -> str:
    parent = widget.parentWidget()
    within = "" if parent is None else f" in {type(parent).__name__}"
    text = getattr(widget, "text", None)
    return f"{type(widget).__name__} {widget.objectName() or (text() if callable(text) else '')}{within}"


def nameless(root: QWidget) -> list[str]:
    """Return the interactive widgets without a name for screen readers."""
    found = []
    for widget in root.findChildren(QWidget):
        spoken = QAccessible.queryAccessibleInterface(widget)
        if of_qt(widget) or widget.isHidden() or widget.inherits("QMenuBar"):
            continue
        takes_keys = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        name = spoken.text(QAccessible.Text.Name)
        if (takes_keys or spoken.role() in _ROLES) and not any(letter.isalpha() for letter in name):
            found.append(f"{described(widget)}: {spoken.role().name} {name!r}")
    return found


Pixels = NDArray[np.uint8]
Colors = NDArray[np.float64]


def contrast(color: Colors, ground: Colors) -> Colors:
    """Return the contrast of colours, (n, 3) in 0..255, with another as WCAG 2.2 defines it, 1..21."""

    def luminance(rgb: Colors) -> Colors:
        parts = rgb / 255.0
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))

    one, other = luminance(color), luminance(ground)
    return np.asarray((np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05))


def pixels(root: QWidget) -> Pixels:
    """Return an enlarged picture of a window, (height, width, 3) of uint8."""
    image = QImage(root.size() * _SCALE, QImage.Format.Format_RGB888)
    image.fill(root.palette().window().color())
    painter = QPainter(image)
    painter.scale(_SCALE, _SCALE)
    root.render(painter, QPoint(0, 0))
    painter.end()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()


def best_contrast(part: Pixels) -> float:
    """Return the greatest contrast of a colour with the commonest colour of a region."""
    red, green, blue = (part[..., channel].astype(np.uint32) for channel in range(3))
    # packed because rows would be sorted byte by byte
    packed, counts = np.unique(red << 16 | green << 8 | blue, return_counts=True)
    colors = np.stack((packed >> 16, packed >> 8 & 255, packed & 255), axis=1)
    ground = colors[counts.argmax()]
    return float(contrast(colors.astype(float), ground.astype(float)).max())


def words(widget: QWidget) -> str:
    if isinstance(widget, QLabel):
        return widget.text() if widget.pixmap().isNull() else ""
    if isinstance(widget, QLineEdit):
        return widget.text() or widget.placeholderText()
    if isinstance(widget, QComboBox):
        return widget.currentText()
    return widget.text() if isinstance(widget, QAbstractButton) else ""


def faint_boxes(root: QWidget) -> list[str]:
    """Return the check boxes and radio buttons, checked or not, whose sign has a contrast below 3."""
    seen, found = pixels(root), []
    for widget in root.findChildren(QWidget):
        if isinstance(widget, (QCheckBox, QRadioButton)) and widget.isVisible() and widget.isEnabled():
            at = widget.mapTo(root, QPoint(0, 0)) * _SCALE
            part = seen[at.y() : at.y() + widget.height() * _SCALE, at.x() : at.x() + 17 * _SCALE]
            if best_contrast(part) < 3:
                found.append(f"{described(widget)}: {best_contrast(part):.2f}, checked {widget.isChecked()}")
    return found


def dim(root: QWidget) -> list[str]:
    """Return the texts with a contrast below 4.5, and the icons of buttons with one below 3."""
    seen, found = pixels(root), []
    for widget in root.findChildren(QWidget):
        icon = isinstance(widget, QAbstractButton) and not widget.icon().isNull()
        text = any(letter.isalnum() for letter in words(widget))
        if not widget.isVisible() or of_qt(widget) or widget.window() is not root or not (text or icon):
            continue
        field = widget.parentWidget()
        if isinstance(field, QLineEdit) and not field.text():
            continue  # Qt fades out the clear button
        shown = widget.visibleRegion().boundingRect()
        if isinstance(widget, (QCheckBox, QRadioButton)):
            shown = shown.intersected(QRect(20, 0, widget.width(), widget.height()))  # the text beside the box
        else:
            shown = shown.adjusted(2, 2, -2, -2)  # without the frame
        if shown.width() < 6 or shown.height() < 8:
            continue
        at = widget.mapTo(root, shown.topLeft()) * _SCALE
        size = shown.size() * _SCALE
        part = seen[at.y() : at.y() + size.height(), at.x() : at.x() + size.width()]
        least = 4.5 if text else 3.0
        if best_contrast(part) < least:
            found.append(f"{described(widget)}: {best_contrast(part):.2f}, enabled {widget.isEnabled()}")
    return found


def round_of_tab(root: QWidget) -> list[QWidget]:
    """Return the widgets that Tab reaches, from the present focus around to it again."""
    reached: list[QWidget] = []
    for _ in range(400):
        widget: QWidget | None = root.focusWidget()
        if widget is None:
            break
        if widget in reached:
            break
        reached.append(widget)
        root.focusNextChild()
    return reached


def out_of_order(reached: list[QWidget]) -> list[str]:
    """Return the steps of Tab that lead, among siblings, upwards, or to the left in one row.

    Siblings are widgets and panels with the same parent: Tab must reach all widgets of one panel before those of the
    panel below.
    """
    found = []
    by_parent: dict[QWidget, list[QWidget]] = {}
    for widget in reached:
        child, parent = widget, widget.parentWidget()
        while parent is not None and not child.isWindow():
            steps = by_parent.setdefault(parent, [])
            if not steps or steps[-1] is not child:
                steps.append(child)
            child, parent = parent, parent.parentWidget()
    for neighbors in by_parent.values():
        if len(neighbors) > 1 and neighbors[0] is neighbors[-1]:
            neighbors.pop()  # the round began inside it
        turns = []
        for one, other in zip(neighbors, [*neighbors[1:], neighbors[0]], strict=True):
            above = other.geometry().bottom() < one.geometry().top()
            below = other.geometry().top() > one.geometry().bottom()
            if above or (not below and other.x() < one.x()):
                turns.append(f"{described(one)} -> {described(other)}")
        # each group of siblings has one step back, from the last to the first
        found += turns if len(turns) > 1 else []
    return found


def check(root: QWidget) -> list[str]:
    """Return all problems of a window."""
    wrong = [f"no name: {text}" for text in nameless(root)] + [f"dim: {text}" for text in dim(root)]
    wrong += [f"faint box: {text}" for text in faint_boxes(root)]
    root.activateWindow()
    root.setFocus()
    root.focusNextChild()
    reached = round_of_tab(root)
    wrong += [f"Tab reaches what cannot be seen: {described(each)}" for each in reached if not each.isVisible()]
    wrong += [f"order of Tab: {text}" for text in out_of_order(reached)]
    for widget in root.findChildren(QWidget):
        stops = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        stops = stops and widget.isVisible() and widget.isEnabled() and widget.window() is root
        checked_of_group = (isinstance(widget, QAbstractButton) and widget.autoExclusive()) or of_qt(widget)
        if stops and not checked_of_group and widget not in reached and not isinstance(widget, QRadioButton):
            wrong.append(f"Tab does not reach {described(widget)}")
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("choice", THEMES)
def test_every_mode_is_accessible(driver: WindowDriver, choice: ThemeChoice) -> None:
    """Check the modes one after the other in one window, as in use."""
    driver.window.view_menu.choose_theme(choice)
    driver.session.editor.tag([driver.session.grid.photo_id(row) for row in range(3)], ["sea"])
    driver.wait_until_idle("tagging")
    walk_to(driver, 4)
    driver.click(2)
    driver.wait_until_idle("the selection")
    wrong = []
    for mode in Mode:
        driver.window.show_mode(mode)
        driver.wait_until_idle("the mode")
        assert driver.window.mode is mode
        if mode is Mode.REVIEW:
            review = driver.window.modes.review_page
            assert all((review.ask_page, review.photo_page, review.check_page, review.agreement_page)), "all are made"
        wrong += [f"{mode}: {each}" for each in check(driver.window)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("choice", THEMES)
def test_every_dialog_is_accessible(driver: WindowDriver, choice: ThemeChoice) -> None:
    driver.window.view_menu.choose_theme(choice)
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["sea"])
    driver.wait_until_idle("tagging")
    seen, wrong = [], []
    for name, dialog in dialogs(driver):
        seen.append(name.partition(",")[0])
        wrong += [f"{name}: {each}" for each in check(dialog)]
    assert list(dict.fromkeys(seen)) == list(DIALOGS)
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("choice", THEMES)
def test_buttons_under_the_pointer_have_enough_contrast(driver: WindowDriver, choice: ThemeChoice) -> None:
    driver.window.view_menu.choose_theme(choice)
    walk_to(driver, 4)
    driver.hover(1)
    driver.wait_until_idle("the photos")
    viewport = driver.grid.viewport()
    seen = pixels(viewport)
    for button in TileButton:
        place = driver.grid.parts_of(1).buttons.get(button)
        if place is not None:
            rect = place.toRect().adjusted(3, 3, -3, -3)
            part = seen[rect.top() * _SCALE : rect.bottom() * _SCALE, rect.left() * _SCALE : rect.right() * _SCALE]
            assert best_contrast(part) >= 4.5, button
