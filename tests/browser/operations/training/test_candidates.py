# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.browser.operations.training.candidates import CANDIDATES, STANDARD, Trial, suitable, suited
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.learner.candidate import NEVER, Candidate


def test_every_candidate_has_a_unique_name_of_learner_and_parameters() -> None:
    assert Trial("kernel", Candidate()).name == "kernel"
    assert Trial("kernel", Candidate({"ridge": 0.5, "exact": 3})).name == "kernel ridge=0.5 exact=3"
    names = [one.name for one in CANDIDATES]
    assert len(set(names)) == len(names)
    assert {one.learner for one in CANDIDATES} == {name for name, kind in LEARNERS.items() if kind.candidates}
    for one in CANDIDATES:
        assert set(one.parameters) <= set(LEARNERS[one.learner]().get_params()), one.name


def test_simple_candidates_come_first_and_follow_the_order_of_the_table() -> None:
    turns = [one.candidate.turn for one in CANDIDATES]
    assert turns == sorted(turns)
    assert len(set(turns)) > 1
    table = list(LEARNERS)
    for turn in set(turns):
        places = [table.index(one.learner) for one in CANDIDATES if one.candidate.turn == turn]
        assert places == sorted(places)


@pytest.mark.parametrize(
    ("tagged", "judgements", "wanted"),
    [(0, 0, False), (7, 3, False), (8, 0, True), (0, 4, True), (1_000_000, 0, True), (0, 1_000_000, True)],
)
def test_the_standard_learner_is_tried_with_any_other_candidate(tagged: int, judgements: int, wanted: bool) -> None:
    assert (STANDARD in suited(tagged, judgements)) is wanted
    assert bool(suitable(tagged, judgements)) is wanted


def test_a_candidate_is_tried_only_within_its_limits() -> None:
    for one in CANDIDATES:
        limits = one.candidate
        for (least, most), of in ((limits.tagged, "tagged"), (limits.judgements, "judgements")):
            if (least, most) == NEVER:
                continue

            def told(count: int, of: str = of) -> bool:
                return one in (suitable(count, 0) if of == "tagged" else suitable(0, count))  # noqa: B023

            assert told(least), f"{one.name}: {of}"
            assert not told(least - 1), f"{one.name}: {of}"
            if most < 1_000_000:
                assert told(most)
                assert not told(most + 1), f"{one.name}: {of}"
                # Too much of one kind is not compensated by enough of the other.
                other = limits.judgements[0] if of == "tagged" else limits.tagged[0]
                pair = (most + 1, other) if of == "tagged" else (other, most + 1)
                assert one not in suitable(*pair)


def test_each_suited_learner_is_listed_once() -> None:
    names = suited(1000, 1000)
    assert len(set(names)) == len(names)
    assert set(names) == {one.learner for one in suitable(1000, 1000)}
    assert len(suitable(1000, 1000)) > len(names)
