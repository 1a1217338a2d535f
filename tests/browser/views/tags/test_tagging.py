"""Tagging in the window: by keys, with recent tags and completion, and undoing it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from browser.walkthrough.keys_and_mouse import CTRL, SHIFT, Hands
from tests.browser.views.steps import tags_of

Key = Qt.Key


def test_tagging_several_photos_with_mixed_state(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.key(Key.Key_T)
    hands.type("sea, sky/blue")
    hands.key(Key.Key_Return)
    hands.settle("tagging")
    assert tags_of(hands, 0) == ["sea", "sky/blue"]
    assert hands.window.focusWidget() is hands.window.tag_panel.field, "the next tag can be typed at once"
    hands.key(Key.Key_Return)
    assert hands.window.focusWidget() is hands.grid, "an empty Enter leaves"
    hands.click(2, SHIFT)
    hands.settle("the selection")
    chips = hands.window.tag_panel.chips()
    assert [(chip.name.text(), chip.property("mixed")) for chip in chips] == [
        ("sea  1/3", True),
        ("sky/blue  1/3", True),
    ]
    chips[0].name.click()
    hands.settle("tagging")
    assert tags_of(hands, 2) == ["sea"]
    chips = hands.window.tag_panel.chips()
    assert chips[0].property("mixed") is False
    chips[0].remove.click()
    hands.settle("tagging")
    assert [tags_of(hands, row) for row in range(3)] == [["sky/blue"], [], []]
    assert hands.session.tags.find("sky/blue").isValid()


def test_recent_tags_and_repeating(hands: Hands) -> None:
    hands.click(0, CTRL)
    for text in ("one", "two"):
        hands.key(Key.Key_T)
        hands.type(text)
        hands.key(Key.Key_Return)
        hands.settle("tagging")
        hands.key(Key.Key_Escape)
    assert hands.session.overview.recent_tags[:2] == ("two", "one")
    hands.key(Key.Key_Right)
    hands.key(Key.Key_2)
    hands.settle("tagging")
    assert tags_of(hands, 1) == ["one"]
    hands.key(Key.Key_Right)
    hands.key(Key.Key_Period)
    hands.settle("tagging")
    assert tags_of(hands, 2) == ["one"]


def test_a_minus_sign_removes(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.key(Key.Key_T)
    for text in ("one, two", "-one, three"):
        hands.type(text)
        hands.key(Key.Key_Return)
        hands.settle("tagging")
    assert tags_of(hands, 0) == ["three", "two"]


def test_tags_are_completed(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.session.tag_targets(add=["animal/dog"])
    hands.settle("tagging")
    hands.key(Key.Key_T)
    hands.type("sea, do")
    hands.key(Key.Key_Tab)
    assert hands.window.tag_panel.field.text() == "sea, animal/dog"
    hands.key(Key.Key_Escape)
    assert hands.window.focusWidget() is hands.grid


def test_an_impossible_tag_is_refused_in_the_message_bar(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.key(Key.Key_T)
    hands.type("a;b")
    hands.key(Key.Key_Return)
    hands.until(lambda: hands.window.message_bar.message is not None, "the message")
    notice = hands.window.message_bar.message
    assert notice is not None
    assert notice.severity == "error"
    assert "semicolon" in notice.text
    assert tags_of(hands, 0) == []


def test_the_next_untagged_photo(hands: Hands) -> None:
    hands.session.editor.tag(hands.session.grid.ids[:3].tolist(), ["known"])
    hands.settle("tagging")
    hands.click(0, CTRL)
    hands.key(Key.Key_J, CTRL)
    hands.settle("the search")
    assert hands.grid.current_id() == hands.session.grid.photo_id(3)


def test_undo_and_redo(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.key(Key.Key_T)
    hands.type("sea")
    hands.key(Key.Key_Return)
    hands.settle("tagging")
    hands.key(Key.Key_Escape)
    assert hands.window.commands.actions["undo"].text() == "&Undo: Tag 1 photo: sea"
    hands.key(Key.Key_Z, CTRL)
    hands.settle("undo")
    assert tags_of(hands, 0) == []
    assert not hands.window.commands.actions["undo"].isEnabled()
    hands.key(Key.Key_Z, CTRL | SHIFT)
    hands.settle("redo")
    assert tags_of(hands, 0) == ["sea"]
