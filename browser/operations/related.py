"""Tags that go with a tag, by the photos that carry them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import scipy.sparse as sp

from browser.catalog.library import Library
from browser.catalog.tags import ancestors, normalise
from browser.operations.errors import OperationError
from browser.operations.progress import Job
from browser.operations.thread import in_thread
from learners.base import ProgressReport
from learners.tag_metric import TagMetric

COUNT: Final = 10


@dataclass(frozen=True)
class RelatedTag:
    """A tag that goes with another one.

    Attributes
    ----------
    tag : str
    distance : float
        0: always together, and with the same tags.
    photos : int
        Photos that carry both, themselves or by a tag below.
    """

    tag: str
    distance: float
    photos: int


def related_tags(library: Library, tag: str, *, limit: int = COUNT) -> Job[list[RelatedTag]]:
    """Find the tags nearest to a tag under the metric of tags (`learners.tag_metric`).

    A photo of ``animal/dog`` counts under ``animal`` too. Tags above and below the tag are left out: that they go
    together says nothing.

    Parameters
    ----------
    library : Library
    tag : str
    limit : int
        At most so many.

    Yields
    ------
    Progress

    Returns
    -------
    list of RelatedTag
        Nearest first.

    Raises
    ------
    OperationError
        No photo carries the tag.
    TagNameError
        The name cannot be a tag.
    """
    name = normalise(tag)
    matrix, names = library.tags.matrix(library.photos.ids("tagged"), with_ancestors=True)
    if name not in names:
        raise OperationError(f"No photo carries the tag {name}: see focal tags.")
    number = names.index(name)
    tags = sp.csr_array(matrix)
    distances = (yield from in_thread("Comparing tags", partial(_learn, tags))).distances(number)
    together = np.asarray((tags.T @ tags[:, [number]]).todense()).ravel()
    found: list[RelatedTag] = []
    for j in np.lexsort((np.arange(len(names)), distances)):
        family = names[j] == name or names[j] in ancestors(name) or name in ancestors(names[j])
        if len(found) == limit or not np.isfinite(distances[j]):
            break
        if not family:
            found.append(RelatedTag(names[j], float(distances[j]), int(together[j])))
    return found


def _learn(tags: sp.csr_array, report: ProgressReport) -> TagMetric:
    report(0.0)
    return TagMetric().fit(tags)
