# SPDX-License-Identifier: MIT
from __future__ import annotations

import hashlib
import io
import struct
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from focal_photos.features.metadata.containers import MOST_BYTES, Blocks, find_blocks
from tests.features.metadata.test_iptc import block as iptc_block
from tests.features.metadata.test_iptc import resource

XMP = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>" + b"packet " * 20 + b"</x:xmpmeta>"
IPTC = iptc_block(b"sea")
PICTURE = Image.new("RGB", (40, 30), (200, 90, 40))


def exif() -> bytes:
    made = Image.Exif()
    made[0x0110] = "Canon EOS 5D"
    return made.tobytes()


def saved(kind: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    PICTURE.save(stream, kind, **options)
    return stream.getvalue()


def blocks_of(data: bytes) -> Blocks:
    return find_blocks(io.BytesIO(data))


def segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def with_segments(*segments: bytes) -> bytes:
    jpeg = saved("JPEG")
    return jpeg[:2] + b"".join(segments) + jpeg[2:]


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def with_chunks(*chunks: bytes) -> bytes:
    """Return a PNG with chunks after its pixels, where ExifTool puts them."""
    png = saved("PNG")
    return png[:-12] + b"".join(chunks) + png[-12:]


def heif(**options: Any) -> bytes:
    import pillow_heif

    stream = io.BytesIO()
    pillow_heif.from_pillow(PICTURE).save(stream, **options)
    return stream.getvalue()


# ---------------------------------------------------------------------- locations of the blocks
def test_blocks_of_a_jpeg_are_found() -> None:
    photoshop = segment(0xED, b"Photoshop 3.0\0" + resource(0x0404, IPTC, b"odd"))
    data = with_segments(
        segment(0xE1, exif()),
        photoshop,
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP),
        segment(0xE1, b"other"),
    )
    assert blocks_of(data) == Blocks([exif()], [IPTC], [XMP], left=blocks_of(data).left)
    assert blocks_of(saved("JPEG", exif=exif(), xmp=XMP)).xmp == [XMP]
    assert Image.open(io.BytesIO(data)).size == PICTURE.size


def test_photoshop_resources_continue_in_the_next_segment() -> None:
    data = resource(0x03ED, b"x" * 99) + resource(0x0404, IPTC)
    segments = [segment(0xED, b"Photoshop 3.0\0" + part) for part in (data[:120], data[120:])]
    assert blocks_of(with_segments(*segments)).iptc == [IPTC]


def extended(packet: bytes, at: int, part: bytes, guid: bytes) -> bytes:
    head = b"http://ns.adobe.com/xmp/extension/\0" + guid + struct.pack(">II", len(packet), at)
    return segment(0xE1, head + part)


def test_an_extended_packet_is_assembled() -> None:
    packet = XMP * 3
    guid = hashlib.md5(packet).hexdigest().upper().encode()
    main = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmpNote:HasExtendedXMP='" + guid + b"'/>")
    parts = [(0, packet[:100]), (100, packet[100:250]), (250, packet[250:])]
    segments = [extended(packet, at, part, guid) for at, part in parts]
    assert blocks_of(with_segments(main, *segments)).xmp[1:] == [packet]
    assert blocks_of(with_segments(main, *reversed(segments))).xmp[1:] == [packet]
    assert blocks_of(with_segments(*segments)).xmp == []  # no main packet refers to it
    assert len(blocks_of(with_segments(main, segments[0], segments[2])).xmp) == 1  # a part is missing


def test_fill_bytes_and_markers_without_length_are_skipped() -> None:
    data = with_segments(b"\xff\x01\xff\xd0\xff\xff\xff" + segment(0xE1, exif()))
    assert blocks_of(data).exif == [exif()]


def test_nothing_after_the_pixels_of_a_jpeg_is_read() -> None:
    assert blocks_of(saved("JPEG") + segment(0xE1, exif())).exif == []


