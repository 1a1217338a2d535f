"""Names in tool tips: Qt renders what looks like HTML there, and reads the pictures that it names."""

from __future__ import annotations

import html


def tool_tip(text: str) -> str:
    """Return what a tool tip, or a message box, shows as the text itself, be there markup in a file name or tag."""
    if "<" not in text and "&" not in text:
        return text
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'
