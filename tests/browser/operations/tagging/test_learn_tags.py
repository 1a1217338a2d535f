# SPDX-License-Identifier: MIT
"""Suggestions trained on the tags and rejections of a library, and their confidence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import SUGGEST_BY
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates, prepare_space, stores
from focal_photos.browser.operations.tagging import learn_tags as learn_tags_module
from focal_photos.browser.operations.tagging.annotated import read_annotated, with_rare_tags
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.suggest import SuggestReport, suggest
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.tags.tag_ridge import TagRidge
from tests.browser.copies import opened_copy
from tests.browser.operations.album import Album

KINDS = ("warm", "cold", "green")
TAGGED = 20


def number(library: Library, name: str) -> int:
    (root,) = library.roots.all()
    photo = library.photos.by_path(root.path / name)
    assert photo is not None
    return photo.id


def confidence(report: SuggestReport, photo_id: int, tag: str) -> float:
    return {one.tag: one.confidence for one in report.by_photo[photo_id]}.get(tag, 0.0)


def learn(library: Library, ranker: Ranker) -> LearnedTags:
    gallery = ranker.gallery()
    annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    return finish(learn_tags(library, looks_for_tags(ranker, gallery), annotated))


@pytest.fixture(scope="module")
def indexed_many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Library for `many`, shared by all tests of the file."""
    folder, album = tmp_path_factory.mktemp("many") / "library", Album(tmp_path_factory.mktemp("photos"))
    album.draw_kinds(KINDS, TAGGED + 5)
    with Library.open(album.index(folder)) as library:
        for kind in KINDS:
            ids = [number(library, f"{kind}/{i}.jpg") for i in range(TAGGED)]
            library.tags.change(ids, [kind, "drawn"])
    return folder


@pytest.fixture
def many(indexed_many: Path, tmp_path: Path) -> Iterator[Library]:
    """20 tagged photos of each kind, ``warm/0.jpg`` ..., and 5 more without tags."""
    with opened_copy(indexed_many, tmp_path / "many") as library:
        yield library


@pytest.fixture
def few(indexed: Library) -> Library:
    """Photos 0..3 of each of two kinds are tagged with the kind; 4 and 5 are not."""
    for kind in ("warm", "cold"):
        indexed.tags.change([number(indexed, f"{kind}/{i}.jpg") for i in range(4)], [kind])
    return indexed


def test_tags_of_all_tagged_photos_give_correct_suggestions(many: Library) -> None:
    ranker = Ranker(many)
    assert len(learn(many, ranker).ids) == len(KINDS) * TAGGED
    report = finish(suggest(many, ranker))
    assert report.photos == 5 * len(KINDS)
    for kind in KINDS:
        for i in range(TAGGED, TAGGED + 5):
            photo_id = number(many, f"{kind}/{i}.jpg")
            assert confidence(report, photo_id, kind) > 0.8
            assert all(confidence(report, photo_id, other) < 0.3 for other in KINDS if other != kind)


def test_one_tagged_photo_of_each_kind_gives_useful_suggestions(many: Library) -> None:
    for kind in KINDS:
        many.tags.change([number(many, f"{kind}/{i}.jpg") for i in range(1, TAGGED)], remove=[kind, "drawn"])
        many.tags.change([number(many, f"{kind}/0.jpg")], remove=["drawn"])
    report = finish(suggest(many, Ranker(many), minimum_confidence=0.0))
    best = {i: found[0].tag for i, found in report.by_photo.items() if found}
    names = dict(zip(best, many.photos.paths(list(best)), strict=True))
    assert len(best) == 24 * len(KINDS)
    assert np.mean([names[i].parent.name == tag for i, tag in best.items()]) > 0.9


def test_photos_of_an_untagged_kind_get_no_confident_suggestions(many: Library) -> None:
    many.tags.change(many.photos.ids().tolist(), remove=["drawn", "green"])
    report = finish(suggest(many, Ranker(many)))
    green = [number(many, f"green/{i}.jpg") for i in range(TAGGED + 5)]
    wrong = [max((one.confidence for one in report.by_photo[i]), default=0.0) for i in green]
    right = [confidence(report, number(many, f"{k}/{i}.jpg"), k) for k in ("warm", "cold") for i in range(20, 25)]
    assert np.mean(right) > 0.7
    assert np.mean(wrong) < 0.4
    assert max(wrong) < 0.9


