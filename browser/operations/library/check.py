# SPDX-License-Identifier: MIT
"""Check a library for damage and recompute damaged derived data."""

from __future__ import annotations

import json
import threading
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import Codes
from focal_photos.browser.catalog.arrays.patches import Patches
from focal_photos.browser.catalog.arrays.vectors import Vectors
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import (
    fitted_states_of,
    global_by_keys,
    local_by_keys,
    name_of,
    ready_descriptors,
    room_of,
    sources_of,
    vector_store,
)
from focal_photos.browser.operations.describing.enabled import enabled_names
from focal_photos.browser.operations.describing.extraction.extract import extract
from focal_photos.browser.operations.describing.extraction.fit_descriptors import fit_descriptors, unfitted_names
from focal_photos.browser.operations.describing.families import complete_keys
from focal_photos.browser.operations.describing.networks import network_states
from focal_photos.browser.operations.describing.settings import SETTINGS
from focal_photos.browser.operations.describing.try_network import UNUSABLE
from focal_photos.browser.operations.exchange.archives.catalogue import problems_in
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.pauses import job_pause
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.library.verify_backups import Condition, VerifiedBackup, verify_backups
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.ranking.local.metric import local_metric, needed_keys
from focal_photos.browser.operations.ranking.space import current_space, described, space_key
from focal_photos.browser.operations.training.local_train import patch_keys
from focal_photos.features.base import Descriptor, GlobalDescriptor
from focal_photos.features.table import HALF_PRECISION
from focal_photos.learners.core.arrays.distinct import without
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.persistence import PersistenceError, load


@dataclass
class CheckReport:
    """Result of `check`."""

    problems: list[str] = field(default_factory=list)
    """Problems that Focal cannot repair, with the remedies."""
    repaired: list[str] = field(default_factory=list)
    """Damage in derived data that was recomputed."""
    networks: dict[str, str] = field(default_factory=dict)
    """Backend of each enabled network: ``onnxruntime 1.23.0``."""
    backups: list[VerifiedBackup] = field(default_factory=list)
    """Result for each backup, if these were read; their problems are also in `problems`."""


def check(library: Library, *, read_data: bool = False) -> Job[CheckReport]:
    """Check the catalogue, the metrics and all derived data.

    The catalogue (with SQLite's checks and all references) and the metric files contain the user's work: damage there
    is reported. Vectors, patches and codes (with one checksum each), fitted descriptors and thumbnails are derived:
    damaged ones are deleted and recomputed. Vectors needed neither by an enabled descriptor nor by a metric are
    deleted. A read-only library is checked without changes.

    Parameters
    ----------
    read_data : bool
        Whether to read all other data with checksums too: the backups in both places, see `verify_backups`, and arrays
        that are otherwise checked when used.
    """
    report = CheckReport()
    stores = [*_Store.of(library.vectors), *_Store.of(library.patches), *_Store.of(library.codes)]
    metrics = library.metrics.all()
    meter = Meter(Text("Checking the library"), 2 + len(metrics) + len(stores))
    yield meter.state("catalogue")
    report.problems += [f"The catalogue is damaged: {problem}." for problem in library.database.check()]
    for state in () if report.problems else network_states(library):
        if state.on and state.backend.startswith(UNUSABLE):
            report.problems.append(f"The network {state.network.name} {state.backend}")
        elif state.on:
            report.networks[state.network.name] = state.backend
    if not report.problems:  # a damaged catalogue is partly unreadable
        report.repaired += library.check_columns()
        report.problems += _settings(library)
        report.problems += [
            f"Focal did not write all of the catalogue: {problem}. Go back to a backup with focal restore."
            for problem in problems_in(library)
        ]
    yield meter.advance(message="catalogue")
    for metric in metrics:
        if metric.file is not None:
            try:
                load_metric(library, metric)
                if is_local(metric):
                    local_metric(library, metric)
            except OperationError as error:
                report.problems.append(str(error))
        yield meter.advance(message=metric.name)

    if read_data:
        report.backups = yield from verify_backups(library)
        report.problems += [one.reason for one in report.backups if one.condition is not Condition.SOUND]
        yield meter.state("arrays")
        _check_arrays(library, report)
    known = np.sort(library.photos.ids())
    # In a read-only library, the vectors date from its opening, while photos may have been added since.
    dropped = 0 if library.read_only else _find_lost(library, report)
    for store in stores:
        dropped += _check_store(library, store, known, report)
        yield meter.advance(message=store.key)
    damaged = library.thumbnails.check()
    if damaged:
        dropped += len(damaged)
        report.repaired.append(f"{len(damaged)} thumbnails were damaged.")
    yield meter.advance(message="thumbnails")
    if library.read_only:
        report.problems += [
            f"{found} Check the library while no other program has it open." for found in report.repaired
        ]
        report.repaired.clear()
        return report
    dropped += _halve(library)
    if dropped:
        yield from fit_descriptors(library)
        yield from extract(library)
    _tidy(library)
    return report


def _check_arrays(library: Library, report: CheckReport) -> None:
    """Verify the checksums of all NumPy files, and delete damaged ones, which are recomputed."""
    for path in sorted((library.path / "derived").rglob("*.npz")):
        try:
            with zipfile.ZipFile(path) as content:
                sound = content.testzip() is None
        except (OSError, zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError):
            sound = False
        if not sound and path.exists():
            report.repaired.append(f"The file {path.relative_to(library.path)} was damaged.")
            if not library.read_only:
                path.unlink(missing_ok=True)


