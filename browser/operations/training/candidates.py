# SPDX-License-Identifier: MIT
"""Learners and parameters worth trying, given the amount of training data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from focal_photos.learners import LEARNERS, PLACES, plugin_names
from focal_photos.learners.core.learner.candidate import Candidate

STANDARD: Final = "kernel"
"""Default learner; Automatic takes it unless another is significantly better."""


@dataclass(frozen=True)
class Trial:
    """A learner with parameters that Automatic tries."""

    learner: str
    """Name in the table of learners."""
    candidate: Candidate
    """Its parameters and the data that it requires."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Parameters that differ from the learner's defaults."""
        return self.candidate.parameters

    @property
    def name(self) -> str:
        """The learner and its parameters, unique among candidates."""
        return " ".join([self.learner, *(f"{name}={value}" for name, value in self.parameters.items())])


CANDIDATES: Final[tuple[Trial, ...]] = tuple(
    sorted(
        (Trial(name, candidate) for name in PLACES for candidate in LEARNERS[name].candidates),
        key=lambda one: one.candidate.turn,
    )
)
"""The own candidates of Focal's learners in order of priority, for Automatic and for evaluations without a list of
learners."""


def suitable(tagged: int, judgements: int) -> list[Trial]:
    """Return the candidates worth trying with these numbers of tagged photos and judgements.

    Those of plug-ins come last.
    """
    plugins = (
        Trial(name, candidate)
        for name in plugin_names()
        if (kind := LEARNERS.get(name)) is not None
        for candidate in kind.candidates
    )
    return [one for one in (*CANDIDATES, *plugins) if one.candidate.suits(tagged, judgements)]


def suited(tagged: int, judgements: int) -> list[str]:
    """Return the distinct names of the suitable learners."""
    return list(dict.fromkeys(one.learner for one in suitable(tagged, judgements)))
