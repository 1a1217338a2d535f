# SPDX-License-Identifier: MIT
"""Exchange of boxes with regions in sidecars: both ways, in sidecars of other programs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import Box, NamedRegion, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.metadata.agreement import Prefer
from focal_photos.browser.operations.metadata.exchange_sidecars import (
    Comparison,
    Direction,
    ExchangeReport,
    compare_sidecars,
    exchange_sidecars,
)
from focal_photos.browser.operations.metadata.sidecar_regions import Upright, find_regions
from focal_photos.browser.operations.photos.find import find_photos
from focal_photos.features.metadata.xmp import merge_xmp, parse_xmp
from focal_photos.features.metadata.xmp_regions import Sides, list_regions, write_regions
from tests.browser.operations.album import Album
from tests.features.metadata.region_samples import NAMES, PROGRAMS, SIDES, sidecar_of

SIZE = (120, 80)
PLACE = Region(0.1, 0.2, 0.5, 0.9)
OTHER = Region(0.5, 0.1, 0.9, 0.4)
FULL = {"digiKam": "People/Anna Lee", "Picasa": "Ben", "Lightroom": "Family/Carl"}
"""The tags of the first region of each program's sidecar."""


@pytest.fixture
def photos(library: Library, album: Album) -> Library:
    """Library of 0.jpg and 1.jpg, whose sidecars have not been read yet."""
    for number in range(2):
        draw(album.path(f"{number}.jpg"), seed=number)
    finish(index(library, [album.folder]))
    return library


def draw(path: Path, *, size: tuple[int, int] = SIZE, orientation: int = 1, seed: int = 0) -> None:
    """Write a photo of this stored size."""
    image = Image.effect_noise(size, 40 + seed).convert("RGB")
    exif = image.getexif()
    exif[0x0112] = orientation
    image.save(path, exif=exif, quality=95)


def id_of(library: Library, album: Album, name: str = "0.jpg") -> int:
    (number,) = find_photos(library, [album.path(name)])
    return number


def compared(library: Library) -> Comparison:
    return finish(compare_sidecars(library, library.photos.ids()))


def exchange(library: Library, direction: Direction = Direction.BOTH) -> ExchangeReport:
    report = finish(exchange_sidecars(library, compared(library), direction, Prefer.ASK))
    assert not report.problems
    return report


def boxes(library: Library, number: int) -> list[Box]:
    return library.boxes.of([number]).get(number, [])


def drawn(library: Library, number: int) -> set[tuple[str | None, Sides]]:
    return {(box.tag, rounded(box.region)) for box in boxes(library, number)}


def rounded(region: Region) -> Sides:
    return round(region.x0, 4), round(region.y0, 4), round(region.x1, 4), round(region.y1, 4)


def says(path: Path) -> set[tuple[str, Sides]]:
    return {
        (one.name, (round(one.sides[0], 4), round(one.sides[1], 4), round(one.sides[2], 4), round(one.sides[3], 4)))
        for one in list_regions(path.read_bytes())
    }


def edit(path: Path, name: str, place: Region | None, new_name: str | None = None) -> None:
    """Move, rename or remove a region of a sidecar, as another program does."""
    content = path.read_bytes()
    (number,) = [one.number for one in list_regions(content) if one.name == name]
    changed = {} if place is None else {number: (new_name or name, rounded(place))}
    removed = [number] if place is None else []
    path.write_bytes(write_regions(content, SIZE, changed=changed, removed=removed, added=()))


def test_boxes_are_written_as_regions(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "animal/dog"), (number, OTHER, None)])
    found = compared(photos)
    (difference,) = [one.difference() for one in found.differing]
    ((_, changes),) = difference.outgoing
    assert changes.added == ("animal/dog",)
    assert changes.boxes == ((None, NamedRegion("animal/dog", PLACE)),), "a box without a name is not written"
    assert not album.path("0.jpg.xmp").exists(), "a comparison writes nothing"
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    (region,) = list_regions(sidecar.read_bytes())
    assert (region.name, region.size) == ("dog", SIZE)
    assert says(sidecar) == {("dog", rounded(PLACE))}
    assert parse_xmp(sidecar.read_bytes()).tags == ("animal/dog",)
    assert not compared(photos).differing
    assert not compared(photos).alike


