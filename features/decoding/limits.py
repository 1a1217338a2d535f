"""What is refused before decoding, the errors that say so, and the sizes that photos are decoded to.

Loads no decoder: who only hands photos on, limits them or says what became of them needs nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from focal_photos.features.decoding.display import Display

WORKING_SIDE: Final = 384
"""Longest side in pixels of the image that descriptors see."""


class ImageError(Exception):
    """A photo cannot be decoded; the message is one line for a person and names no path."""


class UnreadableImageError(ImageError):
    """The file cannot be opened, or it is empty, truncated, damaged or no image."""


class IncompleteImageError(UnreadableImageError):
    """The end of the file is missing."""


class UnsupportedFormatError(ImageError):
    """The file is of a kind that is not on the list of formats."""


class ImageTooLargeError(ImageError):
    """The header claims more pixels, or the file has more bytes, than the limits allow."""


@dataclass(frozen=True)
class DecodeLimits:
    """What is refused before decoding, and what is shown of files that hold more than one picture.

    Attributes
    ----------
    max_pixels : int
        Width times height.
    max_bytes : int
        Size of the file.
    display : Display
        Which part of images of measurements is shown, and how.
    partial : bool
        Whether the part of an incomplete JPEG or PNG file that can be decoded is taken for the photo; else such a file
        is refused.
    """

    max_pixels: int = 300_000_000
    max_bytes: int = 1 << 30
    display: Display = field(default_factory=Display)
    partial: bool = False


def fit_within(size: tuple[int, int], side: int) -> tuple[int, int]:
    """Return (width, height) scaled down to at most `side`, in proportion; each at least 1, never larger."""
    width, height = size
    scale = side / max(size)
    if scale >= 1:
        return size
    return max(1, round(width * scale)), max(1, round(height * scale))
