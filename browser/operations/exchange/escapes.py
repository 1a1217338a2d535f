# SPDX-License-Identifier: MIT
r"""Escape invisible characters in text files as ``\u`` and four hexadecimal digits.

Names of files and tags may contain control characters, direction marks, and bytes that are not UTF-8, which must not
affect a terminal or spreadsheet. `unescaped` restores the name. A backslash is escaped (``\u005c``) only if it would be
read as the start of an escape, so that Windows paths stay unchanged.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

# Control characters without NUL, which no name contains; direction marks; ends of lines and paragraphs; lone
# surrogates, which represent bytes that are not UTF-8.
INVISIBLE: Final = "\x01-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""The escaped characters, as a part of a regular expression's character class."""

_BACKSLASH: Final = "\\"
_IS_UNSEEN: Final = re.compile(f"[{INVISIBLE}]")
_READ: Final = re.compile(f"[{INVISIBLE}{_BACKSLASH * 2}]")
_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})")


def escaped(text: str) -> str:
    """Return a text with invisible characters escaped; `unescaped` reverses it."""
    return _IS_UNSEEN.sub(lambda found: _as_escape(found[0]), _ESCAPE.sub(_with_backslash_escaped, text))


def unescaped(text: str) -> str:
    """Return the original of an `escaped` text; other backslashes stay."""
    return _ESCAPE.sub(_read, text)


def dumped(document: Any) -> str:
    """Return a document as one line of JSON in ASCII, without raw control characters."""
    return json.dumps(document).replace("\x7f", "\\u007f")  # the only one that JSON allows


def _as_escape(character: str) -> str:
    return f"\\u{ord(character):04x}"


def _read(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if _READ.match(character) else found[0]


def _with_backslash_escaped(found: re.Match[str]) -> str:
    return found[0] if _read(found) == found[0] else _as_escape(_BACKSLASH) + found[0][1:]
