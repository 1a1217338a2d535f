"""What a person does in many a test of the window: walks to a photo, teaches, chooses a learner."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from browser.walkthrough.keys_and_mouse import Hands

Key = Qt.Key


def tags_of(hands: Hands, row: int) -> list[str]:
    photo_id = hands.session.grid.photo_id(row)
    return hands.session.library.tags.of([photo_id])[photo_id]


def walk_to(hands: Hands, row: int) -> int:
    """Click a tile and return its photo."""
    photo_id = hands.session.grid.photo_id(row)
    hands.click(row)
    hands.settle("the ranking")
    return photo_id


def teach(hands: Hands) -> None:
    """Tag half of the photos by their folder, and judge some."""
    library = hands.session.library
    by_kind: dict[str, list[int]] = {}
    for photo in library.photos.get(hands.session.grid.ids.tolist()):
        by_kind.setdefault(photo.path.parent.name, []).append(photo.id)
    for kind, ids in by_kind.items():
        hands.session.editor.tag(ids[:2], [kind])
    hands.settle("tagging")
    walk_to(hands, 0)
    for row, key in ((0, Key.Key_S), (1, Key.Key_S), (20, Key.Key_D), (21, Key.Key_D)):
        hands.hover(row)
        hands.key(key)
        hands.settle("judging")


def learner_actions(hands: Hands) -> dict[str, QAction]:
    """Return the entries of the menu beside Retrain by their titles."""
    _automatic, _separator, *entries = hands.window.top_bar.learner_button.menu().actions()
    menus = [entry.menu() for entry in entries]
    return {
        action.text(): action
        for entry, menu in zip(entries, menus, strict=True)
        for action in (menu.actions() if isinstance(menu, QMenu) else [entry])
    }
