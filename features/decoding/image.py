"""One decode of a photo: right way up, sRGB, working size, with typed errors and limits.

Only formats of an explicit list are opened, each by its own decoder and recognised by its signature;
nothing here starts another program, and the number of pixels that a header claims is checked before memory
is taken for them.
"""

from __future__ import annotations

import functools
import io
import os
import stat
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile

from features.decoding.exif import date_taken, orientation_and_date
from features.decoding.formats import UNSUPPORTED, Opener, claimed_pixels, opener
from features.decoding.pixels import Orientation, fit_within, to_rgb
from features.decoding.quiet import quiet_pillow
from features.decoding.raw import RAW_SUFFIXES, RawFile, UnknownRawError, is_raw

WORKING_SIDE: Final = 384
"""Longest side in pixels of the image that descriptors see."""

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
        *RAW_SUFFIXES,
    }
)
"""Suffixes, in lower case and with the dot, of files that are worth a try."""

S = TypeVar("S")
T = TypeVar("T", bound=np.generic)


class ImageError(Exception):
    """A photo cannot be decoded; the message is one line for a person and names no path."""


class UnreadableImageError(ImageError):
    """The file cannot be opened, or it is empty, truncated, damaged or no image."""


class UnsupportedFormatError(ImageError):
    """The file is of a kind that is not on the list of formats."""


class ImageTooLargeError(ImageError):
    """The header claims more pixels, or the file has more bytes, than the limits allow."""


@dataclass(frozen=True)
class DecodeLimits:
    """What is refused before decoding.

    Attributes
    ----------
    max_pixels : int
        Width times height.
    max_bytes : int
        Size of the file.
    """

    max_pixels: int = 300_000_000
    max_bytes: int = 1 << 30


@dataclass(frozen=True)
class ImageHeader:
    """What a photo says of itself.

    Attributes
    ----------
    format : str
        ``"JPEG"``, ``"PNG"``, ... as Pillow names it; ``"RAW"`` for camera raw files, ``"array"`` for
        `WorkingImage.from_array`.
    width, height : int
        Size in pixels of the full image, right way up.
    taken : datetime or None
        When the camera says it was taken, in the camera's own time (EXIF has no time zone).
    """

    format: str
    width: int
    height: int
    taken: datetime | None = None


class WorkingImage:
    """The decoded photo that all descriptors share.

    Attributes
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        sRGB, right way up, C-contiguous and read-only.
    header : ImageHeader
        The photo's own size, format and date.
    """

    def __init__(self, rgb: NDArray[np.uint8], header: ImageHeader) -> None:
        if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3 or 0 in rgb.shape:
            raise ValueError(f"An image is uint8 (h, w, 3) and not empty, this is {rgb.dtype} {rgb.shape}.")
        # A view, so that the caller's own array keeps its flags.
        self.rgb: NDArray[np.uint8] = np.ascontiguousarray(rgb).view()
        self.rgb.setflags(write=False)
        self.header = header
        self._kept: dict[Hashable, object] = {}

    @classmethod
    def from_array(cls, rgb: NDArray[np.uint8]) -> WorkingImage:
        """Wrap pixels (h, w, 3) uint8 that come from elsewhere; they are neither copied nor resized."""
        return cls(rgb, ImageHeader("array", rgb.shape[1], rgb.shape[0]))

    def once(self, key: Hashable, compute: Callable[[], S]) -> S:
        """Return what `compute` gives, computed at the first call with this key only.

        Descriptors share intermediates through it: filter responses, edges, points, vectors of a local
        descriptor. What is kept must not be changed by anyone.

        Parameters
        ----------
        key : hashable
            A descriptor or a tuple that begins with a name; the same key always means the same computation.
        compute : callable
            Without arguments.
        """
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]  # type: ignore[return-value]

    @functools.cached_property
    def gray(self) -> NDArray[np.float32]:
        """Luma (ITU-R BT.601) in 0..255, float32 (h, w), read-only; not rounded to whole grey levels."""
        gray = cv2.transform(self.rgb.astype(np.float32), np.array([[0.299, 0.587, 0.114]], np.float32))
        return _read_only(gray.reshape(self.rgb.shape[:2]).astype(np.float32, copy=False))

    @functools.cached_property
    def hsv(self) -> NDArray[np.uint8]:
        """Hue, saturation and value, each over the full range 0..255, uint8 (h, w, 3), read-only."""
        return _read_only(cv2.cvtColor(self.rgb, cv2.COLOR_RGB2HSV_FULL).astype(np.uint8, copy=False))


def probe(source: Path | bytes, limits: DecodeLimits | None = None) -> ImageHeader:
    """Read a photo's header without decoding its pixels.

    Parameters
    ----------
    source : Path or bytes
        A file, or its content.
    limits : DecodeLimits, optional
        What to refuse.

    Returns
    -------
    ImageHeader
        Of a PNG that stores its EXIF block behind the pixels, `decode` knows more than this does.

    Raises
    ------
    ImageError
        One of its three kinds.
    """
    with _opened(source, limits or DecodeLimits()) as image:
        if isinstance(image, RawFile):
            return _header(image.format, image.size, image.orientation, date_taken(image.exif))
        orientation, taken = orientation_and_date(image)
        if image.format == "TIFF":  # Pillow gives its size right way up and turns the pixels itself
            orientation = Orientation.NORMAL
        return _header(image.format, image.size, orientation, taken)


