"""Which learners suit what a person taught so far, with the parameters that are worth trying."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from focal_photos.learners import LEARNERS
from focal_photos.learners.core.learner.candidate import Candidate

STANDARD: Final = "kernel"
"""The learner of a person who has not chosen any, and what Automatic takes unless another is surely better."""


@dataclass(frozen=True)
class Trial:
    """A learner with parameters that Automatic tries.

    Attributes
    ----------
    learner : str
        In the table of learners.
    candidate : Candidate
        Its parameters, and what must be there for it to be tried.
    """

    learner: str
    candidate: Candidate

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Those that differ from the learner's own."""
        return self.candidate.parameters

    @property
    def name(self) -> str:
        """The learner and its parameters, unique among candidates."""
        return " ".join([self.learner, *(f"{name}={value}" for name, value in self.parameters.items())])


CANDIDATES: Final[tuple[Trial, ...]] = tuple(
    sorted(
        (Trial(name, candidate) for name, kind in LEARNERS.items() for candidate in kind.candidates),
        key=lambda one: one.candidate.turn,
    )
)
"""What Automatic tries, and what is evaluated where nobody says what: the learners' own candidates, in their turn."""


def suitable(tagged: int, judgements: int) -> list[Trial]:
    """Return the candidates that are worth trying with these numbers of tagged photos and judgements."""
    return [one for one in CANDIDATES if one.candidate.suits(tagged, judgements)]


def suited(tagged: int, judgements: int) -> list[str]:
    """Return the names of their learners, each once."""
    return list(dict.fromkeys(one.learner for one in suitable(tagged, judgements)))
