# SPDX-License-Identifier: MIT
"""``focal tags``, ``focal rate``, and the tags and ratings of other programs imported by indexing."""

from __future__ import annotations

import pytest

from focal_photos.features.metadata.xmp import merge_xmp
from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


def test_tags_and_related_tags_are_listed(indexed: Focal, album: Album) -> None:
    photos = [album.path(f"warm/{i}.jpg") for i in range(4)]
    assert indexed.json("tags") == {"tags": []}
    indexed("tag", *photos[:2], "+sea", "+beach")
    indexed("tag", *photos[2:], "+sea", "+boat")
    indexed("tag", photos[3], "+sailing")
    assert indexed.json("tags")["tags"][:2] == [
        {"tag": "beach", "photos": 2, "aliases": []},
        {"tag": "boat", "photos": 2, "aliases": []},
    ]
    assert indexed("tags").splitlines()[0].split() == ["2", "beach"]
    answer = indexed.json("tags", "--related", "boat", "--limit", "2")
    assert answer["tag"] == "boat"
    assert [(one["tag"], one["photos"]) for one in answer["related"]] == [("sailing", 1), ("sea", 2)]
    assert indexed("tags", "--related", "boat").splitlines()[0].endswith("sailing (1)")
    indexed("tags", "--related", "moon", code=1)
    assert "No photo carries the tag moon" in indexed.err
    indexed("tags", "--related", "a//b", code=1)
    assert "also between slashes" in indexed.err


def test_photos_are_rated_and_labelled(indexed: Focal, album: Album) -> None:
    a, b = album.path("warm/0.jpg"), album.path("warm/1.jpg")
    assert indexed.json("rate", a, b, "--rating", "4", "--label", "Red") == {
        "photos": [{"path": str(path), "rating": 4, "label": "Red"} for path in (a, b)],
        "changed": 2,
    }
    assert indexed("rate", b, "--rating", "rejected") == "Rate 1 photo: rejected\n"
    assert indexed("rate", b, "--label", "none") == "Remove the label of 1 photo\n"
    assert indexed("rate", b, "--rating", "rejected") == "Nothing to change.\n"
    assert indexed("list", "rating>=4") == f"{a}\n"
    assert indexed("list", "rating:rejected") == f"{b}\n"
    assert indexed("list", "label:red") == f"{a}\n"
    assert [(line["rating"], line["label"]) for line in indexed.lines("list", "-rating:0")] == [(4, "Red"), (-1, None)]
    indexed("undo")
    indexed("rate", a, "--rating", "0")
    assert indexed.json("rate", a, b, "--label", "Red")["photos"] == [
        {"path": str(a), "rating": None, "label": "Red"},
        {"path": str(b), "rating": -1, "label": "Red"},
    ]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((), 2, "name a rating or a label"),
        (("--rating", "many"), 2, "1 to 5, 0 for none, or rejected, not many"),
        (("--rating", "6"), 1, "There is no rating 6"),
        (("--label", "x" * 101), 1, "at most 100 characters"),
    ],
)
def test_an_impossible_rating_is_refused(
    indexed: Focal, album: Album, words: tuple[str, ...], code: int, told: str
) -> None:
    indexed("rate", album.path("warm/0.jpg"), *words, code=code)
    assert told in indexed.err


def test_indexing_lists_imported_metadata(here: Focal, album: Album) -> None:
    for number, packet in enumerate(
        [merge_xmp(None, ["sea", "animal/dog"], 4, "Red"), merge_xmp(None, ["sea"], None, None)]
    ):
        album.path(f"warm/{number}.jpg.xmp").write_bytes(packet)
    bad = album.path("warm/2.jpg.xmp")
    bad.write_text("no packet")
    album.path("warm/3.xmp").write_bytes(merge_xmp(None, ["x"], None, None).replace(b">x<", b">a;b<"))
    options = ("--descriptors", "color_moments", "--import-tags")
    document = here.json("index", album.folder, *options)["taken_over"]
    counts = {"photos": 2, "tags": 3, "kinds": 2, "ratings": 1, "labels": 1}
    assert {name: document[name] for name in counts} == counts
    assert [one["path"] for one in document["left_out"]] == [str(album.path("warm/3.jpg"))]
    assert [one["path"] for one in document["problems"]] == [str(bad)]
    assert here("undo") == "Undone: Import tags, ratings and labels of 2 photos\n"
    here("redo")
    assert here.json("tags")["tags"] == [
        {"tag": "animal", "photos": 1, "aliases": []},
        {"tag": "animal/dog", "photos": 1, "aliases": []},
        {"tag": "sea", "photos": 2, "aliases": []},
    ]


