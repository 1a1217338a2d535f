# SPDX-License-Identifier: MIT
"""Explain a local distance: the patches of a photo that matter, and the matching patches of two photos."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import name_of
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.focal_image import focal_image
from focal_photos.browser.operations.ranking.local.learner import KINDS
from focal_photos.browser.operations.ranking.local.metric import LocalMetric, local_metric
from focal_photos.browser.operations.ranking.local.patches import PhotoPatches, patches_of, with_patches
from focal_photos.features.decoding.limits import WORKING_SIDE, fit_within
from focal_photos.features.local.edge_channels import PIXELS
from focal_photos.features.local.elementary_distances import MISSING
from focal_photos.features.local.geometric_blur import GeometricBlur
from focal_photos.learners.local.local_distances import FocalImage

_SAMPLE: Final = 200  # photos that define the usual distances


@dataclass(frozen=True)
class FocalPatches:
    """The patches of a focal image and their weights in its distance."""

    photo_id: int
    points: NDArray[np.float32]
    """x and y as fractions 0..1 of the width and height of the upright photo; shape (M, 2)."""
    weights: NDArray[np.float32]
    """Weights of the rescaled distances, >= 0 with sum 1; most are 0. All equal if nothing was learned; shape (M,)."""
    kind: NDArray[np.intp]
    """Index into `kinds`; shape (M,)."""
    kinds: tuple[str, ...]
    """Names of the kinds for the user."""
    radii: NDArray[np.float32]
    """Radius of each patch, as a fraction of the photo's longer side; shape (M,)."""


@dataclass(frozen=True)
class PatchMatches:
    """The patches that bring another photo near to a focal image, strongest first."""

    focal: NDArray[np.float32]
    other: NDArray[np.float32]
    """`focal` and `other`: a point on the focal image and its best match on the other photo; see `FocalPatches.points`;
    shape (k, 2)."""
    share: NDArray[np.float32]
    """Descending, 0..1: share of the patch in all the evidence for nearness; shape (k,)."""
    kind: NDArray[np.intp]
    """Index into `FocalPatches.kinds`; shape (k,)."""


def focal_patches(library: Library, metric_name: str, photo_id: int) -> FocalPatches:
    """Return the weight of each patch of a photo in its local distance.

    A distance that was not learned yet is learned now, in a second or two, and saved. Call this from a background
    thread.

    Parameters
    ----------
    metric_name : str
        Name of a metric of local distances (``local-2``, or ``local`` for the latest).

    Raises
    ------
    OperationError
        If the metric is of another kind or damaged, or the photo has no patches: it is not indexed yet or has no edge.
    UnknownMetricError
        If the library has no such metric.
    """
    local, patches, model, size = _focal(library, metric_name, photo_id)
    weights = model.weights.astype(np.float64)
    total = float(weights.sum())
    weights = weights / total if total > 0 else np.full(len(weights), 1 / max(len(weights), 1))
    radii = np.array([radius_of(name_of(key), size) for key in local.keys], np.float32)
    return FocalPatches(
        photo_id,
        shares(np.concatenate(patches.points), size),
        weights.astype(np.float32),
        patches.kind,
        KINDS,
        radii[patches.kind],
    )


def patch_matches(library: Library, metric_name: str, focal_id: int, other_id: int, *, count: int = 12) -> PatchMatches:
    """Return the patches of a focal image that best explain another photo's nearness, and their matches there.

    The contribution of a patch is the amount by which its weighted distance to the other photo is below the usual one:
    its mean over 200 photos of the library, drawn with a fixed seed. Patches without weight contribute nothing.

    Parameters
    ----------
    count : int
        Maximum number of pairs; fewer if fewer patches are nearer than usual.

    Raises
    ------
    OperationError, UnknownMetricError
        As `focal_patches`, for either photo.
    """
    local, patches, model, size = _focal(library, metric_name, focal_id)
    (other,) = library.photos.get([other_id])
    there = patches_of(library, local.keys, other)
    used = np.flatnonzero(model.weights > 0)
    kind = patches.kind[used]
    near = np.full(len(used), MISSING, np.float32)
    match = np.full(len(used), -1, np.intp)
    bounds = np.cumsum([0, *patches.counts])
    for number, candidates in enumerate(there.vectors):
        own = np.flatnonzero(kind == number)
        if len(own) and len(candidates):
            rows = patches.vectors[number][used[own] - bounds[number]].astype(np.float32)
            squares = _squared_distances(rows, candidates.astype(np.float32))
            match[own] = squares.argmin(axis=1)
            near[own] = np.sqrt(np.maximum(squares.min(axis=1), 0))
    gain = (model.weights * model.factors)[used] * (_usual(library, local, patches, model) - near)
    gain[match < 0] = 0
    best = np.argsort(-gain, kind="stable")[:count]
    best = best[gain[best] > 0]
    said = float(np.maximum(gain, 0).sum())
    target = np.cumsum([0, *there.counts])[kind[best]] + match[best]
    return PatchMatches(
        shares(np.concatenate(patches.points)[used[best]], size),
        shares(np.concatenate(there.points)[target], working_size(other)),
        (gain[best] / said if said > 0 else gain[best]).astype(np.float32),
        kind[best],
    )


