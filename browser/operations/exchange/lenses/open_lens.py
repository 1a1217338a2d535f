# SPDX-License-Identifier: MIT
"""Import a lens: another user's metric, which then ranks the photos of this library."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

from focal_photos.browser.catalog.facts.learning.metrics import MetricTitleError
from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.describing.descriptors import fitted_states_of, global_by_keys
from focal_photos.browser.operations.describing.enabled import all_descriptors
from focal_photos.browser.operations.describing.extraction.describe_lacking import describe_lacking
from focal_photos.browser.operations.exchange.lenses.lens_file import Lens, LensError, names_of, read_keys, read_lens
from focal_photos.browser.operations.jobs.errors import UnreadableMetricError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking.galleries.gallery import drop_old_rows, embedding, note_use
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.features.base import FittedState
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery
from focal_photos.learners.persistence import PersistenceError, load

_LENS_SUFFIX: Final = ".lens"
"""Suffix of the whole lens saved beside its metric, because its fitted descriptors cannot be recomputed."""


def open_lens(library: Library, path: Path) -> Job[Metric]:
    """Import a lens as a metric of the library and make it current, in one journal step.

    Photos are described by the lens's fitted descriptors if the library's differ. If the job is cancelled or fails,
    only derived data change.

    Raises
    ------
    LensError
        If the file is damaged or hostile, or a descriptor, network or vocabulary that it needs is missing; the message
        names the remedy.
    OperationError
        If no photo is described yet.
    """
    yield Meter(Text("Opening a lens")).state()
    lens = read_lens(path)
    require_learner(path, lens)
    version = library.metrics.next_version(lens.learner)
    name = f"{lens.learner}-{version}"
    folder = library.metrics.folder
    folder.mkdir(parents=True, exist_ok=True)
    file, whole = folder / f"{name}.npz", folder / f"{name}{_LENS_SUFFIX}"
    added = False
    try:
        with atomic_file(file) as stream:
            stream.write(lens.metric)
        require_metric(path, lens, file)
        bring_states(library, lens, path)
        with path.open("rb") as source, atomic_file(whole) as stream:
            shutil.copyfileobj(source, stream)
        failures = yield from describe_lacking(library, lens.keys)
        draft = Metric(0, name, lens.title, lens.learner, version, file.name, _now(), lens.judgements, lens.tagged)
        try:
            loaded = load_metric(library, draft)
            yield from embedding(library, loaded)
        except UnreadableMetricError as error:
            if not failures:
                raise
            photos = counted(len(failures), "1 photo", "{0:,} photos")
            raise LensError(
                "{0} cannot be described as the lens {1} requires ({2}): nothing was imported.",
                photos,
                path,
                failures[0],
            ) from error
        note_use(library, loaded)
        with library.journal.action(Text("Open lens: {0}", lens.title)):
            metric, _ = library.metrics.add(
                lens.learner, f"{lens.title} ({name})", file.name,
                version=version, judgements=lens.judgements, tagged=lens.tagged,
            )  # fmt: skip
            with suppress(MetricTitleError):  # its name is taken: it gets a number
                library.metrics.rename(metric.id, lens.title)
            if lens.held_out:
                library.metrics.set_scores(metric.id, {"held_out": dict(lens.held_out)})
        added = True
    except OSError as error:
        raise LensError("The lens {0} cannot be saved: {1}.", path, error.strerror or error) from error
    finally:
        if not added:
            file.unlink(missing_ok=True)
            whole.unlink(missing_ok=True)
    drop_old_rows(library)
    return library.metrics.get(metric.id)


def describe_for_lenses(library: Library, pool: ProcessPool | None = None, **who: Any) -> Job[None]:
    """Describe new photos for the lenses in the library; unusable lenses are ignored."""
    if library.read_only or not library.metrics.folder.is_dir():
        return
    wanted = {Path(metric.file).stem for metric in library.metrics.all() if metric.file}
    for whole in sorted(library.metrics.folder.glob(f"*{_LENS_SUFFIX}")):
        if whole.stem in wanted:
            with suppress(LensError):
                keys = read_keys(whole)
                if len(global_by_keys(library, keys)) < len(keys):  # derived data were deleted
                    bring_states(library, read_lens(whole), whole)
                yield from describe_lacking(library, keys, pool, **who)


def require_learner(path: Path, lens: Lens) -> None:
    """Raise LensError if this version of Focal lacks the learner of a lens."""
    if lens.learner not in LEARNERS:
        raise LensError(
            "The lens {0} was learned by {1}, which this version of Focal lacks: update Focal, or install the plug-in "
            "that has it.",
            path,
            lens.learner,
        )


def require_metric(path: Path, lens: Lens, file: Path) -> None:
    """Check that a lens contains a metric of its listed descriptors that yields finite distances.

    Raises
    ------
    LensError
    """
    try:
        parts = load(file)
        space, learner = parts["space"], parts["learner"]
        if set(parts) != {"space", "learner"} or not isinstance(space, FeatureSpace):
            raise ValueError("no metric")
        if not isinstance(learner, DistanceLearner) or type(learner) is not LEARNERS[lens.learner]:
            raise ValueError("another learner")
        if tuple(family.name for family in space.families) != lens.keys:
            raise ValueError("other descriptors")
        width = sum(family.stop - family.start for family in space.families)
        rows = np.random.default_rng(0).random((4, width)).astype(np.float32)
        made = gallery_rows(learner, space.transform(rows))
        distances = row_gallery(learner, made).distances(made[0], np.arange(4))
        if not np.isfinite(made).all() or not np.isfinite(distances).all():
            raise ValueError("no distances")
    except (PersistenceError, MemoryError) as error:
        raise LensError("The lens {0} contains no readable metric: nothing was imported.", path) from error
    except Exception as error:  # arrays that do not fit each other make learners fail in many ways
        raise LensError("The lens {0} contains no metric that gives distances: nothing was imported.", path) from error


def bring_states(library: Library, lens: Lens, path: Path) -> None:
    """Save the fitted descriptors of a lens, after the library's own.

    Raises
    ------
    LensError
        If a descriptor cannot be made.
    """
    names = names_of(lens.keys)
    every = all_descriptors(library, list(names))
    for name, version in names.items():
        bare = every.get(name)
        if bare is None:
            raise LensError(
                "The lens {0} needs {1}, which this library lacks: if it is a network, add the same file "
                "under this name in the settings; if it is of a plug-in, install that; otherwise update Focal.",
                path,
                name,
            )
        if bare.version != version:
            raise LensError(
                "The lens {0} was made with version {1} of {2}, this is version {3}: {4}.",
                path,
                version,
                name,
                bare.version,
                Text("update Focal") if version > bare.version else Text("ask for a lens that was trained again"),
            )
    states = fitted_states_of(library)
    there = {state.key for state in states.all()}
    brought = []
    for part in lens.fitted:
        if part.key not in there:
            states.keep(part.key, part.of, part.sampled, FittedState(part.arrays), learned=0)
            brought.append(part.key)
    lacking = [key for key in lens.keys if key not in global_by_keys(library, lens.keys)]
    if lacking:
        states.vacuum(there)
        name = lacking[0].rsplit("-", 2)[0]
        raise LensError(
            "The lens {0} needs {1} with other parameters, another network file or another vocabulary "
            "than this library has: ask for a lens shared by the same version of Focal.",
            path,
            name,
        )


def _now() -> Any:
    return timestamps.now()
