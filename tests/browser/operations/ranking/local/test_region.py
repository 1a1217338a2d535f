# SPDX-License-Identifier: MIT
"""A region drawn on a focal image gives more weight to its patches and changes rankings accordingly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.local.explain import focal_patches
from focal_photos.browser.operations.ranking.local.learner import LOCAL, SOURCES
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.ranking.local.patches import patches_of
from focal_photos.browser.operations.ranking.local.region import PRIOR, emphasised, inside
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.local.local_distances import FocalImage
from tests.browser.operations.album import Album
from tests.browser.operations.local_album import number
from tests.examples import examples

LEFT, RIGHT = Region(0, 0, 0.5, 1), Region(0.5, 0, 1, 1)


def draw(path: Path, left: str, right: str, seed: int) -> None:
    """Draw a disc, a cross or nothing on either side."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    image = Image.new("RGB", (192, 128), (200, 205, 210))
    pen = ImageDraw.Draw(image)
    for center, kind in ((48, left), (144, right)):
        x, y = center + int(rng.integers(-5, 6)), 64 + int(rng.integers(-5, 6))
        if kind == "disc":
            pen.ellipse((x - 24, y - 24, x + 24, y + 24), fill=(200, 40, 30))
        elif kind == "cross":
            for up in (-22, 22):
                pen.line((x - 22, y - up, x + 22, y + up), fill=(20, 60, 160), width=9)
        elif kind == "fence":
            for at in range(-30, 31, 12):
                pen.line((x + at, 20, x + at, 108), fill=(90, 80, 70), width=4)
    image.save(path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photos with a disc on the left or a cross on the right, some tagged by a third property, and one with both."""
    folder = tmp_path_factory.mktemp("regions")
    for seed in range(6):
        draw(folder / "photos" / "disc" / f"{seed}.png", "disc", "", seed)
        draw(folder / "photos" / "cross" / f"{seed}.png", "", "cross", 10 + seed)
        draw(folder / "photos" / "fence" / f"{seed}.png", "fence", "fence", 20 + seed)
    draw(folder / "photos" / "both.png", "disc", "cross", 99)
    with Library.open(Album(folder / "photos").index(folder / "library", ("color_moments", *SOURCES))) as library:
        for kind in ("disc", "cross", "fence"):
            library.tags.change(library.photos.ids(f"path:{kind}").tolist()[:5], [kind])
        finish(train(library, LOCAL))
    return folder / "library"


def first(library: Library, count: int = 6) -> list[str]:
    ranking = Ranker(library).rank(number(library, "both.png"), by_judgements=False)
    return [path.parent.name for path in library.photos.paths(ranking.photo_ids[:count])]


def test_the_drawn_region_decides_which_photos_are_near(made: Path) -> None:
    with Library.open(made) as library:
        focal = number(library, "both.png")
        library.regions.set(focal, LEFT)
        assert first(library) == ["disc"] * 6
        library.regions.set(focal, RIGHT)
        assert first(library) == ["cross"] * 6
        library.journal.undo()
        assert first(library) == ["disc"] * 6
        library.regions.set(focal, None)


def test_a_trained_photo_retains_part_of_its_weights(made: Path) -> None:
    with Library.open(made) as library:
        focal = number(library, "disc/2.png")
        before = focal_patches(library, LOCAL, focal)
        library.regions.set(focal, LEFT)
        after = focal_patches(library, LOCAL, focal)
        inner = before.points[:, 0] <= 0.5
        assert after.weights.sum() == pytest.approx(1, abs=1e-5)
        assert after.weights[inner].sum() > before.weights[inner].sum() - 1e-6
        assert after.weights[inner].min() >= PRIOR / inner.sum() - 1e-6
        np.testing.assert_array_equal(before.points, after.points)
        library.regions.set(focal, None)
        np.testing.assert_array_equal(focal_patches(library, LOCAL, focal).weights, before.weights)


@given(st.integers(0, 10_000), st.integers(1, 12))
@settings(max_examples=examples(50))
def test_weights_stay_valid(seed: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    weights = (rng.random(m) * (rng.random(m) < 0.6)).astype(np.float32)
    inner = rng.random(m) < 0.5
    model = FocalImage(weights, np.ones(m, np.float32), 1.0, 0.0, 0.0, 3, b"x")
    found = emphasised(model, inner)
    assert (found.weights >= 0).all()
    assert found.weights.sum() == pytest.approx(weights.sum(), rel=1e-5)
    if not inner.any() or not weights.any():
        assert found is model
        return
    assert found.weights[inner].sum() >= weights[inner].sum() - 1e-6
    outside = np.flatnonzero(~inner)
    np.testing.assert_array_equal(
        np.argsort(found.weights[outside], kind="stable"), np.argsort(weights[outside], kind="stable")
    )
    assert found._replace(weights=weights) == model or np.array_equal(found.factors, model.factors)


@pytest.mark.parametrize(
    ("region", "axis", "upper"),
    [(Region(0, 0, 1, 0.5), 1, True), (Region(0, 0.5, 1, 1), 1, False), (LEFT, 0, True), (RIGHT, 0, False)],
)
def test_all_four_sides_of_the_region_count(made: Path, region: Region, axis: int, upper: bool) -> None:
    with Library.open(made) as library:
        focal = number(library, "both.png")
        (photo,) = library.photos.get([focal])
        local = local_metric(library, library.metrics.by_name(LOCAL))
        found = inside(patches_of(library, local.keys, photo), region, photo)
        points = focal_patches(library, LOCAL, focal).points[:, axis]
        assert 0 < found.sum() < len(found)
        clear = np.abs(points - 0.5) > 0.01
        np.testing.assert_array_equal(found[clear], ((points < 0.5) == upper)[clear])
