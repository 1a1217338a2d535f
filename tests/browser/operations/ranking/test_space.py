# SPDX-License-Identifier: MIT
"""Feature space of a library: fitting, refitting, and the families it leaves out."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import name_of
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.jobs.errors import NothingIndexedError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.learner_file import write_learners
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import (
    current_space,
    described,
    left_out,
    prepare_space,
    space_key,
    stores,
    unfitted_space,
)
from focal_photos.browser.operations.training.train import train
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.table import DESCRIPTORS, STANDARD
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from focal_photos.learners.core.side_information import SideInformation
from tests.browser.operations.album import Album, pixels

COLORS = {"color_moments", "color_coherence"}


def families(library: Library) -> list[str]:
    return [name_of(family.name) for family in current_space(library).families]


def add(library: Library, album: Album, count: int, *, grey: bool, start: int = 0) -> None:
    for i in range(start, start + count):
        rgb = pixels("warm" if i % 2 else "cold", i)
        drawn = np.repeat(rgb.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8) if grey else rgb
        Image.fromarray(drawn).save(album.path(f"{'grey' if grey else 'color'}-{i}.jpg"), quality=80)
    finish(index(library, [album.folder], backend="threads", workers=1))


def old_space(library: Library) -> FeatureSpace:
    """Replace the current space by a space of an earlier version."""
    found, start = [], 0
    for one in space_families(library):
        found.append(FeatureFamily(str(one.key), start, start + one.dimension, one.is_count))
        start += one.dimension
    ids = described(library)
    space = FeatureSpace(tuple(found)).fit(library.vectors.matrix(stores(library), np.sort(ids)))
    for file in (library.path / "derived").glob("space-*.npz"):
        file.unlink()
    write_learners(library.path / "derived" / f"space-{len(ids)}-{space.digest_[:8]}.npz", space=space)
    return space


def test_the_space_is_half_whitened_and_weights_its_families() -> None:
    space = unfitted_space([DESCRIPTORS[name] for name in STANDARD], STANDARD)
    assert (space.components, space.whitening, space.unit_length) == (32, 0.5, True)
    by_name = {family.name: family for family in space.families}
    fisher = ("dense_sift_fisher", "dense_color_fisher", "dense_sift_salient", "dense_color_salient")
    assert [(by_name[name].components, by_name[name].weight) for name in fisher] == [(48, 2.0)] * 4
    earlier = unfitted_space([DESCRIPTORS[name] for name in STANDARD if "salient" not in name])
    assert [family.weight for family in earlier.families[-2:]] == [4.0, 2.0]
    assert by_name["color_coherence"].weight == 2.0
    assert {by_name[name].weight for name in ("gist", "gabor", "lbp")} == {1.0}


def test_coordinates_of_photos_and_outside_images_have_unit_length(indexed: Library, album: Album) -> None:
    gallery = Ranker(indexed).gallery()
    np.testing.assert_allclose(np.linalg.norm(gallery.rows, axis=1), 1, rtol=1e-5)
    outside = Album(album.folder.parent / "outside").draw("new.jpg", kind="cold", seed=7)
    ranking = Ranker(indexed).rank(outside)
    assert 0 < ranking.distances[0] < ranking.distances[-1] <= 2


def test_a_space_of_an_earlier_version_is_fitted_again_and_older_metrics_still_rank(indexed: Library) -> None:
    before = old_space(indexed)
    focal, *others = indexed.photos.ids().tolist()
    indexed.judgements.set(focal, others[:3], Verdict.SIMILAR)
    indexed.judgements.set(focal, others[6:9], Verdict.DISSIMILAR)
    with Library.open(indexed.path, read_only=True) as reader:
        assert current_space(reader).digest_ == before.digest_
    new = current_space(indexed)
    assert (new.whitening, new.unit_length) == (0.5, True)
    # The metric trained earlier, as in its file.
    metric = finish(train(indexed, "kernel"))
    file = indexed.metrics.path(metric)
    assert file is not None
    learner = Ranker(indexed).gallery(metric.name).loaded.learner
    assert learner is not None
    ids = np.sort(described(indexed))
    judged = SideInformation(similar=np.array([[0, 1], [0, 2], [0, 3]]), dissimilar=np.array([[0, 7], [0, 8], [0, 9]]))
    learner.fit(before.transform(indexed.vectors.matrix(stores(indexed), ids)), judged)
    write_learners(file, space=before, learner=learner)
    ranking = Ranker(indexed).rank(focal, metric.name)
    assert Ranker(indexed).gallery(metric.name).loaded.space.digest_ == before.digest_
    assert len(ranking.photo_ids) == len(others)
    again = finish(train(indexed, "kernel"))
    assert Ranker(indexed).gallery(again.name).loaded.space.digest_ == new.digest_


def test_color_families_are_left_out_if_the_photos_have_no_colors(library: Library, album: Album) -> None:
    add(library, album, 20, grey=True)
    assert families(library) == ["gabor"]
    outside = Album(album.folder.parent / "outside").draw("new.jpg", kind="cold", seed=7)
    assert len(Ranker(library).rank(outside).photo_ids) == 20
    keys = library.vectors.keys()
    assert space_key(current_space(library)) in keys
    assert {name_of(key) for key in left_out(library)} == COLORS
    add(library, album, 3, grey=False, start=100)
    assert not left_out(library)


@pytest.mark.parametrize(("colored", "kept"), [(1, {"gabor"}), (2, {"gabor"}), (3, {"gabor"} | COLORS)])
def test_color_families_return_once_enough_photos_have_colors(
    library: Library, album: Album, colored: int, kept: set[str]
) -> None:
    add(library, album, 20, grey=True)
    add(library, album, colored, grey=False, start=100)
    assert set(families(library)) == kept


def test_a_few_photos_with_colors_are_enough_at_the_beginning(library: Library, album: Album) -> None:
    add(library, album, 2, grey=False, start=100)
    add(library, album, 20, grey=True)
    assert set(families(library)) == {"gabor"} | COLORS


def test_color_families_stay_if_there_are_no_others(library: Library, album: Album) -> None:
    set_enabled(library, ("color_moments", "color_coherence"))
    add(library, album, 6, grey=True)
    assert set(families(library)) == COLORS


def test_all_families_stay_without_the_descriptor_that_detects_colors(library: Library, album: Album) -> None:
    set_enabled(library, ("color_coherence", "gabor"))
    add(library, album, 6, grey=True)
    assert set(families(library)) == {"color_coherence", "gabor"}


def add_objects(library: Library, album: Album, count: int, *, start: int = 0) -> None:
    """Index photos of an object in front of a plain background, both of random colours."""
    for i in range(start, start + count):
        rng = np.random.default_rng(i)
        rgb = np.full((60, 80, 3), rng.integers(100, 256, 3), np.uint8)
        rgb[15:45, 20:60] = rng.integers(0, 100, 3)
        Image.fromarray(rgb).save(album.path(f"object-{i}.png"))
    finish(index(library, [album.folder], backend="threads", workers=1))


def weights(library: Library) -> dict[str, float]:
    return {name_of(family.name): family.weight for family in current_space(library).families}


PLAIN = {"color_moments": 1.0, "dense_sift_fisher": 2.0, "dense_sift_salient": 2.0}
FOREGROUND = {**PLAIN, "dense_sift_salient": 8.0}


@pytest.fixture
def salient(library: Library) -> Library:
    set_enabled(library, tuple(PLAIN))
    return library


def test_salient_families_weigh_more_if_photos_show_a_foreground(salient: Library, album: Album) -> None:
    add_objects(salient, album, 12)
    assert weights(salient) == FOREGROUND
    outside = Album(album.folder.parent / "outside").draw("new.jpg", kind="cold", seed=7)
    assert len(Ranker(salient).rank(outside).photo_ids) == 12
    assert not left_out(salient)


def test_salient_families_weigh_little_in_other_photos(salient: Library, album: Album) -> None:
    for i in range(12):
        noise = np.random.default_rng(i).integers(0, 256, (60, 80, 3), dtype=np.uint8)
        Image.fromarray(noise).save(album.path(f"noise-{i}.png"))
    finish(index(salient, [album.folder], backend="threads", workers=1))
    assert weights(salient) == PLAIN


@pytest.mark.parametrize(("contrast", "expected"), [(1.24, PLAIN), (1.26, FOREGROUND), (1.31, FOREGROUND)])
def test_the_weights_change_only_if_the_contrast_clearly_does(
    salient: Library, album: Album, monkeypatch: pytest.MonkeyPatch, contrast: float, expected: dict[str, float]
) -> None:
    add_objects(salient, album, 12)
    assert weights(salient) == FOREGROUND
    monkeypatch.setattr(ColorMoments, "foreground", lambda *_: contrast)
    add_objects(salient, album, 1, start=12)
    assert weights(salient) == expected


@pytest.mark.parametrize(("contrast", "expected"), [(1.29, PLAIN), (1.31, FOREGROUND)])
def test_a_foreground_must_be_clear_before_the_weights_change(
    salient: Library, album: Album, monkeypatch: pytest.MonkeyPatch, contrast: float, expected: dict[str, float]
) -> None:
    monkeypatch.setattr(ColorMoments, "foreground", lambda *_: 1.0)
    add_objects(salient, album, 12)
    assert weights(salient) == PLAIN
    monkeypatch.setattr(ColorMoments, "foreground", lambda *_: contrast)
    add_objects(salient, album, 1, start=12)
    assert weights(salient) == expected


def test_without_the_descriptor_that_shows_a_foreground_salient_families_weigh_little(
    salient: Library, album: Album
) -> None:
    set_enabled(salient, ("gabor", "dense_sift_fisher", "dense_sift_salient"))
    add_objects(salient, album, 6)
    assert weights(salient) == {"gabor": 1.0, "dense_sift_fisher": 2.0, "dense_sift_salient": 2.0}


def test_a_library_of_an_earlier_version_ranks_as_before_until_it_is_indexed(library: Library, album: Album) -> None:
    earlier = ("color_moments", "dense_sift_fisher")
    set_enabled(library, earlier)
    add_objects(library, album, 6)
    before = current_space(library)
    set_enabled(library, (*earlier, "dense_sift_salient"))
    assert current_space(library).digest_ == before.digest_
    assert weights(library) == {"color_moments": 1.0, "dense_sift_fisher": 4.0}
    (kept,) = [store.key for store in stores(library) if name_of(store.key) == "dense_sift_fisher"]
    finish(index(library, backend="threads", workers=1))
    assert weights(library) == FOREGROUND
    assert kept in {store.key for store in stores(library)}, "vectors of other families are kept"


def test_the_wide_space_has_more_axes_and_is_stored_beside_the_normal_one(library: Library, album: Album) -> None:
    add(library, album, 40, grey=False)
    narrow = current_space(library)
    wide = finish(prepare_space(library, wide=True))
    assert [family.name for family in wide.families] == [family.name for family in narrow.families]
    assert {family.components for family in wide.families} == {128}
    assert finish(prepare_space(library, wide=True)).digest_ == wide.digest_
    assert current_space(library).digest_ == narrow.digest_
    names = sorted(file.name.split("space-")[0] for file in (library.path / "derived").glob("*space-*.npz"))
    assert names == ["", "wide-"]
    Ranker(library).gallery()
    assert space_key(narrow) in library.vectors.keys()  # noqa: SIM118  a store of arrays, no dictionary
    add(library, album, 50, grey=False, start=40)
    grown = finish(prepare_space(library, wide=True))
    assert grown.digest_ != wide.digest_
    assert space_key(narrow) in library.vectors.keys()  # noqa: SIM118
    assert len(list((library.path / "derived").glob("wide-space-*.npz"))) == 2


def test_a_damaged_space_is_fitted_again_with_the_same_result(library: Library, album: Album) -> None:
    add(library, album, 20, grey=False)
    before = current_space(library)
    (file,) = (library.path / "derived").glob("space-*.npz")
    file.write_bytes(file.read_bytes()[:1000])
    assert current_space(library).digest_ == before.digest_
    assert left_out(library) == frozenset()


def test_vectors_that_were_never_computed_are_reported(library: Library) -> None:
    with pytest.raises(KeyError, match="no vectors gabor-9-0"):
        stores(library, ["gabor-9-0"])
    assert len(described(library, ["gabor-9-0"])) == 0


def test_a_space_without_photos_or_descriptions_reports_what_to_do(library: Library, album: Album) -> None:
    with pytest.raises(NothingIndexedError, match="index a folder with photos first"):
        current_space(library)
    add(library, album, 4, grey=False)
    for store in stores(library):
        store.forget(library.photos.ids().tolist())
    with pytest.raises(NothingIndexedError, match="The descriptions of 4 photos are missing"):
        current_space(library)


def test_a_read_only_library_uses_an_old_space_of_the_same_families(library: Library, album: Album) -> None:
    add(library, album, 20, grey=False)
    before = old_space(library)
    with Library.open(library.path, read_only=True) as reader:
        assert current_space(reader).digest_ == before.digest_
    assert current_space(library).digest_ != before.digest_
