# SPDX-License-Identifier: MIT
"""Keywords found in files: their fields, the tags that they denote, and reasons to doubt them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Final

from focal_photos.browser.catalog.facts.records import Names
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.features.metadata.metadata import Metadata


class Field(StrEnum):
    """Place in a photo's files that contains keywords."""

    SIDECAR = "sidecar"
    """All fields of XMP files beside the photo."""
    HIERARCHY = "hierarchy"
    """``lr:hierarchicalSubject``, ``digiKam:TagsList`` and similar fields inside the photo."""
    SUBJECT = "subject"
    """``dc:subject`` in the photo's XMP."""
    IPTC = "iptc"
    """IPTC keywords."""
    EXIF = "exif"
    """``XPKeywords``, written by Windows."""


class Doubt(StrEnum):
    """Reason why a keyword is rarely wanted as a tag."""

    NONE = ""
    YEAR = "year"
    """A year, date or other number."""
    CAMERA = "camera"
    """A camera or a part of its name."""
    RARE = "rare"
    """Found in a single photo."""


MAX_FEW_PHOTOS: Final = 5
"""Number of photos with keywords up to which keywords of a single photo are not rare."""

_NUMBER: Final = re.compile(r"\d{1,8}([-._:/ ]\d{1,4})*")
_MODEL: Final = re.compile(r"(eos |alpha )?(d\d{1,4}|\d{1,4}d|x-?[teh]\d{1,2}|z ?\d{1,2})( mark [iv]+)?", re.IGNORECASE)
_MAKERS: Final = frozenset(
    {"apple", "canon", "casio", "fujifilm", "gopro", "hasselblad", "kodak", "konica", "leica", "minolta", "nikon"}
    | {"olympus", "panasonic", "pentax", "ricoh", "samsung", "sigma", "sony"}
)


def keywords_of(metadata: Iterable[Metadata], *, hierarchical: bool = True, flat: bool = True) -> Names:
    """Return the names from several sources together, optionally only hierarchical or flat ones."""
    joined = Metadata().joined(*metadata)
    return (
        joined.hierarchical if hierarchical else (),
        joined.flat if flat else (),
        joined.cut if flat else (),
    )


def without_empty(fields: Mapping[Field, Names]) -> dict[str, Names]:
    """Return the fields that contain names."""
    return {str(field): names for field, names in fields.items() if any(names)}


def tags_in(fields: Mapping[str, Names], chosen: Collection[str]) -> tuple[str, ...]:
    """Return the tags denoted by the chosen fields together, without repetitions; for the rules see `metadata.py`.

    Names that are invalid as tags are left out.
    """
    parts = [
        Metadata(hierarchical=hierarchical, flat=flat, cut=cut)
        for field, (hierarchical, flat, cut) in fields.items()
        if field in chosen
    ]
    found: dict[str, None] = {}
    for name in Metadata().joined(*parts).tags:
        try:
            found[normalise(name)] = None
        except TagNameError:
            continue
    return tuple(found)


def doubt_about(name: str, cameras: Collection[str]) -> Doubt:
    """Return why a keyword is rarely wanted, judging by its name.

    Parameters
    ----------
    name : str
        Name of a tag; only the last level is examined.
    cameras : collection of str
        Cameras of the library's photos: "Canon EOS 40D".
    """
    last = name.rsplit("/", 1)[-1]
    if _NUMBER.fullmatch(last):
        return Doubt.YEAR
    words = fold(last).split()
    if fold(last) in _MAKERS or _MODEL.fullmatch(last):
        return Doubt.CAMERA
    for camera in cameras:
        whole = fold(camera).split()
        if any(whole[at : at + len(words)] == words for at in range(len(whole))):
            return Doubt.CAMERA
    return Doubt.NONE
