# SPDX-License-Identifier: MIT
"""Numbers as text: no sign before zero, parts that add up to the rounded total; titles of metrics."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.models.photos.formatting import learned_at, metric_titles, rounded_parts
from focal_photos.browser.tasks.messages import Localized


def test_a_value_rounded_to_zero_has_no_sign() -> None:
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


def test_parts_that_do_not_add_up_are_rounded_separately() -> None:
    assert rounded_parts([0.1234, 0.2], 0.9, 3) == [0.123, 0.2]


@pytest.mark.parametrize(
    ("at", "shown", "with_time"),
    [
        (datetime(2026, 3, 5, 8, 7), "Learned today 08:07", "Learned today 08:07"),
        (datetime(2026, 3, 4, 23, 59), "Learned yesterday", "Learned yesterday 23:59"),
        (datetime(2026, 3, 3, 18, 22), "Learned 3 March", "Learned 3 March 18:22"),
        (datetime(2025, 12, 31, 18, 22), "Learned 31 December 2025", "Learned 31 December 2025 18:22"),
        (datetime(2026, 3, 6, 1, 2), "Learned 6 March", "Learned 6 March 01:02"),  # a clock was set back
    ],
)
def test_a_metric_is_named_after_its_time_of_training(at: datetime, shown: str, with_time: str) -> None:
    now = datetime(2026, 3, 5, 18, 22)
    assert learned_at(at, now) == shown
    assert learned_at(at, now, time="%H:%M") == with_time


def test_names_of_metrics_are_distinct_and_keep_chosen_names() -> None:
    long_ago = datetime(2001, 3, 3, 12, 0, tzinfo=UTC)
    plain = Metric(1, "euclidean", "Euclidean", "euclidean", 1, None, long_ago, 0, 0)
    first = Metric(2, "rca-1", "RCA (v1)", "rca", 1, "rca-1.npz", long_ago, 2, 0)
    later = replace(first, id=3, name="rca-2", title="RCA (v2)", version=2, at=long_ago + timedelta(minutes=5))
    same = replace(later, id=4, name="lda-1", title="LDA (v1)", version=1)
    seconds = replace(first, id=6, name="kernel-1", at=long_ago + timedelta(minutes=5, seconds=7))
    mine = replace(first, id=5, title="Our two cats")
    assert metric_titles([plain, first, mine]) == {1: "Euclidean", 2: "Learned 3 March 2001", 5: "Our two cats"}
    titles = metric_titles([plain, first, later, same, mine, seconds])
    assert re.fullmatch(r"Learned 3 March 2001 \d\d:\d\d", titles[2])
    assert re.fullmatch(r"Learned 3 March 2001 \d\d:05:07", titles[6])
    assert titles[3].endswith(":05:00 (rca-2)")
    assert titles[4].endswith(":05:00 (lda-1)")
    assert len(set(titles.values())) == 6
