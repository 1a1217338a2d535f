# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.tags import TagNameError
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.tagging.related import RelatedTag, related_tags, tag_neighborhood


@pytest.fixture
def tagged(indexed: Library) -> Library:
    ids = indexed.photos.ids("").tolist()
    indexed.tags.change(ids[:5], ["sea", "beach"])
    indexed.tags.change(ids[4:6], ["sea", "boat/sailing"])
    indexed.tags.change(ids[6:], ["forest", "plant/tree"])
    return indexed


def related(library: Library, tag: str, limit: int = 10) -> list[RelatedTag]:
    return finish(related_tags(library, tag, limit=limit))


def test_tags_used_together_are_nearest(tagged: Library) -> None:
    found = related(tagged, "sea")
    assert [one.tag for one in found[:3]] == ["beach", "boat", "boat/sailing"]
    assert [one.photos for one in found] == [5, 2, 2, 0, 0, 0]
    distances = [one.distance for one in found]
    assert distances == sorted(distances)
    assert distances[2] < distances[3]
    assert related(tagged, "sea", limit=1) == found[:1]


def test_ancestors_and_descendants_of_a_tag_are_left_out(tagged: Library) -> None:
    assert related(tagged, "plant", limit=1)[0].tag == "forest"
    assert "plant/tree" not in [one.tag for one in related(tagged, "plant")]
    assert "plant" not in [one.tag for one in related(tagged, "plant/tree")]


def test_tags_related_to_several_tags_are_found(tagged: Library) -> None:
    learned = finish(tag_neighborhood(tagged))
    assert [one.tag for one in learned.related(["sea", "nobody's"], together=True)] == ["beach", "boat"]
    assert [one.tag for one in learned.related(["sea", "beach"], together=True)] == ["boat"]
    assert [one.photos for one in learned.related(["sea", "beach"], together=True)] == [2]
    assert learned.related(["nobody's"]) == []
    assert learned.related(["forest"], together=True)[0].tag in ("plant", "plant/tree")


def test_a_limit_leaves_out_rare_tags(tagged: Library) -> None:
    learned = finish(tag_neighborhood(tagged, limit=3))
    assert len(learned.related(["forest"])) <= 2


def test_a_library_without_tags_has_no_neighborhood(indexed: Library) -> None:
    assert finish(tag_neighborhood(indexed)).related(["sea"]) == []


def test_an_unknown_tag_is_refused(tagged: Library) -> None:
    with pytest.raises(OperationError, match="No photo carries the tag unknown"):
        related(tagged, "unknown")
    with pytest.raises(TagNameError):
        related(tagged, "a//b")


def test_a_read_only_library_is_sufficient(tagged: Library) -> None:
    with Library.open(tagged.path, read_only=True) as reader:
        assert related(reader, "sea") == related(tagged, "sea")
