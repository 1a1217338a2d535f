# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import change_enabled
from focal_photos.browser.operations.jobs.errors import OperationError, UnreadableMetricError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.forget_folder import forget_folder
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.focal_gallery import focal_image_gallery
from focal_photos.browser.operations.ranking.local.focal_store import stored_ids
from focal_photos.browser.operations.ranking.local.learner import LOCAL, SOURCES
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.ranking.local.patches import patches_of
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.local.calibration import RELATIVES
from tests.browser.copies import copied, opened_copy
from tests.browser.operations import local_album
from tests.browser.operations.album import Album, pixels
from tests.browser.operations.local_album import EACH, names, number


@pytest.fixture
def library(trained_folder: Path, tmp_path: Path) -> Iterator[Library]:
    with opened_copy(trained_folder, tmp_path / "copy") as opened:
        yield opened


def test_photos_of_the_same_kind_come_first(library: Library) -> None:
    focal = number(library, "cold/2.jpg")
    ranking = Ranker(library).rank(focal)
    assert ranking.metric.name == "local-1"
    assert focal not in ranking.photo_ids
    assert names(library, ranking.photo_ids) == ["cold"] * (EACH - 1) + ["warm"] * EACH
    assert (np.diff(ranking.distances) >= 0).all()
    few = Ranker(library).rank(focal, limit=3)
    np.testing.assert_array_equal(few.photo_ids, ranking.photo_ids[:3])
    among = Ranker(library).rank(focal, among=ranking.photo_ids[4:7])
    np.testing.assert_array_equal(among.photo_ids, ranking.photo_ids[4:7])
    np.testing.assert_allclose(among.distances, ranking.distances[4:7], rtol=1e-5)


def test_judged_photos_are_separate_and_the_others_stay_in_order(library: Library) -> None:
    focal = number(library, "cold/2.jpg")
    before = Ranker(library).rank(focal)
    first, last = int(before.photo_ids[0]), int(before.photo_ids[-1])
    library.judgements.set(focal, [last], Verdict.SIMILAR)
    library.judgements.set(focal, [first], Verdict.DISSIMILAR)
    after = Ranker(library).rank(focal)
    assert after.judgements == 2
    assert after.photo_ids.tolist() == [last, *before.photo_ids[1:-1].tolist(), first]
    np.testing.assert_allclose(after.distances[1:-1], before.distances[1:-1], rtol=1e-5)


def test_the_distance_is_the_weighted_sum_over_patches(library: Library) -> None:
    focal, other = number(library, "warm/1.jpg"), number(library, "cold/3.jpg")
    local = local_metric(library, library.metrics.by_name(LOCAL))
    own, there = (patches_of(library, local.keys, photo) for photo in library.photos.get([focal, other]))
    model = local.focal_image(library, focal, own.fingerprint())
    assert model is not None
    nearest = [
        np.sqrt(((a.astype(np.float64)[:, None] - b.astype(np.float64)) ** 2).sum(axis=-1)).min(axis=1)
        for a, b in zip(own.vectors, there.vectors, strict=True)
    ]
    expected = float((model.weights * model.factors) @ np.concatenate(nearest))
    ranking = Ranker(library).rank(focal)
    assert ranking.distances[ranking.photo_ids == other] == pytest.approx(expected, rel=1e-3)


def test_an_untagged_photo_is_fitted_on_its_first_query_and_stored(library: Library) -> None:
    focal = number(library, local_album.UNTAGGED[0])
    local = local_metric(library, library.metrics.by_name(LOCAL))
    assert focal not in local.trained.focal_
    ranking = Ranker(library).rank(focal)
    assert stored_ids(library, local.trained).count(focal) == 1
    own = patches_of(library, local.keys, library.photos.get([focal])[0])
    kept = local.models(library)[focal]
    assert kept.triplets == 0  # no training data: all patches have the same weight
    assert np.ptp(kept.weights) == 0
    assert kept.digest.startswith(own.fingerprint())
    with Library.open(library.path, read_only=True) as reading:
        again = local_metric(reading, reading.metrics.by_name(LOCAL))
        found = again.focal_image(reading, focal, own.fingerprint())
        assert found is not None
        np.testing.assert_array_equal(found.weights, kept.weights)
        np.testing.assert_array_equal(Ranker(reading).rank(focal).photo_ids, ranking.photo_ids)


