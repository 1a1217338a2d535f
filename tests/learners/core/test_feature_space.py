# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.learners import LearnerError
from focal_photos.learners.core.estimator import NotFittedError
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace

FAMILIES = (FeatureFamily("texture", 0, 12, False), FeatureFamily("colour", 12, 20, True))


def samples(n: int = 200, seed: int = 0) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    texture = rng.normal(size=(n, 12)) * np.geomspace(1, 1000, 12) + 50
    return np.concatenate([texture, rng.dirichlet(np.ones(8), n)], axis=1).astype(np.float32)


def spread(Z: NDArray[np.float32]) -> float:
    """Standard deviation of squared distances over pairs, for normal coordinates with these variances."""
    variances = np.linalg.eigvalsh(np.cov(Z.astype(np.float64).T, bias=True))
    return float(np.sqrt(8 * (variances**2).sum()))


def test_every_family_has_the_same_spread_of_squared_distances() -> None:
    space = FeatureSpace(FAMILIES).fit(samples())
    Z = space.transform(samples())
    assert [g.name for g in space.families_] == ["texture", "colour"]
    assert Z.shape[1] == space.families_[-1].stop
    for family in space.families_:
        assert spread(Z[:, family.start : family.stop]) == pytest.approx(1, rel=1e-3)


def test_all_components_preserve_distances_of_the_standardised_features() -> None:
    X = samples()
    Z = FeatureSpace(FAMILIES[:1], components=12).fit(X[:, :12]).transform(X[:, :12])
    S = (X[:, :12] - X[:, :12].mean(axis=0)) / X[:, :12].std(axis=0)
    expected = np.linalg.norm(S - S[0], axis=1)
    got = np.linalg.norm(Z - Z[0], axis=1)
    np.testing.assert_allclose(got[1:] / expected[1:], got[1] / expected[1], rtol=1e-3)


def test_counts_are_rooted_and_centred_but_not_standardised() -> None:
    X = samples()[:, 12:]
    Z = FeatureSpace((FeatureFamily("colour", 0, 8, True),)).fit(X).transform(X)
    R = np.sqrt(X)
    expected = np.linalg.norm(R - R[0], axis=1)
    got = np.linalg.norm(Z - Z[0], axis=1)
    np.testing.assert_allclose(got[1:] / expected[1:], got[1] / expected[1], rtol=1e-3)


def test_components_are_limited_in_each_family() -> None:
    space = FeatureSpace(FAMILIES, components=3).fit(samples())
    assert [(g.start, g.stop) for g in space.families_] == [(0, 3), (3, 6)]


def test_progress_is_reported_by_family_and_may_end_the_fit() -> None:
    shares: list[float] = []
    FeatureSpace(FAMILIES).fit(samples(), progress=shares.append)
    assert shares == [12 / 20, 1]

    def cancel(_share: float) -> None:
        raise InterruptedError

    space = FeatureSpace(FAMILIES)
    with pytest.raises(InterruptedError):
        space.fit(samples(), progress=cancel)
    with pytest.raises(NotFittedError):
        space.transform(samples())


def test_fewer_photos_than_columns_give_the_axes_of_the_covariance() -> None:
    X = samples(13)[:, :12]
    by_covariance = FeatureSpace().fit(X).transform(X)
    by_gram = FeatureSpace().fit(np.concatenate([X, X[:, :2], X[:, :2]], axis=1))
    assert by_covariance.shape[1] == 12
    assert by_gram.transform(np.concatenate([X, X[:, :2], X[:, :2]], axis=1)).shape[1] <= 12


def test_a_formerly_constant_column_has_no_effect_later() -> None:
    X = np.concatenate([samples(), np.full((200, 1), 0.1, np.float32)], axis=1)
    space = FeatureSpace((FeatureFamily("all", 0, 21, False),)).fit(X)
    odd = X[:1].copy()
    odd[0, 20] = 1e6
    np.testing.assert_array_equal(space.transform(odd), space.transform(X[:1]))


