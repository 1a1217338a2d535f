# SPDX-License-Identifier: MIT
"""Commands on a library whose catalogue was edited by hand: they work, or report the problem and a remedy."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.cli import main
from focal_photos.browser.operations.describing.settings import ENABLED
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from tests.browser.operations.album import Album
from tests.browser.operations.exchange.archives.hand_made import change_file
from tests.browser.operations.exchange.archives.test_hostile_archives import DEEP, ROWS

Change = Callable[[sqlite3.Connection], object]

COMMANDS: Final = (
    ("list", "--json"),
    ("list", "tag:sea"),
    ("tag", "{photo}", "+new"),
    ("tag", "{photo}", "+animal/cat"),
    ("tags",),
    ("metrics",),
    ("export",),
    ("check",),
    ("index", "--workers", "1", "--backend", "threads"),
    ("undo",),
    ("suggest", "{photo}"),
    ("restore",),
    ("rescue",),
)


def _setting(name: str) -> Change:
    return lambda connection: connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, DEEP))


CHANGES: Final = {
    **{kind: change for kind, (change, _) in ROWS.items()},
    **{f"{name} of brackets": _setting(name) for name in ("ranking.index_from", "descriptors", "networks", "metric")},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with photos and a library with some work."""
    folder = tmp_path_factory.mktemp("changed")
    paths = Album(folder / "photos").draw_many(6)
    with Library.open(folder / "library") as library:
        ENABLED.set(library, ("color_moments",))
        finish(index(library, [folder / "photos"], workers=1, backend="threads"))
        ids = library.photos.ids().tolist()
        library.tags.change(ids[:3], ["animal/dog"])
        library.tags.change(ids[2:], ["sea"])
        library.judgements.set(ids[0], ids[1:3], Verdict.SIMILAR)
        library.back_up()
    assert main(["train", "--learner", "rca", "--library", str(folder / "library")]) == 0
    assert paths[0].exists()
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("kind", CHANGES)
def test_a_catalogue_edited_by_hand_is_not_reported_as_a_bug(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    photo = made / "photos" / "warm-000.jpg"
    for number, words in enumerate(COMMANDS):
        library = tmp_path / str(number) / "library"
        shutil.copytree(made / "library", library)
        change_file(library / "catalog.sqlite", CHANGES[kind])
        capsys.readouterr()
        code = main([*(word.format(photo=photo) for word in words), "--library", str(library)])
        told = capsys.readouterr().err
        assert code in (0, 1)
        assert "fault of the program" not in told, (words, told)
        assert "Traceback" not in told, (words, told)
        assert code == 0 or words[0] == "check" or told.startswith("focal: ") or "\nfocal: " in told, (words, told)
        shutil.rmtree(library.parent)
