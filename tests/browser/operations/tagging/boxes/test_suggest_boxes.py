# SPDX-License-Identifier: MIT
"""Suggested boxes: found in other photos, left out where there are boxes, and improved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Progress, finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.queries.by_region import NoWindowsError, overlaps, prepare_regions
from focal_photos.browser.operations.tagging.boxes.exact_frames import exact_frames
from focal_photos.browser.operations.tagging.boxes.learn_boxes import learn_boxes, sides
from focal_photos.browser.operations.tagging.boxes.suggest_boxes import (
    MAX_PER_TAG,
    SuggestedBox,
    refine_boxes,
    suggest_boxes,
    suggest_exactly,
)
from focal_photos.features import table
from focal_photos.features.fitted.fisher_windows import WINDOWS
from tests.browser.catalog.albums import id_of
from tests.browser.copies import copied_with_photos
from tests.browser.operations.small_table import small_table
from tests.conftest import MadeOnce
from tests.features.fitted.test_fisher_windows import BARE, with_thing
from tests.features.pictures import scene

KINDS, PHOTOS, PLAIN = 2, 9, 10
PLACES = ((8, 8), (136, 8), (72, 72), (8, 72), (136, 72), (72, 8))
DRAWN = 4
"""Photos of each kind with a box."""


def region_of(number: int) -> Region:
    left, top = PLACES[number % len(PLACES)]
    return Region(left / 192, top / 128, (left + 48) / 192, (top + 48) / 128)


def draw(folder: Path) -> None:
    """Draw photos with one thing each, ``0-0.png`` ..., at different places, and photos without, ``plain-0.png`` ..."""
    folder.mkdir(parents=True)
    for kind in range(KINDS):
        for number in range(PHOTOS):
            pixels = with_thing(20 * kind + number, 100 + kind, *PLACES[number % len(PLACES)]).rgb
            Image.fromarray(pixels).save(folder / f"{kind}-{number}.png")
    for number in range(PLAIN):
        Image.fromarray(scene(192, 128, seed=200 + number)).save(folder / f"plain-{number}.png")


@pytest.fixture
def bare(made_once: MadeOnce, tmp_path: Path) -> Iterator[Library]:
    """Library of the photos with their windows, without boxes."""

    def fill(folder: Path) -> None:
        draw(folder / "photos")
        with Library.open(folder / "library") as library:
            set_enabled(library, ["mean", BARE.shape.name, BARE.color.name])
            prepare_regions(library)
            finish(index(library, [folder / "photos"], backend="threads", workers=1))

    with small_table():
        table.DESCRIPTORS.update({one.name: one for one in (BARE.shape, BARE.color)})
        table.CODE_DESCRIPTORS[BARE.name] = BARE
        made = copied_with_photos(made_once("suggested-boxes", fill), tmp_path / "photos", tmp_path / "library")
        with Library.open(made) as library:
            yield library


def photo(library: Library, name: str) -> int:
    folder = library.path.parent / "photos"
    return id_of(library, folder / name)


@pytest.fixture
def drawn(bare: Library) -> Library:
    bare.boxes.add(
        (photo(bare, f"{kind}-{number}.png"), region_of(number), f"kind{kind}")
        for kind in range(KINDS)
        for number in range(DRAWN)
    )
    return bare


def name_of(library: Library, found: SuggestedBox) -> str:
    return library.photos.paths([found.photo_id])[0].stem


def test_the_surest_boxes_of_a_tag_are_those_of_its_things(drawn: Library) -> None:
    found = finish(suggest_boxes(drawn))
    first = [one for kind in range(KINDS) for one in [one for one in found if one.tag == f"kind{kind}"][:3]]
    wanted = {(f"{kind}-{number}", f"kind{kind}") for kind in range(KINDS) for number in range(DRAWN, PHOTOS)}
    assert len(first) == 3 * KINDS
    assert {(name_of(drawn, one), one.tag) for one in first} <= wanted
    assert [one.confidence for one in found] == sorted((one.confidence for one in found), reverse=True)
    assert all(0 < one.confidence <= 1 for one in found)
    for one in first:
        thing = region_of(int(name_of(drawn, one).split("-")[1]))
        middle = (one.region.x0 + one.region.x1) / 2, (one.region.y0 + one.region.y1) / 2
        assert thing.x0 < middle[0] < thing.x1
        assert thing.y0 < middle[1] < thing.y1


def test_a_single_example_is_not_repeated_in_its_photo_and_makes_no_other_sure(bare: Library) -> None:
    example = photo(bare, "0-0.png")
    bare.boxes.add([(example, region_of(0), "kind0")])
    bare.tags.change([photo(bare, "0-1.png")], ["kind0"])
    for found in (finish(suggest_boxes(bare)), finish(suggest_exactly(bare))):
        assert found
        assert example not in {one.photo_id for one in found}, "its parts resemble the example"
        assert max(one.confidence for one in found) < 0.5, "no frame was compared with a true one"


def test_boxes_of_a_tag_are_apart_from_each_other_and_from_drawn_ones(drawn: Library) -> None:
    found = finish(suggest_boxes(drawn))
    pairs = {(one.photo_id, one.tag) for one in found}
    assert len(found) > len(pairs), "some photos get several"
    for photo_id, tag in pairs:
        places = [one.region for one in found if (one.photo_id, one.tag) == (photo_id, tag)]
        assert len(places) <= MAX_PER_TAG
        boxes = [box.region for box in drawn.boxes.all() if (box.photo_id, box.tag) == (photo_id, tag)]
        assert all(overlap(place, box) < 0.5 for place in places for box in boxes)
        assert all(overlap(one, other) < 0.5 for one, other in combinations(places, 2))


@pytest.fixture
def with_twins(drawn: Library) -> Library:
    """The library with two photos that show two things of a kind; one of these four things has a box."""
    folder = drawn.path.parent / "photos"
    for number in range(2):
        pixels = with_thing(300 + number, 100, *PLACES[0]).rgb.copy()
        left, top = PLACES[4]
        pixels[top : top + 48, left : left + 48] = with_thing(310 + number, 100, left, top).rgb[
            top : top + 48, left : left + 48
        ]
        Image.fromarray(pixels).save(folder / f"twins-{number}.png")
    finish(index(drawn, backend="threads", workers=1))
    drawn.boxes.add([(photo(drawn, "twins-0.png"), region_of(0), "kind0")])
    return drawn


def test_each_of_several_things_gets_a_box(with_twins: Library) -> None:
    found = finish(suggest_boxes(with_twins))
    boxes = [one for one in found if (name_of(with_twins, one), one.tag) == ("twins-1", "kind0")]
    assert max(overlap(one.region, region_of(0)) for one in boxes[:2]) > 0.3
    assert max(overlap(one.region, region_of(4)) for one in boxes[:2]) > 0.3


def test_a_photo_with_a_box_gets_another_for_its_other_thing(with_twins: Library) -> None:
    found = finish(suggest_boxes(with_twins))
    (first, *_) = [one for one in found if (name_of(with_twins, one), one.tag) == ("twins-0", "kind0")]
    assert overlap(first.region, region_of(4)) > 0.3


def test_several_boxes_in_a_photo_raise_the_confidence_of_further_ones(with_twins: Library) -> None:
    before = finish(learn_boxes(with_twins)).again
    with_twins.boxes.add([(photo(with_twins, "twins-0.png"), region_of(4), "kind0")])
    assert finish(learn_boxes(with_twins)).again > before > 0


def test_tags_and_photos_can_be_chosen(drawn: Library) -> None:
    chosen = np.array([photo(drawn, f"1-{number}.png") for number in range(PHOTOS)])
    found = finish(suggest_boxes(drawn, tags=["kind1"], allowed=chosen))
    assert {one.tag for one in found} == {"kind1"}
    assert set(chosen[DRAWN:].tolist()) <= {one.photo_id for one in found} <= set(chosen.tolist())


def test_a_missing_photo_gets_no_suggestion(drawn: Library) -> None:
    (drawn.path.parent / "photos" / "1-8.png").unlink()
    finish(index(drawn, backend="threads", workers=1))
    assert "1-8" not in {name_of(drawn, one) for one in finish(suggest_boxes(drawn))}


def test_without_named_boxes_there_is_nothing_to_learn(bare: Library) -> None:
    with pytest.raises(NothingToLearnError, match="No box is named yet"):
        finish(suggest_boxes(bare))
    bare.boxes.add([(photo(bare, "0-0.png"), region_of(0), None)])
    with pytest.raises(NothingToLearnError, match="name them by a tag"):
        finish(suggest_boxes(bare))


def test_without_windows_the_command_is_named(indexed: Library) -> None:
    with pytest.raises(NoWindowsError, match="focal descriptors --on"):
        finish(suggest_boxes(indexed))


def test_refined_frames_overlap_more(drawn: Library) -> None:
    found = [one for one in finish(suggest_boxes(drawn)) if name_of(drawn, one)[0] == one.tag[-1]]
    refined = finish(refine_boxes(drawn, found))
    assert [one[:1] + one[2:] for one in refined] == [one[:1] + one[2:] for one in found]

    def mean(boxes: list[SuggestedBox]) -> float:
        return float(np.mean([overlap(one.region, region_of(int(name_of(drawn, one)[2:]))) for one in boxes]))

    assert mean(refined) > mean(found)


def overlap(one: Region, other: Region) -> float:
    """Return the intersection of two regions over their union."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    shared = max(width, 0) * max(height, 0)
    areas = [(each.x1 - each.x0) * (each.y1 - each.y0) for each in (one, other)]
    return shared / (sum(areas) - shared)


