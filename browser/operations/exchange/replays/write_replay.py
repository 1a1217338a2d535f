# SPDX-License-Identifier: MIT
"""Write a script that trains a metric again, with its training data."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import UndoError
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.lenses.metric_parts import metric_parts
from focal_photos.browser.operations.exchange.overwriting import new_folder
from focal_photos.browser.operations.exchange.replays.as_of import library_as_of, photos_known_at
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError, not_written
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.browser.operations.training.training_set import (
    TrainingSet,
    described_in,
    read_training_set,
    read_without_feedback,
)
from focal_photos.learners import persistence
from focal_photos.learners.core.estimator import clone
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery
from focal_photos.resources import path

FORMAT: Final = "focal-replay"
VERSION: Final = 1
SCRIPT: Final = "replay.py"
_PROBES: Final = 100  # photos whose nearest ones the script compares
_SAVED_NEIGHBORS: Final = 10


def write_replay(library: Library, metric: Metric, folder: Path) -> Job[list[Path]]:
    """Write a folder with a script that trains a metric again.

    ``replay.npz`` contains the learner with its parameters, unfitted, and the feature space. ``data.npz`` contains the
    coordinates of the training photos, the judgements and tags that the library had at the time of training, and the
    nearest photos of some photos by the metric, for comparison. ``replay.json`` names the photos by their content hash,
    and the tags. Later judgements and tags are undone in a temporary copy of the catalogue.

    Parameters
    ----------
    folder : pathlib.Path
        A new or an empty folder, outside the library and its photo folders.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    OperationError
        If the metric was not trained in this library or is of local distances, the history does not reach back to its
        training, or the folder cannot be written.
    """
    yield Meter(Text("Reading the training data")).state()
    if metric.file is None:
        raise OperationError("The Euclidean metric was not trained: choose another metric.")
    parts = metric_parts(library, metric)
    file = library.metrics.path(metric)
    if file is not None and file.with_suffix(".lens").exists():
        raise OperationError("The metric {0} was trained in another library: ask for a replay from there.", metric.name)
    training, tags = _training_set(library, metric, parts.space, parts.learner)
    points = coordinates(library, parts.space, training.ids)
    hashes = library.photos.content_hashes(training.ids.tolist())
    document = {
        "format": FORMAT,
        "version": VERSION,
        "metric": metric.name,
        "title": metric.title,
        "learner": parts.learner_name(metric),
        "trained_at": metric.at.isoformat(),
        "judgements": metric.judgements,
        "tagged": metric.tagged,
        "descriptors": [family.name for family in parts.space.families],
        "photos": [hashes[number] for number in training.ids.tolist()],
        "tags": tags,
    }
    arrays = _arrays(training, points) | _nearest(parts.learner, points)
    try:
        with new_folder(library, folder) as part:
            part.mkdir(parents=True)
            with (part / "replay.npz").open("wb") as stream:
                persistence.write(stream, space=parts.space, learner=clone(parts.learner))
            with (part / "data.npz").open("wb") as stream:
                np.savez_compressed(stream, allow_pickle=False, **arrays)
            (part / "replay.json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
            shutil.copyfile(path(f"portable/{SCRIPT}"), part / SCRIPT)
    except OSError as error:
        raise not_written(folder, error) from error
    return sorted(folder.iterdir())


def _training_set(
    library: Library, metric: Metric, space: FeatureSpace, learner: DistanceLearner
) -> tuple[TrainingSet, list[str]]:
    """Return the training set of a metric as of its training, and the names of its columns of tags."""
    ids = photos_known_at(library, described_in(library, space), metric.at)
    if not learner.needs and not metric.judgements and not metric.tagged:
        return read_without_feedback(library, space, learner.rows, ids), []
    try:
        with library_as_of(library, metric.at) as former:
            training = read_training_set(
                former,
                space,
                learner.rows,
                use_tags=metric.tagged > 0,
                use_judgements=metric.judgements > 0,
                ids=ids,
            )
            names: list[str] = []
            if training.side.tags is not None:
                _, names = former.tags.matrix(training.ids, with_ancestors=True)
    except (UndoError, NothingToLearnError) as error:
        raise _not_reached(metric) from error
    except OSError as error:
        raise OperationError("There is no space for a copy of the catalogue: {0}.", error.strerror or error) from error
    if (training.judgements, training.tagged) != (metric.judgements, metric.tagged):
        raise _not_reached(metric)
    return training, list(names)


def _not_reached(metric: Metric) -> OperationError:
    return OperationError(
        "The history of the library does not reach back to the training of {0}, or photos were removed since: train "
        "again, and replay the new metric.",
        metric.name,
    )


def _arrays(training: TrainingSet, points: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Return the coordinates and the feedback by row; tags are the rows and columns of the ones of a 0/1 matrix."""
    side = training.side
    arrays: dict[str, NDArray[Any]] = {
        "points": points,
        "similar": side.similar,
        "dissimilar": side.dissimilar,
        "relative": side.relative,
        "visual": side.visual,
    }
    if side.tags is not None:
        ones = side.tags.tocoo()
        arrays |= {"tag_rows": ones.row, "tag_columns": ones.col, "tag_shape": np.array(side.tags.shape)}
    return arrays


def _nearest(learner: DistanceLearner, points: NDArray[np.float32]) -> dict[str, NDArray[np.int64]]:
    """Return some rows and, for each, the nearest other rows by the metric."""
    rows = gallery_rows(learner, points)
    probes = np.sort(np.random.default_rng(0).permutation(len(rows))[:_PROBES])
    near, _ = row_gallery(learner, rows).rank_many(rows[probes], min(_SAVED_NEIGHBORS, len(rows) - 1), skip=probes)
    return {"probes": probes.astype(np.int64), "nearest": near.astype(np.int64)}
