# SPDX-License-Identifier: MIT
"""Write a metric as a lens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import replacing
from focal_photos.browser.operations.describing.descriptors import fitted_states_of, global_by_keys, sources_of
from focal_photos.browser.operations.describing.enabled import AnyDescriptor
from focal_photos.browser.operations.exchange.lenses.lens_file import SUFFIX, FittedPart, Lens, lens_bytes
from focal_photos.browser.operations.exchange.lenses.metric_parts import metric_parts
from focal_photos.browser.operations.exchange.overwriting import require_replaceable
from focal_photos.browser.operations.jobs.errors import OperationError, not_written
from focal_photos.browser.operations.ranking.loaded_metric import description_title
from focal_photos.features.base import Fitted


def share_lens(library: Library, metric: Metric, path: Path, *, force: bool = False) -> int:
    """Write a metric and its fitted descriptors to one file; return its size in bytes.

    It contains no photos and no paths. A kernel metric contains coordinates of some training photos, from which no
    picture can be reconstructed.

    Parameters
    ----------
    force : bool
        Whether to replace files of other kinds too.

    Raises
    ------
    OperationError
        If the metric is of local distances or has no file, a fitted descriptor is missing, or the file may not or
        cannot be written.
    """
    if library.metrics.path(metric) is None:
        raise OperationError("The Euclidean metric is the same everywhere: there is nothing to share.")
    parts = metric_parts(library, metric)
    keys = tuple(family.name for family in parts.space.families)
    held_out = library.metrics.scores().get(metric.id, {}).get("held_out")
    lens = Lens(
        metric.title,
        parts.learner_name(metric),
        keys,
        parts.content,
        tuple(_fitted(library, metric, keys)),
        metric.judgements,
        metric.tagged,
        held_out if isinstance(held_out, dict) else {},
    )
    require_replaceable(library, path, (SUFFIX,), force=force)
    whole = lens_bytes(lens)
    try:
        with replacing(path, follow_link=True) as part:
            part.write_bytes(whole)
    except OSError as error:
        raise not_written(path, error) from error
    return len(whole)


def _fitted(library: Library, metric: Metric, keys: tuple[str, ...]) -> Iterator[FittedPart]:
    """Yield each fitted descriptor once."""
    made = global_by_keys(library, keys)
    lacking = [key for key in keys if key not in made]
    if lacking:
        raise OperationError(
            "{0} was learned from {1}, which can no longer be computed for other images: train again (focal train "
            "--learner {2}), and share the new metric.",
            metric.text,
            description_title(library, lacking[0]),
            metric.learner,
        )
    states = {one.key: one for one in fitted_states_of(library).all()}
    for key in dict.fromkeys(key for one in made.values() for key in _fitted_keys(one)):
        state = states[key]
        yield FittedPart(key, state.of, state.sampled, state.state.arrays)


def _fitted_keys(descriptor: AnyDescriptor) -> Iterator[str]:
    """Yield the keys of the fitted descriptors on which a descriptor depends, innermost first."""
    for part in sources_of(descriptor).values():
        yield from _fitted_keys(part)
    if isinstance(descriptor, Fitted):
        yield str(descriptor.key)
