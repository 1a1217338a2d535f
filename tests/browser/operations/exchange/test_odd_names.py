# SPDX-License-Identifier: MIT
"""Tags, labels and files with any name survive every format that stores names only."""

from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import FoundFile, Mark
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.export_data_set import save_photos
from focal_photos.browser.operations.exchange.export_file import export_photos, output_file
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.exchange.import_file import import_tags
from focal_photos.browser.operations.jobs.progress import finish
from tests.examples import examples

WITH_MARKS: Final = ("csv", "jsonl")
WITHOUT: Final = ("labelstudio", "cvat")

Said = list[tuple[bytes, list[str], list[str], str]]
"""Name of the file, tags, rejected tags and label of each photo."""


def as_stored(text: str) -> str:
    """Return the nearest valid text for a tag and a label; it may be empty."""
    kept = "".join(one for one in text if one not in ",;/" and unicodedata.category(one) not in ("Cc", "Cs"))
    return " ".join(unicodedata.normalize("NFC", kept).split())


odd = st.text(st.one_of(st.sampled_from("'\"=+-@\\%<>&|[]{}:#~ _\u2028\ufeff\xa0"), st.characters()), max_size=8)
labels = odd.map(as_stored)
tags = st.lists(labels.map(lambda text: text or "'"), min_size=1, max_size=2).map("/".join)
file_names = st.binary(max_size=20).map(lambda name: name.replace(b"/", b" ").replace(b"\0", b"'") or b"-")
photo = st.tuples(
    file_names,
    st.lists(tags, max_size=4, unique=True),
    st.lists(tags, max_size=2, unique=True),
    labels,
)
photos = st.lists(photo, min_size=1, max_size=5, unique_by=lambda one: one[0])


def fill(folder: Path, said: Said, *, bare: bool = False) -> Library:
    """Open a new library that knows these files; `bare` omits all metadata."""
    (folder / "album").mkdir(parents=True, exist_ok=True)
    library = Library.open(folder / "library")
    root = library.roots.add(folder / "album").id
    library.files.record(
        [FoundFile(root, name + b".jpg", 1, 1, f"{number:032x}") for number, (name, *_) in enumerate(said)]
    )
    library.photos.set_descriptions([(photo_id, 30, 20, None) for photo_id in library.photos.ids().tolist()])
    if not bare:
        for photo_id, (_, names, rejected, label) in zip(library.photos.ids().tolist(), said, strict=True):
            library.tags.change([photo_id], names)
            library.suggestions.reject([(photo_id, name) for name in rejected if name not in names])
            library.marks.set([photo_id], label=label or None)
    return library


def held(library: Library) -> dict[str, tuple[set[str], set[str], Mark]]:
    """Return tags, rejected tags and marks of each photo by content."""
    ids = library.photos.ids().tolist()
    hashes, rejected = library.photos.content_hashes(ids), library.suggestions.rejected_pairs()
    tags, marks = library.tags.of(ids), library.marks.of(ids)
    return {
        hashes[one]: (set(tags[one]), {name for photo_id, name in rejected if photo_id == one}, marks[one])
        for one in ids
    }


def travel(said: Said, name: str) -> None:
    """Export all metadata to a file of a format and import it into a library of the same photos."""
    form = FORMATS[name]
    with tempfile.TemporaryDirectory() as place, fill(Path(place) / "one", said) as library:
        file = Path(place) / f"file{form.suffixes[0]}"
        left_out: list[tuple[Path, str]] = []
        if name in WITH_MARKS:
            with output_file(file) as stream:
                export_photos(library, stream, form)
        else:
            left_out = finish(save_photos(library, file, form)).left_out
        before = held(library)
        unfit = {library.photos.by_path(path) for path, _ in left_out}
        before |= {one.content_hash: (set(), set(), Mark()) for one in unfit if one is not None}
        if len(unfit) == len(before):
            return  # there is nothing to read
        # The folder is the same, so formats without content hashes find the files by their paths.
        (Path(place) / "one" / "library").rename(Path(place) / "old")
        with fill(Path(place) / "one", said, bare=True) as other:
            report = finish(import_tags(other, file, form, Path(place) / "one" / "album"))
            assert (report.unknown, report.refused) == ([], [])
            after = held(other)
    if name not in WITH_MARKS:
        before = {key: (names, set(), Mark()) for key, (names, _, _) in before.items()}
        after = {key: (names, set(), Mark()) for key, (names, _, _) in after.items()}
    assert after == before


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_MARKS)
@settings(max_examples=examples(30))
@given(said=photos)
@example(said=[(b"'=a, b;\n\"", ["'", "=1+1", "'=x", "a'", '"'], ["-x", "@"], "=1")])
@example(said=[(b" a ", ["'+", "''=", "''", "x y"], [], "'-")])
def test_tables_preserve_all_names(name: str, said: Said) -> None:
    travel(said, name)


@pytest.mark.parametrize("name", WITHOUT)
@settings(max_examples=examples(15))
@given(said=photos)
@example(said=[(b"<&>'\"]]>", ["<a>", "]]>", "&lt", "a/b"], [], "")])
@example(said=[(b"a%20b#?", ["%2F", "a\\b", "\ud7ff\ue000\ufffd", "\ufffe"], [], "")])
def test_data_sets_preserve_all_names(name: str, said: Said) -> None:
    travel(said, name)
