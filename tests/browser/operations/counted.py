# SPDX-License-Identifier: MIT
"""Counts how often a function is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def counted(function: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    """Return a wrapper of a function that appends its name to a list at each call."""

    def call(*values: Any, **named: Any) -> Any:
        calls.append(function.__name__)
        return function(*values, **named)

    return call
