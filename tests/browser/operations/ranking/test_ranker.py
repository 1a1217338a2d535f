# SPDX-License-Identifier: MIT
from __future__ import annotations

import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from focal_photos.browser.catalog.facts.learning.metrics import UnknownMetricError
from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingIndexedError, OperationError, UnreadableMetricError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.galleries.gallery import embedding
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import (
    coordinates,
    current_space,
    described,
    prepare_space,
    space_key,
    stores,
)
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.galleries.float_gallery import FloatGallery, RankedRows
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album, pixels


def spaces(library: Library) -> list[str]:
    keys = library.vectors.keys()
    return [key for key in keys if key.startswith("space-")]


def kinds(library: Library, ids: np.ndarray) -> list[str]:
    return [path.parent.name for path in library.photos.paths(ids)]


# ---------------------------------------------------------------- space
def test_the_space_is_stored_and_loaded_again(indexed: Library) -> None:
    space = current_space(indexed)
    assert current_space(indexed).digest_ == space.digest_
    assert len(list((indexed.path / "derived").glob("space-*.npz"))) == 1
    assert [family.name for family in space.families] == [store.key for store in stores(indexed)]


def test_the_space_is_fitted_again_when_the_library_has_doubled(indexed: Library, album: Album) -> None:
    before = current_space(indexed)
    for seed in range(5):
        album.draw(f"green/{seed}.jpg", kind="green", seed=seed)
    finish(index(indexed, backend="threads", workers=1))
    assert current_space(indexed).digest_ == before.digest_
    for seed in range(5, 13):
        album.draw(f"green/{seed}.jpg", kind="green", seed=seed)
    finish(index(indexed, backend="threads", workers=1))
    after = current_space(indexed)
    assert after.digest_ != before.digest_
    assert set(spaces(indexed)) == {space_key(before), space_key(after)}
    for seed in range(13, 38):
        album.draw(f"green/{seed}.jpg", kind="green", seed=seed)
    finish(index(indexed, backend="threads", workers=1))
    assert set(spaces(indexed)) == {space_key(after), space_key(current_space(indexed))}
    assert len(list((indexed.path / "derived").glob("space-*.npz"))) == 2


def test_fitting_the_space_can_be_cancelled(indexed: Library) -> None:
    before = current_space(indexed)
    (file,) = (indexed.path / "derived").glob("space-*.npz")
    file.unlink()
    job = prepare_space(indexed)
    assert next(job).stage == "Preparing the ranking"
    job.close()
    assert not file.exists()
    assert finish(prepare_space(indexed)).digest_ == before.digest_
    assert file.exists()


def test_stored_and_computed_coordinates_are_the_same(indexed: Library) -> None:
    space = current_space(indexed)
    ids = described(indexed)[::-1]
    stored = np.array(coordinates(indexed, space, ids))
    indexed.vectors.remove(space_key(space))
    np.testing.assert_allclose(coordinates(indexed, space, ids), stored, atol=1e-6)


# ---------------------------------------------------------------- ranking
def test_photos_of_the_same_kind_come_first_without_the_focal_image(indexed: Library, album: Album) -> None:
    ranking = Ranker(indexed).rank(id_of(indexed, album.path("warm/2.jpg")))
    assert ranking.metric.name == "euclidean"
    assert ranking.focal_id not in ranking.photo_ids
    assert kinds(indexed, ranking.photo_ids) == ["warm"] * 5 + ["cold"] * 6
    assert (np.diff(ranking.distances) >= 0).all()
    assert ranking.distances.dtype == np.float32


def test_an_id_a_path_and_the_bytes_give_the_same_distances(indexed: Library, album: Album) -> None:
    ranker, path = Ranker(indexed), album.path("cold/1.jpg")
    by_id = ranker.rank(id_of(indexed, path))
    by_path = ranker.rank(path)
    np.testing.assert_array_equal(by_path.photo_ids, by_id.photo_ids)
    by_bytes = ranker.rank(path.read_bytes())
    assert by_bytes.focal_id is None
    assert by_bytes.photo_ids[0] == by_id.focal_id
    assert by_bytes.distances[0] == pytest.approx(0, abs=1e-4)
    np.testing.assert_allclose(by_bytes.distances[1:], by_id.distances, atol=1e-4)


def test_an_image_outside_the_library_is_ranked_against_all(indexed: Library, tmp_path: Path) -> None:
    outside = Album(tmp_path / "outside").draw("x.png", kind="warm", seed=1234)
    ranking = Ranker(indexed).rank(outside)
    assert ranking.focal_id is None
    assert len(ranking.photo_ids) == 12
    assert kinds(indexed, ranking.photo_ids)[:6] == ["warm"] * 6


