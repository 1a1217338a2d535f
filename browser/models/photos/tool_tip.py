# SPDX-License-Identifier: MIT
"""Escaping of names in tool tips, where Qt renders HTML and reads the images that it refers to."""

from __future__ import annotations

import html


def tool_tip(text: str) -> str:
    """Return a text for a tool tip or message box, with any markup in file names or tags escaped."""
    if "<" not in text and "&" not in text:
        return text
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'
