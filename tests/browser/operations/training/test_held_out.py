# SPDX-License-Identifier: MIT
"""The gain of a metric on held-out data, and its description in words."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import RERANK
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.browser.operations.training.held_out import held_out, keep_held_out, saved_held_out, sentence
from focal_photos.browser.operations.training.train import train
from focal_photos.browser.operations.training.training_set import read_training_set
from focal_photos.learners import create
from focal_photos.learners.evaluation.selection import Gained, HeldOut, hold_out


def test_measuring_reports_the_gain_and_changes_nothing(striped: Library) -> None:
    metric = finish(train(striped, "tag-ratio"))
    kept = striped.metrics.all()
    found = finish(held_out(striped, metric))
    assert found is not None
    assert found.measure == "precision"
    assert 0 <= found.euclidean <= 1
    assert found.score == pytest.approx(found.euclidean + found.gain)
    assert found.questions > 10
    assert finish(held_out(striped, metric)) == found
    assert striped.metrics.current() == metric
    assert striped.metrics.all() == kept
    numbers = r"right among the first \d+, held out: \d+ → \d+ % \(n = \d+, ±\d+\)\."
    assert re.fullmatch(
        rf"((no measurable improvement|an improvement, perhaps by chance); )?{numbers}", sentence(found)
    )


def test_an_infinite_error_is_stored_as_valid_json(striped: Library) -> None:
    metric = finish(train(striped, "tag-ratio"))
    keep_held_out(striped, metric, HeldOut("order", 1, 1.0, 0.0, 1.0, math.inf, 1))
    valid = striped.database.integers("SELECT json_valid(scores) FROM metric_scores WHERE metric_id = ?", (metric.id,))
    assert valid.tolist() == [1]
    found = saved_held_out(striped)[metric.id]
    assert (found.measure, found.gain, found.questions) == ("order", 1.0, 1)
    assert not math.isfinite(found.error)
    assert found.gained is Gained.TOO_FEW


def test_photos_are_ranked_as_in_the_window(striped: Library) -> None:
    metric = finish(train(striped, "rca"))
    loaded = load_metric(striped, metric)
    taught = read_training_set(striped, loaded.space, 1800, use_judgements=False)
    points = coordinates(striped, loaded.space, taught.ids)
    by_neighbors, alone = (hold_out(create("rca"), points, taught.side, rerank=rerank) for rerank in (True, False))
    assert by_neighbors != alone
    assert finish(held_out(striped, metric)) == by_neighbors
    RERANK.set(striped, False)
    assert finish(held_out(striped, metric)) == alone


def test_judgements_are_measured_by_the_order_of_pairs(striped: Library) -> None:
    ids = striped.photos.ids()
    for focal in range(0, 24, 3):
        others = np.roll(ids, -focal)[1:5].tolist()
        striped.judgements.set(int(ids[focal]), others[:2], Verdict.SIMILAR)
        striped.judgements.set(int(ids[focal]), others[2:], Verdict.DISSIMILAR)
    metric = finish(train(striped, "kernel", use_tags=False))
    found = finish(held_out(striped, metric))
    assert found is not None
    assert found.measure == "order"
    assert "judged pairs in order, held out: " in sentence(found)


def test_no_gain_is_reported_if_nothing_can_be_held_out(striped: Library) -> None:
    assert finish(held_out(striped, striped.metrics.current())) is None
    ids = striped.photos.ids().tolist()
    striped.judgements.set(ids[0], ids[1:3], Verdict.SIMILAR)
    metric = finish(train(striped, "kernel", use_tags=False))
    assert finish(held_out(striped, metric)) is None
    slow = finish(train(striped, "kml-dml"))
    assert finish(held_out(striped, slow)) is None


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            HeldOut("precision", 10, 0.741, 0.632, 0.109, 0.03, 214),
            "right among the first 10, held out: 63 → 74 % (n = 214, ±6).",
        ),
        (
            HeldOut("precision", 5, 0.641, 0.632, 0.009, 0.03, 40),
            "no measurable improvement; right among the first 5, held out: 63 → 64 % (n = 40, ±6).",
        ),
        (
            HeldOut("precision", 10, 0.63, 0.64, -0.01, 0.02, 30),
            "no measurable improvement; right among the first 10, held out: 64 → 63 % (n = 30, ±4).",
        ),
        (
            HeldOut("precision", 10, 0.63, 0.64, -0.01, 0.02, 29),  # too few questions for a statement
            "too little data to measure improvement (n = 29).",
        ),
        (
            HeldOut("precision", 10, 0.53, 0.5, 0.03, 0.045, 17),
            "too little data to measure improvement (n = 17).",
        ),
        (
            HeldOut("precision", 10, 0.504, 0.5, 0.004, 0.02, 80),
            "no measurable improvement; right among the first 10, held out: 50 → 50 % (n = 80, ±4).",
        ),
        (
            HeldOut("precision", 10, 0.53, 0.5, 0.03, 0.02, 80),
            "an improvement, perhaps by chance; right among the first 10, held out: 50 → 53 % (n = 80, ±4).",
        ),
        (  # a reported gain is visible in the rounded numbers
            HeldOut("precision", 10, 0.999, 0.996, 0.003, 0.002, 100),
            "an improvement, perhaps by chance; right among the first 10, held out: 99.6 → 99.9 % (n = 100, ±0.4).",
        ),
        (
            HeldOut("precision", 10, 1.0, 0.996, 0.004, 0.001, 100),
            "right among the first 10, held out: 99.6 → 100.0 % (n = 100, ±0.2).",
        ),
        (
            HeldOut("order", 10, 0.8, 0.5, 0.3, 0.0, 12),
            "too little data to measure improvement (n = 12).",
        ),
        (
            HeldOut("order", 10, 0.8, 0.5, 0.3, float("nan"), 2),
            "too little data to measure improvement (n = 2).",
        ),
        (
            HeldOut("order", 10, 0.8, 0.5, 0.3, 0.05, 40),
            "judged pairs in order, held out: 50 → 80 % (n = 40, ±10).",
        ),
    ],
)
def test_the_gain_is_described_in_words(found: HeldOut, told: str) -> None:
    assert sentence(found) == told
