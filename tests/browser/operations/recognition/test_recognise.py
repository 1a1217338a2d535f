# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import scipy

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.codes import codes_of_all
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError, UnreadableMetricError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.local.focal_gallery import focal_image_gallery
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.ranking.local.patches import patches_of
from focal_photos.browser.operations.ranking.space import prepare_space
from focal_photos.browser.operations.recognition.partner import Partner
from focal_photos.browser.operations.recognition.recognise import recognise
from focal_photos.learners.local.agreement import PRODUCT_POWER
from tests.browser.copies import opened_copy
from tests.browser.operations import local_album
from tests.browser.operations.album import Album
from tests.browser.operations.local_album import number


@pytest.fixture
def library(trained_folder: Path, tmp_path: Path) -> Iterator[Library]:
    with opened_copy(trained_folder, tmp_path / "copy") as opened:
        yield opened


def test_outside_images_are_recognised(library: Library, tmp_path: Path) -> None:
    album = Album(tmp_path / "outside")
    images = [album.draw(f"{kind}.png", kind=kind, seed=41) for kind in local_album.KINDS]
    report = finish(recognise(library, images))
    assert (report.metric.name, report.focal_images) == ("local-1", 10)
    assert [one.path for one in report.recognised] == images
    assert [one.tags[0].tag for one in report.recognised] == ["warm", "cold"]
    assert {each.tag for each in report.recognised[0].tags} == {"warm", "cold"}
    first, second = report.recognised[0].tags
    assert first.total > 2.5 > second.total >= 0
    assert first.score > 0 > second.score


def test_scores_are_sums_of_probabilities_of_the_other_photos(library: Library) -> None:
    focal = number(library, "cold/1.jpg")
    (photo,) = library.photos.get([focal])
    local = local_metric(library, library.metrics.by_name(LOCAL))
    learned = focal_image_gallery(library, local, library.photos.ids("tagged"))
    found = learned.probabilities(learned.exponents(patches_of(library, local.keys, photo)))
    by_id = dict(zip(learned.ids.tolist(), found.tolist(), strict=True))
    assert by_id[focal] > 0.5
    cold = sum(by_id[i] for i in library.photos.ids("tag:cold").tolist() if i != focal)
    (one,) = finish(recognise(library, [photo.path])).recognised
    (found_cold,) = (each for each in one.tags if each.tag == "cold")
    assert found_cold.total == pytest.approx(cold)
    # Each of the other four shares its tag with four of nine photos.
    assert found_cold.score == pytest.approx(cold - 4 * 4 / 9)


def test_a_tag_on_every_photo_does_not_come_first(library: Library, tmp_path: Path) -> None:
    library.tags.change(library.photos.ids("tagged"), ["drawing"])
    path = Album(tmp_path / "outside").draw("x.png", kind="cold", seed=42)
    (one,) = finish(recognise(library, [path])).recognised
    assert one.tags[0].tag == "cold"
    assert max(one.tags, key=lambda each: each.total).tag == "drawing"
    assert all(each.probability is None for each in one.tags)  # overlapping tags have no probabilities


def test_focal_images_and_all_descriptors_decide_together(library: Library, tmp_path: Path) -> None:
    path = Album(tmp_path / "outside").draw("x.png", kind="cold", seed=43)
    (one,) = finish(recognise(library, [path])).recognised
    by_tag = {each.tag: each for each in one.tags}
    assert all(each.probability is not None for each in one.tags)
    assert sum(each.probability or 0 for each in one.tags) == pytest.approx(1)
    ids = np.sort(library.photos.ids("tagged"))
    matrix, names = library.tags.matrix(ids)
    partner = Partner(
        library,
        finish(prepare_space(library, wide=True)),
        codes_of_all(library, ids),
        ids,
        scipy.sparse.csr_array(matrix),
    )
    sure = dict(zip(names, partner.probabilities_outside(path).tolist(), strict=True))
    product = {
        tag: (sure[tag] * by_tag[tag].total / 5) ** PRODUCT_POWER for tag in names
    }  # each tag is on five focal images
    for tag in names:
        assert by_tag[tag].probability == pytest.approx(product[tag] / sum(product.values()), rel=1e-4)


def test_a_photo_of_the_library_is_recognised_by_the_other_photos(library: Library) -> None:
    # It has the wrong tag, which would mislead a learner trained on it.
    wrong = number(library, "cold/1.jpg")
    library.tags.change([wrong], ["warm"], ["cold"])
    (photo,) = library.photos.get([wrong])
    (one,) = finish(recognise(library, [photo.path])).recognised
    assert one.tags[0].tag == "cold"
    assert (one.tags[0].probability or 0) > 0.5


def test_a_photo_without_stored_vectors_is_described_like_an_outside_image(library: Library) -> None:
    photo_id = number(library, local_album.UNTAGGED[1])
    path = library.photos.paths([photo_id])[0]
    (before,) = finish(recognise(library, [path])).recognised
    library.vectors.forget([photo_id])
    (after,) = finish(recognise(library, [path])).recognised
    assert [each.tag for each in after.tags] == [each.tag for each in before.tags]
    for one, other in zip(after.tags, before.tags, strict=True):
        assert one.probability == pytest.approx(other.probability, abs=0.01)  # vectors are stored with 16 bits


def test_only_focal_images_of_likely_tags_are_compared(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    path = library.photos.paths([number(library, local_album.UNTAGGED[1])])[0]
    (both,) = finish(recognise(library, [path])).recognised
    monkeypatch.setattr("focal_photos.browser.operations.recognition.recognise.COMPARED_CLASSES", 1)
    (one,) = finish(recognise(library, [path])).recognised
    assert [each.tag for each in one.tags] == ["cold"]
    assert one.tags[0].probability == pytest.approx(1)
    assert one.tags[0].total == pytest.approx(both.tags[0].total)
    assert one.tags[0].score == pytest.approx(both.tags[0].score)


def test_the_current_tags_count(library: Library) -> None:
    library.tags.change(library.photos.ids("tag:cold"), ["ice"], ["cold"])
    path = library.photos.paths([number(library, local_album.UNTAGGED[1])])[0]
    (one,) = finish(recognise(library, [path])).recognised
    assert [each.tag for each in one.tags] == ["ice", "warm"]


def test_an_image_that_cannot_be_recognised_is_reported_with_the_reason(library: Library, tmp_path: Path) -> None:
    path = Album(tmp_path / "outside").draw("x.png", seed=1)
    with pytest.raises(UnreadableMetricError, match="no local distances"):
        finish(recognise(library, [path], "euclidean"))
    with pytest.raises(OperationError, match="cannot be used as focal image"):
        finish(recognise(library, [tmp_path / "nothing.png"]))
    library.tags.change(library.photos.ids("tagged"), [], ["warm", "cold"])
    with pytest.raises(NothingToLearnError, match="No tagged photo has a local distance"):
        finish(recognise(library, [path]))