def test_suggestions_for_a_training_photo_come_from_the_others(many: Library) -> None:
    photo_id = number(many, "warm/0.jpg")
    many.tags.change([photo_id], remove=["warm", "drawn"], add=["cold"])  # wrong tags
    ranker = Ranker(many)
    learned = learn(many, ranker)
    found = learned.scores(np.array([photo_id])).tags
    assert found[0, learned.names.index("warm")] > found[0, learned.names.index("cold")]
    assert confidence(finish(suggest(many, ranker, [photo_id])), photo_id, "warm") > 0.5


def test_nothing_is_fitted_again_without_changes(many: Library) -> None:
    ranker = Ranker(many)
    first = learn(many, ranker)
    assert learn(many, ranker) is first
    pair = (number(many, "warm/20.jpg"), "cold")
    many.suggestions.reject([pair])
    second = learn(many, ranker)
    assert second is not first
    many.journal.undo()
    many.tags.change([number(many, "warm/21.jpg")], ["warm"])
    assert learn(many, ranker) is not second
    assert learn(many, Ranker(many)).learner is not first.learner


def test_rejections_of_similar_photos_lower_the_confidence(many: Library) -> None:
    target = number(many, "warm/24.jpg")
    before = confidence(finish(suggest(many, Ranker(many), [target])), target, "warm")
    many.suggestions.reject([(number(many, f"warm/{i}.jpg"), "warm") for i in range(20, 24)])
    report = finish(suggest(many, Ranker(many), [target]))
    assert 0 < confidence(report, target, "warm") < before - 0.05
    rejecting = {number(many, f"warm/{i}.jpg") for i in range(20, 24)}
    assert not rejecting & {supporter for one in report.by_photo[target] for supporter in one.supporters}


def test_rejections_count_with_a_few_tagged_photos(few: Library) -> None:
    target = number(few, "warm/5.jpg")
    before = confidence(finish(suggest(few, Ranker(few), [target])), target, "warm")
    other = number(few, "warm/4.jpg")
    few.suggestions.reject([(other, "warm")])
    report = finish(suggest(few, Ranker(few)))
    assert 0 < confidence(report, target, "warm") < before - 0.02
    assert confidence(report, other, "warm") == 0
    cold = number(few, "cold/5.jpg")
    assert confidence(report, cold, "cold") > 0.6
    assert confidence(report, cold, "warm") < 0.3


def test_one_tagged_photo_and_one_rejection_are_enough(indexed: Library) -> None:
    indexed.tags.change([number(indexed, "warm/0.jpg")], ["alone"])
    indexed.suggestions.reject([(number(indexed, "cold/0.jpg"), "alone")])
    report = finish(suggest(indexed, Ranker(indexed)))
    warm = confidence(report, number(indexed, "warm/1.jpg"), "alone")
    assert warm > confidence(report, number(indexed, "cold/1.jpg"), "alone")


def test_rejections_of_unused_tags_are_ignored(few: Library) -> None:
    photo_id = number(few, "warm/4.jpg")
    few.suggestions.reject([(photo_id, "elsewhere")])
    annotated = read_annotated(few, Ranker(few).gallery(), few.suggestions.rejected_pairs())
    assert photo_id not in annotated.ids
    assert confidence(finish(suggest(few, Ranker(few), [photo_id])), photo_id, "warm") > 0.5


def test_a_cancelled_fit_is_not_stored(many: Library) -> None:
    ranker = Ranker(many)
    job = suggest(many, ranker)
    while next(job).stage != "Learning from your tags":
        pass
    job.close()
    assert not many.suggestions.open()
    assert finish(suggest(many, ranker)).photos == 5 * len(KINDS)


