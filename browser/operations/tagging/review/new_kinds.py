"""Find groups of similar photos that no tag explains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.operations.tagging.neighborhoods import Neighborhoods
from focal_photos.learners.core.logistic import sigmoid

_LOOKED_AT: Final = 3000  # maximum number of photos whose shared neighbours are compared
_NEAR: Final = 10  # nearest photos that determine the density at a photo
_CORE: Final = 10  # photos that represent a group
_ROUNDS: Final = 3
_EDGE: Final = 0.8  # fraction of the core's score at which a photo is equally likely in or out
_SOFT: Final = 0.06
_LEAST: Final = 1.0  # minimum expected number of photos that no tag explains
_TYPICAL: Final = 0.25  # quantile of the coherence of tagged photos
_INTERCEPT, _OF_BELONGING, _OF_SHARE = 2.4, 0.17, 1.1  # coefficients of the log odds in `confidence_of_kind`
_UNSURE = 0.002  # belonging is clipped to `_UNSURE` and 1 - `_UNSURE`
_NOTHING_SHARED = 0.005  # minimum share of neighbours in the logarithm
_FEWEST: Final = 4  # minimum photos of a tag whose coherence counts
_MOST_OF_TAG: Final = 100  # maximum photos of a tag whose coherence is computed


@dataclass(frozen=True, eq=False)
class NewKind:
    """A group.

    Attributes
    ----------
    photo_ids : ndarray of int64, shape (n,)
        Most certain first.
    belonging : ndarray of float64, shape (n,)
        Degree of membership, 0..1, descending.
    shared : ndarray of float64, shape (n,)
        Mean share of neighbours in common with the other photos of the core, 0..1.
    coherence : float
        Mean share of neighbours that the photos of its core have in common, 0..1.
    unlike : float
        Mean probability that no tag explains a photo of its core, 0..1.
    """

    photo_ids: NDArray[np.int64]
    belonging: NDArray[np.float64]
    shared: NDArray[np.float64]
    coherence: float
    unlike: float


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
    neighborhoods : Neighborhoods
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
    while len(found) < groups and len(ids) and (not found or none.sum() >= _LEAST):
        order, belonging = densest_group(shared, none)
        first, core = order[:most], order[:_CORE]
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
    near = min(_NEAR, len(none) - 1)
    most = -np.partition(-shared * none, near, axis=1)[:, : near + 1]
    core = np.array([int(np.argmax(most.mean(axis=1) * none))])
    score = none
    for _ in range(_ROUNDS):
        score = shared[:, core].mean(axis=1) * none
        nearest = np.argsort(-score, kind="stable")[:_CORE]
        # In a group of fewer than ten photos, photos that share nothing with it would divert the core.
        core = nearest[score[nearest] > 0] if score.any() else core
    order: NDArray[np.intp] = np.argsort(-score, kind="stable")
    top = max(float(score[core].mean()), 1e-9)
    belonging = none[order] / (1 + np.exp(np.clip((_EDGE - score[order] / top) / _SOFT, -50, 50)))
    return order, np.minimum.accumulate(belonging)


def confidence_of_kind(belonging: NDArray[np.float64], shared: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities that photos are of the kind by which the user names a group.

    Belonging orders the photos of a group and separates groups, but is relative to the group: in a group of unlike
    photos, it is as high as in one of like photos. The neighbours shared with the core tell these groups apart. The
    log odds are ``_INTERCEPT + _OF_BELONGING logit(belonging) + _OF_SHARE log(shared)``, a logistic regression on
    simulated libraries of Corel-5k, Caltech-101 and the fifteen scenes: 5 to 40 kinds of 6 to 60 photos, of which none
    to nine tenths had tags.

    Parameters
    ----------
    belonging, shared : ndarray of float64, shape (n,)
        See `NewKind`; at least one photo.

    Returns
    -------
    ndarray of float64, shape (n,)
        0..1, descending: no photo is more certain than the one before it.
    """
    share = np.clip(belonging, _UNSURE, 1 - _UNSURE)
    by_belonging = _OF_BELONGING * (np.log(share) - np.log1p(-share))
    log_odds = _INTERCEPT + by_belonging + _OF_SHARE * np.log(np.maximum(shared, _NOTHING_SHARED))
    return np.minimum.accumulate(sigmoid(log_odds))


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
        0..1, mean over the `_CORE` - 1 other photos with which a photo shares most; 0 for a single photo.
    """
    others = shared.astype(np.float64)
    np.fill_diagonal(others, 0)
    near = min(_CORE, len(others)) - 1
    if near < 1:
        return np.zeros(len(others))
    return np.asarray(-np.partition(-others, near - 1, axis=1)[:, :near].mean(axis=1))


def typical_coherence(neighborhoods: Neighborhoods, ids: NDArray[np.int64], tags: scipy.sparse.csr_array) -> float:
    """Return the typical coherence of photos of one tag, a lower bound for groups.

    Parameters
    ----------
    neighborhoods : Neighborhoods
    ids : ndarray of int64, shape (s,)
        Tagged photos; those absent from `neighborhoods` are ignored.
    tags : csr_array, shape (s, m)
        Positive where a photo carries a tag.

    Returns
    -------
    float
        Lower quartile of `coherence_of` over the photos of all tags with at least `_FEWEST` photos; 0 without such
        tags.
    """
    where = {photo_id: row for row, photo_id in enumerate(neighborhoods.ids.tolist())}
    rows = np.array([where.get(photo_id, -1) for photo_id in ids.tolist()], dtype=np.intp)
    carried = scipy.sparse.csc_array(tags)
    found = []
    for j in range(carried.shape[1]):
        own = rows[carried.indices[carried.indptr[j] : carried.indptr[j + 1]]]
        own = own[own >= 0][:_MOST_OF_TAG]
        if len(own) >= _FEWEST:
            found.append(coherence_of(neighborhoods.shared(own).tocsc()[:, own].toarray()))
    return float(np.quantile(np.concatenate(found), _TYPICAL)) if found else 0.0
