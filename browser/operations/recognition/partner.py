# SPDX-License-Identifier: MIT
"""Regression of tags on all global descriptors and codes, as for suggestions but without neighbours."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.codes import Codes
from focal_photos.browser.operations.describing.descriptors import decode_limits, global_by_keys, ready_descriptors
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.features.base import CodeDescriptor
from focal_photos.features.decoding.limits import ImageError
from focal_photos.features.description import DescriptionPlan, describe
from focal_photos.features.network.network_file import NetworkError
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence, typical_temperature
from focal_photos.learners.tags.tag_ridge import TagRidge, TagScores

COMPARED_CLASSES: Final = 10
"""Number of likeliest classes by all descriptors whose focal images are compared with an image."""

MAX_EXACT_PHOTOS: Final = 5000
"""Number of photos up to which the regression is exact."""

_BLOCK: Final = 1024  # photos whose coordinates are in memory at once


class Partner:
    """Regression of tags on all global descriptors and codes.

    Parameters
    ----------
    space : FeatureSpace
        Feature space whose families are weighted by the tags.
    ids : ndarray of int64, shape (n,)
        Training photos, ascending; all are described.
    tags : csr_array, shape (n, m)
        Nearly all photos have one tag.

    Raises
    ------
    KeyError
        If a photo is no longer described.
    """

    def __init__(
        self,
        library: Library,
        space: FeatureSpace,
        codes: Codes | None,
        ids: NDArray[np.int64],
        tags: scipy.sparse.csr_array,
        report: ProgressReport | None = None,
    ) -> None:
        self._library = library
        self._space = space
        self._ids = ids
        self._ridge = TagRidge(neighbors=0.0, exact=MAX_EXACT_PHOTOS, families=space.families_)
        learned_from = None if codes is None else codes.of(ids)
        self._ridge.fit(coordinates(library, space, ids), tags, codes=learned_from, progress=report)
        self._codes = codes if self._ridge.signs_ else None
        self._confidence = TagConfidence(typical_temperature(self._ridge)).fit(self._ridge.left_out_, tags)

    def probabilities(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the probabilities of tags, float64 (q, m), for training photos as predicted from the others.

        Raises
        ------
        KeyError
            If a photo is no longer described.
        """
        at = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        own = self._ids[at] == ids
        left_out = self._ridge.left_out_
        tags, nearest = left_out.tags[at].astype(np.float64), left_out.nearest[at].astype(np.float64)
        others = np.flatnonzero(~own)
        for part in blocks(len(others), _BLOCK):
            rows = others[part]
            codes = None if self._codes is None else self._codes.of(ids[rows])
            tags[rows], nearest[rows], _ = self._ridge.scores(
                coordinates(self._library, self._space, ids[rows]), None, codes
            )
        return self._confidence.confidences(TagScores(tags, nearest)).tags

    def probabilities_outside(self, source: Path | bytes) -> NDArray[np.float64]:
        """Return the probabilities of tags for an image outside the library, float64 (m,).

        Raises
        ------
        OperationError
            If it cannot be decoded, or a fitted descriptor no longer exists.
        """
        keys = [family.name for family in self._space.families]
        families = global_by_keys(self._library, keys)
        wanted = () if self._codes is None else self._codes.keys
        coding = [
            one
            for one in ready_descriptors(self._library)
            if isinstance(one, CodeDescriptor) and str(one.key) in wanted
        ]
        if len(families) < len(keys) or len(coding) < len(wanted):
            raise OperationError("The fitted descriptors have changed: run focal index, then try again.")
        plan = DescriptionPlan((*families.values(), *coding), decode_limits(self._library), thumbnail_side=None)
        try:
            found = sandbox().call(describe, source, plan, seconds=settings.SECONDS.get(self._library))
        except (ImageError, NetworkError) as error:
            what = Text("The image") if isinstance(source, bytes) else str(source)
            raise OperationError("{0} cannot be recognised: {1}", what, error) from error
        vector = np.concatenate([found.vectors[one.name] for one in families.values()])
        codes = None if self._codes is None else np.concatenate([found.codes[one.name] for one in coding])[None]
        scores = self._ridge.scores(self._space.transform(vector[None]), None, codes)
        tags: NDArray[np.float64] = self._confidence.confidences(scores).tags[0]
        return tags
