# SPDX-License-Identifier: MIT
from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.operations.ranking.local.training_sets import FocalTrainingSets, choice
from focal_photos.browser.operations.ranking.space import coordinates, current_space, stores
from focal_photos.browser.operations.training.local_train import patch_keys
from tests.browser.copies import opened_copy
from tests.browser.operations import local_album
from tests.browser.operations.local_album import number


def digest(similar: list[int], near: list[int], far: list[int], dissimilar: int) -> bytes:
    """Identification of stored focal images. If it changes, all of them must be fitted again."""
    summary = hashlib.blake2b(digest_size=8)
    for ids in (similar, near, far):
        summary.update(len(ids).to_bytes(8, "little") + np.array(ids, "<i8").tobytes())
    summary.update(repr(round(math.log(dissimilar, 1.1)) if dissimilar else None).encode())
    return summary.digest()


def test_training_data_are_judgements_and_photos_with_and_without_a_common_tag(
    patched_folder: Path, tmp_path: Path
) -> None:
    with opened_copy(patched_folder, tmp_path / "copy") as library:
        warm, cold = (library.photos.ids(f"tag:{kind}").tolist() for kind in local_album.KINDS)
        focal, untagged = warm[2], number(library, local_album.UNTAGGED[1])
        library.judgements.set(focal, [untagged], Verdict.SIMILAR)
        library.judgements.set(focal, [warm[0], cold[0]], Verdict.DISSIMILAR)
        sets = FocalTrainingSets(library, patch_keys(library))
        found = sets.of(focal)
        assert found.ids[found.row] == focal
        np.testing.assert_array_equal(found.ids, np.sort(library.photos.ids()))
        assert found.ids[found.side.similar].tolist() == [[focal, untagged]]
        assert found.ids[found.side.dissimilar].tolist() == [[focal, i] for i in sorted([warm[0], cold[0]])]
        assert found.side.tags is not None
        marks = {i: tuple(row) for i, row in zip(found.ids.tolist(), found.side.tags.toarray().tolist(), strict=True)}
        assert {marks[i] for i in warm} == {(1, 0)}  # including the focal image
        assert {marks[i] for i in cold} == {(0, 1)}
        assert marks[untagged] == (0, 0)
        others = sorted(i for i in warm if i != focal)
        assert found.digest == digest(others, [untagged], sorted([warm[0], cold[0]]), len(cold))
        nothing = sets.of(untagged)
        assert nothing.digest == digest([], [], [], 0)
        assert (sets.judgements, sets.judged.tolist()) == (3, [focal])
        assert sorted(sets.tagged.tolist()) == sorted([*warm, *cold])


def test_at_most_a_quarter_of_the_sample_of_a_large_library_shares_a_tag(
    patched_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_copy(patched_folder, tmp_path / "copy") as library:
        warm, cold = (library.photos.ids(f"tag:{kind}").tolist() for kind in local_album.KINDS)
        focal = warm[0]
        library.judgements.set(focal, [warm[4]], Verdict.DISSIMILAR)
        whole = FocalTrainingSets(library, patch_keys(library)).of(focal)
        monkeypatch.setattr("focal_photos.browser.operations.ranking.local.training_sets.MOST_PHOTOS", 9)
        sets = FocalTrainingSets(library, patch_keys(library))
        found = sets.of(focal)
        assert len(found.ids) == 9
        assert (np.diff(found.ids) > 0).all()
        assert found.ids[found.row] == focal
        assert warm[4] in found.ids  # judged
        assert len(set(found.ids.tolist()) & set(warm[1:4])) == 2
        assert set(cold) <= set(found.ids.tolist())
        np.testing.assert_array_equal(found.ids, sets.of(focal).ids)
        assert found.digest == whole.digest


def known(n: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Side information on n photos: the first fifth is similar, the next three are dissimilar, the last is unknown."""
    place = np.arange(n)
    return place < n // 5, (place >= n // 5) & (place < 4 * n // 5)


def test_the_sample_is_a_quarter_similar_half_nearest_dissimilar_and_a_quarter_of_the_others() -> None:
    similar, dissimilar = known(1000)
    nearest = np.random.default_rng(0).permutation(np.flatnonzero(dissimilar))
    found = choice(np.array([990, 1]), similar, dissimilar, nearest, 100, seed=3)
    assert len(found) == 100
    assert (np.diff(found) > 0).all()
    assert {990, 1} <= set(found.tolist())
    assert np.isin(nearest[:50], found).all()
    assert similar[found].sum() == 1 + 25
    assert dissimilar[found].sum() == 50 + 23, "the given photos replace drawn ones"
    np.testing.assert_array_equal(found, choice(np.array([990, 1]), similar, dissimilar, nearest, 100, seed=3))
    assert not np.array_equal(found, choice(np.array([990, 1]), similar, dissimilar, nearest, 100, seed=4))


def test_unknown_photos_fill_the_sample_if_few_are_known() -> None:
    similar, dissimilar = np.zeros((2, 1000), bool)
    similar[:3] = dissimilar[3:7] = True
    found = choice(np.array([0]), similar, dissimilar, np.array([5, 3]), 100, seed=0)
    assert len(found) == 100
    assert set(range(7)) <= set(found.tolist())


def test_all_judged_photos_are_in_the_sample() -> None:
    similar, dissimilar = known(100)
    always = np.arange(0, 100, 2)
    found = choice(always, similar, dissimilar, np.array([21, 23]), 20, seed=0)
    np.testing.assert_array_equal(found, always)


def test_the_nearest_photos_are_those_in_the_space_of_the_library(
    patched_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_copy(patched_folder, tmp_path / "copy") as library:
        warm, cold = (library.photos.ids(f"tag:{kind}") for kind in local_album.KINDS)
        space = current_space(library)
        expected = {}
        for focal in warm.tolist():
            own = coordinates(library, space, np.array([focal]))
            far = np.linalg.norm(coordinates(library, space, cold) - own, axis=1)
            expected[focal] = set(cold[np.argsort(far)[:3]].tolist())
        monkeypatch.setattr("focal_photos.browser.operations.ranking.local.training_sets.MOST_PHOTOS", 6)
        sets = FocalTrainingSets(library, patch_keys(library))
        for focal, nearest in expected.items():
            assert nearest <= set(sets.of(focal).ids.tolist())
        monkeypatch.setattr("focal_photos.browser.operations.ranking.local.training_sets._POOL", 3)
        few = FocalTrainingSets(library, patch_keys(library))
        for focal in warm.tolist():
            assert len(few.of(focal).ids) == 6


def test_a_photo_outside_the_space_gets_a_random_sample(
    patched_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.ranking.local.training_sets.MOST_PHOTOS", 8)
    with opened_copy(patched_folder, tmp_path / "copy") as library:
        focal = int(library.photos.ids("tag:warm")[0])
        before = FocalTrainingSets(library, patch_keys(library)).of(focal)
        for store in stores(library):
            store.forget([focal])
        after = FocalTrainingSets(library, patch_keys(library)).of(focal)
        assert after.digest == before.digest
        assert len(after.ids) == 8
        for store in stores(library):
            store.forget(store.ids)
        assert len(FocalTrainingSets(library, patch_keys(library)).of(focal).ids) == 8
