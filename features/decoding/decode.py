# SPDX-License-Identifier: MIT
"""Decoding of files to photos: upright, sRGB, working size, with typed errors and limits.

Only formats of an explicit list are opened, each recognized by its signature and opened by its own decoder. No other
program is started, and the number of pixels claimed by a header is checked before memory is allocated.
"""

from __future__ import annotations

import errno
import io
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile

from focal_photos.features.decoding.damage import meaning
from focal_photos.features.decoding.decoders.bmp import UnsupportedBitmapError
from focal_photos.features.decoding.decoders.dicom import DicomFile
from focal_photos.features.decoding.decoders.dicom_signature import HEAD, is_dicom
from focal_photos.features.decoding.decoders.photoshop import UnsupportedPhotoshopError
from focal_photos.features.decoding.decoders.raw import RawFile, UnknownRawError, is_raw
from focal_photos.features.decoding.decoders.scientific_tiff import ScientificTiff, is_measured
from focal_photos.features.decoding.exif import Orientation, orientation_and_date
from focal_photos.features.decoding.formats import UNSUPPORTED, Opener, claimed_pixels, opener, weak_opener
from focal_photos.features.decoding.image import ImageHeader, WorkingImage
from focal_photos.features.decoding.incomplete import decodable_part
from focal_photos.features.decoding.limits import (
    WORKING_SIDE,
    DecodeLimits,
    ImageError,
    ImageTooLargeError,
    IncompleteImageError,
    UnreadableImageError,
    UnsupportedFormatError,
    fit_within,
)
from focal_photos.features.decoding.measured import MeasuredImage
from focal_photos.features.decoding.pixels import to_rgb
from focal_photos.features.decoding.regular_file import open_regular, too_large
from focal_photos.text import Text

_ANY_WINDOW: Final = tuple((kind, ((0.0, 1.0),)) for kind in ("uint16", "uint32", "float32"))
"""Windows for all kinds of values, so that every file that could have a window counts as measured."""


def probe(source: Path | bytes, limits: DecodeLimits | None = None) -> ImageHeader:
    """Read a photo's header without decoding its pixels.

    Parameters
    ----------
    source : Path or bytes
        File path or content.
    limits : DecodeLimits, optional
        Limits to enforce.

    Returns
    -------
    ImageHeader
        For a PNG file whose EXIF block follows the pixels, it lacks facts that `decode` returns.

    Raises
    ------
    ImageError
        One of its three subclasses.
    """
    with _opened(source, limits or DecodeLimits()) as image:
        if isinstance(image, RawFile | MeasuredImage):
            return _header(image.format, image.size, image.orientation, image.taken)
        orientation, taken = orientation_and_date(image)
        return _header(image.format, image.size, orientation, taken)


def decode(
    source: Path | bytes, *, side: int | None = WORKING_SIDE, limits: DecodeLimits | None = None
) -> WorkingImage:
    """Decode a photo for its descriptors, its thumbnail or the viewer.

    The result is upright (EXIF), in sRGB (converted by the ICC profile if there is one), with 8 bits per channel.
    Transparent pixels are composited on white, an animation gives its first frame, and grey becomes RGB. If the format
    can be decoded at a reduced size (JPEG), it is. A camera raw file gives its embedded preview if that is large
    enough; otherwise it is developed at half its size, so the result may be smaller than the header states. For an
    incomplete JPEG or PNG file, the rows present form the photo, if `DecodeLimits.partial` is set; the header then has
    their size and a warning.

    Parameters
    ----------
    source : Path or bytes
        File path or content.
    side : int, optional
        Maximum of the longest side in pixels; a smaller image is not enlarged. None: full size.
    limits : DecodeLimits, optional
        Limits to enforce before decoding.

    Returns
    -------
    WorkingImage

    Raises
    ------
    UnreadableImageError
        If the file cannot be opened, or is empty, damaged or not an image.
    IncompleteImageError
        If the file is truncated, and `DecodeLimits.partial` is not set or none of it can be decoded.
    UnsupportedFormatError
        If the format is not on the list.
    ImageTooLargeError
        If a limit is exceeded, or memory runs out.
    """
    if side is not None and side < 1:
        raise ValueError(f"side must be at least 1 pixel, it is {side}.")
    limits = limits or DecodeLimits()
    try:
        return _decode(source, side, limits)
    except IncompleteImageError as error:
        part = _decode_part(source, side, limits) if limits.partial else None
        if part is None:
            raise error
        return part


