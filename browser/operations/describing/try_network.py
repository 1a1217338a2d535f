# SPDX-License-Identifier: MIT
"""Try a network on some photos of the library before describing all of them."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import decode_limits
from focal_photos.browser.operations.describing.network_entries import SECONDS, require_unchanged
from focal_photos.browser.operations.describing.settings import SECONDS as PHOTO_SECONDS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.features import description
from focal_photos.features.decoding.limits import DecodeLimits, ImageError
from focal_photos.features.network import backends
from focal_photos.features.network.network import NetworkDescriptor
from focal_photos.features.network.network_file import NetworkError

PHOTOS: Final = 10
"""Number of photos on which a network is tried."""

UNUSABLE: Final = "cannot be used"
"""Beginning of the message about a network that cannot run here."""

_STAGE: Final = Text("Trying the network")
_BYTES: Final = 4  # bytes per stored number


_Found = tuple[str, float, float, float]


@dataclass(frozen=True)
class NetworkTrial:
    """Result of trying a network on some photos."""

    backend: str
    """Package that ran it: ``onnxruntime 1.23.0``."""
    dimension: int
    tried: int
    unreadable: int
    """`tried` and `unreadable`: numbers of photos described, and of photos that could not be decoded."""
    seconds: float
    """Median processor time per photo."""
    decoding_seconds: float
    """Median processor time for decoding a photo."""
    loading_seconds: float
    """Loading time, once per process."""
    photos: int
    library_seconds: float
    """Estimated time for all photos, including decoding, with one process per core."""
    library_bytes: int
    """Disk space of their vectors."""


def try_network(library: Library, network: NetworkDescriptor, most: int = PHOTOS) -> Job[NetworkTrial]:
    """Describe some photos of a library by a network in the sandbox, without storing anything.

    Parameters
    ----------
    network : NetworkDescriptor
        Need not be in the library.
    most : int
        Number of photos, drawn with a fixed seed.

    Raises
    ------
    OperationError
        If there are no photos, none can be decoded, or the network fails.
    """
    yield Progress(_STAGE, 0)
    listed = library.photos.listed("-failed -missing")
    if not len(listed):
        raise OperationError("There is no photo to try the network on: add a folder with photos first.")
    chosen = np.random.default_rng(0).permutation(np.sort(listed))[:most]
    paths = [photo.path for photo in library.photos.get(chosen.tolist())]
    limits, seconds = decode_limits(library), PHOTO_SECONDS.get(library) + SECONDS
    cancelled = threading.Event()

    def work(report: Callable[[float], None]) -> list[_Found]:
        found = []
        for number, path in enumerate(paths, 1):
            with suppress(ImageError):  # undecodable photos say nothing about the network
                found.append(sandbox().call(_try_one, network, path, limits, seconds=seconds, cancelled=cancelled))
            report(number / len(paths))
        return found

    try:
        found = yield from in_thread(_STAGE, work, keeps=False)
    except NetworkError as error:
        raise OperationError(str(error)) from error
    finally:
        cancelled.set()
    if not found:
        raise OperationError(
            "None of the photos could be read to try the network on: check that their folder is available."
        )
    backends, loading, decoding, running = zip(*found, strict=True)
    each, before = statistics.median(running), statistics.median(decoding)
    return NetworkTrial(
        backend=backends[-1],
        dimension=network.dimension,
        tried=len(running),
        unreadable=len(paths) - len(running),
        seconds=each,
        decoding_seconds=before,
        loading_seconds=max(loading),
        photos=len(listed),
        library_seconds=len(listed) * (each + before) / available_cores() + max(loading),
        library_bytes=_BYTES * network.dimension * len(listed),
    )


def backends_of(networks: Sequence[NetworkDescriptor]) -> dict[str, str]:
    """Return the backend of each network with its version, or why it cannot be used, by name; loads each once."""
    found = {}
    for network in networks:
        try:
            require_unchanged(network)  # a process that has loaded it would not notice a change
            found[network.name] = sandbox().call(_backend_of, network, seconds=SECONDS)
        except (NetworkError, ImageError, OperationError) as error:
            found[network.name] = f"{UNUSABLE}: {error}"
    return found


def _try_one(network: NetworkDescriptor, path: Path, limits: DecodeLimits) -> _Found:
    begun = time.perf_counter()
    backend = _backend_of(network)
    loaded = time.perf_counter() - begun
    seconds = description.describe(path, description.DescriptionPlan((network,), limits, thumbnail_side=None)).seconds
    return backend, loaded, seconds["decode"], seconds[network.name]


def _backend_of(network: NetworkDescriptor) -> str:
    name = network.backend
    return f"{name} {backends.version_of(name)}"
