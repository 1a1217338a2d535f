"""The menu of everything that can be trained."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QWidget

from browser.models.session import Session


class LearnerMenu(QMenu):
    """All learners, family by family; choosing one trains it.

    Parameters
    ----------
    title : str
    session : Session
    parent : QWidget
    """

    def __init__(self, title: str, session: Session, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._session = session
        families: dict[str, QMenu] = {}
        for one in session.workshop.learners:
            if one.family not in families:
                families[one.family] = self.addMenu(one.family)
                families[one.family].setToolTipsVisible(True)
            action = families[one.family].addAction(one.title)
            needs = self.tr("Learns from {0}.").format(one.needs) if one.needs else self.tr("Needs nothing.")
            action.setToolTip("\n".join(filter(None, (f"{one.text}.", needs, one.source))))
            action.triggered.connect(lambda _checked=False, name=one.name: session.workshop.retrain(name))
        session.workshop.busy_changed.connect(self._update)
        self._update()

    def _update(self) -> None:
        able = not self._session.read_only and not self._session.workshop.training
        for family in self.actions():
            family.setEnabled(able)
