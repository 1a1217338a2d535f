# SPDX-License-Identifier: MIT
"""Suggested tags of the selection or of all photos, and hints if there are none."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QButtonGroup, QMenu, QSizePolicy, QStackedWidget, QWidget

from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.tiles import PhotoCard, shown
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.tagging.suggestion_model import SuggestionRow
from focal_photos.browser.views.base.buttons import ElidedButton, FoldButton, button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import FlowLayout, in_column, in_row
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.tags.suggestion_list import SuggestionList
from focal_photos.browser.views.tags.suggestion_method import SuggestionMethodButton
from focal_photos.browser.views.tags.supporter_popup import SupporterPopup


class SuggestionPanel(QWidget):
    """The list with its heading, and a hint if it is empty."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.setAccessibleName(self.tr("Suggestions"))
        self.list = SuggestionList(session.tagging.suggestions, session.loader, theme, can_answer=not session.read_only)
        self.of_selection = button(self.tr("Selection"), "segment")
        self.of_all = button(self.tr("All"), "segment")
        group = QButtonGroup(self)
        for each in (self.of_selection, self.of_all):
            each.setCheckable(True)
            group.addButton(each)
        self.of_selection.clicked.connect(lambda: session.tagging.suggestions.show(everywhere=False))
        self.of_all.clicked.connect(lambda: session.tagging.suggestions.show(everywhere=True))
        self.suggest_button = ElidedButton("", "")
        self.suggest_button.show_text(self.tr("Suggest tags"))
        self.suggest_button.clicked.connect(session.tagging.suggest)
        self.suggest_button.setToolTip(self.tr("For the selected photos, or for all untagged ones (Ctrl+G)"))
        theme.set_icon(self.suggest_button, "suggest")
        self._empty = label("", "faint", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.list)

        heading = FlowLayout(4)
        self.fold = FoldButton(theme, self.tr("Suggestions"), self._pages)
        heading.addWidget(self.fold)
        self.method_button = SuggestionMethodButton(session.tagging.method, theme)
        self.method_button.setHidden(session.read_only)
        for each in (self.of_selection, self.of_all, self.method_button):
            heading.addWidget(each)
        top = in_row(heading, margins=(12, 12, 12, 4))
        self.foot = QWidget()
        """Holds the button; the window places it where it does not move with the selection."""
        self.suggest_button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        in_row(self.suggest_button, margins=(12, 8, 12, 10), parent=self.foot)
        pages = in_row(self._pages, margins=(10, 0, 6, 0))
        layout = in_column(top, (pages, 1), margins=0, spacing=0, parent=self)
        layout.addStretch(0)  # takes the space of the folded list

        self.foot.setHidden(session.read_only)
        self.list.answered.connect(self._answer)
        self.list.photo_chosen.connect(session.navigator.focus)
        self.list.menu_wanted.connect(lambda row, supporter, at: self.menu(row, supporter).popup(at))
        self.supporters = SupporterPopup(session.loader, theme, self, can_answer=not session.read_only)
        self.supporters.wrong.connect(self._untag)
        self.supporters.opened.connect(session.navigator.focus)
        session.tagging.suggestions.changed.connect(self._show)
        session.tagging.suggestions.rowsRemoved.connect(self._show)
        session.overview.changed.connect(self._show)
        session.sidebar.words.tags_read.connect(self._show)
        self._show()

    def answer_current(self, *, accept: bool) -> None:
        """Accept or reject the current suggestion if it is visible; otherwise show it first."""
        row = self._current_in_sight()
        if row is not None:
            self._answer(row, accept)

    def show_supporters(self) -> None:
        """Show the supporting neighbours of the current suggestion if it is visible; otherwise show it first."""
        row = self._current_in_sight()
        if row is not None:
            spot = self.list.visualRect(self.list.currentIndex())
            self.supporters.show_row(row, self.list.viewport().mapToGlobal(QPoint(spot.left(), spot.center().y())))

    def menu(self, row: SuggestionRow, supporter: PhotoCard | None = None) -> QMenu:
        """Return the menu of a suggestion, beginning with the actions for a supporting neighbour."""
        menu = QMenu(self)
        menu.setObjectName("suggestionMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if supporter is not None:
            self._add_supporter(menu, row, supporter)
            menu.addSeparator()
        if not self._session.read_only:
            menu.addAction(self.tr("&Accept"), lambda: self._answer(row, True))
            menu.addAction(self.tr("Re&ject"), lambda: self._answer(row, False))
        self._add_opening(menu, row.card)
        menu.addAction(self.tr("&Why this tag?"), self.show_supporters)
        others = [card for card in row.supporters if card != supporter]
        if others:
            menu.addSeparator()
        for card in others:
            self._add_supporter(menu.addMenu(_as_text(card.name)), row, card)
        return menu

    def _add_supporter(self, menu: QMenu, row: SuggestionRow, card: PhotoCard) -> None:
        tag, photo_id = row.suggestion.tag, card.photo.id
        if not self._session.read_only:
            text = self.tr("Remove {0} from {1}").format(_as_text(tag), _as_text(card.name))
            menu.addAction(text, lambda: self._untag(photo_id, tag))
        self._add_opening(menu, card)

    def _add_opening(self, menu: QMenu, card: PhotoCard) -> None:
        photo_id = card.photo.id
        text = self.tr("Set {0} as focal image").format(_as_text(card.name))
        menu.addAction(text, lambda: self._session.navigator.focus(photo_id))

    def _untag(self, photo_id: int, tag: str) -> None:
        """Remove a tag from a supporting neighbour."""
        self._session.editor.tag([photo_id], remove=[tag])

    def _current_in_sight(self) -> SuggestionRow | None:
        """Return the current suggestion; if it is not visible, show or explain it and return None."""
        session, row = self._session, self.list.current_row()
        if session.tagging.suggestions.everywhere and session.navigator.selected and not self.list.hasFocus():
            session.tagging.suggestions.show(everywhere=False)
            self._say(self.tr("Suggestions for the selection: A accepts, X rejects."))
        elif row is None:
            self._say(self.tr("No suggestion here. Ctrl+G suggests tags."))
        elif not self.isVisible() or not self.visibleRegion().boundingRect().width():
            self._say(self.tr("The suggestions are hidden: widen the right column."))
        elif not self.list.current_is_seen:
            self.list.show_current()
            self._say(self.tr("Scrolled to the current suggestion. A accepts, X rejects."))
        else:
            return row
        return None

    def _say(self, text: str) -> None:
        self._session.notices.post(text, Severity.WARNING)

    def _answer(self, row: SuggestionRow, accept: bool) -> None:
        model, session = self._session.tagging.suggestions, self._session
        if not session.tagging.suggestions.can_answer(row.photo_ids):
            return  # the list will be up to date in a moment
        place = next((number for number in range(model.rowCount()) if model.row(number) == row), 0)
        session.tagging.suggestions.answer(row.pairs, accept=accept)
        self.list.make_current(place)

    def _show(self) -> None:
        session = self._session
        self.of_all.setChecked(session.tagging.suggestions.everywhere)
        self.of_selection.setChecked(not session.tagging.suggestions.everywhere)
        count = session.overview.now.open_suggestions
        waiting = self.tr("Open suggestions: {0}").format(grouped(count))
        self.of_all.setToolTip(tool_tip(waiting))
        self.of_all.setAccessibleDescription(waiting)
        rows = session.tagging.suggestions.rowCount()
        self._pages.setCurrentIndex(1 if rows else 0)
        # The hidden list would otherwise take space from the tags.
        height = QSizePolicy.Policy.Expanding if rows else QSizePolicy.Policy.Ignored
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, height)
        if rows and not self.list.currentIndex().isValid():
            self.list.make_current(0)
        if not rows:
            if count and not session.tagging.suggestions.everywhere:
                text = self.tr("None for the selection. See All for other photos.")
            elif session.overview.now.photos and not session.overview.now.untagged:
                text = self.tr("Every photo has a tag. Focal can suggest more tags for selected photos (Ctrl+G).")
            elif (
                len(session.sidebar.words.tags) > 1 and session.overview.now.photos - session.overview.now.untagged > 1
            ):
                text = self.tr("Ctrl+G suggests tags for the selected photos, or for all untagged ones.")
            else:
                text = self.tr("Tag a few photos of each kind. Focal then suggests tags for the rest.")
            self._empty.setText(text)


def _as_text(name: str) -> str:
    """Return a name for a menu, where an ampersand would underline a letter."""
    return shown(name).replace("&", "&&")