def test_a_family_without_variance_is_harmless() -> None:
    X = samples()
    X[:, 12:] = 0.125
    Z = FeatureSpace(FAMILIES).fit(X).transform(X)
    assert np.isfinite(Z).all()
    assert not Z[:, -1].any()


@pytest.mark.parametrize("n", [1, 2, 5])
def test_very_few_photos_give_finite_coordinates(n: int) -> None:
    assert np.isfinite(FeatureSpace(FAMILIES).fit(samples(n)).transform(samples(30))).all()


def test_a_memory_map_gives_the_same_space(tmp_path: Path) -> None:
    X = samples(9000)
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    np.testing.assert_array_equal(
        FeatureSpace(FAMILIES).fit(mapped).transform(mapped), FeatureSpace(FAMILIES).fit(X).transform(X)
    )


def test_a_large_library_is_fitted_on_a_seeded_sample() -> None:
    X = samples(400)
    a, b = (FeatureSpace(FAMILIES, sample=100, random_state=0).fit(X) for _ in range(2))
    assert a.digest_ == b.digest_
    assert FeatureSpace(FAMILIES, sample=100, random_state=1).fit(X).digest_ != a.digest_


def test_the_digest_identifies_the_fitted_state() -> None:
    digest = FeatureSpace(FAMILIES).fit(samples()).digest_
    assert len(digest) == 16
    assert FeatureSpace(FAMILIES).fit(samples()).digest_ == digest
    assert FeatureSpace(FAMILIES).fit(samples(seed=1)).digest_ != digest
    renamed = (FeatureFamily("shape", 0, 12, False), FAMILIES[1])
    assert FeatureSpace(renamed).fit(samples()).digest_ != digest


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.empty((0, 20)), "empty"),
        (np.zeros(20), "two dimensions"),
        (np.full((3, 20), np.nan), "NaN"),
        (np.zeros((3, 21)), "must cover the 21 columns"),
        (-np.ones((3, 20)), "colour holds counts, but some are negative"),
    ],
)
def test_unusable_features_are_refused(X: NDArray[np.float64], message: str) -> None:
    with pytest.raises(LearnerError, match=message):
        FeatureSpace(FAMILIES).fit(X)


def test_transform_validates_its_input() -> None:
    with pytest.raises(NotFittedError):
        FeatureSpace().transform(samples())
    space = FeatureSpace(FAMILIES).fit(samples())
    with pytest.raises(LearnerError, match="has 3 features, but FeatureSpace is expecting 20"):
        space.transform(np.zeros((2, 3)))
    with pytest.raises(LearnerError, match="NaN"):
        space.transform(np.full((2, 20), np.nan))
    assert space.transform(samples(1)).dtype == np.float32


def test_a_column_changed_only_by_rounding_is_constant() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    # varies much more than 1e-8 of the other columns, but less than 1e-7 of its mean
    X[:, 0] = 1000 + 1e-5 * X[:, 0]
    space = FeatureSpace().fit(X)
    assert not space.axes_[0][0].any()
    assert space.axes_[0][1:].any(axis=1).all()


def test_columns_on_one_scale_are_not_standardised() -> None:
    X = samples(300)[:, :12]
    Z = FeatureSpace((FeatureFamily("axes", 0, 12, False, is_scaled=True),), components=12).fit(X).transform(X)
    expected = np.linalg.norm((X - X[0]).astype(np.float64), axis=1)
    got = np.linalg.norm(Z - Z[0], axis=1)
    np.testing.assert_allclose(got[1:] / expected[1:], got[1] / expected[1], rtol=1e-3)


def test_the_representation_of_an_unscaled_family_is_unchanged() -> None:
    # Libraries store digests of spaces, which depend on it.
    assert repr(FAMILIES[0]) == "FeatureFamily(name='texture', start=0, stop=12, is_count=False)"
    assert repr(FeatureFamily("axes", 0, 2, False, True)).endswith("is_count=False, is_scaled=True)")
    assert repr(FeatureFamily("axes", 0, 2, False, True, 48, 2.0)).endswith(
        "is_scaled=True, components=48, weight=2.0)"
    )