def test_an_untrained_photo_is_ranked_by_the_three_focal_images_that_find_it_most_probable(library: Library) -> None:
    focal = number(library, local_album.UNTAGGED[0])
    ranking = Ranker(library).rank(focal)
    assert names(library, ranking.photo_ids) == ["warm"] * (EACH - 1) + ["cold"] * EACH
    models = local_metric(library, library.metrics.by_name(LOCAL)).models(library)
    given: dict[int, dict[int, float]] = {}
    for photo_id in library.photos.ids("tagged").tolist():
        own, model = Ranker(library).rank(photo_id), models[photo_id]
        far = dict(zip(own.photo_ids.tolist(), own.distances.tolist(), strict=True)) | {photo_id: 0.0}
        given[photo_id] = {i: 1 / (1 + math.exp(model.slope * d + model.offset)) for i, d in far.items()}
    relatives = sorted(given, key=lambda i: -given[i][focal])[:RELATIVES]
    trust = sum(given[i][focal] for i in relatives)
    expected = [
        1 - sum(given[i][focal] * given[i][other] for i in relatives) / trust for other in ranking.photo_ids.tolist()
    ]
    np.testing.assert_allclose(ranking.distances, expected, atol=1e-4)
    few = [number(library, local_album.UNTAGGED[1]), number(library, "cold/1.jpg")]
    among = Ranker(library).rank(focal, among=np.array(few))
    kept = np.isin(ranking.photo_ids, few)
    np.testing.assert_array_equal(among.photo_ids, ranking.photo_ids[kept])
    np.testing.assert_allclose(among.distances, ranking.distances[kept], rtol=1e-5)


