# SPDX-License-Identifier: MIT
"""``focal sidecars``."""

from __future__ import annotations

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.photos.find import find_photos
from focal_photos.features.metadata.xmp import merge_xmp, parse_xmp
from focal_photos.features.metadata.xmp_regions import list_regions, write_regions
from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


def test_differences_are_shown_and_then_applied(indexed: Focal, album: Album) -> None:
    photo, other = album.path("warm/0.jpg"), album.path("cold/0.jpg")
    sidecar, new = album.path("warm/0.xmp"), album.path("cold/0.jpg.xmp")
    indexed("tag", photo, "+animal/dog")
    indexed("tag", other, "+ice")
    sidecar.write_bytes(merge_xmp(None, ["sea"], 3))
    document = indexed.json("sidecars", "--dry-run")
    expected = [
        {
            "path": str(other),
            "taken_in": None,
            "written": [
                {"sidecar": str(new), "add": ["ice"], "remove": [], "rating": None, "label": None, "boxes": []}
            ],
            "conflicts": [],
        },
        {
            "path": str(photo),
            "taken_in": {"add": ["sea"], "remove": [], "rating": [None, 3], "label": None, "boxes": []},
            "written": [
                {
                    "sidecar": str(sidecar),
                    "add": ["animal/dog"],
                    "remove": [],
                    "rating": None,
                    "label": None,
                    "boxes": [],
                }
            ],
            "conflicts": [],
        },
    ]
    assert document["differences"] == expected
    assert (document["photos"], document["dry_run"], document["written"]) == (10, True, 0)
    assert not new.exists()
    assert indexed.json("sidecars", "path:cold", "--dry-run")["differences"] == expected[:1]
    text = indexed("sidecars").splitlines()
    assert text == [
        f"{new}: +ice",
        f"{photo}: +sea, rating none > 3",
        f"{sidecar}: +animal/dog",
        "10 photos compared, 2 differ; 2 sidecars written, 1 photos changed",
    ]
    assert set(parse_xmp(sidecar.read_bytes()).tags) == {"sea", "animal/dog"}
    assert indexed.json("sidecars")["differences"] == []
    assert indexed.json("undo") == {"undone": "Import what sidecars say of 1 photo"}


def test_changes_of_boxes_are_listed(indexed: Focal, album: Album) -> None:
    photo, sidecar = album.path("warm/0.jpg"), album.path("warm/0.jpg.xmp")
    with Library.open(indexed.library) as library:
        (number,) = find_photos(library, [photo])
        library.boxes.add([(number, Region(0.25, 0.5, 0.75, 1.0), "dog")])
    (difference,) = indexed.json("sidecars", "--dry-run")["differences"]
    new = {"tag": "dog", "box": [0.25, 0.5, 0.5, 0.5]}
    assert difference["written"][0]["boxes"] == [{"old": None, "new": new}]
    assert indexed("sidecars").splitlines()[0] == f"{sidecar}: +dog, +box dog"
    with Library.open(indexed.library) as library:
        (box,) = library.boxes.all()
        library.boxes.move(box.id, Region(0.0, 0.0, 0.5, 0.5))
    assert indexed("sidecars").splitlines()[0] == f"{sidecar}: box dog moved"
    content = sidecar.read_bytes()
    (region,) = list_regions(content)
    sidecar.write_bytes(write_regions(content, (1, 1), changed={0: ("cat", region.sides)}, removed=(), added=()))
    (difference,) = indexed.json("sidecars", "--dry-run")["differences"]
    assert [one["old"]["tag"] for one in difference["taken_in"]["boxes"]] == ["dog"]
    assert indexed("sidecars").splitlines()[:2] == [f"{photo}: +cat, box dog > cat", f"{sidecar}: +cat"]
    with Library.open(indexed.library) as library:
        library.boxes.remove([box.id])
    assert "-box cat" in indexed("sidecars")
    assert list_regions(sidecar.read_bytes()) == []


def test_one_direction_can_be_chosen(indexed: Focal, album: Album) -> None:
    photo, sidecar = album.path("warm/0.jpg"), album.path("warm/0.jpg.xmp")
    indexed("tag", photo, "+mine")
    sidecar.write_bytes(merge_xmp(None, ["theirs"]))
    assert indexed.json("sidecars", "--read", "--dry-run")["differences"][0]["written"] == []
    assert indexed.json("sidecars", "--write")["written"] == 1
    assert [one["tags"] for one in indexed.lines("list", "tag:mine")] == [["mine"]]
    assert indexed.json("sidecars", "--read")["changed"] == 1
    assert [one["tags"] for one in indexed.lines("list", "tag:mine")] == [["mine", "theirs"]]
    indexed("sidecars", "--read", "--write", code=2)


def test_conflicts_are_reported_and_resolved(indexed: Focal, album: Album) -> None:
    photo, sidecar = album.path("warm/0.jpg"), album.path("warm/0.jpg.xmp")
    sidecar.write_bytes(merge_xmp(None, [], 3))
    with Library.open(indexed.library) as library:
        library.marks.set(find_photos(library, [photo]), rating=2)
    document = indexed.json("sidecars")
    assert document["differences"][0]["conflicts"] == [{"field": "rating", "focal": 2, "sidecar": 3}]
    assert (document["conflicts"], document["written"], document["changed"]) == (1, 0, 0)
    assert "--prefer" in indexed.err
    assert f"{photo}: rating 2 in Focal, 3 in its sidecar" in indexed("sidecars")
    indexed("settings", "sidecars.prefer", "sidecar")
    assert indexed.json("sidecars", "--dry-run")["differences"][0]["taken_in"]["rating"] == [2, 3]
    assert indexed.json("sidecars", "--prefer", "focal")["written"] == 1
    assert parse_xmp(sidecar.read_bytes()).rating == 2


def test_new_sidecars_follow_the_setting_and_problems_are_reported(indexed: Focal, album: Album) -> None:
    indexed("tag", album.path("warm/0.jpg"), "+a")
    indexed("settings", "sidecars.names", "photo.xmp")
    broken = album.path("warm/1.jpg.xmp")
    broken.write_bytes(b"<!DOCTYPE x>")
    document = indexed.json("sidecars")
    assert album.path("warm/0.xmp").exists()
    assert [one["path"] for one in document["problems"]] == [str(broken)]
    assert "document type" in document["problems"][0]["reason"]
    broken.unlink()
    indexed("tag", album.path("warm/1.jpg"), "+a")
    album.path("warm/1.xmp").symlink_to(album.path("cold/1.jpg"))
    assert "problems" in indexed.json("sidecars")
