"""Look for damage in a library, and work out again what can be."""

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
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.jobs.turn import my_turn
from focal_photos.browser.operations.library.verify_backups import Condition, VerifiedBackup, verify_backups
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.ranking.local.metric import local_metric, needed_keys
from focal_photos.browser.operations.ranking.space import current_space, described, space_key
from focal_photos.browser.operations.training.local_train import patch_keys
from focal_photos.features.base import Descriptor, GlobalDescriptor
from focal_photos.features.table import STANDARD
from focal_photos.learners.core.arrays.distinct import without
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.persistence import PersistenceError, load


@dataclass
class CheckReport:
    """What `check` found.

    Attributes
    ----------
    problems : list of str
        What is wrong and cannot be put right by Focal; each says what to do.
    repaired : list of str
        What was wrong with derived data and was made again.
    networks : dict of str to str
        What runs each network that is switched on: ``onnxruntime 1.23.0``.
    backups : list of VerifiedBackup
        What was found of each backup, where these were read too; what is wrong with one is among the problems.
    """

    problems: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    networks: dict[str, str] = field(default_factory=dict)
    backups: list[VerifiedBackup] = field(default_factory=list)


def check(library: Library, *, read_data: bool = False) -> Job[CheckReport]:
    """Check the catalogue, the metrics and all derived data.

    The catalogue (SQLite's own checks and all references) and the files of the metrics hold what a person did: damage
    there is reported. Vectors, patches and codes (a checksum each), what descriptors learned and thumbnails are
    derived: what is damaged is dropped and made again. Vectors that neither a descriptor that is switched on nor a
    metric needs are deleted. A library that was opened read-only is looked at and not changed.

    Parameters
    ----------
    library : Library
    read_data : bool
        Whether everything else with a checksum is read too: the backups in both places, see `verify_backups`, and the
        arrays that are otherwise checked when they are used.

    Yields
    ------
    Progress

    Returns
    -------
    CheckReport
    """
    report = CheckReport()
    stores = [*_Store.of(library.vectors), *_Store.of(library.patches), *_Store.of(library.codes)]
    metrics = library.metrics.all()
    meter = Meter("Checking the library", 2 + len(metrics) + len(stores))
    yield meter.state("catalogue")
    report.problems += [f"The catalogue is damaged: {problem}." for problem in library.database.check()]
    for state in () if report.problems else network_states(library):
        if state.on and state.backend.startswith(UNUSABLE):
            report.problems.append(f"The network {state.network.name} {state.backend}")
        elif state.on:
            report.networks[state.network.name] = state.backend
    if not report.problems:  # of a damaged one not all can be read
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
    # Read-only, vectors are as they were when the library was opened, while rows may have come since.
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
    """Read the checksums of all arrays in files of NumPy, and delete what is damaged: it is worked out again."""
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
    """Return a message for each setting that cannot be read; its default is used."""
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
    """Look through the structure of a large catalogue that was opened unseen; return what is wrong, or None."""
    stop, turn = threading.Event(), my_turn()

    def stops() -> bool:
        turn()
        return stop.is_set()

    def work(_report: Callable[[float], None]) -> str | None:
        return library.database.look_through(stops)

    try:
        return (yield from in_thread("Checking the catalogue", work))
    finally:
        stop.set()


@dataclass(frozen=True)
class _Store:
    """The vectors, the patches or the codes of a key."""

    room: Vectors | Patches | Codes
    key: str

    @classmethod
    def of(cls, room: Vectors | Patches | Codes) -> list[_Store]:
        return [cls(room, key) for key in room.keys()]  # noqa: SIM118 - no mapping

    @property
    def contents(self) -> str:
        return {Vectors: "vectors", Patches: "patches", Codes: "codes"}[type(self.room)]


def _find_lost(library: Library, report: CheckReport) -> int:
    """Return how many vectors are gone of photos that were described: the end of a file may be torn off."""
    photos = without(library.photos.ids("-failed -missing"), library.photos.undescribed())
    settled = complete_keys(library)
    families = [one for one in ready_descriptors(library) if isinstance(one, GlobalDescriptor)]
    everything = not any(len(vector_store(library, one)) for one in families)
    found = 0
    for name in unfitted_names(library) if settled else ():
        if any(name_of(key) == name for key in settled or ()):
            report.repaired.append(f"What {name} learned was lost.")
            found += 1
    for one in ready_descriptors(library):
        key = str(one.key)
        room = room_of(library, one)
        store = room.store(key, one.dimension)
        # What was switched on since the last indexing is not lost but to come.
        if (everything or len(store)) if settled is None else key in settled:
            lost = len(store.missing(photos))
            if lost:
                report.repaired.append(f"{lost} {_Store(room, key).contents} of {key} were lost.")
            found += lost
    return found


def _check_store(library: Library, one: _Store, known: NDArray[np.int64], report: CheckReport) -> int:
    """Check one store and return how many rows were dropped."""
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
    """Keep the vectors of the standard families with 16 bits a number, where an earlier version took 32.

    Returns
    -------
    int
        How many damaged ones were dropped.
    """
    families = [one for one in ready_descriptors(library) if isinstance(one, GlobalDescriptor)]
    return sum(len(vector_store(library, one).halve()) for one in families if one.name in STANDARD)


def _tidy(library: Library) -> None:
    """Delete derived data that nothing refers to any more: of descriptors switched off, old spaces, old metrics."""
    local = needed_keys(library, patch_keys(library))
    used = [
        *ready_descriptors(library),
        *global_by_keys(library, _keys_of_metrics(library)).values(),
        *local_by_keys(library, local).values(),
    ]
    keep = {str(one.key) for one in used} | set(_keys_of_metrics(library)) | local
    # What waits for a network's file or for learning again may still fit.
    waiting = set(enabled_names(library)) - {one.name for one in ready_descriptors(library)}
    stored = [key for room in (library.vectors, library.patches, library.codes) for key in room.keys()]  # noqa: SIM118
    stored += [kept.key for kept in fitted_states_of(library).all()]
    keep |= {key for key in stored if name_of(key) in waiting or key.startswith("metric-")}
    if len(described(library)):
        keep.add(space_key(current_space(library)))
    fitted_states_of(library).vacuum(keep | {key for one in used for key in _with_parts(one)})
    library.vacuum(keep)


def _keys_of_metrics(library: Library) -> list[str]:
    """Return the keys of the descriptors that the metrics were trained on, those too that redo brings back."""
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
