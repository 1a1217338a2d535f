"""Votes of tagged neighbours whose weights are learned: TagProp, with rejections as votes against.

First the learner, then the votes and the likelihood of tags under them, which learning maximises.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from learners.core.errors import LearnerError
from learners.core.linalg import one_thread
from learners.core.logistic import calibrate, sigmoid
from learners.tags.tag_propagation import TagVotes, only_rejections, smoothed

_SHARPNESS = 8.0
"""How fast a vote loses weight with relative distance before anything is learned."""

_FAINT = 1e-3  # a share of votes below this says about as little as this
_LEAST = 0.5  # deviations of a slope never go below this
_STEPS = 30
_WORD_STEPS = 12
_TOLERANCE = 1e-6

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class WeightedTagPropagation(BaseEstimator):
    """Votes of the nearest tagged photos with learned weights, a sigmoid for each tag, and calibrated confidence.

    The weights of a photo's neighbours are a softmax: of the distances under one or several metrics, ``-theta' d``, or
    of a value for each rank. The share of votes x for a tag is the sum of the weights of the neighbours that carry it,
    less the sum for those where it was rejected. The odds that the photo has the tag w are ``exp z``, with
    ``z = b' (log(x + 0.001), x, evidence, log frequency, 1) + a_w (log(x + 0.001) - mean) + c_w``.

    Parameters
    ----------
    weights : {"distance", "rank"}
        What the weight of a neighbour depends on.
    k : int
        Largest number of neighbours asked.
    rarity : float
        As in `learners.tags.tag_propagation.TagPropagation`: the best tags are those with the largest
        ``confidence / count^rarity``.
    balance : float
        Absent tags weigh ``(presences / absences)^balance`` in the likelihood. 1 is the paper, where both kinds have
        the same weight together; 0 gives every place the weight 1. A rejection always weighs as much as a presence.
    pull : float
        How strongly the sigmoid of a tag is drawn to that of all tags: worth about ``4 pull`` places.
    folds : int
        Of the cross-fitting of the confidence.
    random_state : int
        Of the folds.

    Attributes
    ----------
    theta_ : ndarray of float64, shape (f,)
        Of the weights: for each metric, at least 0, where distances are relative to the nearest neighbour's; or for
        each group of ranks.
    pooled_ : ndarray of float64, shape (4,) or (6,)
        b; the two more are those of evidence and of evidence by the root of the tag's count.
    deviations_ : ndarray of float64, shape (m, 2)
        a_w and c_w of the tags; 0 for those without places.
    mean_ : float
        Mean of log(x + 0.001) over the places that were learned from.
    coefficients_ : ndarray of float64, shape (3,)
        Confidence is ``sigmoid(c_0 z + c_1 log frequency + c_2)``, c_0 >= 0.
    likelihood_ : ndarray of float64, shape (2,)
        Mean log-likelihood of a place before and after learning.

    Notes
    -----
    A place is a photo and a tag for which a neighbour voted. Departures from the paper: the likelihood is that of
    places (other tags are never suggested); distances are relative to the nearest neighbour's, so that the unit of a
    metric does not matter and a copy decides alone; ranks share a weight in groups that grow (1, 2, 3, 4, 5-6, 7-8,
    9-12, ...), 15 values instead of 200; the sigmoids of tags are drawn to a common one, as most tags of a person are
    on a handful of photos. The confidence is learned on photos to which the sigmoids of the tags were not fitted, and
    no surer than their number allows (`learners.tags.tag_propagation.smoothed`).

    Where the metric was learned from the same tags, `fit` needs neighbours out of fold
    (`learners.evaluation.out_of_fold`): training photos lie nearer to those with the same tags than new photos will,
    and their votes would be trusted too much. What each part brings was measured: ALGORITHMS.md, 5.6.

    Cost: e log e for e votes (photos, times neighbours, times tags each), then 10 to 30 steps of e f for f metrics.

    References
    ----------
    .. [1] M. Guillaumin, T. Mensink, J. Verbeek, C. Schmid, "TagProp: discriminative metric learning in nearest
       neighbor models for image auto-annotation", ICCV 2009, eq. 1-8.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from learners.tags.weighted_tag_propagation import WeightedTagPropagation
    >>> tags = sp.csr_array(np.array([[1, 1], [1, 0], [0, 1]]))  # sea, sky
    >>> nearest, distances = np.array([[0, 1, 2]]), np.array([[1.0, 1.0, 2.0]])
    >>> votes = WeightedTagPropagation().propagate(nearest, distances, tags)
    >>> votes.confidence.toarray().round(3)
    array([[1. , 0.5]])

    For photo 1 the sky was rejected: a vote against.

    >>> rejected = sp.csr_array(np.array([[0, 0], [0, 1], [0, 0]]))
    >>> WeightedTagPropagation().propagate(nearest, distances, tags, rejected=rejected).confidence.toarray().round(3)
    array([[1., 0.]])
    """

    theta_: Floats
    pooled_: Floats
    deviations_: Floats
    mean_: float
    coefficients_: Floats
    likelihood_: Floats

    def __init__(
        self,
        weights: Literal["distance", "rank"] = "distance",
        k: int = 200,
        rarity: float = 0.5,
        balance: float = 1.0,
        pull: float = 30.0,
        folds: int = 5,
        random_state: int = 0,
    ) -> None:
        self.weights = weights
        self.k = k
        self.rarity = rarity
        self.balance = balance
        self.pull = pull
        self.folds = folds
        self.random_state = random_state

    def fit(
        self,
        neighbors: NDArray[np.integer],
        distances: NDArray[np.floating],
        tags: sp.csr_array,
        rows: NDArray[np.integer],
        *,
        rejected: sp.csr_array | None = None,
        evidence: NDArray[np.floating] | None = None,
    ) -> Self:
        """Learn weights, sigmoids and confidence from photos whose tags are known.

        Parameters
        ----------
        neighbors, distances, tags, rejected, evidence
            As for `propagate`, of q photos with tags or rejections; no photo may be its own neighbour, and evidence
            must come from the other photos only (`learners.tags.tag_ridge.TagRidge.left_out_`). A tagged photo says of
            each tag whether it is right; one without tags and with rejections says only that these were wrong.
        rows : ndarray of int, shape (q,)
            Rows of these photos in `tags`.

        Raises
        ------
        LearnerError
            Shapes that do not fit, or a photo among its own neighbours.
        """
        self._check()
        asked = np.asarray(rows)
        if len(asked) != len(neighbors):
            raise LearnerError(f"There are {len(asked)} rows and neighbours of {len(neighbors)} photos.")
        if len(asked) and (np.asarray(neighbors) == asked[:, None]).any():
            raise LearnerError("A photo must not be its own neighbour when the confidence is calibrated.")
        votes, phi = self._collect(neighbors, distances, tags, rejected)
        truth = _at(tags, asked[votes.photo], votes.tag) > 0
        refused = np.zeros(len(truth), dtype=bool)
        if rejected is not None:
            refused = (_at(rejected, asked[votes.photo], votes.tag) > 0) & ~truth
        known = ~only_rejections(tags, rejected, asked)[votes.photo] | refused
        votes, truth, refused = votes.at(known), truth[known], refused[known]
        counts, tagged = _counts(tags)
        rest = _rest(votes, evidence, counts[votes.tag] - truth, tagged)
        absences = max(int((~truth).sum()), 1)
        cost = np.where(truth | refused, 1.0, (max(int(truth.sum()), 1) / absences) ** self.balance)
        with one_thread():
            problem = Likelihood(
                votes, phi, rest, truth.astype(np.float64), cost, self._start(phi.shape[2]), self.weights
            )
            parameters, values = problem.maximize()
            f = phi.shape[2]
            shares = votes.shares(neighbor_weights(phi, parameters[:f], votes.voting))
            design = design_of(shares, rest)
            z = design @ parameters[f:]
            mean = float(design[:, 0].mean()) if len(z) else 0.0
            centred = design[:, 0] - mean
            y, m = truth.astype(np.float64), tags.shape[1]
            deviations = deviations_by_tag(z, centred, y, cost, votes.tag, m, self.pull)
            confidence = self._calibrated(z, centred, y, cost, votes, m, rest[:, -2])
        self.theta_, self.pooled_, self.deviations_ = parameters[:f], parameters[f:], deviations
        self.mean_, self.coefficients_, self.likelihood_ = mean, confidence, values
        return self

    def propagate(
        self,
        neighbors: NDArray[np.integer],
        distances: NDArray[np.floating],
        tags: sp.csr_array,
        *,
        rejected: sp.csr_array | None = None,
        evidence: NDArray[np.floating] | None = None,
    ) -> TagVotes:
        """Let neighbours vote; before `fit` with the weights it starts from, and their share as confidence.

        Parameters
        ----------
        neighbors : ndarray of int, shape (q, k)
            Rows of `tags`, nearest first; -1: none.
        distances : ndarray of float, shape (q, k) or (q, k, f)
            Their distances, under one metric or f of them.
        tags : csr_array, shape (n, m)
            Non-zero where photo i carries tag j. Photos without tags and rejections do not vote.
        rejected : csr_array, shape (n, m), optional
            Non-zero where a person rejected tag j for photo i: a vote against.
        evidence : ndarray of float, shape (q, m), optional
            What else speaks for a tag, the more the larger (`learners.tags.tag_ridge.TagRidge.scores`).

        Returns
        -------
        TagVotes
            Stored only where votes for outweigh those against.
        """
        self._check()
        votes, phi = self._collect(neighbors, distances, tags, rejected)
        counts, tagged = _counts(tags)
        rest = _rest(votes, evidence, counts[votes.tag], tagged)
        fitted = "theta_" in vars(self)
        theta = self.theta_ if fitted else self._start(phi.shape[2])
        if fitted and (len(theta) != phi.shape[2] or len(self.deviations_) != tags.shape[1]):
            raise LearnerError("Votes are asked of other tags or under other metrics than they were fitted to.")
        if fitted and len(self.pooled_) != 2 + rest.shape[1]:
            raise LearnerError("Evidence must be given to both fit and propagate, or to neither.")
        shares = votes.shares(neighbor_weights(phi, theta, votes.voting))
        confidence = shares
        if fitted:
            design = design_of(shares, rest)
            a, c = self.deviations_[votes.tag].T
            z = design @ self.pooled_ + a * (design[:, 0] - self.mean_) + c
            confidence = sigmoid(np.column_stack([z, rest[:, -2], rest[:, -1]]) @ self.coefficients_)
        kept = shares > 0
        shape = (len(neighbors), tags.shape[1])
        indptr = np.searchsorted(votes.photo[kept], np.arange(shape[0] + 1))
        places = (votes.tag[kept], indptr)
        confidence = confidence[kept]
        score = confidence / counts[votes.tag[kept]] ** self.rarity
        return TagVotes(
            sp.csr_array((confidence, *places), shape=shape),
            sp.csr_array((score, *places), shape=shape),
            np.asarray(neighbors, dtype=np.intp)[:, : self.k],
            tags,
        )

    def _check(self) -> None:
        if self.weights not in ("distance", "rank"):
            raise LearnerError(f"weights must be 'distance' or 'rank', it is {self.weights!r}.")
        if self.k < 1 or self.folds < 2 or not self.pull > 0 or not 0 <= self.balance <= 1:
            raise LearnerError("k must be at least 1, folds at least 2, pull above 0 and balance in 0..1.")

    def _collect(
        self,
        neighbors: NDArray[np.integer],
        distances: NDArray[np.floating],
        tags: sp.csr_array,
        rejected: sp.csr_array | None,
    ) -> tuple[NeighborVotes, Floats]:
        """Return the votes, and what the weights of neighbours depend on, (q, k, f)."""
        rows = np.asarray(neighbors, dtype=np.intp)[:, : self.k]
        far = np.asarray(distances, dtype=np.float64)[:, : self.k]
        if far.shape[:2] != rows.shape or far.ndim not in (2, 3):
            raise LearnerError(f"neighbors and distances differ in shape: {rows.shape} and {far.shape}.")
        if rows.size and rows.max() >= tags.shape[0]:
            raise LearnerError(f"A neighbour is outside the {tags.shape[0]} photos with tags.")
        signs = sp.csr_array(tags != 0).astype(np.float64)
        if rejected is not None:
            if rejected.shape != tags.shape:
                raise LearnerError(f"tags and rejections differ in shape: {tags.shape} and {rejected.shape}.")
            # A tag that the photo has after all stands.
            against = sp.csr_array(rejected != 0).astype(np.float64)
            signs = sp.csr_array(signs - (against - against.multiply(signs)))
        signs.eliminate_zeros()
        signs.sort_indices()
        votes = NeighborVotes.of(rows, signs)
        far = far[:, :, None] if far.ndim == 2 else far
        if not np.isfinite(far[votes.voting]).all() or (far[votes.voting] < 0).any():
            raise LearnerError("Distances of neighbours must be finite and not negative.")
        if self.weights == "rank":
            return votes, np.broadcast_to(_rank_groups(rows.shape[1], self.k), (*rows.shape, len(_first_ranks(self.k))))
        return votes, _relative(far, votes.voting)

    def _start(self, f: int) -> Floats:
        """Return the weights' parameters before learning: equal metrics, or weights that fall as 1 / rank."""
        if self.weights == "rank":
            return np.log(_first_ranks(self.k))[:f]
        return np.full(f, _SHARPNESS / max(f, 1))

    def _calibrated(
        self, z: Floats, centred: Floats, y: Floats, cost: Floats, votes: NeighborVotes, m: int, log_frequency: Floats
    ) -> Floats:
        """Return the coefficients of the confidence, from sigmoids of tags that did not see the photo."""
        photos = votes.voting.shape[0]
        fold = np.random.default_rng(self.random_state).permutation(photos) % min(self.folds, max(photos, 2))
        out_of_fold = z.copy()
        for number in range(int(fold.max(initial=-1)) + 1):
            out = fold[votes.photo] == number
            a, c = deviations_by_tag(z[~out], centred[~out], y[~out], cost[~out], votes.tag[~out], m, self.pull)[
                votes.tag[out]
            ].T
            out_of_fold[out] += a * centred[out] + c
        design = np.column_stack([out_of_fold, log_frequency, np.ones_like(out_of_fold)])
        return calibrate(
            design, smoothed(y, votes.photo), start=np.array([1.0, 0.0, 0.0]), rising=np.array([True, False, False])
        )


