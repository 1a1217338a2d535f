# SPDX-License-Identifier: MIT
"""Rankings by a region of an image: photos with the same thing, wherever it is in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.codes import codes_of_all
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.browser.operations.describing.enabled import change_enabled, set_enabled
from focal_photos.browser.operations.jobs.errors import ForeignImageError, OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.queries import by_region
from focal_photos.browser.operations.ranking.queries.by_region import NoWindowsError, nearest_to_region
from focal_photos.browser.operations.ranking.queries.query import RegionQuery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.features import table
from focal_photos.features.decoding.decode import decode
from focal_photos.features.fitted.fisher_windows import WINDOWS, FisherWindows, window_values
from tests.browser.catalog.albums import id_of
from tests.browser.copies import copied_with_photos
from tests.browser.operations.small_table import small_table
from tests.conftest import MadeOnce
from tests.features.fitted.test_fisher_windows import BARE, with_thing

THINGS = 4
PLACES = ((8, 8), (136, 8), (72, 72))
REGION = Region(8 / 192, 8 / 128, 56 / 192, 56 / 128)
"""Place of the thing in the first photo of each kind."""


def draw(folder: Path) -> None:
    """Draw `THINGS` things in three photos each, ``0-0.png`` ..., at different places."""
    folder.mkdir(parents=True)
    for thing in range(THINGS):
        for number, (left, top) in enumerate(PLACES):
            pixels = with_thing(3 * thing + number, 100 + thing, left, top).rgb
            Image.fromarray(pixels).save(folder / f"{thing}-{number}.png")


@pytest.fixture
def bare(made_once: MadeOnce, tmp_path: Path) -> Iterator[Library]:
    """Library of the photos, without windows."""

    def fill(folder: Path) -> None:
        draw(folder / "photos")
        with Library.open(folder / "library") as library:
            set_enabled(library, ["mean", BARE.shape.name, BARE.color.name])
            finish(index(library, [folder / "photos"], backend="threads", workers=1))

    with small_table():
        table.DESCRIPTORS.update({one.name: one for one in (BARE.shape, BARE.color)})
        table.CODE_DESCRIPTORS[BARE.name] = BARE
        made = copied_with_photos(made_once("things", fill), tmp_path / "photos", tmp_path / "library")
        with Library.open(made) as library:
            yield library


@pytest.fixture
def prepared(bare: Library) -> Library:
    by_region.prepare_regions(bare)
    finish(index(bare, backend="threads", workers=1))
    return bare


def names(library: Library, ids: np.ndarray) -> list[str]:
    return [path.name for path in library.photos.paths(ids)]


def test_photos_with_the_same_thing_come_first(prepared: Library, tmp_path: Path) -> None:
    for thing in range(THINGS):
        focal = id_of(prepared, tmp_path / "photos" / f"{thing}-0.png")
        ranking = Ranker(prepared).rank(RegionQuery(focal, REGION))
        assert {name[0] for name in names(prepared, ranking.photo_ids[:2])} == {str(thing)}
        assert focal not in ranking.photo_ids
        assert (ranking.focal_id, ranking.total) == (focal, THINGS * 3 - 1)
        assert (np.diff(ranking.distances) >= 0).all()
        assert ranking.windows is not None
        for name, (x0, y0, x1, y1) in zip(names(prepared, ranking.photo_ids[:2]), ranking.windows, strict=False):
            left, top = PLACES[int(name[2])]
            assert x0 * 192 < left + 48
            assert x1 * 192 > left
            assert y0 * 128 < top + 48
            assert y1 * 128 > top


def test_distances_are_those_of_the_best_windows(prepared: Library, tmp_path: Path) -> None:
    focal = tmp_path / "photos" / "0-0.png"
    ranking = Ranker(prepared).rank(RegionQuery(focal, REGION), limit=5)
    (descriptor,) = (one for one in ready_descriptors(prepared) if one.name == BARE.name)
    assert isinstance(descriptor, FisherWindows)
    query = descriptor.of_region(decode(focal), (REGION.x0, REGION.y0, REGION.x1, REGION.y1)).astype(np.float64)
    assert ranking.windows is not None
    for path, distance, window in zip(
        prepared.photos.paths(ranking.photo_ids), ranking.distances, ranking.windows, strict=True
    ):
        values = window_values(descriptor.extract(decode(path))).astype(np.float64)
        far = 1 - values @ query / np.linalg.norm(query) / np.maximum(np.linalg.norm(values, axis=1), 1e-9)
        assert distance == pytest.approx(far.min(), abs=0.01)
        np.testing.assert_array_equal(window, WINDOWS[far.argmin()])


def test_a_file_of_the_library_is_its_photo_and_others_are_not(prepared: Library, tmp_path: Path) -> None:
    inside = tmp_path / "photos" / "1-0.png"
    ranker = Ranker(prepared)
    by_file = ranker.rank(RegionQuery(inside, REGION))
    by_id = ranker.rank(RegionQuery(id_of(prepared, inside), REGION))
    np.testing.assert_array_equal(by_file.photo_ids, by_id.photo_ids)
    outside = tmp_path / "other.png"
    Image.fromarray(with_thing(1, 101, 8, 8).rgb).save(outside)
    for source in (outside, outside.read_bytes()):
        ranking = ranker.rank(RegionQuery(source, REGION))
        assert (ranking.focal_id, ranking.total) == (None, THINGS * 3)
        assert {name[0] for name in names(prepared, ranking.photo_ids[:3])} == {"1"}


def test_only_allowed_photos_are_ranked_and_limited(prepared: Library, tmp_path: Path) -> None:
    query = RegionQuery(id_of(prepared, tmp_path / "photos" / "2-0.png"), REGION)
    among = prepared.photos.listed("path:0- OR path:2-")
    ranking = Ranker(prepared).rank(query, among=among, limit=3)
    assert (len(ranking.photo_ids), ranking.total) == (3, 5)
    assert {name[0] for name in names(prepared, ranking.photo_ids)} <= {"0", "2"}


def test_a_missing_photo_is_represented_by_its_window(prepared: Library, tmp_path: Path) -> None:
    file = tmp_path / "photos" / "3-0.png"
    focal = id_of(prepared, file)
    file.rename(tmp_path / "away.png")
    finish(index(prepared, backend="threads", workers=1))
    ranking = Ranker(prepared).rank(RegionQuery(focal, REGION))
    assert {name[0] for name in names(prepared, ranking.photo_ids[:2])} == {"3"}


def test_without_windows_the_error_names_the_remedy(bare: Library, tmp_path: Path) -> None:
    query = RegionQuery(id_of(bare, tmp_path / "photos" / "0-0.png"), REGION)
    with pytest.raises(NoWindowsError, match="focal descriptors --on fisher_windows, then focal index"):
        Ranker(bare).rank(query)
    assert not by_region.prepares_regions(bare)
    change_enabled(bare, off=[BARE.shape.name], on=[BARE.name])
    assert by_region.prepares_regions(bare)
    finish(index(bare, backend="threads", workers=1))
    assert not len(Ranker(bare).unranked(query, bare.photos.ids()))


def test_windows_that_are_not_computed_yet_are_reported(prepared: Library, tmp_path: Path) -> None:
    (descriptor,) = [one for one in ready_descriptors(prepared) if isinstance(one, FisherWindows)]
    store = prepared.codes.store(str(descriptor.key), descriptor.dimension)
    store.forget(store.ids)
    with pytest.raises(NoWindowsError, match="No photo is described"):
        nearest_to_region(prepared, RegionQuery(id_of(prepared, tmp_path / "photos" / "0-0.png"), REGION))


def test_photos_that_lack_windows_are_counted(prepared: Library, tmp_path: Path) -> None:
    query = RegionQuery(id_of(prepared, tmp_path / "photos" / "0-0.png"), REGION)
    lost = prepared.photos.ids()[3:5]
    (key,) = (key for key in prepared.codes.keys() if key.startswith(BARE.name))  # noqa: SIM118 - no mapping
    store = prepared.codes.open(key)
    assert store is not None
    store.forget(lost)
    ranker = Ranker(prepared)
    np.testing.assert_array_equal(ranker.unranked(query, prepared.photos.ids()), lost)
    assert not np.isin(lost, ranker.rank(query).photo_ids).any()


def test_bad_images_and_empty_regions_are_refused(prepared: Library, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no image")
    with pytest.raises(ForeignImageError, match="cannot be used as focal image"):
        Ranker(prepared).rank(RegionQuery(broken, REGION))
    with pytest.raises(OperationError, match="draw a larger one"):
        Ranker(prepared).rank(RegionQuery(tmp_path / "photos" / "0-0.png", Region(0.001, 0.001, 0.0011, 0.0011)))


def test_tags_are_not_learned_from_windows(prepared: Library) -> None:
    assert codes_of_all(prepared, prepared.photos.ids()) is None
    assert len(nearest_to_region(prepared, RegionQuery(int(prepared.photos.ids()[0]), REGION)).ids) == THINGS * 3 - 1
