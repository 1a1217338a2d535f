# SPDX-License-Identifier: MIT
"""Judge parts of photos against a region of a focal image."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.queries.query import RegionQuery
from focal_photos.browser.operations.ranking.ranker import Ranker


def judge_regions(
    library: Library,
    focal: int,
    region: Region,
    others: Sequence[int],
    verdict: Verdict | None,
    other_region: Region | None = None,
) -> ChangeSet:
    """Judge photos against a region of a focal image, or withdraw the judgements.

    Parameters
    ----------
    verdict : Verdict or None
        None: withdraw.
    other_region : Region, optional
        Part of each of the photos that is judged; default: the part that a search by the region finds.

    Raises
    ------
    NoWindowsError, OperationError
        If the part has to be searched for and the photos are not described for searches by a region.
    UnknownPhotoError
    """
    if verdict is None:
        found = dict.fromkeys(others, region)  # any region: the judgement is withdrawn with its own
    elif other_region is not None:
        found = dict.fromkeys(others, other_region)
    else:
        ranking = Ranker(library).rank(RegionQuery(focal, region), among=np.array(others, np.int64))
        assert ranking.windows is not None, "a ranking by a region has windows"
        sides = ranking.windows.astype(float).tolist()
        found = {int(photo): Region(*four) for photo, four in zip(ranking.photo_ids, sides, strict=True)}
        for photo_id in others:
            if photo_id not in found:
                (photo,) = library.photos.get([photo_id])
                raise OperationError(
                    "{0} is not described for searches by a region: run focal index, or name its part by --other-box.",
                    photo.path,
                )
    return library.region_judgements.set(focal, region, found.items(), verdict)
