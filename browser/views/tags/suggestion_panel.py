"""Suggested tags with their confidence and their witnesses, each answered by a key or a click."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QListView,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from browser.catalog.facts.records import Verdict
from browser.models.photos.texts import grouped
from browser.models.session import Session
from browser.models.tagging.suggestion_model import SuggestionModel, SuggestionRow
from browser.tasks.thumbnail_loader import ThumbnailLoader
from browser.views.base.buttons import button
from browser.views.base.labels import label
from browser.views.base.theme import Theme
from browser.views.tags.suggestion_delegate import SuggestionDelegate, row_parts


class SuggestionList(QListView):
    """The suggestions, one a row.

    Signals
    -------
    answered : (tuple of (int, str), bool)
        A suggestion was accepted (True) or rejected by a click.
    photo_chosen : int
        A row was clicked twice, or Enter pressed: its photo is to become the focal image.
    """

    answered = Signal(object, bool)
    photo_chosen = Signal(int)

    def __init__(self, model: SuggestionModel, loader: ThumbnailLoader, theme: Theme, *, can_answer: bool) -> None:
        super().__init__()
        self._rows = model
        self._delegate = SuggestionDelegate(loader, theme, self, can_answer=can_answer)
        self.setAccessibleName(self.tr("Suggested tags"))
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setTabKeyNavigation(False)

    def current_row(self) -> SuggestionRow | None:
        """Return the row that a key means: the current one, else the first."""
        if not self._rows.rowCount():
            return None
        index = self.currentIndex()
        return self._rows.row(index.row() if index.isValid() else 0)

    def make_current(self, row: int) -> None:
        """Go to a row, or to the last one if there are fewer."""
        last = self._rows.rowCount() - 1
        if last >= 0:
            self.setCurrentIndex(self._rows.index(min(row, last)))

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts here."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the photo."""
        row = self.current_row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            self.photo_chosen.emit(row.suggestion.photo_id)
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Answer on a button."""
        index, verdict = self._part_at(event)
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and verdict is not None:
            self.answered.emit(self._rows.row(index.row()).pair, verdict is Verdict.SIMILAR)
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the photo; on a button, answer."""
        index, verdict = self._part_at(event)
        if verdict is not None:
            self.mousePressEvent(event)
        elif index.isValid():
            self.photo_chosen.emit(self._rows.row(index.row()).suggestion.photo_id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the button under the pointer."""
        index, verdict = self._part_at(event)
        self._highlight((index.row(), verdict))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Highlight nothing."""
        self._highlight((-1, None))
        super().leaveEvent(event)

    def _highlight(self, hovered: tuple[int, Verdict | None]) -> None:
        if hovered != self._delegate.hovered:
            self._delegate.hovered = hovered
            self.viewport().update()

    def _part_at(self, event: QMouseEvent) -> tuple[QModelIndex, Verdict | None]:
        point: QPointF = event.position()
        index = self.indexAt(point.toPoint())
        if not index.isValid() or not self._delegate.can_answer:
            return index, None
        parts = row_parts(QRectF(self.visualRect(index)))
        if parts.accept.contains(point):
            return index, Verdict.SIMILAR
        return index, Verdict.DISSIMILAR if parts.reject.contains(point) else None


class SuggestionPanel(QWidget):
    """The list with its heading, and what to do when it is empty."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.setAccessibleName(self.tr("Suggestions"))
        self.list = SuggestionList(session.suggestions, session.loader, theme, can_answer=not session.read_only)
        self.of_selection = button(self.tr("Selection"), "segment")
        self.of_all = button(self.tr("All"), "segment")
        group = QButtonGroup(self)
        for each in (self.of_selection, self.of_all):
            each.setCheckable(True)
            group.addButton(each)
        self.of_selection.clicked.connect(lambda: session.show_suggestions(everywhere=False))
        self.of_all.clicked.connect(lambda: session.show_suggestions(everywhere=True))
        self.suggest_button = button(self.tr("Suggest tags"), "", session.suggest)
        self.suggest_button.setToolTip(self.tr("For the selected photos, else for all untagged ones (Ctrl+G)"))
        theme.set_icon(self.suggest_button, "suggest")
        self._empty = label("", "faint", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.list)

        heading = QHBoxLayout()
        heading.setContentsMargins(12, 12, 12, 4)
        heading.setSpacing(2)
        heading.addWidget(label(self.tr("Suggestions"), "section"))
        heading.addStretch(1)
        heading.addWidget(self.of_selection)
        heading.addWidget(self.of_all)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 4, 12, 10)
        foot.addWidget(self.suggest_button, 1)
        pages = QHBoxLayout()
        pages.setContentsMargins(10, 0, 6, 0)
        pages.addWidget(self._pages)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(heading)
        layout.addLayout(pages, 1)
        layout.addLayout(foot)

        self.suggest_button.setHidden(session.read_only)
        self.list.answered.connect(self._answer)
        self.list.photo_chosen.connect(session.navigator.focus)
        session.suggestions_changed.connect(self._show)
        session.suggestions.rowsRemoved.connect(self._show)
        session.overview_changed.connect(self._show)
        self._show()

    def answer_current(self, *, accept: bool) -> None:
        """Accept or reject the current suggestion, else the first."""
        row = self.list.current_row()
        if row is not None:
            self._answer(row.pair, accept)

    def _answer(self, pair: tuple[int, str], accept: bool) -> None:
        model = self._session.suggestions
        place = next((row for row in range(model.rowCount()) if model.row(row).pair == pair), 0)
        self._session.answer([pair], accept=accept)
        self.list.make_current(place)

    def _show(self) -> None:
        session = self._session
        self.of_all.setChecked(session.all_suggestions)
        self.of_selection.setChecked(not session.all_suggestions)
        count = session.overview.open_suggestions
        self.of_all.setText(self.tr("All {0}").format(grouped(count)) if count else self.tr("All"))
        rows = session.suggestions.rowCount()
        self._pages.setCurrentIndex(1 if rows else 0)
        if rows and not self.list.currentIndex().isValid():
            self.list.make_current(0)
        if not rows:
            if count and not session.all_suggestions:
                text = self.tr("None for what is selected. Others wait under All.")
            else:
                text = self.tr("Tag a few photos of each kind, then let Focal suggest tags for the rest.")
            self._empty.setText(text)
