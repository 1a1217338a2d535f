# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np

from focal_photos.browser.operations.ranking.good_example import NEIGHBORS, good_example


def test_the_photo_in_a_dense_group_is_chosen() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(100, 8)).astype(np.float32)
    rows[40:50] = rows[40] + 0.3 * rng.normal(size=(10, 8))
    ids = np.arange(100) + 7
    chosen = good_example(ids, rows)
    assert chosen is not None
    assert 47 <= chosen < 57


def test_copies_do_not_count_as_neighbours() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(100, 8)).astype(np.float32)
    rows[:20] = rows[0]
    rows[40:50] = rows[40] + 0.3 * rng.normal(size=(10, 8))
    chosen = good_example(np.arange(100), rows)
    assert chosen is not None
    assert 40 <= chosen < 50


def test_a_short_burst_is_not_a_good_example() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(100, 8)).astype(np.float32)
    rows[:3] = rows[0] + 0.1 * rng.normal(size=(3, 8))
    rows[40:50] = rows[40] + 0.3 * rng.normal(size=(10, 8))
    chosen = good_example(np.arange(100), rows)
    assert chosen is not None
    assert 40 <= chosen < 50


def test_few_or_equal_photos_have_no_good_example() -> None:
    assert good_example(np.arange(NEIGHBORS), np.eye(NEIGHBORS, dtype=np.float32)) is None
    assert good_example(np.arange(50), np.zeros((50, 3), np.float32)) is None