def decode(
    source: Path | bytes, *, side: int | None = WORKING_SIDE, limits: DecodeLimits | None = None
) -> WorkingImage:
    """Decode a photo for its descriptors, its thumbnail or the viewer.

    The result is right way up (EXIF), in sRGB (by the ICC profile where there is one), 8 bits a channel;
    transparency is laid over white, an animation gives its first frame, grey becomes RGB. Where the format
    can decode at a reduced size (JPEG), it does. A camera raw file gives its embedded preview where that is
    large enough, else it is developed at half its size: then the result may be smaller than the header says.

    Parameters
    ----------
    source : Path or bytes
        A file, or its content.
    side : int, optional
        Upper bound of the longest side in pixels; a smaller image is never enlarged. None keeps the full
        size.
    limits : DecodeLimits, optional
        What to refuse before decoding.

    Returns
    -------
    WorkingImage

    Raises
    ------
    UnreadableImageError
        The file cannot be opened, or it is empty, truncated, damaged or no image.
    UnsupportedFormatError
        The format is not on the list.
    ImageTooLargeError
        A limit is exceeded, or memory ran out.
    """
    if side is not None and side < 1:
        raise ValueError(f"side must be at least 1 pixel, it is {side}.")
    limits = limits or DecodeLimits()
    with _opened(source, limits) as image:
        if isinstance(image, RawFile):
            rgb = _decode_raw(image, side, limits)
            return WorkingImage(rgb, _header(image.format, image.size, image.orientation, date_taken(image.exif)))
        full = image.size
        size = _load(image, side)
        # After loading: a PNG may keep its EXIF behind the pixels, and Pillow turns a TIFF while loading it.
        orientation, taken = orientation_and_date(image)
        rgb = to_rgb(image, size, orientation or Orientation.NORMAL)
        return WorkingImage(rgb, _header(image.format, full, orientation, taken))


def to_jpeg(rgb: NDArray[np.uint8], quality: int = 85) -> bytes:
    """Encode pixels (h, w, 3) uint8 as a baseline JPEG file."""
    buffer = io.BytesIO()
    Image.fromarray(rgb).save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def _load(image: ImageFile.ImageFile, side: int | None) -> tuple[int, int]:
    """Load the pixels, reduced where the decoder can; return the size that is wanted of them."""
    size = image.size if side is None else fit_within(image.size, side)
    image.draft(None, size)
    image.load()
    return size


def _decode_raw(raw: RawFile, side: int | None, limits: DecodeLimits) -> NDArray[np.uint8]:
    """Return the preview; the developed picture where there is none, or a smaller one than descriptors see."""
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
        if isinstance(image, RawFile):
            return None
        stored = image.size
        size = _load(image, side)
        return to_rgb(image, size, raw.preview_orientation(stored, orientation_and_date(image)[0]))


@contextmanager
def _opened(source: Path | bytes, limits: DecodeLimits) -> Iterator[ImageFile.ImageFile | RawFile]:
    """Open a photo within the limits, and turn whatever its decoder raises into an `ImageError`."""
    with ExitStack() as stack:
        stack.enter_context(quiet_pillow())
        try:
            stream = stack.enter_context(_stream(source, limits))
            head = stream.read(64)
            stream.seek(0)
            _check_pixels(claimed_pixels(head), limits)
            if is_raw(head, stream):
                raw = stack.enter_context(closing(RawFile(stream)))
                _check_pixels(raw.claimed_pixels, limits)
                yield raw
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
        except (MemoryError, Image.DecompressionBombError):
            raise ImageTooLargeError("The image needs more memory than there is.") from None
        except Exception as error:
            # A decoder fed with damaged data may raise nearly anything: struct.error, KeyError,
            # SyntaxError, ...
            raise UnreadableImageError(f"The file is damaged or incomplete ({_one_line(error)}).") from None


def _recognise(head: bytes) -> Opener:
    found = opener(head)
    if found is not None:
        return found
    for signature, kind in UNSUPPORTED:
        if signature.match(head):
            raise UnsupportedFormatError(f"{kind} files are not supported: save the image as JPEG or PNG.")
    raise UnreadableImageError("The file is empty." if not head else "The file is not an image that Focal knows.")


@contextmanager
def _stream(source: Path | bytes, limits: DecodeLimits) -> Iterator[IO[bytes]]:
    """Open the content; only a regular file, since a pipe or a device could block for ever."""
    with ExitStack() as stack:
        if isinstance(source, bytes):
            size = len(source)
            stream: IO[bytes] = io.BytesIO(source)
        else:
            try:
                flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
                stream = stack.enter_context(os.fdopen(os.open(source, flags), "rb"))
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise UnreadableImageError(f"The file cannot be opened: {reason}.") from None
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableImageError("This is not a regular file.")
            size = status.st_size
        if size > limits.max_bytes:
            raise ImageTooLargeError(
                f"The file has {size:,} bytes, more than the {limits.max_bytes:,} that are allowed."
            )
        yield stream


def _check_pixels(pixels: int, limits: DecodeLimits) -> None:
    if pixels > limits.max_pixels:
        raise ImageTooLargeError(
            f"The image claims {pixels:,} pixels, more than the {limits.max_pixels:,} that are allowed."
        )


def _header(
    kind: str | None, size: tuple[int, int], orientation: Orientation | None, taken: datetime | None
) -> ImageHeader:
    width, height = reversed(size) if orientation is not None and orientation.swaps_sides else size
    return ImageHeader(kind or "", width, height, taken)


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if 0 < len(text) <= 120 else type(error).__name__


def _read_only(array: NDArray[T]) -> NDArray[T]:
    array.setflags(write=False)
    return array
