# SPDX-License-Identifier: MIT
"""One test per erratum of `learners/ERRATA.md`: the printed form is wrong, the corrected one is right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from focal_photos.learners import create
from focal_photos.learners.comparison.itml import log_det_projections
from focal_photos.learners.core.measures import precision_curve
from focal_photos.learners.core.progress import no_report
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.families.family_kernels import neighbor_laplacian
from focal_photos.learners.families.passive_aggressive import steps

Floats = NDArray[np.float64]
ROOT = Path(__file__).parents[2]
NAME = "ERRATA"


# ------------------------------------------------------------------ Yang 2010


def laplacian(S: Floats) -> Floats:
    return np.asarray(np.diag(S.sum(axis=1)) - S)


def largest(M: Floats) -> float:
    return float(np.linalg.eigvalsh(M)[-1])


class Round:
    """The matrices of a round of boosting over all pairs of photos with classes y, after distances D."""

    def __init__(self, y: NDArray[np.integer[Any]], D: Floats | None = None) -> None:
        same = y[:, None] == y
        D = np.zeros(same.shape) if D is None else D
        self.G = np.where(same & ~np.eye(len(y), dtype=bool), np.exp(D), 0.0)
        self.H = np.where(same, 0.0, np.exp(-D))
        g, h = self.G.sum(axis=1), self.H.sum(axis=1)
        self.F = float(g @ h)
        self.similar = self.G * (h[:, None] + h) / 2
        self.dissimilar = self.H * (g[:, None] + g) / 2

    def after(self, f: Floats, alpha: float) -> float:
        """Return the objective (equation 9) after a bit f, -1 or 1, with weight alpha."""
        moved = alpha * np.square(f[:, None] - f)
        return float((self.G * np.exp(moved)).sum(axis=1) @ (self.H * np.exp(-moved)).sum(axis=1))

    def bound(self, f: Floats, alpha: float, factor: float) -> float:
        """Return the bound of equation 11 on the change of the objective."""
        a, b = self.parts(f)
        return factor * float(np.expm1(8 * alpha) * a + np.expm1(-8 * alpha) * b)

    def parts(self, f: Floats) -> tuple[float, float]:
        """Return ``f'L+f`` and ``f'L-f``."""
        return float(f @ laplacian(self.similar) @ f), float(f @ laplacian(self.dissimilar) @ f)

    @property
    def gamma(self) -> float:
        """The guaranteed relative decrease of Theorem 3.5."""
        plus, minus = laplacian(self.similar), laplacian(self.dissimilar)
        spread = largest(self.similar + self.dissimilar) * max(largest(plus), largest(minus))
        return largest(minus - plus) ** 2 / (8 * spread)

    def bit(self, projection: Floats) -> Floats:
        """Return the bit of equation 17: the threshold with the largest difference of roots."""
        bits = [np.where(projection > cut, 1.0, -1.0) for cut in np.sort(projection)[:-1]]

        def gain(f: Floats) -> float:
            a, b = self.parts(f)
            return float(np.sqrt(max(b, 0.0)) - np.sqrt(max(a, 0.0)))

        return max(bits, key=gain)

    def weight(self, f: Floats) -> float:
        a, b = self.parts(f)
        return float((np.log(b) - np.log(a)) / 16)


def photos(seed: int, n: int = 40, d: int = 4) -> tuple[Floats, NDArray[np.intp]]:
    """Photos of three classes, some of which the coordinates do not separate."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = rng.normal(size=(n, d)) + 1.5 * np.eye(3, d)[y]
    return X - X.mean(axis=0), np.where(np.arange(n) < n // 6, rng.permutation(y), y)


def fall(sign: float, rounds: int = 30) -> float:
    """Return the factor by which boosting lowers F if u is the largest eigenvector of ``sign X'(L- - L+)X``."""
    X, y = photos(0)
    D = np.zeros((len(y), len(y)))
    for _ in range(rounds):
        now = Round(y, D)
        M = X.T @ (laplacian(now.dissimilar) - laplacian(now.similar)) @ X
        f = now.bit(X @ np.linalg.eigh(sign * M)[1][:, -1])
        alpha = now.weight(f)
        if not alpha > 0:
            break
        D += alpha * np.square(f[:, None] - f)
    return Round(y, D).F / Round(y).F


def test_y1_the_first_eigenvector_is_that_of_the_difference_in_the_other_order() -> None:
    printed, corrected = fall(-1.0), fall(1.0)
    assert corrected < 0.8
    assert printed > 0.95
    X, y = photos(0)
    learner: Any = create("bdm", paper=True, rounds=30).fit(X, SideInformation.from_labels(y))
    assert np.exp(learner.log_objective_[-1] - learner.log_objective_[0]) == pytest.approx(corrected, rel=1e-2)


def test_y2_the_factor_of_the_bound_is_a_quarter() -> None:
    rng = np.random.default_rng(0)
    violated = 0
    for seed in range(100):
        now = Round(photos(seed, 12)[1])
        f, alpha = rng.choice([-1.0, 1.0], 12), float(rng.uniform(0.001, 0.6))
        change = now.after(f, alpha) - now.F
        assert change <= now.bound(f, alpha, 1 / 4) + 1e-9 * now.F
        violated += change > now.bound(f, alpha, 1 / 8) + 1e-9 * now.F
    assert violated > 0
    # The factor moves neither the minimum over alpha nor the best f.
    grid = np.linspace(0.001, 0.2, 400)
    quarter, eighth = ([now.bound(f, float(alpha), factor) for alpha in grid] for factor in (1 / 4, 1 / 8))
    assert int(np.argmin(quarter)) == int(np.argmin(eighth))


def test_y3_the_weight_of_a_bit_is_the_logarithm_of_dissimilar_over_similar() -> None:
    X, y = photos(0)
    now = Round(y)
    f = now.bit(X[:, 0])
    a, b = now.parts(f)
    alpha = (np.log(b) - np.log(a)) / 16
    grid = alpha + np.linspace(-0.02, 0.02, 41)
    assert int(np.argmin([now.bound(f, float(x), 1 / 4) for x in grid])) == 20
    assert now.bound(f, alpha, 1 / 4) == pytest.approx(-((np.sqrt(b) - np.sqrt(a)) ** 2) / 4)
    assert now.after(f, alpha) < now.F < now.after(f, -alpha), "the opposite sign raises the objective"


def test_y4_the_guaranteed_factor_may_be_above_an_eighth() -> None:
    gammas = [Round(np.arange(n) == 0).gamma for n in (8, 20, 60, 120)]  # one photo unlike all others
    assert gammas[0] > 1 / 8
    assert gammas[-1] > 1, "then the theorem promises an objective below 0"
    assert (np.diff(gammas) > 0).all()


def test_y5_a_bit_of_the_features_may_miss_the_guaranteed_factor() -> None:
    y = np.arange(40) % 3
    now = Round(y)
    f = now.bit(np.random.default_rng(2).normal(size=40))  # a feature that tells nothing
    a, b = now.parts(f)
    alpha = now.weight(f)
    decrease = 1 - now.after(f, alpha) / now.F
    assert 0 < decrease < now.gamma
    assert decrease * now.F >= (np.sqrt(b) - np.sqrt(a)) ** 2 / 4, "Theorem 3.4 holds for every bit"


# ------------------------------------------------------------------ Chang & Yeung 2006


def test_c1_the_root_of_the_dissimilar_scatter_is_not_inverse() -> None:
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    rows = rng.choice(len(X), 300, replace=False)
    X, y = X[rows], y[rows]
    drawn = rng.integers(0, 300, (5000, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    alike = y[drawn[:, 0]] == y[drawn[:, 1]]
    side = SideInformation(drawn[alike][:150], drawn[~alike][:150])

    def learned(**parameters: Any) -> float:
        learner: Any = create("kernel", paper=True, n_components=150, ridge=0.03, **parameters)
        return precision_at_10(learner.fit(X, side).transform(X).astype(float), y)

    similar_alone = learned(use_dissimilar=False)
    assert learned() > similar_alone
    assert learned(dissimilar_exponent=-0.5) < similar_alone - 0.05


def precision_at_10(Z: Floats, y: NDArray[np.integer[Any]]) -> float:
    D = np.linalg.norm(Z[:, None] - Z, axis=2)
    np.fill_diagonal(D, np.inf)
    return float(precision_curve(y[np.argsort(D, axis=1)[:, :10]] == y[:, None])[-1])


def test_c2_the_dissimilar_scatter_is_divided_by_the_number_of_dissimilar_pairs() -> None:
    rng = np.random.default_rng(0)
    similar, dissimilar = rng.normal(size=(30, 3)), rng.normal(size=(10, 3))

    def scatter(differences: Floats, count: int) -> Floats:
        """Equation 5."""
        return np.asarray(differences.T @ differences / (2 * count))

    twice = np.concatenate([dissimilar, dissimilar])
    corrected = scatter(dissimilar, len(dissimilar)), scatter(twice, len(twice))
    np.testing.assert_allclose(*corrected)
    printed = scatter(dissimilar, len(similar)), scatter(twice, len(similar))
    np.testing.assert_allclose(printed[1], 2 * printed[0])
    # The half mean squared distance of the pairs is the trace.
    assert np.trace(corrected[0]) == pytest.approx(np.square(dissimilar).sum(axis=1).mean() / 2)
    assert np.trace(printed[0]) != pytest.approx(np.square(dissimilar).sum(axis=1).mean() / 2)


# ------------------------------------------------------------------ Xia 2013


def test_x1_both_roots_of_the_laplacian_are_inverse() -> None:
    rng = np.random.default_rng(0)
    K = np.exp(-np.abs(rng.normal(size=(8, 1)) - rng.normal(size=8)))
    K = (K + K.T) / 2
    V = rng.normal(size=(3, 8))
    L = neighbor_laplacian(K, 7)
    S = K - np.diag(np.diag(K))
    D = S.sum(axis=1)
    scaled = V / np.sqrt(D)
    smoothness = sum(S[i, j] * np.square(scaled[:, i] - scaled[:, j]).sum() for i in range(8) for j in range(8)) / 2
    printed = np.eye(8) - np.diag(D**-0.5) @ S @ np.diag(D**0.5)
    assert np.trace(V @ L @ V.T) == pytest.approx(smoothness), "equation 6"
    assert np.trace(V @ printed @ V.T) != pytest.approx(smoothness)
    assert not np.allclose(printed, printed.T)


def test_x2_errors_are_counted_before_the_update() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    families = (rng.normal(size=(60, 3)) + 3 * np.eye(3)[y], rng.normal(size=(60, 3)))
    W, before, after = [np.eye(3), np.eye(3)], np.zeros(2), np.zeros(2)
    for _ in range(200):
        i = int(rng.integers(60))
        j, k = (int(rng.choice(np.flatnonzero((y == y[i]) == alike))) for alike in (True, False))
        U, V = ([Z[[i]] - Z[[other]] for Z in families] for other in (j, k))
        moved, wrong = steps(W, U, V, 10.0)
        before += wrong[:, 0]
        after += [(u @ w @ u.T - v @ w @ v.T).item() > 0 for w, u, v in zip(moved, U, V, strict=True)]
        W = [np.eye(3), np.eye(3)]  # each triplet is new to the metric
    assert before[1] > 60, "noise orders many triplets wrongly"
    assert before[0] < before[1] / 4
    assert after.tolist() == [0, 0], "after the update, every family is right, and the weights are equal"


def test_x3_the_metric_acts_on_kernel_columns() -> None:
    rng = np.random.default_rng(0)
    n, d = 15, 4
    X = rng.normal(size=(n, d)) + 3 * np.eye(3, d)[np.arange(n) % 3]
    learner: Any = create("omdl", paper=True).fit(X, SideInformation.from_labels(np.arange(n) % 3))
    (W,) = learner.W_
    assert W.shape == (n, n)
    (columns,) = learner._family_kernels.coordinates(X)
    difference = columns[0] - columns[1:]
    expected = np.sqrt(np.einsum("ij,jk,ik->i", difference, W, difference))
    found = learner.distances_from(X[0], X)[1:]
    np.testing.assert_allclose(found / found[0], expected / expected[0], rtol=1e-4)
    with pytest.raises(ValueError, match="matmul"):
        difference @ np.eye(d)  # as printed


# ------------------------------------------------------------------ Qi 2009


def test_q1_the_residual_matrix_is_the_same_on_both_sides() -> None:
    rng = np.random.default_rng(0)
    A = rng.integers(0, 2, (9, 4)) + np.eye(9, 4)
    A[4:, 0] += 1
    A_R, A_C = A / A.sum(axis=1, keepdims=True), A / A.sum(axis=0)
    X, W = rng.normal(size=(3, 9)), rng.normal(size=(2, 3))
    objective = np.square(W @ X - W @ X @ A_C @ A_R.T).sum()
    left, middle = (np.eye(9) - A_C @ A_R.T).T, X.T @ W.T @ W @ X
    assert np.trace(left @ middle @ (np.eye(9) - A_C @ A_R.T)) == pytest.approx(objective), "equation 8, first line"
    assert np.trace(left @ middle @ (np.eye(9) - A_R @ A_C.T)) != pytest.approx(objective)


def test_q2_the_covariance_of_chunklets_keeps_its_divisor() -> None:
    rng = np.random.default_rng(0)
    chunklet = np.arange(12) % 3
    X = rng.normal(size=(2, 12))
    ones = np.eye(3)[:, chunklet]
    C = sum(np.cov(X[:, chunklet == c], bias=True) * (chunklet == c).mean() for c in range(3))
    printed = X @ (np.eye(12) - sum(np.outer(one, one) / one.sum() for one in ones)) @ X.T
    np.testing.assert_allclose(printed, 12 * C)
    # Lambda absorbs the divisor: equation 26 with n lambda is the distance of equation 22's covariance with lambda.
    np.testing.assert_allclose(np.eye(2) + printed / (12 * 0.7), np.eye(2) + C / 0.7)


# ------------------------------------------------------------------ Davis 2007


@pytest.mark.parametrize("delta", [1.0, -1.0])
def test_d1_a_projection_ends_at_the_bound_with_its_slack(delta: float) -> None:
    rng = np.random.default_rng(0)
    root, v = rng.normal(size=(3, 3)), rng.normal(size=3)
    M = root @ root.T
    p = float(v @ M @ v)
    xi = p * (0.6 if delta > 0 else 1.5)  # violated: too far for similar, too near for dissimilar photos

    def after(alpha: float, gamma: float) -> tuple[float, float]:
        """Return the distance and the bound after the step alpha."""
        beta = delta * alpha / (1 - delta * alpha * p)
        return float(v @ (M + beta * np.outer(M @ v, M @ v)) @ v), gamma * xi / (gamma + delta * alpha * xi)

    for gamma in (0.2, 1.0, 5.0):
        distance, bound = after(delta * gamma / (gamma + 1) * (1 / p - 1 / xi), gamma)
        assert distance == pytest.approx(bound)
        found, _, bounds = log_det_projections(v[None] @ root, np.array([delta]), np.array([xi]), gamma, 1, no_report)
        assert float(v @ root @ found @ root.T @ v) == pytest.approx(bounds[0]) == pytest.approx(bound)
        distance, bound = after(delta / 2 * (1 / p - gamma / xi), gamma)  # as printed
        assert (distance == pytest.approx(bound)) is (gamma == 1)


# ------------------------------------------------------------------ the document


def errata() -> dict[str, str]:
    """Return the text of each erratum by its number."""
    text = (ROOT / "learners" / f"{NAME}.md").read_text(encoding="utf-8")
    parts = re.split(r"^### ([A-Z]\d+) ", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_erratum_names_its_test_and_every_test_has_an_erratum() -> None:
    named = {number: re.findall(r"`(test_\w+)`", text) for number, text in errata().items()}
    numbered = {name.split("_")[1].upper(): [name] for name in globals() if re.match(r"test_[a-z]\d+_", name)}
    assert named == numbered


def test_every_erratum_is_complete() -> None:
    for number, text in errata().items():
        fields = re.findall(r"^- \*\*(.+?)\*\*", text, re.MULTILINE)
        assert fields == ["Printed:", "Correct:", "Reason:", "Verified:", "Test:"], number


def test_every_cited_erratum_exists() -> None:
    cited = []
    for file in [one for suffix in ("py", "md") for one in (ROOT / "learners").rglob(f"*.{suffix}")]:
        cited += re.findall(rf"{NAME}\.md, ([A-Z]\d+)", file.read_text(encoding="utf-8"))
    assert len(set(cited)) >= 8
    assert set(cited) <= set(errata())
