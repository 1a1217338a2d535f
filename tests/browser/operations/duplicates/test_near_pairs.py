# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.browser.operations.duplicates.near_pairs import ALL_WITH_ALL, near_pairs, typical_distance
from tests.examples import examples


def slowly(rows: NDArray[np.float32], radius: float) -> set[tuple[int, int]]:
    """Compute the near pairs by comparing all rows with each other."""
    n = len(rows)
    return {(i, j) for i in range(n) for j in range(i + 1, n) if np.linalg.norm(rows[i] - rows[j]) <= radius}


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10_000), n=st.integers(0, 60), d=st.integers(1, 30), radius=st.floats(0.5, 6))
def test_exactly_the_near_pairs_of_few_rows_are_found(seed: int, n: int, d: int, radius: float) -> None:
    rng = np.random.default_rng(seed)
    rows = (rng.normal(size=(n, d)) * rng.random(d)).astype(np.float32)
    first, second, apart = near_pairs(rows, radius)
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == slowly(rows, radius)
    assert len(first) == len(set(zip(first.tolist(), second.tolist(), strict=True))), "each pair occurs once"
    assert (first < second).all()
    assert (np.lexsort((second, first)) == np.arange(len(first))).all()
    np.testing.assert_allclose(apart, np.linalg.norm(rows[first] - rows[second], axis=1), rtol=1e-4, atol=1e-6)


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 10_000), n=st.integers(2, 50), queries=st.integers(0, 50))
def test_only_pairs_of_the_given_rows_are_found(seed: int, n: int, queries: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 5)).astype(np.float32)
    chosen = rng.choice(n, min(queries, n), replace=False)
    first, second, _ = near_pairs(rows, 2.5, queries=chosen)
    wanted = {pair for pair in slowly(rows, 2.5) if set(pair) & set(chosen.tolist())}
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == wanted
    assert len(first) == len(wanted)


def planted(n: int, copies: int, far: float) -> tuple[NDArray[np.float32], dict[int, int]]:
    """Return n rows, and for each of the last rows the earlier row of which it is a copy at the given distance."""
    rng = np.random.default_rng(1)
    rows = (rng.normal(size=(n, 60)) * np.linspace(1, 0.2, 60)).astype(np.float32)
    of = rng.choice(n - copies, copies, replace=False)
    noise = rng.normal(size=(copies, 60))
    noise *= far * typical_distance(rows) / np.linalg.norm(noise, axis=1, keepdims=True)
    rows[n - copies :] = rows[of] + noise
    return rows, {n - copies + i: int(row) for i, row in enumerate(of)}


def test_nearly_all_near_pairs_of_many_rows_are_found_once_each() -> None:
    rows, copies = planted(3 * ALL_WITH_ALL, 300, 0.25)
    radius = 0.3 * typical_distance(rows)
    first, second, apart = near_pairs(rows, radius)
    found = list(zip(first.tolist(), second.tolist(), strict=True))
    assert len(found) == len(set(found))
    assert found == sorted(found)
    assert (first < second).all()
    assert np.mean([(of, copy) in set(found) for copy, of in copies.items()]) > 0.95
    np.testing.assert_allclose(apart, np.linalg.norm(rows[first] - rows[second], axis=1), rtol=1e-4)
    assert (apart <= radius).all()
    asked = np.array(sorted(copies)[:40])
    some = near_pairs(rows, radius, queries=asked)[:2]
    wanted = {pair for pair in found if set(pair) & set(asked.tolist())}
    assert set(zip(*(side.tolist() for side in some), strict=True)) == wanted


def test_the_number_of_comparisons_grows_linearly(monkeypatch: pytest.MonkeyPatch) -> None:
    from focal_photos.browser.operations.duplicates import near_pairs as module

    compared: list[int] = []
    measure = module.distances

    def counted(rows: NDArray[np.float32], one: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.float32]:
        compared[-1] += len(one)
        return measure(rows, one, other)

    equal = np.zeros((20_000, 8), dtype=np.float32)  # worst case: all rows have one code
    each = planted(5000, 10, 0.2)[0], planted(20_000, 10, 0.2)[0], equal
    monkeypatch.setattr(module, "distances", counted)
    for rows in each:
        compared.append(0)
        near_pairs(rows, -1.0)
    assert compared[1] < 5 * compared[0]
    assert compared[2] == 32 * sum(20_000 - step for step in range(1, 13)), "each with the next 12 in each trial"


def test_planes_through_the_mean_leave_two_other_rows_with_the_same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    from focal_photos.browser.operations.duplicates import near_pairs as module

    compared: list[int] = []

    def counted(_rows: NDArray[np.float32], one: NDArray[np.intp], _other: NDArray[np.intp]) -> NDArray[np.float32]:
        compared.append(len(one))
        return np.ones(len(one), dtype=np.float32)

    n = 2048
    rows = 0.01 * np.random.default_rng(0).normal(size=(n, 500)) + 5  # far from the origin
    rows[0] += 0.1  # apart from the others
    monkeypatch.setattr(module, "distances", counted)
    near_pairs(rows.astype(np.float32), 0.0)
    # Ten planes make 1,024 codes for 2,047 other rows, in each of 32 trials; a pair counts once.
    assert sum(compared) == pytest.approx(32 * n * 2 / 2, rel=0.2)


def test_the_search_reports_progress_and_can_be_cancelled() -> None:
    rows, _ = planted(5000, 10, 0.2)  # two blocks
    shares: list[float] = []
    near_pairs(rows, 0.1, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) > 30

    def stop(share: float) -> None:
        if share > 0.5:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        near_pairs(rows, 0.1, progress=stop)


def test_the_typical_distance_is_the_median() -> None:
    rows = np.random.default_rng(0).normal(size=(500, 50)).astype(np.float32)
    assert typical_distance(rows) == pytest.approx(np.sqrt(2 * 50), rel=0.03)
    assert typical_distance(rows[:1]) == 0
    pair = np.array([[0.0], [3.0]], dtype=np.float32)
    assert typical_distance(pair) == 3, "a row is never compared with itself"
