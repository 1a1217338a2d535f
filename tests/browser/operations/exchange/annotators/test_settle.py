# SPDX-License-Identifier: MIT
"""Disagreements are found and settled, one step of undo each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.annotators.compare import Comparison, compare_annotators
from focal_photos.browser.operations.exchange.annotators.settle import settle_disagreement
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.operations.album import Album
from tests.examples import examples

TAGS = ("fox", "hare", "animal/owl")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, Library]]:
    folder = tmp_path_factory.mktemp("pair")
    album = Album(folder / "photos")
    album.draw_kinds(each=4)
    with Library.open(folder / "own") as own, Library.open(folder / "other") as other:
        for library in (own, other):
            finish(scan(library, [album.folder]))
        yield own, other


def compared(pair: tuple[Library, Library], *, untagged: bool = False) -> Comparison:
    return finish(compare_annotators(pair[0], [pair[1].path], untagged=untagged))


def set_tags(library: Library, carried: list[set[str]]) -> None:
    for photo_id, names in zip(library.photos.ids().tolist(), carried, strict=True):
        library.tags.change([photo_id], sorted(names), sorted(set(TAGS) - names))


@given(
    st.lists(st.sets(st.sampled_from(TAGS)), min_size=8, max_size=8),
    st.lists(st.sets(st.sampled_from(TAGS)), min_size=8, max_size=8),
    st.booleans(),
)
@settings(max_examples=examples(25), deadline=None)
def test_the_list_is_what_the_tags_say(
    pair: tuple[Library, Library], own: list[set[str]], other: list[set[str]], untagged: bool
) -> None:
    set_tags(pair[0], own)
    set_tags(pair[1], other)
    ids = pair[0].photos.ids().tolist()
    wanted = {
        (photo_id, tag)
        for photo_id, mine, theirs in zip(ids, own, other, strict=True)
        for tag in mine ^ theirs
        if untagged or (mine and theirs)
    }
    found = compared(pair, untagged=untagged)
    assert {(one.photo_id, one.tag) for one in found.disagreements} == wanted
    assert sum(one.disagreements for one in found.tags) == len(wanted)
    back = finish(compare_annotators(pair[1], [pair[0].path], untagged=untagged))
    for one, two in zip(
        sorted(found.tags, key=lambda each: each.tag), sorted(back.tags, key=lambda each: each.tag), strict=True
    ):
        assert (one.tag, one.photos, one.carried) == (two.tag, two.photos, two.carried[::-1])
        assert one.kappa.value == pytest.approx(two.kappa.value, nan_ok=True)
        assert one.alpha.value == pytest.approx(two.alpha.value, nan_ok=True)


def test_a_refused_tag_is_an_answer_on_an_untagged_photo(pair: tuple[Library, Library]) -> None:
    own, other = pair
    set_tags(own, [{"fox"}] * 8)
    set_tags(other, [set()] * 8)
    assert compared(pair).disagreements == ()
    first = int(other.photos.ids()[0])
    other.suggestions.reject([(first, "fox")])
    (one,) = compared(pair).disagreements
    assert (one.photo_id, one.tag, one.answers, one.answered) == (int(own.photos.ids()[0]), "fox", (True, False), False)
    other.journal.undo()


@pytest.mark.parametrize("present", [True, False])
@pytest.mark.parametrize("carried", [True, False])
def test_a_disagreement_is_settled_in_one_step(pair: tuple[Library, Library], present: bool, carried: bool) -> None:
    own, other = pair
    set_tags(own, [{"hare", "fox"} if carried else {"hare"}] * 8)
    set_tags(other, [{"hare"} if carried else {"hare", "fox"}] * 8)
    found = compared(pair)
    assert len(found.disagreements) == 8
    one = found.disagreements[3]
    before = own.tags.of([one.photo_id])
    changes = settle_disagreement(own, one.photo_id, one.tag, present=present)
    assert changes.label.startswith("Settle fox")
    assert ("fox" in own.tags.of([one.photo_id])[one.photo_id]) is present
    after = compared(pair).disagreements
    settled = [each for each in after if each.photo_id == one.photo_id]
    if present is carried:
        assert settled == [after[-1]], "it is still a disagreement, but comes last"
        assert settled[0].answered
    else:
        assert settled == [], "both say the same now"
    assert own.journal.undo().label == changes.label
    assert own.tags.of([one.photo_id]) == before
    assert compared(pair).disagreements == found.disagreements


def test_other_libraries_are_not_changed(pair: tuple[Library, Library]) -> None:
    files = {path: path.read_bytes() for path in pair[1].path.iterdir() if path.is_file()}
    compared(pair)
    assert {path: path.read_bytes() for path in pair[1].path.iterdir() if path.is_file()} == files
