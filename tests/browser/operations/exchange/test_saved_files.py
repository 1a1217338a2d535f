# SPDX-License-Identifier: MIT
"""Archives and lenses of every earlier format: opened, and used."""

from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.archives import archive
from focal_photos.browser.operations.exchange.archives.unpack_archive import unpack_archive
from focal_photos.browser.operations.exchange.lenses import lens_file
from focal_photos.browser.operations.exchange.lenses.lens_file import LensError
from focal_photos.browser.operations.exchange.lenses.open_lens import open_lens
from focal_photos.browser.operations.jobs.errors import OutdatedMetricError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import is_outdated, train
from tests.browser.operations.album import Album
from tests.fixtures.make_shared_files import ARCHIVE, DESCRIPTORS, LENS

FIXTURES = ARCHIVE.parent
BEFORE = FIXTURES / "before_1_0"


def test_the_current_formats_have_saved_files() -> None:
    assert ARCHIVE.name == f"archive_v{archive.VERSION}.focal"
    assert LENS.name == f"lens_v{lens_file.VERSION}.focal-lens"
    assert ARCHIVE.is_file(), "run python -m tests.fixtures.make_shared_files"
    assert LENS.is_file(), "run python -m tests.fixtures.make_shared_files"


@pytest.mark.parametrize("saved", sorted(FIXTURES.glob("archive_v*.focal")), ids=lambda path: path.stem)
def test_a_saved_archive_becomes_a_library(saved: Path, tmp_path: Path) -> None:
    album = Album(tmp_path / "album")
    album.draw_kinds()
    report = finish(unpack_archive(saved, tmp_path / "library"))
    assert report is not None
    with Library.open(tmp_path / "library") as library:
        ids = library.photos.ids().tolist()
        assert len(ids) == 12
        assert sorted(library.tags.of([ids[0]])[ids[0]]) == ["blob", "kind/cold"]
        assert library.judgements.of(ids[0]) == {
            **dict.fromkeys(ids[1:4], Verdict.SIMILAR),
            **dict.fromkeys(ids[7:10], Verdict.DISSIMILAR),
        }
        assert [(box.region, box.tag) for box in library.boxes.all()] == [(Region(0.25, 0.25, 0.75, 0.5), "blob")]
        # the photos are found by their content, and the metric ranks them
        finish(index(library, [album.folder], backend="threads", workers=1))
        assert len(library.photos.ids("-missing")) == 12
        ranking = Ranker(library).rank(ids[0])
        assert set(ranking.photo_ids[:5].tolist()) == set(ids[1:6])
        assert library.metrics.current().learner == "rca"
        assert not finish(check(library)).problems


@pytest.mark.parametrize("saved", sorted(FIXTURES.glob("lens_v*.focal-lens")), ids=lambda path: path.stem)
def test_a_saved_lens_ranks_other_photos(saved: Path, tmp_path: Path) -> None:
    album = Album(tmp_path / "album")
    album.draw_kinds(("warm", "green"), each=4)
    with Library.open(album.index(tmp_path / "library", DESCRIPTORS)) as library:
        metric = finish(open_lens(library, saved))
        assert (metric.learner, metric.judgements, metric.tagged) == ("rca", 6, 12)
        ids = library.photos.ids().tolist()
        assert set(Ranker(library).rank(ids[0]).photo_ids[:3].tolist()) == set(ids[1:4])


def test_an_archive_from_before_1_0_is_complete_but_its_metric_is_to_be_trained_again(tmp_path: Path) -> None:
    """The descriptors have changed since."""
    album = Album(tmp_path / "album")
    album.draw_kinds()
    finish(unpack_archive(BEFORE / "archive_v8.focal", tmp_path / "library"))
    with Library.open(tmp_path / "library") as library:
        finish(index(library, [album.folder], backend="threads", workers=1))
        ids = library.photos.ids("-missing").tolist()
        assert sorted(library.tags.of(ids)[ids[0]]) == ["blob", "kind/cold"]
        assert len(library.judgements.of(ids[0])) == 6
        assert [box.tag for box in library.boxes.all()] == ["blob"]
        with pytest.raises(OutdatedMetricError, match=r"train again \(focal train --learner rca\), or"):
            Ranker(library).rank(ids[0])
        assert is_outdated(library)
        finish(train(library, "rca"))
        assert not is_outdated(library)
        assert set(Ranker(library).rank(ids[0]).photo_ids[:5].tolist()) == set(ids[1:6])


def test_a_lens_from_before_1_0_is_refused_with_the_reason(tmp_path: Path) -> None:
    album = Album(tmp_path / "album")
    album.draw_kinds(("warm", "green"), each=4)
    with (
        Library.open(album.index(tmp_path / "library", DESCRIPTORS)) as library,
        pytest.raises(LensError, match="version 2 of color_moments, this is version 3: ask for a lens"),
    ):
        finish(open_lens(library, BEFORE / "lens_v1.focal-lens"))
