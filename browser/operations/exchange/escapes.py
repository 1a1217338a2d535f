r"""Names in text files: characters that are not seen are written as ``\u`` and four hexadecimal digits.

Names of files and tags may hold control characters, marks that turn the direction of reading, and bytes that are no
UTF-8. A terminal or spreadsheet that shows the file must not obey them. `unescaped` gives the same name back. A
backslash is escaped (``\u005c``) only where it would be read as the beginning of an escape: paths of Windows stay as
they are.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

# Control characters without NUL, which no name has; marks of direction; ends of lines and paragraphs; lone surrogates,
# which stand for bytes that are no UTF-8.
UNSEEN: Final = "\x01-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""The characters that are escaped, as a part of a class of a regular expression."""

_BACKSLASH: Final = "\\"
_IS_UNSEEN: Final = re.compile(f"[{UNSEEN}]")
_READ: Final = re.compile(f"[{UNSEEN}{_BACKSLASH * 2}]")
_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})")


def escaped(text: str) -> str:
    """Return a text without unseen characters, which `unescaped` turns back."""
    return _IS_UNSEEN.sub(lambda found: _as_escape(found[0]), _ESCAPE.sub(_with_backslash_escaped, text))


def unescaped(text: str) -> str:
    """Return the text that `escaped` was given; other backslashes stay as they are."""
    return _ESCAPE.sub(_read, text)


def dumped(document: Any) -> str:
    """Return a document as one line of JSON in ASCII, in which no control character is left as it is."""
    return json.dumps(document).replace("\x7f", "\\u007f")  # the only one that JSON allows


def _as_escape(character: str) -> str:
    return f"\\u{ord(character):04x}"


def _read(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if _READ.match(character) else found[0]


def _with_backslash_escaped(found: re.Match[str]) -> str:
    return found[0] if _read(found) == found[0] else _as_escape(_BACKSLASH) + found[0][1:]
