# SPDX-License-Identifier: MIT
"""Incremental kernel ridge regression of tags, updated as the user continues tagging."""

from __future__ import annotations

import copy
from typing import Any, Final, Literal, NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.kernels import rbf
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import blocks, one_thread
from focal_photos.learners.tags.sign_kernel import LocatedCodes, MeanCode, SignWeights
from focal_photos.learners.tags.tag_ridge import (
    Problem,
    TagRidge,
    TagScores,
    kinds_of,
    nearest_left_out,
    scaled,
    with_guesses,
)

_ROWS: Final = 1024
_HALVED: Final = 256  # photos from which an inverse is computed by halves: products are faster than factorizations


class _Factors(NamedTuple):
    """State to which further photos are added, in order of arrival, including removed photos."""

    factor: NDArray[np.float64] | None
    """Inverse of the Cholesky factor of the kernel with 1 and the regularization added. The rows of earlier photos
    never change, so rounding errors do not accumulate between answers, as they would in the inverse. None if photos
    were added already; the factor then belongs to the result of `grown`; shape (l, l)."""
    place: NDArray[np.intp]
    """Positions of the current photos; shape (n,)."""
    codes: LocatedCodes | None
    mean: MeanCode | None
    regularization: float


class IncrementalRidge(TagRidge):
    """Incremental variant of `TagRidge` for photos with several tags.

    After `fit`, `grown` returns the same regression for changed photos and tags: with the same weights of families, the
    same gamma and the same mean of codes, which only the next `fit` recomputes.

    Parameters
    ----------
    regularization, gamma, exact, random_state, families, signs
        See `TagRidge`; `exact` applies to `fit` only.

    Attributes
    ----------
    scale_, gamma_, neighbors_, signs_, intercept_, left_out_, kind_left_out_
        See `TagRidge`; `neighbors_` is 0 and `kind_left_out_` None.
    landmarks_, tagged_, coefficients_
        See `TagRidge`, in order of arrival; removed photos have zero coefficients.
    bits_ : None
        The weights of codes are computed when `scores` needs them.

    Notes
    -----
    With the system's Cholesky factor L, ``M = L^{-1}`` and the inverse ``A = M' M``, new photos with columns C and
    corner D of the system add the rows ``[-N c' M, N]`` to M, ``c = M C`` and N the inverse factor of ``D - c' c``. The
    weights are ``M' (M t)``, and t has few entries. A block B of photos that the tags are not learned from (removed
    photos; photos with rejections only, whose tags the others predict) would get ``t_B - (A_BB)^{-1} (A t)_B`` from the
    rest, whose weights are then ``A t - A_B (A_BB)^{-1} (A t)_B``.

    Cost of `grown` for a photos added to n: n^2 (a + m) + n d a; for g photos ever removed n^2 g. Memory is 8 n^2
    bytes. Cost of `fit`: 4 n^3 / 3, instead of two inverses of 8 n^3 / 3.

    References
    ----------
    .. [1] G. H. Golub and C. F. Van Loan, "Matrix Computations", 4th ed. 2013, 4.2 (Cholesky by blocks) and 3.1
       (inverse of a triangular matrix).

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from focal_photos.learners.tags.incremental_ridge import IncrementalRidge
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> tags = sp.csr_array(np.array([[1, 1], [1, 0], [1, 1], [0, 1]]))
    >>> after = IncrementalRidge(gamma=0.5).fit(X[:3], tags[:3]).grown(X[3:], tags, np.array([0, 1, 2, -1]))
    >>> whole = IncrementalRidge(gamma=0.5).fit(X, tags)
    >>> np.allclose(after.left_out_.tags, whole.left_out_.tags, atol=1e-6)
    True
    """

    _state: _Factors | None = None
    _bits: SignWeights | None = None

    def __init__(
        self,
        regularization: float | Literal["auto"] = "auto",
        gamma: float | Literal["auto"] = "auto",
        exact: int = 3000,
        random_state: int = 0,
        families: tuple[FeatureFamily, ...] = (),
        signs: float | Literal["auto"] = "auto",
    ) -> None:
        super().__init__(
            regularization, gamma, 0.0, exact=exact, random_state=random_state, families=families, signs=signs
        )

    def fit(
        self,
        X: ArrayLike,
        tags: scipy.sparse.csr_array,
        *,
        rejected: scipy.sparse.csr_array | None = None,
        shared: scipy.sparse.csr_array | None = None,
        codes: NDArray[np.uint8] | None = None,
        agreement: NDArray[np.int32] | None = None,
        progress: ProgressReport | None = None,
    ) -> Self:
        """Fit to all tags; see `TagRidge.fit`.

        Raises
        ------
        LearnerError
            As there, or if shared neighbours are given, there are more than `exact` photos, or tags exclude each other.
        """
        self._state = self._bits = None
        if shared is not None or tags.shape[0] > self.exact or kinds_of((tags != 0).toarray()) is not None:
            raise LearnerError("It takes photos with several tags each, at most `exact`, and no shared neighbours.")
        return super().fit(X, tags, rejected=rejected, codes=codes, agreement=agreement, progress=progress)

    def grown(
        self,
        X: ArrayLike,
        tags: scipy.sparse.csr_array,
        rows: NDArray[np.intp],
        *,
        rejected: scipy.sparse.csr_array | None = None,
        codes: NDArray[np.uint8] | None = None,
    ) -> IncrementalRidge:
        """Return the regression for the current photos; afterwards this object cannot grow any more.

        Parameters
        ----------
        X : array_like of float, shape (a, d)
            Samples of the new photos only.
        tags : csr_array, shape (n, m)
            Tags of all photos; the columns may differ from before.
        rows : ndarray of intp, shape (n,)
            Former row of each photo; -1 if new.
        rejected : csr_array, shape (n, m), optional
        codes : ndarray of uint8, shape (a, c), optional
            Codes of the new photos, if `fit` was given codes.

        Raises
        ------
        NotFittedError
            If it is not fitted, or has grown already.
        LearnerError
            If shapes do not fit, or tags exclude each other.
        """
        state = self._fitted()
        if state.factor is None:
            raise NotFittedError("Photos were already added to this ridge: continue with its result.")
        new = np.flatnonzero(rows < 0)
        samples = self._new_samples(state, X, codes, len(new))
        if tags.shape[0] != len(rows) or (rejected is not None and rejected.shape != tags.shape):
            raise LearnerError(f"Tags, rejections and former rows must have {len(rows)} photos.")
        truth = (tags != 0).toarray().astype(np.float64)
        if kinds_of(truth) is not None:
            raise LearnerError("These tags are mutually exclusive: use TagRidge.")
        refused = np.zeros(truth.shape, bool) if rejected is None else (rejected != 0).toarray() & (truth == 0)
        place = np.empty(len(rows), np.intp)
        place[rows >= 0] = state.place[rows[rows >= 0]]
        place[new] = len(state.factor) + np.arange(len(new))
        found = copy.copy(self)
        found._bits = None
        with one_thread():
            located = None if state.mean is None or codes is None else state.mean.located(codes)
            factor = self._extended(state, state.factor, samples, located)
            known = state.codes if state.codes is None or located is None else state.codes.beside(located)
            found._state = state._replace(factor=factor, place=place, codes=known)
            found.landmarks_ = np.concatenate([self.landmarks_, samples])
            found.tagged_ = np.zeros(len(factor), bool)
            found.tagged_[place] = truth.any(axis=1) | ~refused.any(axis=1)
            found._take(truth, refused, self._grown_nearest(found))
        self._state = state._replace(factor=None)
        return found

    def kernel(
        self, X: ArrayLike, codes: NDArray[np.uint8] | None, learned: slice = slice(None)
    ) -> NDArray[np.float32]:
        """Return the kernel between photos (q, d) and those of `landmarks_`, or some of them: float32 (q, l).

        A computed kernel remains valid for all results of `grown`; only the columns of new photos must be added.
        """
        state = self._fitted()
        samples = scaled(as_samples(X, features=len(self.scale_)), self.scale_).astype(self.landmarks_.dtype)
        located = None if state.mean is None or codes is None else state.mean.located(codes)
        return self._mixed(state, samples, located, learned).astype(np.float32)

    def scores_by_kernel(self, kernel: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the scores of each tag, float64 (q, m), from the kernel (q, l) with `landmarks_`."""
        with one_thread():
            found = kernel @ self.coefficients_.astype(np.float32)
        return np.asarray(found + self.intercept_)

    # ---------------------------------------------------------------------- inside
    def _fitted(self) -> _Factors:
        if self._state is None:
            raise NotFittedError("IncrementalRidge is not fitted yet: call fit first.")
        return self._state

    def _new_samples(self, state: _Factors, X: ArrayLike, codes: NDArray[np.uint8] | None, count: int) -> NDArray[Any]:
        given = np.asarray(X)
        coded = state.codes is None or not count or (codes is not None and len(codes) == count)
        if len(given) != count or not coded:
            raise LearnerError(f"Each of the {count} new photos needs a sample, and a code if codes were used.")
        if not count:
            return self.landmarks_[:0]
        samples = as_samples(given, features=len(self.scale_))
        return scaled(samples, self.scale_).astype(self.landmarks_.dtype)

    def _dual(self, problem: Problem, gamma: float, report: ProgressReport) -> dict[str, Any]:
        samples = problem.samples.astype(problem.truth.dtype)
        looks = np.empty((len(samples), len(samples)), dtype=samples.dtype)
        for part in blocks(len(samples), _ROWS):
            looks[part] = rbf(samples[part], samples, gamma)
            report(0.3 * part.stop / len(samples))
        tagged = ~problem.guessed
        nearest = nearest_left_out(looks, tagged, np.arange(len(samples)))
        system, codes, mean = looks.astype(np.float64), None, None
        if problem.codes is not None:
            mean = MeanCode(problem.codes.codes)
            codes = mean.located(problem.codes.codes)
            system *= 1 - problem.signs
            system += problem.signs * problem.codes.kernel
        system += 1
        system[np.diag_indices(len(system))] += problem.regularization
        factor = _inverse_factor(system)
        self._state = _Factors(factor, np.arange(len(system)), codes, mean, problem.regularization)
        report(0.9)
        self.landmarks_, self.tagged_ = samples, tagged
        self._take(problem.truth.astype(np.float64), problem.refused, nearest)
        return {"bits_": None, "neighbors_": 0.0, "kind_left_out_": None}

    def _take(self, truth: NDArray[np.float64], refused: NDArray[np.bool_], nearest: NDArray[np.float32]) -> None:
        """Fit to the tags (n, m) of the current photos."""
        state = self._fitted()
        M, place = state.factor, state.place
        assert M is not None
        gone = np.setdiff1d(np.arange(len(M)), place)
        guessed = ~self.tagged_[place]
        guesses = np.empty((0, truth.shape[1]))
        if guessed.any():
            block = np.concatenate([place[guessed], gone])
            known = _rows_placed(truth, place, len(M))
            guesses = _without(M, M @ known, block)[: np.count_nonzero(guessed)]
            truth = with_guesses(truth, refused, guessed, guesses)
        halfway = M @ _rows_placed(truth, place, len(M))
        weights = _transposed_times(M, halfway)
        own = np.einsum("ij,ij->j", M, M)  # diagonal of the inverse
        if len(gone):
            columns = _transposed_times(M, M[:, gone])
            solved = np.linalg.solve(columns[gone], columns.T)
            weights -= solved.T @ weights[gone]
            own -= np.einsum("ij,ji->i", columns, solved)
            weights[gone] = 0
        left_out = truth - weights[place] / own[place, None]
        left_out[guessed] = guesses
        self.coefficients_, self.intercept_ = weights, weights.sum(axis=0)
        self.left_out_ = TagScores(left_out.astype(np.float32), nearest)

    def _mixed(
        self,
        state: _Factors,
        samples: NDArray[Any],
        codes: LocatedCodes | None,
        learned: slice = slice(None),
    ) -> NDArray[np.floating]:
        """Return the kernel between scaled samples (q, d') and training photos: (q, n)."""
        kernel = np.empty((len(samples), len(self.landmarks_[learned])), self.landmarks_.dtype)
        for part in blocks(len(samples), _ROWS):
            kernel[part] = rbf(samples[part], self.landmarks_[learned], self.gamma_)
        if state.codes is not None and state.mean is not None:
            if codes is None:
                raise LearnerError("Codes must be given to both fit and kernel, or to neither.")
            kernel *= 1 - self.signs_
            kernel += self.signs_ * state.mean.cosines(codes, state.codes.part(learned))
        return kernel

    def _extended(
        self, state: _Factors, M: NDArray[np.float64], samples: NDArray[Any], codes: LocatedCodes | None
    ) -> NDArray[np.float64]:
        """Return the inverse factor with the rows of new photos added."""
        n, a = len(M), len(samples)
        if not a:
            return M
        toward = M @ (self._mixed(state, samples, codes).T.astype(np.float64) + 1)
        corner = rbf(samples, samples, self.gamma_).astype(np.float64)
        if codes is not None and state.mean is not None:
            corner = (1 - self.signs_) * corner + self.signs_ * state.mean.cosines(codes, codes)
        corner += 1
        corner[np.diag_indices(a)] += state.regularization
        found = np.zeros((n + a, n + a))
        found[:n, :n] = M
        found[n:, n:] = last = _inverse_factor(corner - toward.T @ toward)
        np.matmul(-last @ toward.T, M, out=found[n:, :n])
        return found

    def _grown_nearest(self, found: IncrementalRidge) -> NDArray[np.float32]:
        """Return the kernel, without codes, between each photo and the most similar other tagged photo."""
        before, now = self._fitted().place, found._fitted().place
        samples, tagged = found.landmarks_, found.tagged_
        was = np.zeros(len(tagged), bool)
        was[: len(self.tagged_)] = self.tagged_
        known = np.zeros(len(tagged), np.float32)
        against, fresh = np.flatnonzero(tagged & ~was), now[now >= len(self.tagged_)]
        if (was & ~tagged).any():  # the most similar photo of others may have been removed
            against, fresh = np.empty(0, np.intp), now
        else:
            known[before] = self.left_out_.nearest
        if len(against):
            looks = rbf(samples, samples[against], self.gamma_)
            looks[against, np.arange(len(against))] = 0
            known = np.maximum(known, looks.max(axis=1).astype(np.float32))
        for part in blocks(len(fresh), _ROWS):
            looks = rbf(samples[fresh[part]], samples, self.gamma_)
            looks[np.arange(len(looks)), fresh[part]] = 0
            known[fresh[part]] = (looks * tagged).max(axis=1)
        return known[now]

    def _bits_of_codes(self) -> SignWeights | None:
        if self._bits is None and self.signs_:
            state = self._fitted()
            assert state.codes is not None
            assert state.mean is not None
            self._bits = state.mean.weights(state.codes, self.signs_ * self.coefficients_)
        return self._bits


def _inverse_factor(system: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse of the Cholesky factor of a symmetric positive definite matrix (n, n)."""
    return _inverse_of_lower(np.linalg.cholesky(system))


def _inverse_of_lower(L: NDArray[Any]) -> NDArray[np.float64]:
    """Return the inverse of a lower triangular matrix (n, n), by halves, as products are fastest."""
    n = len(L)
    if n < _HALVED:
        return np.tril(np.linalg.inv(L))
    half = n // 2
    found = np.zeros((n, n))
    found[:half, :half] = first = _inverse_of_lower(L[:half, :half])
    found[half:, half:] = last = _inverse_of_lower(L[half:, half:])
    np.matmul(-last @ L[half:, :half], first, out=found[half:, :half])
    return found


def _transposed_times(M: NDArray[np.float64], Y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``M' Y`` for a lower triangular M (n, n), skipping its zeros."""
    found = np.empty((len(M), Y.shape[1]))
    for part in blocks(len(M), _HALVED):
        np.matmul(M[part.start :, part].T, Y[part.start :], out=found[part])
    return found


def _rows_placed(truth: NDArray[np.float64], place: NDArray[np.intp], n: int) -> scipy.sparse.csr_array:
    """Return rows (q, m) at their positions among n rows."""
    row, column = np.nonzero(truth)
    return scipy.sparse.csr_array((truth[row, column], (place[row], column)), shape=(n, truth.shape[1]))


def _without(M: NDArray[np.float64], halfway: NDArray[np.float64], block: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the predictions for a block of photos from the others; their tags are 0 in ``M t`` (n, m)."""
    columns = M[:, block]
    return np.asarray(-np.linalg.solve(columns.T @ columns, columns.T @ halfway))
