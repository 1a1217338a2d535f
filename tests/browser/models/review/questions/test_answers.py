# SPDX-License-Identifier: MIT
"""The answers to one question of the review: a line, and flipped photos on each side."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.models.review.questions.answers import Answers

_IDS = tuple(range(100, 110))
_ROWS = st.integers(0, len(_IDS) - 1)
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("line"), st.integers(-2, len(_IDS) + 2)),
        st.tuples(st.just("flip"), st.lists(_ROWS, max_size=4)),
    )
)


@dataclass
class Slow:
    """A slow reference with one value per photo: yes by the line, no by hand, yes by hand, open."""

    line: int = 0
    flipped: list[bool] = field(default_factory=lambda: [False] * len(_IDS))

    def yes(self) -> list[int]:
        return [i for row, i in enumerate(_IDS) if self.flipped[row] is (row >= self.line)]

    def no(self) -> list[int]:
        return [i for row, i in enumerate(_IDS) if row < self.line and self.flipped[row]]

    def move(self, line: int) -> None:
        line = max(0, min(line, len(_IDS)))
        for row in range(len(_IDS)):
            if (row < line) is not (row < self.line):
                self.flipped[row] = False
        self.line = line

    def flip(self, rows: list[int]) -> None:
        if rows:
            wanted = _IDS[rows[0]] not in self.yes()
            for row in rows:
                self.flipped[row] = wanted is (row >= self.line)


@given(_STEPS)
def test_answers_behave_like_a_plain_list_of_photos(steps: list[tuple[str, int | list[int]]]) -> None:
    answers, slow = Answers(_IDS), Slow()
    for what, value in steps:
        if isinstance(value, int):
            answers.move_line(value)
            slow.move(value)
        else:
            answers.flip(value)
            slow.flip(value)
        assert answers.line == slow.line, what
        assert answers.yes == slow.yes()
        assert answers.no == slow.no()
        assert sorted(answers.yes + answers.no + answers.open) == list(_IDS), "every photo has exactly one answer"


def test_flipped_answers_are_distinguished_from_those_of_the_line() -> None:
    answers = Answers(_IDS, line=4)
    answers.flip([1])
    answers.flip([6])
    answers.flip([8, 9])
    assert answers.answered == ([106, 108, 109], [101])
    answers.flip([8])
    assert answers.answered == ([106, 109], [101])


def test_a_range_takes_the_opposite_answer_of_its_first_photo() -> None:
    answers = Answers(_IDS, line=2)
    answers.flip([4])
    answers.flip([3, 4, 5])
    assert answers.yes == [100, 101, 103, 104, 105]
    answers.flip([4, 3, 5])
    assert answers.yes == [100, 101]


def test_moving_the_line_resets_only_the_photos_it_passes() -> None:
    answers = Answers(_IDS, line=3)
    answers.flip([0])
    answers.flip([4])
    answers.move_line(6)
    assert answers.no == [100]
    assert answers.yes == [101, 102, 103, 104, 105]


def test_a_photo_with_a_drawn_box_has_no_answer_until_it_is_flipped() -> None:
    answers = Answers(_IDS, line=3)
    answers.flip([1])
    answers.flip([5])
    answers.drawn = {100, 101, 105, 106}
    copy = answers.copy()
    assert answers.yes == [102]
    assert answers.no == []
    assert answers.answered == ([], [])
    assert not {100, 101, 105, 106} & set(answers.open)
    answers.flip([0])
    assert answers.yes == [100, 102]
    answers.flip([0])
    assert answers.no == [100]
    assert copy.drawn == {100, 101, 105, 106}
    later = Answers((100, 101, 102), line=3)
    later.adopt(answers)
    assert later.drawn == {101}
    assert later.no == [100]
    assert later.yes == [102]
