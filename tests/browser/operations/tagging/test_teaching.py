"""Tags, judgements, their import, undo, and finding photos."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from browser.catalog.facts.records import Verdict
from browser.catalog.facts.tags import TagNameError
from browser.catalog.library import Library
from browser.catalog.store.changes import Kind
from browser.catalog.store.errors import UnknownPhotoError
from browser.operations.exchange.table import read_table
from browser.operations.jobs.errors import NotInLibraryError, OperationError
from browser.operations.jobs.progress import finish
from browser.operations.photos.find import find_photo, find_photos
from browser.operations.tagging import judge as judging
from browser.operations.tagging import tag as tagging
from browser.operations.tagging.undo import redo, undo
from tests.browser.operations.album import Album


def entries(library: Library) -> int:
    (count,) = library.database.row("SELECT count(*) FROM journal WHERE undone = 0") or (0,)
    return int(count)


# ---------------------------------------------------------------- tags
def test_several_photos_are_tagged_in_one_step(indexed: Library) -> None:
    ids = indexed.photos.ids()[:3].tolist()
    changes = tagging.change_tags(indexed, ids, ["beach", "sea"])
    assert changes.photo_ids == frozenset(ids)
    assert Kind.TAGS in changes.kinds
    assert entries(indexed) == 1
    tagging.change_tags(indexed, ids[:1], remove=["sea"])
    assert indexed.tags.of(ids) == {ids[0]: ["beach"], ids[1]: ["beach", "sea"], ids[2]: ["beach", "sea"]}
    assert undo(indexed).label == "Untag 1 photo: sea"
    assert undo(indexed).photo_ids == frozenset(ids)
    assert not undo(indexed)
    assert redo(indexed).label.startswith("Tag 3 photos")
    assert indexed.tags.of(ids[:1]) == {ids[0]: ["beach", "sea"]}


def test_a_bad_name_or_an_unknown_photo_changes_nothing(indexed: Library) -> None:
    ids = indexed.photos.ids()[:1].tolist()
    with pytest.raises(TagNameError):
        tagging.change_tags(indexed, ids, ["good", "a//b"])
    with pytest.raises(UnknownPhotoError):
        tagging.change_tags(indexed, [*ids, 9999], ["good"])
    assert indexed.tags.of(ids) == {ids[0]: []}
    assert entries(indexed) == 0


def test_import_of_tags(indexed: Library, album: Album) -> None:
    table = album.path("tags.csv")
    table.write_text(
        "\ufefffile,tags\n"
        "warm/0.jpg,sun; sand ;\n"
        "warm/1.jpg,sun;sand\n"
        "nowhere.jpg,sun\n"
        "cold/0.jpg,\n"
        'cold/1.jpg,"snow;bad,name;ice//"\n'
    )
    report = finish(tagging.import_csv(indexed, table))
    assert report.lines == 5
    assert report.unknown == [album.path("nowhere.jpg")]
    assert [line for line, _ in report.refused] == [6, 6]
    assert len(report.changes.photo_ids) == 3
    assert entries(indexed) == 1
    assert [tag.name for tag in indexed.tags.all()] == ["sand", "snow", "sun"]
    undo(indexed)
    assert indexed.tags.all() == []


def test_import_adds_to_what_is_there_and_twice_changes_nothing(indexed: Library, album: Album) -> None:
    ids = find_photos(indexed, [album.path("warm/0.jpg")])
    tagging.change_tags(indexed, ids, ["mine"])
    table = album.path("t.csv")
    table.write_text("tags,file_name\nsun,0.jpg\n")
    report = finish(tagging.import_csv(indexed, table, album.path("warm")))
    assert len(report.changes.photo_ids) == 1
    assert indexed.tags.of(ids)[ids[0]] == ["mine", "sun"]
    assert not finish(tagging.import_csv(indexed, table, album.path("warm"))).changes


def test_a_cancelled_import_changes_nothing(indexed: Library, album: Album) -> None:
    table = album.path("t.csv")
    table.write_text("file,tags\n" + "".join(f"warm/{i % 6}.jpg,t{i}\n" for i in range(500)))
    job = tagging.import_csv(indexed, table)
    next(job)
    job.close()
    assert indexed.tags.all() == []


def test_tables_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    with pytest.raises(OperationError, match=r"none\.csv cannot be read: No such file"):
        list(read_table(tmp_path / "none.csv", {"file": ("file",)}))
    (tmp_path / "t.csv").write_text("name,tags\na,b\n")
    with pytest.raises(OperationError, match="no column file or path"):
        list(read_table(tmp_path / "t.csv", {"file": ("file", "path")}))
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(OperationError, match="no column"):
        list(read_table(tmp_path / "empty.csv", {"file": ("file",)}))
    (tmp_path / "broken.csv").write_text('file\n"open\n')
    with pytest.raises(OperationError, match="not a table"):
        list(read_table(tmp_path / "broken.csv", {"file": ("file",)}))


def test_short_rows_and_empty_lines_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("File, Tags \n\na\n b , c \n")
    rows = list(read_table(tmp_path / "t.csv", {"file": ("file",), "tags": ("tags",)}))
    assert rows == [(3, {"file": "a", "tags": ""}), (4, {"file": "b", "tags": "c"})]


def test_an_exported_table_is_imported_from_anywhere(indexed: Library, album: Album, tmp_path: Path) -> None:
    ids = find_photos(indexed, [album.path("warm/0.jpg")])
    for path, name in (
        (album.path("warm/0.jpg"), "warm/0.jpg"),
        ("/elsewhere/warm/0.jpg", album.path("warm/0.jpg")),
        ("", album.path("warm/0.jpg")),
    ):
        table = tmp_path / "exp.csv"
        table.write_text(f"path,file_name,tags\n{path},{name},sun\n/none.jpg,none.jpg,x\n")
        report = finish(tagging.import_csv(indexed, table))
        assert indexed.tags.of(ids)[ids[0]] == ["sun"]
        assert report.unknown == [Path("/none.jpg")]
        assert (report.lines, report.taken) == (2, 1)
        undo(indexed)


# ---------------------------------------------------------------- judgements
def test_judging_and_taking_back(indexed: Library) -> None:
    focal, one, two = indexed.photos.ids()[:3].tolist()
    changes = judging.judge(indexed, focal, [one, two], Verdict.SIMILAR)
    assert changes.label == "Mark 2 photos as similar"
    judging.judge(indexed, focal, [two], Verdict.DISSIMILAR)
    assert indexed.judgements.of(focal) == {one: Verdict.SIMILAR, two: Verdict.DISSIMILAR}
    judging.judge(indexed, focal, [one], None)
    assert indexed.judgements.of(focal) == {two: Verdict.DISSIMILAR}
    undo(indexed)
    undo(indexed)
    assert indexed.judgements.of(focal) == {one: Verdict.SIMILAR, two: Verdict.SIMILAR}


def test_import_of_judgements(indexed: Library, album: Album) -> None:
    table = album.path("pairs.csv")
    table.write_text(
        "focal,other,verdict\n"
        "warm/0.jpg,warm/1.jpg,similar\n"
        "warm/0.jpg,cold/1.jpg,Dissimilar\n"
        "warm/0.jpg,cold/2.jpg,maybe\n"
        "warm/0.jpg,warm/0.jpg,similar\n"
        "warm/0.jpg,gone.jpg,similar\n"
    )
    report = finish(judging.import_csv(indexed, table))
    assert report.lines == 5
    assert report.unknown == [album.path("gone.jpg")]
    assert [line for line, _ in report.refused] == [4, 5]
    assert [one.verdict for one in indexed.judgements.all()] == [Verdict.DISSIMILAR, Verdict.SIMILAR] or [
        one.verdict for one in indexed.judgements.all()
    ] == [Verdict.SIMILAR, Verdict.DISSIMILAR]
    assert entries(indexed) == 1


# ---------------------------------------------------------------- finding
def test_a_photo_is_found_by_path_link_and_content(indexed: Library, album: Album, tmp_path: Path) -> None:
    path = album.path("warm/0.jpg")
    found = find_photo(indexed, path)
    assert found is not None
    link = tmp_path / "link"
    link.symlink_to(album.folder)
    copy = tmp_path / "copy.jpg"
    shutil.copy(path, copy)
    for other in (link / "warm" / "0.jpg", copy, path.parent / ".." / "warm" / "0.jpg"):
        assert find_photo(indexed, other) == found
    assert find_photos(indexed, [path, copy, path]) == [found.id]


def test_a_photo_that_is_not_there_or_not_in_the_library_is_named(indexed: Library, tmp_path: Path) -> None:
    with pytest.raises(NotInLibraryError, match=r"nothing\.jpg is not there"):
        find_photos(indexed, [tmp_path / "nothing.jpg"])
    stranger = Album(tmp_path / "elsewhere").draw("x.jpg", seed=12345)
    with pytest.raises(NotInLibraryError, match="run focal index"):
        find_photos(indexed, [stranger])
