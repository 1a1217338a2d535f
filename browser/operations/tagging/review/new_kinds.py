# SPDX-License-Identifier: MIT
"""Find groups of similar photos that no tag explains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.operations.tagging.neighborhoods import Neighborhoods
from focal_photos.learners.core.logistic import sigmoid
from focal_photos.learners.galleries.row_gallery import Gallery

_LOOKED_AT: Final = 3000  # maximum number of photos whose shared neighbours are compared
_DENSITY_NEIGHBORS: Final = 10  # nearest photos that determine the density at a photo
_CORE_PHOTOS: Final = 10  # photos that represent a group
_ROUNDS: Final = 3
_EDGE: Final = 0.8  # fraction of the core's score at which a photo is equally likely in or out
_SOFT: Final = 0.06
_MIN_UNEXPLAINED: Final = 1.0  # minimum expected number of photos that no tag explains
_COHERENCE_QUANTILE: Final = 0.25  # quantile of the coherence of tagged photos
# coefficients of the log odds in `confidence_of_kind`, with many photos and with few
_INTERCEPT, _OF_BELONGING, _OF_SHARE = 2.4, 0.17, 1.1
_FEW_INTERCEPT, _FEW_BELONGING, _FEW_SHARE, _SHARE_BY_SIZE = -1.0, 0.09, 1.1, 0.6
_OF_DISTANCE, _OF_UNTAGGED = -11.0, -1.5
_FEW, _MANY = 200, 400  # number of photos up to which, and from which, the coefficients hold; between, both do in part
_LEAST_SIZE: Final = -1.6  # minimum logarithm of the number of photos, relative to `_FEW`
_LEAST_UNTAGGED: Final = -1.4  # minimum logarithm of the share of untagged photos
_MIN_BELONGING: Final = 0.002  # belonging is clipped to `_MIN_BELONGING` and 1 - `_MIN_BELONGING`
_NOTHING_SHARED: Final = 0.005  # minimum share of neighbours in the logarithm
_MIN_LOG_DISTANCE: Final = 0.65  # minimum relative distance in the logarithm: with fewer axes, distances differ more
_MIN_PHOTOS_OF_TAG: Final = 4  # minimum photos of a tag whose coherence counts
_MOST_OF_TAG: Final = 100  # maximum photos of a tag whose coherence is computed


@dataclass(frozen=True, eq=False)
class NewKind:
    """A group."""

    photo_ids: NDArray[np.int64]
    """Most certain first; shape (n,)."""
    belonging: NDArray[np.float64]
    """Degree of membership, 0..1, descending; shape (n,)."""
    shared: NDArray[np.float64]
    """Mean share of neighbours in common with the other photos of the core, 0..1; shape (n,)."""
    coherence: float
    """Mean share of neighbours that the photos of its core have in common, 0..1."""
    unlike: float
    """Mean probability that no tag explains a photo of its core, 0..1."""


def find_new_kinds(
    neighborhoods: Neighborhoods,
    ids: NDArray[np.int64],
    none: NDArray[np.float64],
    *,
    groups: int = 3,
    most: int = 150,
) -> list[NewKind]:
    """Find groups one by one, where photos that no tag explains share most neighbours.

    A group grows around the photo that shares most with its nearest ones. The photos that share most with it become its
    core, and so on. Likely members are excluded from the next groups. There is at least one group, so that each photo
    is asked about eventually.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)
        Photos without tags; those absent from `neighborhoods` are ignored.
    none : ndarray of float64, shape (n,)
        Probability that no tag explains the photo, 0..1.
    groups : int
        Maximum number of groups.
    most : int
        Maximum number of photos in a group.

    Returns
    -------
    list of NewKind
    """
    where = {photo_id: row for row, photo_id in enumerate(neighborhoods.ids.tolist())}
    here = np.array([i for i, photo_id in enumerate(ids.tolist()) if photo_id in where], dtype=np.intp)
    if len(here) > _LOOKED_AT:
        here = np.sort(np.random.default_rng(0).choice(here, _LOOKED_AT, replace=False))
    ids, none = ids[here], none[here].astype(np.float64)
    if not len(ids):
        return []
    rows = np.array([where[photo_id] for photo_id in ids.tolist()], dtype=np.intp)
    shared = neighborhoods.shared(rows).tocsc()[:, rows].toarray()
    found: list[NewKind] = []
    while len(found) < groups and len(ids) and (not found or none.sum() >= _MIN_UNEXPLAINED):
        order, belonging = densest_group(shared, none)
        first, core = order[:most], order[:_CORE_PHOTOS]
        with_core = _shared_with_others(shared[np.ix_(first, core)])
        coherence = float(coherence_of(shared[np.ix_(core, core)]).mean())
        found.append(NewKind(ids[first], belonging[:most], with_core, coherence, float(none[core].mean())))
        left = np.sort(order[belonging < 0.5])
        if len(left) == len(ids):
            break
        shared, ids, none = shared[np.ix_(left, left)], ids[left], none[left]
    return found


def densest_group(
    shared: NDArray[np.floating], none: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return all photos sorted by their membership in the densest group, and the degrees of membership.

    Parameters
    ----------
    shared : ndarray of float, shape (n, n)
        Share of neighbours that photos have in common; n at least 1.
    none : ndarray of float64, shape (n,)
        Probability that no tag explains the photo, 0..1.

    Returns
    -------
    order : ndarray of intp, shape (n,)
    belonging : ndarray of float64, shape (n,)
        0..1, descending.
    """
    near = min(_DENSITY_NEIGHBORS, len(none) - 1)
    most = -np.partition(-shared * none, near, axis=1)[:, : near + 1]
    core = np.array([int(np.argmax(most.mean(axis=1) * none))])
    score = none
    for _ in range(_ROUNDS):
        score = shared[:, core].mean(axis=1) * none
        nearest = np.argsort(-score, kind="stable")[:_CORE_PHOTOS]
        # In a group of fewer than ten photos, photos that share nothing with it would divert the core.
        core = nearest[score[nearest] > 0] if score.any() else core
    order: NDArray[np.intp] = np.argsort(-score, kind="stable")
    top = max(float(score[core].mean()), 1e-9)
    belonging = none[order] / (1 + np.exp(np.clip((_EDGE - score[order] / top) / _SOFT, -50, 50)))
    return order, np.minimum.accumulate(belonging)


