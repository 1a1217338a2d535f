"""The walk through image space: what was shown, one step after the other, with a way back and forward."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

LONGEST: Final = 200


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
    """

    query: str = ""
    folder: Path | None = None
    among: tuple[int, ...] | None = None

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
    """

    anchor: int | None = None
    offset: int = 0
    current: int | None = None
    selected: tuple[int, ...] = ()


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
    """

    collection: Collection = field(default_factory=Collection)
    focal_id: int | None = None
    label: str = ""
    position: GridPosition = field(default_factory=GridPosition)


class Trail:
    """Steps with a current one. Going on from the middle drops the steps after it, as in a web browser."""

    def __init__(self) -> None:
        self._steps: list[Step] = [Step()]
        self._at = 0

    @property
    def steps(self) -> list[Step]:
        """All steps, oldest first."""
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

    def leave(self, position: GridPosition) -> None:
        """Remember where the person was in the current step."""
        self._steps[self._at] = replace(self.current, position=position)

    def label(self, text: str) -> None:
        """Name the current step."""
        self._steps[self._at] = replace(self.current, label=text)

    def push(self, step: Step) -> None:
        """Go on to a new step; one that shows the same as the current one replaces it."""
        if (step.collection, step.focal_id) == (self.current.collection, self.current.focal_id):
            self._steps[self._at] = step
            return
        self._steps = [*self._steps[: self._at + 1], step][-LONGEST:]
        self._at = len(self._steps) - 1

    def drop(self) -> None:
        """Forget the current step and those after it; the first one stays."""
        if self._at > 0:
            self._steps = self._steps[: self._at]
            self._at -= 1

    def go(self, number: int) -> Step:
        """Make another step the current one and return it."""
        if not 0 <= number < len(self._steps):
            raise IndexError(f"The trail has {len(self._steps)} steps, number {number} is none of them.")
        self._at = number
        return self.current
