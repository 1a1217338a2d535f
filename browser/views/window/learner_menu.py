# SPDX-License-Identifier: MIT
"""The menu of learners: Automatic, and all others under Advanced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import Menu

if TYPE_CHECKING:
    from focal_photos.browser.operations.training.learner_table import LearnerInfo


class LearnerMenu(Menu):
    """Automatic, and under Advanced all learners, family by family; choosing one trains it.

    It is filled when it is first opened, so that no learners are loaded at the start.
    """

    def __init__(self, title: str, session: Session, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._session = session
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)
        session.jobs.training.running_changed.connect(self._update)

    def _fill(self) -> None:
        if self.actions():
            return
        session = self._session
        self._add(self, session.jobs.training.automatic)
        advanced = self.add_submenu(self.tr("Advanced"))
        families: dict[str, list[LearnerInfo]] = {}
        for one in session.jobs.training.learners:
            families.setdefault(one.family, []).append(one)
        for family, learners in families.items():
            menu = advanced if len(learners) == 1 else advanced.add_submenu(in_words(family))
            menu.setToolTipsVisible(True)
            for one in learners:
                self._add(menu, one)
        self._update()

    def _add(self, menu: Menu, one: LearnerInfo) -> None:
        action = menu.addAction(in_words(one.title))
        needs = self.tr("Learns from {0}.").format(in_words(one.needs)) if one.needs else self.tr("Needs nothing.")
        action.setToolTip(tool_tip("\n".join(filter(None, (f"{in_words(one.text)}.", needs, in_words(one.source))))))
        action.triggered.connect(lambda _checked=False, name=one.name: self._session.jobs.training.retrain(name))

    def _update(self) -> None:
        able = not self._session.read_only and not self._session.jobs.training.running
        for entry in self.actions():
            entry.setEnabled(able)
