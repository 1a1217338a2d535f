# SPDX-License-Identifier: MIT
"""Folders of new photos that are reported as unlike all tagged photos, and how often."""

from __future__ import annotations

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.unlike_folders import UnlikeFolder, unlike_folders
from tests.browser.operations.three_kinds import KINDS, of_kind
from tests.browser.operations.two_worlds import FOREIGN


def reported(library: Library, ids: list[int]) -> list[UnlikeFolder]:
    return finish(unlike_folders(library, Ranker(library), np.array(sorted(ids))))


def teach(library: Library) -> None:
    for kind in KINDS:
        library.tags.change(of_kind(library, kind)[:8], [kind])


def test_a_folder_of_another_world_is_reported_once(two_worlds: Library) -> None:
    foreign = of_kind(two_worlds, "foreign")
    assert reported(two_worlds, foreign) == [], "no photo is tagged"
    teach(two_worlds)
    (found,) = reported(two_worlds, foreign)
    assert found.folder == two_worlds.photos.get(foreign[:1])[0].path.parent
    assert found.photos == FOREIGN
    assert 0.9 * FOREIGN < found.unlike <= FOREIGN
    assert reported(two_worlds, foreign) == []
    path = two_worlds.path
    two_worlds.close()
    with Library.open(path) as again:
        assert reported(again, foreign) == [], "the report is remembered"


def test_folders_of_tagged_kinds_and_with_few_photos_are_not_reported(two_worlds: Library) -> None:
    teach(two_worlds)
    assert reported(two_worlds, [photo for kind in KINDS for photo in of_kind(two_worlds, kind)[8:]]) == []
    assert reported(two_worlds, of_kind(two_worlds, "foreign")[:9]) == []
    assert reported(two_worlds, []) == []


def test_photos_of_several_folders_are_reported_by_their_common_folder(two_worlds: Library) -> None:
    teach(two_worlds)
    new = of_kind(two_worlds, "foreign")[:20] + of_kind(two_worlds, "warm")[8:]
    (found,) = reported(two_worlds, new)
    assert found.folder == two_worlds.roots.all()[0].path
    assert found.photos == 26


def test_a_read_only_library_reports_folders_and_stores_nothing(two_worlds: Library) -> None:
    teach(two_worlds)
    path, foreign = two_worlds.path, of_kind(two_worlds, "foreign")
    two_worlds.close()
    with Library.open(path, read_only=True) as library:
        assert len(reported(library, foreign)) == 1
        assert len(reported(library, foreign)) == 1
