# SPDX-License-Identifier: MIT
"""Scoreboard of a real library: its measurements and its file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags
from focal_photos.browser.operations.tagging.scoreboard import MAX_SUGGESTED, csv_of, score
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


def test_each_metric_has_a_line_and_a_reliability_curve_in_tenths(scored: Library) -> None:
    with scored as library:
        before = library.metrics.all()
        board = finish(score(library, Ranker(library)))
        assert library.metrics.all() == before
    assert [line.title for line in board.lines][1:] == ["Kernel metric (v1)", "RCA (v2)"]
    assert all(len(line.precision) == len(line.deviation) > 1 for line in board.lines)
    for line in board.lines:
        tenths = [min(int(10 * confidence), 9) for confidence, _, _ in line.reliability]
        assert tenths == sorted(set(tenths)), "one point per tenth, ascending"
        assert len(tenths) > 1
        assert all(0 <= right <= 1 and count > 0 for _, right, count in line.reliability)
    plain, *taught = (line.reliability for line in board.lines)
    assert all(one == plain for one in taught), "metrics trained on tags: suggestions use the untrained metric"
    rows = list(csv.DictReader(io.StringIO(csv_of(board).decode())))
    points = [row for row in rows if row["what"].startswith("suggestions right")]
    written = {(row["metric"], round(float(row["at"]), 6), round(float(row["value"]), 6)) for row in points}
    known = {(line.title, round(at, 6), round(value, 6)) for line in board.lines for at, value, _ in line.reliability}
    assert written == known
    assert len([row for row in rows if row["what"] == "precision"]) == sum(len(line.precision) for line in board.lines)


def test_suggestions_are_measured_under_the_metric_they_use(tmp_path: Path) -> None:
    striped.make(tmp_path / "library", tmp_path / "photos")
    with Library.open(tmp_path / "library") as library:
        ids = library.photos.ids().tolist()
        for focal in ids[:6]:
            others = [one for one in ids if one != focal]
            library.judgements.set(focal, others[:3], Verdict.SIMILAR)
            library.judgements.set(focal, others[-3:], Verdict.DISSIMILAR)
        finish(train(library, "kernel", use_tags=False))
        board = finish(score(library, Ranker(library)))
        plain, kernel = board.lines
        assert kernel.title == "Kernel metric (v1)"
        assert plain.reliability
        assert kernel.reliability
        assert kernel.reliability != plain.reliability
        # The slow way: fit under the metric, and predict photo by photo.
        ranker = Ranker(library)
        gallery = ranker.gallery("kernel")
        learned = finish(learn_tags(library, gallery, read_annotated(library, gallery, set())))
        sure = []
        for place, photo_id in enumerate(learned.ids.tolist()):
            mine = learned.confidences(np.array([photo_id]), tagged=True).best(MAX_SUGGESTED, minimum=0.05)[0]
            sure += [(confidence, bool(learned.tags[[place], [tag]][0])) for tag, confidence in mine]
        tenths: dict[int, list[tuple[float, bool]]] = {}
        for confidence, right in sure:
            tenths.setdefault(min(int(10 * confidence), 9), []).append((confidence, right))
        expected = [
            (np.mean([one for one, _ in some]), np.mean([one for _, one in some]), len(some))
            for _, some in sorted(tenths.items())
        ]
        assert np.asarray(kernel.reliability) == pytest.approx(np.asarray(expected))
        off = sum(abs(said - right) * count for said, right, count in expected) / len(sure)
        assert kernel.unreliability == pytest.approx(off)


def test_a_library_without_training_data_reports_what_is_missing(indexed: Library) -> None:
    with pytest.raises(NothingToLearnError):
        finish(score(indexed, Ranker(indexed)))
