# SPDX-License-Identifier: MIT
"""Find tags related to a tag, from the photos that carry them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import scipy

from focal_photos.browser.catalog.facts.tags import ancestors, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.tags.tag_metric import TagMetric

COUNT: Final = 10
EVIDENCE: Final = 2
"""Minimum number of photos with both tags before one may be proposed for the other."""
LIMIT: Final = 2000
"""Maximum number of compared tags, the most frequent ones: the time grows with the cube (some seconds for 2,000)."""


@dataclass(frozen=True)
class RelatedTag:
    """A tag related to another."""

    tag: str
    distance: float
    """0: always together, and with the same other tags."""
    photos: int
    """Number of photos with both tags or their descendants."""


@dataclass(frozen=True)
class TagNeighborhood:
    """Model of all tags of a library."""

    names: list[str]
    """Names of the m tags, including ancestors."""
    tags: scipy.sparse.csr_array
    """1 where tagged photo i carries tag j or a descendant; shape (n, m)."""
    metric: TagMetric | None
    """None without tags."""

    def related(self, to: Sequence[str], *, limit: int = COUNT, together: bool = False) -> list[RelatedTag]:
        """Return the tags nearest to some tags by mean distance, without their ancestors and descendants.

        Parameters
        ----------
        to : sequence of str
            Tags on no photo are ignored.
        limit : int
            Maximum number of tags.
        together : bool
            Whether to return only tags that share at least two photos with one of `to`, and no ancestor or descendant
            of a nearer one.
        """
        column = {name: j for j, name in enumerate(self.names)}
        own = {name for name in to if name in column}
        columns = sorted(column[name] for name in own)
        if self.metric is None or not columns:
            return []
        distances = np.mean([self.metric.distances(j) for j in columns], axis=0)
        carrying = self.tags[np.flatnonzero(np.diff(self.tags[:, columns].indptr))]
        beside = np.asarray((carrying != 0).sum(axis=0)).ravel()
        # Tags always occur together with their ancestors, which means nothing.
        above = own.union(*(ancestors(name) for name in own))
        found: list[RelatedTag] = []
        for j in np.lexsort((np.arange(len(self.names)), distances)):
            name = self.names[j]
            if len(found) == limit or not np.isfinite(distances[j]):
                break
            if name in above or not own.isdisjoint(ancestors(name)):
                continue
            akin = any(name in ancestors(one.tag) or one.tag in ancestors(name) for one in found)
            if not together or (beside[j] >= EVIDENCE and not akin):
                found.append(RelatedTag(name, float(distances[j]), int(beside[j])))
        return found


def tag_neighborhood(library: Library, *, limit: int = LIMIT) -> Job[TagNeighborhood]:
    """Learn the metric of the library's tags (`learners.tags.tag_metric`).

    A photo of ``animal/dog`` counts under ``animal`` too.

    Parameters
    ----------
    limit : int
        Maximum number of tags used, the most frequent ones.
    """
    matrix, names = library.tags.matrix(library.photos.ids("tagged"), with_ancestors=True)
    tags = scipy.sparse.csr_array(matrix)
    if not names:
        return TagNeighborhood(names, tags, None)
    metric = yield from in_thread(Text("Comparing tags"), partial(_learn, tags, limit), keeps=False)
    return TagNeighborhood(names, tags, metric)


def related_tags(library: Library, tag: str, *, limit: int = COUNT) -> Job[list[RelatedTag]]:
    """Find the tags nearest to a tag under the metric of tags.

    Its ancestors and descendants are left out, because they trivially occur together.

    Parameters
    ----------
    limit : int
        Maximum number of tags.

    Returns
    -------
    list of RelatedTag
        Nearest first.

    Raises
    ------
    OperationError
        If no photo carries the tag.
    TagNameError
        If the name is invalid as a tag.
    """
    name = normalise(tag)
    learned = yield from tag_neighborhood(library)
    if name not in learned.names:
        raise OperationError("No photo carries the tag {0}: see focal tags.", name)
    return learned.related([name], limit=limit)


def _learn(tags: scipy.sparse.csr_array, limit: int, report: ProgressReport) -> TagMetric:
    report(0.0)
    return TagMetric(limit=limit).fit(tags)