def _decode(source: Path | bytes, side: int | None, limits: DecodeLimits) -> WorkingImage:
    with _opened(source, limits) as image:
        if isinstance(image, RawFile):
            rgb = _decode_raw(image, side, limits)
            return WorkingImage(rgb, _header(image.format, image.size, image.orientation, image.taken))
        if isinstance(image, MeasuredImage):
            levels = Image.fromarray(image.levels(limits.display))
            size = levels.size if side is None else fit_within(levels.size, side)
            rgb = to_rgb(levels, size, image.orientation)
            return WorkingImage(rgb, _header(image.format, image.size, image.orientation, image.taken))
        full = image.size
        size = _load(image, side)
        # After loading: a PNG may store its EXIF block after the pixels, and Pillow rotates a TIFF while loading it.
        orientation, taken = orientation_and_date(image)
        rgb = to_rgb(image, size, orientation or Orientation.NORMAL)
        return WorkingImage(rgb, _header(image.format, full, orientation, taken))


def _decode_part(source: Path | bytes, side: int | None, limits: DecodeLimits) -> WorkingImage | None:
    """Decode the usable part of an incomplete file; None if there is none."""
    with _stream(source, limits) as stream:
        content = stream.read()
    found = decodable_part(content)
    if found is None:
        return None
    part, share = found
    warning = Text("The file is incomplete, the photo lacks detail: copy or download it again.")
    if share < 1:
        percent = max(1, min(99, round(100 * share)))
        warning = Text(
            "The file is incomplete, only {0} % of the photo can be shown: copy or download it again.", percent
        )
    try:
        image = _decode(part, side, limits)
    except ImageError:
        return None
    return WorkingImage(image.rgb, replace(image.header, warning=warning))


def sample_values(
    source: Path, count: int, limits: DecodeLimits | None = None
) -> tuple[str, list[NDArray[np.float64]]]:
    """Return sample values of a measured image, for the choice of a display window.

    Parameters
    ----------
    source : Path
    count : int
        Maximum number of values per channel.
    limits : DecodeLimits, optional

    Returns
    -------
    kind : str
        Kind of the values, see `Display`; empty for a picture.
    values : list of ndarray of float64
        Values of each channel, evenly spaced over the image; empty if no window is needed.

    Raises
    ------
    ImageError
        One of its three subclasses.
    """
    limits = limits or DecodeLimits()
    asking = replace(limits, display=replace(limits.display, windows=_ANY_WINDOW))
    with _opened(source, asking) as image:
        if not isinstance(image, MeasuredImage):
            return "", []
        return image.kind, image.sample(limits.display, count)


def count_frames(source: Path, limits: DecodeLimits | None = None) -> int:
    """Return the number of frames of a DICOM file, 1 for any other image; raises `ImageError`."""
    with _opened(source, limits or DecodeLimits()) as image:
        return image.frames if isinstance(image, DicomFile) else 1


def to_png(rgb: NDArray[np.uint8]) -> bytes:
    """Encode pixels (h, w, 3) uint8 as a PNG file, in greyscale if all pixels are grey; may raise `MemoryError`."""
    is_gray = bool((rgb == rgb[..., :1]).all())
    return _encode(np.ascontiguousarray(rgb[..., 0]) if is_gray else rgb, "PNG")


def to_jpeg(rgb: NDArray[np.uint8], quality: int = 85) -> bytes:
    """Encode pixels (h, w, 3) uint8 as a baseline JPEG file; may raise `MemoryError`."""
    return _encode(rgb, "JPEG", quality=quality)