def _settings(library: Library) -> list[str]:
    """Return a message for each unreadable setting, for which the default is used."""
    problems = []
    unreadable = library.settings.unreadable()
    for name, one in SETTINGS.items():
        why = "its text is not JSON" if name in unreadable else one.problem(library)
        if why is not None:
            problems.append(
                f"The setting {name} cannot be read ({why}), and its default is used: set it again, or return to the "
                f"default with focal settings {name} --default."
            )
    problems += [
        f"The setting {json.dumps(name[:60])} cannot be read and is ignored. Focal writes it anew when it changes."
        for name in unreadable
        if name not in SETTINGS
    ]
    return problems


def look_through(library: Library) -> Job[str | None]:
    """Check the structure of a large catalogue that was opened without a check; return the problem or None."""
    stop, pause = threading.Event(), job_pause()

    def stops() -> bool:
        pause()
        return stop.is_set()

    def work(_report: Callable[[float], None]) -> str | None:
        return library.database.look_through(stops)

    try:
        return (yield from in_thread(Text("Checking the catalogue"), work))
    finally:
        stop.set()


@dataclass(frozen=True)
class _Store:
    """The vectors, patches or codes of a key."""

    room: Vectors | Patches | Codes
    key: str

    @classmethod
    def of(cls, room: Vectors | Patches | Codes) -> list[_Store]:
        return [cls(room, key) for key in room.keys()]  # noqa: SIM118 - no mapping

    @property
    def contents(self) -> str:
        """Name of its records in the report."""
        return {Vectors: "vectors", Patches: "patches", Codes: "codes"}[type(self.room)]


def _find_lost(library: Library, report: CheckReport) -> int:
    """Return the number of missing vectors of described photos; the end of a file may have been truncated."""
    photos = without(library.photos.ids("-failed -missing"), library.photos.undescribed())
    settled = complete_keys(library)
    families = [one for one in ready_descriptors(library) if isinstance(one, GlobalDescriptor)]
    everything = not any(len(vector_store(library, one)) for one in families)
    found = 0
    for name in unfitted_names(library) if settled else ():
        if any(name_of(key) == name for key in settled or ()):
            report.repaired.append(f"The fitted state of {name} was lost.")
            found += 1
    for one in ready_descriptors(library):
        key = str(one.key)
        room = room_of(library, one)
        store = room.store(key, one.dimension)
        # Descriptors enabled since the last indexing are not lost but still to be computed.
        if (everything or len(store)) if settled is None else key in settled:
            lost = len(store.missing(photos))
            if lost:
                report.repaired.append(f"{lost} {_Store(room, key).contents} of {key} were lost.")
            found += lost
    return found


def _check_store(library: Library, one: _Store, known: NDArray[np.int64], report: CheckReport) -> int:
    """Check one store; return the number of dropped rows."""
    store = one.room.open(one.key)
    if store is None:
        report.repaired.append(f"The {one.contents} {one.key} could not be read.")
        return 1
    damaged = store.check()
    if damaged:
        report.repaired.append(f"{len(damaged)} {one.contents} of {one.key} were damaged.")
    strange = without(store.ids, known)
    if len(strange):
        report.repaired.append(f"{len(strange)} {one.contents} of {one.key} belonged to no photo.")
        if not library.read_only:
            store.forget(strange)
    return len(damaged)


def _halve(library: Library) -> int:
    """Convert vectors of standard families from 32 to 16 bits per number; return the number of damaged ones dropped."""
    families = [one for one in ready_descriptors(library) if isinstance(one, GlobalDescriptor)]
    return sum(len(vector_store(library, one).halve()) for one in families if one.name in HALF_PRECISION)


def _tidy(library: Library) -> None:
    """Delete unreferenced derived data: of disabled descriptors, old spaces and old metrics."""
    local = needed_keys(library, patch_keys(library))
    used = [
        *ready_descriptors(library),
        *global_by_keys(library, _keys_of_metrics(library)).values(),
        *local_by_keys(library, local).values(),
    ]
    keep = {str(one.key) for one in used} | set(_keys_of_metrics(library)) | local
    # Keep data of descriptors that wait for a network's file or for fitting; they may still be valid.
    waiting = set(enabled_names(library)) - {one.name for one in ready_descriptors(library)}
    stored = [key for room in (library.vectors, library.patches, library.codes) for key in room.keys()]  # noqa: SIM118
    stored += [state.key for state in fitted_states_of(library).all()]
    keep |= {key for key in stored if name_of(key) in waiting or key.startswith("metric-")}
    if len(described(library)):
        keep.add(space_key(current_space(library)))
    fitted_states_of(library).vacuum(keep | {key for one in used for key in _with_parts(one)})
    library.vacuum(keep)


def _keys_of_metrics(library: Library) -> list[str]:
    """Return the descriptor keys on which metrics were trained, including metrics that redo can restore."""
    keys: dict[str, None] = {}
    folder = library.metrics.folder
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        with suppress(PersistenceError):
            space = load(file).get("space")
            if isinstance(space, FeatureSpace):
                keys.update(dict.fromkeys(family.name for family in space.families))
    return list(keys)


def _with_parts(one: Descriptor) -> list[str]:
    return [str(one.key), *(key for part in sources_of(one).values() for key in _with_parts(part))]
