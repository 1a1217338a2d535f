# SPDX-License-Identifier: MIT
from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.color.color_coherence import ColorCoherence
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.decoding.decode import probe
from focal_photos.features.description import DescriptionPlan, describe
from focal_photos.features.texture.gabor import Gabor
from focal_photos.resources.demo_album import KINDS, DemoPhoto, draw_demo_album

COUNT = 41  # one more than a multiple of the number of kinds


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[DemoPhoto]]:
    folder = tmp_path_factory.mktemp("album")
    return folder, draw_demo_album(folder, count=COUNT)


@pytest.mark.slow
def test_files_are_in_folders_by_kind(album: tuple[Path, list[DemoPhoto]]) -> None:
    folder, photos = album
    assert len(photos) == COUNT
    assert len(KINDS) == 8
    numbers = dict.fromkeys(KINDS, 0)
    for photo in photos:
        numbers[photo.kind] += 1
        assert photo.path == folder / photo.kind / f"{photo.kind}_{numbers[photo.kind]:03d}.jpg"
        assert photo.path.is_file()
    assert sorted(numbers.values()) == [5] * 7 + [6]
    assert len(list(folder.rglob("*.jpg"))) == COUNT


def test_pictures_are_photos_of_varying_size_and_date(album: tuple[Path, list[DemoPhoto]]) -> None:
    for photo in album[1]:
        header = probe(photo.path)
        assert header.format == "JPEG"
        assert 240 <= min(header.width, header.height) <= max(header.width, header.height) <= 480
        assert header.taken is not None
        assert datetime(2022, 1, 1) <= header.taken < datetime(2027, 1, 1)
        if "winter" in photo.tags:
            assert header.taken.month in {1, 2}
        if "night" in photo.tags:
            assert header.taken.hour >= 20


def test_no_picture_is_flat_and_all_are_different(album: tuple[Path, list[DemoPhoto]]) -> None:
    seen = []
    for photo in album[1]:
        with Image.open(photo.path) as image:
            small = np.asarray(image.convert("RGB").resize((16, 12)), np.float64)
        assert small.std() > 8, photo.path.name
        seen.append(small.ravel())
    stack = np.array(seen)
    distances = np.abs(stack[:, None] - stack[None, :]).mean(axis=2) + 1e9 * np.eye(COUNT)
    assert distances.min() > 1.5


def test_tags_are_valid_and_contain_the_kind(album: tuple[Path, list[DemoPhoto]]) -> None:
    photos = album[1]
    for photo in photos:
        assert photo.kind in photo.tags
        assert len(photo.tags) >= 2
        assert list(photo.tags) == sorted(set(photo.tags))
        for tag in photo.tags:
            assert tag == tag.strip().lower()
            assert not set(tag) & set(",;\n")
            assert all(tag.split("/"))
    assert any(tag.count("/") == 2 for photo in photos for tag in photo.tags)
    for tag in ("sunset", "night", "winter", "people", "water", "snow"):
        assert len({photo.kind for photo in photos if tag in photo.tags}) >= 2, tag


def test_the_table_of_tags_has_the_same_tags(album: tuple[Path, list[DemoPhoto]]) -> None:
    folder, photos = album
    with (folder / "tags.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [(folder / row["file"], tuple(row["tags"].split(";"))) for row in rows] == [(p.path, p.tags) for p in photos]
    assert not list(folder.glob("*.part"))


def test_kinds_can_be_distinguished_but_not_trivially(album: tuple[Path, list[DemoPhoto]]) -> None:
    photos = album[1]
    kinds = np.array([photo.kind for photo in photos])
    plan = DescriptionPlan((ColorMoments(), ColorCoherence(), Gabor()), thumbnail_side=None)
    found = [describe(photo.path, plan).vectors for photo in photos]
    distances = np.zeros((COUNT, COUNT))
    for name, descriptor in plan.by_name.items():
        assert isinstance(descriptor, GlobalDescriptor)
        vectors = np.array([v[name] for v in found], np.float64)
        vectors = np.sqrt(vectors) if descriptor.is_count else (vectors - vectors.mean(0)) / (vectors.std(0) + 1e-3)
        squared = ((vectors[:, None] - vectors[None, :]) ** 2).sum(axis=2)
        distances += squared / squared.mean()
    np.fill_diagonal(distances, np.inf)
    right = (kinds[distances.argmin(axis=1)] == kinds).mean()
    assert 0.4 < right < 0.98  # one in eight by chance


def test_the_same_seed_gives_the_same_files_and_a_larger_count_only_adds(tmp_path: Path) -> None:
    one, other, seeded = (tmp_path / name for name in ("one", "other", "seeded"))
    few = draw_demo_album(one, count=3)
    assert [photo.kind for photo in few] == list(KINDS)[:3]
    more = {photo.path.relative_to(other): photo for photo in draw_demo_album(other, count=9)}
    for photo in few:
        twin = more[photo.path.relative_to(one)]
        assert twin.path.read_bytes() == photo.path.read_bytes()
        assert twin.tags == photo.tags
    (different, *_) = draw_demo_album(seeded, count=1, seed=1)
    assert different.path.read_bytes() != few[0].path.read_bytes()


def test_drawing_again_replaces_the_album(tmp_path: Path) -> None:
    (photo,) = draw_demo_album(tmp_path, count=1)
    content = photo.path.read_bytes()
    photo.path.write_bytes(b"spoilt")
    draw_demo_album(tmp_path, count=1)
    assert photo.path.read_bytes() == content


def test_drawing_reports_progress_and_can_be_cancelled(tmp_path: Path) -> None:
    reports: list[tuple[int, int]] = []
    draw_demo_album(tmp_path / "whole", count=2, report=lambda done, total: reports.append((done, total)))
    assert reports == [(0, 2), (1, 2), (2, 2)]

    def cancel(done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        draw_demo_album(tmp_path / "half", count=2, report=cancel)
    assert len(list((tmp_path / "half").rglob("*.jpg"))) == 1
    assert not (tmp_path / "half" / "tags.csv").exists()


def test_an_album_may_be_empty_and_negative_numbers_are_refused(tmp_path: Path) -> None:
    assert draw_demo_album(tmp_path / "new", count=0) == []
    assert (tmp_path / "new" / "tags.csv").read_text(encoding="utf-8") == "file,tags\n"
    for count, seed in ((-1, 0), (0, -1)):
        with pytest.raises(ValueError, match="negative"):
            draw_demo_album(tmp_path, count=count, seed=seed)
