"""What is known about one photo from a field of its file or from a sidecar, and how several of these are joined.

Other programs write the same tag several times: as a whole name into a field that holds hierarchies (``animal|dog`` in
``lr:hierarchicalSubject``, ``animal/dog`` in ``digiKam:TagsList``), and again, for programs that know no hierarchies,
into flat fields (``dc:subject``, IPTC keywords, XPKeywords): as ``dog``, or as ``animal`` and ``dog``, cut off at 64
bytes in IPTC. `Metadata.tags` says which tags are meant:

1. Every whole name of a field with hierarchies is a tag, be it of one part: there the other program says what it
   means.
2. A flat name is a tag too, hierarchies or not, unless a whole name explains it: it is one of its parts, or several
   that follow each other.
3. A flat name that IPTC may have cut off is none if another name begins with it.
4. What darktable keeps for itself (``darktable|format|jpg``) is no tag, and its parts are none either.

Whether a flat name is a part is told without regard to case. A flat name with ``/`` or ``|`` that no whole name
explains is a whole name, as some programs write them; in a whole name ``|`` is a character as any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

from focal_photos.browser.catalog.store.schema.functions import fold

_SEPARATOR: Final = re.compile(r"[/|]")
_LONGEST: Final = 200  # characters of a camera, a lens, a label
_DEEP: Final = 8  # parts; of a name of more, which no person gives, only the single ones explain
_NOT_FOR_PERSONS: Final = "darktable"  # top of what it keeps for itself


@dataclass(frozen=True)
class Metadata:
    """What one source, or several joined, say about a photo.

    Attributes
    ----------
    hierarchical : tuple of str
        Names from fields that hold hierarchies, with ``/`` between the parts: "animal/dog", also "beach". Names need
        not be such that a tag can have.
    flat : tuple of str
        Names from fields that hold none: "dog".
    cut : tuple of str
        Names from a flat field that have the length at which this field cuts names off, or nearly.
    rating : int or None
        -1 rejected, 0 none, 1 to 5.
    label : str or None
        As the other program calls it: "Red".
    taken : datetime or None
        Without time zone.
    camera, lens : str or None
    exposure : str or None
        For a person: "1/250 s  f/2.8  ISO 400".
    latitude, longitude : float or None
        Degrees, north and east positive; both or neither.
    """

    hierarchical: tuple[str, ...] = ()
    flat: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    rating: int | None = None
    label: str | None = None
    taken: datetime | None = None
    camera: str | None = None
    lens: str | None = None
    exposure: str | None = None
    latitude: float | None = None
    longitude: float | None = None

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that are meant, each once, whole names first: see the rules at the top of this file."""
        whole = {name: None for one in self.hierarchical if (name := whole_name(one.split("/")))}
        explained = {fold(part) for name in whole for part in _sub_paths(name)}
        flat: dict[str, None] = {}
        for one in self.flat + self.cut:
            name = whole_name(_parts(one))
            if fold(name) in explained or fold(whole_name(one.split("/"))) in explained:
                continue
            if "/" in name:
                whole[name] = None
            elif name:
                flat[name] = None
        parts = {fold(part) for name in whole for part in name.split("/")}
        short = {whole_name(_parts(one)) for one in self.cut}
        longer = [*flat, *(part for name in whole for part in (name, *name.split("/")))]
        kept = {
            name: None
            for name in flat
            if fold(name) not in parts
            and not (name in short and any(other != name and other.startswith(name) for other in longer))
        }
        return tuple(name for name in {**whole, **kept} if not is_internal(name))

    def joined(self, *others: Metadata) -> Metadata:
        """Return all names of this and the others, in order, and of all else what the first one says that says it."""
        every = (self, *others)
        values: dict[str, Any] = {}
        for one in fields(self):
            found = [getattr(metadata, one.name) for metadata in every]
            if isinstance(found[0], tuple):
                values[one.name] = tuple(dict.fromkeys(name for names in found for name in names))
            else:
                values[one.name] = next((value for value in found if value is not None), None)
        # A place is one thing: never the latitude of one source with the longitude of another.
        for metadata in every:
            if metadata.latitude is not None and metadata.longitude is not None:
                values |= {"latitude": metadata.latitude, "longitude": metadata.longitude}
                break
        return Metadata(**values)


def one_line(text: str) -> str | None:
    """Return the text of a field for a person: printable, single blanks, 200 characters at most; None if empty."""
    words = "".join(character if character.isprintable() else " " for character in text).split()
    return " ".join(words)[:_LONGEST].strip() or None


def whole_name(parts: Iterable[str]) -> str:
    """Return a name with ``/`` between the parts, single blanks and no empty part; empty if nothing is left."""
    return "/".join(part for part in (" ".join(part.split()) for part in parts) if part)


def _parts(name: str) -> list[str]:
    return _SEPARATOR.split(name)


def _sub_paths(name: str) -> Iterable[str]:
    """Yield the parts of a whole name and all that follow each other, itself too: a, b, c, a/b, b/c, a/b/c."""
    parts = name.split("/")
    yield from parts
    yield name
    if len(parts) <= _DEEP:
        for start in range(len(parts)):
            yield from ("/".join(parts[start:end]) for end in range(start + 2, len(parts) + 1))


def is_internal(name: str) -> bool:
    """Return whether a whole name is one that darktable keeps for itself."""
    return name.split("/")[0] == _NOT_FOR_PERSONS and "/" in name
