# SPDX-License-Identifier: MIT
"""Labels that elide their text to fit, and hints that omit sentences that do not fit."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from focal_photos.browser.views.base.labels import ElidedLabel, HintLabel
from focal_photos.browser.views.tags.suggestion_list import tag_in_room

TEXT = "Double-click a photo, and all others are ranked by it."


def shown(qtbot: QtBot, label: ElidedLabel, width: int) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(label)
    window.resize(width, 100)
    window.show()
    qtbot.waitExposed(window)
    return window


def test_text_is_shortened_at_the_end_and_a_file_name_in_the_middle(qtbot: QtBot) -> None:
    label = ElidedLabel(TEXT)
    window = shown(qtbot, label, label.whole_width() // 2)
    assert window.width() < label.whole_width()
    assert label.text().startswith("Double-click a")
    assert label.text().endswith("\N{HORIZONTAL ELLIPSIS}")
    assert label.toolTip()
    label.show_file_name("holiday at the sea, the second week, 0412.jpg")
    assert label.text().startswith("holiday")
    assert label.text().endswith(".jpg")
    assert "\N{HORIZONTAL ELLIPSIS}" in label.text()
    label.setText(TEXT)
    assert label.text().endswith("\N{HORIZONTAL ELLIPSIS}")


def test_a_tag_that_does_not_fit_shows_the_beginning_of_its_last_level(qtbot: QtBot) -> None:
    metrics = ElidedLabel("x").fontMetrics()
    assert tag_in_room("animal/dog", metrics, 1000) == "animal/dog"
    assert tag_in_room("animal/dog", metrics, metrics.horizontalAdvance("dog") + 1) == "dog"
    cut = tag_in_room("building/post office", metrics, metrics.horizontalAdvance("post off"))
    assert cut.startswith("post")
    assert cut.endswith("\N{HORIZONTAL ELLIPSIS}")


def test_lines_are_broken_before_words_are_left_out(qtbot: QtBot) -> None:
    label = ElidedLabel(TEXT, lines=2)
    window = shown(qtbot, label, round(label.whole_width() * 0.65))
    assert label.text() == TEXT
    assert label.sizeHint().height() > 1.8 * label.fontMetrics().height()
    window.resize(round(label.whole_width() * 0.35), 100)
    assert label.text().startswith("Double-click a photo,")
    assert label.text().endswith("\N{HORIZONTAL ELLIPSIS}")
    window.resize(2 * label.whole_width(), 100)
    assert label.text() == TEXT
    assert label.sizeHint().height() < 1.8 * label.fontMetrics().height()


def test_a_path_is_shortened_in_the_middle_and_never_to_a_lone_ellipsis(qtbot: QtBot) -> None:
    dot = "\N{MIDDLE DOT}"
    text = f"4000 x 3000  {dot}  13 kB  {dot}  /home/somebody/pictures/holidays/crabs-and-other-animals"
    label = ElidedLabel(text, lines=2)
    window, seen = shown(qtbot, label, 10), set[str]()
    for width in range(label.fontMetrics().horizontalAdvance("4000 x 3000 mm"), label.whole_width(), 7):
        window.resize(width, 100)
        told = label.text()
        seen.add(told)
        if told != text:
            assert not told.removesuffix("\N{HORIZONTAL ELLIPSIS}").endswith((" ", dot)), told
            assert told.startswith("4000 x 3000"), told
    assert any(f"13 kB  {dot}  /home" in one and one.endswith("animals") for one in seen - {text})


def test_a_label_requests_its_width_only_if_set(qtbot: QtBot) -> None:
    label = ElidedLabel(TEXT, asks=True)
    window = shown(qtbot, label, 20)
    assert label.sizeHint().width() >= label.fontMetrics().horizontalAdvance(TEXT)
    assert label.text() != TEXT, "the label may still be narrower"
    assert window.width() < label.whole_width()
    window.resize(2 * label.whole_width(), 100)
    assert label.text() == TEXT
    label.setText(TEXT + TEXT)
    qtbot.waitUntil(lambda: label.text() == TEXT + TEXT)


HINT = "S: similar, D: not. Enter walks on.  \N{MIDDLE DOT}  Esc ends"


def test_a_hint_drops_its_last_parts_but_not_for_screen_readers(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    hint = HintLabel(HINT)
    hint.setParent(window)
    window.show()
    line, wide = hint.fontMetrics().height(), hint.fontMetrics().horizontalAdvance(HINT) + 10
    first = hint.fontMetrics().horizontalAdvance("S: similar, D: not.") + 4
    shown = {}
    for name, width, height in (
        ("wide", wide, line),
        ("narrow", first, line),
        ("in two lines", first, 2 * line + 2),
        ("no room", 20, line),
    ):
        hint.resize(width, height)
        shown[name] = hint.text()
    assert shown == {
        "wide": HINT,
        "narrow": "S: similar, D: not.",
        "in two lines": "S: similar, D: not. Enter walks on.",
        "no room": "",
    }
    assert hint.full_text() == hint.accessibleName() == HINT
    assert "Enter walks on" in hint.toolTip()
