# SPDX-License-Identifier: MIT
"""Merge of boxes with the regions of sidecars: known answers, and properties."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import NamedRegion, Region
from focal_photos.browser.operations.metadata.box_merge import (
    USUAL_STEPS,
    Boxes,
    are_same,
    changes_of,
    common_boxes,
    in_order,
    merge_boxes,
    steps_of,
)

PLACES = {place: (0.1 * number, 0.1 * number) for number, place in enumerate("pqrs")}


def box(text: str, shift: float = 0.0) -> NamedRegion:
    """Return the box of a name and a place: "anna p"; "- p" has no name."""
    name, place = text.split()
    left, top = PLACES[place]
    region = Region(left + shift, top, left + 0.2 + shift, top + 0.25)
    return NamedRegion(None if name == "-" else name, region)


def boxes(text: str, shift: float = 0.0) -> Boxes:
    """Return boxes of names and places: "anna p, ben q"."""
    return in_order(box(one, shift) for one in text.split(",") if one.strip())


@pytest.mark.parametrize(
    ("focal", "sidecar", "before", "merged"),
    [
        ("a p", "b q", "", "a p, b q"),  # added on both sides
        ("a p", "a p", "", "a p"),
        ("", "a p", "a p", ""),  # removed in Focal
        ("a p", "", "a p", ""),  # removed in the sidecar
        ("a q", "a p", "a p", "a q"),  # moved in Focal
        ("a p", "a q", "a p", "a q"),  # moved in the sidecar
        ("a q", "a q", "a p", "a q"),  # moved alike
        ("a q", "a r", "a p", "a q, a r"),  # moved apart: both stay
        ("a q", "", "a p", "a q"),  # moved in Focal, removed in the sidecar
        ("", "a q", "a p", "a q"),  # moved in the sidecar, removed in Focal
        ("b p", "a p", "a p", "b p"),  # renamed in Focal
        ("a p", "b p", "a p", "b p"),  # renamed in the sidecar
        ("- p", "a p", "a p", "- p"),  # its name was removed in Focal
        ("b p", "c p", "a p", "b p, c p"),  # renamed apart: both stay
        ("a p", "- p", "", "a p"),  # named in Focal
        ("- p", "a p", "", "a p"),
        ("a p, a q", "a p, a q", "a p, a q", "a p, a q"),  # two of one name
        ("a p, a q", "a q", "a p, a q", "a q"),
        ("a p, b q", "a q, b p", "a q, b p", "a p, b q"),  # exchanged places
        ("b p, - q", "- p, - q", "- p, - q", "b p, - q"),  # one of two faces was named
    ],
)
def test_known_merges(focal: str, sidecar: str, before: str, merged: str) -> None:
    for shift in (0.0, 0.0004):  # as after rounding
        found = merge_boxes(boxes(focal), [(boxes(sidecar, shift), boxes(before))], (), USUAL_STEPS)
        assert are_same(found, boxes(merged), USUAL_STEPS), found


def test_a_box_drawn_again_survives_its_removal_in_the_sidecar() -> None:
    (kept,) = boxes("a p")
    assert merge_boxes((kept,), [((), (kept,))], {kept}, USUAL_STEPS) == (kept,)


def test_a_sidecar_that_added_a_box_overrules_one_that_removed_it() -> None:
    here = boxes("a p")
    sides = [((), here), (here, ())]
    for order in (sides, sides[::-1]):
        assert merge_boxes(here, order, (), USUAL_STEPS) == here
        assert merge_boxes((), order, (), USUAL_STEPS) == here
    assert merge_boxes(here, sides[:1], (), USUAL_STEPS) == ()


def test_rounding_is_a_pixel_or_a_thousandth() -> None:
    assert steps_of(6000, 100) == pytest.approx((0.001, 0.0101))
    moved = (boxes("a p")[0], NamedRegion("a", Region(0.0, 0.0, 0.2, 0.262)))
    assert changes_of(moved[:1], moved[1:], steps_of(6000, 50)) == ()
    assert changes_of(moved[:1], moved[1:], steps_of(6000, 100)) == (moved,)


def test_changes_are_additions_removals_moves_and_new_names() -> None:
    found = changes_of(boxes("a p, b q, c r"), boxes("a s, d q, e p"), USUAL_STEPS)
    assert set(found) == {
        (box("a p"), box("a s")),
        (box("b q"), box("d q")),
        (box("c r"), None),
        (None, box("e p")),
    }


_BOXES = st.lists(
    st.builds(
        lambda name, place, shift: box(f"{name} {place}", shift),
        st.sampled_from("ab-"),
        st.sampled_from("pqr"),
        st.sampled_from([0.0, 0.0003]),
    ),
    max_size=4,
    unique_by=lambda one: (one.tag, round(one.region.x0, 2)),
).map(in_order)
_SIDES = st.tuples(_BOXES, _BOXES)


@given(_BOXES, _SIDES)
def test_an_exchange_gives_the_same_boxes_after_an_interruption(focal: Boxes, side: tuple[Boxes, Boxes]) -> None:
    now, before = side
    merged = merge_boxes(focal, [side], (), USUAL_STEPS)
    again = merge_boxes(focal, [(merged, before)], (), USUAL_STEPS)  # only the sidecar was written
    assert are_same(again, merged, USUAL_STEPS)
    assert are_same(merge_boxes(merged, [(merged, before)], (), USUAL_STEPS), merged, USUAL_STEPS)
    settled = common_boxes(merged, merged, before, USUAL_STEPS)
    assert are_same(settled, merged, USUAL_STEPS)
    # Neither side was written, and the common state was recorded.
    kept = common_boxes(focal, now, before, USUAL_STEPS)
    assert are_same(merge_boxes(focal, [(now, kept)], (), USUAL_STEPS), merged, USUAL_STEPS)


@given(_BOXES, _SIDES)
def test_both_sides_are_treated_alike(focal: Boxes, side: tuple[Boxes, Boxes]) -> None:
    now, before = side
    one = merge_boxes(focal, [(now, before)], (), USUAL_STEPS)
    other = merge_boxes(now, [(focal, before)], (), USUAL_STEPS)
    assert are_same(one, other, USUAL_STEPS)


@given(_BOXES, st.lists(_SIDES, max_size=3))
def test_no_box_appears_from_nowhere_or_gets_lost(focal: Boxes, sides: list[tuple[Boxes, Boxes]]) -> None:
    merged = merge_boxes(focal, sides, (), USUAL_STEPS)
    known = {*focal, *(one for now, _ in sides for one in now)}
    assert set(merged) <= known
    unchanged = merge_boxes(focal, [(now, ()) for now, _ in sides], (), USUAL_STEPS)  # without an earlier exchange
    for one in known:
        at_its_place = [other.tag for other in unchanged if other.region.x0 == pytest.approx(one.region.x0, abs=1e-3)]
        assert one.tag in at_its_place if one.tag else at_its_place


@given(_BOXES, _BOXES)
def test_changes_lead_to_the_wanted_boxes(now: Boxes, wanted: Boxes) -> None:
    left: Counter[NamedRegion | None] = Counter(now)
    for old, new in changes_of(now, wanted, USUAL_STEPS):
        left[old] -= old is not None
        left[new] += new is not None
    assert are_same(in_order(one for one in left.elements() if one is not None), wanted, USUAL_STEPS)