def test_blocks_of_a_png_are_found() -> None:
    text = PngImagePlugin.PngInfo()
    text.add_itxt("XML:com.adobe.xmp", XMP.decode())
    text.add_itxt("Comment", "no packet")
    data = saved("PNG", exif=exif(), pnginfo=text)
    assert (blocks_of(data).exif, blocks_of(data).xmp) == ([exif()[6:]], [XMP])
    packed = b"XML:com.adobe.xmp\0\1\0de\0t\0" + zlib.compress(XMP)
    data = with_chunks(chunk(b"iTXt", packed), chunk(b"eXIf", exif()[6:]))
    assert (blocks_of(data).exif, blocks_of(data).xmp) == ([exif()[6:]], [XMP])


def profile(name: bytes, data: bytes) -> bytes:
    digits = data.hex().encode()
    lines = b"\n".join(digits[at : at + 72] for at in range(0, len(digits), 72))
    return b"\n" + name + b"\n%8d\n" % len(data) + lines + b"\n"


@pytest.mark.parametrize("kind", [b"tEXt", b"zTXt"])
def test_png_profiles_stored_as_text_are_read(kind: bytes) -> None:
    def raw(name: bytes, data: bytes) -> bytes:
        text = profile(name, data)
        keyword = b"Raw profile type " + name + b"\0"
        return chunk(kind, keyword + (text if kind == b"tEXt" else b"\0" + zlib.compress(text)))

    photoshop = b"Photoshop 3.0\0" + resource(0x0404, IPTC)
    data = with_chunks(raw(b"exif", exif()), raw(b"iptc", photoshop), raw(b"8bim", IPTC), raw(b"xmp", XMP))
    assert blocks_of(data) == Blocks([exif()], [IPTC, IPTC], [XMP], left=blocks_of(data).left)
    odd = with_chunks(chunk(b"tEXt", b"Raw profile type iptc\0\niptc\n 3\nnot hexadecimal"))
    assert blocks_of(odd).iptc == []


@pytest.mark.parametrize("lossless", [True, False])
def test_blocks_of_a_webp_are_found(lossless: bool) -> None:
    data = saved("WEBP", exif=exif(), xmp=XMP, lossless=lossless)
    found = blocks_of(data)
    assert found.xmp == [XMP]
    assert [one.removeprefix(b"Exif\0\0") for one in found.exif] == [exif()[6:]]


def test_webp_chunks_of_odd_length_are_padded() -> None:
    def part(kind: bytes, data: bytes) -> bytes:
        return kind + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)

    packet, block = XMP + b" " * (1 - len(XMP) % 2), exif() + bytes(1 - len(exif()) % 2)
    assert len(packet) % 2 == len(block) % 2 == 1
    chunks = part(b"XMP ", packet) + part(b"ANMF", b"odd") + part(b"EXIF", block) + part(b"XMP ", b"last")
    found = blocks_of(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks)
    assert (found.xmp, found.exif) == ([packet, b"last"], [block])


def test_blocks_of_a_tiff_are_found() -> None:
    made = Image.Exif()
    made[700], made[33723], made[34377] = XMP, IPTC, resource(0x0404, IPTC)
    found = blocks_of(saved("TIFF", exif=made))
    assert (found.xmp, found.tiff, found.exif) == ([XMP], True, [])
    assert [one.rstrip(b"\0") for one in found.iptc] == [IPTC.rstrip(b"\0")] * 2


def test_blocks_of_a_heif_are_found() -> None:
    found = blocks_of(heif(exif=exif(), xmp=XMP))
    assert found.xmp == [XMP]
    assert [one.removeprefix(b"Exif\0\0") for one in found.exif] == [exif()[6:]]
    assert blocks_of(heif()) == Blocks()


def box(kind: bytes, *content: bytes) -> bytes:
    data = b"".join(content)
    return struct.pack(">I", 8 + len(data)) + kind + data


def item(number: int, kind: bytes, version: int) -> bytes:
    wide = ">I" if version == 3 else ">H"
    return box(b"infe", bytes([version, 0, 0, 0]), struct.pack(wide, number), b"\0\0", kind)


