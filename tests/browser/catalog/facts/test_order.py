# SPDX-License-Identifier: MIT
"""Orders of photos."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from focal_photos.browser.catalog.facts import files
from focal_photos.browser.catalog.facts.order import Order, largest_first, natural_key
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan

NAMES = ["b/img10.jpg", "b/img2.jpg", "a/IMG1.jpg", "a/img2.jpg", "c/2024-05.jpg"]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    folder = tmp_path / "photos"
    for number, name in enumerate(NAMES):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        side = 8 + 40 * number
        noise = np.random.default_rng(number).integers(0, 256, (side, side, 3), dtype=np.uint8)
        Image.fromarray(noise).save(folder / name)
    with Library.open(tmp_path / "library") as library:
        finish(scan(library, [folder]))
        yield library


def names(library: Library, order: Order, seed: int = 0) -> list[str]:
    photos = library.photos.sorted(library.photos.ids(), order, seed)
    return ["/".join(path.parts[-2:]) for path in library.photos.paths(photos)]


def by_name(library: Library) -> dict[str, int]:
    ids = library.photos.ids()
    return dict(zip(names(library, Order.FOLDER), ids.tolist(), strict=True))


def test_names_are_sorted_by_their_numbers(library: Library) -> None:
    assert names(library, Order.FOLDER) == sorted(NAMES)
    assert names(library, Order.NAME) == ["c/2024-05.jpg", "a/IMG1.jpg", "a/img2.jpg", "b/img2.jpg", "b/img10.jpg"]
    some = library.photos.ids("img2")
    assert library.photos.sorted(some, Order.NAME).tolist() == some.tolist()


def test_the_order_by_name_includes_later_photos(library: Library) -> None:
    names(library, Order.NAME)
    folder = library.roots.all()[0].path
    Image.new("RGB", (9, 9), "red").save(folder / "a" / "img1b.png")
    finish(scan(library, [folder]))
    assert names(library, Order.NAME)[2] == "a/img1b.png"


def test_the_newest_come_first_and_those_without_a_date_last(library: Library) -> None:
    ids = by_name(library)
    dates = {
        "a/img2.jpg": datetime(2020, 5, 1),
        "b/img10.jpg": datetime(2024, 1, 1),
        "c/2024-05.jpg": datetime(1960, 1, 1),
    }
    library.photos.set_descriptions([(ids[name], 4, 3, at) for name, at in dates.items()])
    assert names(library, Order.DATE) == ["b/img10.jpg", "a/img2.jpg", "c/2024-05.jpg", "a/IMG1.jpg", "b/img2.jpg"]


def test_the_best_come_first_and_rejected_ones_last(library: Library) -> None:
    ids = by_name(library)
    for name, rating in (("b/img2.jpg", 5), ("c/2024-05.jpg", 2), ("a/IMG1.jpg", -1)):
        library.marks.set([ids[name]], rating=rating)
    assert names(library, Order.RATING) == ["b/img2.jpg", "c/2024-05.jpg", "a/img2.jpg", "b/img10.jpg", "a/IMG1.jpg"]


def test_the_largest_come_first(library: Library) -> None:
    assert names(library, Order.SIZE) == NAMES[::-1]


def test_a_random_order_stays_until_another_is_requested(library: Library) -> None:
    ids = library.photos.ids()
    orders = [library.photos.sorted(ids, Order.RANDOM, seed).tolist() for seed in range(8)]
    assert library.photos.sorted(ids, Order.RANDOM, 3).tolist() == orders[3]
    assert len({tuple(order) for order in orders}) > 4
    without = ids[1:]
    kept = [photo for photo in orders[3] if photo != ids[0]]
    assert library.photos.sorted(without, Order.RANDOM, 3).tolist() == kept


@pytest.mark.parametrize("order", Order)
def test_no_photo_is_lost_or_repeated(library: Library, order: Order) -> None:
    assert sorted(names(library, order)) == sorted(NAMES)
    assert not len(library.photos.sorted(library.photos.ids()[:0], order))


@given(st.lists(st.text(max_size=8), max_size=20))
def test_any_names_can_be_sorted(texts: list[str]) -> None:
    keys = sorted(natural_key(text) for text in texts)
    assert len(keys) == len(texts)


def test_aspects_are_stored_when_photos_are_described(library: Library) -> None:
    ids = library.photos.ids()
    assert library.photos.aspects(ids).tolist() == [1.0] * 5
    library.photos.set_descriptions([(int(ids[2]), 300, 200, None)])
    assert library.photos.aspects(ids).tolist() == [1, 1, 1.5, 1, 1]
    assert library.photos.aspects(np.array([10_000, ids[2]])).tolist() == [1, 1.5]
    with Library.open(library.path, read_only=True) as other:
        assert other.photos.aspects(ids).tolist() == [1, 1, 1.5, 1, 1]


def test_case_does_not_matter() -> None:
    assert sorted(["b.jpg", "C.jpg", "a.jpg"], key=natural_key) == ["a.jpg", "b.jpg", "C.jpg"]


@given(st.lists(st.one_of(st.integers(-3, 3), st.integers(-(1 << 62), 1 << 62)), max_size=40))
def test_the_largest_numbers_come_first_and_equal_ones_stay_in_order(numbers: list[int]) -> None:
    values = np.array(numbers, np.int64)
    assert largest_first(values).tolist() == sorted(range(len(numbers)), key=lambda i: -numbers[i])


def test_orders_follow_later_ratings_and_dates(library: Library) -> None:
    ids = library.photos.ids()
    names(library, Order.RATING)
    library.marks.set([int(ids[3])], rating=5)
    library.marks.set([int(ids[1])], rating=-1)
    assert library.photos.sorted(ids, Order.RATING).tolist() == [*ids[[3, 0, 2, 4, 1]].tolist()]
    library.marks.set([int(ids[3])], rating=None)
    assert library.photos.sorted(ids, Order.RATING).tolist() == [*ids[[0, 2, 3, 4, 1]].tolist()]
    # Some of the photos, in reverse.
    assert library.photos.sorted(ids[[4, 1, 2]], Order.RATING).tolist() == ids[[4, 2, 1]].tolist()


@pytest.mark.parametrize("part", [1, 2, 3, 5000])
def test_names_of_present_files_are_those_of_their_paths(
    library: Library, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    monkeypatch.setattr(files, "_PART", part)
    first, *_, last = library.photos.paths(library.photos.ids())
    (last.parent / "again.jpg").write_bytes(first.read_bytes())
    finish(scan(library))
    paths = {photo: [str(path) for path in found] for photo, found in library.files.present().items()}
    listed = list(library.files.present_names())
    assert [len(found) for _, found in listed] == [*[1] * (len(paths) - 1), 2]
    assert {photo: [str(Path(*one)) for one in found] for photo, found in listed} == paths
    assert len(listed) == len(paths)
    assert len({id(folder) for _, found in listed for folder, _ in found}) == 3
