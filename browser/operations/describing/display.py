# SPDX-License-Identifier: MIT
"""Display of scientific images: display windows are measured once on the whole set and saved with the library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.settings import (
    DISPLAY_CHANNELS,
    DISPLAY_PLANE,
    DISPLAY_TIME,
    DISPLAY_WINDOWS,
    MEGABYTES,
    MEGAPIXELS,
    SECONDS,
)
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.workers import sandbox
from focal_photos.features.decoding import decode
from focal_photos.features.decoding.decoders.dicom_signature import DICOM_SUFFIXES
from focal_photos.features.decoding.display import Display
from focal_photos.features.decoding.limits import DecodeLimits, ImageError
from focal_photos.learners.core.arrays.distinct import without

if TYPE_CHECKING:  # ranking described photos measures nothing
    from numpy.typing import NDArray

_SUFFIXES: Final = (".tif", ".tiff", *sorted(DICOM_SUFFIXES))
_QUERY: Final = " or ".join(f"path:{suffix}" for suffix in (".tif", *sorted(DICOM_SUFFIXES)))
_FILES: Final = 200  # files on which windows are measured
_VALUES: Final = 4096  # values per channel and file
_PERCENTILES: Final = (0.5, 99.5)
_NOTE: Final = "display.json"  # display settings of the existing descriptions and thumbnails


def display_of(library: Library) -> Display:
    """Return the display settings of a library for scientific images."""
    return Display(
        DISPLAY_WINDOWS.get(library),
        DISPLAY_CHANNELS.get(library),
        DISPLAY_PLANE.get(library),
        DISPLAY_TIME.get(library),
    )


def prepare_display(library: Library) -> Job[None]:
    """Measure missing display windows, and delete descriptions made with other display settings.

    There is one window per channel for each kind of values: from the 0.5th to the 99.5th percentile of values from up
    to 200 images, evenly spaced over the library. Saved windows do not change when photos are added, so that pictures
    stay the same. The setting ``display.windows`` changes them or has them measured again.
    """
    ids = library.photos.ids(f"({_QUERY}) -failed -missing")
    paths = library.photos.paths(ids.tolist())
    kept = [place for place, path in enumerate(paths) if path.suffix.lower() in _SUFFIXES]
    if not kept or library.read_only:
        return
    ids = ids[kept]
    fresh, before = library.photos.undescribed(ids), _noted(library)
    were_measured = before is not None and bool(before.get("windows"))
    are_measured = bool(DISPLAY_WINDOWS.get(library))
    if len(fresh) or before is None or (were_measured and not are_measured):
        are_measured = yield from _measure(library, ids)
    now = display_of(library)
    if _differs(before, now) if before is not None else are_measured:
        described = without(ids, fresh)
        library.forget_derived(described.tolist())
    if before != _document(now):
        with atomic_file(library.path / "derived" / _NOTE) as stream:
            stream.write(json.dumps(_document(now)).encode())


def _measure(library: Library, ids: NDArray[np.int64]) -> Job[bool]:
    """Sample values, save a window for each kind that has none, and return whether any image contains measurements."""
    known = dict(DISPLAY_WINDOWS.get(library))
    chosen = ids[np.unique(np.linspace(0, len(ids) - 1, min(_FILES, len(ids))).astype(np.int64))]
    limits = DecodeLimits(MEGAPIXELS.get(library) * 1_000_000, MEGABYTES.get(library) << 20, display_of(library))
    meter = Meter(Text("Measuring display windows"), len(chosen))
    found: dict[str, list[list[NDArray[np.float64]]]] = {}
    any_measured = False
    for path in library.photos.paths(chosen.tolist()):
        yield meter.state(str(path))
        with suppress(ImageError, OperationError):  # recorded as a failure when it is described
            kind, values = _sample(path, limits, SECONDS.get(library))
            any_measured |= bool(kind)
            if values and kind not in known:
                channels = found.setdefault(kind, [])
                for place, some in enumerate(values):
                    channels[place:] = channels[place:] or [[]]
                    channels[place].append(some)
        meter.advance()
    windows = {kind: tuple(map(_window, channels)) for kind, channels in found.items()}
    if windows:
        DISPLAY_WINDOWS.set(library, tuple(sorted({**known, **windows}.items())))
    return any_measured


def _sample(path: Any, limits: DecodeLimits, seconds: float) -> tuple[str, list[NDArray[np.float64]]]:
    sampled: tuple[str, list[NDArray[np.float64]]] = sandbox.sandbox().call(
        _values, path, _VALUES, limits, seconds=seconds
    )
    return sampled


def _values(path: Any, count: int, limits: DecodeLimits) -> tuple[str, list[NDArray[np.float64]]]:
    """Sample values in a separate process, which a hostile file may kill."""
    return decode.sample_values(path, count, limits)  # pragma: no cover - in a worker, which ends by force


def _window(values: list[NDArray[np.float64]]) -> tuple[float, float]:
    every = np.concatenate(values)
    if not len(every):
        return 0.0, 1.0
    low, high = (float(one) for one in np.percentile(every, _PERCENTILES))
    return (low, high) if high > low else (low, low + 1.0)


def _differs(before: Mapping[str, Any], now: Display) -> bool:
    """Tell whether pictures may look different under another display; new kinds had none before."""
    wanted = _document(now)
    windows = before.get("windows")
    return any(before.get(key) != wanted[key] for key in ("channels", "plane", "time")) or any(
        wanted["windows"].get(kind) != window for kind, window in (windows.items() if isinstance(windows, dict) else ())
    )


def _document(display: Display) -> dict[str, Any]:
    return {
        "windows": {kind: [list(window) for window in windows] for kind, windows in display.windows},
        "channels": list(display.channels),
        "plane": display.plane,
        "time": display.time,
    }


def _noted(library: Library) -> dict[str, Any] | None:
    """Return the display settings when photos were last described; None if unknown."""
    try:
        found = json.loads((library.path / "derived" / _NOTE).read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
