"""What photos can be ranked by that is not one photo of the library."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


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


Query = bytes | Path | TextQuery
"""The content of an image file, an image file, or a text."""
