"""Which learners suit what a person taught so far, with the parameters that are worth trying."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_MANY: Final = 1_000_000_000


@dataclass(frozen=True)
class Candidate:
    """A learner with parameters, and what must be there for it to be tried.

    Attributes
    ----------
    learner : str
    parameters : mapping
    tagged, judgements : tuple of int
        Least and largest number of tagged photos, and of judgements. It is tried where one of the two is as large as
        its least, and neither larger than its largest number.
    """

    learner: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    tagged: tuple[int, int] = (8, _MANY)
    judgements: tuple[int, int] = (4, _MANY)

    @property
    def name(self) -> str:
        """The learner and its parameters, unique among candidates."""
        return " ".join([self.learner, *(f"{name}={value}" for name, value in self.parameters.items())])

    def suits(self, tagged: int, judgements: int) -> bool:
        """Return whether it is worth trying with so many tagged photos and judgements."""
        enough = tagged >= self.tagged[0] or judgements >= self.judgements[0]
        return enough and tagged <= self.tagged[1] and judgements <= self.judgements[1]


def _blends(learner: str, blends: tuple[float, ...], **more: Any) -> list[Candidate]:
    """Return candidates that differ in how much of the Euclidean distance stays."""
    limits = {name: more.pop(name) for name in ("tagged", "judgements") if name in more}
    return [Candidate(learner, {"euclidean_blend": blend, **more}, **limits) for blend in blends]


_NEVER: Final = (_MANY, _MANY)

CANDIDATES: Final[tuple[Candidate, ...]] = (
    # A few judgements: directions that pull the similar together, little of them against much Euclidean distance.
    *_blends("kernel", (0.25, 1.0, 4.0)),
    *_blends("ratio", (0.5, 2.0)),
    *_blends("rca", (1.0, 4.0), tagged=_NEVER),
    *_blends("oasis", (1.0,), tagged=(40, 2000), judgements=(40, 2000)),
    # Tags: what they predict against what they leave open.
    *_blends("tag-ratio", (0.1,), between_exponent=0.25, judgements=_NEVER),
    *_blends("tag-ratio", (0.1, 0.5), between_exponent=0.5, judgements=_NEVER),
    *_blends("tag-ratio-kernel", (0.05, 0.5), between_exponent=0.25, judgements=_NEVER),
    *_blends("tag-ratio-kernel", (0.05, 0.5), between_exponent=0.5, judgements=_NEVER),
    # Bits: strong at the top of the list. Pairs are drawn, since all of them would take minutes in large libraries.
    Candidate("bdm", {"rounds": 128, "dense": 0}, (40, _MANY), (60, _MANY)),
    Candidate("bdm-visual", {"rounds": 128, "dense": 0}, (40, _MANY), (20, _MANY)),
    Candidate("bdm-kernel", {"rounds": 128, "dense": 0}, (40, _MANY), (60, _MANY)),
    # Families of features that differ in worth.
    Candidate("omdl-lr", {"epochs": 1, "max_triplets": 8000, "components": 50}, (40, _MANY), (40, _MANY)),
)
"""What Automatic tries, and what is evaluated where nobody says what: which method when, by the amount of what a
person taught. Slow ones (NCA, LMNN, MKPOE) and those for what was taught alone (KML-DML) are left out."""


def suitable(tagged: int, judgements: int) -> list[Candidate]:
    """Return the candidates that are worth trying with so many tagged photos and judgements."""
    return [one for one in CANDIDATES if one.suits(tagged, judgements)]


def suited(tagged: int, judgements: int) -> list[str]:
    """Return the names of their learners, each once."""
    return list(dict.fromkeys(one.learner for one in suitable(tagged, judgements)))
