# SPDX-License-Identifier: MIT
from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.review.ask_next import MIN_TAGGED, ask_next, facility_location
from tests.browser.operations.album import Album
from tests.examples import examples

KINDS = ("warm", "cold", "green")


def reached(similar: NDArray[np.float64], rows: NDArray[np.intp] | tuple[int, ...]) -> float:
    return float(similar[list(rows)].max(axis=0, initial=0).sum())


@settings(max_examples=examples(60))
@given(seed=st.integers(0, 10_000), c=st.integers(1, 6), n=st.integers(1, 7), count=st.integers(1, 4))
def test_the_greedy_choice_is_near_the_optimum(seed: int, c: int, n: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    similar = rng.random((c, n)) * (rng.random((c, n)) < 0.6)
    chosen = facility_location(sp.csr_array(similar), count)
    assert len(set(chosen.tolist())) == min(count, c)
    best = max(reached(similar, rows) for rows in combinations(range(c), min(count, c)))
    assert reached(similar, chosen) >= (1 - np.exp(-1)) * best - 1e-12
    # Each step takes the photo that adds most, as found by a slow search.
    for step, row in enumerate(chosen):
        before = chosen[:step].tolist()
        gains = [-1.0 if one in before else reached(similar, (*before, one)) for one in range(c)]
        assert gains[row] == pytest.approx(max(gains))


def test_covered_and_worthless_photos_do_not_influence_the_choice() -> None:
    similar = sp.csr_array(np.array([[1, 0.9, 0, 0], [0, 0, 1, 0.5], [0, 0, 0.5, 1]]))
    assert facility_location(similar, 2).tolist() == [0, 1]
    covered = np.array([0.8, 0.8, 0, 0])
    assert facility_location(similar, 1, covered=covered).tolist() == [1]
    assert covered.tolist() == [0.8, 0.8, 0, 0], "the argument is unchanged"
    assert facility_location(similar, 1, worth=np.array([0, 0, 0.1, 1])).tolist() == [2]
    assert facility_location(similar, 9).tolist() == [0, 1, 2]
    assert facility_location(similar[:0], 3).tolist() == []


@pytest.fixture
def kinds(library: Library, album: Album) -> Library:
    """24 photos of one kind, 12 of a second and 6 of a third, without tags."""
    for kind, count in zip(KINDS, (24, 12, 6), strict=True):
        for i in range(count):
            album.draw(f"{kind}/{i}.jpg", kind=kind, seed=i)
    finish(index(library, [album.folder], backend="threads", workers=1))
    return library


def kinds_of(library: Library, ids: list[int]) -> list[str]:
    return [path.parent.name for path in library.photos.paths(ids)]


def test_one_photo_of_each_kind_is_proposed_without_tags(kinds: Library) -> None:
    found = finish(ask_next(kinds, Ranker(kinds), 4))
    assert len(set(found)) == 4
    assert set(kinds_of(kinds, found)) == set(KINDS)


def test_tagged_photos_cover_similar_ones(kinds: Library) -> None:
    ids = kinds.photos.ids().tolist()
    for name, kind in ((i, k) for i, k in zip(ids, kinds_of(kinds, ids), strict=True) if k != "green"):
        if int(kinds.photos.paths([name])[0].stem) < 5:
            kinds.tags.change([name], [kind])
    (first,) = finish(ask_next(kinds, Ranker(kinds), 1))
    assert kinds_of(kinds, [first]) == ["green"]
    assert first not in kinds.photos.ids("tagged").tolist()


def test_photos_between_two_kinds_are_proposed_with_enough_tags(kinds: Library) -> None:
    ids = np.array(kinds.photos.ids().tolist())
    names = np.array(kinds_of(kinds, ids.tolist()))
    by_kind = {kind: ids[names == kind].tolist() for kind in KINDS}
    # Half of one kind has another tag: these photos could be either.
    kinds.tags.change(by_kind["warm"][:8], ["left"])
    kinds.tags.change(by_kind["warm"][8:16], ["right"])
    kinds.tags.change(by_kind["cold"][:6], ["cold"])
    assert len(kinds.photos.ids("tagged")) >= MIN_TAGGED
    kinds.tags.change(by_kind["green"][:3], ["green"])
    found = finish(ask_next(kinds, Ranker(kinds), 3))
    assert kinds_of(kinds, found).count("warm") >= 2


def test_nothing_is_proposed_if_no_photo_is_left(kinds: Library) -> None:
    kinds.tags.change(kinds.photos.ids().tolist()[1:], ["all"])
    last = kinds.photos.ids().tolist()[0]
    assert finish(ask_next(kinds, Ranker(kinds), 10)) == [last]
    kinds.tags.change([last], ["all"])
    assert finish(ask_next(kinds, Ranker(kinds), 10)) == []
