# SPDX-License-Identifier: MIT
from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards, is_named_as_image
from focal_photos.browser.operations.photos.offline import look_for_offline
from tests.browser.catalog.albums import enter


def test_cards_contain_the_metadata_of_photos(tmp_path: Path) -> None:
    online, offline = tmp_path / "online", tmp_path / "offline"
    online.mkdir()
    offline.mkdir()
    with Library.open(tmp_path / "library") as library:
        tagged, plain = enter(library, online, ["tagged.jpg", "plain.jpg"])
        (away,) = enter(library, offline, ["away.jpg"])
        library.tags.change([tagged], ["sea", "boat"])
        library.marks.set([tagged], rating=4)
        library.boxes.add([(tagged, Region(0, 0, 0.5, 0.5), "sea"), (tagged, Region(0, 0, 1, 1), None)])
        (online / "tagged.jpg").touch()
        shutil.rmtree(offline)
        look_for_offline(library)
        boxes = tuple(library.boxes.all())
        named, unnamed = (box.id for box in boxes)
        cards = fetch_cards(library, [tagged, plain, away])
        framed = fetch_cards(library, [-unnamed, plain, -named, -99])
        photos = {photo.id: photo for photo in library.photos.get([tagged, plain, away])}
    assert cards == {
        tagged: PhotoCard(photos[tagged], ("boat", "sea"), 0, False, 4, None, 0, boxes),
        plain: PhotoCard(photos[plain], (), 0, False, None, None, 0),
        away: PhotoCard(photos[away], (), 0, True, None, None, 0),
    }
    whole, part = cards[tagged], Region(0, 0, 0.5, 0.5)
    assert framed == {
        plain: cards[plain],
        -named: replace(whole, tags=("sea",), region=part),
        -unnamed: replace(whole, tags=(), region=Region(0, 0, 1, 1)),
    }
    assert cards[plain] == PhotoCard(photos[plain]), "a card has no metadata by default"


def test_the_suffix_tells_whether_a_file_is_named_as_an_image() -> None:
    assert is_named_as_image("/photos/a.JPG")
    assert not is_named_as_image("/photos/a.txt")
    assert not is_named_as_image("/photos/jpg")
