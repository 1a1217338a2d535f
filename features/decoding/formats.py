"""The list of file formats: how each is recognised by its first bytes, and which decoder opens it.

Camera raw files are in `features.decoding.decoders.raw`.

Pillow's own `Image.open` is not used: it would try every format that it knows, Ghostscript's among them,
and its limit on pixels is a setting of the whole process.
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
"""Suffixes, in lower case and with the dot, of files that are worth a try."""


def _open_heif(stream: IO[bytes]) -> ImageFile.ImageFile:
    """Open by libheif, which turns and mirrors by itself and then says that there is nothing left to turn."""
    from pi_heif import HeifImageFile  # loaded when there is one: most libraries hold none

    opened: ImageFile.ImageFile = HeifImageFile(stream)  # the class alone: nothing is registered with Pillow
    return opened


_FORMATS: Final[tuple[tuple[re.Pattern[bytes], Opener], ...]] = (
    (re.compile(rb"\xff\xd8\xff"), JpegImagePlugin.jpeg_factory),  # several pictures in one (MPO) included
    (re.compile(rb"\x89PNG\r\n\x1a\n"), open_png),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), WebPImagePlugin.WebPImageFile),
    (re.compile(rb"II[*+]\0|MM\0[*+]"), open_tiff),
    (re.compile(rb"GIF8[79]a"), GifImagePlugin.GifImageFile),
    (re.compile(rb"BM"), open_bitmap),
    # Without a file header: size of the header, two sides, one plane, a number of bits.
    (re.compile(rb"[\x28\x34\x38\x6c\x7c]\0\0\0.{8}\x01\0[\x01\x02\x04\x08\x10\x18\x20]\0", re.DOTALL), Bitmap),
    (re.compile(rb"\x0c\0\0\0.{4}\x01\0[\x01\x02\x04\x08\x18]\0", re.DOTALL), Bitmap),
    # The brand may be a general one (mif1) with avif among the compatible ones that follow it.
    (re.compile(rb"....ftyp(?:.{4}){0,12}?(?:avif|avis)", re.DOTALL), open_avif),
    (re.compile(rb"....ftyp(?:.{4}){0,12}?(?:hei[cxms]|hev[cxms]|mif1|msf1)", re.DOTALL), _open_heif),
    (re.compile(rb"\0\0\0\x0cjP  \r\n\x87\n|\xff\x4f\xff\x51"), Jpeg2000),
    (re.compile(rb"8BPS\0[\x01\x02]"), Photoshop),
)

_WEAK: Final[tuple[tuple[re.Pattern[bytes], Opener], ...]] = (
    (re.compile(rb"P[1-6][ \t\n\v\f\r]+[#0-9]"), Netpbm),
    # No signature at all: colour map or none, kind, the map's first entry, length and depth, the corner, the sides,
    # the depth of a pixel, and bits of which the highest two are 0.
    (
        re.compile(
            rb".(?:\0[\x02\x03\x0a\x0b]|\x01[\x01\x02\x03\x09\x0a\x0b]).{4}[\0\x0f\x10\x18\x20].{4}(?!\0\0)..(?!\0\0).."
            rb"[\x01\x08\x0f\x10\x18\x20][\0-\x3f]",
            re.DOTALL,
        ),
        Targa,
    ),
)
"""What other files begin with by chance as well: believed where no other kind is recognised, of a file that is
opened as a photo."""

UNSUPPORTED: Final[tuple[tuple[re.Pattern[bytes], str], ...]] = (
    (re.compile(rb"%!PS|\xc5\xd0\xd3\xc6"), "PostScript"),
    (re.compile(rb"%PDF"), "PDF"),
    (re.compile(rb"\xd7\xcd\xc6\x9a|\x01\0\0\0.{36} EMF", re.DOTALL), "Windows metafile"),
    (re.compile(rb"....ftyp", re.DOTALL), "Video"),
    (re.compile(rb"....JXL |\xff\x0a", re.DOTALL), "JPEG XL"),
    (re.compile(rb"FOVb"), "Sigma raw"),
    (re.compile(rb"\0\0[\x01\x02]\0[^\0]\0"), "Icon"),
    (re.compile(rb"DDS |BLP[12]|FTEX|FTU"), "Texture"),
    (re.compile(rb"icns"), "Icon"),
    (re.compile(rb"qoif"), "QOI"),
    (re.compile(rb"P7\s"), "PAM"),
    (re.compile(rb"/\* XPM"), "XPM"),
    (re.compile(rb"SIMPLE  ="), "FITS"),
    (re.compile(rb"\x0a[\0-\5]\x01"), "PCX"),
    (re.compile(rb"\s*(?:\xef\xbb\xbf)?<svg"), "SVG"),
    (re.compile(rb"\s*(?:\xef\xbb\xbf)?<\?xml"), "XML or SVG"),
)
"""Signatures of known kinds that are refused by name; for the message only, the list above is what counts."""


def opener(head: bytes) -> Opener | None:
    """Return what opens a file that begins with these bytes (64 are enough), None if not on the list."""
    return next((factory for signature, factory in _FORMATS if signature.match(head)), None)


def weak_opener(head: bytes) -> Opener | None:
    """Return what opens a file that has no signature to speak of, None if it is of none of these kinds either."""
    return next((factory for signature, factory in _WEAK if signature.match(head)), None)


def is_photo_beyond_doubt(head: bytes, stream: IO[bytes]) -> bool:
    """Tell whether the content of a file is surely a photo, whatever its name. DICOM is left to `is_dicom`.

    Parameters
    ----------
    head : bytes
        The first bytes of the file; 64 are enough.
    stream : file
        Its content, of which more is read only where the head alone leaves a doubt. The position is not kept.
    """
    if has_raw_signature(head):
        return True
    if opener(head) is not None:
        # A text may begin with the two letters of a bitmap, whose reserved bytes are 0.
        return holds_picture(head, stream) and (head[:2] != b"BM" or head[6:10] == bytes(4))
    weak = weak_opener(head)
    return (weak is Netpbm and is_surely_netpbm(stream)) or (weak is Targa and is_surely_targa(stream))


def claimed_pixels(head: bytes) -> int:
    """Return the pixels of an extended WebP's canvas, 0 for any other file.

    The WebP decoder takes memory for the whole canvas when it opens the file; all others read the header
    first.
    """
    if head[:4] != b"RIFF" or head[8:16] != b"WEBPVP8X" or len(head) < 30:
        return 0
    width, height = (1 + int.from_bytes(head[i : i + 3], "little") for i in (24, 27))
    return width * height
