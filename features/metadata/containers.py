# SPDX-License-Identifier: MIT
"""Find the EXIF, IPTC and XMP blocks in photo files of each format without decoding pixels.

Only headers are read and the rest is skipped, so that a photo takes a fraction of a millisecond. No decoder is called,
so damaged files are harmless. No length stored in a file is trusted.

Sources: JPEG: ITU T.81, annex B; Exif 2.32, 4.7.2; XMP Specification, Part 3 (Adobe, 2020), 1.1.3 (JPEG, with the
extended XMP), 1.1.5 (PNG) and 1.1.6 (WebP by its own container specification of 2024); PNG 3rd edition, 11.3; TIFF 6.0;
HEIF: ISO/IEC 23008-12 and ISO/IEC 14496-12, 8.11 (``meta``, ``iinf``, ``iloc``, ``idat``); JPEG 2000: ITU T.800,
annex I, with the boxes that ExifTool and Exiv2 write; PSD: Photoshop File Formats Specification (Adobe, 2019).
"""

from __future__ import annotations

import binascii
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Final

from focal_photos.features.metadata.exif import PREFIX
from focal_photos.features.metadata.iptc import PHOTOSHOP, RESOURCES, parse_photoshop
from focal_photos.features.metadata.tiff import Tiff, TiffError, read_at

MOST_BYTES: Final = 16 << 20  # limit for all blocks of a file
_MOST_IN_TIFF: Final = MOST_BYTES // 4  # limit for each block in a TIFF file
_MOST_PARTS: Final = 100_000  # limit of segments, chunks or boxes per file

_XMP: Final = b"http://ns.adobe.com/xap/1.0/\0"
_EXTENDED: Final = b"http://ns.adobe.com/xmp/extension/\0"
_GUID: Final = 32  # bytes: an MD5 sum in hexadecimal

_TIFF_XMP, _TIFF_IPTC, _TIFF_PHOTOSHOP = 700, 33723, 34377


@dataclass
class Blocks:
    """The metadata blocks of a file."""

    exif: list[bytes] = field(default_factory=list)
    """Each begins with a TIFF header, or with the prefix used in JPEG."""
    iptc: list[bytes] = field(default_factory=list)
    xmp: list[bytes] = field(default_factory=list)
    tiff: bool = False
    """Whether the file itself is a TIFF file, whose directories contain the EXIF data."""
    left: int = MOST_BYTES
    """Number of bytes that may still be read."""

    def allows(self, size: int) -> bool:
        """Subtract `size` bytes to be read or unpacked from the limit, and tell whether they are within it."""
        if size > self.left:
            return False
        self.left -= size
        return True


def find_blocks(stream: IO[bytes]) -> Blocks:
    """Return the metadata blocks of a photo file; none if the format is unknown or has none.

    In a damaged file, blocks before the damage are found.
    """
    stream.seek(0)
    head = stream.read(64)
    blocks = Blocks()
    for signature, read in _FORMATS:
        if signature.match(head):
            read(stream, blocks)
            break
    return blocks


# ---------------------------------------------------------------------- JPEG
def _jpeg(stream: IO[bytes], blocks: Blocks) -> None:
    photoshop: list[bytes] = []
    extended: dict[bytes, dict[int, bytes]] = {}
    stream.seek(2)
    for _ in range(_MOST_PARTS):
        marker = stream.read(2)
        while marker[1:] == b"\xff":  # fill bytes
            marker = marker[1:] + stream.read(1)
        if len(marker) < 2 or marker[0] != 0xFF or marker[1] in (0xD9, 0xDA):  # end of the file or start of the pixels
            break
        if marker[1] == 0x01 or 0xD0 <= marker[1] <= 0xD7:
            continue
        size = int.from_bytes(stream.read(2), "big") - 2
        if size < 0:
            break
        if marker[1] not in (0xE1, 0xED) or not blocks.allows(size):
            stream.seek(size, 1)
            continue
        data = stream.read(size)
        if data.startswith(PREFIX):
            blocks.exif.append(data)
        elif data.startswith(_XMP):
            blocks.xmp.append(data[len(_XMP) :])
        elif data.startswith(_EXTENDED):
            at = len(_EXTENDED) + _GUID
            guid, offset = data[len(_EXTENDED) : at], int.from_bytes(data[at + 4 : at + 8], "big")
            extended.setdefault(guid, {})[offset] = data[at + 8 :]
        elif data.startswith(PHOTOSHOP):
            photoshop.append(data[len(PHOTOSHOP) :])  # continued in the next segment if long
    blocks.iptc.extend(parse_photoshop(b"".join(photoshop)))
    blocks.xmp.extend(_whole_packets(extended, b"".join(blocks.xmp)))


