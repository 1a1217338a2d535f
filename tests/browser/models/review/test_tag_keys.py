# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.browser.models.review.tag_keys import KEYS, TagKeys


@pytest.fixture
def keys() -> TagKeys:
    return TagKeys()


def test_pinned_tags_keep_their_digits_and_others_get_the_first_free_key(keys: TagKeys) -> None:
    keys.begin(["sea", "", "sky"])
    keys.give(["boat", "sea", "dog", "boat"])
    assert keys.in_order() == ["sea", "boat", "sky", "dog"]
    assert [keys.key(tag) for tag in ("sea", "boat", "sky", "dog", "none", "")] == ["1", "2", "3", "4", "", ""]
    assert [keys.tag(number) for number in (1, 4, 5, 0, 20)] == ["sea", "dog", "", "", ""]


def test_keys_after_nine_are_0_and_shift(keys: TagKeys) -> None:
    keys.give(f"tag {number}" for number in range(30))
    assert [keys.key(f"tag {number}") for number in (8, 9, 10, 18, 19)] == ["9", "0", "⇧1", "⇧9", ""]
    assert len(keys.in_order()) == len(KEYS) == 19


def test_a_tag_keeps_its_key_despite_later_offers_and_pins(keys: TagKeys) -> None:
    keys.begin([])
    keys.give(["sea", "sky"])
    keys.give(["boat", "sky"])
    keys.pin(["", "boat", "", "dog"], move=False)
    assert keys.in_order() == ["sea", "sky", "boat", "dog"]
    keys.pin(["", "boat", "", "dog"], move=True)
    assert keys.in_order() == ["sea", "sky", "boat", "dog"], "giving the same tag again changes nothing"
    keys.pin(["boat", "", "", "dog"], move=True)
    assert keys.in_order() == ["boat", "sky", "sea", "dog"], "the two tags swap keys"


def test_keys_follow_renames_and_other_photos_free_them(keys: TagKeys) -> None:
    keys.give(["sea", "sky", "boat"])
    keys.follow_name("sky", "heaven")
    assert keys.in_order() == ["sea", "heaven", "boat"]
    keys.follow_name("boat", "sea")
    assert keys.tags[:3] == ("sea", "heaven", "")
    keys.begin(["", "dog"])
    assert keys.tags[:3] == ("", "dog", "")


def test_keys_of_tags_that_no_longer_exist_are_free(keys: TagKeys) -> None:
    keys.give(["sea", "sky", "boat"])
    keys.keep(["boat", "dog", "sea"])
    assert keys.tags[:3] == ("sea", "", "boat")


def test_changes_are_signalled_once(keys: TagKeys) -> None:
    told: list[int] = []
    keys.changed.connect(lambda: told.append(1))
    keys.give(["sea"])
    keys.give(["sea"])
    keys.follow_name("sky", "sea")
    assert len(told) == 1
