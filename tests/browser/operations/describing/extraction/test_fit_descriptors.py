# SPDX-License-Identifier: MIT
"""Describing the sample on which descriptors are fitted; the fitted states are tested in `test_learned_descriptors`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import description_plan, fitted_states_of, ready_descriptors
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.extraction import sample
from focal_photos.browser.operations.describing.extraction.extract import extract
from focal_photos.browser.operations.describing.extraction.fit_descriptors import fit_descriptors, unfitted_names
from focal_photos.browser.operations.describing.extraction.sample import CachedVectors, Sample
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.ranking.space import described
from focal_photos.browser.operations.workers.photo_tasks import PhotoTask, describe_photo
from focal_photos.features import table
from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.fitted.visual_words import VisualWords
from focal_photos.features.table import STANDARD
from focal_photos.learners.core.linalg import one_thread
from tests.browser.operations.album import Album
from tests.browser.operations.own_descriptors import CELLS, MEAN, WORDS, Centered
from tests.browser.operations.small_table import open_described, small_table
from tests.browser.operations.strange import Diagonal
from tests.browser.operations.workers.processes import wait_for

FITTED = ("color_moments", "gabor", "dense_sift_fisher", "dense_color_fisher", "dense_sift_salient")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        set_enabled(opened, FITTED)
        yield opened


def vectors(library: Library) -> dict[str, NDArray[np.float32]]:
    """Return the vectors of all described photos by descriptor key, in the order of paths."""
    ids = library.photos.ids("-failed -missing")
    return {
        str(one.key): np.array(library.vectors.store(str(one.key), one.dimension).rows(ids))
        for one in ready_descriptors(library)
        if isinstance(one, GlobalDescriptor)
    }


def assert_same(found: dict[str, NDArray[np.float32]], expected: dict[str, NDArray[np.float32]]) -> None:
    assert list(found) == list(expected)
    for key, rows in expected.items():
        np.testing.assert_array_equal(found[key], rows, strict=True)


def described_twice(folder: Path, photos: Path, enabled: tuple[str, ...] = FITTED) -> dict[str, NDArray[np.float32]]:
    """Return the vectors of fitting first and describing afterwards."""
    with Library.open(folder) as library:
        set_enabled(library, enabled)
        finish(scan(library, [photos]))
        finish(fit_descriptors(library, workers=2))
        assert len(library.photos.undescribed()) == len(library.photos.ids())
        finish(extract(library, workers=2))
        return vectors(library)


def test_training_rows_are_in_order_and_failed_photos_give_none(library: Library, album: Album) -> None:
    paths = album.draw_many(25)
    album.path("text.jpg").write_text("no photo")
    photos = list(enumerate([*paths[:10], album.path("text.jpg"), *paths[10:]], start=100))
    words = VisualWords(Diagonal(9), 2)
    drawn = Sample(library, photos, workers=2)
    finish(drawn.read([words], {words.name}))
    rows = drawn.rows[str(words.local.key)]
    drawn.close()
    assert len(rows) == 25
    for path, found in zip(paths, rows, strict=True):
        here = describe_photo(PhotoTask(0, path, ("diagonal",)), DescriptionPlan((Diagonal(9),))).description
        assert here is not None
        np.testing.assert_array_equal(found, here.patches["diagonal"].vectors, strict=True)


def test_sample_photos_are_decoded_once(library: Library, album: Album, tmp_path: Path) -> None:
    paths = album.draw_many(20)
    expected = described_twice(tmp_path / "twice", album.folder)
    finish(scan(library, [album.folder]))
    report = finish(fit_descriptors(library, describe=True, workers=2))
    assert report.learned == ["dense_sift_fisher", "dense_color_fisher"]
    assert (report.extract.done, report.extract.failed) == (20, [])
    assert set(report.extract.seconds) == {"decode", *FITTED, "thumbnail", "write"}
    for path in paths:
        path.unlink()
    assert finish(extract(library)).failed == []  # nothing is left to describe
    assert_same(vectors(library), expected)
    (photo,) = library.photos.get(library.photos.ids()[:1])
    assert photo.width
    assert library.thumbnails.get(photo.id) is not None


@pytest.mark.slow
def test_sample_photos_in_view_come_first(library: Library, album: Album) -> None:
    album.draw_many(120)  # more than one batch of writes
    finish(scan(library, [album.folder]))
    last = library.photos.ids()[-3:].tolist()
    job = fit_descriptors(library, describe=True, workers=1, first=lambda: last)
    with closing(job):
        while all(library.thumbnails.get(photo_id) is None for photo_id in last):
            next(job)
        assert library.thumbnails.get(int(library.photos.ids()[110])) is None


@dataclass(frozen=True)
class Patient(Centered):
    """Descriptor that waits for a file before it is fitted, and fails if the file never appears."""

    gate: ClassVar[Path]

    def fit(self, samples: Sequence[NDArray[np.float32]], *, seed: int = 0) -> Self:
        wait_for(self.gate.exists, "what lets it learn")
        return super().fit(samples, seed=seed)


def test_photos_outside_the_sample_can_be_ranked_during_fitting(
    album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    album.draw_many(40)
    album.path("zzz.jpg").write_text("no photo")
    monkeypatch.setattr("focal_photos.browser.operations.describing.extraction.fit_descriptors.SAMPLE", 4)
    Patient.gate = tmp_path / "gate"
    with small_table(), Library.open(tmp_path / "library") as library:
        table.DESCRIPTORS["mean_centered"] = Patient(MEAN)
        set_enabled(library, ["mean", "mean_centered"])
        finish(scan(library, [album.folder]))
        job = fit_descriptors(library, describe=True, workers=2)
        for _ in job:
            if len(described(library)) == 40:
                break
        assert unfitted_names(library) == ["mean_centered"]
        assert library.photos.failed() == []  # recorded at the end, so that a run after a kill draws the same sample
        Patient.gate.touch()
        report = finish(job)
        assert report.learned == ["mean_centered"]
        assert report.extract.done == 40
        assert [path.name for path, _ in report.extract.failed] == ["zzz.jpg"]
        assert [path.name for path, _ in library.photos.failed()] == ["zzz.jpg"]
        rest = finish(extract(library, workers=2))
        assert set(rest.seconds) == {"decode", "mean_centered", "thumbnail", "write"}  # the mean is stored already
        assert {str(one.key) for one in space_families(library)} == {str(one.key) for one in ready_descriptors(library)}
        found = vectors(library)
    Patient.gate.touch()
    with small_table():
        table.DESCRIPTORS["mean_centered"] = Patient(MEAN)
        assert_same(found, described_twice(tmp_path / "twice", album.folder, ("mean", "mean_centered")))


def test_photos_outside_the_sample_wait_once_all_descriptors_are_fitted(
    album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise all of them would be decoded twice."""
    album.draw_many(400)
    monkeypatch.setattr("focal_photos.browser.operations.describing.extraction.fit_descriptors.SAMPLE", 4)
    Patient.gate = tmp_path / "gate"
    with small_table(), Library.open(tmp_path / "library") as library:
        table.DESCRIPTORS["mean_centered"] = Patient(MEAN)
        set_enabled(library, ["mean", "mean_centered"])
        finish(scan(library, [album.folder]))
        job = fit_descriptors(library, describe=True, workers=1)
        while not next(job).stage.startswith("Refining"):
            pass
        Patient.gate.touch()
        report = finish(job)
        assert report.learned == ["mean_centered"]
        assert len(library.photos.undescribed()) > 0
        assert finish(extract(library, workers=1)).done == 400
        assert len(described(library)) == 400


