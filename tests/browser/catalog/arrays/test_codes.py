# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.arrays.codes import Codes
from focal_photos.browser.catalog.arrays.vectors import Vectors
from focal_photos.browser.catalog.library import Library


def codes_of(ids: list[int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return (np.array(ids)[:, None] * 7 + np.arange(5)).astype(np.uint8)


def test_appended_codes_are_found(codes: Codes) -> None:
    store = codes.store("signs-1-0f3a", 5)
    store.append([5, 2], codes_of([5, 2]))
    store.append([9], codes_of([9]))
    assert store.ids.tolist() == [5, 2, 9]
    found = store.rows([9, 5, 9])
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found, codes_of([9, 5, 9]))
    assert not store.rows([5, 2]).flags.writeable  # mapped, as the rows are consecutive
    assert store.missing([9, 3]).tolist() == [3]
    with pytest.raises(KeyError, match="no code"):
        store.rows([3])


def test_values_take_one_byte_on_disk_and_are_read_back(tmp_path: Path) -> None:
    store = Codes(tmp_path / "codes").store("x", 5)
    store.append(range(100), codes_of(list(range(100))))
    rows = next((tmp_path / "codes").glob("*.rows"))
    assert rows.stat().st_size == 4096 + 5 * 100
    again = Codes(tmp_path / "codes").open("x")
    assert again is not None
    assert again.dimension == 5
    np.testing.assert_array_equal(again.rows(range(100)), codes_of(list(range(100))))


def test_wrong_shapes_are_refused(codes: Codes) -> None:
    with pytest.raises(ValueError, match="rows have"):
        codes.store("x", 5).append([1], np.zeros((1, 4), np.uint8))


def test_a_file_of_vectors_is_not_read_as_codes(tmp_path: Path) -> None:
    Vectors(tmp_path / "mixed").store("x", 5).append([1], np.zeros((1, 5)))
    assert Codes(tmp_path / "mixed").open("x") is None


def test_a_changed_bit_is_detected_and_its_photo_dropped(tmp_path: Path) -> None:
    store = Codes(tmp_path / "codes").store("x", 5)
    store.append([1, 2, 3], codes_of([1, 2, 3]))
    rows = next((tmp_path / "codes").glob("*.rows"))
    content = bytearray(rows.read_bytes())
    content[4096 + 7] ^= 16
    rows.write_bytes(content)
    again = Codes(tmp_path / "codes").store("x", 5)
    assert again.check() == [2]
    assert again.missing([1, 2, 3]).tolist() == [2]


def test_forgotten_photos_and_unused_keys_are_deleted(library: Library, photos: list[int]) -> None:
    for key in ("a", "b"):
        library.codes.store(key, 5).append(photos, codes_of(photos))
    library.forget_derived(photos[:1])
    assert library.codes.store("a", 5).missing(photos).tolist() == photos[:1]
    assert library.vacuum({"a"}) == ["b"]
    assert library.codes.keys() == ["a"]