@pytest.mark.parametrize("program", PROGRAMS)
def test_regions_of_other_programs_become_boxes_and_the_rest_stays(photos: Library, album: Album, program: str) -> None:
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(sidecar_of(program, *SIZE))
    number = id_of(photos, album)
    changes = exchange(photos).changes
    assert drawn(photos, number) == {(FULL[program], SIDES)}
    assert FULL[program] in photos.tags.of([number])[number]
    assert changes.photo_ids == {number}
    assert not compared(photos).differing
    # Changes by Focal preserve everything else in the file.
    (box,) = boxes(photos, number)
    photos.boxes.move(box.id, PLACE)
    photos.boxes.add([(number, OTHER, "sky")])
    exchange(photos)
    content = sidecar.read_text()
    assert {(NAMES[program], rounded(PLACE)), ("sky", rounded(OTHER))} <= says(sidecar)
    kept = {
        "digiKam": ['MPReg:Rectangle="0.25, 0.125, 0.5, 0.25"', 'mwg-rs:Type="Face"'],
        "Picasa": ["<google:ContactId>17</google:ContactId>", "<mwg-rs:Type>Face</mwg-rs:Type>"],
        "Lightroom": ["<xmp:Note>kept</xmp:Note>", 'mwg-rs:Rotation="0.02"', 'mwg-rs:FocusUsage="EvaluatedUsed"'],
    }
    assert [text for text in kept[program] if text not in content] == []
    assert ("", (0.7667, 0.75, 0.8333, 0.85)) in says(sidecar) or program != "Lightroom", "the focus point stays"


def test_boxes_of_people_are_faces(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "People/Anna"), (number, OTHER, "people")])
    exchange(photos)
    found = list_regions(album.path("0.jpg.xmp").read_bytes())
    assert {one.name: one.kind for one in found} == {"Anna": "Face", "people": ""}


def test_undo_removes_taken_boxes_and_the_next_exchange_takes_them_again(photos: Library, album: Album) -> None:
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(sidecar_of("Picasa", *SIZE))
    number = id_of(photos, album)
    exchange(photos)
    assert photos.journal.undo().label == "Import what sidecars say of 1 photo"
    assert boxes(photos, number) == []
    assert photos.tags.of([number]) == {number: []}
    assert says(sidecar) == {("Ben", SIDES)}
    exchange(photos)
    assert drawn(photos, number) == {("Ben", SIDES)}
    assert says(sidecar) == {("Ben", SIDES)}


