# SPDX-License-Identifier: MIT
"""Every learner of the table, from the photos of a library to rankings and suggestions."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates, described
from focal_photos.browser.operations.tagging.suggest import suggest
from focal_photos.browser.operations.training.learner_table import family_weights, learner_table
from focal_photos.browser.operations.training.parameters import checked, defaults, read
from focal_photos.browser.operations.training.train import same_again, train, trainable
from focal_photos.browser.operations.training.training_set import sample
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.families.online_multi_modal import Omdl
from tests.browser.copies import opened_copy
from tests.browser.operations.album import FAMILIES, Album

ALL = [name for name in trainable() if name in LEARNERS]
WITH_FAMILIES = [name for name in ALL if "families" in LEARNERS[name]().get_params()]


@pytest.fixture(scope="module")
def taught_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Library of 16 photos of two kinds, 12 of them tagged, with a few judgements. Tests must not change it."""
    album = Album(tmp_path_factory.mktemp("photos"))
    folder = tmp_path_factory.mktemp("taught") / "library"
    album.draw_kinds(each=8)
    with Library.open(album.index(folder)) as library:
        for kind in ("warm", "cold"):
            library.tags.change(library.photos.ids(f"path:{kind}")[:6], [kind, f"drawn/{kind}"])
        warm, cold = (library.photos.ids(f"path:{kind}").tolist() for kind in ("warm", "cold"))
        library.judgements.set(warm[0], warm[1:4], Verdict.SIMILAR)
        library.judgements.set(warm[0], cold[:3], Verdict.DISSIMILAR)
    return folder


@pytest.fixture
def taught(taught_folder: Path, tmp_path: Path) -> Iterator[Library]:
    with opened_copy(taught_folder, tmp_path / "library") as library:
        yield library


def distances(learner: DistanceLearner, library: Library, ranking: Any, loaded: Any) -> np.ndarray:
    """Return the distances of the photos of a ranking as computed by the learner itself."""
    query = coordinates(library, loaded.space, np.array([ranking.focal_id]))[0]
    return learner.distances_from(query, coordinates(library, loaded.space, ranking.photo_ids))


# ---------------------------------------------------------------- all learners
@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_a_learner_trains_ranks_suggests_and_is_loaded_again(name: str, taught: Library, tmp_path: Path) -> None:
    metric = finish(train(taught, name))
    assert taught.metrics.current() == metric
    assert (metric.judgements, metric.tagged) == ((6, 12) if LEARNERS[name].needs else (0, 0))
    focal = int(taught.photos.ids("path:warm")[7])
    ranking = Ranker(taught).rank(focal)
    assert ranking.metric == metric
    assert len(ranking.photo_ids) == 15
    assert (np.diff(ranking.distances) >= 0).all()
    kinds = [path.parent.name for path in taught.photos.paths(ranking.photo_ids)]
    assert kinds[:5] == ["warm"] * 5

    loaded = load_metric(taught, metric)
    assert loaded.learner is not None
    plain = Ranker(taught).rank(focal, rerank=False)
    expected = distances(loaded.learner, taught, plain, loaded)
    np.testing.assert_allclose(plain.distances, expected, atol=1e-4 * expected.max())

    path = taught.photos.get([focal])[0].path
    from_outside = Ranker(taught).rank(path.read_bytes())  # described again
    np.testing.assert_allclose(from_outside.distances.max(), ranking.distances.max(), rtol=1e-2)

    report = finish(suggest(taught, Ranker(taught)))
    assert report.metric == metric
    assert set(report.by_photo) == set(taught.photos.ids("untagged").tolist())
    assert all(found and found[0].confidence > 0 for found in report.by_photo.values())

    copy = tmp_path / "copy"
    shutil.copytree(taught.path, copy, ignore=shutil.ignore_patterns("lock*", "derived"))
    shutil.copytree(taught.path / "derived", copy / "derived")
    with Library.open(copy, read_only=True) as other:
        again = Ranker(other).rank(focal, name)
    np.testing.assert_array_equal(again.photo_ids, ranking.photo_ids)
    np.testing.assert_array_equal(again.distances, ranking.distances)


