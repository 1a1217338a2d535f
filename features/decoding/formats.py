# SPDX-License-Identifier: MIT
"""The supported file formats: signatures and decoders.

For camera raw files see `features.decoding.decoders.raw`.

Pillow's `Image.open` is not used, because it would try every format that it knows, including Ghostscript's, and its
limit on pixels is global to the process.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import IO, Final

from PIL import (
    GifImagePlugin,
    ImageFile,
    JpegImagePlugin,
    WebPImagePlugin,
)

from focal_photos.features.decoding.decoders.avif import open_avif
from focal_photos.features.decoding.decoders.bmp import Bitmap, open_bitmap
from focal_photos.features.decoding.decoders.dicom_signature import DICOM_SUFFIXES, can_decode
from focal_photos.features.decoding.decoders.jpeg2000 import Jpeg2000
from focal_photos.features.decoding.decoders.netpbm import Netpbm, is_surely_netpbm
from focal_photos.features.decoding.decoders.photoshop import Photoshop
from focal_photos.features.decoding.decoders.png import open_png
from focal_photos.features.decoding.decoders.raw import RAW_SUFFIXES, has_raw_signature, holds_picture
from focal_photos.features.decoding.decoders.targa import Targa, is_surely_targa
from focal_photos.features.decoding.decoders.tiff import open_tiff
from focal_photos.text import Text

Opener = Callable[[IO[bytes]], ImageFile.ImageFile]

IMAGE_SUFFIXES: Final = frozenset(
    {
        *(".jpg", ".jpeg", ".jpe", ".jfif", ".mpo"),
        *(".png", ".apng"),
        ".webp",
        *(".tif", ".tiff"),
        ".gif",
        *(".bmp", ".dib"),
        *(".avif", ".avifs"),
        *(".heic", ".heif", ".hif"),
        *(".jp2", ".j2k", ".j2c", ".jpc", ".jpf", ".jpx"),
        *(".psd", ".psb"),
        *(".ppm", ".pgm", ".pbm", ".pnm"),
        ".tga",
        *RAW_SUFFIXES,
        *(DICOM_SUFFIXES if can_decode() else ()),
    }
)
"""Suffixes, in lower case and with the dot, of files that may be photos."""


def _open_heif(stream: IO[bytes]) -> ImageFile.ImageFile:
    """Open with libheif, which rotates and mirrors the pixels and then reports a normal orientation."""
    from pi_heif import HeifImageFile  # deferred: most libraries contain no HEIF files

    opened: ImageFile.ImageFile = HeifImageFile(stream)  # the class only: nothing is registered with Pillow
    return opened


_FORMATS: Final[tuple[tuple[re.Pattern[bytes], Opener], ...]] = (
    (re.compile(rb"\xff\xd8\xff"), JpegImagePlugin.jpeg_factory),  # including several pictures in one file (MPO)
    (re.compile(rb"\x89PNG\r\n\x1a\n"), open_png),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), WebPImagePlugin.WebPImageFile),
    (re.compile(rb"II[*+]\0|MM\0[*+]"), open_tiff),
    (re.compile(rb"GIF8[79]a"), GifImagePlugin.GifImageFile),
    (re.compile(rb"BM"), open_bitmap),
    # Without a file header: header size, width and height, one plane, bits per pixel.
    (re.compile(rb"[\x28\x34\x38\x6c\x7c]\0\0\0.{8}\x01\0[\x01\x02\x04\x08\x10\x18\x20]\0", re.DOTALL), Bitmap),
    (re.compile(rb"\x0c\0\0\0.{4}\x01\0[\x01\x02\x04\x08\x18]\0", re.DOTALL), Bitmap),
    # The major brand may be general (mif1), with avif among the compatible brands that follow.
    (re.compile(rb"....ftyp(?:.{4}){0,12}?(?:avif|avis)", re.DOTALL), open_avif),
    (re.compile(rb"....ftyp(?:.{4}){0,12}?(?:hei[cxms]|hev[cxms]|mif1|msf1)", re.DOTALL), _open_heif),
    (re.compile(rb"\0\0\0\x0cjP  \r\n\x87\n|\xff\x4f\xff\x51"), Jpeg2000),
    (re.compile(rb"8BPS\0[\x01\x02]"), Photoshop),
)

_WEAK_SIGNATURES: Final[tuple[tuple[re.Pattern[bytes], Opener], ...]] = (
    (re.compile(rb"P[1-6][ \t\n\v\f\r]+[#0-9]"), Netpbm),
    # No signature: colour map or none, image type, the map's first entry, length and depth, the corner, the sides,
    # bits per pixel, and flags whose highest two bits are 0.
    (
        re.compile(
            rb".(?:\0[\x02\x03\x0a\x0b]|\x01[\x01\x02\x03\x09\x0a\x0b]).{4}[\0\x0f\x10\x18\x20].{4}(?!\0\0)..(?!\0\0).."
            rb"[\x01\x08\x0f\x10\x18\x20][\0-\x3f]",
            re.DOTALL,
        ),
        Targa,
    ),
)
"""Weak signatures that other files may match by chance: used only if no other format matches, for files that are opened
as photos."""

UNSUPPORTED: Final[tuple[tuple[re.Pattern[bytes], str], ...]] = (
    (re.compile(rb"%!PS|\xc5\xd0\xd3\xc6"), "PostScript"),
    (re.compile(rb"%PDF"), "PDF"),
    (re.compile(rb"\xd7\xcd\xc6\x9a|\x01\0\0\0.{36} EMF", re.DOTALL), Text("Windows metafile")),
    (re.compile(rb"....ftyp", re.DOTALL), Text("Video")),
    (re.compile(rb"....JXL |\xff\x0a", re.DOTALL), "JPEG XL"),
    (re.compile(rb"FOVb"), Text("Sigma raw")),
    (re.compile(rb"\0\0[\x01\x02]\0[^\0]\0"), Text("Icon")),
    (re.compile(rb"DDS |BLP[12]|FTEX|FTU"), Text("Texture")),
    (re.compile(rb"icns"), Text("Icon")),
    (re.compile(rb"qoif"), "QOI"),
    (re.compile(rb"P7\s"), "PAM"),
    (re.compile(rb"/\* XPM"), "XPM"),
    (re.compile(rb"SIMPLE  ="), "FITS"),
    (re.compile(rb"\x0a[\0-\5]\x01"), "PCX"),
    (re.compile(rb"\s*(?:\xef\xbb\xbf)?<svg"), "SVG"),
    (re.compile(rb"\s*(?:\xef\xbb\xbf)?<\?xml"), Text("XML or SVG")),
)
"""Signatures of unsupported formats, for the error message only."""


def opener(head: bytes) -> Opener | None:
    """Return the decoder of a file that begins with these bytes (64 suffice); None if the format is not listed."""
    return next((factory for signature, factory in _FORMATS if signature.match(head)), None)


def weak_opener(head: bytes) -> Opener | None:
    """Return the decoder of a file that matches a weak signature; None if there is none."""
    return next((factory for signature, factory in _WEAK_SIGNATURES if signature.match(head)), None)


def is_photo_beyond_doubt(head: bytes, stream: IO[bytes]) -> bool:
    """Return whether the content of a file is certainly a photo, regardless of its name. DICOM: see `is_dicom`.

    Parameters
    ----------
    head : bytes
        First bytes of the file; 64 suffice.
    stream : file
        Content of the file; read only if the head is not conclusive. The position is not restored.
    """
    if has_raw_signature(head):
        return True
    if opener(head) is not None:
        # A text may begin with the two letters of a bitmap, whose reserved bytes are 0.
        return holds_picture(head, stream) and (head[:2] != b"BM" or head[6:10] == bytes(4))
    weak = weak_opener(head)
    return (weak is Netpbm and is_surely_netpbm(stream)) or (weak is Targa and is_surely_targa(stream))


def claimed_pixels(head: bytes) -> int:
    """Return the number of pixels of an extended WebP's canvas, 0 for any other file.

    The WebP decoder allocates memory for the whole canvas when it opens the file; all others read the header first.
    """
    if head[:4] != b"RIFF" or head[8:16] != b"WEBPVP8X" or len(head) < 30:
        return 0
    width, height = (1 + int.from_bytes(head[i : i + 3], "little") for i in (24, 27))
    return width * height
