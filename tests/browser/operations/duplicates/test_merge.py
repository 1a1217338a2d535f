# SPDX-License-Identifier: MIT
from __future__ import annotations

from focal_photos.browser.catalog.facts.marks import REJECTED
from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.duplicates.merge import merge_duplicates


def test_metadata_of_the_other_photos_is_merged_into_the_keeper(indexed: Library) -> None:
    kept, one, other, focal, far = indexed.photos.listed().tolist()[:5]
    indexed.tags.change([kept], ["sea"])
    indexed.tags.change([one], ["beach"])
    indexed.tags.change([other], ["beach", "boat"])
    indexed.marks.set([one], rating=2, label="Red")
    indexed.marks.set([other], rating=4)
    indexed.judgements.set(focal, [one], Verdict.SIMILAR)
    indexed.judgements.set(other, [far], Verdict.DISSIMILAR)
    indexed.text_judgements.set("a boat", [other], Verdict.SIMILAR)
    indexed.judged_relations.set([(focal, one, far), (focal, one, kept), (far, kept, one)], holds=True)
    indexed.judged_relations.set([(other, far, None)], holds=True)
    left, right = Region(0.0, 0.0, 0.5, 1.0), Region(0.5, 0.0, 1.0, 1.0)
    indexed.boxes.add([(kept, left, "boat"), (one, left, "boat"), (one, right, "mast"), (other, right, None)])
    indexed.boxes.reject([(kept, left, "mast"), (one, left, "mast"), (other, right, "sail")])
    indexed.region_judgements.set(one, left, [(far, right), (kept, right)], Verdict.SIMILAR)
    indexed.region_judgements.set(focal, left, [(other, right)], Verdict.DISSIMILAR)
    before = indexed.judgements.state()
    changes = merge_duplicates(indexed, kept, [one, other])
    (photo,) = indexed.photos.get([kept])
    assert changes.label == f"Merge 2 photos into {photo.path.name}"
    assert sorted(indexed.tags.of([kept])[kept]) == ["beach", "boat", "mast", "sea"]
    marks = indexed.marks.of([kept, one, other])
    assert (marks[kept].rating, marks[kept].label) == (4, "Red"), "the best rating wins"
    assert marks[one].rating == marks[other].rating == REJECTED
    assert indexed.judgements.of(focal) == {one: Verdict.SIMILAR, kept: Verdict.SIMILAR}
    assert indexed.judgements.of(kept) == {far: Verdict.DISSIMILAR}
    assert set(indexed.judged_relations.relative()) == {
        *((focal, one, far), (focal, one, kept), (far, kept, one)),
        (focal, kept, far),
    }
    assert indexed.judged_relations.visual() == [(other, far), (kept, far)]
    boxes = [(box.region, box.tag) for box in indexed.boxes.of([kept])[kept]]
    assert boxes == [(left, "boat"), (right, None), (right, "mast")], "the photo with the best rating comes first"
    assert indexed.text_judgements.of("a boat") == dict.fromkeys((kept, other), Verdict.SIMILAR)
    rejected = [(box.region, box.tag) for box in indexed.boxes.rejected() if box.photo_id == kept]
    assert rejected == [(left, "mast"), (right, "sail")]
    assert indexed.region_judgements.of(kept, left) == {far: Verdict.SIMILAR}
    assert indexed.region_judgements.of(focal, left) == dict.fromkeys((kept, other), Verdict.DISSIMILAR)
    indexed.journal.undo()
    assert indexed.region_judgements.count() == 3
    assert indexed.tags.of([kept])[kept] == ["boat", "sea"]
    assert indexed.marks.of([kept])[kept].rating is None
    assert indexed.judgements.state() == before
    assert indexed.judged_relations.count() == 4


def test_metadata_of_the_keeper_stays(indexed: Library) -> None:
    kept, other, focal = indexed.photos.listed().tolist()[:3]
    indexed.marks.set([kept], rating=1, label="Blue")
    indexed.marks.set([other], rating=5, label="Red")
    indexed.judgements.set(focal, [kept], Verdict.SIMILAR)
    indexed.judgements.set(focal, [other], Verdict.DISSIMILAR)
    indexed.judgements.set(kept, [other], Verdict.SIMILAR)
    merge_duplicates(indexed, kept, [other])
    mark = indexed.marks.of([kept])[kept]
    assert (mark.rating, mark.label) == (1, "Blue")
    assert indexed.judgements.of(focal)[kept] is Verdict.SIMILAR
    assert indexed.judgements.of(kept) == {other: Verdict.SIMILAR}, "no photo is judged against itself"


def test_a_rejected_tag_of_a_duplicate_is_not_copied(indexed: Library) -> None:
    kept, other = indexed.photos.listed().tolist()[:2]
    indexed.marks.set([other], rating=REJECTED)
    merge_duplicates(indexed, kept, [other])
    assert indexed.marks.of([kept])[kept].rating is None
