# SPDX-License-Identifier: MIT
"""Queries for a ranking other than a single photo of the library."""

from __future__ import annotations

from pathlib import Path

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.store.deferred import dataclass


@dataclass(frozen=True)
class TextQuery:
    """A text that describes the wanted photos, such as "a red boat".

    Parameters
    ----------
    text : str
        Repeated and surrounding spaces are removed, because judgements are stored by text.
    """

    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", " ".join(self.text.split()))


class DroppedImage(bytes):
    """Content of an image file that was dropped rather than pasted; the type determines the title of the query."""


Example = int | bytes | Path
"""A photo id, the content of an image file, or an image file."""


@dataclass(frozen=True)
class Examples:
    """Several examples of the wanted photos, and counter-examples."""

    like: tuple[Example, ...]
    unlike: tuple[Example, ...] = ()
    """`like` and `unlike`: examples, at least one, and counter-examples."""

    def __post_init__(self) -> None:
        if not self.like:
            raise ValueError("no example is like what is wanted")

    @property
    def photos(self) -> tuple[int, ...]:
        """Ids of the examples in the library; judgements are made against these."""
        return tuple(one for one in self.like if isinstance(one, int))


@dataclass(frozen=True)
class RegionQuery:
    """A region of an image: photos are ranked by the part that is most like it."""

    source: Example
    """The image."""
    region: Region

    @property
    def photo_id(self) -> int | None:
        """Id of the image if it is a photo of the library."""
        return self.source if isinstance(self.source, int) else None


Query = bytes | Path | TextQuery | Examples | RegionQuery
"""The content of an image file, an image file, a text, several examples, or a region of an image."""
