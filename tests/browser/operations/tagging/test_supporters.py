# SPDX-License-Identifier: MIT
from __future__ import annotations

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.supporters import COUNT, find_supporters


def test_supporting_neighbours_are_the_nearest_with_the_tag(indexed: Library) -> None:
    ids = indexed.photos.ids().tolist()
    indexed.tags.change(ids[:11], ["often"])
    indexed.tags.change(ids[2:5], ["seldom"])
    ranker = Ranker(indexed)
    gallery = ranker.gallery()
    annotated = read_annotated(indexed, gallery, set())
    often, seldom = annotated.names.index("often"), annotated.names.index("seldom")
    pairs = [(ids[11], often), (ids[3], seldom), (ids[0], seldom), (ids[0], often)]
    found = find_supporters(gallery, annotated, pairs)
    assert set(found) == set(pairs)
    for photo_id, tag in pairs:
        carriers = set(ids[:11] if tag == often else ids[2:5])
        near = [i for i in ranker.rank(photo_id).photo_ids.tolist() if i in carriers]
        assert list(found[photo_id, tag]) == near[:COUNT]
    assert len(found[ids[11], often]) == COUNT == 10
    assert len(found[ids[3], seldom]) == 2  # without the photo itself
    assert find_supporters(gallery, annotated, []) == {}
