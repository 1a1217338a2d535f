# SPDX-License-Identifier: MIT
"""Checks of file formats: what is written is read back, and files of other kinds are refused with a sentence."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto, JudgedPair, TaggedFile
from focal_photos.browser.operations.exchange.file_format import FileFormat, Media
from focal_photos.browser.operations.exchange.records import JUDGEMENT_FIELDS, PHOTO_FIELDS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.testing.pictures import png, scene

TAGS: Final = (("animal/dog", "sea"), ("sea",), ("Ünïcode & <co>", 'quote"d'), ("100%", "a b"))
"""Tags of the photos in the checks."""

_INVALID_FILES: Final = (b"", b"\x00\xff\xfe\x80" * 50, b"{", b"<x><y>", b"no,table\n1", "Ünïcode".encode("utf-16"))


def photos(folder: Path) -> list[dict[str, Any]]:
    """Write a photo for each entry of `TAGS` and return their records, as an export has them."""
    records = []
    for number, tags in enumerate(TAGS):
        file = folder / "photos" / f"photo {number}.png"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(png(scene(seed=number)))
        values = {"path": str(file), "file_name": file.name, "tags": list(tags), "width": 96, "height": 64}
        values |= {"bytes": file.stat().st_size, "hash": f"{number:032x}", "missing": False, "rejected": []}
        records.append({name: values.get(name) for name in PHOTO_FIELDS})
    return records


def written(form: FileFormat, folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    """Write photos in a format; return the place and the records that the format took."""
    records = photos(folder)
    place = folder / f"export{form.suffixes[0] if form.suffixes else ''}"
    if form.write_photos is not None:
        stream = io.StringIO(newline="")
        count = form.write_photos(stream, iter(records))
        assert count == len(records), f"write_photos returned {count} for {len(records)} photos"
        place.write_text(stream.getvalue(), encoding="utf-8", newline="")
        return place, records
    assert form.save_photos is not None
    writer = form.save_photos.begin(place, Media.COPY)
    taken = []
    try:
        for record in records:
            reason = writer.add(ExportedPhoto(record, Path(record["path"])))
            assert isinstance(reason, str), "add returns the reason why a photo is left out, or an empty text"
            if not reason:
                taken.append(record)
        writer.finish()
    finally:
        writer.close()
    assert place.is_dir() if form.is_folder else place.is_file(), f"nothing was written to {place.name}"
    return place, taken


def check_declaration(form: FileFormat) -> None:
    """Check that names and suffixes are in lower case, texts are there, and something is read or written."""
    assert form.name == form.name.lower()
    assert form.name.isalnum(), "the name has other characters than letters and digits"
    assert form.title, "it has no title"
    assert bool(form.suffixes) != form.is_folder, "a file needs suffixes, and a folder has none"
    assert all(one.startswith(".") and one == one.lower() for one in form.suffixes)
    assert form.reads_something or form.writes_photos or form.writes_judgements, "it neither reads nor writes"
    for reader in (form.tags, form.judgements):
        assert reader is None or reader.help, "a reader has no help"


def check_tags_are_read_back(form: FileFormat) -> None:
    """Check that exported tags are imported for the same photos."""
    if form.tags is None or not form.writes_photos:
        return
    with tempfile.TemporaryDirectory() as name:
        place, records = written(form, Path(name))
        found: list[Any] = list(form.tags.read(place))
        assert all(isinstance(one, TaggedFile) and one.files for one in found), (
            "it reads something else than TaggedFile"
        )
        read: dict[str, set[str]] = {}
        for one in found:  # some formats name a photo once per tag
            read.setdefault(one.files[0].name, set()).update(one.tags)
        expected = {record["file_name"]: set(record["tags"]) for record in records}
        assert sorted(map(sorted, read.values())) == sorted(map(sorted, expected.values())), (
            f"written were {expected}, and read {read}"
        )


def check_no_photos(form: FileFormat) -> None:
    """Check that a table of no photo can be written and read."""
    if form.write_photos is None:
        return
    stream = io.StringIO(newline="")
    assert form.write_photos(stream, iter(())) == 0
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / f"export{form.suffixes[0]}"
        place.write_text(stream.getvalue(), encoding="utf-8", newline="")
        if form.tags is not None:
            assert list(_refusable(form.tags.read(place))) == []


def check_judgements_are_read_back(form: FileFormat) -> None:
    """Check that exported judgements are imported for the same photos."""
    if form.judgements is None or form.write_judgements is None:
        return
    values = {"focal": "/a/1.jpg", "other": "/a/2.jpg", "verdict": "similar", "focal_hash": "0" * 32}
    record = {name: values.get(name) for name in JUDGEMENT_FIELDS}
    stream = io.StringIO(newline="")
    assert form.write_judgements(stream, iter([record])) == 1
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / f"export{form.suffixes[0]}"
        place.write_text(stream.getvalue(), encoding="utf-8", newline="")
        (found,) = form.judgements.read(place)
    assert isinstance(found, JudgedPair)
    assert (found.focal[0], found.other[0], found.verdict) == (Path("/a/1.jpg"), Path("/a/2.jpg"), "similar")


def check_other_files_are_refused(form: FileFormat) -> None:
    """Check that missing files and files of other kinds raise a `FormatError`, or give nothing; never another error."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        places = [folder / f"missing{form.suffixes[0] if form.suffixes else ''}"]
        if form.is_folder:
            places.append(folder / "empty")
            places[-1].mkdir()
        else:
            for number, content in enumerate(_INVALID_FILES):
                places.append(folder / f"other{number}{form.suffixes[0]}")
                places[-1].write_bytes(content)
        for place in places:
            for reader in (form.tags, form.judgements):
                if reader is not None:
                    for _ in _refusable(reader.read(place)):
                        pass


def _refusable(items: Iterable[Any]) -> Iterator[Any]:
    """Yield items until an error that is a sentence for the user."""
    try:
        yield from items
    except OperationError as error:
        assert str(error).endswith((".", "?")), f"no sentence: {error}"


FORMAT_CHECKS: Final[tuple[Callable[[FileFormat], None], ...]] = (
    check_declaration,
    check_tags_are_read_back,
    check_no_photos,
    check_judgements_are_read_back,
    check_other_files_are_refused,
)
"""All checks of a file format."""