@dataclass(frozen=True)
class NeighborVotes:
    """Votes of the k neighbours of q photos, to which weights of the neighbours are applied.

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
    def of(cls, neighbors: Ints, signs: sp.csr_array) -> NeighborVotes:
        """Collect the votes of neighbours.

        Parameters
        ----------
        neighbors : ndarray of intp, shape (q, k)
            Rows of `signs`; -1: none.
        signs : csr_array of float64, shape (n, m)
            1 where photo i carries tag j, -1 where it was rejected.
        """
        q, k = neighbors.shape
        m = signs.shape[1]
        carried = np.diff(signs.indptr)
        voting = neighbors >= 0
        voting[voting] = carried[neighbors[voting]] > 0
        slot = np.flatnonzero(voting)
        row = neighbors.ravel()[slot]
        each = carried[row]
        entry = np.arange(each.sum()) + np.repeat(signs.indptr[row] - np.cumsum(each) + each, each)
        slot = np.repeat(slot, each)
        place, index = np.unique(slot // max(k, 1) * m + signs.indices[entry], return_inverse=True)
        incidence = sp.csr_array((signs.data[entry], (index, slot)), shape=(len(place), q * k))
        return cls(incidence, (place // m).astype(np.intp), (place % m).astype(np.intp), voting)

    def at(self, kept: NDArray[np.bool_]) -> NeighborVotes:
        """Return the votes at some of the places; bool (p,)."""
        return NeighborVotes(self.incidence[np.flatnonzero(kept)], self.photo[kept], self.tag[kept], self.voting)

    def shares(self, weights: Floats) -> Floats:
        """Return the share of votes at every place: float64 (q, k) gives float64 (p,), 0 where votes against win."""
        return np.asarray(np.clip(self.incidence @ weights.ravel(), 0.0, 1.0))


class Likelihood:
    """The log-likelihood of tags as a function of the neighbours' weights and of the sigmoid of all tags.

    Parameters
    ----------
    votes : NeighborVotes
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
        self, votes: NeighborVotes, phi: Floats, rest: Floats, truth: Floats, cost: Floats, start: Floats, weights: str
    ) -> None:
        self.votes, self.phi, self.rest, self.truth, self.cost = votes, phi, rest, truth, cost
        self.f = len(start)
        self.start = np.concatenate([start, [1.0, 0.0], np.zeros(rest.shape[1])])
        self.pull = np.ones(len(self.start))
        if weights == "distance":
            self.pull[: self.f] = 1 / _SHARPNESS**2  # theta is some 8, not some 1
        self.free_sign = np.ones(len(self.start), dtype=bool)
        self.free_sign[: self.f] = weights == "rank"
        self.free_sign[self.f : self.f + rest.shape[1]] = False  # more votes or evidence never mean less

    def value(self, parameters: Floats) -> float:
        """Return the penalised log-likelihood of parameters, float64 (f + 2 + r,)."""
        weights = neighbor_weights(self.phi, parameters[: self.f], self.votes.voting)
        z = design_of(self.votes.shares(weights), self.rest) @ parameters[self.f :]
        away = parameters - self.start
        return float(self.cost @ (self.truth * z - np.logaddexp(0, z)) - away @ (self.pull * away) / 2)

    def derivatives(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the gradient, (c,), and the Fisher information, (c, c), at parameters (c,), all float64.

        The information is positive definite and takes the place of the negative Hessian.
        """
        weights = neighbor_weights(self.phi, parameters[: self.f], self.votes.voting)
        shares = self.votes.shares(weights)
        design = design_of(shares, self.rest)
        log_slope, slope = parameters[self.f : self.f + 2]
        jacobian = np.empty((len(shares), len(parameters)))
        jacobian[:, self.f :] = design
        inside = (shares > 0) & (shares < 1)
        by_share = np.where(inside, log_slope / (shares + _FAINT) + slope, 0.0)
        for t in range(self.f):
            mean = (weights * self.phi[:, :, t]).sum(axis=1, keepdims=True)
            change = self.votes.incidence @ (weights * (mean - self.phi[:, :, t])).ravel()
            jacobian[:, t] = by_share * change
        p = sigmoid(design @ parameters[self.f :])
        gradient = jacobian.T @ (self.cost * (self.truth - p)) - self.pull * (parameters - self.start)
        information = (jacobian * (self.cost * p * (1 - p))[:, None]).T @ jacobian + np.diag(self.pull)
        return gradient, information

    def maximize(self) -> tuple[Floats, Floats]:
        """Climb by damped Fisher scoring with bounds.

        Returns
        -------
        parameters : ndarray of float64, shape (f + 2 + r,)
        values : ndarray of float64, shape (2,)
            The penalised log-likelihood a place before and after.
        """
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


def deviations_by_tag(z: Floats, centred: Floats, y: Floats, cost: Floats, tag: Ints, m: int, pull: float) -> Floats:
    """Return how the slope and the intercept of each tag differ from those of all, by Newton's method.

    A logistic regression of two coefficients for every tag at once, with an offset that is given: not
    `learners.core.logistic.fit_logistic`, which fits one.

    Parameters
    ----------
    z, centred : ndarray of float64, shape (p,)
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
        p = sigmoid(z + found[tag, 0] * centred + found[tag, 1])
        r, h = cost * (y - p), cost * p * (1 - p)
        g = np.stack([np.bincount(tag, r * centred, m), np.bincount(tag, r, m)], axis=1) - pull * found
        haa = np.bincount(tag, h * centred**2, m) + pull
        hab = np.bincount(tag, h * centred, m)
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
    """Return the weights of neighbours, softmax(-phi theta).

    Parameters
    ----------
    phi : ndarray of float64, shape (q, k, f)
    theta : ndarray of float64, shape (f,)
    voting : ndarray of bool, shape (q, k)

    Returns
    -------
    ndarray of float64, shape (q, k)
        0 for those who do not vote, and of sum 1 where anybody does.
    """
    if not phi.size:
        return np.zeros(voting.shape)
    energy = np.where(voting, phi @ theta, np.inf)
    least = energy.min(axis=1, keepdims=True, initial=np.inf)
    weights = np.exp(np.where(np.isfinite(least), least, 0.0) - energy)
    return np.asarray(weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny))


