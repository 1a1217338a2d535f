# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.duplicates.box_duplicates import find_duplicate_boxes
from focal_photos.browser.operations.duplicates.find_duplicates import Group, groups_within
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from tests.browser.operations.album import Album
from tests.browser.operations.duplicates.test_find_duplicates import photo_of, write
from tests.browser.operations.duplicates.test_same_picture import scene

SIZE = (240, 160)
STICKER = (80, 60)


def part(left: int, top: int, width: int = STICKER[0], height: int = STICKER[1]) -> Region:
    return Region(left / SIZE[0], top / SIZE[1], (left + width) / SIZE[0], (top + height) / SIZE[1])


def with_sticker(background: int, left: int, top: int, sticker: int) -> Image.Image:
    photo = scene(background, SIZE)
    photo.paste(scene(sticker, STICKER), (left, top))
    return photo


@pytest.fixture
def stickers(album: Album, library: Library) -> Library:
    """Photos 0 and 1 show the same sticker at different places, photo 2 another one."""
    write(album.path("0.jpg"), with_sticker(1, 20, 30, 500))
    write(album.path("1.jpg"), with_sticker(2, 130, 70, 500).resize((480, 320), Image.Resampling.LANCZOS))
    write(album.path("2.jpg"), with_sticker(3, 20, 30, 501))
    finish(index(library, [album.folder], backend="threads", workers=1))
    return library


def draw(library: Library, name: str, region: Region, tag: str | None = None) -> int:
    photo = photo_of(library, name)
    library.boxes.add([(photo, region, tag)])
    return library.boxes.of([photo])[photo][-1].id


def groups_of(library: Library) -> list[Group]:
    return finish(find_duplicate_boxes(library))


def boxes_of(group: Group) -> list[int]:
    return box_ids_of(group.photo_ids)


def test_a_box_drawn_twice_is_found_and_the_named_one_is_proposed(stickers: Library) -> None:
    large = draw(stickers, "2", part(100, 20, 90, 70))
    named = draw(stickers, "2", part(102, 22, 86, 66), "card")
    draw(stickers, "2", part(130, 40, 90, 70))  # overlaps by less than half
    (group,) = groups_of(stickers)
    assert boxes_of(group) == [named, large]
    assert group.why == "named"
    stickers.boxes.name([named], None)
    (group,) = groups_of(stickers)
    assert boxes_of(group) == [large, named]
    assert group.why == "largest"
    stickers.boxes.move(named, part(104, 24, 80, 60))  # 76 % of the larger one
    assert groups_of(stickers) == []


def test_loosely_drawn_boxes_of_one_photo_are_duplicates_if_they_have_the_same_tag(stickers: Library) -> None:
    loose = draw(stickers, "2", part(100, 20, 90, 70), "card")
    tight = draw(stickers, "2", part(110, 28, 70, 52), "card")  # 58 % of the larger one
    beside = draw(stickers, "2", part(60, 20, 90, 70), "card")  # overlaps by 38 %
    (group,) = groups_of(stickers)
    assert boxes_of(group) == [loose, tight]
    stickers.boxes.name([tight], "picture")
    assert groups_of(stickers) == [], "a thing may have a part with another name"
    stickers.boxes.name([loose, tight, beside], None)
    assert groups_of(stickers) == []


def test_boxes_around_the_same_picture_in_two_photos_are_found(stickers: Library) -> None:
    there, here = draw(stickers, "0", part(20, 30)), draw(stickers, "1", part(130, 70))
    draw(stickers, "2", part(20, 30))  # another picture at the same place
    draw(stickers, "2", part(20, 30, 9, 9))  # too small to tell
    draw(stickers, "1", part(10, 10))
    (group,) = groups_of(stickers)
    assert boxes_of(group) == [here, there], "the box with more pixels is proposed"
    assert [member.of_photo for member in group.members] == [photo_of(stickers, name) for name in ("1", "0")]
    again = draw(stickers, "0", part(21, 31, 78, 58))
    (group,) = groups_of(stickers)
    assert boxes_of(group) == [here, there, again]
    (rest,) = groups_within([group], stickers.photos.ids("name:0"))
    assert boxes_of(rest) == [there, again]


def test_boxes_of_missing_and_of_resized_photos_are_left_out(stickers: Library, album: Album) -> None:
    draw(stickers, "0", part(20, 30))
    draw(stickers, "1", part(130, 70))
    assert len(groups_of(stickers)) == 1
    album.path("1.jpg").unlink()
    finish(index(stickers, [album.folder], backend="threads", workers=1))
    assert groups_of(stickers) == []


def test_boxes_that_are_not_duplicates_are_never_grouped_until_undo(stickers: Library) -> None:
    there, here = draw(stickers, "0", part(20, 30)), draw(stickers, "1", part(130, 70))
    (group,) = groups_of(stickers)
    stickers.not_duplicates.add(group.photo_ids)
    assert groups_of(stickers) == []
    third = draw(stickers, "0", part(21, 31, 78, 58))
    assert [set(boxes_of(one)) for one in groups_of(stickers)] == [{there, here, third}], "a new box connects both"
    stickers.boxes.remove([third])
    stickers.journal.undo()
    stickers.journal.undo()  # the drawing
    stickers.journal.undo()
    assert groups_of(stickers) == [group]


def test_without_boxes_there_is_nothing_to_find(stickers: Library) -> None:
    assert groups_of(stickers) == []
