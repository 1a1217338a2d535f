# SPDX-License-Identifier: MIT
"""The mode Learning: the learned metric and its gain; under Advanced all pages about metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QPushButton, QStackedWidget, QWidget

from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.advanced import AdvancedButton
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.layouts import ColumnScrollArea, in_column, in_row
from focal_photos.browser.views.base.modes import ModePage
from focal_photos.browser.views.base.separator import separator
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.metrics import history_page, learning_guide_page, lenses_page, scoreboard_page

HISTORY: Final = "history"
LENSES: Final = "lenses"
SCOREBOARD: Final = "scoreboard"
GUIDE: Final = "guide"


class LearningPage(ModePage):
    """Tabs at the top, and the page of one of them below; each page is created when it is first shown.

    The tabs about metrics and learners are shown while `advanced` is checked.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self.setObjectName("learningPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Learning"))
        self._makers: dict[str, Callable[[], QWidget]] = {}
        self.pages: dict[str, QWidget] = {}
        self._holders: dict[str, QWidget] = {}
        """The pages, or the scroll areas that hold them."""
        self.buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._row = in_row(margins=(14, 8, 14, 8), spacing=2)
        self._stack = QStackedWidget()
        self.shown = HISTORY
        """Name of the shown page."""
        self._add_pages()
        self._row.addStretch(1)
        in_column(self._row, separator(), (self._stack, 1), margins=0, spacing=0, parent=self)

    def _add_pages(self) -> None:
        self._add(HISTORY, self.tr("Learning"), self._make_history)
        self.advanced = AdvancedButton("segment")
        self._row.addSpacing(18)
        self._row.addWidget(self.advanced)
        for name, title, make in (
            (LENSES, self.tr("Two metrics"), self._make_lenses),
            (SCOREBOARD, self.tr("Scoreboard"), self._make_scoreboard),
            (GUIDE, self.tr("Learners"), self._make_guide),
        ):
            self._add(name, title, make)
            self.advanced.add(self.buttons[name])

    def _add(self, name: str, title: str, make: Callable[[], QWidget]) -> None:
        tab = button(title, "segment", lambda: self.show_page(name))
        tab.setCheckable(True)
        self._group.addButton(tab)
        self._row.addWidget(tab)
        self.buttons[name] = tab
        self._makers[name] = make

    def _make_history(self) -> QWidget:
        page = history_page.HistoryPage(self._session, self._theme)
        page.comparison_wanted.connect(self._compare)
        return page

    def _make_lenses(self) -> QWidget:
        return lenses_page.LensesPage(self._session, self._theme)

    def _make_scoreboard(self) -> QWidget:
        return scoreboard_page.ScoreboardPage(self._session, self._theme)

    def _make_guide(self) -> QWidget:
        return learning_guide_page.LearningGuidePage(self._session, self._theme)

    def _compare(self, metrics: tuple[int, int]) -> None:
        page = self.page(LENSES)
        assert isinstance(page, lenses_page.LensesPage)
        page.choose(*metrics)
        self.show_page(LENSES)

    def page(self, name: str) -> QWidget:
        """Return a page; it is created on first use."""
        if name not in self.pages:
            page = self.pages[name] = self._makers[name]()
            # the other pages scroll inside
            self._holders[name] = ColumnScrollArea(page, self) if name == HISTORY else page
            self._stack.addWidget(self._holders[name])
        return self.pages[name]

    def show_page(self, name: str) -> None:
        """Show one of the pages."""
        if name != self.shown:
            self._call_page("leave")
        self.page(name)
        self.shown = name
        self.buttons[name].setChecked(True)
        if self.advanced.holds(self.buttons[name]):
            self.advanced.setChecked(True)
        self._stack.setCurrentWidget(self._holders[name])
        self._call_page("enter")

    def enter(self) -> None:
        """Show the last page again."""
        self._session.metrics.history.read()
        self.show_page(self.shown)

    def leave(self) -> None:
        """End activities of the visible page."""
        self._call_page("leave")

    def _call_page(self, what: str) -> None:
        call = getattr(self.pages.get(self.shown), what, None)
        if call is not None:
            call()
