# SPDX-License-Identifier: MIT
"""Decoding limits, decoding errors, and the sizes of decoded photos.

Loads no decoder, for modules that only pass photos on or report errors.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from focal_photos.features.decoding.display import Display
from focal_photos.text import TextError

WORKING_SIDE: Final = 384
"""Longest side in pixels of the image given to descriptors."""


class ImageError(TextError):
    """A photo cannot be decoded; the message is one line for the user and names no path."""


class UnreadableImageError(ImageError):
    """The file cannot be opened, or is empty, truncated, damaged or not an image."""


class IncompleteImageError(UnreadableImageError):
    """The end of the file is missing."""


class UnsupportedFormatError(ImageError):
    """The format of the file is not on the list."""


class ImageTooLargeError(ImageError):
    """The header claims more pixels, or the file has more bytes, than the limits allow."""


@dataclass(frozen=True)
class DecodeLimits:
    """Limits enforced before decoding, and display settings of files with more than one picture."""

    max_pixels: int = 300_000_000
    """Maximum width times height."""
    max_bytes: int = 1 << 30
    """Maximum file size."""
    display: Display = field(default_factory=Display)
    """Display settings of measured images."""
    partial: bool = False
    """Whether to decode the usable part of an incomplete JPEG or PNG file; otherwise the file is refused."""


def fit_within(size: tuple[int, int], side: int) -> tuple[int, int]:
    """Return (width, height) scaled down to at most `side`, in proportion; each at least 1, never larger."""
    width, height = size
    scale = side / max(size)
    if scale >= 1:
        return size
    return max(1, round(width * scale)), max(1, round(height * scale))