def _encode(pixels: NDArray[np.uint8], file_format: str, **settings: int) -> bytes:
    """Encode pixels in memory."""
    buffer = io.BytesIO()
    try:
        Image.fromarray(pixels).save(buffer, file_format, **settings)
    except OSError as error:  # Pillow's for an encoder that lacks memory; no disk is involved
        raise MemoryError(*error.args) from None
    return buffer.getvalue()


def _load(image: ImageFile.ImageFile, side: int | None) -> tuple[int, int]:
    """Load the pixels, at a reduced size if the decoder supports it; return the requested size."""
    size = image.size if side is None else fit_within(image.size, side)
    image.draft(None, size)
    image.load()
    return size


def _decode_raw(raw: RawFile, side: int | None, limits: DecodeLimits) -> NDArray[np.uint8]:
    """Return the preview, or the developed picture if the preview is missing or too small for the descriptors."""
    preview: NDArray[np.uint8] | None = None
    with suppress(ImageError):
        preview = _decode_preview(raw, side, limits)
    needed = min(side or WORKING_SIDE, WORKING_SIDE, max(raw.size) // 2)
    if preview is not None and max(preview.shape) >= needed:
        return preview
    try:
        developed = Image.fromarray(raw.develop())
    except (ValueError, MemoryError):
        if preview is None:
            raise
        return preview
    size = developed.size if side is None else fit_within(developed.size, side)
    return to_rgb(developed, size, Orientation.NORMAL)


def _decode_preview(raw: RawFile, side: int | None, limits: DecodeLimits) -> NDArray[np.uint8] | None:
    found = raw.preview()
    if not isinstance(found, bytes):
        if found is None:
            return None
        pixels = Image.fromarray(found)
        size = pixels.size if side is None else fit_within(pixels.size, side)
        return to_rgb(pixels, size, raw.preview_orientation(pixels.size, None))
    with _opened(found, limits) as image:
        if isinstance(image, RawFile | MeasuredImage):
            return None
        stored = image.size
        size = _load(image, side)
        return to_rgb(image, size, raw.preview_orientation(stored, orientation_and_date(image)[0]))


@contextmanager
def _opened(source: Path | bytes, limits: DecodeLimits) -> Iterator[ImageFile.ImageFile | RawFile | MeasuredImage]:
    """Open a photo within the limits, and convert any error of its decoder to an `ImageError`."""
    with ExitStack() as stack:
        stack.enter_context(pillow_settings(limits.max_pixels))
        try:
            stream = stack.enter_context(_stream(source, limits))
            head = stream.read(HEAD)
            stream.seek(0)
            _check_pixels(claimed_pixels(head), limits)
            if is_raw(head, stream):
                raw = stack.enter_context(closing(RawFile(stream)))
                _check_pixels(raw.claimed_pixels, limits)
                yield raw
            elif (measured := _measured(head, stream, limits)) is not None:
                stack.enter_context(closing(measured))
                _check_pixels(max(measured.claimed, measured.size[0] * measured.size[1]), limits)
                yield measured
            else:
                image = stack.enter_context(_recognise(head)(stream))
                _check_pixels(image.width * image.height, limits)
                yield image
        except ImageError:
            raise
        except UnknownRawError:
            raise UnsupportedFormatError(
                "This camera raw file is damaged or of an unknown kind: save the photo as JPEG or PNG."
            ) from None
        except (UnsupportedBitmapError, UnsupportedPhotoshopError) as error:
            raise UnsupportedFormatError("{0} are not supported: save the image as JPEG or PNG.", error) from None
        except MemoryError:
            raise ImageTooLargeError("The image needs more memory than is available.") from None
        except Image.DecompressionBombError:
            raise ImageTooLargeError(
                "The image declares more than the allowed {0:,} pixels.", limits.max_pixels
            ) from None
        except Exception as error:
            raise meaning(error) from None


def _measured(head: bytes, stream: IO[bytes], limits: DecodeLimits) -> MeasuredImage | None:
    """Open a measured image; None for a photo, or if the file may still be readable as a photo."""
    if is_dicom(head):
        return DicomFile(stream, limits.max_bytes)
    if not is_measured(head, stream, limits.display):
        return None
    try:
        return ScientificTiff(stream)
    except (ImageError, MemoryError):
        raise
    except Exception:
        stream.seek(0)
        return None


def _recognise(head: bytes) -> Opener:
    found = opener(head)
    if found is not None:
        return found
    for signature, kind in UNSUPPORTED:
        if signature.match(head):
            raise UnsupportedFormatError("{0} files are not supported: save the image as JPEG or PNG.", kind)
    found = weak_opener(head)
    if found is not None:
        return found
    raise UnreadableImageError(
        "The file is empty." if not head else "The file is not in an image format that Focal supports."
    )


@contextmanager
def _stream(source: Path | bytes, limits: DecodeLimits) -> Iterator[IO[bytes]]:
    """Open the content; only of regular files, because a pipe or a device could block forever."""
    with ExitStack() as stack:
        if isinstance(source, bytes):
            if len(source) > limits.max_bytes:
                raise ImageTooLargeError("The file cannot be opened: {0}.", too_large(len(source), limits.max_bytes))
            stream: IO[bytes] = io.BytesIO(source)
        else:
            try:
                stream = stack.enter_context(open_regular(source, limits.max_bytes))
            except OSError as error:
                reason = Text("The file cannot be opened: {0}.", error.strerror or type(error).__name__)
                kind = ImageTooLargeError if error.errno == errno.EFBIG else UnreadableImageError
                raise kind(reason) from None
        yield stream


def _check_pixels(pixels: int, limits: DecodeLimits) -> None:
    if pixels > limits.max_pixels:
        raise ImageTooLargeError(
            "The image declares {0:,} pixels, more than the allowed {1:,}.", pixels, limits.max_pixels
        )


def _header(
    kind: str | None, size: tuple[int, int], orientation: Orientation | None, taken: datetime | None
) -> ImageHeader:
    width, height = reversed(size) if orientation is not None and orientation.swaps_sides else size
    return ImageHeader(kind or "", width, height, taken, orientation=int(orientation or Orientation.NORMAL))


_settings_lock = threading.Lock()
_limits_in_use: list[int] = []
_saved: tuple[warnings.catch_warnings[None], int | None] | None = None


@contextmanager
def pillow_settings(max_pixels: int = 0) -> Iterator[None]:
    """Ignore warnings raised in decoder modules, and replace Pillow's limit on pixels.

    Pillow warns about damaged metadata and large images. The photo is then either decoded or refused with a typed
    error, so the warning is useless. Pillow's own limit is 179 million pixels. Python's warning filters and this limit
    are global to the process, so the first thread to enter sets them and the last to leave restores them. Warnings of
    other code are unaffected.

    Parameters
    ----------
    max_pixels : int
        Limit on pixels, which also applies to the canvas of a WebP and the tiles of a TIFF that Pillow allocates
        itself. The largest limit of all concurrent threads applies; 0 keeps Pillow's own if no other is larger.
    """
    global _saved  # noqa: PLW0603 - the settings that this guards are global themselves
    with _settings_lock:
        if _saved is None:
            _saved = warnings.catch_warnings(), Image.MAX_IMAGE_PIXELS
            _saved[0].__enter__()
            warnings.filterwarnings("ignore", module=r"(?:PIL|pydicom|tifffile)\b")  # pydicom's warnings quote the file
        _limits_in_use.append(max_pixels)
        _set_pillow_limit(_saved[1])
    try:
        yield
    finally:
        with _settings_lock:
            _limits_in_use.remove(max_pixels)
            if _saved is not None:
                _set_pillow_limit(_saved[1])
                if not _limits_in_use:
                    _saved[0].__exit__(None, None, None)
                    _saved = None


def _set_pillow_limit(own: int | None) -> None:
    largest = max(_limits_in_use, default=0)
    Image.MAX_IMAGE_PIXELS = -(-largest // 2) if largest else own  # Pillow refuses more than double this
