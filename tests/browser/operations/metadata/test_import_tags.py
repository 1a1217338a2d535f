# SPDX-License-Identifier: MIT
"""Importing tags found in files: counting, proposing, one undoable step, and later changes of the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.metadata.imports.import_choice import ALL_KEYWORDS, ImportChoice, import_choices
from focal_photos.browser.operations.metadata.imports.import_tags import FoundTag, find_tags, import_found_tags
from focal_photos.browser.operations.metadata.imports.take_over import MetadataReport
from focal_photos.browser.operations.metadata.keywords import Doubt, Field, doubt_about, tags_in
from focal_photos.browser.operations.metadata.read_metadata import read_metadata
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.operations.metadata.test_read_metadata import jpeg, mark_of, sidecar, tags_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "photos"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


def read(library: Library, *folders: Path) -> MetadataReport:
    finish(scan(library, folders))
    return finish(read_metadata(library))


def root_of(library: Library, folder: Path) -> int:
    return next(root.id for root in library.roots.all() if root.path == folder)


def found(library: Library, folder: Path, fields: Sequence[str] = tuple(Field)) -> dict[str, int]:
    tags = finish(find_tags(library, [root_of(library, folder)], fields)).tags
    return {tag.name: tag.photos for tag in tags}


def test_reading_counts_tags_without_importing_them(library: Library, folder: Path) -> None:
    a = jpeg(folder / "a.jpg", "animal/dog", "2010", rating=4)
    jpeg(folder / "b.jpg", "2010")
    jpeg(folder / "c.jpg")
    report = read(library, folder)
    assert (report.tags, report.found_tags, report.found_photos) == (0, 2, 2)
    assert library.tags.all() == []
    assert mark_of(library, a).rating == 4, "ratings are still imported"
    assert read(library, folder).found_tags == 0, "found tags are reported once"
    assert found(library, folder) == {"2010": 2, "animal/dog": 1}


def test_an_import_is_one_step_and_undo_also_reverts_the_choice(library: Library, folder: Path) -> None:
    a = jpeg(folder / "a.jpg", "sea", "2010")
    b = jpeg(folder / "b.jpg", "sea")
    read(library, folder)
    root = root_of(library, folder)
    report = finish(import_found_tags(library, [root], ImportChoice(excluded=frozenset({"2010"}))))
    assert (report.tags, report.photos) == (2, 2)
    assert (tags_of(library, a), tags_of(library, b)) == (["sea"], ["sea"])
    assert library.database.rows("SELECT DISTINCT source FROM photo_tag") == [(TagSource.IMPORT.value,)]
    assert library.journal.undo_label() == "Import tags of 2 photos"
    assert found(library, folder) == {"2010": 1}
    library.journal.undo()
    assert library.tags.all() == []
    assert import_choices(library) == {}
    assert library.journal.undo_label() is None
    assert found(library, folder) == {"sea": 2, "2010": 1}, "all tags can be chosen again"
    library.journal.redo()
    assert tags_of(library, b) == ["sea"]
    assert import_choices(library)[root].excluded == {"2010"}


def test_later_files_follow_the_choice_after_a_restart(tmp_path: Path, folder: Path) -> None:
    kinds = frozenset({str(Doubt.YEAR)})
    with Library.open(tmp_path / "library") as library:
        jpeg(folder / "a.jpg", "sea", "2010")
        read(library, folder)
        choice = ImportChoice(excluded=frozenset({"2010", "noise"}), excluded_kinds=kinds)
        finish(import_found_tags(library, [root_of(library, folder)], choice))
    with Library.open(tmp_path / "library") as library:
        b = jpeg(folder / "b.jpg", "sky", "2011", "noise")
        report = read(library, folder)
        assert (report.tags, report.found_tags) == (1, 0)
        assert tags_of(library, b) == ["sky"]
        other = jpeg(tmp_path / "other" / "c.jpg", "moon")
        report = read(library, folder, tmp_path / "other")
        assert (report.tags, report.found_tags) == (0, 1), "tags of this folder were not chosen"
        assert tags_of(library, other) == []


def test_a_tag_that_was_removed_in_focal_stays_removed(library: Library, folder: Path) -> None:
    a = jpeg(folder / "a.jpg", "sea", "sky")
    read(library, folder)
    finish(import_found_tags(library, [root_of(library, folder)], ALL_KEYWORDS))
    library.tags.change([1], remove=["sea"])
    assert found(library, folder) == {}
    jpeg(a, "sea", "sky", "sun", shade=9)
    assert read(library, folder).tags == 1
    finish(import_found_tags(library, [root_of(library, folder)], ALL_KEYWORDS))
    assert tags_of(library, a) == ["sky", "sun"]


def test_fields_can_be_chosen(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "animal/dog")
    exif = Image.Exif()
    exif[0x9C9E] = "holiday".encode("utf-16-le")
    with Image.open(photo) as image:
        packet = image.info["xmp"]
        image.load()
    image.save(photo, exif=exif, xmp=packet)
    sidecar(folder / "a.jpg.xmp", "sky")
    read(library, folder)
    root = root_of(library, folder)
    everything = finish(find_tags(library, [root], list(Field)))
    assert everything.fields == {"sidecar", "hierarchy", "subject", "exif"}
    assert {tag.name for tag in everything.tags} == {"animal/dog", "holiday", "sky"}
    assert set(found(library, folder, [Field.SUBJECT])) == {"dog"}, "the flat name, because no hierarchy explains it"
    assert set(found(library, folder, [Field.HIERARCHY, Field.SUBJECT])) == {"animal/dog"}
    finish(import_found_tags(library, [root], ImportChoice(frozenset({Field.EXIF, Field.SIDECAR}))))
    assert tags_of(library, photo) == ["holiday", "sky"]


def test_years_cameras_and_rare_tags_are_not_proposed(library: Library, folder: Path) -> None:
    for number in range(7):
        jpeg(folder / f"{number}.jpg", "sea", "2010", "Canon", "40D", *(["noise"] * (number == 3)), shade=30 * number)
    read(library, folder)
    tags = {tag.name: tag for tag in finish(find_tags(library, [root_of(library, folder)], list(Field))).tags}
    assert tags["sea"] == FoundTag("sea", 7, Doubt.NONE, wanted=True)
    assert {name: tag.doubt for name, tag in tags.items() if not tag.wanted} == {
        "2010": Doubt.YEAR,
        "Canon": Doubt.CAMERA,
        "40D": Doubt.CAMERA,
        "noise": Doubt.RARE,
    }


@pytest.mark.parametrize(
    ("name", "doubt"),
    [
        ("1999", Doubt.YEAR),
        ("date/2010-05-31", Doubt.YEAR),
        ("20100531", Doubt.YEAR),
        ("D300", Doubt.CAMERA),
        ("EOS 5D Mark III", Doubt.CAMERA),
        ("canon", Doubt.CAMERA),
        ("Powershot", Doubt.CAMERA),
        ("dog", Doubt.NONE),
        ("2010 olympics", Doubt.NONE),
        ("3 dogs", Doubt.NONE),
        ("route 66", Doubt.NONE),
    ],
)
def test_a_doubtful_name_is_classified(name: str, doubt: Doubt) -> None:
    assert doubt_about(name, ["Canon PowerShot S5"]) is doubt


def test_tags_are_taken_only_from_existing_fields() -> None:
    assert tags_in({}, list(Field)) == ()
    assert tags_in({"subject": ((), ("dog", "no, tag"), ())}, ["subject"]) == ("dog",)


def test_indexing_can_import_tags_found_earlier(library: Library, folder: Path) -> None:
    a = jpeg(folder / "a.jpg", "sea")
    report = finish(index(library, [folder], backend="threads", workers=1))
    assert (report.metadata.tags, report.metadata.found_tags) == (0, 1)
    report = finish(index(library, [folder], backend="threads", workers=1, import_tags=True))
    assert (report.metadata.tags, report.metadata.found_tags) == (1, 0)
    assert tags_of(library, a) == ["sea"]
    assert list(import_choices(library).values()) == [ALL_KEYWORDS]


def test_an_import_counts_as_an_exchange_with_the_sidecar(library: Library, folder: Path) -> None:
    """Otherwise a tag removed in Focal would return from the sidecar with the next exchange."""
    jpeg(folder / "a.jpg")
    sidecar(folder / "a.jpg.xmp", "sea", "sky")
    read(library, folder)
    assert library.exchange.of([1])[1][0].tags == ()
    finish(import_found_tags(library, [root_of(library, folder)], ImportChoice(excluded=frozenset({"sky"}))))
    assert library.exchange.of([1])[1][0].tags == ("sea",)
