# SPDX-License-Identifier: MIT
"""Small pictures in every variety of each format that the available libraries can write."""

from __future__ import annotations

import io
import itertools
import struct
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import Image, ImageCms, PngImagePlugin

from tests.features.pictures import file_bytes, scene

SIZE: Final = (48, 32)
_WHOLE: Final = (*range(1, 17), 32)
_REAL: Final = (16, 24, 32, 64)
_COMPRESSIONS: Final = (None, "packbits", "lzw", "deflate", "zstd", "jpeg")


class Variety(NamedTuple):
    """A file in memory."""

    kind: str
    """Format."""
    name: str
    """Distinguishes the file from the others of this format; includes a suffix."""
    content: bytes


def tiff_values(bits: int, *, real: bool = False, samples: int = 1) -> NDArray[Any]:
    """Return the scene with a number of bits, (h, w) or (h, w, samples); real numbers are in 0..1."""
    shares = scene(*SIZE).astype(np.float64) / 255
    shares = shares[..., 0] if samples == 1 else np.concatenate([shares] * (samples // 3 + 1), axis=-1)[..., :samples]
    if real:
        return shares.astype(np.float16 if bits == 16 else np.float64 if bits == 64 else np.float32)
    kind = np.uint8 if bits <= 8 else np.uint16 if bits <= 16 else np.uint32
    values: NDArray[Any] = np.rint(shares * (2**bits - 1)).astype(kind)
    return values


def tiff_bytes(values: NDArray[Any], **options: Any) -> bytes:
    """Return the content of a TIFF file written by tifffile."""
    buffer = io.BytesIO()
    big, order = options.pop("bigtiff", False), options.pop("byteorder", "<")
    with tifffile.TiffWriter(buffer, bigtiff=big, byteorder=order) as writer:
        writer.write(values, metadata=None, **options)
    return buffer.getvalue()


def tiffs() -> Iterator[Variety]:
    """Yield TIFF files: depths, compressions, predictors, byte orders, BigTIFF, planes, strips and tiles."""
    depths = [(bits, False) for bits in _WHOLE] + [(bits, True) for bits in _REAL]
    layouts = ((1, "contig"), (3, "contig"), (3, "separate"))
    choices = itertools.product(depths, layouts, _COMPRESSIONS, (False, True), "<>", (False, True), (None, (16, 16)))
    for (bits, real), (samples, planar), compression, predictor, order, big, tile in choices:
        if predictor and compression == "packbits":
            continue  # ignored by other programs
        if compression == "jpeg" and bits != 8:
            continue  # only imagecodecs reads it
        if order == ">" and 8 < bits < 16:
            continue  # tifffile writes its bytes in the wrong order; see `packed_tiffs`
        values = tiff_values(bits, real=real, samples=samples)
        if planar == "separate":
            values = np.moveaxis(values, -1, 0)
        options: dict[str, Any] = {"tile": tile} if tile else {"rowsperstrip": 16}
        if samples == 3:
            options["planarconfig"] = planar
        if not real or bits == 24:
            options["bitspersample"] = bits
        try:
            content = tiff_bytes(
                values,
                photometric="rgb" if samples == 3 else "minisblack",
                compression=compression,
                predictor=predictor,
                bigtiff=big,
                byteorder=order,
                **options,
            )
        except (ValueError, NotImplementedError, KeyError, TypeError, RuntimeError):
            continue  # a combination that the format does not have
        words = (
            f"{'float' if real else 'uint'}{bits}",
            f"{samples}-{planar}",
            compression or "none",
            "predictor" if predictor else "",
            "little" if order == "<" else "big",
            "bigtiff" if big else "",
            "tiles" if tile else "strips",
        )
        yield Variety("TIFF", "-".join(word for word in words if word) + ".tif", content)


def packed_tiffs() -> Iterator[Variety]:
    """Yield grey TIFF files of 2 to 15 bits whose packed rows are compressed, as libtiff writes them."""
    import imagecodecs

    for bits, compression, order in itertools.product(
        (2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15), ("packbits", "lzw", "deflate", "zstd"), "<>"
    ):
        width, height = SIZE
        packed = imagecodecs.packints_encode(tiff_values(bits), bits, runlen=width)
        rows = np.frombuffer(packed, np.uint8).reshape(height, -1)
        buffer = io.BytesIO(tiff_bytes(rows, photometric="minisblack", compression=compression, byteorder=order))
        with tifffile.TiffFile(buffer, mode="r+") as file:
            file.pages.first.tags["ImageWidth"].overwrite(width)
            file.pages.first.tags["BitsPerSample"].overwrite(bits)
        words = (f"uint{bits}", "1-packed", compression, "little" if order == "<" else "big")
        yield Variety("TIFF", "-".join(words) + ".tif", buffer.getvalue())


def pictures() -> Iterator[Variety]:
    """Yield files of all other formats written by Pillow and pillow-heif."""
    rgb = scene(*SIZE)
    color = Image.fromarray(rgb)
    gray, alpha = color.convert("L"), Image.fromarray(np.dstack([rgb, rgb[..., 0]]))
    palette, bits = color.quantize(16), color.convert("1")
    gray_alpha, cmyk = alpha.convert("LA"), color.convert("CMYK")
    deep = Image.fromarray(rgb[..., 0].astype(np.uint16) * 257)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    frames: dict[str, Any] = {"save_all": True, "append_images": [Image.fromarray(scene(*SIZE, seed=1))]}
    usual = {"color": color, "gray": gray}
    clear = {**usual, "alpha": alpha}
    table: list[tuple[str, str, str, dict[str, Image.Image], list[dict[str, Any]]]] = [
        ("JPEG", "JPEG", "jpg", {**usual, "cmyk": cmyk, "bits": bits}, [
            {}, {"progressive": True}, {"subsampling": 0}, {"subsampling": 1}, {"restart_marker_rows": 1},
            {"icc_profile": profile}, {"icc_profile": profile + bytes(200_000)}, {"keep_rgb": True},
        ]),
        ("PNG", "PNG", "png",
         {**clear, "gray-alpha": gray_alpha, "palette": palette, "bits": bits, "deep": deep},
         [{}, {"icc_profile": profile}, {"compress_level": 0}, {"icc_profile": profile + bytes(3_000_000)},
          {"pnginfo": long_text("iTXt")}, {"pnginfo": long_text("zTXt")}, {"pnginfo": long_text("tEXt")}, frames]),
        ("WebP", "WEBP", "webp", {**clear, "palette": palette},
         [{}, {"lossless": True}, {"exact": True, "lossless": True}, {"icc_profile": profile}, frames]),
        ("GIF", "GIF", "gif", {**usual, "palette": palette, "bits": bits}, [{}, {"interlace": 0}, frames]),
        ("BMP", "BMP", "bmp", {**clear, "palette": palette, "bits": bits}, [{}]),
        ("BMP", "DIB", "dib", {**usual, "palette": palette, "bits": bits}, [{}]),
        ("AVIF", "AVIF", "avif", clear, [
            *({"subsampling": kind} for kind in ("4:4:4", "4:2:2", "4:2:0", "4:0:0")), {"quality": 100},
            {"icc_profile": profile}, {"range": "limited"}, {"tile_rows": 1}, frames,
        ]),
        ("HEIC", "HEIF", "heic", {**clear, "gray-alpha": gray_alpha, "deep": deep}, [
            *({"chroma": kind} for kind in (444, 422, 420)), {"quality": -1}, {"save_all": True},
        ]),
        ("JPEG 2000", "JPEG2000", "jp2", {**clear, "gray-alpha": gray_alpha, "deep": deep}, [
            {}, {"irreversible": True}, {"tile_size": (16, 16)}, {"num_resolutions": 1}, {"no_jp2": True},
            {"progression": "RPCL"}, {"quality_layers": [20, 5]}, {"mct": 0},
        ]),
        ("TGA", "TGA", "tga", {**clear, "gray-alpha": gray_alpha, "palette": palette, "bits": bits},
         [{}, {"compression": "tga_rle"}, {"orientation": 1}, {"id_section": b"a remark"}]),
        ("PNM", "PPM", "pnm", {**usual, "bits": bits, "deep": deep}, [{}]),
        ("TIFF", "TIFF", "tif",
         {**clear, "gray-alpha": gray_alpha, "palette": palette, "bits": bits, "cmyk": cmyk, "lab": lab(color),
          "premultiplied": alpha.convert("RGBa"), "gray-premultiplied": gray_alpha.convert("La")},
         [{"compression": kind} for kind in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", "zstd")]
         + [{"big_tiff": True}, frames]),
        ("TIFF", "TIFF", "tif", {"bits": bits}, [{"compression": kind} for kind in ("group3", "group4", "tiff_ccitt")]),
        ("TIFF", "TIFF", "tif", usual, [{"compression": "jpeg"}, {"compression": "jpeg", "quality": 100}]),
    ]  # fmt: skip
    for row, (kind, coder, suffix, images, choices) in enumerate(table):
        for (name, image), (number, options) in itertools.product(images.items(), enumerate(choices)):
            try:
                content = file_bytes(image, coder, **options)
            except (OSError, ValueError, TypeError, RuntimeError, SystemError, KeyError):
                continue  # a combination that the format does not have
            yield Variety(kind, f"{name}-{coder.lower()}-{row}-{number}.{suffix}", content)


def long_text(chunk: str) -> PngImagePlugin.PngInfo:
    """Return a text of 3 MB for a PNG file."""
    info = PngImagePlugin.PngInfo()
    if chunk == "iTXt":
        info.add_itxt("Comment", "x" * 3_000_000, zip=True)
    else:
        info.add_text("Comment", "x" * 3_000_000, zip=chunk == "zTXt")
    return info


def lab(color: Image.Image) -> Image.Image:
    """Return a picture in CIELAB."""
    space = ImageCms.createProfile("LAB")
    found = ImageCms.profileToProfile(color, ImageCms.createProfile("sRGB"), space, outputMode="LAB")
    assert found is not None
    return found


def targas() -> Iterator[Variety]:
    """Yield Targa files that Pillow does not write: palettes of all depths, 15 and 16 bits, and all four origins."""
    rgb = scene(*SIZE)
    quantised = Image.fromarray(rgb).quantize(16)
    colors = np.asarray(quantised.getpalette(), np.uint8)[:48].reshape(-1, 3)
    indices = np.asarray(quantised)
    opaque = np.full((*SIZE[::-1], 1), 255, np.uint8)
    maps = {
        15: _five_bits(colors),
        16: _five_bits(colors),
        24: colors[:, ::-1].tobytes(),
        32: np.c_[colors[:, ::-1], opaque.ravel()[: len(colors)]].tobytes(),
    }
    for depth, colors_there in maps.items():
        for first, kind in itertools.product((0, 5), ("u1", "<u2")):
            data = (indices + first).astype(kind).tobytes()
            head = _targa_header(1, 8 * np.dtype(kind).itemsize, 0x20, (first, len(colors), depth))
            yield Variety("TGA", f"palette{depth}-from{first}-{kind[-2:]}.tga", head + colors_there + data)
    depths = {
        15: _five_bits(rgb),
        16: _five_bits(rgb),
        24: rgb[..., ::-1].tobytes(),
        32: np.dstack([rgb[..., ::-1], 0 * opaque]).tobytes(),
    }
    for depth, data in depths.items():
        yield Variety("TGA", f"color{depth}.tga", _targa_header(2, depth, 0x20) + data)
        beside = _targa_header(2, depth, 0x20, (0, len(colors), 24)) + maps[24]
        yield Variety("TGA", f"color{depth}-beside-palette.tga", beside + data)
        size = (depth + 7) // 8
        runs = b"".join(b"\0" + data[at : at + size] for at in range(0, len(data), size))
        yield Variety("TGA", f"color{depth}-runs.tga", _targa_header(10, depth, 0x20) + runs)
    for corner, order in ((0x00, rgb[::-1]), (0x10, rgb[::-1, ::-1]), (0x30, rgb[:, ::-1])):
        yield Variety("TGA", f"corner{corner:02x}.tga", _targa_header(2, 24, corner) + order[..., ::-1].tobytes())


def _targa_header(kind: int, depth: int, flags: int, palette: tuple[int, int, int] = (0, 0, 0)) -> bytes:
    return struct.pack("<BBBHHBHHHHBB", 0, palette[1] > 0, kind, *palette, 0, 0, *SIZE, depth, flags)


def _five_bits(colors: NDArray[np.uint8]) -> bytes:
    red, green, blue = (colors[..., channel].astype(np.uint16) >> 3 for channel in range(3))
    return (red << 10 | green << 5 | blue).astype("<u2").tobytes()


def jpeg2000s() -> Iterator[Variety]:
    """Yield JPEG 2000 files and codestreams of 1 to 16 bits, grey, with transparency and in colours."""
    import imagecodecs

    for bits, samples, form in itertools.product(range(1, 17), (1, 2, 3), ("jp2", "j2k")):
        values = tiff_values(bits, samples=samples)
        if samples == 2:
            values[..., 1] = 2**bits - 1
        content = imagecodecs.jpeg2k_encode(values, codecformat=form, bitspersample=bits, level=0, reversible=True)
        yield Variety("JPEG 2000", f"uint{bits}-{samples}.{form}", bytes(content))


def lenient_avifs() -> Iterator[Variety]:
    """Yield AVIF files that only a lenient decoder opens: their transparency has no size property."""
    rgb = scene(*SIZE)
    alpha = np.full(SIZE[::-1], 255, np.uint8)
    alpha[-1, -1] = 250  # or the encoder omits it
    clear = Image.fromarray(np.dstack([rgb, alpha]))
    for turn in range(1, 9):
        exif = Image.Exif()
        exif[274] = turn
        content = bytearray(file_bytes(clear, "AVIF", quality=100, exif=exif.tobytes()))
        # The last item of the table: its number, the number of its properties, and these. The second property replaces
        # the first, which is its size.
        table = content.index(b"ipma")
        item = content.index(b"\0\2", table + 12)
        content[item + 3] = content[item + 4]
        yield Variety("AVIF", f"alpha-without-size-{turn}.avif", bytes(content))


def premultiplied_tiffs() -> Iterator[Variety]:
    """Yield TIFF files with premultiplied and with separate transparency."""
    for bits, samples, extra in itertools.product((8, 16, 32), (2, 4), ("assocalpha", "unassalpha", "unspecified")):
        values = tiff_values(bits, samples=samples)
        values[..., -1] = np.iinfo(values.dtype).max
        kind = "rgb" if samples == 4 else "minisblack"
        content = tiff_bytes(values, photometric=kind, extrasamples=[extra], planarconfig="contig")
        yield Variety("TIFF", f"uint{bits}-{samples}-{extra}.tif", content)


def varieties() -> Iterator[Variety]:
    """Yield all files."""
    for make in (tiffs, packed_tiffs, premultiplied_tiffs, pictures, targas, jpeg2000s, lenient_avifs):
        yield from make()
