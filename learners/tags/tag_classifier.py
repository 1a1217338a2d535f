# SPDX-License-Identifier: MIT
"""A scikit-learn classifier of tags and classes, with the method that suggests tags in the window."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.inputs.samples import as_samples, check_names, feature_names
from focal_photos.learners.tags.confidence.foreign import ForeignOdds
from focal_photos.learners.tags.confidence.tag_confidence import Confidences, TagConfidence
from focal_photos.learners.tags.tag_ridge import TagRidge


class TagClassifier(Estimator):
    """Kernel ridge regression of all tags or classes at once, with confidences calibrated by leave-one-out.

    Intended for few samples per class: `TagRidge` scores, `TagConfidence` converts scores to probabilities, and
    `ForeignOdds` detects samples unlike all training samples. For such a sample all classes become equally likely, and
    all tags unlikely.

    Parameters
    ----------
    regularization, gamma, exact, landmarks, random_state, families
        See `TagRidge`.

    Attributes
    ----------
    classes_ : ndarray, shape (m,)
        The classes, ascending; for a tag matrix, its column numbers.
    ridge_ : TagRidge
    confidence_ : TagConfidence
    foreign_ : ForeignOdds

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.tag_classifier import TagClassifier
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> classifier = TagClassifier().fit(X, ["sea", "sea", "sea", "wood", "wood", "wood"])
    >>> classifier.predict([[0.05], [4.9]]).tolist()
    ['sea', 'wood']
    >>> tags = np.array([[1, 0, 1], [1, 0, 1], [1, 0, 1], [0, 1, 1], [0, 1, 1], [0, 1, 1]])
    >>> TagClassifier().fit(X, tags).predict([[0.05], [4.9]]).tolist()
    [[1, 0, 1], [0, 1, 1]]
    """

    classes_: NDArray[Any]
    ridge_: TagRidge
    confidence_: TagConfidence
    foreign_: ForeignOdds
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def __init__(
        self,
        regularization: float = 0.1,
        gamma: float | Literal["auto"] = "auto",
        exact: int = 3000,
        landmarks: int = 1000,
        random_state: int = 0,
        families: tuple[FeatureFamily, ...] = (),
    ) -> None:
        self.regularization = regularization
        self.gamma = gamma
        self.exact = exact
        self.landmarks = landmarks
        self.random_state = random_state
        self.families = families

    def fit(
        self, X: ArrayLike, y: Any, codes: NDArray[np.uint8] | None = None, untagged: ArrayLike | None = None
    ) -> Self:
        """Fit to classes or tags.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
        y : array_like of shape (n,) or (n, m), or sparse matrix of shape (n, m)
            Class of each sample, numbers or text; or tags, 0 and 1.
        codes : ndarray of uint8, shape (n, c), optional
            Packed signs of the samples, which contain more information than X (`TagRidge`); if given, predictions need
            them, too.
        untagged : array_like of float, shape (u, d), optional
            Samples of unknown class, for example those to predict. They show which samples are foreign, and how many,
            and which classes look like others.

        Raises
        ------
        LearnerError
            If X or y is unusable, or a parameter is invalid.
        """
        for attribute in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, attribute)
        names = feature_names(X)
        samples = as_samples(X)
        target = _target(y, len(samples))
        if target.dtype.kind not in "biuU" or not target.size:  # integers and text are always classes or tags
            from sklearn.utils.multiclass import check_classification_targets  # slow to import

            check_classification_targets(target)
        if target.ndim == 2:
            classes, truth = np.arange(target.shape[1]), np.asarray(target != 0)
        else:
            classes, column = np.unique(target, return_inverse=True)
            truth = column[:, None] == np.arange(len(classes))
        tags = scipy.sparse.csr_array(truth.astype(np.float64))
        ridge = TagRidge(
            self.regularization,
            self.gamma,
            exact=self.exact,
            landmarks=self.landmarks,
            random_state=self.random_state,
            families=self.families,
        ).fit(samples, tags, codes=codes)
        labelled = samples[truth.any(axis=1)] if truth.any() else samples
        self.foreign_ = ForeignOdds().fit(labelled, untagged)
        # Samples that are compared by codes cannot be compared with others, whose codes are unknown.
        comparable = codes is None and untagged is not None and len(np.asarray(untagged)) > 0
        others = ridge.scores(np.asarray(untagged)) if comparable else None
        # Without untagged samples there are no new kinds: each sample has a class, or is foreign.
        kinds = ridge.kind_left_out_ if comparable else None
        self.confidence_ = TagConfidence().fit(
            ridge.left_out_, tags, kinds=kinds, untagged=others, foreign=self.foreign_.untagged_
        )
        self.ridge_, self.classes_, self.n_features_in_ = ridge, classes, samples.shape[1]
        self._of_tags = target.ndim == 2
        self._code_bytes = None if codes is None else codes.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        return self

    def predict_proba(self, X: ArrayLike, codes: NDArray[np.uint8] | None = None) -> NDArray[np.float64]:
        """Return the probability of each class or tag, float64 (q, m), 0..1; rows of classes sum to 1.

        So that rows sum to 1, the probability of "none of these" is divided equally among the classes: a foreign sample
        has 1 / m for each. `confidences` returns it separately.

        Raises
        ------
        NotFittedError, LearnerError
        """
        found = self.confidences(X, codes)
        return found.tags if self._of_tags else found.tags + found.none[:, None] / found.tags.shape[1]

    def confidences(self, X: ArrayLike, codes: NDArray[np.uint8] | None = None) -> Confidences:
        """Return the probability of each class or tag, that of none of them, and conformal p-values.

        Raises
        ------
        NotFittedError, LearnerError
        """
        if "classes_" not in vars(self):
            raise NotFittedError("TagClassifier is not fitted yet: call fit first.")
        check_names(self, X)
        samples = as_samples(X, features=self.n_features_in_, owner="TagClassifier")
        wanted = None if self._code_bytes is None else (len(samples), self._code_bytes)
        if wanted != (None if codes is None else codes.shape):
            raise LearnerError("Codes must be given to all or to none, and as many bytes of each sample as to fit.")
        log_odds, p = self.foreign_.signs(samples)
        return self.confidence_.confidences(self.ridge_.scores(samples, codes=codes), foreign=log_odds, p_values=p)

    def predict(self, X: ArrayLike, codes: NDArray[np.uint8] | None = None) -> NDArray[Any]:
        """Return the most probable class of each sample, (q,), or the probable tags, 0/1 integers (q, m)."""
        sure = self.predict_proba(X, codes)
        return (sure >= 0.5).astype(np.int64) if self._of_tags else self.classes_[sure.argmax(axis=1)]

    def score(
        self, X: ArrayLike, y: Any, sample_weight: ArrayLike | None = None, codes: NDArray[np.uint8] | None = None
    ) -> float:
        """Return the share of correctly predicted samples, 0..1; with a tag matrix, of all their tags."""
        found = self.predict(X, codes)
        target = _target(y, len(found))
        right = found == target
        weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)
        return float(np.average(right.all(axis=1) if right.ndim == 2 else right, weights=weights))

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: a classifier, also multi-label."""
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        tags.classifier_tags = ClassifierTags(multi_label=True)
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags


def _target(y: Any, n: int) -> NDArray[Any]:
    """Return classes (n,) or tags (n, m)."""
    if y is None:
        raise LearnerError("TagClassifier requires y to be passed, but the target y is None.")
    target = y.toarray() if hasattr(y, "tocsr") else np.asarray(y)
    if target.ndim not in (1, 2) or target.shape[0] != n:
        raise LearnerError(f"y must have {n} samples, its shape is {target.shape}.")
    if np.issubdtype(target.dtype, np.floating) and not np.isfinite(target).all():
        raise LearnerError("Input y contains NaN or infinite values.")
    if target.ndim == 2 and target.shape[1] == 1:
        from sklearn.utils.validation import column_or_1d

        return np.asarray(column_or_1d(target, warn=True))
    return np.asarray(target)
