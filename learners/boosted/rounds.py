"""The rounds of boosted bits: a direction, a threshold and a weight each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.boosted.pair_objective import PairObjective, SplitSums
from learners.core.base import ProgressReport

Step = Literal["paper", "exact"]

_STEPS = 6
"""Of the Lanczos iteration; the direction of the round before is where it starts."""

_SMOOTHING = 1e-3
_LARGEST_ALPHA = 1.0
_GAP = 1e-6
"""Of the range of the projections: nearer neighbours are equal as far as single precision can tell."""


class Bits(NamedTuple):
    """Binary functions ``u'z > b`` and their weights.

    Attributes
    ----------
    directions : ndarray of float64, shape (d, T)
        u, of length 1.
    thresholds : ndarray of float64, shape (T,)
        b.
    alphas : ndarray of float64, shape (T,)
        > 0.
    log_objective : ndarray of float64, shape (T + 1,)
        log F before the first round and after each.
    """

    directions: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    alphas: NDArray[np.float64]
    log_objective: NDArray[np.float64]


def boost(
    Z: NDArray[np.float32],
    pairs: PairObjective,
    rounds: int,
    *,
    step: Step = "paper",
    learning_rate: float = 1.0,
    tolerance: float = 1e-5,
    seed: int = 0,
    report: ProgressReport = lambda _share: None,
) -> Bits:
    """Learn binary functions whose weighted Hamming distance is small for similar and large for dissimilar pairs.

    Parameters
    ----------
    Z : ndarray of float32, shape (n, d)
        The photos of the pairs, centred and of a size near 1.
    pairs : PairObjective
        Is changed: its weights follow the rounds.
    rounds : int
        At most so many bits.
    step : "paper" or "exact"
        Weight of a bit: minimum of the paper's bound, or of the objective itself along this bit.
    learning_rate : float
        Factor of that weight.
    tolerance : float
        Stop when a round lowers the objective by a smaller share.
    seed : int
        Of the first start vector.
    report : callable

    Returns
    -------
    Bits
        Perhaps none: where no split separates more dissimilar than similar pairs, there is nothing to learn.

    Notes
    -----
    A round (ALGORITHMS.md, 1.3): the direction is the eigenvector of the largest eigenvalue of
    ``Z'(L(S-) - L(S+))Z`` (the sign of equations 16 and 18; Fig. 1 of the paper prints the other one, with which
    nothing is learned), by Lanczos iteration without ever forming the matrix; the threshold maximises
    ``sqrt(cut-) - sqrt(cut+)`` over all splits between different projections (equation 17); the weight is
    ``(log cut- - log cut+) / 16``.
    """
    n, d = Z.shape
    rng = np.random.default_rng(seed)
    u: NDArray[np.float32] = rng.standard_normal((d,), dtype=np.float32)
    directions, thresholds, alphas, values = [], [], [], [pairs.log_value]

    def operator(v: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(pairs.apply(Z @ v) @ Z, dtype=np.float32)

    for t in range(rounds):
        report(t / rounds)
        if not np.isfinite(pairs.log_value):
            break
        found, u = largest_eigenvector(operator, u)
        if not found > 0:
            break
        projection = Z @ u
        threshold = best_split(projection, pairs)
        if threshold is None:
            break
        side = projection.astype(np.float64) > threshold
        alpha = learning_rate * bit_weight(pairs.split(side), step, n)
        if not alpha > 0:
            break
        pairs.update(side, alpha)
        directions.append(u.astype(np.float64))
        thresholds.append(threshold)
        alphas.append(alpha)
        values.append(pairs.log_value)
        if -np.expm1(values[-1] - values[-2]) < tolerance or values[-1] - values[0] < np.log(1e-10):
            break
    return Bits(np.array(directions).reshape(-1, d).T.copy(), np.array(thresholds), np.array(alphas), np.array(values))


# OpenBLAS works on small vectors together with what lies beside them in memory, and may raise the flag of an invalid
# operation for that (its issues 171 and 1924); the result is right.
@np.errstate(invalid="ignore")
def largest_eigenvector(
    operator: Callable[[NDArray[np.float32]], NDArray[np.float32]], start: NDArray[np.float32], steps: int = _STEPS
) -> tuple[float, NDArray[np.float32]]:
    """Return the largest eigenvalue of a symmetric operator and its eigenvector, as a few Lanczos steps see them.

    Parameters
    ----------
    operator : callable
        Gives the product with a vector (d,).
    start : ndarray of float32, shape (d,)
        Not zero.
    steps : int
        Each one product, and orthogonalisation against all earlier vectors (twice is enough).

    Returns
    -------
    value : float
        0 where the operator is.
    vector : ndarray of float32, shape (d,)
        Of length 1.
    """
    d = len(start)
    steps = min(steps, d)
    Q = np.zeros((steps, d), dtype=np.float32)
    diagonal, beside = np.zeros(steps), np.zeros(steps)
    q = start / np.linalg.norm(start)
    made = 0
    for k in range(steps):
        Q[k] = q
        made = k + 1
        r = operator(q)
        diagonal[k] = float(q @ r)
        known = Q[:made]
        r = r - known.T @ (known @ r)
        r = r - known.T @ (known @ r)
        beside[k] = float(np.linalg.norm(r))
        if beside[k] <= 1e-6 * (np.abs(diagonal[:made]).max() + beside[:made].max()):
            break
        q = r / np.float32(beside[k])
    T = np.diag(diagonal[:made]) + np.diag(beside[: made - 1], 1) + np.diag(beside[: made - 1], -1)
    w, V = np.linalg.eigh(T)
    u = V[:, -1].astype(np.float32) @ Q[:made]
    return float(w[-1]), u / np.linalg.norm(u)


def best_split(projection: NDArray[np.float32], pairs: PairObjective) -> float | None:
    """Return the threshold that lowers the bound most; None if none lowers it."""
    order = np.argsort(projection, kind="stable")
    ascending = projection[order].astype(np.float64)
    gaps = np.diff(ascending)
    legal = gaps > _GAP * max(abs(ascending[0]), abs(ascending[-1]))
    if not legal.any():
        return None
    similar, dissimilar = pairs.cuts(order)
    gain = np.where(legal, np.sqrt(dissimilar) - np.sqrt(similar), -np.inf)
    k = int(gain.argmax())
    if not gain[k] > 0:
        return None
    return float(ascending[k] + gaps[k] / 2)


def bit_weight(sums: SplitSums, step: Step, n: int) -> float:
    """Return alpha, at most 1; not above 0 where the split separates no more dissimilar than similar pairs.

    Parameters
    ----------
    sums : SplitSums
    step : "paper" or "exact"
        ``(log cut- - log cut+) / 16``, or ``log(sum A D / sum B C) / 8``; both have the same sign.
    n : int
        Number of photos. 1/1000 of a photo's share of the objective is added to both sides of the quotient:
        without it, photos that can be separated wholly have a weight of infinity.
    """
    A, B, C, D = sums
    parts = float(A @ C), float(A @ D), float(B @ C), float(B @ D)
    smoothing = _SMOOTHING * sum(parts) / n
    _, gained, lost, apart = parts
    if step == "exact":
        alpha = np.log((gained + smoothing) / (lost + smoothing)) / 8
    else:
        alpha = np.log((gained + apart + smoothing) / (lost + apart + smoothing)) / 16
    return float(min(alpha, _LARGEST_ALPHA))