def test_photos_outside_the_sample_get_no_vectors_of_a_descriptor_about_to_be_refitted(
    album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.describing.extraction.fit_descriptors.SAMPLE", 8)
    Patient.gate = tmp_path / "gate"
    Patient.gate.touch()
    album.draw_many(3)
    with small_table(), Library.open(tmp_path / "library") as library:
        table.DESCRIPTORS["mean_centered"] = Patient(MEAN)
        set_enabled(library, ["mean", "mean_centered"])
        finish(index(library, [album.folder]))
        (first,) = (kept.key for kept in fitted_states_of(library).all())
        for number in range(30):
            album.draw(f"more/{number}.jpg", seed=number + 3)
        finish(scan(library, [album.folder]))
        Patient.gate.unlink()
        job = fit_descriptors(library, describe=True, workers=2)
        while len(library.photos.undescribed()):
            next(job)
        assert len(library.vectors.store(first, MEAN.dimension).ids) == 3
        Patient.gate.touch()
        finish(job)
        finish(extract(library, workers=2))
        assert len(library.vectors.store(first, MEAN.dimension).ids) == 3
        assert len(described(library)) == 33


@pytest.mark.parametrize("room", [0, 1_000_000])
def test_photos_beyond_the_cache_limit_are_described_again(
    library: Library, album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    album.draw_many(6)
    expected = described_twice(tmp_path / "twice", album.folder)
    monkeypatch.setattr(sample, "MOST_CACHED", room)
    report = finish(index(library, [album.folder]))
    assert (report.extract.done, report.failed) == (6, [])
    assert_same(vectors(library), expected)


@pytest.mark.slow
def test_fitting_can_be_cancelled_at_every_moment(album: Album, tmp_path: Path) -> None:
    album.draw_many(3)
    album.path("broken.jpg").write_text("no photo")
    enabled = ("color_moments", "dense_color_fisher")
    expected = described_twice(tmp_path / "twice", album.folder, enabled)
    moments = 0
    while True:
        with Library.open(tmp_path / f"cancelled{moments}") as library:
            set_enabled(library, enabled)
            finish(scan(library, [album.folder]))
            job = fit_descriptors(library, describe=True)
            over = sum(1 for _, _ in zip(range(moments), job, strict=False)) < moments
            job.close()
            report = finish(index(library))
            assert [path.name for path, _ in report.failed] == ["broken.jpg"]
            assert_same(vectors(library), expected)
        if over:
            break
        moments += 1
    assert moments > 6


def test_a_broken_photo_is_recorded_once_and_only_after_fitting(library: Library, album: Album) -> None:
    album.draw_many(3)
    album.path("broken.jpg").write_text("no photo")
    finish(scan(library, [album.folder]))
    job = fit_descriptors(library, describe=True)
    for progress in job:
        if "learning" in progress.stage:
            break
    job.close()
    assert library.photos.failed() == []
    report = finish(index(library))
    assert [path.name for path, _ in report.failed] == ["broken.jpg"]
    assert [path.name for path, _ in report.extract.failed] == ["broken.jpg"]
    assert [path.name for path, _ in library.photos.failed()] == ["broken.jpg"]
    assert {kept.sampled for kept in fitted_states_of(library).all()} == {4}


def test_an_unreadable_file_is_reported_once_and_tried_again(library: Library, album: Album) -> None:
    album.draw_many(2)
    away = album.draw("away.jpg")
    finish(scan(library, [album.folder]))
    content = away.read_bytes()
    away.unlink()
    report = finish(fit_descriptors(library, describe=True))
    report.extract.join(finish(extract(library)))
    assert [path for path, _ in report.extract.failed] == [away]
    assert library.photos.failed() == []
    away.write_bytes(content)
    assert finish(extract(library)).done == 1


def test_photos_described_earlier_get_descriptors_fitted_later(library: Library, album: Album) -> None:
    paths = album.draw_many(4)
    set_enabled(library, ["color_moments"])
    finish(index(library, [album.folder]))
    set_enabled(library, ["color_moments", "dense_color_fisher"])
    broken = paths[0].read_bytes()
    paths[0].write_text("no photo")
    report = finish(fit_descriptors(library, describe=True))
    assert (report.photos, report.extract.done) == (3, 3)
    assert library.photos.failed() == []  # described once already: `extract` reports the current failure
    paths[0].write_bytes(broken)
    assert finish(extract(library)).done == 1
    plan = description_plan(library)
    for photo_id, path in zip(library.photos.ids().tolist(), paths, strict=True):
        with one_thread():  # as in the worker processes
            here = describe_photo(PhotoTask(photo_id, path, tuple(plan.by_name)), plan).description
        assert here is not None
        for one in plan.global_descriptors:
            row = library.vectors.store(str(one.key), one.dimension).rows([photo_id])[0]
            kept = here.vectors[one.name].astype(np.float16 if one.name in STANDARD else np.float32)
            np.testing.assert_array_equal(row, kept)


def test_a_descriptor_with_a_fitted_base_takes_stored_vectors(tmp_path: Path, album: Album) -> None:
    paths = album.draw_many(5)
    with open_described(tmp_path / "library") as library:
        set_enabled(library, ["mean", "cells_words_6", "cells_words_6_centered"])
        finish(scan(library, [album.folder]))
        job = fit_descriptors(library, describe=True)
        for progress in job:
            if progress.stage.startswith("Describing"):
                for path in paths:
                    path.unlink(missing_ok=True)
        (centered,) = [one for one in ready_descriptors(library) if one.name == "cells_words_6_centered"]
        words = library.vectors.store(str(dataclasses.replace(centered).base.key), 6)  # type: ignore[union-attr]
        assert len(words.ids) == 5
        np.testing.assert_allclose(centered.state["mean"], words.array.mean(axis=0), atol=1e-6)  # type: ignore[union-attr]


# ---------------------------------------------------------------- the file
def test_cached_vectors_come_back_within_their_limit(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    first, second, third = (rng.normal(size=(rows, 4)).astype(np.float32) for rows in (3, 0, 2))
    kept = CachedVectors(tmp_path / "derived", 64)
    assert kept.keep("a", 1, first)
    assert kept.keep("a", 2, second)
    assert not kept.keep("b", 1, third)  # 48 + 32 bytes
    assert kept.keep("b", 2, third[:1])
    assert (kept.photos("a"), kept.photos("b"), kept.photos("c")) == ([1, 2], [2], [])
    assert (kept.photos("a", "b"), kept.photos("b", "c")) == ([2], [])
    for key, photo_id, expected in (("b", 2, third[:1]), ("a", 2, second), ("a", 1, first)):
        found = kept.read(key, photo_id)
        assert found is not None
        np.testing.assert_array_equal(found, expected, strict=True)
    assert list((tmp_path / "derived").iterdir()) == []  # a kill leaves nothing behind
    kept.close()
    assert kept.read("a", 1) is None
    assert not kept.keep("a", 3, first)


def test_an_unwritable_folder_stores_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = CachedVectors(tmp_path / "file" / "derived", 1 << 20)
    assert not kept.keep("a", 1, np.zeros((1, 1), np.float32))
    assert kept.photos("a") == []
    kept.close()


class Endless(VisualWords):
    """Descriptor whose values are not finite for any training data."""

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        return np.full(self.dimension, np.nan, np.float32)


def test_values_that_are_not_finite_are_not_stored_for_the_sample_either(album: Album, tmp_path: Path) -> None:
    album.draw_many(3)
    with small_table(), Library.open(tmp_path / "library") as library:
        table.DESCRIPTORS[WORDS.name] = Endless(CELLS, WORDS.words)
        set_enabled(library, ["mean", WORDS.name])
        report = finish(index(library, [album.folder]))
        assert [reason for _, reason in report.failed] == ["Focal cannot describe it (values that are not finite)."] * 3
        (words,) = (one for one in ready_descriptors(library) if one.name == WORDS.name)
        assert len(library.vectors.store(str(words.key), words.dimension)) == 0


def test_a_descriptor_is_refitted_once_there_are_four_times_as_many_photos(album: Album, tmp_path: Path) -> None:
    with small_table(), Library.open(tmp_path / "library") as library:
        table.DESCRIPTORS["mean_centered"] = Centered(MEAN)
        set_enabled(library, ["mean", "mean_centered"])
        learned = []
        for count in (2, 7, 8, 31, 32):
            for number in range(count):
                if not album.path(f"{number}.jpg").exists():
                    album.draw(f"{number}.jpg", seed=number)
            finish(index(library, [album.folder]))
            learned.append(len(fitted_states_of(library).all()))
        assert learned == [1, 1, 2, 2, 3]