def test_a_photo_that_cannot_be_read_keeps_its_frame(drawn: Library) -> None:
    found = finish(suggest_boxes(drawn))[:1]
    drawn.photos.paths([found[0].photo_id])[0].write_bytes(b"no photo")
    assert finish(refine_boxes(drawn, found)) == found


def test_exactly_described_boxes_have_better_frames_and_are_surer(drawn: Library) -> None:
    by_windows = finish(suggest_boxes(drawn))
    seen: list[Progress] = []
    found = finish(suggest_exactly(drawn), seen.append)
    assert any(one.stage == "Comparing parts of photos" and one.total == one.done for one in seen)

    def right(some: list[SuggestedBox]) -> list[SuggestedBox]:
        return [one for one in some if name_of(drawn, one)[0] == one.tag[-1] and int(name_of(drawn, one)[2:]) >= DRAWN]

    def of_one(some: list[SuggestedBox]) -> dict[tuple[int, str], SuggestedBox]:
        return {(one.photo_id, one.tag): one for one in reversed(some)}

    before, after = of_one(right(by_windows)), of_one(right(found))
    assert len(after) == KINDS * (PHOTOS - DRAWN)
    assert np.mean([one.confidence for one in after.values()]) > np.mean([one.confidence for one in before.values()])
    wrong = [one.confidence for one in found if (one.photo_id, one.tag) not in after]
    assert min(one.confidence for one in after.values()) > np.median(wrong)
    assert finish(suggest_boxes(drawn)) == found, "the descriptions are cached"


