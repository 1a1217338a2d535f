"""Numbers on their way into a statement and out of it: many at once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # a command that tags loads no numpy
    import numpy as np
    from numpy.typing import NDArray

DIGITS: Final = 20
"""Letters of a number that `in_digits` writes: its sign, or a nought, and the digits of the largest."""

_NUMBER: Final = f"%0{DIGITS}d"


def id_list(ids: Iterable[int] | NDArray[np.integer]) -> str:
    """Return ids as a JSON array: ``json_each(?)`` takes any number of them in one statement."""
    numbers = ids.tolist() if hasattr(ids, "tolist") else [int(number) for number in ids]
    return json.dumps(numbers)


def integers(connection: sqlite3.Connection, sql: str, parameters: Sequence[Any] = ()) -> NDArray[np.int64]:
    """Return the one column of a query as an array; rows without a number are left out.

    SQLite itself writes the numbers one after the other, `DIGITS` letters each: other threads go on meanwhile. Python
    would take row by row, and whoever waits for the interpreter is woken for each of them and gets it late.
    """
    (written,) = connection.execute(
        f"WITH asked(number) AS ({sql}) SELECT {in_digits('number')} FROM asked WHERE number IS NOT NULL", parameters
    ).fetchone()
    return from_digits(written or b"")


def in_digits(*numbers: str) -> str:
    """Return what selects the values of some expressions in all rows, in their order, as `from_digits` reads them."""
    return f"CAST(group_concat(printf('{_NUMBER * len(numbers)}', {', '.join(numbers)}), '') AS BLOB)"


def from_digits(written: bytes) -> NDArray[np.int64]:
    """Return the numbers that a statement with `in_digits` wrote."""
    import numpy as np

    letters = np.frombuffer(written, np.uint8).reshape(-1, DIGITS)
    found = np.zeros(len(letters), np.int64)
    for column in letters[:, 1:].T:
        found *= 10
        found += column
        found -= ord("0")
    found[letters[:, 0] == ord("-")] *= -1
    return found
