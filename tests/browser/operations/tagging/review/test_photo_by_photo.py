# SPDX-License-Identifier: MIT
from __future__ import annotations

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.review.photo_by_photo import COUNT_OF_ONE_TAG, OpenPhoto, find_open_photos
from tests.browser.operations.three_kinds import KINDS, of_kind, several


def open_photos(library: Library, **options: object) -> dict[int, OpenPhoto]:
    found = finish(find_open_photos(library, Ranker(library), **options))  # type: ignore[arg-type]
    return {photo.photo_id: photo for photo in found}


def test_untagged_photos_are_offered_their_likeliest_tags_first(three: Library) -> None:
    several(three)
    found = open_photos(three)
    assert set(found) == set(three.photos.ids("untagged").tolist())
    for kind in KINDS:
        for photo_id in of_kind(three, kind)[8:]:
            photo = found[photo_id]
            assert photo.tags == ()
            assert set(photo.likely) == {*KINDS, "drawn"}
            assert set(photo.likely[:2]) == {kind, "drawn"}
            assert kind in photo.likely[: photo.proposed]
            assert photo.proposed <= 2


def test_given_and_rejected_tags_are_not_offered(three: Library) -> None:
    several(three)
    warm, other = of_kind(three, "warm")[8], of_kind(three, "warm")[9]
    three.tags.change([warm], ["warm"])
    three.suggestions.reject([(warm, "green")])
    assert warm not in open_photos(three), "the photo had tags before"
    found = open_photos(three, unfinished=frozenset({warm}), passed=frozenset({(warm, "cold")}))
    assert found[warm].tags == ("warm",)
    assert found[warm].likely == ("drawn",)
    assert set(found[other].likely) == {*KINDS, "drawn"}


def test_photos_that_lack_most_tags_come_first_and_finished_ones_are_absent(three: Library) -> None:
    several(three)
    every = three.photos.ids("untagged").tolist()
    passed = frozenset((photo_id, tag) for photo_id in every[:5] for tag in (*KINDS, "drawn"))
    order = list(open_photos(three, passed=passed))
    assert set(order[-5:]) == set(every[:5])
    assert list(open_photos(three, passed=passed, count=3)) == order[:3]
    assert list(open_photos(three, passed=passed, finished=frozenset(order[:2]))) == order[2:]


def test_skipped_tags_do_not_change_the_order(three: Library) -> None:
    """Photos similar to two tags come before those similar to one, regardless of skipped tags."""
    several(three)
    warm, cold = (set(of_kind(three, kind)[8:]) for kind in ("warm", "cold"))
    passed = {(photo_id, tag) for photo_id in warm for tag in ("cold", "green")} | {
        (photo_id, "cold") for photo_id in cold
    }
    order = [photo_id for photo_id in open_photos(three, passed=frozenset(passed)) if photo_id in warm | cold]
    assert set(order[: len(warm)]) == warm


def test_no_photo_is_reviewed_alone_without_tags(three: Library) -> None:
    assert open_photos(three) == {}


def test_some_photos_are_reviewed_tag_by_tag_if_photos_have_one_tag(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:6], [kind])
    found = open_photos(three)
    assert len(found) == COUNT_OF_ONE_TAG
    assert set(found) <= set(three.photos.ids("untagged").tolist())
    assert all(photo.one_tag and photo.proposed <= 1 and set(photo.likely) == set(KINDS) for photo in found.values())
    likeliest = [photo.likely[0] for photo in found.values()]
    assert likeliest == sorted(likeliest)
    assert all(photo_id in of_kind(three, found[photo_id].likely[0]) for photo_id in found)
    done = frozenset(found)
    assert not done & set(open_photos(three, finished=done))