def test_photos_edited_in_the_meantime_are_left_out_and_reported(many: Library) -> None:
    ranker = Ranker(many)
    job = suggest(many, ranker)
    while next(job).total != 5 * len(KINDS):
        pass
    gone = [number(many, f"warm/{i}.jpg") for i in (20, 21)]
    gallery = ranker.gallery()
    many.vectors.remove(gallery.loaded.key)
    for store in stores(many):
        store.forget(gone)
    report = finish(job)
    assert report.undescribed == gone
    assert report.photos == 5 * len(KINDS) - 2


# ---------------------------------------------------------------------- confidence
def test_a_metric_trained_on_tags_only_selects_the_supporting_neighbours(many: Library) -> None:
    plain = Ranker(many)
    before = finish(suggest(many, plain))
    finish(train(many, "tag-ratio"))
    ranker = Ranker(many)
    assert looks_for_tags(ranker, ranker.gallery()) is ranker.gallery("euclidean")
    after = finish(suggest(many, ranker))
    assert after.metric.name == "tag-ratio-1"
    for photo_id, found in before.by_photo.items():
        assert [(one.tag, one.confidence) for one in after.by_photo[photo_id]] == [
            (one.tag, one.confidence) for one in found
        ]


def test_tags_are_fitted_on_a_metric_trained_on_judgements(many: Library) -> None:
    ids = many.photos.ids().tolist()
    many.judgements.set(ids[0], ids[1:4], Verdict.SIMILAR)
    many.judgements.set(ids[0], ids[-4:], Verdict.DISSIMILAR)
    many.tags.change(ids, remove=["drawn", *KINDS])
    finish(train(many, "kernel"))
    ranker = Ranker(many)
    assert looks_for_tags(ranker, ranker.gallery()) is ranker.gallery()


def test_the_confidence_is_fitted_on_photos_outside_the_training_data_of_the_metric(
    library: Library, album: Album
) -> None:
    for i in range(60):
        album.draw(f"noise/{i}.jpg", kind="green", seed=i)
    finish(index(library, [album.folder], backend="threads", workers=1))
    rng = np.random.default_rng(0)
    for i in range(40):  # tags unrelated to looks
        library.tags.change([number(library, f"noise/{i}.jpg")], [f"word{rng.integers(4)}"])
    finish(train(library, "tag-ratio-kernel"))
    report = finish(suggest(library, Ranker(library)))
    surest = [max(one.confidence for one in each) for each in report.by_photo.values() if each]
    assert len(surest) == 20
    assert np.mean(surest) < 0.5  # one in four is right
    assert max(surest) < 0.6


def test_rejections_of_untagged_photos_lower_the_confidence(few: Library) -> None:
    cold = number(few, "cold/5.jpg")
    before = confidence(finish(suggest(few, Ranker(few), [cold])), cold, "cold")
    few.suggestions.reject([(number(few, f"warm/{i}.jpg"), "warm") for i in (4, 5)])
    after = confidence(finish(suggest(few, Ranker(few), [cold])), cold, "cold")
    # Cold was not rejected: only the general reliability of suggestions has fallen.
    assert after / (1 - after) < 0.5 * before / (1 - before)


def test_the_nearest_photos_can_vote_for_suggestions_too(many: Library) -> None:
    ranker = Ranker(many)
    asked = [number(many, f"{kind}/{i}.jpg") for kind in KINDS for i in range(TAGGED, TAGGED + 5)]
    truth = [kind for kind in KINDS for _ in range(5)]
    report = finish(suggest(many, ranker, asked, by="votes"))
    right = [
        {one.tag for one in report.by_photo[i][:2]} == {kind, "drawn"} for i, kind in zip(asked, truth, strict=True)
    ]
    assert sum(right) >= 13
    by_ridge = finish(suggest(many, ranker, asked))
    assert [confidence(report, i, "drawn") for i in asked] != [confidence(by_ridge, i, "drawn") for i in asked]
    SUGGEST_BY.set(many, "votes")
    assert finish(suggest(many, ranker, asked)).by_photo == report.by_photo


def test_votes_use_a_metric_trained_on_tags_and_regression_does_not(many: Library) -> None:
    metric = finish(train(many, "ml-dml"))
    ranker = Ranker(many)
    gallery = ranker.gallery(metric.name)
    assert looks_for_tags(ranker, gallery, by="votes") is gallery
    assert looks_for_tags(ranker, gallery) is ranker.gallery("euclidean")