def design_of(shares: Floats, rest: Floats) -> Floats:
    """Return the design of the sigmoid: log share, share, and the columns that do not depend on the votes.

    Float64 (p,) and (p, r) give float64 (p, 2 + r).
    """
    return np.column_stack([np.log(shares + _FAINT), shares, rest])


def _relative(far: Floats, voting: NDArray[np.bool_]) -> Floats:
    """Return distances (q, k, f) relative to the nearest voting neighbour's, by metric; 0 where there is no vote."""
    near = np.where(voting[:, :, None], far, np.inf).min(axis=1, keepdims=True, initial=np.inf)
    near[~np.isfinite(near)] = 0.0
    farthest = np.where(voting[:, :, None], far, 0.0).max(axis=1, keepdims=True, initial=0.0)
    # A copy of the photo is at distance 0: the scale must not vanish with it.
    scale = np.maximum(np.where(farthest > 0, near, 1.0), farthest / 20)
    return np.where(voting[:, :, None], (far - near) / scale, 0.0)


def _first_ranks(k: int) -> Floats:
    """Return the first rank of each group of ranks but the first: 2, 3, 4, 5, 7, 9, 13, 17, 25, ..."""
    edges = [2, 3, 4]
    while edges[-1] < k:
        step = 2 ** max(int(np.log2(edges[-1] - 1)) - 1, 0)
        edges.append(edges[-1] + step)
    return np.array([edge for edge in edges if edge <= k], dtype=np.float64)


