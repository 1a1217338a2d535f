# SPDX-License-Identifier: MIT
"""Checks that every learner of the table must pass."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, Self

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from focal_photos.learners import LEARNERS, LearnerError, create
from focal_photos.learners.core.estimator import clone as own_clone
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin, OnlineMixin
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery
from focal_photos.testing import LEARNER_CHECKS
from focal_photos.testing.learner_checks import CancelledError, cancel_after, pairs, samples
from tests.examples import examples

ALL = sorted(LEARNERS)
METRICS = [name for name in ALL if LEARNERS[name].is_metric]
NEEDY = [name for name in ALL if LEARNERS[name].needs]
TAGS_ONLY = [name for name in NEEDY if "judged pairs" not in LEARNERS[name].needs]
ONLINE = [name for name in ALL if issubclass(LEARNERS[name], OnlineMixin)]
EMBEDDING = [name for name in ALL if issubclass(LEARNERS[name], EmbeddingMixin)]


def lesson(name: str) -> SideInformation:
    """Training data for the clouds: pairs, and tags for learners that need them."""
    return pairs() | SideInformation.from_labels(np.arange(60) % 3) if name in TAGS_ONLY else pairs()


def fitted(name: str) -> DistanceLearner:
    return create(name).fit(samples(), lesson(name))


@pytest.mark.parametrize("check", LEARNER_CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", ALL)
def test_a_learner_passes_the_common_checks(name: str, check: Callable[[type[DistanceLearner]], None]) -> None:
    if name != "euclidean" or check.__name__ != "check_documents_itself":  # there is nothing to train
        check(LEARNERS[name])


def test_the_table_has_the_name_of_each_learner() -> None:
    assert all(kind.name == name and kind.title for name, kind in LEARNERS.items())


@pytest.mark.parametrize("name", [name for name in ALL if name != "euclidean"])
def test_a_learner_documents_itself_for_users(name: str) -> None:
    kind = LEARNERS[name]
    told = {"name", "title", "family", "summary", "source"}
    assert told <= vars(kind).keys(), "the class defines it, instead of inheriting it"
    assert all(getattr(kind, fact).strip() for fact in told)
    assert kind.summary[0].isupper()
    assert not kind.summary.endswith(".")
    assert not kind.follows_judgements or issubclass(kind, OnlineMixin)
    assert not kind.candidates or "candidates" in vars(kind)
    for candidate in kind.candidates:
        create(name, **candidate.parameters)


def test_the_table_is_grouped_by_family() -> None:
    families = [kind.family for kind in LEARNERS.values()]
    assert sorted(families, key=families.index) == families
    assert [name for name, kind in LEARNERS.items() if not kind.family] == ["euclidean"], (
        "only euclidean needs no training"
    )


def test_fast_learners_and_those_that_follow_judgements_are_marked() -> None:
    quick = {"tag-ratio", "tag-ratio-kernel", "tag-scores", "ml-dml", "ratio", "lda", "rca", "krca", "dca", "kernel"}
    assert quick <= {name for name in ALL if LEARNERS[name].is_quick}
    assert not {"nca", "lmnn", "bdm", "omdl-lr", "mkpoe", "kml-dml"} & {n for n in ALL if LEARNERS[n].is_quick}
    assert {"kernel", "oasis", "omdl-lr", "omdl"} <= {name for name in ALL if LEARNERS[name].follows_judgements}


@cache
def one_judged(digits: tuple[int, ...]) -> tuple[NDArray[np.float64], NDArray[np.intp], list[SideInformation]]:
    """Return digits, their classes, and for each of four focal images judgements on its first results."""
    found = load_digits()
    kept = np.flatnonzero(np.isin(found.target, digits))[:200]
    X, y = found.data[kept], found.target[kept]
    order = np.argsort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)
    said = []
    for focal in (0, 80, 160):
        shown = order[focal, 1:41]
        alike = y[shown] == y[focal]
        pairs = [np.column_stack([np.full(len(some), focal), some])[:5] for some in (shown[alike], shown[~alike])]
        said.append(SideInformation(*pairs))
    return X, y, said


@pytest.mark.slow
@pytest.mark.parametrize("digits", [(3, 8), tuple(range(10))])
@pytest.mark.parametrize("name", [name for name in ALL if name not in TAGS_ONLY])
def test_judgements_on_one_focal_image_do_no_harm(name: str, digits: tuple[int, ...]) -> None:
    X, y, said = one_judged(digits)

    def precision(learner: DistanceLearner) -> float:
        rows = gallery_rows(learner, X)
        nearest, _ = row_gallery(learner, rows).rank_many(rows, 11)
        own = nearest == np.arange(len(X))[:, None]
        first = np.argsort(own, axis=1, kind="stable")[:, :10]
        return float((y[np.take_along_axis(nearest, first, axis=1)] == y[:, None]).mean())

    untrained = precision(create("euclidean").fit(X))
    few: dict[str, Any] = {"limit": 200} if "limit" in create(name).get_params() else {}
    learned = []
    for side in said:
        with suppress(LearnerError):  # judgements of a single kind
            learned.append(precision(create(name, **few).fit(X, side)))
    assert np.mean(learned) > untrained - 0.02


def test_an_unknown_learner_is_refused() -> None:
    with pytest.raises(LearnerError, match="no learner 'nearest'; there are: euclidean"):
        create("nearest")


@pytest.mark.parametrize("name", ALL)
def test_an_unknown_parameter_is_refused(name: str) -> None:
    with pytest.raises(LearnerError, match="no parameter 'colour'"):
        create(name, colour=1)


PRINTED = [name for name in ALL if LEARNERS[name].printed is not None]


def test_the_learners_of_the_five_papers_can_be_made_as_printed() -> None:
    papers = ("Yang", "Chang & Yeung", "Qi", "Xia")
    assert set(PRINTED) == {name for name in ALL if LEARNERS[name].source.startswith(papers)} | {"mkpoe"}
    with pytest.raises(LearnerError, match="'rca' has no parameters of a paper"):
        create("rca", paper=True)


@pytest.mark.parametrize("name", PRINTED)
def test_a_learner_as_printed_fits_and_clones(name: str) -> None:
    printed = LEARNERS[name].printed
    assert printed is not None
    learner, X = create(name, paper=True), samples()
    changed = {parameter: value for parameter, value in learner.get_params().items() if parameter in printed}
    assert changed == dict(printed)
    assert learner.get_params() != create(name).get_params()
    learner.fit(X, lesson(name))
    distances = learner.distances_from(X[0], X)
    assert np.isfinite(distances).all()
    assert distances.std() > 0
    assert own_clone(learner).get_params() == clone(learner).get_params() == learner.get_params()


@pytest.mark.parametrize("name", PRINTED)
def test_given_parameters_override_those_of_the_paper(name: str) -> None:
    assert vars(create(name, paper=True, euclidean_blend=0.7))["euclidean_blend"] == 0.7


def test_every_learner_but_euclidean_can_be_blended_with_it() -> None:
    assert [name for name in ALL if "euclidean_blend" not in create(name).get_params()] == ["euclidean"]


@pytest.mark.parametrize("name", [name for name in ALL if name != "euclidean"])
def test_a_very_large_blend_gives_the_euclidean_order(name: str) -> None:
    X = samples()
    learner = create(name, euclidean_blend=1e9)
    if "unit" in learner.get_params():
        learner.set_params(unit=False)
    learner.fit(X, lesson(name))
    points = X
    if name == "oasis":  # compares unit vectors, trained or not
        points = X - X.mean(axis=0)
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    for i in (0, 17):
        plain = np.linalg.norm(points - points[i], axis=1)
        order = np.argsort(learner.distances_from(X[i], X))
        assert (np.diff(plain[order]) > -1e-3 * plain.max()).all()


@pytest.mark.parametrize("name", METRICS)
@settings(
    max_examples=examples(50),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(points=hnp.arrays(np.float64, (3, 5), elements=st.floats(-1e3, 1e3)))
def test_the_distance_is_a_metric(name: str, points: NDArray[np.float64]) -> None:
    learner = _once(name)
    a, b, c = points
    ab, bc, ac, ba, aa = learner.pair_distance(np.stack([a, b, a, b, a]), np.stack([b, c, c, a, a]))
    tolerance = 1e-5 * (1 + ab + bc + ac)
    assert aa <= tolerance
    assert abs(ab - ba) <= tolerance
    assert ac <= ab + bc + tolerance


@cache
def _once(name: str) -> DistanceLearner:
    """Return a fitted learner shared by all examples, which do not change it."""
    return fitted(name)


@pytest.mark.parametrize("name", ONLINE)
def test_the_first_partial_fit_is_a_fit(name: str) -> None:
    learner = create(name)
    assert isinstance(learner, OnlineMixin)
    learner.partial_fit(samples(), pairs())
    X = samples()
    np.testing.assert_array_equal(learner.distances_from(X[0], X), fitted(name).distances_from(X[0], X))


@pytest.mark.parametrize("name", ONLINE)
def test_a_cancelled_partial_fit_changes_nothing(name: str) -> None:
    learner, X = fitted(name), samples()
    assert isinstance(learner, OnlineMixin)
    before = learner.distances_from(X[0], X)
    shares: list[float] = []
    learner.partial_fit(X, SideInformation(similar=np.array([[0, 1]])), progress=shares.append)
    assert (shares[0], shares[-1]) == (0, 1)
    learner = fitted(name)
    assert isinstance(learner, OnlineMixin)
    with pytest.raises(CancelledError):
        learner.partial_fit(X, pairs(), progress=cancel_after(len(shares) - 1))
    np.testing.assert_array_equal(learner.distances_from(X[0], X), before)


ODD: dict[str, tuple[NDArray[np.float64], SideInformation]] = {
    "one similar pair": (samples(), SideInformation(similar=np.array([[0, 1]]))),
    "one dissimilar pair": (samples(), SideInformation(dissimilar=np.array([[0, 1]]))),
    "one class": (samples(), SideInformation.from_labels(np.zeros(60, dtype=int))),
    "one photo a class, and one class of two": (samples(6), SideInformation.from_labels([0, 0, 1, 2, 3, 4])),
    "a pair said to be both": (samples(), SideInformation(np.array([[0, 1]]), np.array([[1, 0]]))),
    "the same pair again and again": (samples(), SideInformation(similar=np.repeat([[0, 1]], 50, axis=0))),
    "similar photos are copies": (np.repeat(samples(20), 3, axis=0), SideInformation(np.array([[0, 1], [3, 5]]))),
    "all photos are copies": (np.full((10, 5), 0.1), SideInformation(np.array([[0, 1]]), np.array([[2, 3]]))),
    "constant columns": (np.pad(samples(), ((0, 0), (0, 3)), constant_values=7.3), pairs()),
    "more columns than photos": (samples(8, 40), SideInformation(np.array([[0, 3]]), np.array([[0, 1]]))),
    "two photos": (samples(2), SideInformation(similar=np.array([[0, 1]]))),
    "separable": (np.repeat(np.eye(3, 5), 20, axis=0) * 100, SideInformation.from_labels(np.repeat([0, 1, 2], 20))),
    "large numbers": (samples() * 1e6 + 1e6, pairs()),
    "small numbers": (samples() * 1e-6, pairs()),
}


REFUSED: dict[str, set[str]] = {
    "one similar pair": {"lda", "nca", "lmnn", "mlkr"},
    "one dissimilar pair": {"rca", "krca", "lda", "nca", "lmnn", "mlkr"},
    "one class": {"lda", "nca", "lmnn", "mlkr", "oasis", "scml", "omdl", "omdl-lr", "mkpoe"},
    "a pair said to be both": {"lda", "nca", "lmnn", "mlkr"},
    "the same pair again and again": {"lda", "nca", "lmnn", "mlkr"},
    "two photos": {
        "lda",
        "nca",
        "lmnn",
        "mlkr",
        "oasis",
        "scml",
        "omdl",
        "omdl-lr",
        "mkpoe",
        "kernel-best",
        "kernel-weighted",
    },
}
"""Learners that correctly refuse this input because it has no training data for them."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("case", ODD)
def test_odd_input_gives_finite_distances(name: str, case: str) -> None:
    X, side = ODD[case]
    if name in TAGS_ONLY and side.tags is None:
        with pytest.raises(LearnerError, match=r"nothing to learn from: it needs tags .*, judged pairs alone are not"):
            create(name).fit(X, side)
        return
    if name in REFUSED.get(case, ()):
        with pytest.raises(
            LearnerError, match=r"nothing to learn from: it needs judged pairs, or tags .*, (and|with) "
        ):
            create(name).fit(X, side)
        return
    learner = create(name).fit(X, side)
    assert np.isfinite(learner.distances_from(X[0], X)).all()
    elsewhere = X + np.linspace(-5, 5, X.shape[1])
    assert np.isfinite(learner.distances_from(X[0], elsewhere)).all()