def test_a_limit_and_a_filter_shorten_the_ranking(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/0.jpg"))
    everything = ranker.rank(focal)
    np.testing.assert_array_equal(ranker.rank(focal, limit=3).photo_ids, everything.photo_ids[:3])
    cold = indexed.photos.ids("path:cold")
    among = ranker.rank(focal, limit=4, among=np.append(cold, focal))
    np.testing.assert_array_equal(among.photo_ids, everything.photo_ids[np.isin(everything.photo_ids, cold)][:4])


def test_a_limit_shortens_the_search_according_to_the_filter(
    indexed: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int | None] = []
    search = FloatGallery.rank

    def note(
        gallery: FloatGallery, query: ArrayLike, k: int | None = None, *, allowed: NDArray[np.bool_] | None = None
    ) -> RankedRows:
        asked.append(k)
        return search(gallery, query, k, allowed=allowed)

    monkeypatch.setattr(FloatGallery, "rank", note)
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/0.jpg"))
    everything = ranker.rank(focal).photo_ids
    assert asked.pop() is None
    present = indexed.photos.ids("-path:cold/3")  # one of twelve photos is left out, like a missing photo
    for among in (present, np.setdiff1d(present, [focal])):
        for limit in range(1, 12):
            asked.clear()
            found = ranker.rank(focal, limit=limit, among=among)
            np.testing.assert_array_equal(found.photo_ids, everything[np.isin(everything, present)][:limit])
            # The requested photos, the focal image, and one more to detect a tie. A filter adds nothing.
            assert asked == [limit + 2]
            assert found.total == 10


def test_new_edited_and_missing_photos_are_ranked(indexed: Library, album: Album) -> None:
    ranker, path = Ranker(indexed), album.path("warm/0.jpg")
    assert len(ranker.rank(path).photo_ids) == 11
    new = album.draw("warm/new.jpg", kind="warm", seed=77)
    album.draw("cold/5.jpg", kind="warm", seed=78)  # edited: it is now warm
    album.path("cold/4.jpg").unlink()
    finish(index(indexed, backend="threads", workers=1))
    ranking = ranker.rank(path)
    first = {p.name for p in indexed.photos.paths(ranking.photo_ids[:7])}
    assert {new.name, "5.jpg"} <= first
    assert len(ranking.photo_ids) == 12  # the missing photo stays


def test_a_broken_photo_is_not_ranked_and_cannot_be_the_focal_image(indexed: Library, album: Album) -> None:
    album.path("broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 broken")
    finish(index(indexed, backend="threads", workers=1))
    ranker, broken = Ranker(indexed), id_of(indexed, album.path("broken.jpg"))
    assert broken not in ranker.rank(album.path("warm/0.jpg")).photo_ids
    for focal in (broken, album.path("broken.jpg"), b"no image"):
        with pytest.raises(OperationError, match="cannot be"):
            ranker.rank(focal)


def test_photos_of_a_removed_folder_are_not_ranked(indexed: Library, album: Album, tmp_path: Path) -> None:
    focal, other = id_of(indexed, album.path("warm/2.jpg")), Album(tmp_path / "other")
    new = other.draw("new.jpg", kind="warm", seed=50)
    finish(index(indexed, [other.folder], backend="threads", workers=1))
    new_id, ranker = id_of(indexed, new), Ranker(indexed)
    assert new_id in ranker.rank(focal).photo_ids
    indexed.roots.remove(next(root.id for root in indexed.roots.all() if root.path == other.folder))
    left = ranker.rank(focal).photo_ids
    assert (len(left), new_id in left) == (11, False)
    assert set(ranker.rank(focal, among=left[:3]).photo_ids) == set(left[:3])


def test_errors_report_what_to_do(library: Library, album: Album) -> None:
    with pytest.raises(NothingIndexedError, match="index a folder"):
        Ranker(library).rank(album.draw("a.jpg"))
    with pytest.raises(UnknownMetricError, match="no metric smell"):
        Ranker(library).rank(album.path("a.jpg"), "smell")


def test_a_library_opened_by_another_program_can_be_ranked(indexed: Library, album: Album) -> None:
    indexed.vectors.remove(space_key(current_space(indexed)))
    expected = Ranker(indexed).rank(album.path("warm/0.jpg"))
    indexed.vectors.remove(space_key(current_space(indexed)))
    with Library.open(indexed.path, read_only=True) as reader:
        ranking = Ranker(reader).rank(album.path("warm/0.jpg"))
        np.testing.assert_array_equal(ranking.photo_ids, expected.photo_ids)
        assert not spaces(reader)


def test_threads_can_rank_while_photos_are_added(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/0.jpg"))
    failures: list[BaseException] = []
    stop = threading.Event()

    def ask() -> None:
        try:
            while not stop.is_set():
                ranking = ranker.rank(focal)
                assert len(np.unique(ranking.photo_ids)) == len(ranking.photo_ids) >= 11
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for seed in range(15):
        album.draw(f"green/{seed}.jpg", kind="green", seed=seed)
        if seed % 5 == 4:
            finish(index(indexed, backend="threads", workers=1))
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(ranker.rank(focal).photo_ids) == 26


def test_a_copy_of_a_photo_counts_as_the_photo(indexed: Library, album: Album, tmp_path: Path) -> None:
    focal = id_of(indexed, album.path("warm/0.jpg"))
    copy = tmp_path / "copy.jpg"
    shutil.copy(album.path("warm/0.jpg"), copy)
    ranking = Ranker(indexed).rank(copy, limit=4)
    assert ranking.focal_id == focal
    assert len(ranking.photo_ids) == 4
    assert focal not in ranking.photo_ids


def test_a_file_changed_since_the_scan_is_decoded_again(indexed: Library, album: Album) -> None:
    path = album.path("warm/0.jpg")
    focal = id_of(indexed, path)
    before = Ranker(indexed).rank(path)
    path.touch()  # with the same content
    np.testing.assert_array_equal(Ranker(indexed).rank(path).distances, before.distances)
    album.draw("warm/0.jpg", kind="cold", seed=99)
    ranking = Ranker(indexed).rank(path)
    assert ranking.focal_id == focal
    assert kinds(indexed, ranking.photo_ids)[:6] == ["cold"] * 6
    shutil.copy(album.path("cold/1.jpg"), path)
    assert Ranker(indexed).rank(path).focal_id == id_of(indexed, album.path("cold/1.jpg"))
    path.unlink()
    np.testing.assert_array_equal(Ranker(indexed).rank(path).photo_ids, before.photo_ids)


def test_lost_descriptions_are_not_reported_as_an_empty_library(indexed: Library, album: Album) -> None:
    indexed.vectors.forget(indexed.photos.ids())
    with pytest.raises(NothingIndexedError, match=r"The descriptions of 12 photos .*focal index"):
        Ranker(indexed).rank(album.path("warm/0.jpg"))


# ---------------------------------------------------------------- trained metrics
def taught(library: Library, album: Album) -> None:
    """Judge warm and cold photos with the same number similar, and others dissimilar."""
    for i in range(6):
        focal = id_of(library, album.path(f"warm/{i}.jpg"))
        library.judgements.set(focal, [id_of(library, album.path(f"cold/{i}.jpg"))], Verdict.SIMILAR)
        others = [id_of(library, album.path(f"warm/{j}.jpg")) for j in range(6) if j != i]
        library.judgements.set(focal, others, Verdict.DISSIMILAR)


def test_a_trained_metric_is_used_immediately_and_euclidean_stays(indexed: Library, album: Album) -> None:
    taught(indexed, album)
    ranker = Ranker(indexed)
    focal = id_of(indexed, album.path("warm/0.jpg"))
    before = ranker.rank(focal, by_judgements=False)
    metric = finish(train(indexed, "kernel"))
    after = ranker.rank(focal, by_judgements=False)
    assert (before.metric.name, after.metric.name, metric.name) == ("euclidean", "kernel-1", "kernel-1")
    partner = id_of(indexed, album.path("cold/0.jpg"))
    assert list(after.photo_ids).index(partner) < list(before.photo_ids).index(partner)
    again = ranker.rank(focal, "euclidean", by_judgements=False)
    np.testing.assert_array_equal(again.photo_ids, before.photo_ids)
    np.testing.assert_array_equal(ranker.rank(focal, "kernel", by_judgements=False).photo_ids, after.photo_ids)


def test_a_metric_file_is_self_contained(indexed: Library, album: Album) -> None:
    taught(indexed, album)
    finish(train(indexed, "kernel"))
    focal = album.path("warm/0.jpg")
    before = Ranker(indexed).rank(focal)
    shutil.rmtree(indexed.path / "derived" / "vectors")
    for file in (indexed.path / "derived").glob("space-*"):
        file.unlink()
    path = indexed.path
    indexed.close()
    with Library.open(path) as again:
        finish(index(again, backend="threads", workers=1))
        after = Ranker(again).rank(focal)
        np.testing.assert_array_equal(after.photo_ids, before.photo_ids)
        np.testing.assert_allclose(after.distances, before.distances, atol=1e-4)


def test_a_damaged_metric_file_is_reported(indexed: Library, album: Album) -> None:
    taught(indexed, album)
    metric = finish(train(indexed, "kernel"))
    path = indexed.metrics.path(metric)
    assert path is not None
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(UnreadableMetricError, match="kernel-1 cannot be used"):
        Ranker(indexed).rank(album.path("warm/0.jpg"))
    assert len(Ranker(indexed).rank(album.path("warm/0.jpg"), "euclidean").photo_ids) == 11


def test_the_embedding_grows_with_the_library(indexed: Library, album: Album) -> None:
    loaded = load_metric(indexed, indexed.metrics.current())
    ids, rows = finish(embedding(indexed, loaded))
    assert (len(ids), rows.shape) == (12, (12, loaded.dimension))
    indexed.vectors.forget(ids[:2])
    finish(index(indexed, backend="threads", workers=1))
    again, _ = finish(embedding(indexed, loaded))
    assert sorted(again) == sorted(ids)


def test_the_bytes_of_an_image_are_a_query(indexed: Library, tmp_path: Path) -> None:
    from PIL import Image

    path = tmp_path / "x.webp"
    Image.fromarray(pixels("cold", 500, (300, 200))).save(path, lossless=True)
    ranking = Ranker(indexed).rank(path.read_bytes(), limit=6)
    assert kinds(indexed, ranking.photo_ids) == ["cold"] * 6
