# SPDX-License-Identifier: MIT
"""Tags by kernel ridge regression on the appearance of photos and on shared neighbours."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.kernels import median_squared_distance, rbf
from focal_photos.learners.core.learner.base import ProgressReport, no_report, part_of
from focal_photos.learners.core.linalg import blocks, one_thread, principal_axes
from focal_photos.learners.tags.family_weights import family_weights
from focal_photos.learners.tags.likelihood import surprise, tags_of_several
from focal_photos.learners.tags.sign_kernel import SignKernel, SignWeights

SHARES: Final = (0.75, 0.5, 0.25, 0.1, 0.0)
"""Weights tried for shared neighbours, relative to appearance; the first is the default without data for a trial."""

MOST_WITH_NEIGHBORS: Final = 1000
"""Tagged photos up to which shared neighbours are used: for more they gain nothing, hurt rare tags, and cost time."""

SIGNS: Final = (0.5, 0.3)
"""Weights of codes, relative to appearance: if tags exclude each other, and if photos have several."""

MOST_WITH_SIGNS: Final = 500
"""Tags up to which codes are used: their weights take four bytes per bit and tag, 120 MB for this number."""

MAX_MULTIPLE_SHARE: Final = 0.1
"""Share of tagged photos with several tags up to which tags are considered exclusive."""

_MAX_EXACT_PHOTOS = 8000
_MIN_FLOAT32_PHOTOS = 1000  # photos from which float32 suffices
_ROWS = 1024
_NYSTROEM = 1e-6
_REGULARIZATION = 0.1
_REGULARIZATION_WITH_SIGNS = 0.03


class TagScores(NamedTuple):
    """Scores of tags."""

    tags: NDArray[np.floating]
    """Near 1 if the tag applies, near 0 if not; shape (q, m)."""
    nearest: NDArray[np.floating]
    """Kernel, without codes, between the photo and the most similar tagged photo, at most 1; shape (q,)."""
    nearer: NDArray[np.floating] | None = None
    """How much nearer tagged photos are than untagged ones (`unlikeness.Nearness`); None if unknown; shape (q,)."""


class Problem(NamedTuple):
    """Training data; photos in `guessed` rows only contribute their rejected tags."""

    samples: NDArray[Any]
    truth: NDArray[Any]
    refused: NDArray[np.bool_]
    guessed: NDArray[np.bool_]
    shared: scipy.sparse.csr_array | None
    codes: SignKernel | None
    signs: float
    regularization: float


class TagRidge(Estimator):
    """Kernel ridge regression of all tags, with leave-one-out scores.

    The kernel is ``(1 - a) ((1 - b) exp(-gamma |x - x'|^2) + b c(x, x')) + a s(x, x')``, where s is the share of common
    neighbours of two photos (`learners.galleries.reciprocal`) and c the cosine of codes of signs
    (`learners.tags.sign_kernel`). With few tagged photos s is more useful than distances; with many it is useless.

    Parameters
    ----------
    regularization : float or "auto"
        > 0: lambda of ridge regression; the kernel is 1 between equal photos. auto: 0.1, with codes 0.03.
    gamma : float or "auto"
        auto: 1 / median squared distance.
    neighbors : float or "auto"
        a, in 0..1, if shared neighbours are given; auto: the value of `SHARES` with the highest leave-one-out
        likelihood of the tags, and 0 for more than `MOST_WITH_NEIGHBORS` photos.
    signs : float or "auto"
        b, in 0..1, if codes are given; auto: 0.5 if tags exclude each other, else 0.3, and 0 for more than
        `MOST_WITH_SIGNS` tags.
    exact : int
        Maximum number of photos for which the regression is exact.
    landmarks : int
        Number of landmarks of the Nyström map used above `exact`.
    random_state : int
    families : tuple of FeatureFamily
        Families of the columns, weighted by `learners.tags.family_weights`; empty: the weights of the distance.

    Attributes
    ----------
    scale_ : ndarray of float64, shape (d,)
        Factors of the columns: square roots of their families' weights. Columns with factor 0 are dropped, which leaves
        d' columns.
    landmarks_ : ndarray of float, shape (l, d')
        Scaled landmarks.
    tagged_ : ndarray of bool, shape (l,)
        Landmarks with tags, as opposed to rejections only.
    gamma_, neighbors_, signs_ : float
    coefficients_ : ndarray of float64, shape (l, m)
    intercept_ : ndarray of float64, shape (m,)
        Scores are ``k(x, landmarks_) @ coefficients_ + intercept_``.
    bits_ : SignWeights or None
        The same for the codes' part of the kernel; None if `signs_` is 0.
    left_out_ : TagScores
        float32, leave-one-out scores of the n photos; photos with rejections only are predicted from the tagged photos.
    kind_left_out_ : TagScores or None
        float32, scores of the n photos by the regression without any photo of their tag, as for a kind that has not
        been tagged yet. NaN for photos with several tags or none. None if more than `MAX_MULTIPLE_SHARE` of the tagged
        photos have several tags.

    Notes
    -----
    Leave-one-out scores have a closed form: ``t - (t - s) / (1 - h)`` with the leverage h of the photo; for a block B
    of photos ``t_B - (I - H_BB)^{-1} (t_B - s_B)``. Only the Nyström map, which uses no tags, depends on the photos
    left out. Landmarks lose photos of rare tags: exact regression is worth its time up to some thousand photos.

    For a photo with rejections and without tags, the targets are the scores predicted from the others, and 0 for
    rejected tags.

    Cost: n^2 (d + m) + n^3 and two matrices of n^2 up to `exact` photos with m tags (at most 8,000: 1 GB), above it n l
    (d + l + m) + l^3 for l landmarks. float32 from 1,000 photos on. Measurements: ALGORITHMS.md, 5.7 and 5.10.

    References
    ----------
    .. [1] C. Saunders, A. Gammerman, V. Vovk, "Ridge regression learning algorithm in dual variables", ICML 1998.
    .. [2] D. M. Allen, "The relationship between variable selection and data augmentation", Technometrics 16 (1974).

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from focal_photos.learners.tags.tag_ridge import TagRidge
    >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> tags = sp.csr_array(np.array([[1, 0], [1, 0], [0, 1], [0, 1]]))
    >>> TagRidge().fit(X, tags).scores(np.array([[0.05]])).tags.round(1)
    array([[1., 0.]])
    """

    scale_: NDArray[np.float64]
    landmarks_: NDArray[np.floating]
    tagged_: NDArray[np.bool_]
    gamma_: float
    neighbors_: float
    signs_: float
    bits_: SignWeights | None
    coefficients_: NDArray[np.float64]
    intercept_: NDArray[np.float64]
    left_out_: TagScores
    kind_left_out_: TagScores | None

    def __init__(
        self,
        regularization: float | Literal["auto"] = "auto",
        gamma: float | Literal["auto"] = "auto",
        neighbors: float | Literal["auto"] = "auto",
        exact: int = 3000,
        landmarks: int = 1000,
        random_state: int = 0,
        families: tuple[FeatureFamily, ...] = (),
        signs: float | Literal["auto"] = "auto",
    ) -> None:
        self.families = families
        self.signs = signs
        self.regularization = regularization
        self.gamma = gamma
        self.neighbors = neighbors
        self.exact = exact
        self.landmarks = landmarks
        self.random_state = random_state

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
        """Fit to all tags.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
            Photos with tags or rejections.
        tags : csr_array, shape (n, m)
            Non-zero if photo i carries tag j.
        rejected : csr_array, shape (n, m), optional
            Non-zero if the user rejected tag j for photo i; ignored for tags that the photo carries.
        shared : csr_array, shape (n, n), optional
            Share of common neighbours of photos, 0..1, 1 between a photo and itself.
        codes : ndarray of uint8, shape (n, c), optional
            Packed bits; ignored for more than `exact` photos.
        agreement : ndarray of int32, shape (n, n), optional
            `learners.tags.sign_kernel.agreement` of the codes, if known.
        progress : callable, optional
            Called with the share done, 0..1; may raise to cancel.

        Raises
        ------
        LearnerError
            If X is empty or not finite, shapes do not fit, or a parameter is invalid.
        """
        samples = as_samples(X)
        report: ProgressReport = no_report if progress is None else progress
        self._check(samples, tags, rejected, shared, codes)
        if agreement is not None and agreement.shape != (len(samples), len(samples)):
            raise LearnerError(
                f"The agreement of codes must be for {len(samples)} photos, its shape is {agreement.shape}."
            )
        report(0.0)
        with one_thread():
            precise = np.dtype(np.float64 if len(samples) < _MIN_FLOAT32_PHOTOS else np.float32)
            truth = scipy.sparse.csr_array(tags != 0).astype(precise).toarray()
            refused = np.zeros(truth.shape, bool) if rejected is None else (rejected != 0).toarray() & (truth == 0)
            guessed = refused.any(axis=1) & ~truth.any(axis=1)
            if len(samples) > min(self.exact, MOST_WITH_NEIGHBORS) and self.neighbors == "auto":
                shared = None
            signs = self._weight_of_signs(codes, truth) if len(samples) <= self.exact else 0.0
            kernel = SignKernel(codes, agreement) if codes is not None and signs else None
            regularization = self._lambda(with_signs=kernel is not None)
            problem = Problem(samples, truth, refused, guessed, shared, kernel, signs, regularization)
            scale = self._scale(problem, part_of(report, 0.0, 0.5 if self.families else 0.0))
            samples = scaled(samples, scale)
            problem = problem._replace(samples=samples)
            gamma = 1 / median_squared_distance(samples, self.random_state) if self.gamma == "auto" else self.gamma
            solve = self._dual if len(samples) <= self.exact else self._primal
            found = solve(problem, float(gamma), part_of(report, 0.5, 0.5) if self.families else report)
        self.gamma_, self.scale_, self.signs_ = float(gamma), scale, signs
        for name, value in found.items():
            setattr(self, name, value)
        report(1.0)
        return self

    def _check(
        self,
        X: NDArray[Any],
        tags: scipy.sparse.csr_array,
        rejected: scipy.sparse.csr_array | None,
        shared: scipy.sparse.csr_array | None,
        codes: NDArray[np.uint8] | None,
    ) -> None:
        if any(value != "auto" and not value > 0 for value in (self.regularization, self.gamma)):
            raise LearnerError("regularization and gamma must be above 0.")
        if self.neighbors != "auto" and not 0 <= self.neighbors <= 1:
            raise LearnerError(f"neighbors must be in 0..1, it is {self.neighbors}.")
        if self.signs != "auto" and not 0 <= self.signs <= 1:
            raise LearnerError(f"signs must be in 0..1, it is {self.signs}.")
        if codes is not None and (codes.ndim != 2 or len(codes) != len(X) or codes.dtype != np.uint8):
            raise LearnerError(f"Codes must be bytes of {len(X)} photos, they are {codes.dtype} {codes.shape}.")
        if tags.shape[0] != len(X):
            raise LearnerError(f"The tags are of {tags.shape[0]} photos, the samples of {len(X)}.")
        if rejected is not None and rejected.shape != tags.shape:
            raise LearnerError(f"tags and rejections differ in shape: {tags.shape} and {rejected.shape}.")
        if shared is not None and shared.shape != (len(X), len(X)):
            raise LearnerError(f"Shared neighbours must be those of {len(X)} photos, their shape is {shared.shape}.")
        if self.exact > _MAX_EXACT_PHOTOS or self.landmarks < 1:
            raise LearnerError(
                f"exact must be at most {_MAX_EXACT_PHOTOS} (memory grows with its square), landmarks at least 1."
            )

    def _lambda(self, *, with_signs: bool) -> float:
        if self.regularization != "auto":
            return float(self.regularization)
        return _REGULARIZATION_WITH_SIGNS if with_signs else _REGULARIZATION

    def _weight_of_signs(self, codes: NDArray[np.uint8] | None, truth: NDArray[Any]) -> float:
        """Return b; 0 without codes."""
        if codes is None or not codes.shape[1]:
            return 0.0
        if self.signs != "auto":
            return float(self.signs)
        if truth.shape[1] > MOST_WITH_SIGNS:
            return 0.0
        return SIGNS[1] if kinds_of(truth) is None else SIGNS[0]

    def _scale(self, problem: Problem, report: ProgressReport) -> NDArray[np.float64]:
        """Return the factors of the columns."""
        X, truth = problem.samples, problem.truth
        scale = np.ones(X.shape[1])
        tagged = truth.any(axis=1)
        beside = None
        if problem.codes is not None and self.families:
            beside = problem.signs, problem.codes.kernel[np.ix_(tagged, tagged)]
        weights = family_weights(
            X[tagged],
            self.families,
            truth[tagged],
            problem.regularization,
            beside=beside,
            random_state=self.random_state,
            progress=report,
        )
        for family, weight in zip(self.families, weights, strict=True):
            scale[family.start : family.stop] = np.sqrt(weight)
        return scale

    # ------------------------------------------------------------------ exact
    def _dual(self, problem: Problem, gamma: float, report: ProgressReport) -> dict[str, Any]:
        """Solve for one weight per photo; the intercept is a constant added to the kernel."""
        samples = problem.samples.astype(problem.truth.dtype)
        n = len(samples)
        looks = np.empty((n, n), dtype=samples.dtype)
        for part in blocks(n, _ROWS):
            looks[part] = rbf(samples[part], samples, gamma)
            report(0.4 * part.stop / n)
        mixed, signs = looks, problem.signs
        if problem.codes is not None:
            mixed = (1 - signs) * looks + signs * problem.codes.kernel.astype(samples.dtype)
        share = self._share(mixed, problem)
        kernel, seen = mixed, looks
        if share:
            assert problem.shared is not None
            shared = share * problem.shared.toarray().astype(samples.dtype)
            kernel, seen = (1 - share) * mixed + shared, (1 - share) * looks + shared
        truth = problem.truth
        tagged = ~problem.guessed
        guesses = np.empty((0, truth.shape[1]))
        if problem.guessed.any():
            weights = _inverse(kernel[np.ix_(tagged, tagged)], problem.regularization) @ truth[tagged]
            guesses = (kernel[np.ix_(problem.guessed, tagged)] + 1) @ weights
            truth = with_guesses(truth, problem.refused, problem.guessed, guesses)
        inverse = _inverse(kernel, problem.regularization)
        report(0.8)
        weights = inverse @ truth
        # The leave-one-out error of a photo is its weight divided by the inverse's diagonal entry.
        left_out = truth - weights / np.diag(inverse)[:, None]
        left_out[problem.guessed] = guesses
        kinds = kinds_of(problem.truth)
        without: TagScores | None = None
        if kinds is not None:
            scores = np.full(truth.shape, np.nan, dtype=np.float32)
            for rows in rows_of_kinds(kinds):
                scores[rows] = truth[rows] - np.linalg.solve(inverse[np.ix_(rows, rows)], weights[rows])
            without = TagScores(scores, nearest_left_out(seen, tagged, kinds))
        bits = None if problem.codes is None else problem.codes.weights((1 - share) * signs * weights)
        return {
            "bits_": bits,
            "landmarks_": problem.samples,
            "tagged_": tagged,
            "neighbors_": share,
            "coefficients_": weights.astype(np.float64),
            "intercept_": weights.sum(axis=0).astype(np.float64),
            "left_out_": TagScores(left_out.astype(np.float32), nearest_left_out(seen, tagged, np.arange(n))),
            "kind_left_out_": without,
        }

    def _share(self, looks: NDArray[Any], problem: Problem) -> float:
        """Return the weight of shared neighbours with the highest leave-one-out likelihood of the tags."""
        if problem.shared is None:
            return 0.0
        if self.neighbors != "auto":
            return float(self.neighbors)
        tagged = np.flatnonzero(~problem.guessed)
        truth = problem.truth[tagged]
        known = tags_of_several(truth)
        if not known.any():
            return SHARES[0]
        looks, shared = looks[np.ix_(tagged, tagged)], problem.shared[tagged][:, tagged].toarray().astype(looks.dtype)
        losses = []
        for share in SHARES:
            inverse = _inverse((1 - share) * looks + share * shared, problem.regularization)
            left_out = truth - (inverse @ truth) / np.diag(inverse)[:, None]
            losses.append(surprise(left_out[known], truth[known]))
        return SHARES[int(np.argmin(losses))]

    # ------------------------------------------------------------------ many photos
    def _primal(self, problem: Problem, gamma: float, report: ProgressReport) -> dict[str, Any]:
        """Solve for one weight per coordinate of the Nyström map, in which the landmarks' kernel is exact."""
        X, tagged = problem.samples, ~problem.guessed
        drawn = np.sort(np.random.default_rng(self.random_state).permutation(len(X))[: self.landmarks])
        landmarks = X[drawn].astype(np.float64)
        values, axes = principal_axes(rbf(landmarks, landmarks, gamma), len(drawn), _NYSTROEM)
        root = axes / np.sqrt(values)
        Y = np.empty((len(X), root.shape[1] + 1), dtype=np.float32)
        Y[:, -1] = 1
        nearest = np.empty(len(X), dtype=np.float32)
        for part in blocks(len(X), _ROWS):
            kernel = rbf(X[part].astype(np.float64), landmarks, gamma)
            Y[part, :-1] = kernel @ root
            own = np.arange(len(X))[part, None] == drawn
            nearest[part] = np.where(own | problem.guessed[drawn], 0.0, kernel).max(axis=1)
            report(0.5 * part.stop / len(X))
        truth = problem.truth
        guesses = np.empty((0, truth.shape[1]))
        if problem.guessed.any():
            scatter = _inverse_scatter(Y[tagged], problem.regularization)
            guesses = Y[problem.guessed] @ (scatter @ (Y[tagged].T @ truth[tagged]))
            truth = with_guesses(truth, problem.refused, problem.guessed, guesses)
        inverse = _inverse_scatter(Y, problem.regularization)
        weights = inverse @ (Y.T @ truth)
        left_out = np.empty(truth.shape, dtype=np.float32)
        for part in blocks(len(X), _ROWS):
            leverage = np.einsum("ij,ij->i", Y[part] @ inverse, Y[part])
            left_out[part] = truth[part] - (truth[part] - Y[part] @ weights) / (1 - leverage)[:, None]
        left_out[problem.guessed] = guesses
        kinds = kinds_of(problem.truth)
        without: TagScores | None = None
        if kinds is not None:
            scores = np.full(truth.shape, np.nan, dtype=np.float32)
            for rows in rows_of_kinds(kinds):
                # A large kind may have more photos than there are coordinates, so the system without them is solved
                # again.
                scatter = np.linalg.inv(inverse) - Y[rows].T.astype(np.float64) @ Y[rows]
                others = np.linalg.solve(scatter, Y.T.astype(np.float64) @ truth - Y[rows].T @ truth[rows])
                scores[rows] = Y[rows] @ others
            without = TagScores(scores, _nearest_other_kind(X, drawn, kinds, gamma))
        return {
            "bits_": None,
            "landmarks_": X[drawn],
            "tagged_": tagged[drawn],
            "neighbors_": 0.0,
            "coefficients_": (root @ weights[:-1]).astype(np.float64),
            "intercept_": weights[-1].astype(np.float64),
            "left_out_": TagScores(left_out, nearest),
            "kind_left_out_": without,
        }

    def scores(
        self,
        X: ArrayLike,
        shared: scipy.sparse.csr_array | None = None,
        codes: NDArray[np.uint8] | None = None,
    ) -> TagScores:
        """Return the scores of all tags.

        Parameters
        ----------
        X : array_like of float, shape (q, d)
        shared : csr_array, shape (q, n), optional
            Share of common neighbours of these photos and those of `fit`; required if `neighbors_` is above 0.
        codes : ndarray of uint8, shape (q, c), optional
            Required if `signs_` is above 0.

        Returns
        -------
        TagScores
            float64.

        Raises
        ------
        NotFittedError, LearnerError
        """
        if "coefficients_" not in vars(self):
            raise NotFittedError("TagRidge is not fitted yet: call fit first.")
        samples = scaled(as_samples(X, features=len(self.scale_)), self.scale_)
        if self.neighbors_ and (shared is None or shared.shape != (len(samples), len(self.landmarks_))):
            raise LearnerError("Shared neighbours must be given to both fit and scores, or to neither.")
        bits = self._bits_of_codes()
        if bits is not None and (codes is None or len(codes) != len(samples)):
            raise LearnerError("Codes must be given to both fit and scores, or to neither.")
        precise = np.dtype(np.float64 if len(self.landmarks_) < _MIN_FLOAT32_PHOTOS else np.float32)
        landmarks, coefficients = self.landmarks_.astype(precise), self.coefficients_.astype(precise)
        found, nearest = np.empty((len(samples), coefficients.shape[1])), np.empty(len(samples))
        with one_thread():
            for part in blocks(len(samples), _ROWS):
                looks = (1 - self.neighbors_) * rbf(samples[part].astype(precise), landmarks, self.gamma_)
                kernel = looks
                if self.neighbors_:
                    assert shared is not None
                    kernel = looks + self.neighbors_ * shared[part].toarray().astype(precise)
                nearest[part] = kernel[:, self.tagged_].max(axis=1, initial=0.0)
                found[part] = kernel @ coefficients
                if bits is not None:
                    assert codes is not None
                    found[part] += bits.scores(codes[part]) - self.signs_ * (looks @ coefficients)
        return TagScores(found + self.intercept_, nearest)

    def _bits_of_codes(self) -> SignWeights | None:
        """Return the weights of the codes' bits, if codes are used."""
        return self.bits_


def _inverse(kernel: NDArray[Any], regularization: float) -> NDArray[Any]:
    system = kernel + 1.0
    system[np.diag_indices(len(system))] += regularization
    return np.linalg.inv(system)


def _inverse_scatter(Y: NDArray[Any], regularization: float) -> NDArray[np.float64]:
    """Return the inverse of the regularized scatter of coordinates."""
    scatter = regularization * np.eye(Y.shape[1])
    for part in blocks(len(Y), _ROWS):
        some = Y[part].astype(np.float64)
        scatter += some.T @ some
    return np.asarray(np.linalg.inv(scatter))


def scaled(X: NDArray[Any], scale: NDArray[np.float64]) -> NDArray[Any]:
    """Return the columns of X (n, d) with a non-zero factor, multiplied by it: (n, d')."""
    if (scale == 1).all():
        return X
    kept = np.flatnonzero(scale)
    return np.asarray(X[:, kept] * scale[kept].astype(X.dtype))


def with_guesses(
    truth: NDArray[Any], refused: NDArray[np.bool_], guessed: NDArray[np.bool_], guesses: NDArray[Any]
) -> NDArray[Any]:
    """Return the tags (n, m), completed for photos that have rejections only.

    In the rows `guessed` (n,), tags that are `refused` become 0, and the others the predictions `guesses` (rows, m),
    clipped to 0..1.
    """
    found = truth.copy()
    found[guessed] = np.where(refused[guessed], 0.0, np.clip(guesses, 0.0, 1.0))
    return found


def kinds_of(truth: NDArray[Any]) -> NDArray[np.intp] | None:
    """Return the only tag of each photo, (n, m) 0/1: intp (n,), -1 if it has none or several.

    None if more than `MAX_MULTIPLE_SHARE` of the tagged photos have several tags: tags are not exclusive then.
    """
    tags = truth.sum(axis=1)
    if np.count_nonzero(tags > 1) > MAX_MULTIPLE_SHARE * np.count_nonzero(tags):
        return None
    return np.where(tags == 1, truth.argmax(axis=1), -1).astype(np.intp)


def rows_of_kinds(kinds: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return the rows of each kind except -1, from kinds (n,): intp arrays, by ascending kind."""
    return [np.flatnonzero(kinds == kind) for kind in np.unique(kinds[kinds >= 0])]


def nearest_left_out(
    kernel: NDArray[Any], candidates: NDArray[np.bool_], kinds: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return the kernel to the most similar photo of another kind among `candidates`; 0 if there is none.

    From a kernel (n, n), photos (n,) and kinds (n,): float32 (n,).
    """
    same = kinds[:, None] == kinds
    return np.asarray(np.where(same | ~candidates, 0.0, kernel).max(axis=1), dtype=np.float32)


def _nearest_other_kind(
    X: NDArray[Any], drawn: NDArray[np.intp], kinds: NDArray[np.intp], gamma: float
) -> NDArray[np.float32]:
    """Return the kernel to the most similar landmark of another kind; 0 if there is none."""
    found = np.empty(len(X), dtype=np.float32)
    landmarks = X[drawn].astype(np.float64)
    for part in blocks(len(X), _ROWS):
        kernel = rbf(X[part].astype(np.float64), landmarks, gamma)
        same = (kinds[part, None] == kinds[drawn]) | (kinds[drawn] < 0)
        found[part] = np.where(same, 0.0, kernel).max(axis=1)
    return found