@pytest.mark.parametrize("version", [2, 3])
def test_heif_items_in_the_item_data_box_and_in_several_extents_are_read(version: int) -> None:
    mime = b"mime\0application/rdf+xml\0"
    items = item(1, b"hvc1\0", version), item(7, mime, version), item(9, b"Exif\0", version)
    head = box(b"ftyp", b"heic", bytes(4), b"mif1")
    block = struct.pack(">I", 6) + exif()
    idat = b"pixels" + XMP[:50] + b"between" + XMP[50:] + block

    def extent(at: int, size: int) -> bytes:
        return struct.pack(">II", at, size)

    def place(number: int, *extents: bytes) -> bytes:
        wide = ">I" if version == 3 else ">H"
        return struct.pack(wide, number) + struct.pack(">HHH", 1, 0, len(extents)) + b"".join(extents)

    places = [
        place(7, extent(6, 50), extent(63, len(XMP) - 50)),
        place(9, extent(13 + len(XMP), len(block))),
    ]
    count = struct.pack(">I" if version == 3 else ">H", len(places))
    iloc = box(b"iloc", bytes([version - 1, 0, 0, 0, 0x44, 0]), count, *places)
    iinf = box(b"iinf", bytes(4), struct.pack(">H", len(items)), *items)
    found = blocks_of(head + box(b"meta", bytes(4), iinf, iloc, box(b"idat", idat)))
    assert found.xmp == [XMP]
    assert found.exif == [exif()[6:]]


def test_the_packet_of_a_canon_raw_file_is_found() -> None:
    uuid = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
    other = box(b"uuid", bytes(16), b"other")
    # with a length of eight bytes
    large = struct.pack(">I", 1) + b"uuid" + struct.pack(">Q", 32 + len(XMP)) + uuid + XMP
    assert blocks_of(box(b"ftyp", b"crx ", bytes(4)) + other + box(b"uuid", uuid, XMP) + large).xmp == [XMP, XMP]


def large_box(kind: bytes, content: bytes, size: int | None = None) -> bytes:
    """Return a box with a length of eight bytes."""
    return struct.pack(">I", 1) + kind + struct.pack(">Q", 16 + len(content) if size is None else size) + content


def test_boxes_of_any_valid_length_are_read() -> None:
    head = box(b"ftyp", b"crx ", bytes(4))
    uuid = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
    packet = box(b"uuid", uuid, XMP)
    assert blocks_of(head + box(b"free") + packet).xmp == [XMP]
    assert blocks_of(head + large_box(b"free", b"") + packet).xmp == [XMP]
    assert blocks_of(head + large_box(b"uuid", uuid + XMP)).xmp == [XMP]
    assert blocks_of(head + packet).left == MOST_BYTES - len(uuid + XMP), "the other boxes do not count"
    assert blocks_of(head + bytes(4) + packet[4:]).xmp == [XMP], "a length of 0: up to the end of the file"


def test_nothing_after_a_box_of_invalid_length_is_read() -> None:
    head = box(b"ftyp", b"crx ", bytes(4))
    uuid = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
    packet = box(b"uuid", uuid, XMP)
    assert blocks_of(head + struct.pack(">I", 4) + packet).xmp == []
    short = large_box(b"free", b"skip", size=12)  # 16 bytes at least; after 12 bytes, its length reads as another box
    assert blocks_of(head + short + packet).xmp == []
    assert blocks_of(head + packet[:-1]).xmp == []
    assert blocks_of(head + large_box(b"uuid", uuid + XMP)[:-1]).xmp == []
    assert blocks_of(head + large_box(b"uuid", uuid + XMP, size=2**56 + 32 + len(XMP))).xmp == []


def test_blocks_of_an_avif_are_found() -> None:
    found = blocks_of(saved("AVIF", exif=exif(), xmp=XMP))
    assert found.xmp == [XMP]
    assert [one.removeprefix(b"Exif\0\0") for one in found.exif] == [exif()[6:]]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "GIF", "BMP"])
def test_a_file_without_metadata_has_no_blocks(kind: str) -> None:
    found = blocks_of(saved(kind))
    assert (found.xmp, found.iptc) == ([], [])
    assert blocks_of(b"") == blocks_of(b"no photo") == Blocks()


# ---------------------------------------------------------------------- hostile
def test_a_compressed_text_that_grows_without_end_is_skipped() -> None:
    bomb = zlib.compress(bytes(MOST_BYTES * 2), 9)
    data = with_chunks(*[chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + bomb)] * 3)
    found = blocks_of(data)
    assert found.xmp == []
    assert found.left >= 0