def test_the_nearest_relative_alone_decides_whether_relatives_rank(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    focal = number(library, local_album.UNTAGGED[0])
    local = local_metric(library, library.metrics.by_name(LOCAL))
    by_relatives = Ranker(library).rank(focal)
    monkeypatch.setattr("focal_photos.learners.local.calibration.PROBABLE", 1.1)  # above any probability
    by_equal_weights = Ranker(library).rank(focal)
    gallery = focal_image_gallery(library, local, local.trained.focal_)
    own = patches_of(library, local.keys, library.photos.get([focal])[0])
    first, *_, last = sorted(gallery.probabilities(gallery.exponents(own)), reverse=True)[:RELATIVES]
    assert first > last
    assert not np.allclose(by_relatives.distances, by_equal_weights.distances)
    for probable, expected in (((first + last) / 2, by_relatives), (first * 1.001, by_equal_weights)):
        monkeypatch.setattr("focal_photos.learners.local.calibration.PROBABLE", probable)
        ranking = Ranker(library).rank(focal)
        np.testing.assert_array_equal(ranking.photo_ids, expected.photo_ids)
        np.testing.assert_allclose(ranking.distances, expected.distances, rtol=1e-6)


def test_a_photo_that_no_focal_image_finds_probable_is_ranked_with_equal_weights(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.learners.local.calibration.PROBABLE", 0.999)
    focal = number(library, local_album.UNTAGGED[0])
    ranking = Ranker(library).rank(focal)
    local = local_metric(library, library.metrics.by_name(LOCAL))
    candidates = Candidates(library, local.keys, ranking.photo_ids)
    every = candidates.distances(patches_of(library, local.keys, library.photos.get([focal])[0]))
    expected = (every * (0.1 / every.std(axis=0))).mean(axis=1)
    np.testing.assert_allclose(ranking.distances, expected, rtol=1e-4)


def test_a_read_only_library_ranks_as_well(trained_folder: Path) -> None:
    with Library.open(trained_folder, read_only=True) as reading:
        focal = number(reading, local_album.UNTAGGED[1])
        local = local_metric(reading, reading.metrics.by_name(LOCAL))
        first = Ranker(reading).rank(focal)
        assert sorted(stored_ids(reading, local.trained)) == sorted(local.trained.focal_.tolist())
        assert focal in local.models(reading)
        np.testing.assert_array_equal(Ranker(reading).rank(focal).photo_ids, first.photo_ids)


@pytest.mark.parametrize("trained", [False, True])
def test_an_edited_photo_is_fitted_again(library: Library, tmp_path: Path, trained: bool) -> None:
    album = Album(tmp_path / "more")
    path = album.draw("green.jpg", kind="green", seed=1)
    finish(index(library, [album.folder], backend="threads", workers=1))
    if trained:
        library.tags.change([number(library, "green.jpg")], ["cold"])
        finish(train(library, LOCAL))
    ranker = Ranker(library)
    ranker.rank(path)
    local = local_metric(library, library.metrics.by_name(LOCAL))
    (photo,) = library.photos.get([number(library, "green.jpg")])
    assert (photo.id in local.trained.focal_) == trained
    before = patches_of(library, local.keys, photo).fingerprint()
    assert local.focal_image(library, photo.id, before) is not None
    Image.fromarray(pixels("cold", 4, (64, 96))).save(path)
    finish(index(library, backend="threads", workers=1))
    (photo,) = library.photos.get([number(library, "green.jpg")])
    after = patches_of(library, local.keys, photo).fingerprint()
    assert after != before
    assert local.focal_image(library, photo.id, after) is None
    ranker.rank(photo.id)
    assert local.focal_image(library, photo.id, after) is not None


def test_after_the_shortlist_the_global_order_continues(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.ranking.local.rank.SHORTLIST", 4)
    focal = number(library, "warm/3.jpg")
    ranker = Ranker(library)
    globally, locally = ranker.rank(focal, "euclidean"), ranker.rank(focal)
    assert set(locally.photo_ids[:4]) == set(globally.photo_ids[:4])
    np.testing.assert_array_equal(locally.photo_ids[4:], globally.photo_ids[4:])
    assert (np.diff(locally.distances) >= 0).all()
    assert locally.distances[4] == pytest.approx(locally.distances[3])
    np.testing.assert_allclose(
        locally.distances[4:] / locally.distances[4], globally.distances[4:] / globally.distances[4], rtol=1e-5
    )


def test_distances_rise_also_after_a_copy_of_the_focal_image(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.ranking.local.rank.SHORTLIST", 1)
    (tmp_path / "more").mkdir()
    for name, level in (("one.png", 1), ("copy.png", 9)):
        Image.fromarray(pixels("warm", 9)).save(tmp_path / "more" / name, compress_level=level)
    finish(index(library, [tmp_path / "more"], backend="threads", workers=1))
    focal = number(library, "one.png")
    library.tags.change([focal], ["warm"])
    ranking = Ranker(library).rank(focal)
    assert ranking.photo_ids[0] == number(library, "copy.png")
    assert ranking.distances[0] == 0
    assert (ranking.distances[1:] > 0).all()
    assert (np.diff(ranking.distances) >= 0).all()


# ---------------------------------------------------------------- images outside the library
def test_an_outside_image_is_ranked_by_probability(library: Library, tmp_path: Path) -> None:
    path = Album(tmp_path / "outside").draw("x.png", kind="cold", seed=77)
    Ranker(library).rank(number(library, local_album.UNTAGGED[0]))  # has no training data and no vote
    ranking = Ranker(library).rank(path)
    assert ranking.focal_id is None
    assert names(library, ranking.photo_ids) == ["cold"] * EACH + ["warm"] * EACH
    assert (np.diff(ranking.distances) >= 0).all()
    assert 0 < ranking.distances[0] < 0.5 < ranking.distances[-1] <= 1
    by_bytes = Ranker(library).rank(path.read_bytes())
    np.testing.assert_array_equal(by_bytes.photo_ids, ranking.photo_ids)


def test_without_trained_focal_images_all_patches_have_the_same_weight(library: Library, tmp_path: Path) -> None:
    metric = finish(train(library, LOCAL, parameters={"at_once": 1}))
    assert not len(local_metric(library, metric).trained.focal_)
    path = Album(tmp_path / "outside").draw("x.png", kind="warm", seed=78)
    # Results of earlier training are useless for other parameters.
    metric = finish(train(library, LOCAL, parameters={"at_once": 1, "C": 0.2}))
    ranking = Ranker(library).rank(path)
    assert names(library, ranking.photo_ids)[:EACH] == ["warm"] * EACH
    assert (np.diff(ranking.distances) > 0).all()


def test_a_file_edited_since_the_scan_is_read_again(library: Library, tmp_path: Path) -> None:
    album = Album(tmp_path / "more")
    path = album.draw("green.jpg", kind="green", seed=1)
    finish(index(library, [album.folder], backend="threads", workers=1))
    Image.fromarray(pixels("cold", 8)).save(path)
    ranking = Ranker(library).rank(path)
    assert number(library, "green.jpg") == ranking.focal_id
    assert names(library, ranking.photo_ids[:5]) == ["cold"] * 5


def test_a_photo_without_edges_is_ranked_by_the_global_metric(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "flat"
    folder.mkdir()
    path = folder / "flat.png"
    Image.new("RGB", (60, 40), (90, 120, 40)).save(path)
    for _ in ("outside", "in the library"):
        found, expected = Ranker(library).rank(path), Ranker(library).rank(path, "euclidean")
        np.testing.assert_array_equal(found.photo_ids, expected.photo_ids)
        np.testing.assert_array_equal(found.distances, expected.distances)
        finish(index(library, [folder], backend="threads", workers=1))
    ranking = Ranker(library).rank(number(library, "warm/0.jpg"))
    assert ranking.photo_ids[-1] == number(library, "flat.png")
    finish(train(library, LOCAL))  # does not disturb the training


def test_photos_with_lost_patches_follow_at_the_end(library: Library) -> None:
    focal, lost = number(library, "warm/0.jpg"), number(library, "warm/1.jpg")
    library.patches.forget([lost])
    ranking = Ranker(library).rank(focal)
    assert ranking.photo_ids[-1] == lost
    with pytest.raises(OperationError, match="not computed yet"):
        Ranker(library).rank(lost)


# ---------------------------------------------------------------- library care
def test_a_removed_folder_is_not_ranked(library: Library, tmp_path: Path) -> None:
    album = Album(tmp_path / "more")
    album.draw("green.jpg", kind="green", seed=1)
    finish(index(library, [album.folder], backend="threads", workers=1))
    forget_folder(library, library.roots.all()[0].path)
    ranking = Ranker(library).rank(number(library, "green.jpg"))
    assert not len(ranking.photo_ids)


def test_a_check_retains_the_data_of_a_local_metric(library: Library, tmp_path: Path) -> None:
    focal = number(library, "warm/0.jpg")
    before = Ranker(library).rank(focal)
    Ranker(library).rank(number(library, local_album.UNTAGGED[0]))
    local = local_metric(library, library.metrics.by_name(LOCAL))
    kept = stored_ids(library, local.trained)
    assert len(kept) == 11
    change_enabled(library, off=SOURCES)
    report = finish(check(library))
    assert not report.problems
    assert stored_ids(library, local.trained) == kept
    ranking = Ranker(library).rank(focal)
    np.testing.assert_array_equal(ranking.distances, before.distances)
    elsewhere = Album(tmp_path / "elsewhere").draw("y.png", kind="warm", seed=5)
    assert len(Ranker(library).rank(elsewhere).photo_ids) == 2 * EACH


def test_a_check_finds_a_damaged_file(library: Library) -> None:
    path = library.metrics.path(library.metrics.by_name(LOCAL))
    assert path is not None
    path.write_bytes(path.read_bytes()[:-2000])
    assert any("local-1 cannot be used" in problem for problem in finish(check(library)).problems)
    with pytest.raises(UnreadableMetricError, match="train again"):
        Ranker(library).rank(number(library, "warm/0.jpg"))
    finish(train(library, LOCAL))
    assert len(Ranker(library).rank(number(library, "warm/0.jpg")).photo_ids) == 2 * EACH - 1


def test_all_derived_data_can_be_computed_again(trained_folder: Path, tmp_path: Path) -> None:
    copied(trained_folder, tmp_path / "copy")
    shutil.rmtree(tmp_path / "copy" / "derived")
    with Library.open(tmp_path / "copy") as library:
        finish(index(library, backend="threads", workers=1))
        ranking = Ranker(library).rank(number(library, "warm/0.jpg"))
        local = local_metric(library, library.metrics.by_name(LOCAL))
        assert not stored_ids(library, local.trained)  # the focal images in the metric's file are still valid
    with Library.open(trained_folder, read_only=True) as before:
        np.testing.assert_array_equal(ranking.distances, Ranker(before).rank(number(before, "warm/0.jpg")).distances)


def test_a_metric_without_its_patches_reports_what_to_do(trained_folder: Path, tmp_path: Path) -> None:
    copied(trained_folder, tmp_path / "copy")
    shutil.rmtree(tmp_path / "copy" / "derived" / "patches")
    with Library.open(tmp_path / "copy") as library, pytest.raises(OperationError, match="run focal index"):
        Ranker(library).rank(number(library, "warm/0.jpg"))
