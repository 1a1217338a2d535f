# SPDX-License-Identifier: MIT
"""Removing a folder from the library, and adding it again."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import FoundFile, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.export_file import export_photos
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.forget_folder import forget_folder
from focal_photos.browser.operations.ranking.ranker import Ranker
from tests.browser.operations.album import Album


@pytest.fixture
def two(library: Library, album: Album) -> Library:
    """Two roots, ``warm`` and ``cold``, of three photos each; the photo ``warm/0.jpg`` is in both."""
    album.draw_kinds(each=3)
    album.path("cold/copy.jpg").write_bytes(album.path("warm/0.jpg").read_bytes())
    finish(index(library, [album.path("warm"), album.path("cold")]))
    return library


def photo(library: Library, path: Path) -> int:
    found = library.photos.by_path(path)
    assert found is not None
    return found.id


def test_photos_of_a_removed_folder_are_no_longer_listed(two: Library, album: Album) -> None:
    everything = set(two.photos.listed().tolist())
    shared, only = (photo(two, album.path(f"warm/{number}.jpg")) for number in (0, 1))
    focal = photo(two, album.path("cold/1.jpg"))
    assert forget_folder(two, album.path("warm"))
    listed = set(two.photos.listed().tolist())
    assert len(everything) == 6
    assert len(listed) == 4
    assert shared in listed, "the photo is also in the other folder"
    assert only not in listed
    assert set(two.photos.ids().tolist()) == everything, "nothing is lost"
    assert set(two.photos.listed("removed").tolist()) == everything - listed
    assert two.photos.listed("missing").size == 0
    assert set(Ranker(two).rank(focal).photo_ids.tolist()) == listed - {focal}
    assert export_photos(two, io.StringIO(), FORMATS["jsonl"]) == 4
    assert album.path("warm/1.jpg").exists()


def test_a_missing_photo_stays_listed_beside_a_removed_folder(two: Library, album: Album) -> None:
    gone = photo(two, album.path("cold/1.jpg"))
    album.path("cold/1.jpg").unlink()
    finish(index(two))
    forget_folder(two, album.path("warm"))
    assert gone in two.photos.listed()
    assert two.photos.listed("missing").tolist() == [gone]


def test_tags_and_judgements_return_with_the_folder(two: Library, album: Album) -> None:
    first, second = (photo(two, album.path(f"warm/{number}.jpg")) for number in (1, 2))
    two.tags.change([first], ["sea/deep"])
    two.tags.change([first, photo(two, album.path("cold/1.jpg"))], ["both"])
    two.judgements.set(first, [second], Verdict.SIMILAR)
    before = two.tags.all()
    forget_folder(two, album.path("warm"))
    assert [(tag.name, tag.count) for tag in two.tags.all()] == [("both", 1)]
    assert two.tags.of([first]) == {first: ["both", "sea/deep"]}
    finish(index(two, [album.path("warm")]))
    assert two.tags.all() == before
    assert two.judgements.of(first) == {second: Verdict.SIMILAR}
    assert {first, second} <= set(two.photos.listed().tolist())
    assert not two.photos.get([first])[0].missing


def test_a_running_scan_does_not_restore_a_removed_folder(two: Library, album: Album) -> None:
    found = two.roots.containing(album.path("warm"))
    assert found is not None
    forget_folder(two, album.path("warm"))
    late = FoundFile(found[0].id, b"1.jpg", 1, 1, "0" * 32)
    assert not two.files.record([late]).new
    assert two.photos.get([photo(two, album.path("warm/1.jpg"))])[0].missing


def test_only_whole_roots_can_be_removed(indexed: Library, album: Album) -> None:
    with pytest.raises(OperationError, match="is part of"):
        forget_folder(indexed, album.path("warm"))
    with pytest.raises(OperationError, match="not in the library"):
        forget_folder(indexed, album.folder.parent)
    assert len(indexed.photos.listed()) == 12
