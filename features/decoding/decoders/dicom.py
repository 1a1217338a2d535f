# SPDX-License-Identifier: MIT
"""DICOM files: the picture as a viewer shows it, without patient data.

Modality and VOI tables or windows, MONOCHROME1 and palettes follow DICOM PS3.3, C.7.6.3, C.11.1 and C.11.2. Files are
read by pydicom, which the extra ``medical`` installs. No name, number, text or date of birth leaves this module: its
errors have fixed messages, and pydicom's logs and warnings are suppressed.
"""

from __future__ import annotations

import logging
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.decoders.dicom_signature import HEAD, INSTALL
from focal_photos.features.decoding.display import Display
from focal_photos.features.decoding.limits import ImageTooLargeError, UnreadableImageError, UnsupportedFormatError
from focal_photos.features.decoding.measured import MeasuredImage, in_window
from focal_photos.text import Text

_DEFLATED: Final = "1.2.840.10008.1.2.1.99"
_SYNTAX: Final = (2, 0x10)
_LONG_VALUE_TYPES: Final = (b"OB", b"OD", b"OF", b"OL", b"OV", b"OW", b"SQ", b"SV", b"UC", b"UN", b"UR", b"UT", b"UV")
_DAMAGED: Final = Text("The DICOM file is damaged or of an unsupported kind.")
_MODALITY_NAME: Final = re.compile("[A-Z]{2,8}")
_MAX_VALUE: Final = 1e15


class DicomFile(MeasuredImage):
    """A DICOM file with a picture.

    Parameters
    ----------
    stream : file
    most_bytes : int
        Maximum size of the unpacked file.

    Attributes
    ----------
    frames : int

    Raises
    ------
    ImageError
        One of its three subclasses; the message quotes nothing from the file.
    """

    format = "DICOM"

    def __init__(self, stream: IO[bytes], most_bytes: int) -> None:
        try:
            import pydicom
        except ImportError:
            raise UnsupportedFormatError("DICOM files need pydicom: run {0} in Focal's checkout.", INSTALL) from None
        logging.getLogger("pydicom").setLevel(logging.CRITICAL + 1)
        self._stream = stream
        try:
            self._is_deflated = _require_small(stream, most_bytes)
            stream.seek(0)
            # Deflated files are unpacked completely; for all others only the pixels of one frame are read, later.
            self._data = pydicom.dcmread(stream, stop_before_pixels=not self._is_deflated)
            self._read_header()
        except (ImageTooLargeError, UnsupportedFormatError):
            raise
        except MemoryError:
            raise
        except Exception:
            raise UnreadableImageError(_DAMAGED) from None

    def _read_header(self) -> None:
        from pydicom.pixels.decoders.base import get_decoder

        data = self._data
        if "Rows" not in data or "Columns" not in data:
            raise UnsupportedFormatError("This DICOM file contains no picture.")
        syntax = data.file_meta.TransferSyntaxUID
        if syntax.is_encapsulated and not get_decoder(syntax).is_available:
            raise UnsupportedFormatError(
                "This DICOM file uses a compression for which pydicom needs another package: pip install "
                "pylibjpeg pylibjpeg-libjpeg."
            )
        self.size = (int(data.Columns), int(data.Rows))
        self.frames = max(1, int(data.get("NumberOfFrames") or 1))
        self._samples = int(data.get("SamplesPerPixel") or 1)
        if min(self.size) < 1 or self._samples not in (1, 3):
            raise ValueError
        self._photometric = str(data.get("PhotometricInterpretation") or "MONOCHROME2")
        self.claimed = self.size[0] * self.size[1]
        modality = str(data.get("Modality") or "")
        # The kind is saved in the library; text other than a modality might be a name and is not saved.
        self.kind = f"dicom {modality if _MODALITY_NAME.fullmatch(modality) else 'OT'}"
        self.taken = _date(data)

    def channels(self, display: Display) -> Iterator[NDArray[Any]]:
        """Yield the values (h, w) of a grey picture in the units of its modality; nothing for a colour picture."""
        if self._is_gray:
            with _own_words():
                values = self._values(display)
            yield values

    def sample(self, display: Display, count: int) -> list[NDArray[np.float64]]:
        """Return values as `MeasuredImage.sample`, unless the file itself defines black and white."""
        with _own_words():
            said = self._is_gray and self._voi(self._frame(display)) is not None
        return [] if said else super().sample(display, count)

    def levels(self, display: Display) -> NDArray[np.uint8]:
        """Return the displayed levels; see `MeasuredImage.levels`."""
        with _own_words():
            if not self._is_gray:
                return self._colors(display)
            values, frame = self._values(display), self._frame(display)
            voi = self._voi(frame)
            levels = in_window(values, display.window(self.kind, 0)) if voi is None else _by_voi(values, voi)
            # MONOCHROME1: the smallest value is white.
            return np.invert(levels) if self._photometric == "MONOCHROME1" else levels

    # ------------------------------------------------------------------ inside
    @property
    def _is_gray(self) -> bool:
        return self._samples == 1 and self._photometric != "PALETTE COLOR"

    def _frame(self, display: Display) -> int:
        return min(display.frame, self.frames) - 1

    def _stored(self, display: Display) -> NDArray[Any]:
        """Return the stored values of one frame; no other frame is decoded."""
        from pydicom.pixels.utils import pixel_array

        self._stream.seek(0)
        source: Any = self._data if self._is_deflated else self._stream
        values = pixel_array(source, index=self._frame(display))
        if values.shape[:2] != self.size[::-1]:
            raise ValueError
        return values

    def _values(self, display: Display) -> NDArray[Any]:
        from pydicom.pixels.processing import apply_modality_lut

        values = apply_modality_lut(self._stored(display), self._of_frame(self._frame(display), _MODALITY))
        return np.asarray(values)

    def _voi(self, frame: int) -> Any:
        """Return the data with the table or window of values of interest; None if the file has neither."""
        data = self._of_frame(frame, _VOI)
        if data.get("VOILUTSequence"):
            return data
        return (
            data if data.get("WindowCenter") not in (None, "") and data.get("WindowWidth") not in (None, "") else None
        )

    def _of_frame(self, frame: int, wanted: tuple[str, tuple[str, ...]]) -> Any:
        """Return the data with the values of one frame's functional groups replacing those for all frames."""
        from pydicom.dataset import Dataset

        sequence, names = wanted
        for groups, place in (("PerFrameFunctionalGroupsSequence", frame), ("SharedFunctionalGroupsSequence", 0)):
            found = self._data.get(groups)
            if found and len(found) > place and found[place].get(sequence):
                own = Dataset()
                for name in (*_SHARED, *names):
                    source = found[place].get(sequence)[0]
                    holder = source if name in source else self._data
                    if name in holder:
                        own.add(holder[name])
                return own
        return self._data

    def _colors(self, display: Display) -> NDArray[np.uint8]:
        from pydicom.pixels.processing import apply_color_lut

        values = self._stored(display)
        bits = int(self._data.get("BitsStored") or 8)
        if self._photometric == "PALETTE COLOR":
            values = apply_color_lut(values, self._data)[..., :3]
            bits = values.dtype.itemsize * 8
        if values.ndim != 3 or values.shape[2] != 3:
            raise ValueError
        if bits <= 8 and values.dtype == np.uint8:
            return np.ascontiguousarray(values)
        return in_window(values, (0.0, float(2**bits - 1)))


