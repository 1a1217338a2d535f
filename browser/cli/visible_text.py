# SPDX-License-Identifier: MIT
"""Makes text from files and users safe for a terminal."""

from __future__ import annotations

import re
from typing import Final

# Control characters except line feed and tab, marks that change the text direction, and separators of lines and
# paragraphs. Undecodable bytes of file names, which are lone surrogates, are not included.
_INVISIBLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""Escape characters that would move the cursor, change colours or change the text direction.

    The escapes are Python's: ``\x1b``, ``\u202e``.
    """
    return _INVISIBLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
