# SPDX-License-Identifier: MIT
"""Candidates for Automatic: parameters of a learner, with the amount of feedback that makes them worth trying."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_UNLIMITED: Final = 1_000_000_000

NEVER: Final = (_UNLIMITED, _UNLIMITED)
"""Limits that exclude a kind of feedback as a reason to try a candidate."""


@dataclass(frozen=True)
class Candidate:
    """Parameters of a learner that are worth trying, and the feedback required.

    Attributes
    ----------
    parameters : mapping
        Parameters that differ from the learner's defaults.
    tagged, judgements : tuple of int
        Minimum and maximum number of tagged photos, and of judgements. The candidate is tried if one of the two reaches
        its minimum and neither exceeds its maximum.
    turn : int
        Priority; lower ones are tried first, equal ones in the order of the table of learners. Of equal scores the
        first wins, so simple methods come first.
    """

    parameters: Mapping[str, Any] = field(default_factory=dict)
    tagged: tuple[int, int] = (8, _UNLIMITED)
    judgements: tuple[int, int] = (4, _UNLIMITED)
    turn: int = 0

    def suits(self, tagged: int, judgements: int) -> bool:
        """Return whether the candidate is worth trying with these numbers of tagged photos and judgements."""
        enough = tagged >= self.tagged[0] or judgements >= self.judgements[0]
        return enough and tagged <= self.tagged[1] and judgements <= self.judgements[1]


def at_least(tagged: int, judgements: int, turn: int, **parameters: Any) -> Candidate:
    """Return a candidate with these minimum numbers of tagged photos or judgements."""
    return Candidate(parameters, (tagged, _UNLIMITED), (judgements, _UNLIMITED), turn)


def blends(
    *shares: float,
    tagged: tuple[int, int] = Candidate.tagged,
    judgements: tuple[int, int] = Candidate.judgements,
    turn: int = 0,
    **parameters: Any,
) -> tuple[Candidate, ...]:
    """Return candidates that differ in the weight of the Euclidean distance (``euclidean_blend``)."""
    return tuple(Candidate({"euclidean_blend": share, **parameters}, tagged, judgements, turn) for share in shares)
