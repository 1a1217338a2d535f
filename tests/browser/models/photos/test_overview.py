# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.overview import find_untagged, read_overview
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.training.train import train


@pytest.fixture
def library(library_folder: Path) -> Iterator[Library]:
    with Library.open(library_folder) as opened:
        yield opened


def test_the_next_untagged_photo_is_not_the_current_one(library: Library) -> None:
    ids = library.photos.listed()
    assert find_untagged(library, ids, int(ids[3])) == ids[4]
    assert find_untagged(library, ids, int(ids[-1])) == ids[0], "the search wraps around"
    assert find_untagged(library, ids, None) == ids[0]
    library.tags.change([int(ids[4]), int(ids[0])], ["beach"])
    assert find_untagged(library, ids, int(ids[3])) == ids[5]
    assert find_untagged(library, ids, int(ids[4])) == ids[5]
    assert find_untagged(library, ids, None) == ids[1]
    library.tags.change(ids[ids != ids[7]].tolist(), ["beach"])
    assert find_untagged(library, ids, int(ids[7])) == ids[7], "the only untagged photo is found again"
    library.tags.change([int(ids[7])], ["beach"])
    assert find_untagged(library, ids, int(ids[7])) is None


def test_a_metric_that_learned_nothing_has_seen_no_judgement(library: Library) -> None:
    a, b, c = library.photos.listed()[:3].tolist()
    library.judgements.set(a, [b], Verdict.SIMILAR)
    assert read_overview(library).new_judgements == 1
    library.metrics.add("random", judgements=0, tagged=0)
    assert read_overview(library).new_judgements == 1
    library.metrics.add("kernel", judgements=1, tagged=0)
    assert read_overview(library).new_judgements == 0
    library.judgements.set(a, [c], Verdict.DISSIMILAR)
    assert read_overview(library).new_judgements == 1


def test_judgements_against_texts_and_of_regions_are_new_until_learned(library: Library) -> None:
    ids = library.photos.listed().tolist()
    library.text_judgements.set("a boat", ids[:3], Verdict.SIMILAR)
    assert read_overview(library).new_judgements == 3
    left = Region(0.0, 0.0, 0.5, 1.0)
    library.region_judgements.set(ids[0], left, [(ids[1], left)], Verdict.SIMILAR)
    assert (read_overview(library).judgements, read_overview(library).new_judgements) == (4, 4)
    finish(train(library))
    assert read_overview(library).new_judgements == 0
