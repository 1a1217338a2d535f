# SPDX-License-Identifier: MIT
"""Messages for failures of decoders: sentences, and "damaged" only for damage."""

from __future__ import annotations

import struct

import pytest

from focal_photos.features.decoding.damage import CUT_OFF, NO_SENSE, DamagedError, meaning
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.limits import (
    DecodeLimits,
    ImageError,
    IncompleteImageError,
    UnreadableImageError,
    UnsupportedFormatError,
)
from tests.features.damaged_files import mutated, seeds

SENTENCES = (
    "The file is damaged (",
    "The file is incomplete, its end is missing: copy or download it again.",
    "Focal cannot decode this variety of the format: save the image as JPEG or PNG.",
    "The file is not in an image format that Focal supports.",
    "The file is empty.",
    "The image declares ",
    "The image needs more memory than is available.",
    "This camera raw file is damaged or of an unknown kind: save the photo as JPEG or PNG.",
)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (IndexError("index out of range"), UnreadableImageError, "damaged (its pixels cannot be decoded)"),
        (KeyError(320), UnreadableImageError, "damaged (its pixels cannot be decoded)"),
        (DamagedError(NO_SENSE), UnreadableImageError, "damaged (its header is invalid)"),
        (DamagedError(CUT_OFF), IncompleteImageError, "incomplete"),
        (EOFError(), IncompleteImageError, "incomplete"),
        (struct.error("unpack requires a buffer of 8 bytes"), IncompleteImageError, "incomplete"),
        (OSError("image file is truncated (8 bytes not processed)"), IncompleteImageError, "incomplete"),
        (OSError("Truncated File Read"), IncompleteImageError, "incomplete"),
        (NotImplementedError(), UnsupportedFormatError, "variety"),
        (OSError("Unsupported BMP header type"), UnsupportedFormatError, "variety"),
        (ValueError("WEBP compression support is not configured"), UnsupportedFormatError, "variety"),
    ],
)
def test_errors_of_decoders_become_sentences(error: Exception, kind: type[ImageError], words: str) -> None:
    told = meaning(error)
    assert type(told) is kind
    assert words in str(told)
    assert str(told).startswith(SENTENCES)


@pytest.mark.parametrize("kind", list(seeds()))
def test_no_message_of_a_library_is_shown_to_the_user(kind: str) -> None:
    for number in range(60):
        try:
            decode(mutated(seeds()[kind], 3, number), limits=DecodeLimits(max_pixels=4_000_000))
        except ImageError as error:
            found = str(error)
            assert found.startswith(SENTENCES) or "are not supported" in found, found
