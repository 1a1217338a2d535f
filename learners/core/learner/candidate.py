"""What Automatic tries of a learner, and when: parameters with the amount of feedback for which they are worth it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_MANY: Final = 1_000_000_000

NEVER: Final = (_MANY, _MANY)
"""Limits of a kind of feedback that is never reason enough to try a candidate."""


@dataclass(frozen=True)
class Candidate:
    """Parameters of a learner that are worth trying, and what must be there for it.

    Attributes
    ----------
    parameters : mapping
        Those that differ from the learner's own.
    tagged, judgements : tuple of int
        Least and largest number of tagged photos, and of judgements. It is tried where one of the two is as large as
        its least, and neither larger than its largest number.
    turn : int
        Lower ones are tried first, and those of one turn in the order of the table of learners: of equal scores the
        first wins, so that the simple ways come first.
    """

    parameters: Mapping[str, Any] = field(default_factory=dict)
    tagged: tuple[int, int] = (8, _MANY)
    judgements: tuple[int, int] = (4, _MANY)
    turn: int = 0

    def suits(self, tagged: int, judgements: int) -> bool:
        """Return whether it is worth trying with these numbers of tagged photos and judgements."""
        enough = tagged >= self.tagged[0] or judgements >= self.judgements[0]
        return enough and tagged <= self.tagged[1] and judgements <= self.judgements[1]


def at_least(tagged: int, judgements: int, turn: int, **parameters: Any) -> Candidate:
    """Return a candidate that is tried from these numbers of tagged photos or of judgements on."""
    return Candidate(parameters, (tagged, _MANY), (judgements, _MANY), turn)


def blends(
    *shares: float,
    tagged: tuple[int, int] = Candidate.tagged,
    judgements: tuple[int, int] = Candidate.judgements,
    turn: int = 0,
    **parameters: Any,
) -> tuple[Candidate, ...]:
    """Return candidates that differ in how much of the Euclidean distance stays (``euclidean_blend``)."""
    return tuple(Candidate({"euclidean_blend": share, **parameters}, tagged, judgements, turn) for share in shares)
