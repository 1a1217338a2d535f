# SPDX-License-Identifier: MIT
"""The fewest gestures with which a user answers a question of Review: moves of the line, clicks, and strokes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Final

PIECES: Final = 3
"""Largest number of straight pieces of a stroke."""

_BEAM: Final = 16
"""Number of strokes that the search continues with another piece."""

_DIRECTIONS: Final = [(down, aside) for down, aside in product((-1, 0, 1), (-1, 0, 1)) if down or aside]


def fewest_actions(right: Sequence[bool], line: int, columns: int = 1) -> tuple[int, list[list[int]]]:
    """Return the best position of the line, then the strokes that flip the other wrong photos, for the fewest actions.

    A stroke goes from a tile to one of its eight neighbours, and only over tiles that need its answer or have it
    already. It has at most `PIECES` straight pieces. A stroke of a single tile is a click. They are made in this order.

    Parameters
    ----------
    right : sequence of bool
        Whether each photo has the tag.
    line : int
        Current position of the line; moving it is one action.
    columns : int
        Number of tiles in a row of the grid; with one column, strokes are runs in the order of the photos.
    """
    best, fewest = (line, list[list[int]]()), len(right) + 2
    parts = [part for answer in (False, True) for part in _connected([each == answer for each in right], columns)]
    known: dict[tuple[int, int], list[list[int]]] = {}
    for at in sorted(range(len(right) + 1), key=lambda at: abs(at - line)):
        wrong = sum(1 << row for row, is_right in enumerate(right) if is_right != (row < at))
        if sum(bool(part & wrong) for part in parts) + (at != line) >= fewest:
            continue
        strokes: list[list[int]] = []
        for part in parts:
            key = part, part & wrong
            if key not in known:
                known[key] = list(_strokes(*key, columns))
            strokes += known[key]
        if len(strokes) + (at != line) < fewest:
            best, fewest = (at, strokes), len(strokes) + (at != line)
    return best


def straight_pieces(stroke: Sequence[int], columns: int) -> int:
    """Return the number of straight pieces of a stroke; 1 for a click."""
    places = [divmod(row, columns) for row in stroke]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)]
    return 1 + sum(a != b for a, b in pairwise(steps))


def _connected(chosen: Sequence[bool], columns: int) -> list[int]:
    """Return the connected sets of the chosen tiles, as sums of powers of two."""
    left, parts = {row for row, each in enumerate(chosen) if each}, []
    while left:
        part, open_ = 0, [left.pop()]
        while open_:
            row = open_.pop()
            part |= 1 << row
            near = {each for step in _DIRECTIONS if (each := _next(row, step, columns)) in left}
            left -= near
            open_ += near
        parts.append(part)
    return parts


def _next(row: int, step: tuple[int, int], columns: int) -> int:
    """Return the tile beside another one; -1 outside of the grid's sides."""
    column = row % columns + step[1]
    return row + step[0] * columns + step[1] if 0 <= column < columns else -1


def _strokes(part: int, wrong: int, columns: int) -> Iterator[list[int]]:
    """Yield strokes over a connected set of tiles until they have touched all wrong ones, the longest first."""
    while wrong:
        stroke = _longest(part, wrong, columns)
        yield stroke
        for row in stroke:
            wrong &= ~(1 << row)


def _longest(part: int, wrong: int, columns: int) -> list[int]:
    """Return a stroke from a wrong tile, over a connected set, that touches many wrong tiles by few other ones."""
    Stroke = tuple[int, int, list[int]]  # number of wrong tiles, all tiles touched, path
    beam: list[Stroke] = [(1, 1 << row, [row]) for row in range(wrong.bit_length()) if wrong >> row & 1]
    best = beam[0]
    for _ in range(PIECES):
        longer: dict[tuple[int, int], Stroke] = {}
        for _count, touched, path in beam:
            for step in _DIRECTIONS:
                row, covered, way = path[-1], touched, path
                if len(path) > 1 and _next(row, step, columns) == path[-2]:
                    continue  # going back would restore tiles
                while (row := _next(row, step, columns)) >= 0 and part >> row & 1:
                    covered, way = covered | 1 << row, [*way, row]
                    if wrong >> row & 1:
                        longer[covered & wrong, row] = (covered & wrong).bit_count(), covered, way
        beam = sorted(longer.values(), key=lambda one: (-one[0], len(one[2])))[:_BEAM]
        if not beam:
            break
        best = max(best, beam[0], key=lambda one: (one[0], -len(one[2])))
    return best[2]
