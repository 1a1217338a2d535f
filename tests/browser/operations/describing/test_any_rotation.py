# SPDX-License-Identifier: MIT
"""Libraries of photos without an "up"."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import global_by_keys, ready_descriptors
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.extraction.extract import extract
from focal_photos.browser.operations.describing.overview import overview
from focal_photos.browser.operations.describing.settings import ANY_ROTATION
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.index import IndexReport, index
from focal_photos.browser.operations.ranking.space import current_space, described
from focal_photos.features import table
from focal_photos.features.any_rotation import AnyRotation, AnyRotationCode
from focal_photos.features.base import CodeDescriptor, GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.fitted.fisher_signs import FisherSigns
from focal_photos.features.fitted.fisher_vectors import FisherVector
from focal_photos.features.local.dense_color import DenseColor
from tests.browser.operations.album import Album
from tests.browser.operations.own_descriptors import MOMENTS
from tests.browser.operations.small_table import keys, names, small_table

FISHER = FisherVector(DenseColor(), components=3, local_axes=5, axes=4)
SIGNS = FisherSigns(FISHER)


@pytest.fixture
def indexed(tmp_path: Path, album: Album) -> Iterator[Library]:
    """Library of 12 photos described by a colour layout, a Fisher vector and its signs."""
    with small_table():
        table.DESCRIPTORS[FISHER.name] = FISHER
        table.CODE_DESCRIPTORS[SIGNS.name] = SIGNS
        with Library.open(tmp_path / "library") as library:
            set_enabled(library, ["color_moments", FISHER.name, SIGNS.name])
            album.draw_many(12)
            finish(index(library, [album.folder], backend="threads", workers=1))
            yield library


def every_key(library: Library) -> set[str]:
    return {key for key in (*library.vectors.keys(), *library.codes.keys()) if not key.startswith("space-")}


def index_again(library: Library) -> IndexReport:
    return finish(index(library, backend="threads", workers=1))


def test_a_library_is_described_again_and_keeps_both_kinds_of_vectors(indexed: Library) -> None:
    before = keys(indexed)
    ANY_ROTATION.set(indexed, True)
    assert not set(keys(indexed).values()) & set(before.values())
    report = index_again(indexed)
    assert not report.learn.learned, "the fitted parts are shared"
    assert report.extract.done == 12
    after = keys(indexed)
    assert list(after) == list(before)
    assert every_key(indexed) == {*before.values(), *after.values()}
    ids = indexed.photos.ids()
    for one in ready_descriptors(indexed):
        for photo_id, path in zip(ids.tolist(), indexed.photos.paths(ids), strict=True):
            if isinstance(one, GlobalDescriptor):
                assert isinstance(one, AnyRotation)
                stored = indexed.vectors.store(str(one.key), one.dimension, half=False).rows([photo_id])[0]
                np.testing.assert_allclose(stored, one.extract(decode(path)), rtol=2e-3, atol=2e-4)
            elif isinstance(one, CodeDescriptor):
                code = indexed.codes.store(str(one.key), one.dimension).rows([photo_id])[0]
                np.testing.assert_array_equal(code, one.extract(decode(path)))
    assert [family.name for family in current_space(indexed).families] == [after[name] for name in names(indexed)]


def test_other_libraries_are_described_as_before(indexed: Library) -> None:
    for one in ready_descriptors(indexed):
        assert not isinstance(one, AnyRotation | AnyRotationCode)
    assert keys(indexed)["color_moments"] == str(MOMENTS.key)


def test_switching_back_costs_nothing(indexed: Library) -> None:
    space, before = current_space(indexed), keys(indexed)
    ANY_ROTATION.set(indexed, True)
    index_again(indexed)
    assert current_space(indexed).digest_ != space.digest_
    ANY_ROTATION.set(indexed, None)
    assert index_again(indexed).extract.done == 0
    assert keys(indexed) == before
    assert current_space(indexed).digest_ == space.digest_


def test_describing_again_can_be_interrupted_and_never_mixes_vectors(indexed: Library) -> None:
    ANY_ROTATION.set(indexed, True)
    job = extract(indexed)
    for progress in job:
        if progress.done == 5:
            break
    job.close()
    stores = [indexed.vectors.open(key) for key in keys(indexed).values()]
    counts = [len(store) for store in stores if store is not None]
    assert all(0 < count < 12 for count in counts)
    assert len(described(indexed)) == max(counts)
    report = index_again(indexed)
    assert report.extract.done == 12 - max(counts)
    assert len(described(indexed)) == 12


def test_new_libraries_fit_and_describe_in_any_rotation(tmp_path: Path, album: Album) -> None:
    with small_table():
        table.DESCRIPTORS[FISHER.name] = FISHER
        with Library.open(tmp_path / "library") as library:
            set_enabled(library, ["color_moments", FISHER.name])
            ANY_ROTATION.set(library, True)
            album.draw_many(12)
            report = finish(index(library, [album.folder], backend="threads", workers=1))
            assert report.learn.learned == [FISHER.name]
            assert every_key(library) == set(keys(library).values()), "no vectors of upright photos"
            states = {state.name: state for state in overview(library)}
            assert (states[FISHER.name].learned_from, states[FISHER.name].photos) == (12, 12)
            assert states[FISHER.name].key == keys(library)[FISHER.name]


def test_a_check_deletes_the_vectors_of_the_other_form(indexed: Library) -> None:
    before = keys(indexed)
    ANY_ROTATION.set(indexed, True)
    index_again(indexed)
    assert not finish(check(indexed)).repaired
    assert every_key(indexed) == set(keys(indexed).values())
    assert len(global_by_keys(indexed, before.values())) == 2, "metrics trained before can still describe photos"


def test_rotated_copies_are_the_nearest_photos(indexed: Library, album: Album, tmp_path: Path) -> None:
    ANY_ROTATION.set(indexed, True)
    index_again(indexed)
    ids = indexed.photos.ids()
    (moments,) = (one for one in ready_descriptors(indexed) if one.name == "color_moments")
    assert isinstance(moments, GlobalDescriptor)
    rows = indexed.vectors.store(str(moments.key), moments.dimension, half=True).rows(ids)
    path = indexed.photos.paths(ids[:1].tolist())[0]
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    photo = decode(copy)
    found = moments.extract(photo.rotations()[3])
    assert np.linalg.norm(rows - found, axis=1).argmin() == 0
