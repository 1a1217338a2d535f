# SPDX-License-Identifier: MIT
"""Photos that are described while no other is, and when."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image

from focal_photos.browser.operations.workers.executor import ThreadExecutor
from focal_photos.browser.operations.workers.photo_tasks import (
    BYTES_PER_PIXEL,
    MOST_BYTES_PER_PIXEL,
    PhotoTask,
    describe_photo,
    is_heavy,
)
from focal_photos.browser.operations.workers.process_executor import ProcessExecutor, background_pool
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.decoding.limits import DecodeLimits
from focal_photos.features.description import DescriptionPlan
from tests.browser.operations.album import Album
from tests.browser.operations.strange import DEADLY, Strange, paint

NAMES = ("color_moments",)
PLAN = DescriptionPlan((ColorMoments(),))
MEMORY = 700 << 20


def draw(path: Path, width: int, height: int) -> Path:
    Image.new("L", (width, height), 90).save(path, compress_level=1)
    return path


def test_a_photo_is_heavy_according_to_its_header(tmp_path: Path) -> None:
    path = draw(tmp_path / "wide.png", 400, 10)
    need = 4000 * BYTES_PER_PIXEL["PNG"]
    assert not is_heavy(path, PLAN, need)
    assert is_heavy(path, PLAN, need - 1)
    assert not is_heavy(path, DescriptionPlan(limits=DecodeLimits(max_pixels=100)), need - 1)  # refused anyway
    (tmp_path / "text.png").write_text("no photo")
    assert not is_heavy(tmp_path / "text.png", PLAN, 0)  # its error is reported by the description
    assert not is_heavy(tmp_path / "nothing.png", PLAN, 0)


@pytest.mark.parametrize(("kind", "bytes_per_pixel"), [("JPEG", 4), ("WEBP", 17), ("BMP", MOST_BYTES_PER_PIXEL)])
def test_the_weight_of_a_photo_depends_on_its_format(tmp_path: Path, kind: str, bytes_per_pixel: int) -> None:
    Image.new("RGB", (100, 40)).save(tmp_path / "photo", kind)
    assert not is_heavy(tmp_path / "photo", PLAN, 4000 * bytes_per_pixel)
    assert is_heavy(tmp_path / "photo", PLAN, 4000 * bytes_per_pixel - 1)


def test_threads_and_other_backends_describe_heavy_photos_one_at_a_time(tmp_path: Path) -> None:
    heavy = PhotoTask(0, draw(tmp_path / "heavy.png", 400, 300), NAMES)
    light = PhotoTask(1, draw(tmp_path / "light.png", 30, 20), NAMES)
    executor = ThreadExecutor(PLAN, 2, 2 * 400 * 300 * 9 - 1)
    try:
        first = executor.submit([heavy, light]).result(60)
        assert [result.try_alone for result in first] == [True, False]
        executor.continue_alone()
        (again,) = executor.submit([heavy]).result(60)
        assert again.description is not None
    finally:
        executor.close()


@pytest.mark.slow
def test_heavy_photos_wait_until_no_other_is_described(tmp_path: Path) -> None:
    heavy = PhotoTask(0, draw(tmp_path / "heavy.png", 10_000, 6_200), NAMES)  # estimated at 558 MB
    light = PhotoTask(1, draw(tmp_path / "light.png", 300, 200), NAMES)
    executor = ProcessExecutor(PLAN, 2, MEMORY)
    try:
        first = executor.submit([heavy, light]).result(60)
        assert [result.try_alone for result in first] == [True, False]
        assert first[1].description is not None
        executor.continue_alone()
        (again,) = executor.submit([heavy]).result(60)
        assert (again.failure, again.try_alone) == ("", False)
        assert again.description is not None
    finally:
        executor.close()


def test_a_single_process_may_use_all_memory(tmp_path: Path) -> None:
    executor = ProcessExecutor(PLAN, 1, MEMORY)
    try:
        (result,) = executor.submit([PhotoTask(0, draw(tmp_path / "heavy.png", 10_000, 6_200), NAMES)]).result(60)
        assert result.description is not None
    finally:
        executor.close()


@pytest.mark.slow
@pytest.mark.parametrize("others", [0, 3])
def test_a_photo_with_a_dead_process_is_to_be_tried_alone_and_the_next_ones_are_described(
    album: Album, others: int
) -> None:
    paths = [*album.draw_many(others), paint(album.path("deadly.png"), DEADLY), *album.draw_many(2)]
    executor = ProcessExecutor(DescriptionPlan((Strange(),)), 1)
    try:
        results = executor.submit([PhotoTask(n, path, ("strange",)) for n, path in enumerate(paths)]).result(60)
        assert [result.task.photo_id for result in results if result.try_alone] == [others]
        assert [result.task.photo_id for result in results if result.description is None] == [others]
        executor.continue_alone()
        (again,) = executor.submit([results[others].task]).result(60)
        assert "ended the process" in again.failure
    finally:
        executor.close()


def test_lack_of_memory_is_not_a_final_failure_of_the_photo(album: Album) -> None:
    plan = DescriptionPlan((ColorMoments(),), DecodeLimits(max_pixels=100))
    result = describe_photo(PhotoTask(0, album.draw("a.jpg"), NAMES), plan)
    assert "declares 6,144 pixels" in result.failure
    assert result.lasting
    assert result.try_alone


def test_a_photo_tried_alone_has_the_memory_of_all_lent_processes(album: Album) -> None:
    task = PhotoTask(0, album.draw("a.jpg"), NAMES)
    with closing(background_pool(2)) as pool:
        executor = ProcessExecutor(PLAN, 2, pool=pool)
        try:
            assert executor.submit([task]).result(60)[0].description is not None
            assert len(pool.pids) == 1
            executor.continue_alone()
            assert pool.pids == []
            assert executor.submit([task]).result(60)[0].description is not None
        finally:
            executor.close()