@pytest.mark.parametrize("name", ALL)
def test_a_learner_without_training_data_reports_what_it_lacks(name: str, taught: Library) -> None:
    job = train(taught, name, use_tags=False, use_judgements=False)
    if LEARNERS[name].needs:
        with pytest.raises(NothingToLearnError, match="judge a few photos, or tag some"):
            finish(job)
    else:
        assert finish(job).learner == name


def test_judgements_are_not_enough_for_a_learner_of_tags(taught: Library) -> None:
    with pytest.raises(NothingToLearnError, match="Multi-label metric has nothing to learn from: it needs tags"):
        finish(train(taught, "ml-dml", use_tags=False))
    assert taught.metrics.current().name == "euclidean"


@pytest.mark.parametrize("name", ["kernel-best", "oasis", "dist-boost", "omdl-lr"])
def test_photos_added_later_are_ranked_too(name: str, taught: Library) -> None:
    album = Album(taught.photos.paths(taught.photos.ids()[:1])[0].parents[1])
    finish(train(taught, name))
    ranker = Ranker(taught)
    before = len(ranker.rank(1).photo_ids)
    try:
        album.draw("warm/later.jpg", kind="warm", seed=99)
        finish(index(taught, backend="threads", workers=1))
        assert len(ranker.rank(1).photo_ids) == before + 1
    finally:
        album.path("warm/later.jpg").unlink()


# ---------------------------------------------------------------- families
@pytest.mark.parametrize("name", WITH_FAMILIES)
def test_families_have_the_names_of_their_descriptors(name: str, taught: Library) -> None:
    metric = finish(train(taught, name))
    loaded = load_metric(taught, metric)
    assert loaded.learner is not None
    families = loaded.learner.get_params()["families"]
    assert {family.name for family in families} == set(FAMILIES)
    assert [(g.start, g.stop) for g in families] == [(g.start, g.stop) for g in loaded.space.families_]
    weights = family_weights(taught, metric)
    # A single kernel cannot separate families; the kernel metric needs more focal images to weigh them.
    if name in {"kernel-concatenated", "kernel"}:
        assert weights == {}
        return
    assert set(weights) == set(FAMILIES)
    assert sum(weights.values()) == pytest.approx(1)
    assert list(weights.values()) == sorted(weights.values(), reverse=True)


def test_a_metric_without_families_or_without_its_file_has_no_family_weights(taught: Library) -> None:
    assert family_weights(taught, taught.metrics.current()) == {}
    assert family_weights(taught, finish(train(taught, "rca"))) == {}
    metric = finish(train(taught, "kernel-weighted"))
    path = taught.metrics.path(metric)
    assert path is not None
    path.write_bytes(path.read_bytes()[:100])
    assert family_weights(taught, metric) == {}