def _whole_packets(extended: dict[bytes, dict[int, bytes]], main: bytes) -> Iterator[bytes]:
    """Yield the extended packets named in the main packet that have no gaps."""
    for guid, parts in extended.items():
        end = 0
        for offset in sorted(parts):
            if offset != end:
                break
            end += len(parts[offset])
        else:
            if guid in main:
                yield b"".join(parts[offset] for offset in sorted(parts))


# ---------------------------------------------------------------------- PNG
def _png(stream: IO[bytes], blocks: Blocks) -> None:
    stream.seek(8)
    for _ in range(_MOST_PARTS):
        head = stream.read(8)
        if len(head) < 8 or head[4:] == b"IEND":
            return
        size = int.from_bytes(head[:4], "big")
        if head[4:] not in (b"eXIf", b"iTXt", b"zTXt", b"tEXt") or not blocks.allows(size):
            stream.seek(size + 4, 1)
            continue
        data = stream.read(size)
        stream.seek(4, 1)
        if head[4:] == b"eXIf":
            blocks.exif.append(data)
            continue
        keyword, text = _png_text(head[4:], data, blocks)
        if keyword == b"XML:com.adobe.xmp" and text:
            blocks.xmp.append(text)
        elif keyword.startswith(b"Raw profile type "):
            _raw_profile(keyword[17:], text, blocks)


def _png_text(kind: bytes, data: bytes, blocks: Blocks) -> tuple[bytes, bytes]:
    """Return keyword and text of a chunk; the text is empty if it cannot be unpacked."""
    keyword, _, rest = data.partition(b"\0")
    if kind == b"tEXt":
        return keyword, rest
    if kind == b"zTXt":
        return keyword, _inflated(rest[1:], blocks)
    packed, rest = rest[:1] == b"\1", rest[2:]
    text = rest.split(b"\0", 2)[-1] if rest.count(b"\0", 0, 4096) >= 2 else b""  # after language and translation
    return keyword, _inflated(text, blocks) if packed else text


def _inflated(data: bytes, blocks: Blocks) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, blocks.left) if blocks.left else b""
    except zlib.error:
        return b""
    blocks.left -= len(found)
    return found if unpacker.eof else b""


def _raw_profile(kind: bytes, text: bytes, blocks: Blocks) -> None:
    """Read a block stored as text by ImageMagick and ExifTool: name, length and hexadecimal digits."""
    lines = text.split(None, 2)
    try:
        data = binascii.unhexlify(re.sub(rb"\s", b"", lines[2])) if len(lines) == 3 else b""
    except binascii.Error:
        return
    if kind in (b"exif", b"APP1") and data.startswith(PREFIX):
        blocks.exif.append(data)
    elif kind in (b"xmp", b"APP1"):
        blocks.xmp.append(data.removeprefix(_XMP))
    elif kind in (b"iptc", b"8bim"):
        blocks.iptc.extend([data] if data[:1] == b"\x1c" else parse_photoshop(data))


