# SPDX-License-Identifier: MIT
"""Painting over photos: the heat map, and numbered pairs of points."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from focal_photos.browser.models.local.heat_map import heat_image
from focal_photos.browser.views.photos.heat_map import paint_heat
from focal_photos.browser.views.photos.matches.matches_painting import Pair, paint_pairs, pair_color, separate


def test_a_map_is_painted_only_over_the_photo(qapp: QApplication) -> None:
    image = QImage(60, 40, QImage.Format.Format_RGB32)
    image.fill(QColor(200, 200, 200))
    painter = QPainter(image)
    heat = np.zeros((20, 40), np.float32)
    heat[:, 30:] = 1
    paint_heat(painter, heat_image(heat), QRectF(10, 10, 40, 20))
    painter.end()
    assert image.pixelColor(5, 20) == QColor(200, 200, 200)
    assert image.pixelColor(55, 35) == QColor(200, 200, 200)
    cold, hot = image.pixelColor(15, 20), image.pixelColor(47, 20)
    assert cold.saturation() < 15
    assert 80 < cold.value() < 150, "the photo is veiled but visible"
    assert hot.value() > 220
    assert hot.red() > hot.blue() + 50


def test_overlapping_numbers_are_moved_apart() -> None:
    room = QRectF(0, 0, 200, 100)
    far = [QPointF(20, 20), QPointF(100, 50)]
    assert separate(far, room, 20) == far
    crowd = [QPointF(50, 50)] * 4 + [QPointF(195, 99), QPointF(199, 99)]
    parted = separate(crowd, room, 20)
    assert parted == separate(crowd, room, 20)
    for number, one in enumerate(parted):
        assert room.contains(one)
        for other in parted[:number]:
            assert np.hypot(one.x() - other.x(), one.y() - other.y()) >= 19.5


def test_a_pair_has_one_colour_on_both_photos_and_the_chosen_one_stands_out(qapp: QApplication) -> None:
    pairs = [
        Pair(kind, (QPointF(20, y), QPointF(180, y)), (QPointF(20, y), QPointF(180, y)), (8.0, 8.0))
        for kind, y in ((0, 20), (1, 50), (2, 80))
    ]

    def painted(chosen: int | None) -> QImage:
        image = QImage(200, 100, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        paint_pairs(painter, pairs, chosen)
        painter.end()
        return image

    plain, pointed = painted(None), painted(1)
    for number, y in enumerate((20, 50, 80)):
        sides = [plain.pixelColor(x - 6, y) for x in (20, 180)]
        assert sides[0] == sides[1] == pair_color(number)
        assert plain.pixelColor(100, y) != QColor(Qt.GlobalColor.white), "a line divides the tiles"
    assert pointed.pixelColor(14, 50) == pair_color(1)
    assert pointed.pixelColor(14, 20).lightness() > plain.pixelColor(14, 20).lightness() + 20
