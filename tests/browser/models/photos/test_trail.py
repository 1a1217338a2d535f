# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.models.photos.trail import MAX_STEPS, Collection, GridPosition, Step, Trail


def labels(trail: Trail) -> list[str]:
    return [step.label for step in trail.steps]


def test_back_and_forward_move_along_the_trail() -> None:
    trail = Trail()
    for number in (1, 2):
        trail.push(Step(focal_id=number, label=str(number)))
    assert (trail.at, trail.can_go_back, trail.can_go_forward) == (2, True, False)
    assert trail.go(1).focal_id == 1
    assert trail.can_go_forward


def test_a_new_step_in_the_middle_drops_later_steps() -> None:
    trail = Trail()
    for number in (1, 2, 3):
        trail.push(Step(focal_id=number, label=str(number)))
    trail.go(1)
    trail.push(Step(focal_id=9, label="9"))
    assert labels(trail) == ["", "1", "9"]


def test_the_same_view_is_one_step() -> None:
    trail = Trail()
    trail.push(Step(focal_id=1, label="a"))
    trail.push(Step(focal_id=1, label="b"))
    trail.push(Step(Collection("tag:sea"), 1, "c"))
    assert labels(trail) == ["", "b", "c"]


def test_a_step_remembers_the_scroll_position() -> None:
    trail = Trail()
    position = GridPosition(anchor=4, offset=10, current=5, selected=(5, 6))
    trail.leave(position)
    trail.push(Step(focal_id=1))
    assert trail.go(0).position == position


def test_a_step_can_be_dropped() -> None:
    trail = Trail()
    trail.drop()
    for number in (1, 2):
        trail.push(Step(focal_id=number, label=str(number)))
    trail.go(1)
    trail.drop()
    assert labels(trail) == [""]


def test_the_oldest_steps_are_dropped() -> None:
    trail = Trail()
    for number in range(MAX_STEPS + 50):
        trail.push(Step(focal_id=number))
    assert len(trail.steps) == MAX_STEPS
    assert trail.current.focal_id == MAX_STEPS + 49


def test_a_saved_trail_is_restored_at_its_step() -> None:
    trail = Trail()
    trail.push(Step(focal_id=9))
    steps = [Step(focal_id=number) for number in range(MAX_STEPS + 2)]
    assert trail.restore(steps[:3], 1) == steps[1]
    assert (trail.steps, trail.at) == (steps[:3], 1)
    assert trail.restore(steps, 5) == steps[5]
    assert (trail.steps, trail.at) == (steps[2:], 3)
    assert trail.restore(steps, 0) == steps[2]
    assert trail.restore([], 4) == Step()


def test_a_saved_trail_follows_the_first_step_and_the_left_path_is_a_branch() -> None:
    trail = Trail()
    trail.push(Step(focal_id=9))
    steps = [Step(), Step(focal_id=1), Step(focal_id=2)]
    assert trail.open(steps) == steps[2]
    assert (trail.steps, trail.at) == (steps, 2)
    assert trail.branches(0) == [[Step(focal_id=9)]]
    assert trail.open([]) == Step()


def test_an_unknown_step_is_refused() -> None:
    with pytest.raises(IndexError, match="1 steps"):
        Trail().go(1)


@pytest.mark.parametrize(
    ("collection", "everything"),
    [(Collection(), True), (Collection("  "), True), (Collection("a"), False), (Collection("", Path("/a")), False)],
)
def test_a_collection_without_limits_is_everything(collection: Collection, everything: bool) -> None:
    assert collection.everything is everything