def confidence_of_kind(
    belonging: NDArray[np.float64], shared: NDArray[np.float64], distances: NDArray[np.float64], photos: int, asked: int
) -> NDArray[np.float64]:
    """Return the probabilities that photos are of the kind by which the user names a group.

    Belonging is relative to the group: in a group of unlike photos, it is as high as in one of like photos. Two signs
    tell these groups apart: the neighbours shared with the core, and the distances to the core, which are more
    important in a folder so small that neighbourhoods contain several kinds.

    With many photos, the log odds are ``2.4 + .17 logit(belonging) + 1.1 log(shared)``, a logistic regression on
    simulated libraries of Corel-5k, Caltech-101 and the fifteen scenes: 5 to 40 kinds of 6 to 60 photos, of which none
    to nine tenths had tags. With few photos, they are ``-1 + .09 logit(belonging) + (1.1 + .6 log(photos / 200))
    log(shared) - 11 log(distances) - 1.5 log(asked / photos)``, a logistic regression on 290 simulated folders of up to
    250 photos, 4 to 24 kinds of 5 to 20, of the classes of Corel-5k and Caltech-101 with even numbers: without tags,
    beside a tagged folder, or with tags on some photos. `tests/benchmarks/tagging/new_kinds.py` measures the others.

    Parameters
    ----------
    belonging, shared : ndarray of float64, shape (n,)
        See `NewKind`.
    distances : ndarray of float64, shape (n,)
        Result of `relative_distances`.
    photos : int
        Number of photos among which neighbours were found, at least one.
    asked : int
        Number of these that have no tag, at least one.

    Returns
    -------
    ndarray of float64, shape (n,)
        0..1.
    """
    share = np.clip(belonging, _MIN_BELONGING, 1 - _MIN_BELONGING)
    belongs, shares = np.log(share) - np.log1p(-share), np.log(np.maximum(shared, _NOTHING_SHARED))
    size = np.log(photos / _FEW)
    of_many = _INTERCEPT + _OF_BELONGING * belongs + _OF_SHARE * shares
    of_few = (
        _FEW_INTERCEPT
        + _FEW_BELONGING * belongs
        + (_FEW_SHARE + _SHARE_BY_SIZE * np.clip(size, _LEAST_SIZE, 0)) * shares
        + _OF_DISTANCE * np.log(np.maximum(distances, _MIN_LOG_DISTANCE))
        + _OF_UNTAGGED * max(np.log(asked / photos), _LEAST_UNTAGGED)
    )
    many = np.clip(size / np.log(_MANY / _FEW), 0, 1)
    return sigmoid(many * of_many + (1 - many) * of_few)