def test_indexing_summarises_imported_metadata_in_words(here: Focal, album: Album) -> None:
    for number in range(12 - 2):
        kind, place = ("warm", "cold")[number % 2], number // 2
        album.path(f"{kind}/{place}.jpg.xmp").write_text("no packet")
    album.draw("extra.jpg", kind="warm", seed=77)
    album.path("extra.xmp").write_bytes(merge_xmp(None, ["sea"], 5, None))
    album.draw("bad.jpg", kind="warm", seed=78)
    album.path("bad.xmp").write_text("no packet")
    here("index", album.folder, "--descriptors", "color_moments")
    assert "Taken over: 1 rating from 1 photo\n" in here.err
    assert "Found 1 tag in 1 photo: focal index --import-tags imports them" in here.err
    assert here.err.count("Metadata that cannot be read: ") == 11
    assert "Metadata that cannot be read: 1 more (--json lists them all)" in here.err
    assert here.json("tags")["tags"] == []
    here("index", "--import-tags")
    assert "Taken over: 1 tag of 1 kind from 1 photo\n" in here.err
    assert [tag["tag"] for tag in here.json("tags")["tags"]] == ["sea"]


def test_tags_are_renamed_merged_and_deleted(indexed: Focal, album: Album) -> None:
    a, b, c = (album.path(f"warm/{i}.jpg") for i in range(3))
    indexed("tag", a, b, "+dog")
    indexed("tag", c, "+hound", "+dog/poodle")
    indexed("searches", "--save", "Dogs", "tag:dog")
    asked = indexed.json("tags", "--rename", "dog", "animal/dog", "--dry-run")
    assert asked == {
        "touched": {
            "tags": ["dog", "dog/poodle"],
            "photos": 3,
            "suggestions": 0,
            "rejections": 0,
            "digits": [],
            "searches": ["Dogs"],
            "aliases": [],
        },
        "done": "",
    }
    assert indexed("list", "tag:animal") == ""
    assert indexed.json("tags", "--rename", "dog", "animal/dog")["done"] == "Rename tag: dog to animal/dog"
    assert indexed.json("searches") == {"searches": [{"name": "Dogs", "query": "tag:animal/dog", "photos": 3}]}
    assert indexed("tags", "--alias", "Hund", "animal/dog") == "Other name of animal/dog: Hund\n"
    assert indexed("tags", "--alias", "Hund", "animal/dog") == "Nothing to change.\n"
    assert indexed("tags").splitlines()[1].split() == ["3", "animal/dog", "=", "Hund"]
    indexed("tags", "--rename", "hound", "animal/dog", code=1)
    assert "merge hound into it" in indexed.err
    assert "Merge tags: hound into animal/dog" in indexed("tags", "--merge", "hound", "--into", "animal/dog")
    assert indexed("list", "tag:hund").count("\n") == 3
    assert "3 photos" in indexed("tags", "--delete", "animal")
    assert indexed.json("tags") == {"tags": []}
    indexed("undo")
    assert [one["photos"] for one in indexed.json("tags")["tags"]] == [3, 3, 1]
    indexed("tags", "--delete", "nothing", code=1)
    assert "There is no tag nothing" in indexed.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--merge", "a"), "--merge and --into belong together"),
        (("--into", "a"), "--merge and --into belong together"),
        (("--delete", "a", "--rename", "a", "b"), "stand alone"),
        (("--dry-run",), "name one of them"),
        (("--alias", "a", "b", "--dry-run"), "--dry-run says"),
    ],
)
def test_contradictory_options_of_tags_are_refused(indexed: Focal, words: tuple[str, ...], told: str) -> None:
    indexed("tags", *words, code=2)
    assert told in indexed.err


def test_searches_are_saved_renamed_and_deleted(indexed: Focal, album: Album) -> None:
    indexed("tag", album.path("warm/0.jpg"), "+sea")
    assert indexed("searches") == ""
    assert indexed("searches", "--save", "By the  sea", "tag:sea").split() == ["1", "By", "the", "sea:", "tag:sea"]
    indexed("searches", "--save", "b", "untagged")
    assert [one["name"] for one in indexed.json("searches", "--rename", "By the sea", "c")["searches"]] == ["b", "c"]
    for words, told in (
        (("--rename", "b", "c"), "already"),
        (("--rename", "x", "d"), "saved search x no longer exists"),
        (("--save", "x", "date:May"), "2024-05"),
        (("--save", " ", "x"), "name is needed"),
    ):
        indexed("searches", *words, code=1)
        assert told in indexed.err
    indexed("searches", "--delete", "b", "--save", "x", "y", code=2)
    assert indexed.json("searches", "--delete", "b", "c") == {"searches": []}
    indexed("undo")
    assert [one["query"] for one in indexed.json("searches")["searches"]] == ["untagged", "tag:sea"]
