# SPDX-License-Identifier: MIT
"""The trail through image space: the shown steps, with a way back and forward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.operations.ranking.queries.query import Query

MAX_STEPS: Final = 200
_MOST_BRANCHES: Final = 8
"""Largest number of branches at one step; the most recent ones are retained."""


@dataclass(frozen=True)
class Collection:
    """The shown photos, before any ranking."""

    query: str = ""
    """Filter text; empty for all."""
    folder: Path | None = None
    """Only photos in or below this folder."""
    among: tuple[int, ...] | None = None
    """Only these photos: for example, an area of the map."""
    order: Order = Order.FOLDER
    """Sort order without a focal image."""
    seed: int = 0

    @property
    def everything(self) -> bool:
        """Whether no photo is left out."""
        return not self.query.strip() and self.folder is None and self.among is None


@dataclass(frozen=True)
class GridPosition:
    """The user's position in the grid."""

    anchor: int | None = None
    """The photo in the first visible row; None for the top."""
    offset: int = 0
    """Pixels of that row that are scrolled out of sight."""
    current: int | None = None
    """The photo with the keyboard focus."""
    selected: tuple[int, ...] = ()
    at_selected: bool = False
    """Whether the anchor is the first selected photo in the order of the grid."""


@dataclass(frozen=True)
class Step:
    """One view of the grid: a collection in its own order, or ranked."""

    collection: Collection = field(default_factory=Collection)
    focal_id: int | None = None
    """The focal image; None for the order of the folders."""
    label: str = ""
    """Name of the focal image, or of the collection."""
    position: GridPosition = field(default_factory=GridPosition)
    """The user's position when leaving the step."""
    query: Query | None = None
    """The query that replaces a focal image: an image from outside the library, examples, or a text."""

    @property
    def shows(self) -> tuple[Collection, int | None, Query | None]:
        """The shown photos and their query, without the position."""
        return self.collection, self.focal_id, self.query

    @property
    def ranked(self) -> bool:
        """Whether photos are ranked, by a focal image or another query."""
        return self.focal_id is not None or self.query is not None


class Trail:
    """A list of steps with a current one, and the branches left behind.

    A new step in the middle turns the steps after it into a branch, which can be taken again.
    """

    def __init__(self) -> None:
        self._steps: list[Step] = [Step()]
        self._at = 0
        self._branches: dict[int, list[list[Step]]] = {}

    @property
    def steps(self) -> list[Step]:
        """All steps of the current path, oldest first."""
        return list(self._steps)

    @property
    def at(self) -> int:
        """Number of the current step."""
        return self._at

    @property
    def current(self) -> Step:
        """The current step."""
        return self._steps[self._at]

    @property
    def can_go_back(self) -> bool:
        """Whether there is an earlier step."""
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a later step."""
        return self._at < len(self._steps) - 1

    def branches(self, number: int) -> list[list[Step]]:
        """Return the branches at a step, the one left last first."""
        return [list(way) for way in reversed(self._branches.get(number, []))]

    def leave(self, position: GridPosition) -> None:
        """Record the user's position in the current step."""
        self._steps[self._at] = replace(self.current, position=position)

    def label(self, text: str) -> None:
        """Name the current step."""
        self._steps[self._at] = replace(self.current, label=text)

    def push(self, step: Step) -> None:
        """Go on to a new step; a step that shows the same as the current one replaces it."""
        if step.shows == self.current.shows:
            self._steps[self._at] = step
            return
        self._leave_branch()
        self._steps = [*self._steps[: self._at + 1], step]
        self._at += 1
        dropped = len(self._steps) - MAX_STEPS
        if dropped > 0:
            self._steps, self._at = self._steps[dropped:], self._at - dropped
            self._branches = {number - dropped: ways for number, ways in self._branches.items() if number >= dropped}

    def take(self, number: int, branch: int) -> Step:
        """Go to the first step of a branch; the current continuation becomes a branch there.

        Parameters
        ----------
        number : int
            The step at which the branch starts.
        branch : int
            Its place in `branches`.
        """
        way = self._branches[number].pop(-1 - branch)
        self._at = number
        self._leave_branch()
        self._steps = [*self._steps[: number + 1], *way]
        self._at = number + 1
        return self.current

    def open(self, steps: Sequence[Step]) -> Step:
        """Replace the steps after the first one, which become a branch, and go to the last of the new ones."""
        self._at = 0
        self._leave_branch()
        first, new = self._steps[0], list(steps)
        if new and new[0].shows == first.shows:
            new = new[1:]
        self._steps = [first, *new][:MAX_STEPS]
        self._at = len(self._steps) - 1
        return self.current

    def restore(self, steps: Sequence[Step], at: int) -> Step:
        """Replace all steps, without branches, and return the current one."""
        self._steps = list(steps)[-MAX_STEPS:] or [Step()]
        self._at = min(max(at - len(steps) + len(self._steps), 0), len(self._steps) - 1)
        self._branches = {}
        return self.current

    def drop(self) -> None:
        """Remove the current step and those after it; the first one stays."""
        if self._at > 0:
            self._steps = self._steps[: self._at]
            self._at -= 1
            self._branches = {number: ways for number, ways in self._branches.items() if number <= self._at}

    def go(self, number: int) -> Step:
        """Make another step the current one and return it."""
        if not 0 <= number < len(self._steps):
            raise IndexError(f"The trail has {len(self._steps)} steps, number {number} is none of them.")
        self._at = number
        return self.current

    def _leave_branch(self) -> None:
        """Save the steps after the current one as a branch, if they include a ranking."""
        ahead = self._steps[self._at + 1 :]
        self._branches = {number: ways for number, ways in self._branches.items() if number <= self._at}
        if any(step.ranked for step in ahead):
            self._branches.setdefault(self._at, []).append(ahead)
            del self._branches[self._at][:-_MOST_BRANCHES]
