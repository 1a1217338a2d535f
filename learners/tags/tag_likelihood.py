"""The likelihood of tags under votes of neighbours: what `learners.tags.tag_prop` maximizes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from learners.core.logistic import sigmoid

SHARPNESS = 8.0
"""How fast a vote loses weight with relative distance before anything is learned."""

_FAINT = 1e-3  # a share of votes below this says about as little as this
_LEAST = 0.5  # deviations of a slope never go below this
_STEPS = 30
_WORD_STEPS = 12
_TOLERANCE = 1e-6

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Ballot:
    """Who votes for what: the fixed part of the votes of q photos, to which weights of neighbours are applied.

    Attributes
    ----------
    incidence : csr_array, shape (p, q * k)
        For each place (photo and tag that at least one neighbour carries or was refused): 1 for each neighbour that
        carries the tag, -1 where it was rejected.
    photo, tag : ndarray of intp, shape (p,)
        Of the places, by photo and then by tag.
    voting : ndarray of bool, shape (q, k)
        False for missing neighbours and those without any tag.
    """

    incidence: sp.csr_array
    photo: Ints
    tag: Ints
    voting: NDArray[np.bool_]

    @classmethod
    def of(cls, neighbors: Ints, said: sp.csr_array) -> Ballot:
        """Collect the votes of neighbours (q, k), -1 for none; `said` (n, m) is 1, -1 or nothing."""
        q, k = neighbors.shape
        m = said.shape[1]
        carried = np.diff(said.indptr)
        voting = neighbors >= 0
        voting[voting] = carried[neighbors[voting]] > 0
        slot = np.flatnonzero(voting)
        row = neighbors.ravel()[slot]
        each = carried[row]
        entry = np.arange(each.sum()) + np.repeat(said.indptr[row] - np.cumsum(each) + each, each)
        slot = np.repeat(slot, each)
        place, index = np.unique(slot // max(k, 1) * m + said.indices[entry], return_inverse=True)
        incidence = sp.csr_array((said.data[entry], (index, slot)), shape=(len(place), q * k))
        return cls(incidence, (place // m).astype(np.intp), (place % m).astype(np.intp), voting)

    def at(self, kept: NDArray[np.bool_]) -> Ballot:
        """Return some of the places (p,)."""
        return Ballot(self.incidence[np.flatnonzero(kept)], self.photo[kept], self.tag[kept], self.voting)

    def shares(self, weights: Floats) -> Floats:
        """Return the share of votes at every place: (q, k) weights give (p,); what is voted down has 0."""
        return np.asarray(np.clip(self.incidence @ weights.ravel(), 0.0, 1.0))


class Likelihood:
    """The log-likelihood of tags as a function of the neighbours' weights and of the sigmoid of all tags.

    Parameters
    ----------
    ballot : Ballot
    phi : ndarray of float64, shape (q, k, f)
        Weights are ``softmax(-phi theta)`` over the neighbours that vote.
    rest : ndarray of float64, shape (p, r)
        Columns of the design that do not depend on the weights.
    truth, cost : ndarray of float64, shape (p,)
        0/1, and the weight of each place.
    start : ndarray of float64, shape (f,)
        Of theta; a weak prior draws all parameters to where they start.
    weights : str
        Of distances theta is at least 0.
    """

    def __init__(
        self, ballot: Ballot, phi: Floats, rest: Floats, truth: Floats, cost: Floats, start: Floats, weights: str
    ) -> None:
        self.ballot, self.phi, self.rest, self.truth, self.cost = ballot, phi, rest, truth, cost
        self.f = len(start)
        self.start = np.concatenate([start, [1.0, 0.0], np.zeros(rest.shape[1])])
        self.pull = np.ones(len(self.start))
        if weights == "distance":
            self.pull[: self.f] = 1 / SHARPNESS**2  # theta is some 8, not some 1
        self.free_sign = np.ones(len(self.start), dtype=bool)
        self.free_sign[: self.f] = weights == "rank"
        self.free_sign[self.f : self.f + rest.shape[1]] = False  # more votes or evidence never mean less

    def value(self, parameters: Floats) -> float:
        """Return the penalised log-likelihood."""
        weights = neighbor_weights(self.phi, parameters[: self.f], self.ballot.voting)
        z = design_of(self.ballot.shares(weights), self.rest) @ parameters[self.f :]
        away = parameters - self.start
        return float(self.cost @ (self.truth * z - np.logaddexp(0, z)) - away @ (self.pull * away) / 2)

    def derivatives(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the gradient and the Fisher information (a positive definite stand-in for the negative Hessian)."""
        weights = neighbor_weights(self.phi, parameters[: self.f], self.ballot.voting)
        shares = self.ballot.shares(weights)
        design = design_of(shares, self.rest)
        log_slope, slope = parameters[self.f : self.f + 2]
        jacobian = np.empty((len(shares), len(parameters)))
        jacobian[:, self.f :] = design
        inside = (shares > 0) & (shares < 1)
        by_share = np.where(inside, log_slope / (shares + _FAINT) + slope, 0.0)
        for t in range(self.f):
            mean = (weights * self.phi[:, :, t]).sum(axis=1, keepdims=True)
            change = self.ballot.incidence @ (weights * (mean - self.phi[:, :, t])).ravel()
            jacobian[:, t] = by_share * change
        p = sigmoid(design @ parameters[self.f :])
        gradient = jacobian.T @ (self.cost * (self.truth - p)) - self.pull * (parameters - self.start)
        information = (jacobian * (self.cost * p * (1 - p))[:, None]).T @ jacobian + np.diag(self.pull)
        return gradient, information

    def maximize(self) -> tuple[Floats, Floats]:
        """Climb by damped Fisher scoring with bounds; return the parameters, and values a place before and after."""
        parameters, damping = self.start.copy(), 1e-3
        first = best = self.value(parameters)
        for _ in range(_STEPS):
            gradient, information = self.derivatives(parameters)
            free = self.free_sign | (parameters > 0) | (gradient > 0)
            step, gained = np.zeros_like(parameters), 0.0
            while damping < 1e8:
                damped = information + damping * np.diag(np.diag(information))
                step[free] = np.linalg.solve(damped[np.ix_(free, free)], gradient[free])
                tried = parameters + step
                tried = np.where(self.free_sign, tried, np.maximum(tried, 0.0))
                gained = self.value(tried) - best
                if gained >= 0:
                    parameters, best, damping = tried, best + gained, max(damping / 10, 1e-9)
                    break
                damping *= 10
            if gained <= _TOLERANCE * (1 + abs(best)):
                break
        return parameters, np.array([first, best]) / max(len(self.truth), 1)


