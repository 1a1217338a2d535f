# SPDX-License-Identifier: MIT
"""Photos of another world do not move the space in which tags are learned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates, current_space
from focal_photos.browser.operations.tagging import learn_tags as learn_tags_module
from focal_photos.browser.operations.tagging import plausible as plausible_module
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.foreign_photos import ForeignPhotos, compare_with_tagged
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags
from focal_photos.browser.operations.tagging.plausible import (
    MIN_FOREIGN_SHARE,
    PlausiblePhotos,
    are_left_out,
    find_plausible,
)
from focal_photos.learners.core.learner.base import ProgressReport, no_report
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import build
from tests.browser.copies import opened_copy
from tests.browser.operations.three_kinds import KINDS, of_kind

TAGGED = 6


@pytest.fixture(autouse=True)
def _few_photos(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out foreign photos of small libraries, too."""
    monkeypatch.setattr(plausible_module, "TAGGED", 3 * TAGGED)
    monkeypatch.setattr(plausible_module, "MIN_PHOTOS", 30)


@pytest.fixture
def alone(three_folder: Path, tmp_path: Path) -> Iterator[Library]:
    """The same known photos without foreign ones."""
    with opened_copy(three_folder, tmp_path / "alone") as library:
        yield library


def tag(library: Library, each: int = TAGGED) -> None:
    for kind in KINDS:
        library.tags.change(of_kind(library, kind)[:each], [kind])


def known_of(library: Library) -> list[int]:
    return [photo_id for kind in KINDS for photo_id in of_kind(library, kind)]


def learned_of(ranker: Ranker, library: Library) -> LearnedTags:
    gallery = ranker.gallery()
    return finish(learn_tags(library, gallery, read_annotated(library, gallery, set())))


def plausible_of(ranker: Ranker, library: Library) -> PlausiblePhotos | None:
    gallery = ranker.gallery()
    annotated = read_annotated(library, gallery, set())
    foreign = compare_with_tagged(library, gallery, annotated.ids, annotated.tags, library.photos.ids("untagged"))
    assert foreign is not None
    return find_plausible(library, gallery, foreign, annotated.ids)


@pytest.mark.parametrize(
    ("foreign", "tagged", "left_out"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 0, 1, 1], 18, True),
        ([0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 18, False),  # not more than a tenth
        ([0, 0, 0, 0, 0, 0, 0, 0, 1, 1], 17, False),
        ([0, 0, 0, 1, 1, 1, 1, 1, 1, 1], 18, True),  # 30 of 100 are left
        ([0, 0, 1, 1, 1, 1, 1, 1, 1, 1], 18, False),
    ],
)
def test_foreign_photos_are_left_out_if_they_and_the_others_are_enough(
    foreign: list[int], tagged: int, left_out: bool
) -> None:
    assert are_left_out(np.array(foreign, bool), tagged, 100) is left_out


def test_the_space_and_the_neighbourhoods_are_those_of_a_library_without_foreign_photos(
    two_worlds: Library, alone: Library
) -> None:
    tag(two_worlds)
    found = plausible_of(Ranker(two_worlds), two_worlds)
    assert found is not None
    assert found.neighborhoods is not None
    ids = np.array(sorted(known_of(alone)))
    expected = coordinates(alone, current_space(alone), ids)
    here = np.array(sorted(known_of(two_worlds)))
    np.testing.assert_allclose(found.coordinates(here), expected, atol=1e-5)
    order = Ranker(two_worlds).gallery().row_table[here]
    shared = found.neighborhoods.shared(order.astype(np.intp)).toarray()
    assert shared.shape == (len(here), len(two_worlds.photos.ids()))
    by_definition = build(FloatGallery(expected)).shared(np.arange(len(ids))).toarray()
    np.testing.assert_allclose(shared[:, order], by_definition, atol=1e-4)
    foreign = Ranker(two_worlds).gallery().row_table[of_kind(two_worlds, "foreign")]
    assert shared[:, foreign].max() == 0
    graph = found.neighborhoods.mutual()
    assert graph.shape == (len(two_worlds.photos.ids()),) * 2
    assert graph[foreign].nnz == 0
    assert graph[order].nnz == graph.nnz > 0


