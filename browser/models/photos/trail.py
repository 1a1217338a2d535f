"""The walk through image space: what was shown, one step after the other, with a way back and forward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.operations.ranking.queries.query import Query

LONGEST: Final = 200
_MOST_BRANCHES: Final = 8
"""Ways that are remembered behind one step; which were left later stay."""


@dataclass(frozen=True)
class Collection:
    """Which photos are shown, before any ranking.

    Attributes
    ----------
    query : str
        Filter text; empty for all.
    folder : pathlib.Path or None
        Only photos in or below this folder.
    among : tuple of int or None
        Only some of these photos: an area of the map, say.
    order : Order
        How they are sorted while there is no focal image.
    seed : int
        Which of the random orders.
    """

    query: str = ""
    folder: Path | None = None
    among: tuple[int, ...] | None = None
    order: Order = Order.FOLDER
    seed: int = 0

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return not self.query.strip() and self.folder is None and self.among is None


@dataclass(frozen=True)
class GridPosition:
    """Where a person was in the grid.

    Attributes
    ----------
    anchor : int or None
        The photo in the first visible row; None for the top.
    offset : int
        Pixels of that row that are scrolled out of sight.
    current : int or None
        The photo with the keyboard focus.
    selected : tuple of int
        Selected photos.
    at_selected : bool
        Whether the first of the selected photos, in the order of the grid, is the anchor.
    """

    anchor: int | None = None
    offset: int = 0
    current: int | None = None
    selected: tuple[int, ...] = ()
    at_selected: bool = False


@dataclass(frozen=True)
class Step:
    """One view of the grid: a collection in its own order, or ranked by a focal image.

    Attributes
    ----------
    collection : Collection
        What is shown.
    focal_id : int or None
        The focal image; None for the order of the folders.
    label : str
        Name of the focal image, or of the collection.
    position : GridPosition
        Where the person was when leaving it.
    asked : Query or None
        What all are ranked by in place of a focal image: an image that is no photo of the library, or a text.
    """

    collection: Collection = field(default_factory=Collection)
    focal_id: int | None = None
    label: str = ""
    position: GridPosition = field(default_factory=GridPosition)
    asked: Query | None = None

    @property
    def shows(self) -> tuple[Collection, int | None, Query | None]:
        """What is shown, wherever the person is in it."""
        return self.collection, self.focal_id, self.asked

    @property
    def ranked(self) -> bool:
        """Whether photos are ranked, by a focal image or by what stands for one."""
        return self.focal_id is not None or self.asked is not None


class Trail:
    """Steps with a current one, and the branches that were left.

    Going on from the middle leaves the steps after it as a branch, which can be taken again.
    """

    def __init__(self) -> None:
        self._steps: list[Step] = [Step()]
        self._at = 0
        self._branches: dict[int, list[list[Step]]] = {}

    @property
    def steps(self) -> list[Step]:
        """All steps of the way that is shown, oldest first."""
        return list(self._steps)

    @property
    def at(self) -> int:
        """Number of the current step."""
        return self._at

    @property
    def current(self) -> Step:
        """The step that is shown."""
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
        """Return the ways that were left behind a step, the last one left first."""
        return [list(way) for way in reversed(self._branches.get(number, []))]

    def leave(self, position: GridPosition) -> None:
        """Remember where the person was in the current step."""
        self._steps[self._at] = replace(self.current, position=position)

    def label(self, text: str) -> None:
        """Name the current step."""
        self._steps[self._at] = replace(self.current, label=text)

    def push(self, step: Step) -> None:
        """Go on to a new step; one that shows the same as the current one replaces it."""
        if step.shows == self.current.shows:
            self._steps[self._at] = step
            return
        self._leave_branch()
        self._steps = [*self._steps[: self._at + 1], step]
        self._at += 1
        dropped = len(self._steps) - LONGEST
        if dropped > 0:
            self._steps, self._at = self._steps[dropped:], self._at - dropped
            self._branches = {number - dropped: ways for number, ways in self._branches.items() if number >= dropped}

    def take(self, number: int, branch: int) -> Step:
        """Go to the first step of a way that was left behind a step; the way that is shown becomes a branch there.

        Parameters
        ----------
        number : int
            Of the step that both ways begin at.
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
        """Go to the last of other steps, which follow the first one; the way that is shown becomes a branch."""
        self._at = 0
        self._leave_branch()
        way = list(steps)
        if way and way[0].shows == self._steps[0].shows:
            way = way[1:]
        self._steps = [self._steps[0], *way][:LONGEST]
        self._at = len(self._steps) - 1
        return self.current

    def restore(self, steps: Sequence[Step], at: int) -> Step:
        """Show other steps from now on, without branches, and return the current one."""
        self._steps = list(steps)[-LONGEST:] or [Step()]
        self._at = min(max(at - len(steps) + len(self._steps), 0), len(self._steps) - 1)
        self._branches = {}
        return self.current

    def drop(self) -> None:
        """Forget the current step and those after it; the first one stays."""
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
        """Keep the steps after the current one as a branch, if a ranking is among them."""
        ahead = self._steps[self._at + 1 :]
        self._branches = {number: ways for number, ways in self._branches.items() if number <= self._at}
        if any(step.ranked for step in ahead):
            self._branches.setdefault(self._at, []).append(ahead)
            del self._branches[self._at][:-_MOST_BRANCHES]