# ---------------------------------------------------------------- number of photos
def test_a_learner_with_a_limit_is_trained_on_a_sample(taught: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LEARNERS["omdl"].rows < LEARNERS["omdl-lr"].rows
    monkeypatch.setattr(Omdl, "rows", 10)
    metric = finish(train(taught, "omdl"))
    # all judged photos, and as many tagged ones as the limit permits
    assert (metric.judgements, metric.tagged) == (6, 10)
    assert len(Ranker(taught).rank(1).photo_ids) == 15


def test_a_sample_prefers_judged_photos_to_tagged_ones_and_these_to_others() -> None:
    ids, judged, tagged = np.arange(100), np.array([3, 97]), np.arange(50, 60)
    chosen = sample(ids, judged, tagged, 20)
    assert len(chosen) == 20
    assert set(chosen) >= {*judged, *tagged}
    assert set(sample(ids, judged, tagged, 7)) <= {*judged, *tagged}
    assert set(sample(ids, judged, tagged, 1)) == set(judged)
    np.testing.assert_array_equal(chosen, sample(ids, judged, tagged, 20))


# ---------------------------------------------------------------- parameters
def test_parameters_are_parsed_from_text() -> None:
    assert read(["ridge=0.3", "step=paper", "kernel=true", "gamma = auto", "components=null"]) == {
        "ridge": 0.3,
        "step": "paper",
        "kernel": True,
        "gamma": "auto",
        "components": None,
    }
    for wrong in ("ridge", "=3"):
        with pytest.raises(OperationError, match="write NAME=VALUE"):
            read([wrong])


@pytest.mark.parametrize(
    ("learner", "parameters", "message"),
    [
        ("rca", {"ridge": "much"}, "ridge of 'rca' must be a number, not 'much'"),
        ("rca", {"ridge": True}, "must be a number"),
        ("rca", {"ridge": float("nan")}, "must be a number"),
        ("rca", {"output_components": 2.5}, "must be a whole number"),
        ("ratio", {"kernel": 1}, "must be true or false"),
        ("bdm", {"step": 3}, "must be a word"),
        ("bdm", {"rounds": True}, "must be a whole number"),
        ("krca", {"gamma": "large"}, "must be a number or auto"),
        ("rca", {"unit": 1}, "must be true, false or auto"),
        ("dist-boost", {"components": "many"}, "must be a number or null"),
        ("kernel-best", {"families": "x"}, "no parameter 'families'"),
        ("rca", {"smell": 1}, "no parameter 'smell'; it has: "),
    ],
)
def test_parameters_of_the_wrong_kind_are_refused(learner: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(OperationError, match=message):
        checked(learner, parameters)


@pytest.mark.parametrize("name", ALL)
def test_the_defaults_are_valid(name: str) -> None:
    assert checked(name, defaults(name)) == defaults(name)


@pytest.mark.parametrize(
    ("learner", "parameters"),
    [
        ("omdl-lr", {"components": -1}),
        ("dist-boost", {"components": 6.5}),
        ("mkpoe", {"per_photo": -5, "max_triplets": 0}),
    ],
)
def test_invalid_values_raise_an_operation_error(learner: str, parameters: dict[str, Any], taught: Library) -> None:
    with pytest.raises(OperationError):
        finish(train(taught, learner, parameters=parameters))
    assert taught.metrics.current().name == "euclidean"


def test_parameters_reach_the_learner(taught: Library) -> None:
    loaded = load_metric(taught, finish(train(taught, "rca", parameters={"ridge": 1, "output_components": 3})))
    assert loaded.learner is not None
    assert loaded.learner.get_params()["ridge"] == 1.0
    assert loaded.dimension == 3


# ---------------------------------------------------------------- table of learners
def test_the_table_describes_every_trainable_learner() -> None:
    table = learner_table()
    assert {one.name for one in table} == set(trainable())
    assert all(one.text and one.source and one.family for one in table)
    assert len({one.title for one in table}) == len(table)
    families = [one.family for one in table]
    # each family is contiguous
    assert len(set(families)) == sum(a != b for a, b in zip(families, ["", *families], strict=False))


def test_training_again_uses_the_learner_of_the_current_metric(taught: Library) -> None:
    assert same_again(taught) == "kernel"
    finish(train(taught, "rca"))
    assert same_again(taught) == "rca"
    taught.metrics.set_current(taught.metrics.by_name("euclidean").id)
    assert same_again(taught) == "kernel"


def test_copies_are_ordered_by_id_also_at_the_end_of_the_list(taught: Library) -> None:
    ids = described(taught)
    ranker = Ranker(taught)
    gallery = ranker.gallery("euclidean")
    rows = np.array(gallery.rows)
    rows[5:9] = rows[5]
    object.__setattr__(gallery, "ids", ids[::-1].copy())
    object.__setattr__(gallery, "gallery", gallery.loaded.gallery(rows))
    every = gallery.nearest(rows[0])
    ties = np.diff(every[1]) == 0
    assert ties.sum() >= 3
    assert (np.diff(every[0])[ties] > 0).all()
    for count in range(17):
        found = gallery.nearest(rows[0], count)
        np.testing.assert_array_equal(found[0], every[0][:count])
        np.testing.assert_array_equal(found[1], every[1][:count])
