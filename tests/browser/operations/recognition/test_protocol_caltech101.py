# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.recognition.protocol_caltech101 import protocol_caltech101
from focal_photos.browser.operations.training.local_train import patch_keys
from tests.browser.copies import opened_copy
from tests.browser.operations import local_album
from tests.browser.operations.local_album import EACH, number


@pytest.fixture(scope="module")
def library(patched_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with opened_copy(patched_folder, tmp_path_factory.mktemp("local") / "copy") as opened:
        yield opened


def test_folders_are_recognised_as_classes(library: Library) -> None:
    found = finish(protocol_caltech101(library, classes="folders", training=3, splits=2))
    assert found.classes == ("cold", "warm")
    assert (found.tested == EACH - 3).all()
    assert found.confusion.shape == (2, 2, 2)
    assert found.confusion.sum() == 2 * 2 * (EACH - 3)
    assert (found.recognition == 1).all()  # stripes of two directions and colours
    assert found.left_out == 0
    again = finish(protocol_caltech101(library, classes="folders", training=3, splits=2))
    np.testing.assert_array_equal(again.confusion, found.confusion)


def test_photos_with_one_tag_take_part_and_the_number_of_tests_can_be_limited(library: Library) -> None:
    library.tags.change([number(library, "warm/4.jpg")], ["second"])
    found = finish(protocol_caltech101(library, training=2, testing=1, splits=1))
    assert found.classes == ("cold", "warm")
    assert found.tested.tolist() == [[1, 1]]
    assert found.left_out == 3  # two without a tag, one with two tags
    assert library.metrics.current().name == "euclidean"


def test_wrong_classes_are_counted(library: Library) -> None:
    # Labels unrelated to the photos: half of the answers are wrong.
    ids = np.sort(library.photos.ids())
    everything = {tag for tags in library.tags.of(ids).values() for tag in tags}
    library.tags.change(ids, [], sorted(everything))
    library.tags.change(ids[::2], ["a"])
    library.tags.change(ids[1::2], ["b"])
    found = finish(protocol_caltech101(library, training=3, splits=3))
    assert 0.1 < found.recognition.mean() < 0.9
    np.testing.assert_allclose(found.recognition, np.diagonal(found.confusion, 0, 1, 2).sum(axis=1) / (EACH - 3) / 2)


def test_too_few_photos_are_refused(library: Library) -> None:
    with pytest.raises(NothingToLearnError, match="Fewer than two folders have more than 6 described photos"):
        finish(protocol_caltech101(library, classes="folders", training=6))
    with pytest.raises(OperationError, match="at least 2 photos"):
        finish(protocol_caltech101(library, training=1))


def test_photos_without_edges_take_no_part(library: Library) -> None:
    folder = library.roots.all()[0].path / "warm"
    Image.new("RGB", (60, 40), (90, 120, 40)).save(folder / "flat.png")
    finish(index(library, backend="threads", workers=1))
    found = finish(protocol_caltech101(library, classes="folders", training=3, splits=1))
    assert found.left_out == 1
    assert found.tested.tolist() == [[3, 3]]


def test_photos_without_patches_are_described_first(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = local_album.make(tmp_path_factory.mktemp("bare"), patches=False)
    with Library.open(folder) as library:
        with pytest.raises(NothingToLearnError, match="more than 15 described photos"):
            finish(protocol_caltech101(library))
        assert not patch_keys(library), "nothing is described if there is nothing to learn"
        with (
            Library.open(folder, read_only=True) as reader,
            pytest.raises(OperationError, match="focal descriptors --on"),
        ):
            finish(protocol_caltech101(reader, training=3))
        found = finish(protocol_caltech101(library, training=3, splits=1))
        assert (found.recognition == 1).all()
        assert patch_keys(library)


def test_suggestions_recognise_without_patches(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = local_album.make(tmp_path_factory.mktemp("suggestions"), patches=False)
    with Library.open(folder) as library:
        found = finish(protocol_caltech101(library, classes="folders", training=3, splits=2, by="suggestions"))
        assert not patch_keys(library)
        assert found.classes == ("cold", "warm")
        assert (found.tested == EACH - 3).all()
        assert found.left_out == 0
        assert (found.recognition == 1).all()
        again = finish(protocol_caltech101(library, classes="folders", training=3, splits=2, by="suggestions"))
        np.testing.assert_array_equal(again.confusion, found.confusion)
        with pytest.raises(NothingToLearnError, match="more than 15 described photos"):
            finish(protocol_caltech101(library, by="suggestions"))


def test_local_distances_and_suggestions_recognise_together(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = local_album.make(tmp_path_factory.mktemp("both"), patches=False)
    with Library.open(folder) as library:
        found = finish(protocol_caltech101(library, classes="folders", training=3, splits=2, by="both"))
        assert patch_keys(library)
        assert found.classes == ("cold", "warm")
        assert (found.tested == EACH - 3).all()
        assert (found.recognition == 1).all()
        again = finish(protocol_caltech101(library, classes="folders", training=3, splits=2, by="both"))
        np.testing.assert_array_equal(again.confusion, found.confusion)


def test_a_single_candidate_class_is_the_one_of_the_suggestions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.recognition.protocol_caltech101.COMPARED_CLASSES", 1)
    with Library.open(local_album.make(tmp_path, tags=False)) as library:
        ids = np.sort(library.photos.ids())
        library.tags.change(ids[::2], ["a"])
        library.tags.change(ids[1::2], ["b"])
        found = finish(protocol_caltech101(library, training=3, splits=2, by="both"))
        expected = finish(protocol_caltech101(library, training=3, splits=2, by="suggestions"))
        np.testing.assert_array_equal(found.confusion, expected.confusion)
        assert 0.1 < found.recognition.mean() < 0.9