def test_a_box_removed_on_one_side_is_removed_on_the_other(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog"), (number, OTHER, "cat")])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    edit(sidecar, "dog", None)
    photos.boxes.remove([box.id for box in boxes(photos, number) if box.tag == "cat"])
    exchange(photos)
    assert boxes(photos, number) == []
    assert says(sidecar) == set()
    assert b"Regions" not in sidecar.read_bytes()
    assert photos.tags.of([number])[number] == ["dog"], "the sidecar still has the tag"
    assert parse_xmp(sidecar.read_bytes()).tags == ("dog",)
    assert not compared(photos).differing


def test_a_box_moved_or_renamed_on_one_side_changes_on_the_other(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog"), (number, OTHER, "cat")])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    before = {box.tag: box.id for box in boxes(photos, number)}
    moved = Region(0.0, 0.0, 0.25, 0.5)
    edit(sidecar, "dog", moved)
    photos.boxes.name([before["cat"]], "lynx")
    exchange(photos)
    expected = {("dog", rounded(moved)), ("lynx", rounded(OTHER))}
    assert drawn(photos, number) == expected
    assert says(sidecar) == expected
    assert sorted(box.id for box in boxes(photos, number)) == sorted(before.values()), "they are the same boxes"
    photos.journal.undo()
    assert drawn(photos, number) == {("dog", rounded(PLACE)), ("lynx", rounded(OTHER))}


def test_a_box_moved_differently_on_both_sides_becomes_two(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog")])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    theirs, mine = Region(0.0, 0.0, 0.25, 0.5), Region(0.5, 0.5, 1.0, 1.0)
    edit(sidecar, "dog", theirs)
    photos.boxes.move(boxes(photos, number)[0].id, mine)
    exchange(photos)
    assert drawn(photos, number) == says(sidecar) == {("dog", rounded(theirs)), ("dog", rounded(mine))}
    assert not compared(photos).differing


def test_a_box_drawn_again_returns_to_the_sidecar(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog")])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    edit(sidecar, "dog", None)
    photos.boxes.remove([boxes(photos, number)[0].id])
    photos.boxes.add([(number, PLACE, "dog")])
    exchange(photos)
    assert drawn(photos, number) == says(sidecar) == {("dog", rounded(PLACE))}


def test_rounding_by_another_program_is_no_change(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog")])
    exchange(photos)
    edit(album.path("0.jpg.xmp"), "dog", Region(0.1 + 0.5 / 120, 0.2, 0.5, 0.9 - 0.5 / 80))  # half a pixel
    assert not compared(photos).differing


@pytest.mark.parametrize("orientation", range(1, 9))
def test_regions_refer_to_the_stored_pixels(library: Library, album: Album, orientation: int) -> None:
    draw(album.path("0.jpg"), orientation=orientation)
    finish(index(library, [album.folder]))
    number = id_of(library, album)
    # A box in the top left corner of the stored pixels.
    upright = {
        1: Region(0.0, 0.0, 0.25, 0.5), 2: Region(0.75, 0.0, 1.0, 0.5), 3: Region(0.75, 0.5, 1.0, 1.0),
        4: Region(0.0, 0.5, 0.25, 1.0), 5: Region(0.0, 0.0, 0.5, 0.25), 6: Region(0.5, 0.0, 1.0, 0.25),
        7: Region(0.5, 0.75, 1.0, 1.0), 8: Region(0.0, 0.75, 0.5, 1.0),
    }[orientation]  # fmt: skip
    library.boxes.add([(number, upright, "dog")])
    exchange(library)
    sidecar = album.path("0.jpg.xmp")
    (region,) = list_regions(sidecar.read_bytes())
    assert (region.name, region.size) == ("dog", SIZE)
    assert region.sides == pytest.approx((0.0, 0.0, 0.25, 0.5))
    assert not compared(library).differing
    library.boxes.remove([boxes(library, number)[0].id])
    exchange(library)
    sidecar.write_bytes(sidecar_of("Picasa", *SIZE).replace(b"<stArea:x>0.5<", b"<stArea:x>0.3<"))
    exchange(library)
    (box,) = boxes(library, number)
    x, y = (0.3, 0.25)  # the middle in the stored pixels
    middle = {1: (x, y), 2: (1 - x, y), 3: (1 - x, 1 - y), 4: (x, 1 - y), 5: (y, x), 6: (1 - y, x), 7: (1 - y, 1 - x),
              8: (y, 1 - x)}[orientation]  # fmt: skip
    place = box.region
    assert ((place.x0 + place.x1) / 2, (place.y0 + place.y1) / 2) == pytest.approx(middle)


def test_regions_for_the_upright_photo_are_understood_by_their_size(library: Library, album: Album) -> None:
    draw(album.path("0.jpg"), orientation=6)
    finish(index(library, [album.folder]))
    number = id_of(library, album)
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(sidecar_of("Picasa", SIZE[1], SIZE[0]))
    exchange(library)
    assert drawn(library, number) == {("Ben", SIDES)}
    library.boxes.add([(number, OTHER, "dog")])
    exchange(library)
    assert says(sidecar) == {("Ben", SIDES), ("dog", rounded(OTHER))}


def test_regions_of_another_version_of_the_photo_stay(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(sidecar_of("digiKam", 100, 100))
    photos.boxes.add([(number, PLACE, "dog")])
    assert [reason for _, reason in compared(photos).problems] == [
        "Its regions are those of an image of another shape: they are not exchanged."
    ]
    exchange(photos)
    assert says(sidecar) == {("Anna Lee", SIDES)}
    assert drawn(photos, number) == {("dog", rounded(PLACE))}
    assert set(parse_xmp(sidecar.read_bytes()).tags) == {"People/Anna Lee", "sea", "dog"}, "tags are exchanged"


def test_uncertain_boxes_are_not_exchanged(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog")])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    content = sidecar.read_bytes()
    draw(album.path("0.jpg"), size=(60, 80))
    finish(index(photos, [album.folder]))
    (box,) = boxes(photos, number)
    assert box.uncertain
    photos.tags.change([number], ["new"])
    found = compared(photos)
    assert [(path.name, "uncertain" in reason) for path, reason in found.problems] == [("0.jpg", True)]
    exchange(photos)
    assert says(sidecar) == {("dog", rounded(PLACE))}
    assert list_regions(sidecar.read_bytes()) == list_regions(content)
    assert set(parse_xmp(sidecar.read_bytes()).tags) == {"dog", "new"}


def test_a_photo_replaced_since_it_was_indexed_keeps_its_boxes(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog")])
    draw(album.path("0.jpg"), size=(60, 80))
    assert ["Index it" in reason for _, reason in compared(photos).problems] == [True]
    exchange(photos)
    assert list_regions(album.path("0.jpg.xmp").read_bytes()) == []
    assert drawn(photos, number) == {("dog", rounded(PLACE))}


def test_names_that_several_tags_end_with_stay_apart(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "animal/dog")])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    assert says(sidecar) == {("dog", rounded(PLACE))}
    photos.tags.change([number], ["film/dog"])
    exchange(photos)
    assert not compared(photos).differing
    assert drawn(photos, number) == {("animal/dog", rounded(PLACE))}
    photos.boxes.add([(number, OTHER, "film/dog")])
    exchange(photos)
    assert says(sidecar) == {("dog", rounded(PLACE)), ("film/dog", rounded(OTHER))}
    assert not compared(photos).differing
    assert drawn(photos, number) == {("animal/dog", rounded(PLACE)), ("film/dog", rounded(OTHER))}


def test_a_renamed_tag_renames_its_regions(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog")])
    exchange(photos)
    photos.vocabulary.rename("dog", "animal/hound")
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    assert says(sidecar) == {("hound", rounded(PLACE))}
    assert drawn(photos, number) == {("animal/hound", rounded(PLACE))}
    photos.tags.change([number], remove=["animal/hound"])
    exchange(photos)
    assert says(sidecar) == {("", rounded(PLACE))}, "a box whose tag was removed has no name"
    assert parse_xmp(sidecar.read_bytes()).tags == ()
    assert drawn(photos, number) == {(None, rounded(PLACE))}


def test_a_face_without_a_name_is_named_on_either_side(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(sidecar_of("Picasa", *SIZE).replace(b"<mwg-rs:Name>Ben</mwg-rs:Name>", b""))
    exchange(photos)
    assert drawn(photos, number) == {(None, SIDES)}
    photos.boxes.name([boxes(photos, number)[0].id], "Ben")
    exchange(photos)
    assert says(sidecar) == {("Ben", SIDES)}
    assert drawn(photos, number) == {("Ben", SIDES)}


def test_a_name_that_no_tag_can_have_is_reported_and_stays(photos: Library, album: Album) -> None:
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(sidecar_of("Picasa", *SIZE).replace(b"Ben", b"Smith, " + b"x" * 201))
    assert ["is not exchanged" in reason for _, reason in compared(photos).problems] == [True]
    content = sidecar.read_bytes()
    exchange(photos)
    assert sidecar.read_bytes() == content


def test_one_direction_changes_one_side(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog")])
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(sidecar_of("Picasa", *SIZE))
    content = sidecar.read_bytes()
    exchange(photos, Direction.READ)
    assert sidecar.read_bytes() == content
    both = {("dog", rounded(PLACE)), ("Ben", SIDES)}
    assert drawn(photos, number) == both
    photos.journal.undo()
    exchange(photos, Direction.WRITE)
    assert drawn(photos, number) == {("dog", rounded(PLACE))}
    assert says(sidecar) == both
    exchange(photos)
    assert drawn(photos, number) == says(sidecar) == both


def test_indexing_a_changed_sidecar_preserves_the_common_boxes(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog")])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    edit(sidecar, "dog", None)
    sidecar.write_bytes(merge_xmp(sidecar.read_bytes(), ["sea"], 3))
    finish(index(photos, [album.folder]))
    exchange(photos)
    assert boxes(photos, number) == []
    assert says(sidecar) == set()


def test_an_interrupted_exchange_is_completed(photos: Library, album: Album) -> None:
    for name in ("0.jpg", "1.jpg"):
        photos.boxes.add([(id_of(photos, album, name), PLACE, "dog")])
        album.path(f"{name}.xmp").write_bytes(sidecar_of("Picasa", *SIZE))
    job = exchange_sidecars(photos, compared(photos))
    next(job)
    next(job)
    job.close()
    exchange(photos)
    for name in ("0.jpg", "1.jpg"):
        both = {("dog", rounded(PLACE)), ("Ben", SIDES)}
        assert drawn(photos, id_of(photos, album, name)) == says(album.path(f"{name}.xmp")) == both


def test_changes_made_after_the_comparison_stay(photos: Library, album: Album) -> None:
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "dog")])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    edit(sidecar, "dog", None)
    found = compared(photos)
    photos.boxes.move(boxes(photos, number)[0].id, OTHER)
    finish(exchange_sidecars(photos, found))
    assert drawn(photos, number) == {("dog", rounded(OTHER))}


def test_implausibly_many_regions_are_not_exchanged(photos: Library, album: Album) -> None:
    sidecar = album.path("0.jpg.xmp")
    many = [(f"n{number}", SIDES, "") for number in range(501)]
    sidecar.write_bytes(write_regions(merge_xmp(None, ["a"]), SIZE, changed={}, removed=(), added=many))
    content = sidecar.read_bytes()
    assert ["more than 500" in reason for _, reason in compared(photos).problems] == [True]
    exchange(photos)
    assert sidecar.read_bytes() == content
    assert boxes(photos, id_of(photos, album)) == []


@pytest.mark.skipif(shutil.which("exiftool") is None, reason="exiftool is not installed")
@pytest.mark.parametrize("program", PROGRAMS)
def test_exiftool_reads_exchanged_boxes(photos: Library, album: Album, program: str) -> None:
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(sidecar_of(program, *SIZE))
    number = id_of(photos, album)
    photos.boxes.add([(number, PLACE, "animal/dog")])
    exchange(photos)
    done = subprocess.run(
        ["exiftool", "-j", "-struct", "-RegionInfo", str(sidecar)], capture_output=True, check=True, timeout=60
    )
    info = json.loads(done.stdout)[0]["RegionInfo"]
    names = {one.get("Name"): one["Area"] for one in info["RegionList"]}
    assert names["dog"] == {"W": 0.4, "H": 0.7, "X": 0.3, "Y": 0.55, "Unit": "normalized"}
    assert NAMES[program] in names
    assert (info["AppliedToDimensions"]["W"], info["AppliedToDimensions"]["H"]) == SIZE


def test_only_regions_smaller_than_a_pixel_in_both_directions_are_points() -> None:
    sizes = [(0.5, 0.5), (1.5, 0.5), (0.5, 1.5)]  # in pixels
    added = [("", (0.25, 0.25, 0.25 + width / 640, 0.25 + height / 480), "") for width, height in sizes]
    packet = write_regions(merge_xmp(None, ["Anna"]), (640, 480), changed={}, removed=(), added=added)
    found = find_regions(packet, Upright(640, 480, 1), ["Anna"], [], {})
    assert [number for _, number, _ in found.numbers] == [1, 2]
