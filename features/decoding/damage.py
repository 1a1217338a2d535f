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

CUT_OFF: Final = "its end is missing"
NO_SENSE: Final = "its header is invalid"
CONTRADICTION: Final = "its headers contradict each other"
NO_PICTURE: Final = "it contains no picture"
NO_PALETTE: Final = "colours are missing in its palette"
OUT_OF_RANGE: Final = "its pixels are out of range"
NOT_DECODED: Final = "its pixels cannot be decoded"

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
        return UnreadableImageError(f"The file is damaged ({text}): copy it again, or use another copy.")
    if isinstance(error, DamagedError | EOFError | struct.error) or _TRUNCATED.search(text):
        return IncompleteImageError("The file is incomplete, its end is missing: copy or download it again.")
    if isinstance(error, NotImplementedError) or _UNSUPPORTED.search(text):
        return UnsupportedFormatError("Focal cannot decode this variety of the format: save the image as JPEG or PNG.")
    return UnreadableImageError(f"The file is damaged ({NOT_DECODED}): copy it again, or use another copy.")
