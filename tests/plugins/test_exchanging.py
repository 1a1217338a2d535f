# SPDX-License-Identifier: MIT
"""Files are read and written in the formats of plug-ins; their errors are reported and change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.export_data_set import save_photos
from focal_photos.browser.operations.exchange.export_file import export_photos, output_file
from focal_photos.browser.operations.exchange.formats import FORMATS, all_formats, format_name, format_of
from focal_photos.browser.operations.exchange.import_file import import_tags
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from tests.plugins.conftest import Install

FORMAT = """
from focal_photos.plugins import FileFormat, PhotoWriter, Reader, Saver

def read(path):
    raise KeyError("in read")
    yield

def read_wrong(path):
    yield 3

def write(stream, records):
    stream.write("some")
    raise KeyError("in write")

class Writer(PhotoWriter):
    def __init__(self, path, media):
        self.path = path

    def add(self, photo):
        self.path.write_text("some")
        raise KeyError("in add")

READS = FileFormat("odd", "Odd", (".odd",), tags=Reader(read, "odd"))
WRONG = FileFormat("odd", "Odd", (".odd",), tags=Reader(read_wrong, "odd"))
WRITES = FileFormat("odd", "Odd", (".odd",), write_photos=write)
SAVES = FileFormat("odd", "Odd", (".odd",), save_photos=Saver(Writer))
"""


@pytest.mark.usefixtures("with_example")
def test_tags_travel_in_the_format_of_a_plug_in(indexed: Library, tmp_path: Path) -> None:
    assert list(all_formats()) == [*FORMATS, "taglines"]
    assert format_name("Tag-Lines") == "taglines"
    ids = indexed.photos.ids().tolist()
    indexed.tags.change(ids[:2], ["sea"])
    file = tmp_path / "photos.taglines"
    with output_file(file) as stream:
        assert export_photos(indexed, stream, format_of("taglines")) == 12
    indexed.tags.change(ids, remove=["sea"])
    report = finish(import_tags(indexed, file, format_of("taglines")))
    assert (report.lines, sorted(report.changes.photo_ids)) == (12, ids[:2])
    file.write_text("no tab\n")
    with pytest.raises(OperationError, match="line 1: there is no tab"):
        finish(import_tags(indexed, file, format_of("taglines")))


@pytest.mark.parametrize(("name", "error"), [("READS", "KeyError: 'in read'"), ("WRONG", "it read a int, not a Tag")])
def test_an_error_of_a_reader_is_told_and_changes_nothing(
    install: Install, indexed: Library, tmp_path: Path, name: str, error: str
) -> None:
    install("odd_reader", FORMAT, formats=f"odd = odd_reader:{name}")
    with pytest.raises(OperationError, match="The format Odd of odd_reader failed") as raised:
        finish(import_tags(indexed, tmp_path / "one.odd", format_of("odd")))
    assert error in str(raised.value)


def test_an_error_of_a_writer_is_told_and_leaves_no_file(install: Install, indexed: Library, tmp_path: Path) -> None:
    install("odd_writer", FORMAT, formats="odd = odd_writer:WRITES")
    file = tmp_path / "one.odd"
    file.write_text("before")
    with pytest.raises(OperationError, match="in write"), output_file(file) as stream:
        export_photos(indexed, stream, format_of("odd"))
    assert file.read_text() == "before"


def test_an_error_of_a_saver_is_told_and_leaves_no_file(install: Install, indexed: Library, tmp_path: Path) -> None:
    install("odd_saver", FORMAT, formats="odd = odd_saver:SAVES")
    with pytest.raises(OperationError, match="in add"):
        finish(save_photos(indexed, tmp_path / "one.odd", format_of("odd")))
    assert not list(tmp_path.glob("*.odd*"))


def test_a_format_that_does_not_work_is_told_by_name(install: Install) -> None:
    install("odd_import", "import not_here_at_all", formats="odd = odd_import:ODD")
    assert list(all_formats()) == list(FORMATS)
    with pytest.raises(OperationError, match="The format odd of odd_import cannot be used: It cannot be loaded"):
        format_of("odd")
    with pytest.raises(OperationError, match="There is no format 'none'"):
        format_of("none")
