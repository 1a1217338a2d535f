# SPDX-License-Identifier: MIT
"""The branches of a trail: a new step in the middle leaves a branch that can be taken again."""

from __future__ import annotations

from focal_photos.browser.models.photos.trail import MAX_STEPS, Step, Trail


def trail_of(*photos: int) -> Trail:
    trail = Trail()
    for photo in photos:
        trail.push(Step(focal_id=photo, label=str(photo)))
    return trail


def photos(steps: list[Step]) -> list[int | None]:
    return [step.focal_id for step in steps]


def test_a_new_step_in_the_middle_leaves_a_branch() -> None:
    trail = trail_of(1, 2, 3)
    trail.go(1)
    trail.push(Step(focal_id=4))
    assert photos(trail.steps) == [None, 1, 4]
    assert [photos(way) for way in trail.branches(1)] == [[2, 3]]
    assert trail.branches(0) == []


def test_taking_a_branch_turns_the_old_path_into_one() -> None:
    trail = trail_of(1, 2, 3)
    trail.go(1)
    trail.push(Step(focal_id=4))
    trail.go(1)
    trail.push(Step(focal_id=5))
    assert [photos(way) for way in trail.branches(1)] == [[4], [2, 3]], "the branch left last comes first"
    assert trail.take(1, 1).focal_id == 2
    assert photos(trail.steps) == [None, 1, 2, 3]
    assert trail.at == 2
    assert [photos(way) for way in trail.branches(1)] == [[5], [4]]


def test_steps_without_a_photo_form_no_branch() -> None:
    trail = trail_of(1)
    trail.push(Step())
    trail.go(1)
    trail.push(Step(focal_id=2))
    assert trail.branches(1) == []


def test_branches_of_a_dropped_path_are_dropped_too() -> None:
    trail = trail_of(1, 2, 3)
    trail.go(2)
    trail.push(Step(focal_id=4))
    trail.go(1)
    trail.push(Step(focal_id=5))
    assert trail.branches(2) == []
    trail.drop()
    assert photos(trail.steps) == [None, 1]
    assert [photos(way) for way in trail.branches(1)] == [[2, 4]]


def test_branches_stay_with_their_steps_when_old_steps_are_dropped() -> None:
    trail = trail_of(*range(1, MAX_STEPS))
    trail.go(MAX_STEPS - 2)
    trail.push(Step(focal_id=5000))
    assert [photos(way) for way in trail.branches(MAX_STEPS - 2)] == [[MAX_STEPS - 1]]
    trail.push(Step(focal_id=5001))
    assert len(trail.steps) == MAX_STEPS
    assert [photos(way) for way in trail.branches(MAX_STEPS - 3)] == [[MAX_STEPS - 1]]
    assert trail.branches(MAX_STEPS - 2) == []
