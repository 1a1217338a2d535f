# SPDX-License-Identifier: MIT
"""Text queries in the filter field: ``text:a red boat``, ``text:"a red boat" tag:sea``."""

from __future__ import annotations

import re
from typing import Final

_TEXT: Final = re.compile(r'(?:^|(?<=\s))text:\s*(?:"([^"]*)"|(.*)$)', re.IGNORECASE | re.DOTALL)


def split_text(query: str) -> tuple[str, str | None]:
    """Return the filter without the text, and the text; None if there is none.

    A text in quotation marks ends with them, any other text with the query. Filter words come before the text, or
    after its closing quotation mark.
    """
    found = _TEXT.search(query)
    if found is None:
        return query, None
    text = found[1] if found[1] is not None else found[2]
    rest = f"{query[: found.start()]} {query[found.end() :]}"
    return " ".join(rest.split()), " ".join(text.split())
