# SPDX-License-Identifier: MIT
"""Odd names are escaped in exported files, and an import restores the original names."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.csv_format import read_judgements, read_tags, write_table
from focal_photos.browser.operations.exchange.datasets import cvat, parquet
from focal_photos.browser.operations.exchange.escapes import dumped, escaped, unescaped
from focal_photos.browser.operations.exchange.export_data_set import save_photos
from focal_photos.browser.operations.exchange.export_file import export_photos, output_file
from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto
from focal_photos.browser.operations.exchange.file_format import FileFormat, Media
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.exchange.import_file import import_tags
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from tests.browser.operations.album import Album
from tests.examples import examples

RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffd]")
LOOKALIKES = [
    "\\",
    "u",
    "\\u202e",
    "\\u005c",
    "\\udce9",
    "005c",
    "\x1b",
    "\u202e",
    "\udce9",
    "'",
    "=",
    "\t",
    "\r",
    "\n",
]

# A file name may have any bytes but NUL and the slash.
from_bytes = st.binary(min_size=1, max_size=30).map(lambda some: os.fsdecode(some.translate(None, b"\0/")))
names = st.one_of(
    from_bytes,
    st.lists(st.sampled_from(LOOKALIKES), min_size=1, max_size=8).map("".join),
    st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=20),
).filter(lambda name: name.strip() not in ("", ".", ".."))
tags = st.text(st.characters(exclude_characters=",;/", exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1)
any_time = settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(st.text(st.characters(exclude_characters="\0")))
def test_escaped_text_is_read_back_and_has_no_raw_characters(text: str) -> None:
    assert unescaped(escaped(text)) == text
    assert not RAW.search(escaped(text).replace("\ufffd", ""))


@given(st.lists(st.sampled_from(LOOKALIKES)).map("".join))
def test_names_that_look_like_escapes_stay_distinct(text: str) -> None:
    assert unescaped(escaped(text)) == text


@pytest.mark.parametrize(
    "text", ["C:\\new\\unter\\x.jpg", "C:\\u2020\\1.jpg", "\\u", "a\\\\b", "K\u00e4se", "\U0001f600"]
)
def test_other_texts_are_unchanged(text: str) -> None:
    assert escaped(text) == unescaped(text) == text


@given(st.text())
def test_json_has_no_control_characters(text: str) -> None:
    line = dumped({"name": text})
    assert re.fullmatch(r"[\x20-\x7e]*", line)
    assert json.loads(line) == {"name": text}


@any_time
@given(name=names, tag=tags)
def test_a_table_restores_file_names_and_tags(tmp_path: Path, name: str, tag: str) -> None:
    table = tmp_path / "table.csv"
    path = f"/photos/{name}"
    stream = io.StringIO()
    write_table(["path", "file_name", "tags"], stream, [{"path": path, "file_name": name, "tags": [tag, "other"]}])
    assert not RAW.search(stream.getvalue().replace("\ufffd", ""))
    assert not re.search(r"^[=+\-@\t\r]|[,;\"][=+\-@\t\r]", stream.getvalue().split("\n", 1)[1].split(path[0])[0])
    table.write_text(stream.getvalue(), encoding="utf-8", newline="")
    (line,) = read_tags(table)
    assert line.files[0] == Path(path)
    assert Path(name) in line.files
    assert line.tags == (tag, "other")

    stream = io.StringIO()
    write_table(["focal", "other", "verdict"], stream, [{"focal": name, "other": path, "verdict": "similar"}])
    table.write_text(stream.getvalue(), encoding="utf-8", newline="")
    (pair,) = read_judgements(table)
    assert pair.other[0] == Path(path)
    assert Path(name) in pair.focal


@pytest.mark.parametrize("module", [parquet, cvat])
@any_time
@given(name=names, tag=tags)
def test_parquet_and_xml_restore_file_names_and_tags(tmp_path: Path, module: object, name: str, tag: str) -> None:
    if module is parquet:
        pytest.importorskip("pyarrow")
    elif re.search("[\ufffe\uffff]", name + tag):
        return  # XML cannot hold them, which is reported
    record = {
        **{"hash": "00", "path": f"/photos/{name}", "file_name": name, "tags": [tag], "rejected": [tag], "rating": 1},
        **{"label": "Red", "width": 3, "height": 2, "taken": None},
    }
    file = tmp_path / "file"
    writer = module.Writer(file, Media.COPY)  # type: ignore[attr-defined]
    assert writer.add(ExportedPhoto(record=record, file=None)) == ""
    writer.finish()
    writer.close()
    (line,) = module.read(file)  # type: ignore[attr-defined]
    assert Path(name) in line.files
    assert line.tags == (tag,)
    if module is cvat:
        assert not RAW.search(file.read_text("utf-8").replace("\ufffd", ""))


@pytest.mark.parametrize("form", [one for one in FORMATS.values() if one.writes_photos], ids=lambda one: one.name)
def test_every_format_is_safe_to_display_and_restores_the_tags(
    library: Library, album: Album, tmp_path: Path, form: FileFormat
) -> None:
    odd = [b"esc\x1b[31m.jpg", "rtl\u202egpj.jpg".encode(), b"caf\xe9.jpg", b"=1+1.jpg", b"a\nb\t.jpg", b"\\u202e.jpg"]
    for number, name in enumerate(odd):
        album.draw(f"{number}.png", seed=number).rename(album.folder / os.fsdecode(name))
    finish(index(library, [album.folder]))
    ids = library.photos.ids().tolist()
    for photo_id in ids:
        library.tags.change([photo_id], [f"tag\u202e{photo_id}", "=sum"])
        library.boxes.add(
            [(photo_id, Region(0.0, 0.0, 0.5, 1.0), tag) for tag in library.tags.of([photo_id])[photo_id]]
        )
    before = library.tags.of(ids)
    file = tmp_path / f"out{next(iter(form.suffixes), '')}"
    if form.name == "parquet":
        pytest.importorskip("pyarrow")
    if form.write_photos is not None:
        with output_file(file) as stream:
            export_photos(library, stream, form)
    else:
        report = finish(save_photos(library, file, form))
        assert report.left_out == []
    for written in [file] if file.is_file() else [one for one in file.rglob("*") if one.suffix != ".jpg"]:
        if written.is_file() and form.name not in ("parquet", "npz"):  # binary
            assert not RAW.search(written.read_text("utf-8")), written
    library.boxes.remove([box.id for box in library.boxes.all()])
    library.tags.change(ids, [], [name for names in before.values() for name in names])
    assert not any(library.tags.of(ids).values())
    finish(import_tags(library, file, form, boxes=True))
    assert library.tags.of(ids) == before
