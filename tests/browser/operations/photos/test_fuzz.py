# SPDX-License-Identifier: MIT
"""A few hundred damaged files of every format; `tests.benchmarks.decoding.fuzz_decoding` tries 20,000."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.features.decoding.decode import decode
from tests.features.damaged_files import LIMITS, mutated, seeds, survey


@pytest.fixture(scope="module")
def children() -> Iterator[ProcessPool]:
    made = ProcessPool(size=1, memory=1 << 30)
    yield made
    made.close()


def test_damaged_files_give_pictures_or_typed_errors(children: ProcessPool) -> None:
    outcomes: Counter[str] = Counter()
    for kind, content in seeds().items():
        found = children.call(survey, kind, content, 1, 0, 16, seconds=20)
        assert found.faults == [], kind
        outcomes += found.outcomes
        assert found.memory < 600e6
    assert outcomes["decoded"] > 50
    assert outcomes["UnreadableImage"] > 50


def test_the_seed_files_are_sound_and_the_damage_depends_on_the_seed() -> None:
    for kind, content in seeds().items():
        assert decode(content, limits=LIMITS).rgb.size > 0, kind
        assert mutated(content, 1, 2) == mutated(content, 1, 2)
    assert len({mutated(content, 1, number) for number in range(20)}) > 15
