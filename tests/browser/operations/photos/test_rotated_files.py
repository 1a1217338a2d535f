# SPDX-License-Identifier: MIT
"""Rotation of photos whose files another program has rotated."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import IndexReport, index
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.operations.album import Album

CORNERS = ((220, 30, 30), (30, 200, 30), (30, 30, 220), (240, 240, 240))


def draw(path: Path, size: tuple[int, int] = (600, 300)) -> None:
    width, height = size
    pixels = np.zeros((height, width, 3), np.uint8)
    for color, (y, x) in zip(CORNERS, ((0, 0), (0, 1), (1, 1), (1, 0)), strict=True):
        pixels[y * height // 2 : (y + 1) * height // 2, x * width // 2 : (x + 1) * width // 2] = color
    Image.fromarray(pixels).save(path, quality=95)


def write(path: Path, image: Image.Image, **options: Any) -> None:
    """Write a file as an editor does, with a new modification time."""
    status = path.stat()
    image.save(path, quality=90, **options)
    os.utime(path, ns=(0, status.st_mtime_ns + 2_000_000_000))


def look(library: Library, folder: Path) -> IndexReport:
    return finish(index(library, [folder], backend="threads", workers=1))


@pytest.fixture
def photo(library: Library, album: Album) -> int:
    """The only photo of the library, which the user has rotated to the right."""
    draw(album.path("a.jpg"))
    look(library, album.folder)
    (number,) = library.photos.ids().tolist()
    library.rotations.rotate([number], 1)
    return int(number)


def opened(album: Album) -> Image.Image:
    with Image.open(album.path("a.jpg")) as image:
        return image.copy()


@pytest.mark.parametrize("rotated", [Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270])
@pytest.mark.parametrize("size", [(600, 300), (300, 300)])
def test_a_rotated_file_loses_the_rotation_of_the_user(
    library: Library, album: Album, rotated: Image.Transpose, size: tuple[int, int]
) -> None:
    draw(album.path("a.jpg"), size)
    album.draw("b.jpg")
    look(library, album.folder)
    a, b = (library.photos.by_path(album.path(name)) for name in ("a.jpg", "b.jpg"))
    assert a is not None
    assert b is not None
    library.rotations.rotate([a.id, b.id], 1)
    write(album.path("a.jpg"), opened(album).transpose(rotated))
    report = look(library, album.folder)
    assert report.rotated.photo_ids == {a.id}
    assert library.rotations.all() == {b.id: 1}
    assert library.journal.undo_label() == "Remove the rotation of 1 photo"
    library.journal.undo()
    assert library.rotations.all() == {a.id: 1, b.id: 1}
    assert not look(library, album.folder).rotated, "the user has rotated it back"


def test_a_file_with_a_changed_orientation_tag_loses_the_rotation(library: Library, album: Album, photo: int) -> None:
    exif = Image.Exif()
    exif[274] = 6
    write(album.path("a.jpg"), opened(album), exif=exif)
    assert look(library, album.folder).rotated.photo_ids == {photo}
    assert library.rotations.all() == {}


def test_a_file_both_rotated_and_brightened_loses_the_rotation(library: Library, album: Album, photo: int) -> None:
    lighter = opened(album).transpose(Image.Transpose.ROTATE_90).point(lambda value: min(255, 40 + value))
    write(album.path("a.jpg"), lighter)
    assert look(library, album.folder).rotated.photo_ids == {photo}


@pytest.mark.parametrize("what", ["lighter", "cropped", "upright crop", "another", "smaller", "keywords"])
def test_other_edits_leave_the_rotation(library: Library, album: Album, photo: int, what: str) -> None:
    image = opened(album)
    exif = Image.Exif()
    made = {
        "lighter": lambda: image.point(lambda value: min(255, 40 + value)),
        "cropped": lambda: image.crop((100, 0, 600, 300)),
        "upright crop": lambda: image.crop((225, 0, 375, 300)),
        "another": lambda: Image.effect_noise((300, 600), 90).convert("RGB"),
        "smaller": lambda: image.resize((200, 100)),
        "keywords": lambda: image,
    }[what]()
    if what == "keywords":
        exif[270] = "sea"
    write(album.path("a.jpg"), made, exif=exif)
    report = look(library, album.folder)
    assert report.scan.changed == 1
    assert not report.rotated
    assert library.rotations.all() == {photo: 1}


def test_an_interrupted_check_is_resumed_later(library: Library, album: Album, photo: int) -> None:
    write(album.path("a.jpg"), opened(album).transpose(Image.Transpose.ROTATE_90))
    finish(scan(library, [album.folder]))
    assert library.rotations.all() == {photo: 1}, "the new picture is not checked yet"
    write(album.path("a.jpg"), opened(album).point(lambda value: max(0, value - 5)))  # edited again
    assert look(library, album.folder).rotated.photo_ids == {photo}


def test_a_rotated_copy_becomes_its_own_photo(library: Library, album: Album, photo: int) -> None:
    shutil.copy(album.path("a.jpg"), album.path("copy.jpg"))
    look(library, album.folder)
    write(album.path("a.jpg"), opened(album).transpose(Image.Transpose.ROTATE_90))
    report = look(library, album.folder)
    own = library.photos.by_path(album.path("a.jpg"))
    assert own is not None
    assert own.id != photo
    assert report.rotated.photo_ids == {own.id}
    assert library.rotations.all() == {photo: 1}


def test_without_an_earlier_thumbnail_the_image_size_decides(library: Library, album: Album, photo: int) -> None:
    library.thumbnails.forget([photo])
    write(album.path("a.jpg"), opened(album).transpose(Image.Transpose.ROTATE_90))
    assert look(library, album.folder).rotated.photo_ids == {photo}