def relative_distances(gallery: Gallery, group: NDArray[np.intp], every: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the mean distance of photos of a group to the other photos of its core, divided by that to all others.

    Parameters
    ----------
    group : ndarray of intp, shape (n,)
        Rows of the group, its core first; at least one.
    every : ndarray of intp, shape (m,)
        Rows of all photos, those of the group included.

    Returns
    -------
    ndarray of float64, shape (n,)
        0 for a single photo, 1 if it is at the place of all others.
    """
    core = group[:_CORE_PHOTOS]
    to_core = np.sqrt(gallery.squared_distances(group, core)).sum(axis=1, dtype=np.float64)
    to_core /= np.maximum(len(core) - (np.arange(len(group)) < len(core)), 1)
    to_all = np.sqrt(gallery.squared_distances(group, every)).sum(axis=1, dtype=np.float64) / max(len(every) - 1, 1)
    found: NDArray[np.float64] = np.divide(to_core, to_all, out=np.ones(len(group)), where=to_all > 0)
    return found


def _shared_with_others(shared: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the means of rows (n, c); row i of the first c is a photo that column i compares with itself."""
    n, core = shared.shape
    if core < 2:
        return np.ones(n)
    itself = np.zeros(n)
    itself[:core] = np.diagonal(shared)
    others = np.where(np.arange(n) < core, core - 1, core)
    means: NDArray[np.float64] = (shared.sum(axis=1, dtype=np.float64) - itself) / others
    return means


def coherence_of(shared: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the mean share of neighbours that each photo has in common with its nearest photos.

    Parameters
    ----------
    shared : ndarray of float, shape (n, n)
        Share of neighbours that photos have in common.

    Returns
    -------
    ndarray of float64, shape (n,)
        0..1, mean over the `_CORE_PHOTOS` - 1 other photos with which a photo shares most; 0 for a single photo.
    """
    others = shared.astype(np.float64)
    np.fill_diagonal(others, 0)
    near = min(_CORE_PHOTOS, len(others)) - 1
    if near < 1:
        return np.zeros(len(others))
    return np.asarray(-np.partition(-others, near - 1, axis=1)[:, :near].mean(axis=1))


def typical_coherence(neighborhoods: Neighborhoods, ids: NDArray[np.int64], tags: scipy.sparse.csr_array) -> float:
    """Return the typical coherence of photos of one tag, a lower bound for groups.

    Parameters
    ----------
    ids : ndarray of int64, shape (s,)
        Tagged photos; those absent from `neighborhoods` are ignored.
    tags : csr_array, shape (s, m)
        Positive where a photo carries a tag.

    Returns
    -------
    float
        Lower quartile of `coherence_of` over the photos of all tags with at least `_MIN_PHOTOS_OF_TAG` photos; 0
        without such tags.
    """
    where = {photo_id: row for row, photo_id in enumerate(neighborhoods.ids.tolist())}
    rows = np.array([where.get(photo_id, -1) for photo_id in ids.tolist()], dtype=np.intp)
    carried = scipy.sparse.csc_array(tags)
    found = []
    for j in range(carried.shape[1]):
        own = rows[carried.indices[carried.indptr[j] : carried.indptr[j + 1]]]
        own = own[own >= 0][:_MOST_OF_TAG]
        if len(own) >= _MIN_PHOTOS_OF_TAG:
            found.append(coherence_of(neighborhoods.shared(own).tocsc()[:, own].toarray()))
    return float(np.quantile(np.concatenate(found), _COHERENCE_QUANTILE)) if found else 0.0
