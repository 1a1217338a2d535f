# SPDX-License-Identifier: MIT
"""Metadata of a photo from one source, and the rules for joining several sources.

Other programs write the same tag several times: as a full name into hierarchical fields (``animal|dog`` in
``lr:hierarchicalSubject``, ``animal/dog`` in ``digiKam:TagsList``), and for programs without hierarchies into flat
fields (``dc:subject``, IPTC keywords, XPKeywords), as ``dog`` or as ``animal`` and ``dog``, truncated to 64 bytes in
IPTC. `Metadata.tags` infers the tags:

1. Each full name in a hierarchical field is a tag, even if it has only one part.
2. A flat name is a tag too, unless a full name explains it: the flat name is one of its parts, or several consecutive
   parts.
3. A flat name that IPTC may have truncated is no tag if another name begins with it.
4. darktable's internal names (``darktable|format|jpg``) and their parts are no tags.

Case is ignored when flat names are compared with parts. A flat name with ``/`` or ``|`` that no full name explains is a
full name, since some programs write them so. In a full name, ``|`` is an ordinary character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

_SEPARATOR: Final = re.compile(r"[/|]")
_MAX_TEXT_LENGTH: Final = 200  # maximum length of a camera, lens or label, in characters
_MAX_NAME_PARTS: Final = 8  # maximum number of parts; of deeper names, only single parts explain flat names
_NOT_FOR_USERS: Final = "darktable"  # top level of darktable's internal names


@dataclass(frozen=True)
class Metadata:
    """Metadata of a photo from one source, or joined from several."""

    hierarchical: tuple[str, ...] = ()
    """Names from hierarchical fields, with ``/`` between the parts: "animal/dog", also "beach". They may be invalid as
    tags."""
    flat: tuple[str, ...] = ()
    """Names from flat fields: "dog"."""
    cut: tuple[str, ...] = ()
    """Names from a flat field that are about as long as its limit."""
    rating: int | None = None
    """-1 rejected, 0 none, 1 to 5."""
    label: str | None = None
    """Name in the other program: "Red"."""
    taken: datetime | None = None
    """Without time zone."""
    camera: str | None = None
    lens: str | None = None
    exposure: str | None = None
    """For the user: "1/250 s  f/2.8  ISO 400"."""
    latitude: float | None = None
    longitude: float | None = None
    """`latitude` and `longitude`: degrees, north and east positive; both or neither."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The denoted tags without repetitions, full names first; for the rules see the module docstring."""
        whole = {name: None for one in self.hierarchical if (name := whole_name(one.split("/")))}
        explained = {_fold(part) for name in whole for part in _sub_paths(name)}
        flat: dict[str, None] = {}
        for one in self.flat + self.cut:
            name = whole_name(_parts(one))
            if _fold(name) in explained or _fold(whole_name(one.split("/"))) in explained:
                continue
            if "/" in name:
                whole[name] = None
            elif name:
                flat[name] = None
        parts = {_fold(part) for name in whole for part in name.split("/")}
        short = {whole_name(_parts(one)) for one in self.cut}
        longer = [*flat, *(part for name in whole for part in (name, *name.split("/")))]
        kept = {
            name: None
            for name in flat
            if _fold(name) not in parts
            and not (name in short and any(other != name and other.startswith(name) for other in longer))
        }
        return tuple(name for name in {**whole, **kept} if not is_internal(name))

    def joined(self, *others: Metadata) -> Metadata:
        """Return the names of all sources in order, and each other value from the first source that has it."""
        every = (self, *others)
        values: dict[str, Any] = {}
        for one in fields(self):
            found = [getattr(metadata, one.name) for metadata in every]
            if isinstance(found[0], tuple):
                values[one.name] = tuple(dict.fromkeys(name for names in found for name in names))
            else:
                values[one.name] = next((value for value in found if value is not None), None)
        # A position is one value: latitude and longitude must come from the same source.
        for metadata in every:
            if metadata.latitude is not None and metadata.longitude is not None:
                values |= {"latitude": metadata.latitude, "longitude": metadata.longitude}
                break
        return Metadata(**values)


def one_line(text: str) -> str | None:
    """Return a field's text for the user: printable, single spaces, at most 200 characters; None if empty."""
    words = "".join(character if character.isprintable() else " " for character in text).split()
    return " ".join(words)[:_MAX_TEXT_LENGTH].strip() or None


def whole_name(parts: Iterable[str]) -> str:
    """Return a name with ``/`` between the parts, single spaces and no empty part; may be empty."""
    return "/".join(part for part in (" ".join(part.split()) for part in parts) if part)


def _fold(name: str) -> str:
    """Return the form by which flat names are compared with parts: composed and case-folded."""
    return unicodedata.normalize("NFC", name).casefold()


def _parts(name: str) -> list[str]:
    return _SEPARATOR.split(name)


def _sub_paths(name: str) -> Iterable[str]:
    """Yield each part and each run of consecutive parts of a full name: a, b, c, a/b, b/c, a/b/c."""
    parts = name.split("/")
    yield from parts
    yield name
    if len(parts) <= _MAX_NAME_PARTS:
        for start in range(len(parts)):
            yield from ("/".join(parts[start:end]) for end in range(start + 2, len(parts) + 1))


def is_internal(name: str) -> bool:
    """Return whether a full name is an internal name of darktable."""
    return name.split("/")[0] == _NOT_FOR_USERS and "/" in name
