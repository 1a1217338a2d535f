"""Text from files and people, as a terminal may show it."""

from __future__ import annotations

import re
from typing import Final

# Control characters without line feed and tab, marks that change the direction of the text around them, separators of
# lines and paragraphs. Bytes of file names that are no text are lone surrogates, which stay.
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""Return a text in which nothing moves the cursor, changes colours or turns the direction of reading.

    Such characters come as Python writes them: ``\x1b``, ``\u202e``.
    """
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
