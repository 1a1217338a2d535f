"""The scoreboard of a real library: what it measures, and what it writes."""

from __future__ import annotations

import csv
import io

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.scoreboard import csv_of, score
from focal_photos.browser.operations.training.train import train
from tests.browser.operations import striped


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("scored")
    striped.make(folder / "library", folder / "photos")
    library = Library.open(folder / "library")
    for name, parameters in (("rca", {"ridge": 0.5}), ("rca", {}), ("kernel", {})):
        finish(train(library, name, parameters=parameters))
    return library


def test_each_way_of_learning_has_a_line_and_suggestions_their_tenths(scored: Library) -> None:
    with scored as library:
        before = library.metrics.all()
        board = finish(score(library, Ranker(library)))
        assert library.metrics.all() == before
    assert [line.title for line in board.lines][1:] == ["Kernel metric (v1)", "RCA (v2)"]
    assert all(len(line.precision) == len(line.deviation) > 1 for line in board.lines)
    tenths = [min(int(10 * confidence), 9) for confidence, _, _ in board.reliability]
    assert tenths == sorted(set(tenths)), "one point each, ascending"
    assert len(tenths) > 1
    assert all(0 <= right <= 1 and count > 0 for _, right, count in board.reliability)
    rows = list(csv.DictReader(io.StringIO(csv_of(board).decode())))
    points = [row for row in rows if row["what"].startswith("suggestions right")]
    assert [float(row["at"]) for row in points] == pytest.approx([one[0] for one in board.reliability], abs=1e-6)
    assert len([row for row in rows if row["what"] == "precision"]) == sum(len(line.precision) for line in board.lines)


def test_without_anything_taught_it_says_what_is_missing(indexed: Library) -> None:
    with pytest.raises(NothingToLearnError):
        finish(score(indexed, Ranker(indexed)))
