"""A mistake in a field: a frame around the field, and the reason as its tool tip."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from browser.views.base.theme import set_property


def show_field_error(field: QWidget, reason: str, tool_tip: str = "") -> None:
    """Frame a field and give the reason as its tool tip; an empty reason takes both back, leaving `tool_tip`."""
    set_property(field, "wrong", bool(reason))
    field.setToolTip(reason or tool_tip)
