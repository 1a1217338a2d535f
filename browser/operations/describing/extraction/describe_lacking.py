# SPDX-License-Identifier: MIT
"""Describe photos with the descriptors of a metric that the library no longer uses."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.descriptors import decode_limits, global_by_keys
from focal_photos.browser.operations.describing.extraction.describe_by_plugins import describe_by_plugin
from focal_photos.browser.operations.describing.extraction.description_writer import DescriptionWriter
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.workers.describe_photos import describe_photos
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.features import description
from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.plugins import is_of_plugin

_STAGE: Final = Text("Describing photos for a metric")


def describe_lacking(
    library: Library,
    keys: Sequence[str],
    pool: ProcessPool | None = None,
    *,
    ids: NDArray[np.int64] | None = None,
    **who: Any,
) -> Job[list[str]]:
    """Describe the photos that lack any of the given descriptors.

    Parameters
    ----------
    keys : sequence of str
        Keys of global descriptors; those that can no longer be made are ignored.
    ids : ndarray of int64, shape (n,), optional
        Only these photos; default: all that can be described.
    pool, who
        Arguments of `browser.operations.workers.describe_photos.describe_photos`.

    Returns
    -------
    list of str
        Reasons why photos could not be described. They are not stored, as the descriptor may be at fault and others may
        succeed.
    """
    failures: list[str] = []
    every = tuple(global_by_keys(library, keys).values())
    for one in filter(is_of_plugin, every):
        yield from describe_by_plugin(library, one, **who)
    named: dict[str, GlobalDescriptor] = {}
    own = [one for one in every if not is_of_plugin(one)]
    # further versions of a descriptor, which one plan cannot contain
    others = [str(one.key) for one in own if named.setdefault(one.name, one) is not one]
    if others:
        failures += yield from describe_lacking(library, others, pool, ids=ids, **who)
    if not named:
        return failures

    plan = description.DescriptionPlan(
        tuple(named.values()),
        decode_limits(library),
        thumbnail_side=None,
        seconds_per_photo=settings.SECONDS.get(library),
    )
    writer = DescriptionWriter(library, plan)
    tasks = writer.lacking(library.photos.ids("-failed -missing") if ids is None else ids)
    if not tasks:
        return failures
    meter = Meter(_STAGE, len(tasks))
    yield meter.state()
    try:
        with closing(describe_photos(tasks, plan, pool=pool, **who)) as described:
            for results in described:
                writer.add([one for one in results if one.description is not None])
                failures += [one.failure for one in results if one.failure]
                yield meter.advance(len(results))
    finally:
        writer.flush()
    return failures
