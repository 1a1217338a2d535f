# SPDX-License-Identifier: MIT
"""The menu of saved trails: save the current trail, and open, rename and delete others."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.work.saved_trails import walked
from focal_photos.browser.views.base.buttons import Menu
from focal_photos.browser.views.base.layouts import open_dialog
from focal_photos.browser.views.sidebar.tag_dialogs import NamingDialog


class TrailMenu(Menu):
    """The saved trails and their actions; filled each time it is shown."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("&Trails"))
        self._session = session
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Create the entries again."""
        session, writable = self._session, not self._session.read_only
        self.clear()
        keep = self.addAction(self.tr("Save this trail…"), self._keep)
        keep.setEnabled(writable and walked(session.navigator.trail))
        self.addSeparator()
        for trail in session.saved_trails.trails:
            of = self.add_submenu(shown(trail.name).replace("&", "&&"))
            of.addAction(self.tr("Open"), partial(session.saved_trails.open, trail))
            if writable:
                of.addSeparator()
                of.addAction(self.tr("Rename…"), partial(self._ask, trail.name))
                of.addAction(self.tr("Delete"), partial(session.naming.delete_trail, trail.name))
        if not session.saved_trails.trails:
            self.addAction(self.tr("No saved trails yet")).setEnabled(False)

    def _keep(self) -> None:
        self._ask("")

    def _ask(self, name: str) -> None:
        open_dialog(TrailNameDialog(self._session, name, self.window()))

    def window(self) -> QWidget:
        """Return the window that the menu belongs to, because a menu is a window itself."""
        parent = self.parentWidget()
        return parent.window() if parent is not None else super().window()


class TrailNameDialog(NamingDialog):
    """A dialog to name and save the current trail, or to rename a saved one.

    Parameters
    ----------
    name : str
        Its present name; empty to save the current trail.
    """

    def __init__(self, session: Session, name: str, parent: QWidget) -> None:
        self._name, self._steps = name, session.saved_trails.present()
        labels = [step.label for step in self._steps if step.focal is not None]
        question = name or " \N{RIGHTWARDS ARROW} ".join(labels[-4:])
        super().__init__(session, "", question, "", "", parent)
        self.setWindowTitle(self.tr("Rename a trail") if name else self.tr("Save this trail"))
        self.do_button.setText(self.tr("Rename") if name else self.tr("Save"))
        self.name_field = self.add_field(self.tr("Name"), name)

    def do(self) -> None:
        """Save or rename the trail; replacing one of that name needs a second press."""
        name = " ".join(self.name_field.text().split())
        naming, there = self._session.naming, self._session.saved_trails.find_named(name)
        if self._name:
            naming.rename_trail(self._name, name, self._wait())
        elif there is not None and there.steps != self._steps and not self.problem_label.isVisible():
            self.show_error(self.tr("A trail of this name already exists: press Save again to replace it."))
        else:
            naming.save_trail(name, self._steps, self._wait())
