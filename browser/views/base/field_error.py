"""A mistake in a field: a frame around the field, and the reason as its tool tip."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from browser.models.photos.tool_tip import tool_tip
from browser.views.base.theme import set_property


def show_field_error(field: QWidget, reason: str, usual: str = "") -> None:
    """Frame a field and give the reason as its tool tip; an empty reason takes both back, leaving the `usual` one."""
    set_property(field, "wrong", bool(reason))
    field.setToolTip(tool_tip(reason or usual))
