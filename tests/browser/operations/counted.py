"""Counts how often a function is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def counted(function: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    """Return what calls a function and notes its name in a list each time."""

    def call(*values: Any, **named: Any) -> Any:
        calls.append(function.__name__)
        return function(*values, **named)

    return call
