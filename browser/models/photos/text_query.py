"""A text to rank by that stands in the field of the filter: ``text:a red boat``, ``text:"a red boat" tag:sea``."""

from __future__ import annotations

import re
from typing import Final

_TEXT: Final = re.compile(r'(?:^|(?<=\s))text:\s*(?:"([^"]*)"|(.*)$)', re.IGNORECASE | re.DOTALL)


def split_text(query: str) -> tuple[str, str | None]:
    """Return the filter without the text, and the text; None where there is none.

    In quotation marks a text ends with them, otherwise with the query: words of a filter come before it, or after
    the quotation marks.
    """
    found = _TEXT.search(query)
    if found is None:
        return query, None
    text = found[1] if found[1] is not None else found[2]
    rest = f"{query[: found.start()]} {query[found.end() :]}"
    return " ".join(rest.split()), " ".join(text.split())
