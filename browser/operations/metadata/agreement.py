"""What a photo in Focal and its sidecars agree on: a three-way comparison with what both had at the last exchange.

A tag that one side has and did not have then was added there, one that it had and has no longer was taken off. Added
tags of all sides join; what was taken off on one side is taken off on the other, unless it was given again there. A
rating or a label that one side alone has changed is the new one; changed on both to different ones, it is a conflict,
which is asked or settled by what is preferred.

What both had then follows from what both have when an exchange ends: where they are alike, that; where they are not
(one could not be written, or a conflict stays open), what it was. So an exchange may stop at any moment and go on
later, whatever had been written by then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

T = TypeVar("T", int, str)


class Prefer(StrEnum):
    """Which side counts where both have changed."""

    ASK = "ask"
    FOCAL = "focal"
    SIDECAR = "sidecar"


@dataclass(frozen=True)
class State:
    """What a side says of a photo.

    Attributes
    ----------
    tags : frozenset of str
        As `normalise` has them.
    rating : int or None
        -1 or 1 to 5; None is none.
    label : str or None
    """

    tags: frozenset[str] = frozenset()
    rating: int | None = None
    label: str | None = None


@dataclass(frozen=True)
class Side:
    """A sidecar: what it says now, and what it and the photo both had at the last exchange."""

    now: State
    before: State = State()


@dataclass(frozen=True)
class Conflict:
    """A rating or a label that was changed in Focal and in a sidecar, differently; None is none.

    Attributes
    ----------
    field : str
        ``rating`` or ``label``.
    """

    field: str
    focal: int | str | None
    sidecar: int | str | None


def agree(
    focal: State,
    sides: Sequence[Side],
    given_again: Collection[str] = (),
    prefer: Callable[[str], Prefer] = lambda _field: Prefer.ASK,
) -> tuple[State, list[Conflict]]:
    """Return what all sides shall have, and the conflicts.

    Parameters
    ----------
    focal : State
    sides : sequence of Side
        The sidecars; of several that differ in a rating or label, the first that has changed speaks for all.
    given_again : collection of str
        Tags that were given in Focal after the last exchange, be it again.
    prefer : callable
        From ``rating`` or ``label`` to what counts in a conflict.

    Returns
    -------
    State
        Where a conflict is to be asked, what Focal has.
    list of Conflict
        Those to be asked.
    """
    added = {tag for side in sides for tag in side.now.tags - side.before.tags}
    gone = {tag for side in sides for tag in side.before.tags - side.now.tags}
    # What every sidecar had at the last exchange and Focal has no longer stays off, unless a sidecar got it since.
    tags = frozenset((focal.tags - (gone - set(given_again))) | added)
    conflicts: list[Conflict] = []
    rating = _value("rating", focal.rating, [(one.now.rating, one.before.rating) for one in sides], prefer, conflicts)
    label = _value("label", focal.label, [(one.now.label, one.before.label) for one in sides], prefer, conflicts)
    return State(tags, rating, label), conflicts


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


def agreed_on(focal: State, side: Side) -> State:
    """Return what is kept as what both had once an exchange has ended.

    Parameters
    ----------
    focal : State
        As it is then.
    side : Side
        `now` as it is then, `before` as it was kept.
    """
    now, before = side.now, side.before
    tags = (focal.tags & now.tags) | (before.tags & (focal.tags ^ now.tags))
    rating = now.rating if focal.rating == now.rating else before.rating
    label = now.label if focal.label == now.label else before.label
    return State(tags, rating, label)