@pytest.mark.parametrize("name", [name for name in NEEDY if name not in TAGS_ONLY])
def test_given_triplets_are_used(name: str) -> None:
    i = np.arange(57)
    relative = SideInformation(relative=np.column_stack([i, i + 3, i + 1]))
    learner = create(name).fit(samples(), relative)
    X, y = samples(90, seed=1), np.arange(90) % 3
    D = np.array([learner.distances_from(x, X) for x in X])
    D[np.arange(90), np.arange(90)] = np.inf
    assert (y[D.argsort(axis=1)[:, :10]] == y[:, None]).mean() > 0.9
    if not learner.takes_triplets:
        same = create(name).fit(samples(), relative.absolute())
        np.testing.assert_array_equal(learner.pair_distance(X[:9], X[9:18]), same.pair_distance(X[:9], X[9:18]))


def test_a_learner_loads_only_its_module_and_no_scikit_learn() -> None:
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, focal_photos.learners.persistence\nfrom focal_photos.learners import LEARNERS, create\n"
            "room = 'focal_photos.learners.linear'\n"
            "assert 'rca' in LEARNERS and not {name for name in sys.modules if name.startswith(room)}\n"
            "create('rca')\nnames = sys.modules\n"
            "assert f'{room}.rca' in names and f'{room}.oasis' not in names\n"
            "assert len(list(LEARNERS.values())) == len(LEARNERS) and f'{room}.oasis' in names\n"
            "assert not {'sklearn', 'scipy.sparse', 'scipy.optimize'} & sys.modules.keys()\n",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert loaded.returncode == 0, loaded.stderr


def test_tools_of_scikit_learn_accept_learners() -> None:
    class AsStep(FeatureSpace):
        def fit(self, X: NDArray[np.float64], y: object = None) -> Self:  # type: ignore[override]
            return super().fit(X)

    X, y = samples(), np.arange(60) % 3
    searched = GridSearchCV(make_pipeline(AsStep(), KNeighborsClassifier(1)), {"asstep__components": [1, 3]}, cv=3)
    assert searched.fit(X, y).best_score_ > 0.8
    assert searched.best_params_ == {"asstep__components": 3}


def test_an_estimator_returns_its_parameters() -> None:
    assert repr(create("lmnn", iterations=50, push=0.25)) == "Lmnn(push=0.25)"
    with pytest.raises(ValueError, match="Euclidean has no parameter 'speed'"):
        create("euclidean").set_params(speed=1)


def test_a_clone_shares_no_mutable_parameter() -> None:
    family = [FeatureFamily("all", 0, 2, False)]
    space = FeatureSpace(tuple(family), components=2)
    space.families = family  # type: ignore[assignment]
    copy = own_clone(space)
    family.clear()
    assert len(copy.families) == 1
