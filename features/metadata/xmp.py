# SPDX-License-Identifier: MIT
"""Parse XMP packets, and merge Focal's data into them.

Tags are read from all fields that programs use, and written to three:

* ``dc:subject`` (Bag), flat: the last part of each tag, as in digiKam and darktable, and in Lightroom if parents are
  not exported. If the parents were included, programs without hierarchies would show "animal" as a keyword that nobody
  gave, and removing "animal/dog" would leave it.
* ``lr:hierarchicalSubject`` (Bag), ``animal|dog``: Lightroom, darktable, Capture One, digiKam.
* ``digiKam:TagsList`` (Seq), ``animal/dog``: digiKam reads this field first.

The last two also contain tags of one part, as in digiKam: a flat "dog" beside "animal|dog" would otherwise count as its
part (`features.metadata.metadata`). A removed tag is removed from all fields that are read, so that it does not return.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from lxml import etree

from focal_photos.features.metadata.metadata import Metadata, is_internal, whole_name
from focal_photos.features.metadata.xmp_packet import (
    Element,
    Packet,
    XmpError,
    add_item,
    items,
    parse_hardened,
    remove,
    text_of,
)

__all__ = ["XmpError", "can_be_written", "merge_xmp", "new_packet", "parse_xmp"]

T = TypeVar("T")

_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_XMP: Final = "{http://ns.adobe.com/xap/1.0/}"
_LIGHTROOM: Final = "{http://ns.adobe.com/lightroom/1.0/}"
_DIGIKAM: Final = "{http://www.digikam.org/ns/1.0/}"
_MICROSOFT: Final = ("{http://ns.microsoft.com/photo/1.0/}", "{http://ns.microsoft.com/photo/1.0}")
_MEDIA_PRO: Final = "{http://ns.iview-multimedia.com/mediapro/1.0/}"
_ACDSEE: Final = "{http://ns.acdsee.com/iptc/1.0/}"
_EXIF: Final = "{http://ns.adobe.com/exif/1.0/}"
_TIFF: Final = "{http://ns.adobe.com/tiff/1.0/}"
_AUX: Final = "{http://ns.adobe.com/exif/1.0/aux/}"
_EXIF_EX: Final = "{http://cipa.jp/exif/1.0/}"
_PHOTOSHOP: Final = "{http://ns.adobe.com/photoshop/1.0/}"


@dataclass(frozen=True)
class _Field:
    """A field of tags: the spellings of its property, and the separator of its names (None for flat fields)."""

    names: tuple[str, ...]
    separator: str | None = None

    def name_of(self, text: str) -> str:
        """Return the name in an item, in the form of `Metadata`."""
        return text if self.separator is None else whole_name(text.split(self.separator))


_SUBJECT: Final = _Field((f"{_DC}subject",))
_LIGHTROOM_TAGS: Final = _Field((f"{_LIGHTROOM}hierarchicalSubject",), "|")
_DIGIKAM_TAGS: Final = _Field((f"{_DIGIKAM}TagsList",), "/")
_HIERARCHICAL: Final = (_LIGHTROOM_TAGS, _DIGIKAM_TAGS, _Field((f"{_MEDIA_PRO}CatalogSets",), "|"))
_FLAT: Final = (
    _SUBJECT,
    _Field(tuple(f"{one}LastKeywordXMP" for one in _MICROSOFT)),
    _Field(tuple(f"{one}LastKeywordIPTC" for one in _MICROSOFT)),
)
_CATEGORIES: Final = (f"{_ACDSEE}categories",)
_CATEGORIES_SIZE: Final = 2**20  # characters
_MOST_NAMES: Final = 10_000
_RATING: Final = f"{_XMP}Rating"
_LABEL: Final = f"{_XMP}Label"
_PERCENT: Final = tuple(f"{one}Rating" for one in _MICROSOFT)
_STARS_IN_PERCENT: Final = (0, 1, 25, 50, 75, 99)  # written by Windows for each number of stars
_NOT_IN_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # not in XML 1.0

_EMPTY_PACKET: Final = (
    b'<?xpacket begin="\xef\xbb\xbf" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
    b'<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Focal">\n'
    b' <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
    b'  <rdf:Description rdf:about=""\n'
    b'    xmlns:dc="http://purl.org/dc/elements/1.1/"\n'
    b'    xmlns:digiKam="http://www.digikam.org/ns/1.0/"\n'
    b'    xmlns:lr="http://ns.adobe.com/lightroom/1.0/"\n'
    b'    xmlns:xmp="http://ns.adobe.com/xap/1.0/"/>\n'
    b" </rdf:RDF>\n"
    b"</x:xmpmeta>\n"
    b'<?xpacket end="w"?>\n'
)


# ---------------------------------------------------------------------- reading
def parse_xmp(packet: bytes) -> Metadata:
    """Parse an XMP packet.

    Tags come from ``dc:subject``, ``lr:hierarchicalSubject``, ``digiKam:TagsList``, ``mediapro:CatalogSets``,
    ``MicrosoftPhoto:LastKeywordXMP`` and ``LastKeywordIPTC``, and ``acdsee:categories`` together. All prefixes are
    accepted, properties as attributes or elements, in one or several ``rdf:Description``, and Bag, Seq and Alt
    interchangeably.

    Parameters
    ----------
    packet : bytes
        Content of a sidecar, or a packet embedded in a photo.

    Raises
    ------
    XmpError
        As for `Packet`.
    """
    return _metadata(Packet(packet))


def _metadata(packet: Packet) -> Metadata:
    hierarchical, flat = _names(packet)
    latitude = _first(packet, (f"{_EXIF}GPSLatitude",), lambda text: _degrees(text, "NS", 90))
    longitude = _first(packet, (f"{_EXIF}GPSLongitude",), lambda text: _degrees(text, "EW", 180))
    if latitude is None or longitude is None:
        latitude = longitude = None
    rating = _first(packet, (_RATING,), _stars)
    dates = (f"{_EXIF}DateTimeOriginal", f"{_PHOTOSHOP}DateCreated", f"{_EXIF}DateTimeDigitized", f"{_XMP}CreateDate")
    return Metadata(
        hierarchical=tuple(dict.fromkeys(hierarchical)),
        flat=tuple(dict.fromkeys(flat)),
        rating=_first(packet, _PERCENT, _stars_of_percent) if rating is None else rating,
        label=_first(packet, (_LABEL,), _words),
        taken=_first(packet, dates, _moment),
        camera=_first(packet, (f"{_TIFF}Model",), _words),
        lens=_first(packet, (f"{_EXIF_EX}LensModel", f"{_AUX}Lens"), _words),
        exposure=_exposure(packet),
        latitude=latitude,
        longitude=longitude,
    )


def _names(packet: Packet) -> tuple[list[str], list[str]]:
    """Return the names in hierarchical fields, and those in flat fields."""
    hierarchical = [field.name_of(text) for field in _HIERARCHICAL for text in packet.values(field.names)]
    for text in packet.values(_CATEGORIES):
        tree = _categories(text)
        if tree is not None:
            hierarchical += [name for name, _ in _assigned(tree)]
    flat = [text for field in _FLAT for text in packet.values(field.names)]
    if max(len(set(hierarchical)), len(set(flat))) > _MOST_NAMES:
        raise XmpError("It lists more than {0:,} keywords, which is not plausible.", _MOST_NAMES)
    return [name for name in hierarchical if name], [text for text in flat if text.strip()]


def _first(packet: Packet, names: tuple[str, ...], understand: Callable[[str], T | None]) -> T | None:
    """Return the first valid value among the properties, in order."""
    for name in names:
        for text in packet.values((name,)):
            found = understand(text.strip())
            if found is not None:
                return found
    return None


def _words(text: str) -> str | None:
    return " ".join(text.split()) or None


def _number(text: str) -> float | None:
    """Return a finite number from a decimal or a fraction (``28/10``)."""
    above, _, below = text.partition("/")
    try:
        value = float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        return None
    return value if math.isfinite(value) else None


def _stars(text: str) -> int | None:
    value = _number(text)
    if value is None:
        return None
    return -1 if value < 0 else min(5, math.floor(value + 0.5))


def _stars_of_percent(text: str) -> int | None:
    """Return the stars that Windows shows for ``MicrosoftPhoto:Rating``, 0 to 99."""
    value = _number(text)
    if value is None or value < 0:
        return None
    return sum(value >= least for least in (1, 13, 38, 63, 88))


def _moment(text: str) -> datetime | None:
    """Return the local time of a date in ISO 8601 or EXIF format; None if it has no day."""
    text = re.sub(r"^(\d{4}):(\d\d):(\d\d)", r"\1-\2-\3", text)
    if not re.match(r"\d{4}-\d\d-\d\d", text):
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


def _degrees(text: str, hemispheres: str, most: int) -> float | None:
    """Return an angle written as ``48,51.29N``, ``48,51,17.4N`` or in decimals, negative in the south and west."""
    found = re.fullmatch(r"([+-]?[\d./]+)(?:,([\d./]+))?(?:,([\d./]+))?\s*([A-Za-z]?)", text)
    if found is None:
        return None
    side = found[4].upper()
    if side and side not in hemispheres:
        return None
    degrees, minutes, seconds = (_number(part or "0") for part in found.group(1, 2, 3))
    if degrees is None or minutes is None or seconds is None or minutes >= 60 or seconds >= 60:
        return None
    angle = math.copysign(abs(degrees) + minutes / 60 + seconds / 3600, -1 if text.startswith("-") else 1)
    if side == hemispheres[1]:
        angle = -angle
    return angle if abs(angle) <= most else None


def _exposure(packet: Packet) -> str | None:
    seconds = _first(packet, (f"{_EXIF}ExposureTime",), _number)
    aperture = _first(packet, (f"{_EXIF}FNumber",), _number)
    speeds = (f"{_EXIF}ISOSpeedRatings", f"{_EXIF_EX}PhotographicSensitivity")
    speed = _first(packet, speeds, _number)
    said = []
    if seconds is not None and seconds > 0:
        said.append(f"1/{round(1 / seconds)} s" if seconds < 0.3 else f"{seconds:g} s")
    if aperture is not None and aperture > 0:
        said.append(f"f/{aperture:g}")
    if speed is not None and speed > 0:
        said.append(f"ISO {speed:.0f}")
    return "  ".join(said) or None


# ---------------------------------------------------------------------- ACDSee
def _categories(text: str) -> Element | None:
    """Return the tree of ``acdsee:categories``, which is XML inside a text; None if invalid."""
    if not text.strip() or len(text) > _CATEGORIES_SIZE:
        return None
    try:
        tree = parse_hardened(text)
    except XmpError:
        return None
    return tree if tree.tag == "Categories" else None


def _assigned(tree: Element) -> list[tuple[str, Element]]:
    """Return the categories assigned to the photo, by full name; the others are only their parents."""
    found: list[tuple[str, Element]] = []
    left = [(child, "") for child in tree.iterchildren("Category")]
    while left:
        element, above = left.pop(0)
        name = whole_name((above, element.text or ""))
        if element.get("Assigned") == "1" and name:
            found.append((name, element))
        left += [(child, name) for child in element.iterchildren("Category")]
    return found


def _without_categories(text: str, gone: Callable[[str], bool]) -> str | None:
    """Return the tree as text without some names; None if no category remains; `text` itself if unchanged."""
    tree = _categories(text)
    taken = [] if tree is None else [element for name, element in _assigned(tree) if gone(name)]
    if tree is None or not taken:
        return text
    for element in taken:
        element.set("Assigned", "0")
        while element.tag == "Category" and element.get("Assigned") != "1" and not len(element):
            above = element.getparent()
            remove(element)
            element = above
    return str(etree.tostring(tree, encoding="unicode", with_tail=False)) if len(tree) else None


# ---------------------------------------------------------------------- merging
def can_be_written(tag: str) -> bool:
    """Return whether a tag survives a sidecar unchanged: all characters are valid in XML.

    Tags below ``darktable/`` do not, because darktable uses them internally.
    """
    return bool(tag) and whole_name(tag.split("/")) == tag and not is_internal(tag) and not _NOT_IN_XML.search(tag)


def new_packet() -> bytes:
    """Return a packet without data."""
    return _EMPTY_PACKET


def merge_xmp(
    packet: bytes | None,
    tags: Iterable[str] = (),
    rating: int | None = None,
    label: str | None = None,
    *,
    removed: Iterable[str] = (),
) -> bytes:
    """Merge tags, rating and label into a packet.

    All data unknown to Focal stay in place and order. Existing data are not written again: merging twice has the same
    result as once, and without changes the original bytes are returned. ``parse_xmp`` of the result yields the former
    tags and `tags`, without those `removed`.

    Parameters
    ----------
    packet : bytes or None
        None for a new one.
    tags : iterable of str
        Full names of tags to include ("animal/dog").
    rating : int or None
        -1 (rejected), 0 (none) to 5; None: unchanged.
    label : str or None
        Empty: removes the label; None: unchanged.
    removed : iterable of str
        Tags to remove from all fields that are read; those also in `tags` stay.

    Returns
    -------
    bytes
        Empty for a new packet without data.

    Raises
    ------
    XmpError
        As for `Packet`, or if a tag or label cannot be written to XML (see `can_be_written`).
    """
    document = Packet(_EMPTY_PACKET if packet is None else packet)
    hierarchical, flat = _names(document)
    now = {_key(name): name for name in Metadata(tuple(hierarchical), tuple(flat)).tags}
    added = {_key(tag): tag for tag in tags}
    for tag in added.values():
        if not can_be_written(tag):
            raise XmpError("The tag {0!r} cannot be written to XMP.", tag)
    gone = {_key(tag) for tag in removed} - added.keys()
    wanted = {key: name for key, name in now.items() if key not in gone} | {
        key: name for key, name in added.items() if key not in now
    }
    if len(wanted) > _MOST_NAMES:
        raise XmpError("More than {0:,} keywords are not written: no program would read them.", _MOST_NAMES)
    changed = wanted.keys() != now.keys()
    if changed:
        _write_tags(document, wanted)
    changed |= _write_rating(document, rating)
    changed |= _write_label(document, label)
    if not changed:
        return b"" if packet is None else packet
    return document.to_bytes()


def _key(name: str) -> str:
    """Return the normal form by which names are compared: composed, as in the library."""
    return unicodedata.normalize("NFC", name)


def _write_tags(document: Packet, wanted: dict[str, str]) -> None:
    """Set the tags of a packet to the wanted ones, given as names by key."""
    for field in _HIERARCHICAL:
        _remove_names(document, field, lambda name: _is_tag(name) and _key(name) not in wanted)
    for text_holder, name, text in _category_texts(document):
        left = _without_categories(text, lambda one: _is_tag(one) and _key(one) not in wanted)
        if left is None:
            document.remove_property(_CATEGORIES)
        elif left != text:
            _put(text_holder, name, left)
    bars = [name.replace("/", "|") for name in wanted.values() if "|" not in name]
    _add_names(document, _LIGHTROOM_TAGS, "lr", "Bag", bars)
    _add_names(document, _DIGIKAM_TAGS, "digiKam", "Seq", list(wanted.values()))
    while _remove_flat(document, wanted):  # a removed flat name may have explained others
        pass
    _add_names(document, _SUBJECT, "dc", "Bag", [name.rpartition("/")[2] for name in wanted.values()])


def _remove_flat(document: Packet, wanted: dict[str, str]) -> int:
    """Remove the flat names that are unwanted tags; return their number."""
    hierarchical, flat = _names(document)
    unwanted = {_key(name) for name in Metadata(tuple(hierarchical), tuple(flat)).tags} - wanted.keys()
    if not unwanted:
        return 0
    return sum(
        _remove_names(document, field, lambda text: not unwanted.isdisjoint(map(_key, Metadata(flat=(text,)).tags)))
        for field in _FLAT
    )


def _is_tag(name: str) -> bool:
    return bool(name) and not is_internal(name)


def _remove_names(document: Packet, field: _Field, gone: Callable[[str], bool]) -> int:
    """Remove items of a field by name; return their number."""
    removed = 0
    for one, attribute in document.attributes(field.names):
        if gone(field.name_of(one.get(attribute))):
            document.remove_attribute(one, attribute)
            removed += 1
    for element in document.elements(field.names):
        for item in items(element):
            if gone(field.name_of(text_of(item))):
                document.remove_item(item, element)
                removed += 1
    return removed


def _add_names(document: Packet, field: _Field, prefix: str, kind: str, texts: Sequence[str]) -> None:
    """Add the texts that a field lacks."""
    there = {_key(field.name_of(" ".join(text.split()))) for text in document.values(field.names)}
    lacking = [text for text in dict.fromkeys(texts) if _key(field.name_of(text)) not in there]
    if not lacking:
        return
    singles = []
    for one, attribute in document.attributes(field.names):
        singles.append(one.get(attribute))
        document.remove_attribute(one, attribute)
    elements = document.elements(field.names)
    element = elements[0] if elements else document.add_property(field.names[0], prefix)
    for text in singles + lacking:
        add_item(element, kind, text)


def _category_texts(document: Packet) -> list[tuple[Element, str | None, str]]:
    """Return each place of ``acdsee:categories``: element, attribute (None: its text) and content."""
    found: list[tuple[Element, str | None, str]] = [
        (one, name, one.get(name)) for one, name in document.attributes(_CATEGORIES)
    ]
    return found + [(one, None, text_of(one)) for one in document.elements(_CATEGORIES)]


def _put(element: Element, attribute: str | None, text: str) -> None:
    if attribute is None:
        for child in list(element):
            element.remove(child)
        element.text = text
    else:
        element.set(attribute, text)


def _write_rating(document: Packet, rating: int | None) -> bool:
    """Set the rating; return whether it changed."""
    own = _first(document, (_RATING,), _stars)
    now = _first(document, _PERCENT, _stars_of_percent) if own is None else own
    if rating is None or rating == (now or 0):
        return False
    if own is not None or rating:
        document.set_property(_RATING, "xmp", str(rating))
    for name in _PERCENT:  # shown by Windows
        if rating <= 0:
            document.remove_property((name,))
        elif any(True for _ in document.values((name,))):
            document.set_property(name, "MicrosoftPhoto", str(_STARS_IN_PERCENT[rating]))
    return True


def _write_label(document: Packet, label: str | None) -> bool:
    """Set the label; return whether it changed."""
    now = _first(document, (_LABEL,), _words)
    if label is None or " ".join(label.split()) == (now or ""):
        return False
    if _NOT_IN_XML.search(label):
        raise XmpError("The label {0!r} cannot be written to XMP.", label)
    if label.strip():
        document.set_property(_LABEL, "xmp", " ".join(label.split()))
    else:
        document.remove_property((_LABEL,))
    return True
