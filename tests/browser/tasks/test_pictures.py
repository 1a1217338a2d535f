# SPDX-License-Identifier: MIT
"""Pictures for the window, decoded in sandbox processes that may die or be stopped without harm."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QImage

from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import MEGAPIXELS
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.photos.thumbnail import thumbnail
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.browser.tasks import pictures
from focal_photos.browser.tasks.pictures import (
    CANCEL_SECONDS,
    PictureRequest,
    full_picture,
    interrupt,
    picture,
    read_picture,
    warm_up,
)
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from tests.features.pictures import file_bytes, scene
from tests.features.raw_files import dng


@pytest.fixture(scope="module")
def drawn() -> dict[str, bytes]:
    pixels = scene(1200, 900)
    return {
        "one.png": file_bytes(pixels),
        "two.heic": file_bytes(pixels, "HEIF"),
        "three.dng": dng(pixels, preview="JPEG"),
    }


@pytest.fixture
def library(tmp_path: Path, drawn: dict[str, bytes]) -> Iterator[Library]:
    """Yield a library of photos without descriptors: one.png, two.heic and three.dng."""
    album = tmp_path / "album"
    album.mkdir()
    for name, content in drawn.items():
        (album / name).write_bytes(content)
    with Library.open(tmp_path / "library") as opened:
        finish(scan(opened, [album]))
        yield opened


def photo(library: Library, name: str) -> int:
    ids = [int(photo_id) for photo_id in library.photos.ids()]
    return next(i for i, path in zip(ids, library.photos.paths(ids), strict=True) if path.name == name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one.png", "two.heic", "three.dng"])
def test_every_format_has_thumbnails(library: Library, name: str) -> None:
    warm_up()
    photo_id = photo(library, name)
    found = read_picture(library, photo_id, 4000)
    assert (found.image.width(), found.image.height(), found.failure) == (1200, 900, "")
    assert full_picture(library, photo_id, 600).width() == 600
    assert picture(library, photo_id, PixelSize(400, 400)).width() == 400
    assert picture(library, photo_id, PixelSize(200, 200)).width() == 200
    assert thumbnail(library, photo_id) == library.thumbnails.get(photo_id)


def test_the_reason_for_a_missing_picture_is_reported(library: Library) -> None:
    photo_id = photo(library, "one.png")
    MEGAPIXELS.set(library, 1)
    found = read_picture(library, photo_id, 4000)
    assert found.image.isNull()
    assert "more than the allowed 1,000,000" in found.failure
    library.photos.paths([photo_id])[0].write_bytes(b"broken")
    assert "not in an image format" in read_picture(library, photo_id, 4000).failure
    assert picture(library, photo_id, PixelSize(400, 400)).isNull()


def test_the_picture_of_a_box_is_its_part_of_the_photo_as_displayed(library: Library) -> None:
    photo_id = photo(library, "one.png")
    library.boxes.add([(photo_id, Region(0.25, 0.25, 0.75, 0.75), None)])
    (box,) = library.boxes.all()
    whole = picture(library, photo_id, PixelSize(1200, 1200))
    part = picture(library, item_of(box.id), PixelSize(600, 600))
    assert (part.width(), part.height()) == (600, 450)
    for x, y in ((10, 10), (300, 225), (590, 440)):
        assert part.pixelColor(x, y) == whole.pixelColor(300 + x, 225 + y)
    library.rotations.rotate([photo_id], 1)
    rotated = picture(library, item_of(box.id), PixelSize(600, 600))
    assert (rotated.width(), rotated.height()) == (450, 600)
    small = picture(library, item_of(box.id), PixelSize(64, 64))
    assert (small.width(), small.height()) == (48, 64)
    library.boxes.remove([box.id])
    assert picture(library, item_of(box.id), PixelSize(64, 64)).isNull()


@pytest.mark.slow
def test_a_killed_subprocess_is_replaced_and_reported(library: Library) -> None:
    photo_id = slow_photo(library)

    def kill() -> None:
        for pid in sandbox().pids:
            with suppress(OSError):
                os.kill(pid, 9)

    with again_and_again(kill):
        found = read_picture(library, photo_id, 8192)
    assert found.image.isNull()
    assert "process" in found.failure
    assert read_picture(library, photo(library, "two.heic"), 4000).failure == ""


def test_a_cancelled_picture_is_stopped(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    photo_id, now = photo(library, "one.png"), 0.0
    monkeypatch.setattr(pictures, "time", SimpleNamespace(monotonic=lambda: now))
    given_up = PictureRequest()
    given_up.cancel()
    assert not given_up.is_set()
    now = CANCEL_SECONDS + 0.05
    assert given_up.is_set()
    assert "no longer wanted" in read_picture(library, photo_id, 4000, given_up).failure
    assert read_picture(library, photo_id, 4000, PictureRequest()).failure == ""


@pytest.mark.slow
def test_decoding_can_be_interrupted(library: Library) -> None:
    photo_id = slow_photo(library)
    warm_up()
    with again_and_again(interrupt):
        found = read_picture(library, photo_id, 8192)
    assert "no longer wanted" in found.failure
    assert read_picture(library, photo(library, "two.heic"), 100).failure == ""


def slow_photo(library: Library) -> int:
    """Make a photo so large that other threads run while it is decoded."""
    photo_id = photo(library, "one.png")
    Image.new("1", (17_000, 17_000), 1).save(library.photos.paths([photo_id])[0])
    return photo_id


@contextmanager
def again_and_again(act: Callable[[], None]) -> Iterator[None]:
    """Call a function every millisecond, because the time at which a request reaches the process is unknown."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.001):
            act()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_a_small_picture_equals_the_stored_thumbnail(library: Library) -> None:
    number = photo(library, "one.png")
    kept = thumbnail(library, number)
    assert kept is not None
    with Image.open(io.BytesIO(kept)) as opened:
        whole = opened.convert("RGB")
    for side in (256, 180, 60, 20):
        image = picture(library, number, PixelSize(side, side)).convertToFormat(QImage.Format.Format_RGB888)
        assert max(image.width(), image.height()) == min(side, max(whole.size))
        expected = np.asarray(whole.resize((image.width(), image.height()), Image.Resampling.BOX), float)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
        assert np.abs(rows[:, : 3 * image.width()].reshape(expected.shape) - expected).mean() < 6


def test_a_damaged_thumbnail_gives_no_picture(library: Library) -> None:
    number = photo(library, "one.png")
    kept = thumbnail(library, number)
    assert kept is not None
    assert not picture(library, number, PixelSize(60, 60)).isNull()
    for content in (b"", b"no JPEG", b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"):
        library.thumbnails.put(number, content)
        assert picture(library, number, PixelSize(60, 60)).isNull()
