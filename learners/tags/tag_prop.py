"""Votes of tagged neighbours whose weights are learned: TagProp, with rejections as votes against."""

from __future__ import annotations

from typing import Literal, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from learners.core.errors import LearnerError
from learners.core.linalg import one_thread
from learners.core.logistic import calibrate, sigmoid
from learners.tags.annotation import TagVotes, only_refusing, smoothed
from learners.tags.tag_likelihood import (
    SHARPNESS,
    Ballot,
    Floats,
    Ints,
    Likelihood,
    design_of,
    deviations_by_tag,
    neighbor_weights,
)


class WeightedTagPropagation(BaseEstimator):
    """Votes of the nearest tagged photos with learned weights, a sigmoid for each tag, and calibrated confidence.

    Neighbour j of photo i has weight ``pi_ij``, a softmax over its neighbours of ``-theta' d_ij`` (distances under one
    or several metrics) or of one value a rank. The share of votes x for a tag is the sum of the weights of those that
    carry it, less those for which it was rejected, and the odds that the photo has it are ``exp z`` with
    ``z = b' (log(x + 0.001), x, evidence, log frequency, 1) + a_w (log(x + 0.001) - mean) + c_w`` for tag w.

    Parameters
    ----------
    weights : {"distance", "rank"}
        What the weight of a neighbour depends on.
    k : int
        Neighbours asked, at most.
    rarity : float
        As in `learners.tags.annotation.TagPropagation`: the best tags are chosen by ``confidence / count^rarity``.
    balance : float
        Absent tags weigh ``(presences / absences)^balance`` in the likelihood: 1 is the paper, where both kinds have
        the same say, 0 counts every place once. A rejection weighs as much as a presence, always.
    pull : float
        How strongly the sigmoid of a tag is drawn to that of all tags: worth about ``4 pull`` places.
    folds : int
        Of the cross-fitting of the confidence.
    random_state : int
        Of the folds.

    Attributes
    ----------
    theta_ : ndarray of float64, shape (f,)
        Of the weights: per metric, at least 0, relative to the nearest neighbour's distance; or per group of ranks.
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
    Departures from the paper: the likelihood is of the places for which a neighbour voted (the others are never
    suggested); distances are relative to the nearest neighbour's, so that the unit of a metric does not matter and a
    copy decides alone; ranks share a weight in groups that grow (1, 2, 3, 4, 5-6, 7-8, 9-12, ...), 15 values instead of
    200; the sigmoids of tags are drawn to a common one, as most tags of a person are on a handful of photos. The
    confidence is learned on photos to which the sigmoids of the tags were not fitted, and never surer than so many
    photos allow (`learners.tags.annotation.smoothed`). Where the metric was learned from the same tags, give `fit` the
    neighbours of photos that the metric was not taught (`learners.evaluation.out_of_fold`): photos that taught
    it lie nearer to those with the same tags than new ones will, and their votes are trusted too much.

    Chosen on parts held out of the Corel-5k training photos (8 families of features, 5 tags a photo, mean F1 over
    words, share of all tags found), with `KernelTagRatioMetric`: plain votes 31.3 % and 54 %, weighted 31.7 % and 52 %,
    with the evidence of `TagRidge` 33.8 % and 55 %, and neighbours of photos held out 35.4 % and 56 %; with a kernel a
    family and all three folds 36.2 % and 56 % on the first of these parts, where one kernel and one fold gave 35.6 %.
    13 families find less than these 8 (33.3 %). Ranks instead of
    distances lose 0.5 %; `rarity` 0.2 to 0.8 goes from 31.6 % and 59 % to 33.5 % and 41 %; `balance`, `pull` from 3 to
    100 and `k` from 50 to 400 change F1 by less than 1 %. Distances of single families beside a metric that was learned
    on all of them get next to no weight. The confidence is right to 0.02 to 0.03 in the mean; with 50 to 200 tagged
    photos it is off by 0.07 to 0.17 where it is learned from photos that taught the metric, and by 0.03 to 0.07 where
    it is not.

    Cost: e log e for e votes (photos, times neighbours, times tags each), then 10 to 30 steps of e f for f metrics.

    References
    ----------
    .. [1] M. Guillaumin, T. Mensink, J. Verbeek, C. Schmid, "TagProp: discriminative metric learning in nearest
       neighbor models for image auto-annotation", ICCV 2009, eq. 1-8.
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
        ballot, phi = self._ballot(neighbors, distances, tags, rejected)
        truth = _at(tags, asked[ballot.photo], ballot.tag) > 0
        refused = np.zeros(len(truth), dtype=bool)
        if rejected is not None:
            refused = (_at(rejected, asked[ballot.photo], ballot.tag) > 0) & ~truth
        known = ~only_refusing(tags, rejected, asked)[ballot.photo] | refused
        ballot, truth, refused = ballot.at(known), truth[known], refused[known]
        counts, tagged = _counts(tags)
        rest = _rest(ballot, evidence, counts[ballot.tag] - truth, tagged)
        absences = max(int((~truth).sum()), 1)
        cost = np.where(truth | refused, 1.0, (max(int(truth.sum()), 1) / absences) ** self.balance)
        with one_thread():
            problem = Likelihood(
                ballot, phi, rest, truth.astype(np.float64), cost, self._start(phi.shape[2]), self.weights
            )
            parameters, values = problem.maximize()
            f = phi.shape[2]
            shares = ballot.shares(neighbor_weights(phi, parameters[:f], ballot.voting))
            design = design_of(shares, rest)
            z = design @ parameters[f:]
            mean = float(design[:, 0].mean()) if len(z) else 0.0
            lean = design[:, 0] - mean
            y, m = truth.astype(np.float64), tags.shape[1]
            deviations = deviations_by_tag(z, lean, y, cost, ballot.tag, m, self.pull)
            confidence = self._calibrated(z, lean, y, cost, ballot, m, rest[:, -2])
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
        ballot, phi = self._ballot(neighbors, distances, tags, rejected)
        counts, tagged = _counts(tags)
        rest = _rest(ballot, evidence, counts[ballot.tag], tagged)
        fitted = "theta_" in vars(self)
        theta = self.theta_ if fitted else self._start(phi.shape[2])
        if fitted and (len(theta) != phi.shape[2] or len(self.deviations_) != tags.shape[1]):
            raise LearnerError("Votes are asked of other tags or under other metrics than they were fitted to.")
        if fitted and len(self.pooled_) != 2 + rest.shape[1]:
            raise LearnerError("Evidence must be given to both fit and propagate, or to neither.")
        shares = ballot.shares(neighbor_weights(phi, theta, ballot.voting))
        confidence = shares
        if fitted:
            design = design_of(shares, rest)
            a, c = self.deviations_[ballot.tag].T
            z = design @ self.pooled_ + a * (design[:, 0] - self.mean_) + c
            confidence = sigmoid(np.column_stack([z, rest[:, -2], rest[:, -1]]) @ self.coefficients_)
        kept = shares > 0
        shape = (len(neighbors), tags.shape[1])
        indptr = np.searchsorted(ballot.photo[kept], np.arange(shape[0] + 1))
        places = (ballot.tag[kept], indptr)
        confidence = confidence[kept]
        score = confidence / counts[ballot.tag[kept]] ** self.rarity
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

    def _ballot(
        self,
        neighbors: NDArray[np.integer],
        distances: NDArray[np.floating],
        tags: sp.csr_array,
        rejected: sp.csr_array | None,
    ) -> tuple[Ballot, Floats]:
        """Return the votes, and what the weights of neighbours depend on, (q, k, f)."""
        rows = np.asarray(neighbors, dtype=np.intp)[:, : self.k]
        far = np.asarray(distances, dtype=np.float64)[:, : self.k]
        if far.shape[:2] != rows.shape or far.ndim not in (2, 3):
            raise LearnerError(f"neighbors and distances differ in shape: {rows.shape} and {far.shape}.")
        if rows.size and rows.max() >= tags.shape[0]:
            raise LearnerError(f"A neighbour is outside the {tags.shape[0]} photos with tags.")
        said = sp.csr_array(tags != 0).astype(np.float64)
        if rejected is not None:
            if rejected.shape != tags.shape:
                raise LearnerError(f"tags and rejections differ in shape: {tags.shape} and {rejected.shape}.")
            # A tag that the photo has after all stands.
            against = sp.csr_array(rejected != 0).astype(np.float64)
            said = sp.csr_array(said - (against - against.multiply(said)))
        said.eliminate_zeros()
        said.sort_indices()
        ballot = Ballot.of(rows, said)
        far = far[:, :, None] if far.ndim == 2 else far
        if not np.isfinite(far[ballot.voting]).all() or (far[ballot.voting] < 0).any():
            raise LearnerError("Distances of neighbours must be finite and not negative.")
        if self.weights == "rank":
            return ballot, np.broadcast_to(
                _rank_groups(rows.shape[1], self.k), (*rows.shape, len(_first_ranks(self.k)))
            )
        return ballot, _relative(far, ballot.voting)

    def _start(self, f: int) -> Floats:
        """Return the weights' parameters before learning: equal metrics, or weights that fall as 1 / rank."""
        if self.weights == "rank":
            return np.log(_first_ranks(self.k))[:f]
        return np.full(f, SHARPNESS / max(f, 1))

    def _calibrated(
        self, z: Floats, lean: Floats, y: Floats, cost: Floats, ballot: Ballot, m: int, log_frequency: Floats
    ) -> Floats:
        """Return the coefficients of the confidence, from sigmoids of tags that did not see the photo."""
        photos = ballot.voting.shape[0]
        fold = np.random.default_rng(self.random_state).permutation(photos) % min(self.folds, max(photos, 2))
        honest = z.copy()
        for number in range(int(fold.max(initial=-1)) + 1):
            out = fold[ballot.photo] == number
            a, c = deviations_by_tag(z[~out], lean[~out], y[~out], cost[~out], ballot.tag[~out], m, self.pull)[
                ballot.tag[out]
            ].T
            honest[out] += a * lean[out] + c
        design = np.column_stack([honest, log_frequency, np.ones_like(honest)])
        return calibrate(
            design, smoothed(y, ballot.photo), start=np.array([1.0, 0.0, 0.0]), rising=np.array([True, False, False])
        )


def _relative(far: Floats, voting: NDArray[np.bool_]) -> Floats:
    """Return distances (q, k, f) relative to the nearest voting neighbour's, by metric; 0 where nobody votes."""
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


def _rest(ballot: Ballot, evidence: NDArray[np.floating] | None, count: Floats, tagged: int) -> Floats:
    """Return the columns of the design beside the votes: evidence (twice, if there is any), log frequency, 1."""
    columns = [np.log(np.maximum(count, 0.5) / tagged), np.ones(len(count))]
    if evidence is not None:
        if evidence.ndim != 2 or len(evidence) != len(ballot.voting):
            raise LearnerError(f"evidence must have one row for each of {len(ballot.voting)} photos.")
        speaks = np.asarray(evidence[ballot.photo, ballot.tag], dtype=np.float64)
        columns = [speaks, speaks / np.sqrt(np.maximum(count, 1.0)), *columns]
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