@pytest.mark.parametrize("several", [False, True])
def test_photos_of_another_world_hardly_change_the_suggestions_for_known_ones(
    two_worlds: Library, alone: Library, several: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given that a photo has one of the tags: "none of these" differs, as the library does have foreign photos."""

    def suggested(library: Library) -> NDArray[np.float64]:
        sure = learned_of(Ranker(library), library).confidences(np.array(sorted(known_of(library))))
        return np.asarray(sure.tags / (1 - sure.none)[:, None])

    for library in (two_worlds, alone):
        tag(library)
        if several:
            library.tags.change(known_of(library)[::2], ["drawn"])
    expected = suggested(alone)
    np.testing.assert_allclose(suggested(two_worlds), expected, atol=0.03)
    monkeypatch.setattr(learn_tags_module, "find_plausible", lambda *_, **__: None)
    assert np.abs(suggested(two_worlds) - expected).max() > 0.03


def test_a_folder_with_few_foreign_photos_is_not_divided(two_worlds: Library) -> None:
    tag(two_worlds)
    gallery = Ranker(two_worlds).gallery()
    annotated = read_annotated(two_worlds, gallery, set())
    untagged = two_worlds.photos.ids("untagged")
    foreign = compare_with_tagged(two_worlds, gallery, annotated.ids, annotated.tags, untagged)
    assert foreign is not None
    assert foreign.folders is not None
    strange, known = np.array(of_kind(two_worlds, "foreign")), np.array(known_of(two_worlds))
    assert foreign.shares(strange).min() > foreign.odds.share_ > foreign.shares(known).max()
    # Larger folders of known photos, in which all look foreign.
    folders = replace(foreign.folders, shares=np.where(foreign.folders.shares > 0.5, 0.9, MIN_FOREIGN_SHARE))
    foreign = replace(foreign, folders=folders, log_odds=np.full(len(foreign.ids), 9.0))
    found = find_plausible(two_worlds, gallery, foreign, annotated.ids)
    assert found is not None
    assert found.neighborhoods is not None
    covered = found.neighborhoods.graph.covered
    assert covered is not None
    assert gallery.ids[covered].tolist() == sorted(known.tolist())


def test_a_library_without_foreign_photos_is_learned_from_as_before(
    three: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag(three)
    assert plausible_of(Ranker(three), three) is None
    ids = np.array(sorted(known_of(three)))
    now = learned_of(Ranker(three), three).confidences(ids)
    monkeypatch.setattr(learn_tags_module, "find_plausible", lambda *_, **__: None)
    before = learned_of(Ranker(three), three).confidences(ids)
    np.testing.assert_array_equal(now.tags, before.tags)


def test_answers_move_neighbourhoods_and_space_if_many_photos_changed_sides(
    two_worlds: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag(two_worlds)
    ranker = Ranker(two_worlds)
    foreign = np.array(of_kind(two_worlds, "foreign"))
    left_out = foreign

    def are_foreign(_: ForeignPhotos, ids: NDArray[np.int64], tagged: object) -> NDArray[np.bool_]:
        return np.isin(ids, left_out)

    monkeypatch.setattr(plausible_module, "_are_foreign", are_foreign)
    first = plausible_of(ranker, two_worlds)
    assert first is not None
    left_out = foreign[4:]  # 4 photos beside 42 plausible ones
    assert plausible_of(ranker, two_worlds) is first
    left_out = foreign[5:]
    second = plausible_of(ranker, two_worlds)
    assert second is not None
    assert second.neighborhoods is not first.neighborhoods
    assert second.space is first.space
    left_out = foreign[21:]  # 21 photos beside 42
    third = plausible_of(ranker, two_worlds)
    assert third is not None
    assert third.space is first.space
    left_out = foreign[30:]
    fourth = plausible_of(ranker, two_worlds)
    assert fourth is not None
    assert fourth.space is not first.space
    left_out = foreign[:0]
    assert plausible_of(ranker, two_worlds) is None
    left_out = foreign[:8]
    assert plausible_of(ranker, two_worlds) is None


def test_a_photo_tagged_later_is_plausible(two_worlds: Library) -> None:
    """All its neighbours may count as foreign: it has none, but its tag is learned."""
    tag(two_worlds)
    ranker = Ranker(two_worlds)
    assert plausible_of(ranker, two_worlds) is not None
    two_worlds.tags.change(of_kind(two_worlds, "foreign")[:2], ["squares"])
    learned = learned_of(ranker, two_worlds)
    squares = learned.names.index("squares")
    best = learned.scores(np.array(of_kind(two_worlds, "foreign")[2:])).tags.argmax(axis=1)
    assert (best == squares).mean() > 0.9


def test_learning_is_cancelled_and_starts_again(two_worlds: Library) -> None:
    tag(two_worlds)
    gallery = Ranker(two_worlds).gallery()
    annotated = read_annotated(two_worlds, gallery, set())
    foreign = compare_with_tagged(two_worlds, gallery, annotated.ids, annotated.tags, two_worlds.photos.ids("untagged"))
    assert foreign is not None

    def stop(_: float) -> None:
        raise InterruptedError

    reports: tuple[ProgressReport, ...] = (stop, no_report)
    with pytest.raises(InterruptedError):
        find_plausible(two_worlds, gallery, foreign, annotated.ids, progress=reports[0])
    assert find_plausible(two_worlds, gallery, foreign, annotated.ids, progress=reports[1]) is not None


def test_a_large_library_has_the_space_without_neighbourhoods(
    two_worlds: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag(two_worlds)
    whole = plausible_of(Ranker(two_worlds), two_worlds)
    monkeypatch.setattr(plausible_module, "MAX_PHOTOS", len(two_worlds.photos.ids()) - 1)
    found = plausible_of(Ranker(two_worlds), two_worlds)
    assert whole is not None
    assert found is not None
    assert found.neighborhoods is None
    ids = np.array(known_of(two_worlds))
    distances = [pdist(one.coordinates(ids)) for one in (found, whole)]  # one photo less in the sample
    assert np.corrcoef(*distances)[0, 1] > 0.98


def test_an_edited_photo_leaves_the_space_of_the_library(two_worlds: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    tag(two_worlds)

    def edited(*_: object, **__: object) -> None:
        raise KeyError("The photo is not described.")

    monkeypatch.setattr(plausible_module, "space_among", edited)
    assert plausible_of(Ranker(two_worlds), two_worlds) is None
    learned = learned_of(Ranker(two_worlds), two_worlds)
    assert learned.confidences(np.array(known_of(two_worlds))).tags.shape == (len(known_of(two_worlds)), 3)


def test_a_learned_metric_keeps_its_coordinates(two_worlds: Library) -> None:
    tag(two_worlds)
    gallery = Ranker(two_worlds).gallery()
    annotated = read_annotated(two_worlds, gallery, set())
    foreign = compare_with_tagged(two_worlds, gallery, annotated.ids, annotated.tags, two_worlds.photos.ids("untagged"))
    assert foreign is not None
    trained = replace(gallery, loaded=replace(gallery.loaded, learner=object()))  # type: ignore[arg-type]
    assert find_plausible(two_worlds, trained, foreign, annotated.ids) is None


def test_many_tags_are_learned_in_a_wide_space(two_worlds: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    tag(two_worlds)
    monkeypatch.setattr(learn_tags_module, "MIN_PHOTOS_FOR_MORE_AXES", 3 * TAGGED)
    learned = learned_of(Ranker(two_worlds), two_worlds)
    ids = np.array(of_kind(two_worlds, "warm")[TAGGED:])
    assert (learned.confidences(ids).tags.argmax(axis=1) == learned.names.index("warm")).mean() > 0.8
    assert not list((two_worlds.path / "derived").glob("wide-*"))
