# SPDX-License-Identifier: MIT
"""Passive-aggressive steps of one metric per kernel, many at once, equivalent to one after another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.linalg import blocks

Matrices = Sequence[NDArray[np.float64]]


def psd(W: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the nearest positive semidefinite matrix, float64 (r, r): negative eigenvalues become 0."""
    W = (W + W.T) / 2
    w, V = np.linalg.eigh(W)
    if w[0] >= 0:
        return W
    return np.asarray((V * np.maximum(w, 0.0)) @ V.T)


def steps(
    W: Matrices,
    U: Matrices,
    V: Matrices,
    C2: float,
    C1: float = 0.0,
    G: Matrices = (),
    margin: float = 1.0,
) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
    """Take one step per triplet with the metric of every kernel, without projecting to positive semidefinite matrices.

    For a triplet with ``u = x_i - x_j`` and ``v = x_i - x_k`` the step is (Xia et al. 2013, eq. 14, 15)
    ``W <- W - C1 G - tau Q``, ``Q = uu' - vv'``, ``tau = min(C2, max(0, l) / |Q|^2)``, ``l = 1 + <W - C1 G, Q>``.

    Parameters
    ----------
    W : sequence of ndarray of float64, shape (r, r)
        Metric of each of k kernels.
    U, V : sequence of ndarray of float64, shape (t, r)
        Differences to the similar and to the dissimilar photo, in the coordinates of each kernel.
    C2 : float
        Maximum step size.
    C1 : float
        Weight of the regularizer G.
    G : sequence of ndarray of float64, shape (r, r)
        ``K L K``; ignored if C1 is 0.
    margin : float
        Required margin between the distances of the dissimilar and the similar photo; 1 in the paper.

    Returns
    -------
    W : list of ndarray of float64, shape (r, r)
    wrong : ndarray of bool, shape (k, t)
        Whether the metric ordered the triplet wrongly before the step.

    Notes
    -----
    After s steps W is ``W_0 - s C1 G - sum tau_s Q_s``, so that the next loss requires only ``<W_0, Q>``, ``<G, Q>``
    and ``<Q_s, Q>``: matrix products for all triplets at once, and scalars in the loop. Cost: t r^2 + t^2 r for each
    kernel, and t small Python steps for all kernels together.
    """
    t = len(U[0])
    start = np.stack([_forms(w, u, v) for w, u, v in zip(W, U, V, strict=True)])
    pull = np.stack([_forms(g, u, v) for g, u, v in zip(G, U, V, strict=True)]) if C1 else np.zeros_like(start)
    products = np.stack([_products(u, v) for u, v in zip(U, V, strict=True)])
    sizes = np.einsum("ptt->pt", products)
    tau = np.zeros_like(start)
    wrong = np.zeros(start.shape, dtype=bool)
    for s in range(t):
        now = start[:, s] - C1 * s * pull[:, s] - np.einsum("ps,ps->p", tau[:, :s], products[:, :s, s])
        wrong[:, s] = now > 0
        loss = np.maximum(margin + now - C1 * pull[:, s], 0.0)
        # For identical photos, no step helps.
        step = np.divide(loss, sizes[:, s], out=np.zeros_like(loss), where=sizes[:, s] > 0)
        tau[:, s] = np.minimum(C2, step)
    moved = []
    for p, w in enumerate(W):
        w = w - (U[p] * tau[p][:, None]).T @ U[p] + (V[p] * tau[p][:, None]).T @ V[p]
        moved.append(w - C1 * t * G[p] if C1 else w)
    return moved, wrong


def lazy_steps(
    W: Matrices,
    U: Matrices,
    V: Matrices,
    every: int,
    C2: float,
    C1: float = 0.0,
    G: Matrices = (),
    margin: float = 1.0,
) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
    """Apply `steps`, projecting to positive semidefinite matrices after every `every` triplets and at the end.

    Returns
    -------
    W : list of ndarray of float64, shape (r, r)
    wrong : ndarray of float64, shape (k,)
        Number of triplets that each metric ordered wrongly before their step.
    """
    moved, errors = list(W), np.zeros(len(W))
    for part in blocks(len(U[0]), every):
        moved, wrong = steps(moved, [u[part] for u in U], [v[part] for v in V], C2, C1, G, margin)
        moved = [psd(w) for w in moved]
        errors += wrong.sum(axis=1)
    return moved, errors


def _forms(W: NDArray[np.float64], U: NDArray[np.float64], V: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``u'Wu - v'Wv`` for all rows."""
    return np.asarray(np.einsum("ij,ij->i", U @ W, U) - np.einsum("ij,ij->i", V @ W, V))


def _products(U: NDArray[np.float64], V: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``<Q_s, Q_t>`` for all pairs of rows."""
    cross = np.square(U @ V.T)
    return np.asarray(np.square(U @ U.T) + np.square(V @ V.T) - cross - cross.T)
