"""Parameters of learners as a person gives them: by name, each of the kind of its default."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.local.learner import PARAMETERS as LOCAL_PARAMETERS
from focal_photos.learners import create
from focal_photos.learners.core.estimator import LearnerError

_GIVEN: Final = ("families",)
"""Parameters that the library gives: its families of features."""

_SWITCHES: Final = ("unit",)
"""Parameters that are true, false or auto."""


def defaults(learner: str) -> dict[str, Any]:
    """Return the parameters of a learner that a person may set, with their defaults.

    Raises
    ------
    OperationError
        There is no such learner.
    """
    if learner == LOCAL:
        return dict(LOCAL_PARAMETERS)
    try:
        known = create(learner).get_params()
    except LearnerError as error:
        raise OperationError(str(error)) from error
    return {name: value for name, value in known.items() if name not in _GIVEN}


def read(assignments: Iterable[str]) -> dict[str, Any]:
    """Read parameters that are written as ``name=value``; values are JSON, and what is no JSON is a text.

    Raises
    ------
    OperationError
        One has no ``=`` or no name.
    """
    found: dict[str, Any] = {}
    for assignment in assignments:
        name, sign, text = assignment.partition("=")
        if not sign or not name.strip():
            raise OperationError(f"{assignment!r} is no parameter: write NAME=VALUE, such as euclidean_blend=0.5.")
        try:
            found[name.strip()] = json.loads(text)
        except ValueError:
            found[name.strip()] = text.strip()
    return found


def checked(learner: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters whose values are of the kind of their defaults; whether they make sense, the learner says.

    Where the default is None or "auto" a number may take its place, or true and false in that of a switch.

    Raises
    ------
    OperationError
        There is no such learner or parameter, or a value of another kind.
    """
    known = defaults(learner)
    result = {}
    for name, value in parameters.items():
        if name not in known:
            raise OperationError(
                f"The learner {learner!r} has no parameter {name!r}; it has: {', '.join(known) or 'none'}."
            )
        is_switch = name in _SWITCHES and known[name] == "auto"
        wanted = "true, false or auto" if is_switch else _wanted(known[name])
        if not (isinstance(value, bool) or value == "auto" if is_switch else _fits(value, known[name])):
            raise OperationError(f"The parameter {name} of {learner!r} must be {wanted}, not {value!r}.")
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