# ---------------------------------------------------------------------- WebP
def _webp(stream: IO[bytes], blocks: Blocks) -> None:
    stream.seek(12)
    for _ in range(_MOST_PARTS):
        head = stream.read(8)
        if len(head) < 8:
            return
        size = int.from_bytes(head[4:], "little")
        wanted = {b"EXIF": blocks.exif, b"XMP ": blocks.xmp}.get(head[:4])
        if wanted is not None and blocks.allows(size):
            wanted.append(stream.read(size))
            stream.seek(size % 2, 1)
        else:
            stream.seek(size + size % 2, 1)


# ---------------------------------------------------------------------- TIFF, and raw files based on TIFF
def _tiff(stream: IO[bytes], blocks: Blocks) -> None:
    try:
        directory = Tiff(stream).main()
    except TiffError:
        return
    blocks.tiff = True
    for tag, found in ((_TIFF_XMP, blocks.xmp), (_TIFF_IPTC, blocks.iptc)):
        data = directory.raw(tag, _MOST_IN_TIFF)
        if data:
            found.append(data)
    blocks.iptc.extend(parse_photoshop(directory.raw(_TIFF_PHOTOSHOP, _MOST_IN_TIFF) or b""))


# ---------------------------------------------------------------------- HEIF and AVIF
_XMP_UUID: Final = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")


def _heif(stream: IO[bytes], blocks: Blocks) -> None:
    end = stream.seek(0, 2)
    for kind, start, stop in _boxes(stream, 0, end):
        if kind == b"meta":
            _meta(stream, start + 4, stop, blocks)
        elif (
            kind == b"uuid" and read_at(stream, start, 16) == _XMP_UUID and blocks.allows(stop - start)
        ):  # Canon's raw files
            blocks.xmp.append(read_at(stream, start + 16, stop - start - 16))


