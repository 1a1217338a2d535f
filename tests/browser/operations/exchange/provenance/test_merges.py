# SPDX-License-Identifier: MIT
"""Each merge is recorded once: which library the data came from, also through a third one."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.archives.archive import MANIFEST
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.archives.unpack_archive import merge_archive, unpack_archive
from focal_photos.browser.operations.exchange.provenance.merges import Merge, add_merges, merges_in, merges_of
from focal_photos.browser.operations.exchange.work_records import export_everything, import_everything
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.operations.album import Album


@pytest.fixture
def people(tmp_path: Path) -> Iterator[dict[str, Library]]:
    """Libraries of three people, each of whom tags the photo of their place."""
    album = Album(tmp_path / "photos")
    album.draw_kinds(each=2)
    opened = {name: Library.open(tmp_path / name) for name in ("anna", "ben", "carla")}
    for place, (name, library) in enumerate(opened.items()):
        finish(scan(library, [album.folder]))
        library.tags.change([library.photos.ids().tolist()[place]], [f"by {name}"])
    yield opened
    for library in opened.values():
        library.close()


def saved(library: Library) -> Path:
    file = library.path.with_suffix(".focal.zip")
    finish(save_archive(library, file))
    return file


def times_of(library: Library, tag: str) -> list[str]:
    rows = library.database.rows("SELECT at FROM photo_tag JOIN tag ON tag.id = tag_id WHERE name = ?", (tag,))
    return [str(at) for (at,) in rows]


def test_the_origin_of_merged_tags_is_recorded_and_undone_with_them(people: dict[str, Library]) -> None:
    anna, ben = people["anna"], people["ben"]
    finish(merge_archive(anna, saved(ben)))
    (one,) = merges_of(anna)
    assert (one.library, one.file, one.through) == ("ben", "ben.focal.zip", "")
    (merged,), (own,) = times_of(anna, "by ben"), times_of(anna, "by anna")
    assert one.at <= merged <= one.until, "the time of a tag tells that it came with the merge"
    assert not one.at <= own <= one.until
    finish(merge_archive(anna, ben.path.with_suffix(".focal.zip")))
    assert merges_of(anna) == (one,), "a merge that changes nothing is not recorded"
    assert anna.journal.undo().label == "Merge ben.focal.zip"
    assert merges_of(anna) == ()
    assert times_of(anna, "by ben") == []
    anna.journal.redo()
    assert merges_of(anna) == (one,)


def test_what_came_through_another_library_is_known_too(people: dict[str, Library], tmp_path: Path) -> None:
    anna, ben, carla = people.values()
    finish(merge_archive(ben, saved(anna)))
    finish(merge_archive(carla, saved(ben)))
    through, direct = merges_of(carla)
    assert (through.library, through.through) == ("anna", "ben")
    assert (direct.library, direct.through) == ("ben", "")
    finish(unpack_archive(saved(carla), tmp_path / "copy"))
    with Library.open(tmp_path / "copy") as copy:
        assert merges_of(copy) == (through, direct), "archives contain the record"


def test_the_record_is_exported_with_everything(people: dict[str, Library], tmp_path: Path) -> None:
    anna, ben, carla = people.values()
    finish(merge_archive(anna, saved(ben)))
    stream = io.StringIO()
    export_everything(anna, stream)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["library"] for line in lines if line["kind"] == "merge"] == ["ben"]
    file = tmp_path / "all.jsonl"
    file.write_text(stream.getvalue())
    finish(import_everything(carla, file))
    assert merges_of(carla) == merges_of(anna)
    finish(import_everything(carla, file))
    assert merges_of(carla) == merges_of(anna)


def test_archives_without_a_name_are_called_by_their_file(people: dict[str, Library]) -> None:
    file = saved(people["ben"])
    with zipfile.ZipFile(file) as archive:
        members = {info: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(file, "w") as archive:
        for info, content in members.items():
            if info.filename == MANIFEST:
                manifest = json.loads(content)
                manifest["library"], manifest["merges"] = ["no name"], [1, {}, {"library": 3}, {"library": "x" * 999}]
                content = json.dumps(manifest).encode()
            archive.writestr(info, content)
    finish(merge_archive(people["anna"], file))
    assert [one.library for one in merges_of(people["anna"])] == ["ben"]


def test_invalid_records_are_left_out_and_old_ones_dropped(people: dict[str, Library]) -> None:
    assert merges_in("no list") == ()
    assert merges_in([{"library": ""}, None, {"library": "a", "file": 3}]) == ()
    anna = people["anna"]
    add_merges(anna, [Merge("x", f"{number}.zip", "a", "b") for number in range(1003)])
    assert [one.file for one in merges_of(anna)][::999] == ["3.zip", "1002.zip"]
