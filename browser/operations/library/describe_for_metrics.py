# SPDX-License-Identifier: MIT
"""Describe new photos by the descriptors of metrics that were trained before a descriptor was fitted again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.extraction.describe_lacking import describe_lacking
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.loaded_metric import outgrown_keys
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.persistence import PersistenceError, load


def describe_for_metrics(library: Library, pool: ProcessPool | None = None, **who: Any) -> Job[bool]:
    """Describe photos by the descriptors of the current metric and of metrics named by the user.

    A small library fits descriptors (vocabularies, principal axes) again as it grows. Its metrics still need the
    earlier versions to rank new photos. Other metrics of the history rank only the photos that they know; they get the
    others when chosen.

    Parameters
    ----------
    library : Library
        Nothing is done if it is read-only.
    pool, who
        Arguments of `browser.operations.workers.describe_photos.describe_photos`.

    Returns
    -------
    bool
        Whether there was anything to describe.
    """
    if library.read_only:
        return False
    keys: dict[str, None] = {}
    for metric in _cared_for(library):
        keys.update(dict.fromkeys(_keys_of(library, metric)))
    anything = False
    with closing(describe_lacking(library, outgrown_keys(library, tuple(keys)), pool, **who)) as job:
        for state in job:
            anything = True
            yield state
    return anything


def _cared_for(library: Library) -> Iterator[Metric]:
    current = library.metrics.current()
    for metric in library.metrics.all():
        if metric.file is not None and (metric.id == current.id or metric.named):
            yield metric


def _keys_of(library: Library, metric: Metric) -> list[str]:
    """Return the descriptor keys on which a metric was trained; empty if it is unreadable."""
    file = library.metrics.path(metric)
    try:
        space = None if file is None else load(file).get("space")
    except (PersistenceError, OSError):
        return []  # reported where it is used
    return [family.name for family in space.families] if isinstance(space, FeatureSpace) else []
