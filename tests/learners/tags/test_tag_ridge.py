# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.kernels import rbf
from focal_photos.learners.tags.sign_kernel import SignKernel
from focal_photos.learners.tags.tag_ridge import MOST_WITH_SIGNS, SHARES, SIGNS, TagRidge
from tests.examples import examples


def library(n: int = 60, m: int = 3, seed: int = 0) -> tuple[NDArray[np.float64], sp.csr_array]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, sp.csr_array((X[:, :m] + 0.3 * rng.normal(size=(n, m)) > 0.5).astype(float))


def test_scores_agree_with_kernel_ridge_regression() -> None:
    X, tags = library()
    elsewhere = X[::-1] + 0.3
    K = rbf(X, X, 0.2) + 1
    expected = (rbf(elsewhere, X, 0.2) + 1) @ np.linalg.solve(K + 0.5 * np.eye(60), tags.toarray())
    got = TagRidge(0.5, gamma=0.2).fit(X, tags).scores(elsewhere).tags
    np.testing.assert_allclose(got, expected, atol=1e-8)


@pytest.mark.parametrize("exact", [100, 10], ids=["exact", "landmarks"])
def test_the_left_out_scores_equal_those_of_a_fit_without_the_photo(exact: int) -> None:
    X, tags = library(40)
    ridge = TagRidge(0.5, gamma=0.2, exact=exact, landmarks=40).fit(X, tags)
    for i in (0, 7, 39):
        rest = np.arange(40) != i
        without = TagRidge(0.5, gamma=0.2).fit(X[rest], tags[np.flatnonzero(rest)])
        # With all photos as landmarks the Nyström map is complete but centred: the share of the intercept differs
        # slightly.
        np.testing.assert_allclose(
            ridge.left_out_.tags[i], without.scores(X[[i]]).tags[0], atol=1e-5 if exact > 40 else 0.05
        )