def test_many_tagged_photos_use_more_axes(many: Library, album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    ranker = Ranker(many)
    few = learn(many, ranker)
    assert few.coordinates(few.ids).shape[1] == ranker.gallery().rows.shape[1]
    monkeypatch.setattr(learn_tags_module, "MIN_PHOTOS_FOR_MORE_AXES", 60)
    many.tags.change([number(many, "warm/0.jpg")], ["first"])
    learned = learn(many, ranker)
    assert isinstance(learned.learner, TagRidge)
    wide = finish(prepare_space(many, wide=True))
    np.testing.assert_allclose(learned.coordinates(learned.ids), coordinates(many, wide, learned.ids))
    asked = np.array([number(many, f"cold/{i}.jpg") for i in range(TAGGED, TAGGED + 5)])
    report = finish(suggest(many, ranker, asked.tolist()))
    assert all(confidence(report, i, "cold") > 0.8 for i in asked.tolist())


def test_photos_edited_during_the_fit_of_more_axes_do_not_affect_the_others(
    many: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranker = Ranker(many)
    gallery = ranker.gallery()
    annotated = read_annotated(many, gallery, set())
    finish(prepare_space(many, wide=True))
    for store in stores(many):
        store.forget([number(many, "warm/0.jpg")])
    monkeypatch.setattr(learn_tags_module, "MIN_PHOTOS_FOR_MORE_AXES", 60)
    learned = finish(learn_tags(many, gallery, annotated))
    assert learned.coordinates(learned.ids).shape[1] == gallery.rows.shape[1]


def test_families_are_not_weighted_under_a_trained_metric(many: Library) -> None:
    ids = many.photos.ids().tolist()
    many.judgements.set(ids[0], ids[1:4], Verdict.SIMILAR)
    many.judgements.set(ids[0], ids[-4:], Verdict.DISSIMILAR)
    finish(train(many, "kernel", use_tags=False))
    ranker = Ranker(many)
    learned = learn(many, ranker)
    assert learned.looks is ranker.gallery()
    assert isinstance(learned.learner, TagRidge)
    assert learned.learner.families == ()


@given(st.lists(st.sets(st.integers(0, 8), max_size=3), min_size=1, max_size=80), st.integers(1, 60))
def test_a_sample_contains_every_tag(photos: list[set[int]], most: int) -> None:
    places = [(i, tag) for i, tags in enumerate(photos) for tag in tags]
    i, j = np.array(places, dtype=int).reshape(-1, 2).T
    tags = sp.csr_array((np.ones(len(i)), (i, j)), shape=(len(photos), 9))
    chosen = with_rare_tags(tags, most)
    assert len(chosen) == min(most, len(photos))
    assert (np.diff(chosen) > 0).all()
    count, kept = (np.asarray(part.sum(axis=0)).ravel() for part in (tags, tags[chosen]))
    if most >= 18:
        assert (kept >= np.minimum(count, most // 18)).all()


def test_a_sample_is_random_except_for_rare_tags() -> None:
    tags = sp.lil_array((10_000, 3))
    tags[:5000, 0] = 1
    tags[5000:9990, 1] = 1
    tags[9990:, 2] = 1
    chosen = with_rare_tags(sp.csr_array(tags), 1000)
    kept = np.asarray(tags.tocsr()[chosen].sum(axis=0)).ravel()
    assert kept[2] == 10
    assert kept[:2] == pytest.approx([495, 495], abs=50)
    assert np.count_nonzero(chosen < 2500) == pytest.approx(250, abs=50), "the photos are drawn, not the first ones"


def test_the_rarest_of_too_many_tags_are_retained() -> None:
    tags = sp.lil_array((126, 12))
    for tag in range(6):
        tags[20 * tag : 20 * tag + 20, tag] = 1
        tags[120 + tag, 6 + tag] = 1
    assert with_rare_tags(sp.csr_array(tags), 6).tolist() == list(range(120, 126))
