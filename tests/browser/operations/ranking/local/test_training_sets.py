from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.operations.ranking.local.training_sets import FocalTrainingSets
from focal_photos.browser.operations.training.local_train import patch_keys
from tests.browser.operations import local_album
from tests.browser.operations.local_album import copied, number


def digest(similar: list[int], near: list[int], far: list[int], dissimilar: int) -> bytes:
    """What stored focal images are known by: it must not change, or all of them would be learned again."""
    summary = hashlib.blake2b(digest_size=8)
    for ids in (similar, near, far):
        summary.update(len(ids).to_bytes(8, "little") + np.array(ids, "<i8").tobytes())
    summary.update(repr(round(math.log(dissimilar, 1.1)) if dissimilar else None).encode())
    return summary.digest()


def test_a_photo_learns_from_those_that_share_a_tag_those_that_do_not_and_judgements(tmp_path: Path) -> None:
    with copied(local_album.make(tmp_path), tmp_path) as library:
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
        assert {marks[i] for i in warm} == {(1, 0)}  # the focal image among them
        assert {marks[i] for i in cold} == {(0, 1)}
        assert marks[untagged] == (0, 0)
        others = sorted(i for i in warm if i != focal)
        assert found.digest == digest(others, [untagged], sorted([warm[0], cold[0]]), len(cold))
        nothing = sets.of(untagged)
        assert nothing.digest == digest([], [], [], 0)
        assert (sets.judgements, sets.judged.tolist()) == (3, [focal])
        assert sorted(sets.tagged.tolist()) == sorted([*warm, *cold])


def test_in_a_large_library_a_quarter_of_the_choice_at_most_shares_a_tag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with copied(local_album.make(tmp_path), tmp_path) as library:
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
        assert warm[4] in found.ids  # it was judged
        assert len(set(found.ids.tolist()) & set(warm[1:4])) == 2
        assert set(cold) <= set(found.ids.tolist())
        np.testing.assert_array_equal(found.ids, sets.of(focal).ids)
        assert found.digest == whole.digest
