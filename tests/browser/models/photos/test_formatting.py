"""Numbers as text: no sign before zero, and rounded parts that add up to the rounded whole."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.models.photos.formatting import Localized, rounded_parts


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert f"{Localized(-0.0002):.3f}" == "0.000"
    assert f"{Localized(0.0002):+.3f}" == "0.000"
    assert f"{Localized(-0.0005001):.3f}" == "-0.001"
    assert f"{Localized(-10):.0f}" == "-10"
    assert f"{Localized(0.5):+.3f}" == "+0.500"


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=9))
def test_rounded_parts_add_up_to_the_rounded_total(parts: list[float]) -> None:
    total = math.fsum(parts)
    rounded = rounded_parts(parts, total, 3)
    assert round(math.fsum(rounded) * 1000) == round(total * 1000)
    assert all(abs(one - other) < 0.001 + 1e-9 for one, other in zip(parts, rounded, strict=True))


def test_parts_that_do_not_add_up_are_each_rounded_by_themselves() -> None:
    assert rounded_parts([0.1234, 0.2], 0.9, 3) == [0.123, 0.2]
