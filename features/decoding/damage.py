# SPDX-License-Identifier: MIT
"""Meaning of decoder errors: the file is damaged, truncated, or of an unsupported variety.

The error messages of other libraries ("index out of range") are never shown to the user.
"""

from __future__ import annotations

import re
import struct
from typing import Final

from focal_photos.features.decoding.limits import (
    ImageError,
    IncompleteImageError,
    UnreadableImageError,
    UnsupportedFormatError,
)
from focal_photos.text import Text

CUT_OFF: Final = Text("its end is missing")
NO_SENSE: Final = Text("its header is invalid")
CONTRADICTION: Final = Text("its headers contradict each other")
NO_PICTURE: Final = Text("it contains no picture")
NO_PALETTE: Final = Text("colours are missing in its palette")
OUT_OF_RANGE: Final = Text("its pixels are out of range")
NOT_DECODED: Final = Text("its pixels cannot be decoded")

_TRUNCATED: Final = re.compile(
    r"(?i)truncat|not enough (?:image )?data|unexpected end|end[- ]of[- ](?:file|stream)|premature|cut off|no end of"
    r"|expected to read|requires a buffer|bytes not processed|read error|end of data"
)
_UNSUPPORTED: Final = re.compile(r"(?i)unsupported|not supported|not implemented|not been built in|not configured")


class DamagedError(ValueError):
    """The file is damaged; the message is one of the phrases above."""


def meaning(error: Exception) -> ImageError:
    """Convert an error of a decoder to one with a message for the user.

    Parameters
    ----------
    error : Exception
        Error of any type: damaged data can make a decoder raise nearly anything.

    Returns
    -------
    UnreadableImageError or UnsupportedFormatError
    """
    text = str(error)
    if isinstance(error, DamagedError) and text != CUT_OFF:
        return UnreadableImageError("The file is damaged ({0}): copy it again, or use another copy.", text)
    if isinstance(error, DamagedError | EOFError | struct.error) or _TRUNCATED.search(text):
        return IncompleteImageError("The file is incomplete, its end is missing: copy or download it again.")
    if isinstance(error, NotImplementedError) or _UNSUPPORTED.search(text):
        return UnsupportedFormatError("Focal cannot decode this variety of the format: save the image as JPEG or PNG.")
    return UnreadableImageError("The file is damaged ({0}): copy it again, or use another copy.", NOT_DECODED)
