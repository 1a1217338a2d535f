# SPDX-License-Identifier: MIT
"""Checks that every learner must pass."""

from __future__ import annotations

import functools
import inspect
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners import LEARNERS
from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.core.estimator import clone as clone
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin, OnlineMixin
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.persistence import load, save

Kind = type[DistanceLearner]


class CancelledError(Exception):
    """Raised by the progress reports of the checks, as if the user had cancelled."""


def samples(n: int = 60, d: int = 5, seed: int = 0) -> NDArray[np.float64]:
    """Return three clouds of points, float64 (n, d): row i belongs to cloud i modulo 3."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 3 * np.eye(3, d)[np.arange(n) % 3]


def pairs(n: int = 60) -> SideInformation:
    """Return similar and dissimilar pairs of the clouds."""
    i = np.arange(n - 3)
    return SideInformation(np.column_stack([i, i + 3]), np.column_stack([i, i + 1]))


def needs_tags(kind: Kind) -> bool:
    """Return whether judged pairs alone are not enough for a learner."""
    return bool(kind.needs) and "judged pairs" not in kind.needs


def lesson(kind: Kind) -> SideInformation:
    """Return training data for the clouds: pairs, and tags for learners that need them."""
    return pairs() | SideInformation.from_labels(np.arange(60) % 3) if needs_tags(kind) else pairs()


def fitted(kind: Kind) -> DistanceLearner:
    """Return a learner of the clouds."""
    return kind().fit(samples(), lesson(kind))


def refused(error: type[Exception], words: str, call: Callable[[], object]) -> None:
    """Check that a call raises an error whose message contains these words."""
    try:
        call()
    except error as raised:
        assert words in str(raised), f"the message should contain {words!r}, it is: {raised}"
    else:
        raise AssertionError(f"no {error.__name__} was raised ({words})")


def cancel_after(reports: int) -> Callable[[float], None]:
    """Return a progress report that cancels after some reports."""
    left = iter(range(reports))

    def report(_share: float) -> None:
        if next(left, None) is None:
            raise CancelledError

    return report


def check_documents_itself(kind: Kind) -> None:
    """Check that the class defines the texts for users, and its candidates can be made."""
    for fact in ("name", "title", "family", "summary", "source"):
        assert fact in vars(kind), f"the class inherits its {fact}, instead of defining it"
    for fact in ("name", "title", "family", "summary"):
        assert getattr(kind, fact).strip(), f"its {fact} is empty"
    assert kind.summary[0].isupper(), "its summary does not begin with a capital letter"
    assert not kind.summary.endswith("."), "its summary ends with a full stop"
    assert not kind.follows_judgements or issubclass(kind, OnlineMixin), "it follows judgements, but is no OnlineMixin"
    for candidate in kind.candidates:
        kind(**candidate.parameters)


def check_constructor_only_stores_its_parameters(kind: Kind) -> None:
    """Check that as scikit-learn requires, ``__init__`` checks and computes nothing."""
    marker = object()
    values = dict.fromkeys(inspect.signature(kind).parameters, marker)
    assert vars(kind(**values)) == values


def check_clone(kind: Kind) -> None:
    """Check that a clone has the same parameters and is not fitted."""
    learner = fitted(kind)
    copy = clone(learner)
    assert copy.get_params() == learner.get_params()
    assert not copy.fitted_state()


def check_fit_does_not_modify_its_arguments(kind: Kind) -> None:
    """Check that samples, pairs and parameters stay."""
    X, side, learner = samples(), lesson(kind), kind()
    parameters = learner.get_params()
    learner.fit(X, side)
    np.testing.assert_array_equal(X, samples())
    np.testing.assert_array_equal(side.similar, pairs().similar)
    assert learner.get_params() == parameters


def check_repeated_fit(kind: Kind) -> None:
    """Check that the same data give the same distances, to the last bit."""
    learner, X = fitted(kind), samples()
    first = learner.distances_from(X[0], X)
    np.testing.assert_array_equal(learner.fit(X, lesson(kind)).distances_from(X[0], X), first)


def check_shapes_and_types(kind: Kind) -> None:
    """Check that distances are float64, finite and not negative."""
    learner, X = fitted(kind), samples()
    distances = learner.distances_from(X[0], X)
    assert distances.shape == (len(X),)
    assert learner.pair_distance(X, X[::-1]).shape == (len(X),)
    assert distances.dtype == np.float64
    assert np.isfinite(distances).all()
    assert (distances >= 0).all()
    assert learner.n_features_in_ == X.shape[1]


def check_embedding(kind: Kind) -> None:
    """Check that an embedding is float32, C-contiguous, and has the distances; with samples of float32 and float64."""
    if not issubclass(kind, EmbeddingMixin):
        return
    learner: Any = fitted(kind)
    for dtype in (np.float32, np.float64):
        X = samples().astype(dtype)
        Z = learner.transform(X)
        assert Z.dtype == np.float32
        assert Z.flags.c_contiguous
        np.testing.assert_allclose(np.linalg.norm(Z - Z[0], axis=1), learner.distances_from(X[0], X), atol=1e-5)


def check_distances_agree(kind: Kind) -> None:
    """Check that `distances_from` and `pair_distance` are the same distance."""
    learner, X = fitted(kind), samples()
    for i in (0, 17):
        repeated = np.repeat(X[i : i + 1], len(X), axis=0)
        np.testing.assert_allclose(learner.distances_from(X[i], X), learner.pair_distance(repeated, X), atol=2e-5)


def check_metric(kind: Kind) -> None:
    """Check that a metric is symmetric and 0 between equal points, and no detour is shorter."""
    if not kind.is_metric:
        return
    learner = fitted(kind)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(3, 200, 5)) * 10.0 ** rng.uniform(-3, 3, size=(1, 200, 1))
    a, b, c = points
    ab, bc, ac = learner.pair_distance(a, b), learner.pair_distance(b, c), learner.pair_distance(a, c)
    tolerance = 1e-5 * (1 + ab + bc + ac)
    assert (learner.pair_distance(a, a) <= tolerance).all(), "a point is not at distance 0 from itself"
    assert (abs(ab - learner.pair_distance(b, a)) <= tolerance).all(), "the distance is not symmetric"
    assert (ac <= ab + bc + tolerance).all(), "a detour is shorter"


def check_invalid_samples_are_refused(kind: Kind) -> None:
    """Check that samples that are not finite or of another shape are refused, and no earlier state remains."""
    for X, words in (
        (np.full((4, 2), np.nan), "NaN or infinite"),
        (np.full((4, 2), np.inf), "NaN or infinite"),
        (np.empty((0, 3)), "empty"),
        (np.empty((3, 0)), "empty"),
        (np.zeros(3), "two dimensions"),
    ):
        learner = fitted(kind)
        refused(LearnerError, words, lambda learner=learner, X=X: learner.fit(X))  # type: ignore[misc]
        assert not learner.fitted_state()
        refused(NotFittedError, "", learner.check_fitted)


def check_queries_are_validated(kind: Kind) -> None:
    """Check that queries of another width, or not finite, are refused."""
    learner = fitted(kind)
    words = f"query has 4 features, but {kind.__name__} is expecting 5 features as input"
    refused(LearnerError, words, lambda: learner.distances_from(np.zeros(4), np.zeros((2, 4))))
    refused(LearnerError, "NaN", lambda: learner.distances_from(np.full(5, np.nan), samples()))


def check_pairs_outside_the_samples_are_refused(kind: Kind) -> None:
    """Check that row numbers of the side information must exist."""
    side = SideInformation(similar=np.array([[0, 60]]))
    refused(LearnerError, "outside 0..59", lambda: kind().fit(samples(), side))


def check_unfitted(kind: Kind) -> None:
    """Check that without a fit there are no distances."""
    refused(NotFittedError, "call fit first", lambda: kind().distances_from(np.zeros(5), samples()))


def check_missing_feedback_is_told(kind: Kind) -> None:
    """Check that without judgements and tags, or without a shared tag, `fit` says what it needs."""
    if not kind.needs:
        return
    for side in (
        None,
        SideInformation(),
        SideInformation.from_tags(np.zeros((60, 4))),
        SideInformation.from_tags(np.eye(60)),  # every tag is on one photo
    ):
        words = f"nothing to learn from: it needs {kind.needs}"
        refused(LearnerError, words, lambda side=side: kind().fit(samples(), side))  # type: ignore[misc]


def check_saving(kind: Kind) -> None:
    """Check that a saved learner has the same parameters and distances."""
    assert LEARNERS.get(kind.name) is kind, "only installed learners can be saved: pip install -e . the package first"
    learner, X = fitted(kind), samples()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "metric.npz"
        save(file, learner=learner)
        again = load(file)["learner"]
    assert type(again) is type(learner)
    assert again.get_params() == learner.get_params()
    np.testing.assert_array_equal(again.distances_from(X[3], X), learner.distances_from(X[3], X))


def check_travels_to_another_process(kind: Kind) -> None:
    """Check that it can be pickled, fitted or not, as for a cluster."""
    learner, X = fitted(kind), samples()
    again = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(again.distances_from(X[3], X), learner.distances_from(X[3], X))
    assert pickle.loads(pickle.dumps(kind())).get_params() == kind().get_params()


def check_progress(kind: Kind) -> None:
    """Check that the reported share grows from 0 to 1."""
    shares: list[float] = []
    kind().fit(samples(), lesson(kind), progress=shares.append)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares == sorted(shares)


def check_cancellation(kind: Kind) -> None:
    """Check that an error of the progress report ends the fit and leaves the learner unfitted."""
    for reports in (0, 1):
        learner = fitted(kind)
        fit = functools.partial(learner.fit, samples(), lesson(kind), progress=cancel_after(reports))
        refused(CancelledError, "", fit)
        assert not learner.fitted_state()


LEARNER_CHECKS: Final[tuple[Callable[[Kind], None], ...]] = (
    check_documents_itself,
    check_constructor_only_stores_its_parameters,
    check_clone,
    check_fit_does_not_modify_its_arguments,
    check_repeated_fit,
    check_shapes_and_types,
    check_embedding,
    check_distances_agree,
    check_metric,
    check_invalid_samples_are_refused,
    check_queries_are_validated,
    check_pairs_outside_the_samples_are_refused,
    check_unfitted,
    check_missing_feedback_is_told,
    check_saving,
    check_travels_to_another_process,
    check_progress,
    check_cancellation,
)
"""All checks of a learner's class."""
