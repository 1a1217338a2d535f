# SPDX-License-Identifier: MIT
"""Property tests: user data exported from one library arrives in another one, beside its existing data."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.archives.unpack_archive import merge_archive, unpack_archive
from focal_photos.browser.operations.exchange.export_file import output_file
from focal_photos.browser.operations.exchange.import_file import ImportReport
from focal_photos.browser.operations.exchange.work_records import export_everything, import_everything
from focal_photos.browser.operations.jobs.progress import finish
from tests.benchmarks.common.user_actions import State, choose, do, follow, ids_of, new_library, read
from tests.examples import examples

ONLY_HERE: Final = frozenset({"folder", "photo", "train", "use", "set"})
"""Tables that concern one library only: its folders, metrics and settings."""

UNSHRUNK: Final = (Phase.explicit, Phase.reuse, Phase.generate)
"""Shrinking numbers does not simplify the user's actions."""

Held = dict[str, Any]


def live(folder: Path, seed: int, steps: int) -> Library:
    """Open a new library after random actions of a user."""
    folder.mkdir()
    new_library(folder / "library")
    library = Library.open(folder / "library")
    chance, state = random.Random(seed), State()
    for number in range(steps):
        step = choose(chance, state, number)
        if step.kind not in ONLY_HERE:
            do(library, step)
            state = follow(state, step)
    return library


def held(library: Library) -> Held:
    """Return the exported data: tags without their source, and of suggestions only the rejected ones."""
    found = read(library)
    rejected = {pair for pair, what in found.pop("suggestions").items() if what == "rejected"}
    number = {photo: place for place, photo in enumerate(ids_of(library))}
    rows = library.database.rows
    # Confirmations of a missing tag or verdict have no effect, and apply again if it returns.
    said_tags = rows("SELECT photo_id, name FROM confirmed_tag JOIN tag ON tag.id = tag_id")
    said_judgements = rows("SELECT focal_id, other_id, verdict FROM confirmed_judgement")
    found |= {
        "said of tags": {(number[photo], name) for photo, name in said_tags},
        "said of judgements": {(number[focal], number[other]): verdict for focal, other, verdict in said_judgements},
    }
    same = ("judgements", "texts", "trails", "searches", "regions", "turns", "sure judgements", "sure tags")
    kept = (*same, "said of tags", "said of judgements", "not duplicates", "audit")
    found["audit"] = found["audit"] and found["audit"][1:]  # the digest of the tags is another one in each library
    return {"tags": set(found["tags"]), "rejected": rejected, "marks": found["marks"], **{k: found[k] for k in kept}}


def joined(here: Held, there: Held) -> Held:
    """Return the expected data after an import; existing values win where the two libraries differ."""
    tags = here["tags"] | there["tags"]
    marks = {
        photo: tuple(
            own if own is not None else other
            for own, other in zip(
                here["marks"].get(photo, (None, None)), there["marks"].get(photo, (None, None)), strict=True
            )
        )
        for photo in {*here["marks"], *there["marks"]}
    }
    both: Held = {"tags": tags, "marks": marks, "rejected": (here["rejected"] | there["rejected"]) - tags}
    for key in ("judgements", "texts", "trails", "searches", "regions", "turns"):
        both[key] = {**there[key], **here[key]}
    both["not duplicates"] = here["not duplicates"] | there["not duplicates"]
    both["audit"] = here["audit"] or there["audit"]
    both["said of tags"] = here["said of tags"] | there["sure tags"]
    both["sure tags"] = both["said of tags"] & tags
    taken = dict(there["sure judgements"].items() & both["judgements"].items())
    both["said of judgements"] = {**here["said of judgements"], **taken}
    both["sure judgements"] = dict(both["said of judgements"].items() & both["judgements"].items())
    return both


def take_in(library: Library, other: Library, way: str) -> ImportReport:
    """Import the data of one library into another, from an archive or from lines."""
    file = other.path.parent / f"out-{way}"
    if way == "archive":
        finish(save_archive(other, file))
        return finish(merge_archive(library, file))
    with output_file(file) as stream:
        export_everything(other, stream)
    return finish(import_everything(library, file))


persons = st.tuples(st.integers(0, 1 << 32), st.integers(0, 60))


@settings(max_examples=examples(25), phases=UNSHRUNK)
@given(persons, persons, st.sampled_from(["archive", "lines"]))
def test_an_import_adds_the_data_of_another_library(here: Any, there: Any, way: str) -> None:
    with (
        tempfile.TemporaryDirectory() as place,
        live(Path(place) / "here", *here) as library,
        live(Path(place) / "there", *there) as other,
    ):
        mine, theirs = held(library), held(other)
        before, label = read(library), library.journal.undo_label()
        report = take_in(library, other, way)
        assert (report.refused, report.unknown) == ([], [])
        assert held(library) == joined(mine, theirs)
        assert held(other) == theirs
        again = take_in(library, other, way)
        assert not again.changes, "importing again changes nothing"
        if report.changes:
            library.journal.undo()
        assert {**read(library), "redo": None} == {**before, "redo": None}
        assert library.journal.undo_label() == label


@settings(max_examples=examples(10), phases=UNSHRUNK)
@given(persons)
def test_an_unpacked_archive_is_the_library_that_was_saved(person: Any) -> None:
    with tempfile.TemporaryDirectory() as place, live(Path(place) / "here", *person) as library:
        file = Path(place) / "all.zip"
        finish(save_archive(library, file))
        finish(unpack_archive(file, Path(place) / "again" / "library"))
        with Library.open(Path(place) / "again" / "library") as again:
            assert read(again) == read(library)
            while library.journal.undo_label() is not None:
                assert again.journal.undo_label() == library.journal.undo_label()
                library.journal.undo()
                again.journal.undo()
                assert read(again) == read(library)


@pytest.mark.parametrize("way", ["archive", "lines"])
def test_an_import_without_data_changes_nothing(tmp_path: Path, way: str) -> None:
    with live(tmp_path / "here", 1, 40) as library, live(tmp_path / "there", 2, 0) as other:
        assert not take_in(library, other, way).changes