def test_all_blocks_together_have_a_limit() -> None:
    half = MOST_BYTES // 2
    webp = b"RIFF\0\0\0\0WEBP" + b"".join(b"XMP " + struct.pack("<I", half) + b"x" * half for _ in range(3))
    assert [len(packet) for packet in blocks_of(webp).xmp] == [half, half]


def test_lengths_beyond_the_end_of_the_file_are_harmless() -> None:
    for size in (0, 1, 0xFFFF):
        assert blocks_of(b"\xff\xd8\xff\xe1" + struct.pack(">H", size) + b"Exif").exif == []
    assert blocks_of(b"\x89PNG\r\n\x1a\n" + b"\xff\xff\xff\xffeXIf").exif == []
    assert blocks_of(b"RIFF....WEBPEXIF\xff\xff\xff\xff").exif == []
    assert blocks_of(b"\0\0\0\0ftypheic" + b"\xff" * 40) == Blocks()
    assert blocks_of(b"\0\0\0\x10ftypheic\0\0\0\0" + b"\0\0\0\1meta" + b"\xff" * 8) == Blocks()


SAMPLES = {
    "jpeg": with_segments(
        segment(0xE1, exif()),
        segment(0xED, b"Photoshop 3.0\0" + resource(0x0404, IPTC)),
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP),
    )[:900],
    "png": with_chunks(
        chunk(b"eXIf", exif()), chunk(b"zTXt", b"Raw profile type iptc\0\0" + zlib.compress(profile(b"iptc", IPTC)))
    ),
    "webp": saved("WEBP", exif=exif(), xmp=XMP),
    "tiff": b"II*\0\x08\0\0\0" + struct.pack("<HHHIIHHIII", 2, 700, 1, 30, 40, 33723, 7, 20, 70, 0) + bytes(60),
    "heif": heif(exif=exif(), xmp=XMP),
}


@pytest.mark.parametrize("kind", SAMPLES)
@given(data=st.data())
def test_a_damaged_file_is_read_without_harm(kind: str, data: st.DataObject) -> None:
    sample = bytearray(SAMPLES[kind])
    for _ in range(data.draw(st.integers(1, 3))):
        sample[data.draw(st.integers(0, len(sample) - 1))] = data.draw(st.integers(0, 255))
    found = blocks_of(bytes(sample[: data.draw(st.integers(0, len(sample)))]))
    assert found.left >= 0
    assert sum(map(len, found.exif + found.xmp + found.iptc)) <= MOST_BYTES


# ---------------------------------------------------------------------- JPEG 2000 and Photoshop's own files
def test_blocks_of_a_jpeg_2000_are_found() -> None:
    file = saved("JPEG2000")
    uuids = {
        bytes.fromhex("be7acfcb97a942e89c71999491e3afac"): XMP,
        b"JpgTiffExif->JP2": exif()[6:],
        bytes.fromhex("33c7a4d2b81d4723a0baf1a3e097ad38"): IPTC,
        b"of somebody else": b"x",
    }
    data = file + b"".join(box(b"uuid", uuid, block) for uuid, block in uuids.items())
    found = blocks_of(data)
    assert (found.xmp, found.exif, found.iptc) == ([XMP], [exif()[6:]], [IPTC])
    assert blocks_of(file) == Blocks()
    assert blocks_of(data[:-1]).xmp == [XMP]
    assert blocks_of(data[: len(file) + 30]) == Blocks()


def psd_file(*resources: bytes) -> bytes:
    joined = b"".join(resources)
    head = struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, 1, 1, 8, 3)
    return head + bytes(4) + struct.pack(">I", len(joined)) + joined + bytes(4) + bytes(2) + b"\1\2\3"


def test_blocks_of_a_photoshop_file_are_found() -> None:
    blocks = [resource(1005, b"odd"), resource(1028, IPTC, b"name"), resource(1060, XMP), resource(1058, exif()[6:])]
    data = psd_file(*blocks)
    found = blocks_of(data)
    assert (found.xmp, found.exif, found.iptc) == ([XMP], [exif()[6:]], [IPTC])
    assert blocks_of(psd_file()) == Blocks()
    assert blocks_of(data[:-140]).iptc == [IPTC]
    assert blocks_of(psd_file(b"none")) == Blocks()
    assert blocks_of(psd_file(resource(1060, XMP)[:-20])) == Blocks()