def deviations_by_tag(z: Floats, lean: Floats, y: Floats, cost: Floats, tag: Ints, m: int, pull: float) -> Floats:
    """Return how the slope and the intercept of each tag differ from those of all, by Newton's method.

    A logistic regression of two coefficients for every tag at once, with an offset that is given: not
    `learners.core.logistic.fit_logistic`, which fits one.

    Parameters
    ----------
    z, lean : ndarray of float64, shape (p,)
        Of each place the logarithm of the odds for all tags, and what the slope is of.
    y, cost : ndarray of float64, shape (p,)
        0/1, and the weight of each place.
    tag : ndarray of intp, shape (p,)
    m : int
        Number of tags.
    pull : float
        > 0: how strongly both are drawn to 0.

    Returns
    -------
    ndarray of float64, shape (m, 2)
    """
    found = np.zeros((m, 2))
    for _ in range(_WORD_STEPS):
        p = sigmoid(z + found[tag, 0] * lean + found[tag, 1])
        r, h = cost * (y - p), cost * p * (1 - p)
        g = np.stack([np.bincount(tag, r * lean, m), np.bincount(tag, r, m)], axis=1) - pull * found
        haa = np.bincount(tag, h * lean**2, m) + pull
        hab = np.bincount(tag, h * lean, m)
        hbb = np.bincount(tag, h, m) + pull
        step = np.stack([hbb * g[:, 0] - hab * g[:, 1], haa * g[:, 1] - hab * g[:, 0]], axis=1)
        step /= (haa * hbb - hab**2)[:, None]
        largest = float(np.abs(step).max(initial=0.0))
        found += step * min(1.0, 2.0 / max(largest, 1e-12))
        found[:, 0] = np.maximum(found[:, 0], -_LEAST)  # a common slope near 1 keeps rising
        if largest < _TOLERANCE:
            break
    return found


def neighbor_weights(phi: Floats, theta: Floats, voting: NDArray[np.bool_]) -> Floats:
    """Return the weights (q, k): 0 for those who do not vote, and 1 in sum where anybody does."""
    if not phi.size:
        return np.zeros(voting.shape)
    energy = np.where(voting, phi @ theta, np.inf)
    least = energy.min(axis=1, keepdims=True, initial=np.inf)
    weights = np.exp(np.where(np.isfinite(least), least, 0.0) - energy)
    return np.asarray(weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny))


def design_of(shares: Floats, rest: Floats) -> Floats:
    """Return the design of the sigmoid: log share, share, and the columns that do not depend on the votes."""
    return np.column_stack([np.log(shares + _FAINT), shares, rest])
