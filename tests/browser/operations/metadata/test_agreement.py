# SPDX-License-Identifier: MIT
from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import NamedRegion, Region
from focal_photos.browser.operations.metadata.agreement import Conflict, Prefer, Side, State, agree, agreed_on
from focal_photos.browser.operations.metadata.box_merge import in_order

_BOXES = st.lists(
    st.builds(
        lambda tag, place: NamedRegion(tag, Region(place, 0.0, place + 0.25, 0.5)),
        st.sampled_from([None, "e", "f"]),
        st.sampled_from([0.0, 0.25, 0.5]),
    ),
    max_size=3,
    unique=True,
).map(in_order)
_STATES = st.builds(
    lambda tags, rating, label, boxes: State(tags | {box.tag for box in boxes if box.tag}, rating, label, boxes),
    st.frozensets(st.sampled_from("abcd")),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, "Red", "Blue"]),
    _BOXES,
)


def tags(names: str) -> State:
    return State(frozenset(names))


def test_additions_are_joined_and_removals_are_applied() -> None:
    # a: on both; b: added in Focal; c: added in the sidecar; d: removed in Focal; e: removed in the sidecar
    agreed, conflicts = agree(tags("abe"), [Side(tags("acd"), tags("ade"))])
    assert (agreed, conflicts) == (tags("abc"), [])


def test_nothing_is_removed_without_an_earlier_exchange() -> None:
    assert agree(tags("ab"), [Side(tags("bc"))])[0] == tags("abc")


def test_a_tag_given_again_stays() -> None:
    assert agree(tags("ab"), [Side(tags("b"), tags("ab"))])[0] == tags("b")
    assert agree(tags("ab"), [Side(tags("b"), tags("ab"))], given_again="a")[0] == tags("ab")


def test_a_sidecar_that_added_a_tag_overrules_one_that_removed_it() -> None:
    sides = [Side(tags(""), tags("a")), Side(tags("a"), tags(""))]
    assert agree(tags("a"), sides)[0] == tags("a")
    assert agree(tags(""), sides)[0] == tags("a")
    assert agree(tags("a"), sides[:1])[0] == tags("")


def test_a_rating_changed_on_one_side_is_taken() -> None:
    before = State(rating=1)
    assert agree(State(rating=2), [Side(before, before)])[0].rating == 2
    assert agree(before, [Side(State(rating=3), before)])[0].rating == 3
    assert agree(before, [Side(State(), before)])[0].rating is None
    assert agree(State(), [Side(before, before)])[0].rating is None


def test_a_rating_changed_on_both_sides_is_a_conflict_or_settled_by_preference() -> None:
    sides = [Side(State(rating=3, label="Red"), State(rating=1))]
    focal = State(rating=2, label="Blue")
    conflicts = [Conflict("rating", 2, 3), Conflict("label", "Blue", "Red")]
    assert agree(focal, sides) == (focal, conflicts)
    assert agree(focal, sides, prefer=lambda _: Prefer.FOCAL) == (focal, [])
    assert agree(focal, sides, prefer=lambda _: Prefer.SIDECAR) == (State(rating=3, label="Red"), [])
    one = agree(focal, sides, prefer=lambda field: Prefer.SIDECAR if field == "rating" else Prefer.ASK)
    assert one == (State(rating=3, label="Blue"), conflicts[1:])
    assert agree(State(rating=3), sides, prefer=lambda _: Prefer.FOCAL)[1] == []


@given(_STATES, st.lists(st.builds(Side, _STATES, _STATES), max_size=3), st.sampled_from(["focal", "sidecar"]))
def test_an_exchange_gives_the_same_result_after_an_interruption(
    focal: State, sides: list[Side], preferred: str
) -> None:
    prefer = Prefer(preferred)
    agreed, _ = agree(focal, sides, prefer=lambda _: prefer)
    for done in range(len(sides) + 1):  # the first `done` sidecars are written, but the catalogue is not
        written = [Side(agreed, side.before) if i < done else side for i, side in enumerate(sides)]
        again, conflicts = agree(focal, written, prefer=lambda _: prefer)
        assert (again.tags, conflicts) == (agreed.tags, [])
        if len(sides) == 1:  # several sidecars may have contradictory ratings
            assert again == agreed
    whole = [Side(agreed, side.before) for side in sides]
    assert agree(agreed, whole) == (agreed, [])
    settled = [Side(agreed, agreed_on(agreed, side)) for side in whole]
    assert all(side.before == agreed for side in settled)


@given(_STATES, st.builds(Side, _STATES, _STATES))
def test_an_exchange_without_effect_gives_the_same_result_again(focal: State, side: Side) -> None:
    kept = Side(side.now, agreed_on(focal, side))  # neither the sidecar nor the catalogue is written
    assert agree(focal, [kept]) == agree(focal, [side])


@given(_STATES, st.builds(Side, _STATES, _STATES))
def test_every_tag_follows_the_truth_table(focal: State, side: Side) -> None:
    agreed, _ = agree(focal, [side])
    for tag in "abcd":
        had, here, there = (tag in state.tags for state in (side.before, focal, side.now))
        assert (tag in agreed.tags) == ((here and there) if had else (here or there))