def test_boxes_of_a_single_tag_are_compared_with_parts_of_other_photos(drawn: Library) -> None:
    finish(suggest_exactly(drawn, tags=["kind1"]))
    parts = {sides for _, sides in exact_frames(drawn).parts}
    assert len(parts & {tuple(map(float, window)) for window in WINDOWS.astype(np.float64)}) > 1


def test_describing_can_be_cancelled_and_goes_on_where_it_stopped(drawn: Library) -> None:
    job = suggest_exactly(drawn)
    done = next(one.done for one in job if one.stage == "Comparing parts of photos" and one.done)
    job.close()
    seen: list[Progress] = []
    finish(suggest_exactly(drawn), seen.append)
    total = next(one.total for one in seen if one.stage == "Comparing parts of photos" and one.total is not None)
    assert total <= KINDS * PHOTOS + PLAIN - done


def test_an_accepted_box_is_not_described_again(drawn: Library) -> None:
    first = finish(suggest_exactly(drawn))[0]
    drawn.boxes.add([(first.photo_id, first.region, first.tag)])
    (photo_,) = drawn.photos.get([first.photo_id])
    assert exact_frames(drawn).part(photo_.content_hash, first.tag, sides(first.region)) is not None


def test_overlaps_of_windows_are_those_of_regions() -> None:
    region = region_of(2)
    assert overlaps(region).tolist() == pytest.approx([overlap(region, Region(*map(float, one))) for one in WINDOWS])


def test_rejected_boxes_do_not_return(drawn: Library) -> None:
    before = finish(suggest_boxes(drawn))[0]
    drawn.boxes.reject([(before.photo_id, before.region, before.tag)])
    after = [one for one in finish(suggest_boxes(drawn)) if one[::2] == before[::2]]
    assert all(overlap(one.region, before.region) < 0.5 for one in after)
    assert all(one.confidence < before.confidence for one in after)


def test_a_tag_that_was_rejected_for_a_photo_is_not_suggested(drawn: Library) -> None:
    first = finish(suggest_boxes(drawn))[0]
    drawn.suggestions.reject([(first.photo_id, first.tag)])
    assert first[::2] not in {one[::2] for one in finish(suggest_boxes(drawn))}


def test_a_photo_with_the_tag_is_sure_to_show_it(drawn: Library) -> None:
    (before, *_) = [one for one in finish(suggest_boxes(drawn)) if name_of(drawn, one) == "0-5" and one.tag == "kind0"]
    drawn.tags.change([before.photo_id], ["kind0"])
    (after, *_) = [one for one in finish(suggest_boxes(drawn)) if name_of(drawn, one) == "0-5" and one.tag == "kind0"]
    assert after.region == before.region
    assert after.confidence > before.confidence


def test_a_job_can_be_closed_and_reports_progress(drawn: Library) -> None:
    job = suggest_boxes(drawn)
    next(job)
    job.close()
    seen: list[Progress] = []
    finish(suggest_boxes(drawn), seen.append)
    assert {str(one.stage) for one in seen} == {"Learning from your boxes", "Suggesting boxes"}
    assert seen[-1].done == seen[-1].total == KINDS * PHOTOS + PLAIN


def test_what_was_learned_is_cached_until_a_box_changes(drawn: Library) -> None:
    first = finish(learn_boxes(drawn))
    assert finish(learn_boxes(drawn)) is first
    drawn.boxes.add([(photo(drawn, "0-5.png"), region_of(5), "kind0")])
    assert finish(learn_boxes(drawn)) is not first
