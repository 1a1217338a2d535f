# SPDX-License-Identifier: MIT
"""Id lists that SQLite joins into one text match its rows."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from focal_photos.browser.catalog.store.id_list import from_digits, id_list, in_digits, integers

LEAST, MOST = -(1 << 63), (1 << 63) - 1


@given(st.lists(st.integers(LEAST, MOST)))
@example([LEAST, MOST, 0, -1])
def test_numbers_are_preserved(numbers: list[int]) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        found = integers(connection, "SELECT value FROM json_each(?)", (id_list(numbers),))
        assert found.dtype == np.int64
        assert found.tolist() == numbers
        descending = integers(connection, "SELECT value FROM json_each(?) ORDER BY value DESC", (id_list(numbers),))
        assert descending.tolist() == sorted(numbers, reverse=True)


def test_a_row_without_a_number_is_omitted() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        assert integers(connection, "SELECT value FROM json_each('[3, null, 5]')").tolist() == [3, 5]


@given(st.lists(st.tuples(*[st.integers(LEAST, MOST)] * 3)))
def test_rows_of_several_numbers_stay_together(rows: list[tuple[int, int, int]]) -> None:
    sql = f"SELECT {in_digits('value ->> 0', 'value ->> 1', 'value ->> 2')} FROM json_each(?)"
    with closing(sqlite3.connect(":memory:")) as connection:
        ((written,),) = connection.execute(sql, (json.dumps(rows),))
    assert from_digits(written or b"").reshape(-1, 3).tolist() == [list(row) for row in rows]
