"""Numbers on their way into a statement and out of it: many at once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a command that tags loads no numpy
    import numpy as np
    from numpy.typing import NDArray


def id_list(ids: Iterable[int] | NDArray[np.integer]) -> str:
    """Return ids as a JSON array: ``json_each(?)`` takes any number of them in one statement."""
    numbers = ids.tolist() if hasattr(ids, "tolist") else [int(number) for number in ids]
    return json.dumps(numbers)


def integers(connection: sqlite3.Connection, sql: str, parameters: Sequence[Any] = ()) -> NDArray[np.int64]:
    """Return the one column of a query as an array, without a list of rows between."""
    import numpy as np

    return np.fromiter(chain.from_iterable(connection.execute(sql, parameters)), np.int64)
