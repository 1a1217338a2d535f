# SPDX-License-Identifier: MIT
"""The measure of whether photos have an "up"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import orientation
from focal_photos.browser.operations.describing.descriptors import vector_store
from focal_photos.browser.operations.describing.settings import ANY_ROTATION
from focal_photos.browser.operations.jobs.progress import finish
from tests.browser.operations.own_descriptors import MOMENTS
from tests.browser.operations.small_table import open_described


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with open_described(tmp_path / "library") as opened:
        yield opened


def landscapes(count: int, *, rotated: bool) -> NDArray[np.float32]:
    """Return colour layouts that are brighter at the top, or half of them at the bottom."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(0, 1, (count, MOMENTS.dimension)).astype(np.float32)
    vectors.reshape(count, 5, 5, 9)[:, 0] += 3
    if rotated:
        below = rng.random(count) < 0.5
        vectors[below] = MOMENTS.upside_down(vectors[below])
    return vectors


def store(library: Library, vectors: NDArray[np.float32]) -> None:
    vector_store(library, MOMENTS).append(np.arange(1, len(vectors) + 1), vectors)


def slow_share(upright: NDArray[np.float32], rotated: NDArray[np.float32]) -> float:
    wins = 0.0
    for i, photo in enumerate(upright):
        near, far = (
            min(float(np.square(photo - other).sum()) for j, other in enumerate(others) if j != i)
            for others in (upright, rotated)
        )
        wins += 1.0 if near < far else 0.5 if near == far else 0.0
    return wins / len(upright)


def test_the_share_counts_photos_that_are_nearer_to_upright_ones() -> None:
    # On a line: 0, 1 and 10 upright, 9, 2 and -3 rotated. Photos 0 and 1 have each other at distance 1; the nearest
    # rotated ones of others are 2 and 3 away (1: 4). Photo 10 is 9 from an upright, 1 from a rotated one.
    upright, rotated = (np.array(some, np.float32)[:, None] for some in ([0, 1, 10], [9, 2, -3]))
    assert orientation.upright_share(upright, rotated) == pytest.approx(2 / 3)
    assert orientation.upright_share(upright, upright) == 0.5
    vectors = landscapes(40, rotated=False)
    below = MOMENTS.upside_down(vectors)
    assert orientation.upright_share(vectors, below) == slow_share(vectors, below)


def test_photos_with_and_without_an_up_differ(library: Library) -> None:
    store(library, landscapes(600, rotated=False))
    assert not orientation.have_no_up(library)


def test_photos_that_are_rotated_at_random_have_no_up(library: Library) -> None:
    store(library, landscapes(600, rotated=True))
    assert orientation.have_no_up(library)
    assert finish(orientation.newly_without_up(library))
    assert not finish(orientation.newly_without_up(library)), "a library says it once"
    ANY_ROTATION.set(library, True)
    assert not orientation.have_no_up(library)


def test_few_photos_show_nothing(library: Library) -> None:
    store(library, landscapes(orientation.MIN_PHOTOS - 1, rotated=True))
    assert not orientation.have_no_up(library)
