# SPDX-License-Identifier: MIT
"""The theme: colours, icons and fonts of the window, dark or light, from one style sheet."""

from __future__ import annotations

import json
import re
import weakref
from collections.abc import Sequence
from enum import StrEnum
from importlib.resources import files

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
    QScreen,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from shiboken6 import isValid

from focal_photos.resources import path


class ThemeChoice(StrEnum):
    """The theme that the user has chosen."""

    SYSTEM = "system"
    DARK = "dark"
    LIGHT = "light"


# The fallback font of many Linux systems is wide and tall; prefer an installed font made for user interfaces.
_WIDE_FALLBACKS = {"DejaVu Sans", "Bitstream Vera Sans"}
_BETTER_FAMILIES = ("Inter", "Noto Sans", "Cantarell", "Open Sans", "Roboto", "Ubuntu", "Lato", "Liberation Sans")


class Theme(QObject):
    """The current theme, for all widgets that paint."""

    changed = Signal()
    """The theme has changed, so widgets must be repainted."""

    def __init__(self, app: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice
        self._colors: dict[str, QColor] = {}
        # all icons at once, because a later paint should not wait for the disk
        icons = (files("focal_photos.resources") / "icons").iterdir()
        self._svg = {icon.name.removesuffix(".svg"): icon.read_bytes() for icon in icons if icon.name.endswith(".svg")}
        self._pixmaps: dict[tuple[str, int, str, float], QPixmap] = {}
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._renderers: dict[tuple[str, str], QSvgRenderer] = {}
        self._ratios = icon_ratios(_screen_ratios(), QGuiApplication.platformName())
        self._icon_targets: weakref.WeakKeyDictionary[QObject, tuple[str, str]] = weakref.WeakKeyDictionary()
        app.setStyle("Fusion")
        self._set_font()
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        for screen in QGuiApplication.screens():
            self._follow_screen(screen)
        app.screenAdded.connect(self._follow_screen)
        self.choose(choice)

    # ------------------------------------------------------------------ theme
    @property
    def choice(self) -> ThemeChoice:
        """The user's choice."""
        return self._choice

    @property
    def dark(self) -> bool:
        """Whether the theme is dark."""
        if self._choice is ThemeChoice.SYSTEM:
            # Photos are judged best on dark grey, so an unknown preference means dark.
            return QGuiApplication.styleHints().colorScheme() != Qt.ColorScheme.Light
        return self._choice is ThemeChoice.DARK

    def choose(self, choice: ThemeChoice) -> None:
        """Apply a theme; do nothing if it is applied already."""
        self._choice = choice
        themes = files("focal_photos.resources") / "themes"
        name = "dark" if self.dark else "light"
        table: dict[str, str] = json.loads((themes / f"{name}.json").read_text("utf-8"))
        colors = {key: QColor(value) for key, value in table.items() if value.startswith("#")}
        sheet = (themes / "base.qss").read_text("utf-8")
        # Qt loads images in style sheets only from files.
        sheet = sheet.replace("check.svg", path(f"themes/check-{name}.svg").as_posix())
        sheet = re.sub(r"@([a-z-]+)", lambda match: table[match[1]], sheet)
        if colors == self._colors and sheet == self._app.styleSheet():
            return  # because applying a style sheet takes 0.1 s
        self._colors = colors
        self._pixmaps.clear()
        self._icons.clear()
        self._renderers.clear()
        self._app.setPalette(self._palette())
        self._app.setStyleSheet(sheet)
        self._update_icons()
        self.changed.emit()

    def color(self, name: str, alpha: float = 1.0) -> QColor:
        """Return a colour of the theme with opacity `alpha` (0..1)."""
        color = QColor(self._colors[name])
        color.setAlphaF(alpha)
        return color

    # ------------------------------------------------------------------ icons
    def pixmap(self, name: str, size: int, color: str = "text", ratio: float = 1.0) -> QPixmap:
        """Return an icon in a colour of the theme, `size` logical pixels wide, for a screen with this pixel ratio."""
        key = (name, size, color, ratio)
        if key not in self._pixmaps:
            pixmap = QPixmap(QSize(size, size) * ratio)
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            self._renderer(name, color).render(painter, QRectF(0, 0, size, size))
            painter.end()
            self._pixmaps[key] = pixmap
        return self._pixmaps[key]

    def icon(self, name: str, color: str = "text") -> QIcon:
        """Return an icon for buttons and menus."""
        if (name, color) not in self._icons:
            icon = self._icons[name, color] = QIcon()
            for size in (16, 20, 24, 32, 48):
                for ratio in self._ratios:
                    icon.addPixmap(self.pixmap(name, size, color, ratio))
                    icon.addPixmap(self.pixmap(name, size, "text-faint", ratio), QIcon.Mode.Disabled)
        return QIcon(self._icons[name, color])

    def set_icon(self, target: QAbstractButton | QAction, name: str, color: str = "text") -> None:
        """Give a button or action an icon that follows the theme."""
        target.setIcon(self.icon(name, color))
        self._icon_targets[target] = name, color

    def paint_icon(self, painter: QPainter, name: str, rect: QRectF, color: str = "text") -> None:
        """Paint an icon into a square."""
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(rect.topLeft(), self.pixmap(name, round(rect.width()), color, ratio))

    # ------------------------------------------------------------------ private
    def _renderer(self, name: str, color: str) -> QSvgRenderer:
        if (name, color) not in self._renderers:
            source = self._source(name, self.color(color))
            self._renderers[name, color] = QSvgRenderer(QByteArray(source))
        return self._renderers[name, color]

    def _source(self, name: str, color: QColor) -> bytes:
        return self._svg[name].replace(b"currentColor", color.name().encode())

    def _follow_screen(self, screen: QScreen) -> None:
        screen.logicalDotsPerInchChanged.connect(self._follow_screens)
        screen.geometryChanged.connect(self._follow_screens)
        self._follow_screens()

    def _follow_screens(self) -> None:
        """Render the icons for the current screens."""
        ratios = icon_ratios(_screen_ratios(), QGuiApplication.platformName())
        if ratios != self._ratios:
            self._ratios = ratios
            self._icons.clear()
            self._update_icons()

    def _update_icons(self) -> None:
        for target, (name, color) in list(self._icon_targets.items()):
            # after a dialog is closed, Python may still hold objects that Qt has deleted
            if isinstance(target, (QAbstractButton, QAction)) and isValid(target):
                target.setIcon(self.icon(name, color))

    def _system_changed(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self.choose(self._choice)

    def _set_font(self) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        if QFontInfo(font).family() in _WIDE_FALLBACKS:
            installed = set(QFontDatabase.families())
            better = next((family for family in _BETTER_FAMILIES if family in installed), None)
            if better is not None:
                font.setFamily(better)
            else:
                font.setPointSizeF(font.pointSizeF() * 0.95)
        font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
        self._app.setFont(font)

    def _palette(self) -> QPalette:
        palette = QPalette()
        roles = QPalette.ColorRole
        for role, name in (
            (roles.Window, "window"),
            (roles.WindowText, "text"),
            (roles.Base, "field"),
            (roles.AlternateBase, "panel"),
            (roles.Text, "text"),
            (roles.Button, "raised"),
            (roles.ButtonText, "text"),
            (roles.BrightText, "text"),
            (roles.Highlight, "accent"),
            (roles.HighlightedText, "accent-text"),
            (roles.ToolTipBase, "raised"),
            (roles.ToolTipText, "text"),
            (roles.PlaceholderText, "text-faint"),
            (roles.Link, "accent"),
            (roles.Mid, "border"),
            (roles.Dark, "line"),
            (roles.Light, "hover"),
        ):
            palette.setColor(role, self.color(name))
        for role in (roles.WindowText, roles.Text, roles.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("text-faint"))
        return palette


def icon_ratios(screens: Sequence[float], platform: str) -> tuple[float, ...]:
    """Return the pixel ratios for which icons are rendered, given those of the screens.

    Each ratio takes a twentieth of the start-up time. Under Wayland, a window's ratio may differ from its screen's.
    """
    plain = all(ratio == 1 for ratio in screens) and not platform.startswith("wayland")
    return (1.0,) if plain else (1.0, 2.0)


def _screen_ratios() -> list[float]:
    return [screen.devicePixelRatio() for screen in QGuiApplication.screens()]


def app_icon() -> QIcon:
    """Return the icon of the application."""
    icon = QIcon()
    for side in (16, 24, 32, 48, 64, 128, 256):
        icon.addPixmap(app_picture(side))
    return icon


def app_picture(side: int, ratio: float = 1.0) -> QPixmap:
    """Return the icon of the application as a square picture.

    Parameters
    ----------
    side : int
        Length of a side in logical pixels.
    ratio : float
        Physical pixels per logical pixel.
    """
    renderer = QSvgRenderer(QByteArray((files("focal_photos.resources") / "icons" / "focal-app.svg").read_bytes()))
    pixmap = QPixmap(round(side * ratio), round(side * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter)
    painter.end()
    return pixmap


def scaled_font(base: QFont, factor: float, weight: QFont.Weight | None = None) -> QFont:
    """Return a font scaled by `factor`."""
    font = QFont(base)
    if font.pointSizeF() > 0:
        font.setPointSizeF(base.pointSizeF() * factor)
    else:
        font.setPixelSize(max(1, round(base.pixelSize() * factor)))
    if weight is not None:
        font.setWeight(weight)
    return font


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet selects by, and apply the sheet again if it has changed."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
