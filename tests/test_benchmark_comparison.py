# SPDX-License-Identifier: MIT
"""Tests of the comparison table: the paired tests, and which learners it tunes."""

from __future__ import annotations

import numpy as np
from scipy import stats

from focal_photos.learners import LEARNERS
from tests.benchmarks.quality.comparison import GRID, compared, settings_of


def test_every_learner_has_a_grid_of_the_same_size() -> None:
    assert set(GRID) == set(LEARNERS)
    single = {"euclidean", "omdl", "mkpoe"}
    assert {name: len(settings_of(name, ())) for name in GRID} == {name: 1 if name in single else 4 for name in GRID}


def test_p_values_are_corrected_by_holms_method() -> None:
    values = np.random.default_rng(0).normal([0.0, 0.3, 1.0, 0.6], 0.3, size=(5, 4))
    plain = [float(stats.ttest_rel(values[:, n], values[:, 0]).pvalue) for n in (1, 2, 3)]
    least, middle, most = sorted(plain)
    expected = {least: min(3 * least, 1)}
    expected[middle] = max(min(2 * middle, 1), expected[least])
    expected[most] = max(most, expected[middle])
    difference, p = compared(values, 0)
    np.testing.assert_allclose(p, [1, *(expected[one] for one in plain)])
    np.testing.assert_allclose(difference, values.mean(axis=0) - values[:, 0].mean())