def _boxes(stream: IO[bytes], start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield kind, start and end of the content of each box between two offsets."""
    for _ in range(_MOST_PARTS):
        head = read_at(stream, start, 16)
        if start + 8 > end or len(head) < 8:
            return
        size, begin = int.from_bytes(head[:4], "big"), 8
        if size == 1:
            size, begin = int.from_bytes(head[8:16], "big"), 16
        elif size == 0:
            size = end - start
        if size < begin or start + size > end:
            return
        yield head[4:8], start + begin, start + size
        start += size


def _meta(stream: IO[bytes], start: int, end: int, blocks: Blocks) -> None:
    content = {kind: (begin, stop) for kind, begin, stop in _boxes(stream, start, end)}
    if b"iinf" not in content or b"iloc" not in content:
        return
    idat = content.get(b"idat", (0, 0))[0]
    wanted = dict(_items(stream, *content[b"iinf"]))
    for item, method, extents in _places(_part(stream, *content[b"iloc"])):
        found = wanted.get(item)
        if found is None or method > 1 or not blocks.allows(sum(size for _, size in extents)):
            continue
        data = b"".join(read_at(stream, offset + (idat if method else 0), size) for offset, size in extents)
        if found == b"Exif":
            blocks.exif.append(data[4 + int.from_bytes(data[:4], "big") :])  # after the offset of the TIFF header
        else:
            blocks.xmp.append(data)


def _items(stream: IO[bytes], start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield number and kind of the EXIF and XMP items."""
    version = read_at(stream, start, 1)
    for kind, begin, stop in _boxes(stream, start + (6 if version == b"\0" else 8), end):
        if kind != b"infe" or stop - begin > 4096:
            continue
        data = read_at(stream, begin, stop - begin)
        wide = data[:1] == b"\3"  # item numbers have four bytes
        if data[:1] not in (b"\2", b"\3"):
            continue
        item, rest = int.from_bytes(data[4 : 8 if wide else 6], "big"), data[10 if wide else 8 :]
        if rest[:4] == b"Exif":
            yield item, b"Exif"
        elif rest[:4] == b"mime" and rest[4:].split(b"\0")[1:2] == [b"application/rdf+xml"]:
            yield item, b"XMP"


def _places(data: bytes) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Yield number, construction method and (offset, length) of the extents of each item in an ``iloc`` box."""
    if len(data) < 8:
        return
    version = data[0]
    widths = (data[4] >> 4, data[4] & 15, data[5] >> 4, data[5] & 15 if version else 0)
    if version > 2 or not set(widths) <= {0, 4, 8}:
        return
    reader = _Reader(data, 6)
    try:
        for _ in range(reader.number(4 if version == 2 else 2)):
            item = reader.number(4 if version == 2 else 2)
            method = reader.number(2) & 15 if version else 0
            reader.number(2)  # in this file
            base = reader.number(widths[2])
            extents = []
            for _ in range(reader.number(2)):
                reader.number(widths[3])
                extents.append((base + reader.number(widths[0]), reader.number(widths[1])))
            yield item, method, extents
    except struct.error:
        return


class _Reader:
    """Reader of consecutive big-endian integers."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    def number(self, width: int) -> int:
        part = self._data[self._at : self._at + width]
        if len(part) < width:
            raise struct.error("the box ends")
        self._at += width
        return int.from_bytes(part, "big")


def _part(stream: IO[bytes], start: int, end: int) -> bytes:
    return read_at(stream, start, min(end - start, MOST_BYTES))


# ---------------------------------------------------------------------- JPEG 2000
_EXIF_UUID: Final = b"JpgTiffExif->JP2"
_IPTC_UUID: Final = bytes.fromhex("33c7a4d2b81d4723a0baf1a3e097ad38")


def _jpeg_2000(stream: IO[bytes], blocks: Blocks) -> None:
    end = stream.seek(0, 2)
    for kind, start, stop in _boxes(stream, 0, end):
        if kind != b"uuid":
            continue
        uuid = read_at(stream, start, 16)
        found = {_XMP_UUID: blocks.xmp, _EXIF_UUID: blocks.exif, _IPTC_UUID: blocks.iptc}.get(uuid)
        if found is not None and stop - start > 16 and blocks.allows(stop - start):
            found.append(read_at(stream, start + 16, stop - start - 16))


# ---------------------------------------------------------------------- Photoshop
_PSD_IPTC, _PSD_EXIF, _PSD_XMP = 1028, 1058, 1060


def _psd(stream: IO[bytes], blocks: Blocks) -> None:
    end = stream.seek(0, 2)
    at = 30 + int.from_bytes(read_at(stream, 26, 4), "big")  # after the palette
    stop = min(end, at + 4 + int.from_bytes(read_at(stream, at, 4), "big"))
    at += 4
    for _ in range(_MOST_PARTS):
        head = read_at(stream, at, 7)
        if at + 12 > stop or head[:4] not in RESOURCES:
            return
        at += 6 + (head[6] + 2) // 2 * 2  # the name and its length are padded to an even number of bytes
        kind, size = int.from_bytes(head[4:6], "big"), int.from_bytes(read_at(stream, at, 4), "big")
        found = {_PSD_IPTC: blocks.iptc, _PSD_EXIF: blocks.exif, _PSD_XMP: blocks.xmp}.get(kind)
        if found is not None and 0 < size <= stop - at - 4 and blocks.allows(size):
            found.append(read_at(stream, at + 4, size))
        at += 4 + (size + 1) // 2 * 2


_FORMATS: Final[tuple[tuple[re.Pattern[bytes], Callable[[IO[bytes], Blocks], None]], ...]] = (
    (re.compile(rb"\xff\xd8\xff"), _jpeg),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), _png),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), _webp),
    (re.compile(rb"II[*+U]\0|MM\0[*+]|IIR[OS]"), _tiff),  # including Panasonic's and Olympus's
    (re.compile(rb"....ftyp", re.DOTALL), _heif),
    (re.compile(rb"\0\0\0\x0cjP  \r\n\x87\n"), _jpeg_2000),
    (re.compile(rb"8BPS\0[\x01\x02]"), _psd),
)
