# SPDX-License-Identifier: MIT
"""Three-way merge of a photo's data in Focal and in its sidecars with their common state at the last exchange.

A tag that one side has gained since was added there; a tag that it has lost was removed there. Tags added on any side
are added on all. A tag removed on one side is removed on all, unless it was given again. A rating or label changed on
one side only is adopted; if both sides changed it differently, it is a conflict, which the user or the preferred side
settles. Boxes are merged by `browser.operations.metadata.box_merge`; the tags that name them are tags of the photo.

At the end of an exchange, the new common state is the value on both sides where they are equal. Otherwise (one side
could not be written, or a conflict is open) it stays the same. An exchange can therefore be interrupted and resumed at
any time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from focal_photos.browser.catalog.facts.records import NamedRegion
from focal_photos.browser.operations.metadata.box_merge import (
    USUAL_STEPS,
    Boxes,
    Steps,
    are_same,
    common_boxes,
    merge_boxes,
)

T = TypeVar("T", int, str)


class Prefer(StrEnum):
    """Side that wins if both have changed."""

    ASK = "ask"
    FOCAL = "focal"
    SIDECAR = "sidecar"


@dataclass(frozen=True)
class State:
    """Data about a photo on one side."""

    tags: frozenset[str] = frozenset()
    """In the form of `normalise`."""
    rating: int | None = None
    """-1 or 1 to 5; None: no rating."""
    label: str | None = None
    boxes: Boxes = ()
    """In the order of `box_merge.in_order`."""

    def is_like(self, other: State, steps: Steps = USUAL_STEPS) -> bool:
        """Return whether both hold the same data; the places of boxes may differ by rounding."""
        return replace(self, boxes=()) == replace(other, boxes=()) and are_same(self.boxes, other.boxes, steps)


@dataclass(frozen=True)
class Side:
    """A sidecar: its present state and the common state at the last exchange."""

    now: State
    before: State = State()
    keeps_boxes: bool = False
    """Whether its regions are left alone; both states then have no boxes that matter."""


@dataclass(frozen=True)
class Conflict:
    """A rating or label changed differently in Focal and in a sidecar; None: no value."""

    field: str
    """``rating`` or ``label``."""
    focal: int | str | None
    sidecar: int | str | None


def agree(
    focal: State,
    sides: Sequence[Side],
    given_again: Collection[str] = (),
    prefer: Callable[[str], Prefer] = lambda _field: Prefer.ASK,
    *,
    drawn_again: Collection[NamedRegion] = (),
    steps: Steps = USUAL_STEPS,
) -> tuple[State, list[Conflict]]:
    """Return the merged state of all sides, and the conflicts.

    Parameters
    ----------
    sides : sequence of Side
        The sidecars. If several disagree about a rating or label, the first changed one wins.
    given_again : collection of str
        Tags given in Focal after the last exchange, even if they had been removed before.
    prefer : callable
        Takes ``rating`` or ``label`` and returns the side that wins a conflict.
    drawn_again : collection of NamedRegion
        Boxes drawn in Focal after the last exchange, even if they had been removed before.
    steps : Steps
        Differences of the sides of a box that rounding may cause.

    Returns
    -------
    State
        Contains Focal's value for conflicts that the user must settle.
    list of Conflict
        Conflicts that the user must settle.
    """
    added = {tag for side in sides for tag in side.now.tags - side.before.tags}
    gone = {tag for side in sides for tag in side.before.tags - side.now.tags}
    # A tag that all sidecars had at the last exchange and Focal has lost stays removed, unless a sidecar regained it.
    tags = frozenset((focal.tags - (gone - set(given_again))) | added)
    exchanged = [(side.now.boxes, side.before.boxes) for side in sides if not side.keeps_boxes]
    boxes = merge_boxes(focal.boxes, exchanged, drawn_again, steps)
    tags |= {box.tag for box in boxes if box.tag is not None}
    conflicts: list[Conflict] = []
    rating = _value("rating", focal.rating, [(one.now.rating, one.before.rating) for one in sides], prefer, conflicts)
    label = _value("label", focal.label, [(one.now.label, one.before.label) for one in sides], prefer, conflicts)
    return State(tags, rating, label, boxes), conflicts


def _value(
    field: str,
    focal: T | None,
    sides: Sequence[tuple[T | None, T | None]],
    prefer: Callable[[str], Prefer],
    conflicts: list[Conflict],
) -> T | None:
    changed = [(now, before) for now, before in sides if now != before and now != focal]
    if not changed:
        return focal
    theirs = changed[0][0]
    if any(before == focal for now, before in changed if now == theirs):
        return theirs
    chosen = prefer(field)
    if chosen is Prefer.ASK:
        conflicts.append(Conflict(field, focal, theirs))
    return theirs if chosen is Prefer.SIDECAR else focal


def agreed_on(focal: State, side: Side, steps: Steps = USUAL_STEPS) -> State:
    """Return the common state to store at the end of an exchange.

    Parameters
    ----------
    side : Side
        `now` at that time, `before` as stored previously.
    """
    now, before = side.now, side.before
    tags = (focal.tags & now.tags) | (before.tags & (focal.tags ^ now.tags))
    rating = now.rating if focal.rating == now.rating else before.rating
    label = now.label if focal.label == now.label else before.label
    boxes = before.boxes if side.keeps_boxes else common_boxes(focal.boxes, now.boxes, before.boxes, steps)
    return State(tags, rating, label, boxes)