def local_parts(library: Library, metric_name: str, focal_id: int, other_id: int) -> tuple[tuple[str, float], ...]:
    """Split the local distance of a photo to a focal image among the kinds of patches.

    Returns
    -------
    tuple of (str, float)
        Names of the kinds for the user, with the sum of their patches' weighted distances; together the local distance.
        Empty if the focal image has learned nothing, in which case other photos rank in its stead.

    Raises
    ------
    OperationError, UnknownMetricError
        As `focal_patches`.
    """
    local, patches, model, _ = _focal(library, metric_name, focal_id)
    if not model.triplets or not len(with_patches(library, local.keys, np.array([other_id], np.int64))):
        return ()
    used = model.weights > 0
    far = Candidates(library, local.keys, np.array([other_id], np.int64)).distances(patches, used)[0]
    sums = np.bincount(patches.kind[used], far * (model.weights * model.factors)[used], minlength=len(KINDS))
    return tuple(zip(KINDS, sums.tolist(), strict=True))


def _focal(
    library: Library, metric_name: str, photo_id: int
) -> tuple[LocalMetric, PhotoPatches, FocalImage, tuple[int, int]]:
    local = local_metric(library, library.metrics.by_name(metric_name))
    found = library.photos.get([photo_id])
    if not found:
        raise OperationError("The library has no photo {0}.", photo_id)
    patches, model = focal_image(library, local, found[0])
    return local, patches, model, working_size(found[0])


def _usual(library: Library, local: LocalMetric, patches: PhotoPatches, model: FocalImage) -> NDArray[np.float32]:
    """Return the mean elementary distance of each used patch over a sample of the library."""
    ids = with_patches(library, local.keys)
    if len(ids) > _SAMPLE:
        ids = np.sort(np.random.default_rng(0).choice(ids, _SAMPLE, replace=False))
    mean: NDArray[np.float32] = Candidates(library, local.keys, ids).distances(patches, model.weights > 0).mean(axis=0)
    return mean


def _squared_distances(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    squares: NDArray[np.float32] = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1) - 2 * a @ b.T
    return squares


def working_size(photo: Photo) -> tuple[int, int]:
    """Return the width and height in pixels of the working image, in which a photo's points are given.

    Raises
    ------
    OperationError
        If the photo was not decoded yet.
    """
    if not photo.width or not photo.height:
        raise OperationError("{0} was not decoded yet: wait until it is indexed, or run focal index.", photo.path.name)
    return fit_within((photo.width, photo.height), WORKING_SIDE)


def shares(points: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """Return points (m, 2) in pixels of the working image as fractions 0..1 of its width and height, float32."""
    found: NDArray[np.float32] = np.clip((points + 0.5) / np.array(size, np.float32), 0, 1).astype(np.float32)
    return found


def radius_of(name: str, size: tuple[int, int]) -> float:
    """Return the patch radius of a descriptor, as a fraction of the longer side of a working image."""
    reduced = min(1.0, math.sqrt(PIXELS / (size[0] * size[1])))
    pixels = {"geometric_blur_large": GeometricBlur().radius, "geometric_blur_small": 42.0}
    reach = next((radius for start, radius in pixels.items() if name.startswith(start)), 8.5)
    return reach / (reduced * max(size))
