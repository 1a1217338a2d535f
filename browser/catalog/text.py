# SPDX-License-Identifier: MIT
"""Texts of `focal_photos.text` in the catalogue: for a number of things, and as stored in a library."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any, Final

from focal_photos.text import Text as Text
from focal_photos.text import TextError as TextError

_STORED: Final = re.compile(r"(?:[^{}]|\{\d(?:!r)?(?::,|:\.?\d?[fg])?\})*")
"""Templates that may be read from a library: fields with a number, without attributes or long padding."""


def counted(number: int, one: str, many: str) -> Text:
    """Return a text for one thing, such as "1 photo", or for many, such as "{0} photos"."""
    return Text(one) if number == 1 else Text(many, number)


def to_stored(text: str) -> str:
    """Return the form in which a library stores a text: JSON of its template and arguments, if it has arguments."""
    return json.dumps(_parts(text), ensure_ascii=False) if getattr(text, "arguments", ()) else text


def from_stored(text: str) -> str:
    """Return a stored text; one that Focal did not write is returned unchanged."""
    if text.startswith('["'):
        with suppress(ValueError, TypeError, LookupError, OverflowError, RecursionError):
            return _text(json.loads(text))
    return text


def _parts(text: Any) -> list[Any]:
    return [text.template, *(_parts(one) if hasattr(one, "template") else one for one in text.arguments)]


def _text(parts: list[Any]) -> Text:
    template, *arguments = parts
    if not _STORED.fullmatch(template):
        raise ValueError(template)
    return Text(template, *(_text(one) if isinstance(one, list) else one for one in arguments))
