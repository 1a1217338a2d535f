# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.arrays.distinct import common, distinct, together, without

numbers = st.lists(st.integers(-5, 12) | st.integers(-(2**62), 2**62), max_size=30)
Of = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]


@given(numbers, st.sampled_from([np.int64, np.int32, np.intp]))
def test_distinct_numbers_are_sorted(values: list[int], kind: type[np.integer]) -> None:
    array = np.array(values, np.int64).astype(kind)
    found = distinct(array)
    assert found.dtype == kind
    assert found.tolist() == sorted(set(array.tolist()))
    assert distinct(array.reshape(1, -1)).tolist() == found.tolist()


@given(numbers, numbers)
def test_set_operations_agree_with_python(one: list[int], other: list[int]) -> None:
    first, second = np.array(one, np.int64), np.array(other, np.int64)
    assert common(first, second).tolist() == sorted(set(one) & set(other))
    assert without(first, second).tolist() == sorted(set(one) - set(other))
    assert together(first, second).tolist() == sorted(set(one) | set(other))


@pytest.mark.parametrize("of", [common, without, together])
def test_arguments_stay_unchanged(of: Of) -> None:
    first, second = np.array([3, 1, 3]), np.array([2, 3])
    of(first, second)
    assert (first.tolist(), second.tolist()) == ([3, 1, 3], [2, 3])