def shares(X: NDArray[np.float64], Y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a kernel unrelated to distances: 1 if the signs are equal, and less for each difference."""
    return np.asarray((np.sign(X)[:, None] == np.sign(Y)[None]).mean(axis=2) ** 2)


def test_the_kernel_is_the_weighted_mean_of_appearance_and_shared_neighbors() -> None:
    X, tags = library()
    elsewhere = X[:7] - 0.2
    K = 0.7 * rbf(X, X, 0.2) + 0.3 * shares(X, X)
    asked = 0.7 * rbf(elsewhere, X, 0.2) + 0.3 * shares(elsewhere, X)
    expected = (asked + 1) @ np.linalg.solve(K + 1 + 0.5 * np.eye(60), tags.toarray())
    ridge = TagRidge(0.5, gamma=0.2, neighbors=0.3).fit(X, tags, shared=sp.csr_array(shares(X, X)))
    got = ridge.scores(elsewhere, sp.csr_array(shares(elsewhere, X)))
    np.testing.assert_allclose(got.tags, expected, atol=1e-8)
    np.testing.assert_allclose(got.nearest, asked.max(axis=1), atol=1e-8)
    np.fill_diagonal(K, 0)
    np.testing.assert_allclose(ridge.left_out_.nearest, K.max(axis=1), atol=1e-6)


def kinds_of(n: int = 30, m: int = 3) -> tuple[NDArray[np.float64], sp.csr_array, NDArray[np.intp]]:
    """Return photos of m well-separated kinds with one tag each."""
    rng = np.random.default_rng(0)
    kind = np.arange(n) % m
    X = rng.normal(size=(n, 4)) + 3 * np.eye(m, 4)[kind]
    return X, sp.csr_array(np.eye(m)[kind]), kind


@pytest.mark.parametrize("exact", [100, 10], ids=["exact", "landmarks"])
def test_the_scores_without_a_kind_equal_those_of_a_fit_without_it(exact: int) -> None:
    X, tags, kind = kinds_of()
    ridge = TagRidge(0.5, gamma=0.2, exact=exact, landmarks=30).fit(X, tags)
    assert ridge.kind_left_out_ is not None
    for one in range(3):
        rest, out = np.flatnonzero(kind != one), np.flatnonzero(kind == one)
        expected = TagRidge(0.5, gamma=0.2).fit(X[rest], tags[rest]).scores(X[out])
        np.testing.assert_allclose(ridge.kind_left_out_.tags[out], expected.tags, atol=1e-5 if exact > 30 else 0.05)
        np.testing.assert_allclose(ridge.kind_left_out_.nearest[out], expected.nearest, atol=1e-6)


def test_no_kind_can_be_left_out_if_photos_have_several_tags() -> None:
    X, tags, _ = kinds_of()
    both = tags.toarray()
    both[0] = 1
    ridge = TagRidge().fit(X, sp.csr_array(both))
    assert ridge.kind_left_out_ is not None  # one of 30 photos
    assert np.isnan(ridge.kind_left_out_.tags[0]).all()
    both[:10] = 1
    assert TagRidge().fit(X, sp.csr_array(both)).kind_left_out_ is None


def test_shared_neighbors_are_used_only_if_they_predict_tags() -> None:
    rng = np.random.default_rng(0)
    kind = np.arange(40) % 2
    tags = sp.csr_array(np.eye(2)[kind])
    noise, told = rng.normal(size=(40, 5)), (kind[:, None] == kind).astype(float)
    assert TagRidge().fit(noise, tags, shared=sp.csr_array(told)).neighbors_ == SHARES[0]
    other = kind[(np.arange(40) // 2) % 2 * 20 + np.arange(40) // 4]
    misled = sp.csr_array((other[:, None] == other).astype(float))
    assert (other == kind).mean() == 0.5
    assert TagRidge().fit(noise + 3 * kind[:, None], tags, shared=misled).neighbors_ < 0.5
    alone = TagRidge().fit(noise[:2], tags[:2], shared=sp.csr_array(told[:2, :2]))
    assert alone.neighbors_ == SHARES[0]  # no data for a comparison


def test_rejections_do_not_change_the_kernel_of_their_photos() -> None:
    X, tags, _ = kinds_of()
    shown = X[[0, 3]] + 0.01  # both of kind 0
    given = sp.csr_array(sp.vstack([tags, sp.csr_array((2, 3))]))
    against = sp.csr_array(([1.0, 1.0], ([30, 31], [0, 0])), shape=(32, 3))
    before = TagRidge().fit(X, tags).scores(shown).tags
    taught = TagRidge(gamma=TagRidge().fit(X, tags).gamma_).fit(np.vstack([X, shown]), given, rejected=against)
    np.testing.assert_allclose(taught.left_out_.tags[30:], before, atol=1e-6)


def test_a_photo_with_only_rejections_affects_only_the_rejected_tags() -> None:
    X, tags, kind = kinds_of()
    shown = X[[0]] + 0.01  # of kind 0
    given = sp.csr_array(sp.vstack([tags, sp.csr_array((1, 3))]))
    against = sp.csr_array(([1.0], ([30], [0])), shape=(31, 3))
    plain = TagRidge().fit(X, tags)
    taught = TagRidge().fit(np.vstack([X, shown]), given, rejected=against)
    before, after = plain.scores(shown).tags[0], taught.scores(shown).tags[0]
    assert after[0] < before[0] - 0.1
    # Its left-out scores come from the tagged photos, as before the rejection.
    np.testing.assert_allclose(taught.left_out_.tags[30], before, atol=1e-2)
    np.testing.assert_allclose(after[1:], before[1:], atol=0.02)
    # It does not count as a tagged photo for the nearest distance of others.
    far = X[[0]] + 50
    near_it = TagRidge().fit(np.vstack([X, far]), given, rejected=against).scores(far)
    assert near_it.nearest[0] < 0.01
    landmarks = TagRidge(exact=10, landmarks=31).fit(np.vstack([X, shown]), given, rejected=against)
    np.testing.assert_allclose(landmarks.scores(shown).tags[0], after, atol=0.02)
    np.testing.assert_allclose(landmarks.left_out_.tags[30], taught.left_out_.tags[30], atol=0.02)
    # Neither it nor the photo itself counts as the nearest tagged photo.
    np.testing.assert_allclose(landmarks.left_out_.nearest, taught.left_out_.nearest, atol=1e-5)
    # A given tag overrules a rejection.
    carried = sp.csr_array(([1.0], ([0], [kind[0]])), shape=(30, 3))
    np.testing.assert_array_equal(TagRidge().fit(X, tags, rejected=carried).left_out_.tags, plain.left_out_.tags)


def test_float32_is_accurate_enough() -> None:
    X, tags = library(1100)
    rough, fine = TagRidge().fit(X, tags), TagRidge().fit(X[:999], tags[:999])
    carried = tags[:, [0]].toarray()[:, 0] > 0
    assert roc_auc_score(carried, rough.left_out_.tags[:, 0]) == pytest.approx(
        roc_auc_score(carried[:999], fine.left_out_.tags[:, 0]), abs=0.02
    )
    K = rbf(X, X, float(rough.gamma_)) + 1
    expected = K @ np.linalg.solve(K + 0.1 * np.eye(1100), tags.toarray())
    np.testing.assert_allclose(rough.scores(X).tags, expected, atol=0.01)


def test_landmarks_approximate_the_exact_regression() -> None:
    X, tags = library(200)
    exact = TagRidge().fit(X, tags)
    near = TagRidge(exact=50, landmarks=100).fit(X, tags)
    assert len(near.landmarks_) == 100
    a, b = exact.scores(X).tags.ravel(), near.scores(X).tags.ravel()
    assert np.corrcoef(a, b)[0, 1] > 0.95
    assert np.corrcoef(exact.left_out_.tags.ravel(), near.left_out_.tags.ravel())[0, 1] > 0.95


def test_left_out_scores_do_not_overfit() -> None:
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(150, 30)), rng.random((150, 1)) < 0.4
    ridge = TagRidge(0.01).fit(X, sp.csr_array(noise.astype(float)))
    assert roc_auc_score(noise[:, 0], ridge.scores(X).tags[:, 0]) > 0.99  # on its training data
    assert roc_auc_score(noise[:, 0], ridge.left_out_.tags[:, 0]) < 0.65


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 10_000), n=st.integers(1, 12), exact=st.sampled_from([1, 100]))
def test_tiny_and_singular_cases_give_finite_scores(seed: int, n: int, exact: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, 2)).astype(np.float32)  # copies
    tags = sp.csr_array((rng.random((n, 2)) < rng.random()).astype(float))
    ridge = TagRidge(exact=exact, landmarks=5).fit(X, tags)
    assert np.isfinite(ridge.left_out_.tags).all()
    assert np.isfinite(ridge.scores(X + 1).tags).all()


def test_invalid_input_is_refused() -> None:
    X, tags = library()
    with pytest.raises(LearnerError, match="tags are of 60 photos, the samples of 59"):
        TagRidge().fit(X[1:], tags)
    with pytest.raises(LearnerError, match="regularization and gamma"):
        TagRidge(0.0).fit(X, tags)
    with pytest.raises(LearnerError, match="exact must be at most"):
        TagRidge(exact=10_000).fit(X, tags)
    with pytest.raises(LearnerError, match="NaN"):
        TagRidge().fit(np.full((60, 2), np.nan), tags)
    with pytest.raises(LearnerError, match="has 3 features"):
        TagRidge().fit(X, tags).scores(X[:, :3])
    with pytest.raises(LearnerError, match="neighbors must be in 0"):
        TagRidge(neighbors=2).fit(X, tags)
    with pytest.raises(LearnerError, match="must be those of 60 photos"):
        TagRidge().fit(X, tags, shared=sp.csr_array(np.eye(59)))
    with pytest.raises(LearnerError, match="tags and rejections differ"):
        TagRidge().fit(X, tags, rejected=tags[:59])
    with pytest.raises(LearnerError, match="given to both"):
        TagRidge(neighbors=0.5).fit(X, tags, shared=sp.csr_array(np.eye(60))).scores(X)
    with pytest.raises(NotFittedError, match="call fit first"):
        TagRidge().scores(X)


def codes_of(n: int, c: int = 40, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (n, c), dtype=np.uint8)


def told_by_codes(n: int, seed: int = 0) -> tuple[NDArray[np.float64], sp.csr_array, NDArray[np.uint8]]:
    """Return uninformative samples, three tags, and codes in which photos of a tag share many bits."""
    rng = np.random.default_rng(seed)
    kind = np.arange(n) % 3
    common = np.random.default_rng(99).integers(0, 2, (3, 320))
    bits = np.where(rng.random((n, 320)) < 0.35, rng.integers(0, 2, (n, 320)), common[kind])
    return rng.normal(size=(n, 4)), sp.csr_array(np.eye(3)[kind]), np.packbits(bits, axis=1)


def test_codes_are_part_of_the_kernel() -> None:
    X, tags, codes = told_by_codes(30)
    others, _, their_codes = told_by_codes(12, 1)
    share = 0.3 * np.eye(30)
    ridge = TagRidge(0.5, gamma=0.2, neighbors=0.25, signs=0.4)
    ridge.fit(X, tags, shared=sp.csr_array(share), codes=codes)
    kernel = SignKernel(codes)
    K = 0.75 * (0.6 * rbf(X, X, 0.2) + 0.4 * kernel.kernel) + 0.25 * share
    weights = np.linalg.inv(K + 1 + 0.5 * np.eye(30)) @ tags.toarray()
    shared = sp.csr_array((12, 30))
    expected = 0.75 * 0.6 * rbf(others, X, 0.2) @ weights + weights.sum(axis=0)
    expected += 0.75 * 0.4 * kernel.weights(weights).scores(their_codes)
    found = ridge.scores(others, shared, their_codes)
    np.testing.assert_allclose(found.tags, expected, atol=1e-5)
    # The distance to the nearest tagged photo does not depend on codes.
    np.testing.assert_allclose(found.nearest, 0.75 * rbf(others, X, 0.2).max(axis=1), atol=1e-6)
    looks = 0.75 * rbf(X, X, 0.2)
    kinds = np.arange(30) % 3
    assert ridge.kind_left_out_ is not None
    for some, own in ((ridge.left_out_, np.arange(30)), (ridge.kind_left_out_, kinds)):
        expected = np.where(own[:, None] == own, 0, looks).max(axis=1)
        np.testing.assert_allclose(some.nearest, expected, atol=1e-6)


def test_left_out_scores_with_codes_equal_those_of_a_fit_without_the_photo() -> None:
    # The codes are centred at the mean of all photos, which contains no information on tags.
    X, tags, codes = told_by_codes(20)
    ridge = TagRidge(0.5, gamma=0.2, signs=0.5).fit(X, tags, codes=codes)
    K = 0.5 * rbf(X, X, 0.2) + 0.5 * SignKernel(codes).kernel + 1
    rest = np.arange(1, 20)
    weights = np.linalg.solve(K[np.ix_(rest, rest)] + 0.5 * np.eye(19), tags.toarray()[rest])
    np.testing.assert_allclose(ridge.left_out_.tags[0], K[0, rest] @ weights, atol=1e-5)


def test_codes_add_information_to_appearance() -> None:
    X, tags, codes = told_by_codes(60)
    others, truth, their_codes = told_by_codes(60, 1)
    plain = TagRidge().fit(X, tags).scores(others).tags.argmax(axis=1)
    coded = TagRidge().fit(X, tags, codes=codes).scores(others, None, their_codes).tags.argmax(axis=1)
    kinds = truth.toarray().argmax(axis=1)
    assert (coded == kinds).mean() > 0.9 > (plain == kinds).mean()


def test_the_share_of_codes_depends_on_the_tags() -> None:
    X, tags, codes = told_by_codes(60)
    assert TagRidge().fit(X, tags).signs_ == 0
    assert TagRidge().fit(X, tags, codes=codes).signs_ == SIGNS[0]
    both = sp.csr_array(np.ones((60, 3)))
    assert TagRidge().fit(X, both, codes=codes).signs_ == SIGNS[1]
    many = sp.csr_array(np.eye(60, MOST_WITH_SIGNS + 1))
    assert TagRidge().fit(X, many, codes=codes).signs_ == 0
    most = sp.csr_array(np.eye(60, MOST_WITH_SIGNS))
    assert TagRidge().fit(X, most, codes=codes).signs_ == SIGNS[0]
    # Above `exact` photos the Nyström map is used without codes, and with the regularization for that case.
    rough = TagRidge(exact=40, landmarks=20).fit(X, tags, codes=codes)
    assert rough.signs_ == 0
    plain = TagRidge(exact=40, landmarks=20).fit(X, tags)
    np.testing.assert_array_equal(rough.coefficients_, plain.coefficients_)
    rough.scores(X)


def test_families_are_weighted_beside_codes() -> None:
    # The first family has the information of the codes with much noise; the second has other information.
    rng = np.random.default_rng(0)
    _, _, codes = told_by_codes(120)
    kind = np.arange(120) % 3
    half = rng.integers(0, 2, 120)
    tags = sp.csr_array(np.eye(6)[kind * 2 + half])
    noise = rng.normal(size=(120, 4))
    X = np.concatenate([3 * np.eye(3)[kind] + noise[:, :3], half[:, None] + 0.3 * noise[:, 3:]], axis=1)
    families = (FeatureFamily("kind", 0, 3, False), FeatureFamily("half", 3, 4, False))
    plain = TagRidge(families=families).fit(X, tags).scale_
    coded = TagRidge(families=families).fit(X, tags, codes=codes).scale_
    assert coded[3] > plain[3]
    assert coded[0] < plain[0]


def test_invalid_codes_are_refused() -> None:
    X, tags, codes = told_by_codes(30)
    with pytest.raises(LearnerError, match="Codes must be bytes of 30 photos"):
        TagRidge().fit(X, tags, codes=codes[1:])
    with pytest.raises(LearnerError, match="Codes must be bytes"):
        TagRidge().fit(X, tags, codes=codes.astype(np.int64))
    with pytest.raises(LearnerError, match="signs must be in"):
        TagRidge(signs=1.5).fit(X, tags, codes=codes)
    ridge = TagRidge().fit(X, tags, codes=codes)
    for wrong in (None, codes[1:]):
        with pytest.raises(LearnerError, match="to both fit and scores"):
            ridge.scores(X, None, wrong)
