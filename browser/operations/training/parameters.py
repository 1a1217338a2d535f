# SPDX-License-Identifier: MIT
"""Parse and check learner parameters given by the user, by name and by the type of the default."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.local.learner import PARAMETERS as LOCAL_PARAMETERS
from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.estimator import LearnerError

_SET_BY_LIBRARY: Final = ("families",)
"""Parameters set by the library: its feature families."""

_SWITCHES: Final = ("unit",)
"""Parameters whose value is true, false or auto."""


def defaults(learner: str) -> dict[str, Any]:
    """Return the parameters of a learner that the user may set, with their defaults.

    Raises
    ------
    OperationError
        If there is no such learner.
    """
    if learner == LOCAL:
        return dict(LOCAL_PARAMETERS)
    try:
        known = create(learner).get_params()
    except LearnerError as error:
        raise OperationError(str(error)) from error
    return {name: value for name, value in known.items() if name not in _SET_BY_LIBRARY}


def read(assignments: Iterable[str]) -> dict[str, Any]:
    """Parse parameters written as ``name=value``; a value that is not valid JSON is a string.

    Raises
    ------
    OperationError
        If an assignment lacks ``=`` or a name.
    """
    found: dict[str, Any] = {}
    for assignment in assignments:
        name, sign, text = assignment.partition("=")
        if not sign or not name.strip():
            raise OperationError("{0!r} is not a parameter: write NAME=VALUE, such as euclidean_blend=0.5.", assignment)
        try:
            found[name.strip()] = json.loads(text)
        except ValueError:
            found[name.strip()] = text.strip()
    return found


def checked(learner: str, parameters: Mapping[str, Any], paper: bool = False) -> dict[str, Any]:
    """Return parameters after checking that values have the type of their defaults; the learner checks their ranges.

    If the default is None or "auto", a number is valid too, or true and false for a switch.

    Raises
    ------
    OperationError
        If the learner or a parameter is unknown, a value has another type, or `paper` is set and the learner has no
        parameters of a paper.
    """
    known = defaults(learner)
    if paper and (learner not in LEARNERS or LEARNERS[learner].printed is None):
        raise OperationError("The learner {0!r} has no parameters of a paper.", learner)
    result = {}
    for name, value in parameters.items():
        if name not in known:
            raise OperationError(
                "The learner {0!r} has no parameter {1!r}; it has: {2}.", learner, name, ", ".join(known) or "none"
            )
        is_switch = name in _SWITCHES and known[name] == "auto"
        wanted = "true, false or auto" if is_switch else _wanted(known[name])
        if not (isinstance(value, bool) or value == "auto" if is_switch else _fits(value, known[name])):
            raise OperationError("The parameter {0} of {1!r} must be {2}, not {3!r}.", name, learner, wanted, value)
        result[name] = float(value) if isinstance(known[name], float) else value
    return result


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _fits(value: Any, default: Any) -> bool:
    if isinstance(default, bool):
        return isinstance(value, bool)
    if isinstance(default, int):
        return isinstance(value, int) and not isinstance(value, bool)
    if isinstance(default, float):
        return _is_number(value)
    if default is None or default == "auto":
        return value == default or _is_number(value)
    return isinstance(value, str)


def _wanted(default: Any) -> str:
    if isinstance(default, bool):
        return "true or false"
    if isinstance(default, int):
        return "a whole number"
    if isinstance(default, float):
        return "a number"
    if default is None:
        return "a number or null"
    return "a number or auto" if default == "auto" else "a word"
