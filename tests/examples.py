# SPDX-License-Identifier: MIT
"""Number of examples that Hypothesis generates per test: few in ``make test``, all in ``make test-all``."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

THOROUGH: Final = "thorough"
"""Profile of ``make test-all``."""

_SHARE: Final = 4
"""Divisor of the number of examples in ``make test``."""


def examples(number: int) -> int:
    """Return the number of examples in the current profile.

    Parameters
    ----------
    number : int
        Examples in ``make test-all``.

    Returns
    -------
    int
        This number, or a quarter of it, at least 5.
    """
    return number if settings.get_current_profile_name() == THOROUGH else max(number // _SHARE, 5)