_SHARED: Final = ("BitsStored", "PixelRepresentation", "PhotometricInterpretation", "SamplesPerPixel", "BitsAllocated")
_MODALITY: Final = ("PixelValueTransformationSequence", ("RescaleIntercept", "RescaleSlope", "RescaleType"))
_VOI: Final = (
    "FrameVOILUTSequence",
    ("WindowCenter", "WindowWidth", "VOILUTFunction", "VOILUTSequence", "RescaleIntercept", "RescaleSlope"),
)


def _by_voi(values: NDArray[Any], data: Any) -> NDArray[np.uint8]:
    """Return grey levels by the table, or the window, of values of interest."""
    from pydicom.pixels.processing import apply_voi_lut

    shown = apply_voi_lut(values, data)
    if data.get("VOILUTSequence"):
        bits = int(data.VOILUTSequence[0].LUTDescriptor[2])
        return in_window(shown, (0.0, float(2**bits - 1)))
    # A window maps values far outside of it to black and white.
    low, high = (float(one) for one in apply_voi_lut(np.array([-_MAX_VALUE, _MAX_VALUE]), data))
    return in_window(shown, (low, high))


def _date(data: Any) -> datetime | None:
    """Return the acquisition date; dates of the patient are never read."""
    for day, hour in (
        ("AcquisitionDate", "AcquisitionTime"),
        ("ContentDate", "ContentTime"),
        ("StudyDate", "StudyTime"),
    ):
        with suppress(ValueError, TypeError):
            return datetime.strptime(
                f"{str(data.get(day))[:8]} {str(data.get(hour) or '000000')[:6]:0<6}", "%Y%m%d %H%M%S"
            )
    return None


class _own_words:  # noqa: N801 - reads as a word in a with statement
    """Converts any error of a decoder to one that quotes nothing from the file."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if isinstance(error, ImageTooLargeError | UnsupportedFormatError | MemoryError) or error is None:
            return
        if isinstance(error, Exception):
            raise UnreadableImageError(_DAMAGED) from None


def _require_small(stream: IO[bytes], most_bytes: int) -> bool:
    """Raise if a deflated file unpacks to more than the limit; return whether the file is deflated."""
    stream.seek(HEAD)
    if _syntax(stream) != _DEFLATED:
        return False
    unpacker, whole = zlib.decompressobj(-zlib.MAX_WBITS), 0
    while block := stream.read(1 << 16):
        while block:
            whole += len(unpacker.decompress(block, 1 << 20))
            if whole > most_bytes:
                raise ImageTooLargeError("The file unpacks to more than the allowed {0:,} bytes.", most_bytes)
            block = unpacker.unconsumed_tail
    return True


def _syntax(stream: IO[bytes]) -> str:
    """Return the transfer syntax, and leave the stream at the start of the data set."""
    found = ""
    for tag, value, end in _meta(stream):
        if tag == _SYNTAX:
            found = value.rstrip(b"\0 ").decode("ascii", "replace")
        stream.seek(end)
    return found


def _meta(stream: IO[bytes]) -> Iterator[tuple[tuple[int, int], bytes, int]]:
    """Yield tag, value (its first bytes) and end of each element of the group that precedes the data set."""
    while True:
        start = stream.tell()
        head = stream.read(8)
        if len(head) < 8 or head[:2] != b"\2\0":
            stream.seek(start)
            return
        group, element = struct.unpack("<HH", head[:4])
        length = struct.unpack("<H", head[6:])[0]
        if head[4:6] in _LONG_VALUE_TYPES:
            length = struct.unpack("<I", stream.read(4))[0]
        end = stream.tell() + length
        yield (group, element), stream.read(min(length, 128)), end