def test_half_whitened_axes_have_the_root_of_their_variance_and_families_their_weight() -> None:
    X = samples(400)
    families = (FeatureFamily("texture", 0, 12, False, weight=3.0), FeatureFamily("colour", 12, 20, True))
    Z = FeatureSpace(families, components=5, whitening=0.5).fit(X).transform(X).astype(np.float64)
    for group, weight, values in (
        (slice(0, 5), 3.0, (X[:, :12] - X[:, :12].mean(axis=0)) / X[:, :12].std(axis=0)),
        (slice(5, 10), 1.0, np.sqrt(X[:, 12:])),
    ):
        covariance = np.cov(Z[:, group].T, bias=True)
        expected = np.sqrt(np.linalg.eigvalsh(np.cov(values.astype(np.float64).T, bias=True))[::-1][:5])
        np.testing.assert_allclose(np.diag(covariance) / covariance[0, 0], expected / expected[0], rtol=1e-3)
        np.testing.assert_allclose(covariance - np.diag(np.diag(covariance)), 0, atol=1e-4)
        # The mean squared distance of two photos is twice the sum of the variances.
        assert 2 * np.trace(covariance) == pytest.approx(weight, rel=1e-4)


def test_a_family_may_have_its_own_number_of_components() -> None:
    families = (FeatureFamily("texture", 0, 12, False, components=7), FeatureFamily("colour", 12, 20, True))
    assert [g.stop - g.start for g in FeatureSpace(families, components=3).fit(samples()).families_] == [7, 3]


def test_an_invalid_power_of_whitening_is_refused() -> None:
    for wrong in (-0.1, 1.1, np.nan):
        with pytest.raises(LearnerError, match="whitening"):
            FeatureSpace(whitening=wrong).fit(samples())


@pytest.mark.parametrize(("n", "kept"), [(3, 1), (8, 2), (30, 7), (200, 12)])
def test_few_rows_give_few_whitened_axes(n: int, kept: int) -> None:
    X = samples(n)[:, :12]
    assert FeatureSpace(whitening=0.5).fit(X).families_[0].stop == kept
    assert FeatureSpace().fit(X).families_[0].stop == min(n - 1, 12)


def test_the_squared_distance_at_unit_length_follows_from_the_weighted_mean_cosine() -> None:
    X = samples()
    families = (FeatureFamily("texture", 0, 12, False, weight=3.0), FeatureFamily("colour", 12, 20, True))
    plain = FeatureSpace(families, whitening=0.5).fit(X)
    unit = FeatureSpace(families, whitening=0.5, unit_length=True).fit(X)
    Z, U = plain.transform(X).astype(np.float64), unit.transform(X).astype(np.float64)
    parts = [Z[:, family.start : family.stop] for family in plain.families_]
    directions = [part / np.linalg.norm(part, axis=1, keepdims=True) for part in parts]
    cosines = (3 * directions[0] @ directions[0].T + directions[1] @ directions[1].T) / 4
    squared = ((U[:, None] - U) ** 2).sum(axis=2)
    np.testing.assert_allclose(squared, 2 - 2 * cosines, atol=1e-5)
    assert plain.digest_ != unit.digest_


def test_the_mean_has_no_direction_and_stays_zero() -> None:
    X = samples()
    space = FeatureSpace(FAMILIES, whitening=0.5, unit_length=True).fit(X)
    middle = space.mean_[None].copy()
    middle[:, 12:] **= 2  # counts are rooted first
    assert np.abs(space.transform(middle)[:, : space.families_[0].stop]).max() == 0
    odd = np.concatenate([middle[:, :12], X[:1, 12:]], axis=1)
    found = space.transform(odd)
    assert not found[:, : space.families_[0].stop].any()
    assert np.linalg.norm(found) == pytest.approx(1, rel=1e-5)
