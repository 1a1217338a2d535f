"""A tag as a small button, with another that removes it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button, tool_button
from focal_photos.browser.views.base.theme import Theme


class TagChip(QFrame):
    """One tag of the selection; dashed where only some of the photos carry it.

    Attributes
    ----------
    shows : tuple of str, int and int
        The tag, how many of the photos carry it, and how many photos there are.
    """

    def __init__(self, session: Session, theme: Theme, tag: str, count: int, of: int) -> None:
        super().__init__()
        self.shows = tag, count, of
        self.setObjectName("chip")
        mixed = count < of
        self.setProperty("mixed", mixed)
        self.name = button(f"{tag}  {count}/{of}" if mixed else tag, "chip-name")
        if mixed:
            tip = self.tr("{0} of {1} photos carry it: click to give it to all").format(count, of)
            self.name.setToolTip(tool_tip(tip))
            self.name.setAccessibleName(self.tr("Give {0} to all {1} photos").format(tag, of))
            self.name.clicked.connect(lambda: session.tag_targets(add=[tag]))
        else:
            self.name.setToolTip(self.tr("Show all photos with this tag"))
            self.name.setAccessibleName(self.tr("Show all photos with the tag {0}").format(tag))
            self.name.clicked.connect(lambda: session.navigator.show_tag(tag))
        self.remove: QToolButton = tool_button(theme, "cross", self.tr("Remove {0}").format(tag))
        self.remove.setObjectName("chipRemove")
        self.remove.setIconSize(self.remove.iconSize() * 0.66)
        self.remove.clicked.connect(lambda: session.tag_targets(remove=[tag]))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(3, 0, 2, 0)
        layout.setSpacing(0)
        layout.addWidget(self.name)
        layout.addWidget(self.remove)
        self.remove.setHidden(session.read_only)
