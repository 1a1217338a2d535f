# SPDX-License-Identifier: MIT
"""Codes of photos: computing, storing and deleting them, also after descriptors are refitted or removed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.browser.operations.describing.enabled import change_enabled, set_enabled
from focal_photos.browser.operations.describing.extraction.fit_descriptors import fit_descriptors
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.describing.overview import overview
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.features import table
from focal_photos.features.base import CodeDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.fitted.fisher_signs import FisherSigns
from focal_photos.features.fitted.fisher_vectors import FisherVector
from focal_photos.features.local.dense_color import DenseColor
from tests.browser.operations.album import Album
from tests.browser.operations.small_table import small_table

FISHER = FisherVector(DenseColor(), components=3, local_axes=5, axes=4)
SIGNS = FisherSigns(FISHER)


@pytest.fixture
def indexed(tmp_path: Path, album: Album) -> Iterator[Library]:
    """Library of 12 photos described by a mean colour, a Fisher vector and its signs."""
    with small_table():
        table.DESCRIPTORS[FISHER.name] = FISHER
        table.CODE_DESCRIPTORS[SIGNS.name] = SIGNS
        with Library.open(tmp_path / "library") as library:
            set_enabled(library, ["mean", FISHER.name, SIGNS.name])
            album.draw_many(12)
            finish(index(library, [album.folder]))
            yield library


def signs_of(library: Library) -> CodeDescriptor:
    (found,) = (one for one in ready_descriptors(library) if isinstance(one, CodeDescriptor))
    return found


def test_every_photo_has_its_code(indexed: Library) -> None:
    descriptor = signs_of(indexed)
    ids = indexed.photos.ids()
    store = indexed.codes.open(str(descriptor.key))
    assert store is not None
    assert not len(store.missing(ids))
    for photo_id, path in zip(ids.tolist(), indexed.photos.paths(ids), strict=True):
        np.testing.assert_array_equal(store.rows([photo_id])[0], descriptor.extract(decode(path)))


def test_the_sample_is_not_decoded_again_for_codes(tmp_path: Path, album: Album) -> None:
    # The sample is all photos here: codes, like Fisher vectors, are computed from the cached local vectors.
    with small_table():
        table.DESCRIPTORS[FISHER.name] = FISHER
        table.CODE_DESCRIPTORS[SIGNS.name] = SIGNS
        with Library.open(tmp_path / "library") as library:
            set_enabled(library, ["mean", FISHER.name, SIGNS.name])
            album.draw_many(12)
            finish(scan(library, [album.folder]))
            report = finish(fit_descriptors(library, describe=True))
            assert SIGNS.name in report.extract.seconds
            store = library.codes.open(str(signs_of(library).key))
            assert store is not None
            assert not len(store.missing(library.photos.ids()))


def test_codes_are_not_part_of_the_feature_space(indexed: Library) -> None:
    assert [one.name for one in space_families(indexed)] == ["mean", FISHER.name]
    (state,) = (one for one in overview(indexed) if one.name == SIGNS.name)
    assert (state.kind, state.on, state.photos, state.dimension) == ("signs", True, 12, SIGNS.dimension)
    assert state.bytes > 12 * SIGNS.dimension
    with pytest.raises(OperationError, match="leave at least one"):
        set_enabled(indexed, [SIGNS.name])


def test_the_next_indexing_adds_codes_to_an_old_library(indexed: Library) -> None:
    indexed.codes.remove(str(signs_of(indexed).key))
    report = finish(index(indexed))
    assert report.extract.done == 12
    assert set(report.extract.seconds) <= {"decode", "thumbnail", "write", SIGNS.name}
    assert finish(index(indexed)).extract.done == 0


def test_damaged_codes_are_found_and_repaired(indexed: Library) -> None:
    key = str(signs_of(indexed).key)
    before = indexed.codes.store(key, SIGNS.dimension).rows(indexed.photos.ids()).copy()
    rows = next(indexed.codes.folder.glob("*.rows"))
    content = bytearray(rows.read_bytes())
    content[4096 + SIGNS.dimension // 2] ^= 1
    rows.write_bytes(content)
    report = finish(check(indexed))
    assert any("codes" in line and "damaged" in line for line in report.repaired)
    np.testing.assert_array_equal(indexed.codes.store(key, SIGNS.dimension).rows(indexed.photos.ids()), before)


def test_a_check_deletes_codes_that_are_switched_off(indexed: Library) -> None:
    key = str(signs_of(indexed).key)
    assert indexed.codes.keys() == [key]
    change_enabled(indexed, off=[SIGNS.name])
    finish(check(indexed))
    assert indexed.codes.keys() == []
    change_enabled(indexed, on=[SIGNS.name])
    finish(index(indexed))
    assert indexed.codes.keys() == [key]
