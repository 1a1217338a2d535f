"""What photos can be ranked by that is not one photo of the library."""

from __future__ import annotations

from pathlib import Path

from focal_photos.browser.catalog.store.deferred import dataclass


@dataclass(frozen=True)
class TextQuery:
    """A text that says what photos show: "a red boat".

    Parameters
    ----------
    text : str
        Spaces around and repeated ones are taken out: judgements are kept by the text.
    """

    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", " ".join(self.text.split()))


class DroppedImage(bytes):
    """The content of an image file that was dropped rather than pasted, which is what it is called after."""


Example = int | bytes | Path
"""A photo of the library by its id, the content of an image file, or an image file."""


@dataclass(frozen=True)
class Examples:
    """Several examples of what is wanted: like these, not like those.

    Attributes
    ----------
    like, unlike : tuple of Example
        At least one that is like what is wanted.
    """

    like: tuple[Example, ...]
    unlike: tuple[Example, ...] = ()

    def __post_init__(self) -> None:
        if not self.like:
            raise ValueError("no example is like what is wanted")

    @property
    def photos(self) -> tuple[int, ...]:
        """The photos of the library that are like what is wanted: what is judged is judged against these."""
        return tuple(one for one in self.like if isinstance(one, int))


Query = bytes | Path | TextQuery | Examples
"""The content of an image file, an image file, a text, or several examples."""