def _rank_groups(columns: int, k: int) -> Floats:
    """Return which group each of the first ranks is in, 0/1 (columns, groups); the first rank is in none."""
    first = _first_ranks(k)
    group = np.searchsorted(first, np.arange(1, columns + 1), side="right") - 1
    return np.asarray(group[:, None] == np.arange(len(first)), dtype=np.float64)


def _rest(votes: NeighborVotes, evidence: NDArray[np.floating] | None, count: Floats, tagged: int) -> Floats:
    """Return the columns of the design beside the votes: evidence (twice, if there is any), log frequency, 1."""
    columns = [np.log(np.maximum(count, 0.5) / tagged), np.ones(len(count))]
    if evidence is not None:
        if evidence.ndim != 2 or len(evidence) != len(votes.voting):
            raise LearnerError(f"evidence must have one row for each of {len(votes.voting)} photos.")
        found = np.asarray(evidence[votes.photo, votes.tag], dtype=np.float64)
        columns = [found, found / np.sqrt(np.maximum(count, 1.0)), *columns]
    return np.column_stack(columns)


def _at(matrix: sp.csr_array, row: Ints, column: Ints) -> Floats:
    """Return the entries of a sparse matrix at places."""
    if not len(row):
        return np.zeros(0)
    return np.asarray(sp.csr_array(matrix)[row, column]).ravel().astype(np.float64)


def _counts(tags: sp.csr_array) -> tuple[Floats, int]:
    """Return how many photos carry each tag, and how many carry any."""
    present = tags != 0
    return np.asarray(present.sum(axis=0), dtype=np.float64).ravel(), max(int((np.diff(tags.indptr) > 0).sum()), 1)
