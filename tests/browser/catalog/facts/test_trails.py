# SPDX-License-Identifier: MIT
"""Saved trails are read as written, and each change is one undo step."""

from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Region, SavedStep, SavedTrail
from focal_photos.browser.catalog.facts.saved_searches import SearchNameError
from focal_photos.browser.catalog.facts.trails import TrailNameError
from focal_photos.browser.catalog.library import Library

STEPS = (
    SavedStep(),
    SavedStep(
        query='tag:"sea side"', folder=Path("/photos/of\udcff me"), among=(3, 1), order="random", seed=4, label="of"
    ),
    SavedStep(focal=7, label="dünen \udcfe.jpg"),
    SavedStep(part_of=7, region=Region(0.1, 0.2, 0.6, 0.75), label="part of dünen.jpg"),
)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.open(tmp_path / "library")


def test_saved_trails_are_read_back(library: Library) -> None:
    library.trails.save("b", STEPS)
    library.trails.save("A", STEPS[:1])
    assert library.trails.all() == [SavedTrail("A", STEPS[:1]), SavedTrail("b", STEPS)]
    library.close()
    library = Library.open(library.path)
    assert library.trails.all() == [SavedTrail("A", STEPS[:1]), SavedTrail("b", STEPS)]
    library.close()


def test_saving_the_same_trail_again_is_not_a_step(library: Library) -> None:
    assert library.trails.save(" one  trail ", STEPS)
    assert not library.trails.save("one trail", STEPS)
    assert not library.trails.rename("one trail", "one trail")
    assert not library.trails.delete("two")
    assert library.journal.undo_label() == "Save trail: one trail"
    library.journal.undo()
    assert library.trails.all() == []
    assert library.journal.undo_label() is None
    library.close()


def test_invalid_names_are_refused(library: Library) -> None:
    library.trails.save("one", STEPS)
    library.trails.save("two", STEPS[1:])
    for name in ("", " \t", "a\0b", "x" * 101):
        with pytest.raises(SearchNameError, match="name"):
            library.trails.save(name, STEPS)
    with pytest.raises(TrailNameError, match="There is a trail two already"):
        library.trails.rename("one", "two")
    with pytest.raises(TrailNameError, match="The trail three no longer exists"):
        library.trails.rename("three", "four")
    with pytest.raises(TrailNameError, match="Nothing to save yet"):
        library.trails.save("none", ())
    assert [one.name for one in library.trails.all()] == ["one", "two"]
    library.close()
