# SPDX-License-Identifier: MIT
"""Fitting descriptors on a library, refitting them, and the effect on the metrics of the library."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import (
    description_plan,
    fitted_states_of,
    global_by_keys,
    name_of,
)
from focal_photos.browser.operations.describing.enabled import change_enabled, enabled_names, set_enabled
from focal_photos.browser.operations.describing.extraction.fit_descriptors import (
    FitReport,
    fit_descriptors,
    unfitted_names,
)
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.describing.fitted_states import FittedStates
from focal_photos.browser.operations.jobs.errors import OperationError, OutdatedMetricError, UnreadableMetricError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import CheckReport, check
from focal_photos.browser.operations.library.index import IndexReport, index
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from focal_photos.features.base import FittedState
from tests.browser.operations.album import Album
from tests.browser.operations.small_table import keys, names, open_described


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with open_described(tmp_path / "library") as opened:
        yield opened


# ---------------------------------------------------------------- learning
def learned(library: Library, album: Album) -> None:
    """Index 12 photos with a vocabulary and a descriptor that is fitted on it."""
    album.draw_kinds()
    change_enabled(library, on=["cells_words_6", "cells_words_6_centered"])
    finish(index(library, [album.folder]))


def here(library: Library, folders: Sequence[Path] = ()) -> IndexReport:
    """Index in this process, as these tests are not about worker processes."""
    return finish(index(library, folders, backend="threads", workers=1))


def test_threads_fit_and_describe_the_same(library: Library, album: Album, tmp_path: Path) -> None:
    learned(library, album)
    with Library.open(tmp_path / "second") as second:
        set_enabled(second, enabled_names(library))
        finish(index(second, [album.folder], backend="threads", workers=2))
        assert keys(second) == keys(library)
        for one in space_families(library):
            (here, there) = (each.vectors.store(str(one.key), one.dimension) for each in (library, second))
            paths = library.photos.paths(here.ids)
            photos = [second.photos.by_path(path) for path in paths]
            np.testing.assert_array_equal(here.array, there.rows([photo.id for photo in photos if photo is not None]))


def test_the_same_photos_give_the_same_fit(library: Library, album: Album, tmp_path: Path) -> None:
    learned(library, album)
    moved = tmp_path / "elsewhere"
    shutil.copytree(album.folder, moved)
    with Library.open(tmp_path / "second") as second:
        set_enabled(second, enabled_names(library))
        finish(index(second, [moved / "cold"]))  # in another order, so that the ids differ
        for file in (second.path / "derived" / "fitted").iterdir():
            file.unlink()
        finish(index(second, [moved]))
        assert keys(second) == keys(library)


def test_a_fit_stays_until_there_are_four_times_as_many_photos(library: Library, album: Album) -> None:
    learned(library, album)
    before = keys(library)
    for number in range(35):
        album.draw(f"green/{number}.jpg", kind="green", seed=number)
    report = here(library)
    assert (report.learn.learned, keys(library)) == ([], before)
    album.draw("green/35.jpg", kind="green", seed=35)
    report = here(library)  # 48 = 4 * 12
    assert report.learn.learned == ["cells_words_6", "cells_words_6_centered"]
    after = keys(library)
    assert after["mean"] == before["mean"]
    assert after["cells_words_6"] != before["cells_words_6"]
    assert after["cells_words_6_centered"] != before["cells_words_6_centered"]
    assert len(names(library)) == 4
    assert here(library).learn.learned == []


@pytest.mark.parametrize("damage", [b"", b"damaged", None])
def test_a_lost_state_is_fitted_again(library: Library, album: Album, damage: bytes | None) -> None:
    learned(library, album)
    before = keys(library)
    for file in (library.path / "derived" / "fitted").iterdir():
        if damage is None:
            file.unlink()
        else:
            file.write_bytes(damage)
    assert unfitted_names(library) == ["cells_words_6", "cells_words_6_centered"]
    assert names(library) == ["mean", "color_moments"]
    assert len(Ranker(library).rank(album.path("warm/0.jpg")).photo_ids) == 11
    report = here(library)
    assert report.learn.learned == ["cells_words_6", "cells_words_6_centered"]
    assert keys(library) == before
    assert report.extract.done == 0  # the stored vectors of the same photos still fit


def test_losing_the_state_of_a_dependent_descriptor_refits_both(library: Library, album: Album) -> None:
    learned(library, album)
    before = keys(library)
    fitted_states_of(library).vacuum({before["cells_words_6_centered"]})
    assert set(unfitted_names(library)) == {"cells_words_6", "cells_words_6_centered"}
    assert here(library).learn.learned == ["cells_words_6"]  # the same fit again, so that the dependent state matches
    assert keys(library) == before


def test_a_kill_between_fitting_and_describing_loses_nothing(library: Library, album: Album) -> None:
    album.draw_many(3)
    change_enabled(library, on=["cells_words_6"])
    finish(scan(library, [album.folder]))
    finish(fit_descriptors(library))
    key = keys(library)["cells_words_6"]
    path = library.path
    library.close()
    with Library.open(path) as again:
        report = here(again)
        assert (report.learn.learned, report.extract.done) == ([], 3)
        assert keys(again)["cells_words_6"] == key


def test_fitting_can_be_cancelled_and_resumed(library: Library, album: Album) -> None:
    album.draw_many(20)
    change_enabled(library, on=["cells_words_6", "cells_words_6_centered"])
    finish(scan(library, [album.folder]))
    job = fit_descriptors(library, workers=1)
    for progress in job:
        if progress.stage.startswith("Learning"):
            break
    job.close()
    finish(fit_descriptors(library, workers=1))
    assert unfitted_names(library) == []
    assert finish(fit_descriptors(library)).learned == []


def test_nothing_is_fitted_without_photos(library: Library, album: Album) -> None:
    change_enabled(library, on=["cells_words_6"])
    assert finish(fit_descriptors(library)).learned == []
    album.path("broken.jpg").write_bytes(b"broken")
    report = here(library, [album.folder])
    assert (report.learn.learned, len(report.failed)) == ([], 1)
    with pytest.raises(OperationError, match="cells_words_6 is not fitted"):
        description_plan(library, ["cells_words_6"])
    album.draw("good.jpg")
    assert here(library).learn.learned == ["cells_words_6"]


def test_a_state_is_complete_or_absent(tmp_path: Path) -> None:
    folder = FittedStates(tmp_path / "fitted")
    state = FittedState({"words": np.arange(6.0).reshape(2, 3), "weights": np.ones(2, np.float32)})
    folder.keep("a-1-00000000", "a-1-ffffffff", 7, state)
    (kept,) = FittedStates(tmp_path / "fitted").all()
    assert (kept.key, kept.of, kept.sampled, kept.state) == ("a-1-00000000", "a-1-ffffffff", 7, state)
    (file,) = folder.folder.iterdir()
    content = file.read_bytes()
    for length in range(0, len(content), 97):
        file.write_bytes(content[:length])
        assert folder.all() == []
    file.write_bytes(content.replace(state["weights"].tobytes(), np.zeros(2, np.float32).tobytes()))
    assert folder.all() == []
    assert folder.vacuum(["a-1-00000000"]) == [file.name]


# ---------------------------------------------------------------- metrics and their own spaces
def trained(library: Library) -> str:
    ids = library.photos.ids()
    library.tags.change(ids[:6].tolist(), ["one"])
    library.tags.change(ids[6:12].tolist(), ["two"])
    return finish(train(library)).name


def test_a_metric_works_without_its_descriptors_while_all_photos_have_their_vectors(
    library: Library, album: Album
) -> None:
    learned(library, album)
    metric = trained(library)
    outside = Album(album.folder.parent / "outside").draw("x.png", kind="warm", seed=99)
    before = [Ranker(library).rank(focal, metric) for focal in (album.path("warm/0.jpg"), outside)]
    change_enabled(library, off=["cells_words_6", "mean"])
    here(library)
    assert finish(check(library)) == CheckReport()  # deletes unused data, but none that the metric needs
    for focal, expected in zip((album.path("warm/0.jpg"), outside), before, strict=True):
        ranking = Ranker(library).rank(focal, metric)
        np.testing.assert_array_equal(ranking.photo_ids, expected.photo_ids)
        np.testing.assert_allclose(ranking.distances, expected.distances, atol=1e-5)
    album.draw("new.jpg")
    here(library)
    with pytest.raises(
        UnreadableMetricError, match=r"^Kernel metric \(v1\) .*1 photo lacks: switch it on again .*--on mean"
    ):
        Ranker(library).rank(outside, metric)
    assert len(Ranker(library).rank(outside, "euclidean").photo_ids) == 13
    change_enabled(library, on=["cells_words_6", "mean"])
    assert len(Ranker(library).rank(outside, metric).photo_ids) == 12  # the next indexing describes the new photo
    here(library)
    assert len(Ranker(library).rank(outside, metric).photo_ids) == 13


def test_a_cached_ranker_notices_switched_descriptors(library: Library, album: Album) -> None:
    learned(library, album)
    ranker, focal = Ranker(library), album.path("warm/0.jpg")
    metric = trained(library)
    dimensions = {name: ranker.gallery(name).rows.shape[1] for name in (metric, "euclidean")}
    change_enabled(library, off=["cells_words_6"])
    assert ranker.gallery(metric).rows.shape[1] == dimensions[metric]
    assert ranker.gallery("euclidean").rows.shape[1] < dimensions["euclidean"]
    assert len(ranker.rank(focal).photo_ids) == 11


def test_the_current_metric_ranks_all_photos_after_a_vocabulary_is_refitted(library: Library, album: Album) -> None:
    learned(library, album)
    metric = trained(library)
    outside = Album(album.folder.parent / "outside").draw("x.png", kind="warm", seed=99)
    before = keys(library)
    album.draw_many(40, kind="green")
    here(library)
    assert before != keys(library)
    assert global_by_keys(library, before.values()).keys() == set(before.values())  # the earlier state is still stored
    assert len(Ranker(library).rank(outside, metric).photo_ids) == 52
    album.draw("one/more.jpg", kind="cold", seed=50)
    here(library)
    assert len(Ranker(library).rank(outside, metric).photo_ids) == 53


def test_an_unused_metric_ranks_the_old_photos_until_it_is_used_again(library: Library, album: Album) -> None:
    learned(library, album)
    metric = trained(library)
    outside = Album(album.folder.parent / "outside").draw("x.png", kind="warm", seed=99)
    library.metrics.use_euclidean()
    album.draw_many(40, kind="green")
    here(library)
    assert len(Ranker(library).rank(outside, metric).photo_ids) == 12
    library.metrics.set_current(library.metrics.by_name(metric).id)
    here(library)
    assert len(Ranker(library).rank(outside, metric).photo_ids) == 52


def test_a_metric_named_by_the_user_still_ranks_all_photos(library: Library, album: Album) -> None:
    learned(library, album)
    metric = trained(library)
    outside = Album(album.folder.parent / "outside").draw("x.png", kind="warm", seed=99)
    library.metrics.rename(library.metrics.by_name(metric).id, "our cats")
    library.metrics.use_euclidean()
    album.draw_many(40, kind="green")
    here(library)
    assert len(Ranker(library).rank(outside, metric).photo_ids) == 52


def test_a_metric_with_a_lost_vocabulary_asks_for_training_again(library: Library, album: Album) -> None:
    learned(library, album)
    metric = trained(library)
    outside = Album(album.folder.parent / "outside").draw("x.png", kind="warm", seed=99)
    shutil.rmtree(fitted_states_of(library).folder)
    album.draw_many(40, kind="green")
    here(library)
    with pytest.raises(OutdatedMetricError, match=r"^Kernel .* describes photos differently now: train again"):
        Ranker(library).rank(outside, metric)
    assert trained(library) != metric
    assert len(Ranker(library).rank(outside).photo_ids) == 52


def test_a_check_deletes_unneeded_data(library: Library, album: Album) -> None:
    learned(library, album)
    change_enabled(library, on=["cells"], off=["cells_words_6_centered"])
    here(library)
    change_enabled(library, off=["cells", "mean"])
    assert finish(check(library)) == CheckReport()
    stored = library.vectors.keys()
    assert {name_of(key) for key in stored if not key.startswith("space")} == {"color_moments", "cells_words_6"}
    assert library.patches.keys() == []
    assert [kept.key for kept in fitted_states_of(library).all()] == [keys(library)["cells_words_6"]]


def test_a_check_refits_lost_states(library: Library, album: Album) -> None:
    learned(library, album)
    before = keys(library)
    shutil.rmtree(library.path / "derived" / "fitted")
    report = finish(check(library))
    assert report.problems == []
    assert report.repaired[0] == "The fitted state of cells_words_6 was lost."
    assert keys(library) == before
    assert finish(check(library)) == CheckReport()


def test_a_descriptor_not_fitted_yet_is_not_reported_as_lost(library: Library, album: Album) -> None:
    album.draw_kinds()
    here(library, [album.folder])
    change_enabled(library, on=["cells_words_6", "cells"])
    assert finish(check(library)) == CheckReport()


def test_a_check_retains_vectors_that_wait_for_refitting(library: Library, album: Album) -> None:
    learned(library, album)
    before = keys(library)
    # The loss goes unnoticed: an old library has no record of the vectors that all photos have.
    shutil.rmtree(library.path / "derived" / "fitted")
    (library.path / "derived" / "complete.json").unlink()
    assert finish(check(library)) == CheckReport()
    assert unfitted_names(library) == ["cells_words_6", "cells_words_6_centered"]
    assert {before["cells_words_6"], before["cells_words_6_centered"]} <= set(library.vectors.keys())
    report = here(library)
    assert report.learn.learned == ["cells_words_6", "cells_words_6_centered"]
    assert keys(library) == before
    assert report.extract.done == 0  # none of the retained vectors is computed again


def test_a_read_only_library_fits_nothing(library: Library, album: Album) -> None:
    album.draw_many(3)
    change_enabled(library, on=["cells_words_6"])
    finish(scan(library, [album.folder]))
    with Library.open(library.path, read_only=True) as reader:
        assert finish(fit_descriptors(reader)) == FitReport()
        assert unfitted_names(reader) == ["cells_words_6"]
