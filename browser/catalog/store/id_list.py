# SPDX-License-Identifier: MIT
"""Efficient transfer of many integers to and from SQL statements."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:  # a command that tags need not load numpy
    from numpy.typing import NDArray

DIGITS: Final = 20
"""Characters per number written by `in_digits`: a sign or zero, and 19 digits."""

_NUMBER: Final = f"%0{DIGITS}d"


def id_list(ids: Iterable[int] | NDArray[np.integer]) -> str:
    """Return ids as a JSON array; ``json_each(?)`` accepts any number of them in one statement."""
    numbers = ids.tolist() if hasattr(ids, "tolist") else [int(number) for number in ids]
    return json.dumps(numbers)


def integers(connection: sqlite3.Connection, sql: str, parameters: Sequence[Any] = ()) -> NDArray[np.int64]:
    """Return the only column of a query as an array; nulls are left out.

    SQLite itself concatenates the numbers, `DIGITS` characters each, without the GIL. Fetching rows in Python would
    request the GIL for each row, and so delay other threads.
    """
    (written,) = connection.execute(
        f"WITH asked(number) AS ({sql}) SELECT {in_digits('number')} FROM asked WHERE number IS NOT NULL", parameters
    ).fetchone()
    return from_digits(written or b"")


def in_digits(*numbers: str) -> str:
    """Return an SQL expression that encodes the values of expressions in all rows, for `from_digits`."""
    return f"CAST(group_concat(printf('{_NUMBER * len(numbers)}', {', '.join(numbers)}), '') AS BLOB)"


def from_digits(written: bytes) -> NDArray[np.int64]:
    """Decode the numbers written by `in_digits`."""
    letters = np.frombuffer(written, np.uint8).reshape(-1, DIGITS)
    found = np.zeros(len(letters), np.int64)
    for column in letters[:, 1:].T:
        found *= 10
        found += column
        found -= ord("0")
    found[letters[:, 0] == ord("-")] *= -1
    return found
