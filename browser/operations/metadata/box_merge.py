# SPDX-License-Identifier: MIT
"""Three-way merge of a photo's boxes in Focal and its regions in sidecars with those at the last exchange.

Two boxes are the same if they have the same name and nearly the same place. A box that is not the same any more belongs
to one of the former boxes at nearly its place (it was renamed), or else to the nearest former box of its name (it was
moved). As for tags (`browser.operations.metadata.agreement`):

* A box added on any side is added on all.
* A box removed on one side is removed on all, unless the other side has changed it or it was drawn again.
* A box moved or renamed on one side is moved or renamed on all. If both sides changed it differently, both boxes stay.
* A box without a name is the same as one with a name at its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from focal_photos.browser.catalog.facts.records import NamedRegion, Region

Boxes = tuple[NamedRegion, ...]
Steps = tuple[float, float]
"""Differences of the sides of one box that rounding may cause, as fractions of width and height."""

Change = tuple[NamedRegion | None, NamedRegion | None]
"""A box before and after; None: there is none."""

_ROUNDED: Final = 1e-3  # a box that was written and read again, if it is more than a pixel
_PIXEL: Final = 1.01
USUAL_STEPS: Final = (_ROUNDED, _ROUNDED)


def steps_of(width: int, height: int) -> Steps:
    """Return the differences that rounding may cause in a photo of this size: a pixel, or a thousandth."""
    return max(_ROUNDED, _PIXEL / width), max(_ROUNDED, _PIXEL / height)


def in_order(boxes: Iterable[NamedRegion]) -> Boxes:
    """Return boxes in order of their names and places."""
    return tuple(sorted(boxes, key=lambda one: (one.tag or "", _sides(one.region))))


def is_near(one: Region, other: Region, steps: Steps) -> bool:
    """Return whether two regions are at nearly the same place."""
    return all(
        abs(a - b) <= steps[side % 2] for side, (a, b) in enumerate(zip(_sides(one), _sides(other), strict=True))
    )


def is_same(one: NamedRegion, other: NamedRegion, steps: Steps) -> bool:
    """Return whether two boxes have the same name and nearly the same place."""
    return one.tag == other.tag and is_near(one.region, other.region, steps)


def are_same(some: Sequence[NamedRegion], others: Sequence[NamedRegion], steps: Steps) -> bool:
    """Return whether both have the same boxes."""
    return len(some) == len(others) and len(_same(some, others, steps)) == len(some)


def merge_boxes(
    focal: Boxes, sides: Sequence[tuple[Boxes, Boxes]], again: Collection[NamedRegion], steps: Steps
) -> Boxes:
    """Return the merged boxes of all sides.

    Parameters
    ----------
    sides : sequence of (Boxes, Boxes)
        The present boxes of each sidecar, and those at the last exchange.
    again : collection of NamedRegion
        Boxes of Focal drawn after the last exchange.
    """
    merged = focal
    for now, before in sides:
        merged = _merged(merged, now, before, again, steps)
    for now, before in sides:  # a sidecar that added a box overrules one that removed it
        known = _origins(before, now, steps)
        for place, box in enumerate(now):
            if place not in known.values() and not any(_covers(one, box, steps) for one in merged):
                merged = (*merged, box)
    return in_order(_without_twins(merged, steps) if sides else merged)


def common_boxes(focal: Boxes, now: Boxes, before: Boxes, steps: Steps) -> Boxes:
    """Return the boxes to store at the end of an exchange: those of both sides, and former ones that one side has."""
    common = _same(focal, now, steps)
    left = [box for place, box in enumerate(focal) if place not in common]
    left += [box for place, box in enumerate(now) if place not in common.values()]
    kept = [focal[place] for place in common]
    for old in before:
        there = next((box for box in left if is_same(old, box, steps)), None)
        if there is not None:
            left.remove(there)
            kept.append(old)
    return in_order(kept)


def changes_of(now: Boxes, wanted: Boxes, steps: Steps) -> tuple[Change, ...]:
    """Return the changes that lead from some boxes to others; the same boxes are no change."""
    pairs = _origins(now, wanted, steps)
    changes: list[Change] = [
        (box, wanted[pairs[place]] if place in pairs else None)
        for place, box in enumerate(now)
        if place not in pairs or not is_same(box, wanted[pairs[place]], steps)
    ]
    changes += [(None, box) for place, box in enumerate(wanted) if place not in pairs.values()]
    return tuple(changes)


def changed_boxes(boxes: Boxes, changes: Iterable[Change]) -> Boxes:
    """Return boxes after changes."""
    left = list(boxes)
    for old, new in changes:
        if old is not None:
            left.remove(old)
        if new is not None:
            left.append(new)
    return in_order(left)


def _merged(here: Boxes, now: Boxes, before: Boxes, again: Collection[NamedRegion], steps: Steps) -> Boxes:
    """Return the merged boxes of Focal and one sidecar."""
    common = _same(here, now, steps)
    done_here, done_now = set(common), set(common.values())
    kept = [here[place] for place in common]
    of_here, of_now = _origins(before, here, steps), _origins(before, now, steps)
    for place, old in enumerate(before):
        mine, theirs = of_here.get(place), of_now.get(place)
        mine = None if mine in common else mine
        theirs = None if theirs in common.values() else theirs
        if mine is not None:
            done_here.add(mine)
        if theirs is not None:
            done_now.add(theirs)
        if mine is None and theirs is not None:
            kept += [now[theirs]] if not is_same(now[theirs], old, steps) else []
        elif mine is not None and theirs is None:
            kept += [here[mine]] if not is_same(here[mine], old, steps) or here[mine] in again else []
        elif mine is not None and theirs is not None:
            if not is_same(here[mine], old, steps):
                kept.append(here[mine])
            if not is_same(now[theirs], old, steps):
                kept.append(now[theirs])
    kept += [box for place, box in enumerate(here) if place not in done_here]
    kept += [box for place, box in enumerate(now) if place not in done_now]
    return _without_twins(kept, steps)


def _without_twins(boxes: Sequence[NamedRegion], steps: Steps) -> Boxes:
    """Return boxes without those without a name at the place of one with a name."""
    named = [box for box in boxes if box.tag is not None]
    return tuple(box for box in boxes if not any(_is_unnamed_twin(box, one, steps) for one in named))


def _covers(box: NamedRegion, other: NamedRegion, steps: Steps) -> bool:
    """Return whether a box is another one, or the other one with a name."""
    return is_same(box, other, steps) or (other.tag is None and is_near(box.region, other.region, steps))


def _is_unnamed_twin(one: NamedRegion, other: NamedRegion, steps: Steps) -> bool:
    """Return whether two boxes are at one place, and only one has a name."""
    return (one.tag is None) != (other.tag is None) and is_near(one.region, other.region, steps)


# ---------------------------------------------------------------------- pairs of boxes
def _same(some: Sequence[NamedRegion], others: Sequence[NamedRegion], steps: Steps) -> dict[int, int]:
    """Return the places of the same boxes in both sequences."""
    found: dict[int, int] = {}
    _pair(found, some, others, lambda one, other: is_same(one, other, steps))
    return found


def _origins(before: Sequence[NamedRegion], now: Sequence[NamedRegion], steps: Steps) -> dict[int, int]:
    """Return the places of former boxes, each with the place of the box that it has become."""
    found = _same(before, now, steps)
    _pair(found, before, now, lambda one, other: _is_unnamed_twin(one, other, steps))
    _pair(found, before, now, lambda one, other: one.tag == other.tag)
    _pair(found, before, now, lambda one, other: is_near(one.region, other.region, steps))
    return found


def _pair(
    found: dict[int, int],
    some: Sequence[NamedRegion],
    others: Sequence[NamedRegion],
    belongs: Callable[[NamedRegion, NamedRegion], bool],
) -> None:
    """Add the pairs of boxes that belong together and are in no pair yet, nearest first."""
    taken = set(found.values())
    candidates = sorted(
        (math.dist(_sides(one.region), _sides(other.region)), i, j)
        for i, one in enumerate(some)
        if i not in found
        for j, other in enumerate(others)
        if j not in taken and belongs(one, other)
    )
    for _, i, j in candidates:
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)


def _sides(region: Region) -> tuple[float, float, float, float]:
    return region.x0, region.y0, region.x1, region.y1
