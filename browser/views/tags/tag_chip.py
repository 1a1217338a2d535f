# SPDX-License-Identifier: MIT
"""A tag as a small button, with another button that removes it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QToolButton

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import ElidedButton, name_tool_button, tool_button
from focal_photos.browser.views.base.layouts import in_row
from focal_photos.browser.views.base.theme import Theme, set_property


class TagChip(QFrame):
    """One tag of the selection; dashed if only some of the photos carry it.

    Attributes
    ----------
    shows : tuple of str, int and int
        The tag, the number of photos that carry it, and the number of photos.
    """

    def __init__(self, session: Session, theme: Theme, tag: str, count: int, of: int) -> None:
        super().__init__()
        self._session = session
        self.shows = "", 0, 0
        self.setObjectName("chip")
        self.name = ElidedButton("chip-name", "")
        self.name.clicked.connect(self._answer)
        self.remove: QToolButton = tool_button(theme, "cross", "")
        self.remove.setObjectName("chipRemove")
        self.remove.setIconSize(self.remove.iconSize() * 0.66)
        self.remove.clicked.connect(lambda: session.targets.tag(remove=[self.shows[0]]))
        self.show_tag(tag, count, of)
        in_row(self.name, self.remove, margins=(3, 0, 2, 0), spacing=0, parent=self)
        self.remove.setHidden(session.read_only)

    def show_tag(self, tag: str, count: int, of: int) -> None:
        """Show another tag or other counts; reusing a chip takes a tenth of the time of a new one."""
        if self.shows == (tag, count, of):
            return
        self.name.setDown(False)  # a button must not be released as another one than it was pressed
        self.remove.setDown(False)
        self.shows = tag, count, of
        mixed = count < of
        self.name.show_text(tag, f"  {count}/{of}" if mixed else "")
        if mixed:
            tip = self.tr("{0} of {1} photos have this tag: click to add it to all").format(count, of)
            self.name.setToolTip(tool_tip(tip))
            self.name.setAccessibleName(self.tr("Add {0} to all {1} photos").format(tag, of))
        else:
            self.name.setToolTip(tool_tip(self.tr("Show all photos with the tag {0}").format(tag)))
            self.name.setAccessibleName(self.tr("Show all photos with the tag {0}").format(tag))
        name_tool_button(self.remove, self.tr("Remove {0}").format(tag))
        set_property(self, "mixed", mixed)
        set_property(self.name, "mixed", mixed)  # it follows the style sheet automatically

    def _answer(self) -> None:
        tag, count, of = self.shows
        if count < of:
            self._session.targets.tag(add=[tag])
        else:
            self._session.navigator.show_tag(tag)
