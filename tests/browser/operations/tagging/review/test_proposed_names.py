# SPDX-License-Identifier: MIT
"""Names of folders and files as proposals for a new kind."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import md5
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import FoundFile
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.tagging.review.proposed_names import proposed_names


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Return a library of files that exist only in the catalogue."""
    (tmp_path / "photos").mkdir()
    with Library.open(tmp_path / "library") as opened:
        opened.roots.add(tmp_path / "photos")
        yield opened


def add(library: Library, *names: str) -> list[int]:
    """Record files; return the ids of their photos."""
    (root,) = library.roots.all()
    hashes = [md5(name.encode()).hexdigest() for name in names]
    library.files.record(
        [FoundFile(root.id, name.encode(), 1, 1, content) for name, content in zip(names, hashes, strict=True)]
    )
    found = [library.photos.by_path(root.path / name) for name in names]
    return [photo.id for photo in found if photo is not None]


def files(pattern: str, count: int) -> list[str]:
    return [pattern.format(number) for number in range(count)]


def test_a_folder_shared_by_most_photos_is_proposed(library: Library) -> None:
    foxes = add(library, *files("animals/Red foxes/IMG_{:04}.jpg", 6))
    others = add(library, *files("animals/owls/IMG_{:04}.jpg", 6), *files("plants/DSC{:05}.JPG", 6))
    assert proposed_names(library, foxes) == ["Red foxes", "animals"]
    assert proposed_names(library, [*foxes[:3], *others[6:10]]) == ["plants"], (
        "fewer than half are in the folder of foxes"
    )


def test_all_other_photos_of_a_small_library_are_compared(library: Library) -> None:
    (fox,) = add(library, "foxes/1.jpg")
    add(library, "owls/2.jpg")
    assert proposed_names(library, [fox]) == ["foxes"]


def test_half_of_the_group_and_at_most_half_as_many_others_have_the_name(library: Library) -> None:
    half = add(library, *files("foxes/{}.jpg", 2), *files("one/{}.jpg", 1), *files("two/{}.jpg", 1))
    add(library, *files("owls/{}.jpg", 4))
    assert proposed_names(library, half) == ["foxes"]
    assert proposed_names(library, half[1:3]) == ["one", "foxes"], "one of the six others is a fox too"


@pytest.mark.parametrize(("owls", "found"), [(3, ["foxes"]), (2, [])])
def test_a_name_of_more_than_half_of_the_others_is_not_proposed(library: Library, owls: int, found: list[str]) -> None:
    group = add(library, *files("foxes/{}.jpg", 4))
    add(library, *files("foxes/1{}.jpg", 3), *files("owls/{}.jpg", owls))
    assert proposed_names(library, group) == found


@pytest.mark.parametrize(("others", "found"), [(12, ["trip"]), (13, [])])
def test_the_name_of_a_folder_with_several_kinds_is_not_proposed(
    library: Library, others: int, found: list[str]
) -> None:
    group = add(library, *files("trip/IMG_{:04}.jpg", 4))
    add(library, *files("trip/IMG_1{:04}.jpg", others), *files("home/IMG_{:04}.jpg", 60))
    assert proposed_names(library, group) == found


def test_names_have_three_letters_at_least(library: Library) -> None:
    group = add(library, *files("fox/ab{:04}.jpg", 4))
    add(library, *files("owls/{:04}.jpg", 4))
    assert proposed_names(library, group) == ["fox"]


def test_words_of_file_names_are_proposed_without_digits(library: Library) -> None:
    lilies = add(library, *files("tiger_lily_{:04}.jpg", 3), "Tiger-Lily (2).jpg")
    add(library, *files("rose{:04}.jpg", 4))
    assert proposed_names(library, lilies) == ["tiger lily"]


def test_names_chosen_by_cameras_and_dates_are_not_proposed(library: Library) -> None:
    group = add(library, *files("DCIM/100CANON/IMG_{:04}.JPG", 4), *files("2024-05-01/PXL_{:04}.jpg", 4))
    add(library, *files("other/{:04}.jpg", 8))
    assert proposed_names(library, group) == []


def test_a_name_that_other_photos_share_is_not_proposed(library: Library) -> None:
    group = add(library, *files("holiday/{:04}.jpg", 4))
    add(library, *files("holiday/1{:04}.jpg", 8))
    assert proposed_names(library, group) == []


def test_nothing_to_compare_with_proposes_nothing(library: Library) -> None:
    assert proposed_names(library, []) == []
    assert proposed_names(library, add(library, *files("foxes/{:04}.jpg", 4))) == []
