# SPDX-License-Identifier: MIT
"""The demo album: some 300 tagged pictures of 8 kinds, drawn by a program, for trying Focal without photos."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from focal_photos.resources.scenes.animals.animals import animal
from focal_photos.resources.scenes.landscapes.beach import beach
from focal_photos.resources.scenes.landscapes.boats import boat
from focal_photos.resources.scenes.landscapes.city import city
from focal_photos.resources.scenes.landscapes.flowers import flower
from focal_photos.resources.scenes.landscapes.forest import forest
from focal_photos.resources.scenes.landscapes.mountains import mountain
from focal_photos.resources.scenes.people.portraits import portrait
from focal_photos.resources.scenes.picture import Picture

KINDS: Final[dict[str, Callable[[np.random.Generator], Picture]]] = {
    "beach": beach,
    "mountain": mountain,
    "forest": forest,
    "city": city,
    "flower": flower,
    "portrait": portrait,
    "boat": boat,
    "animal": animal,
}
"""Functions that draw the pictures of each kind; the kind is the name of the folder, the files and a tag."""

_EXIF_IFD, _DATE_TAKEN = 0x8769, 0x9003
_SEASON_DAY = {"winter": 10, "snow": 25, "autumn": 285, "flower": 130, "beach": 200}


@dataclass(frozen=True)
class DemoPhoto:
    """One picture of the album."""

    path: Path
    """The JPEG file, ``<folder>/beach/beach_041.jpg``."""
    kind: str
    """A key of `KINDS`."""
    tags: tuple[str, ...]
    """Sorted; hierarchical ones with ``/``, such as ``plant/flower/daisy``. The kind is one of them; others, such as
    sunset, night, winter, people and water, occur in several kinds."""


def draw_demo_album(
    folder: Path, *, count: int = 304, seed: int = 0, report: Callable[[int, int], None] | None = None
) -> list[DemoPhoto]:
    """Draw the album into a folder: one subfolder per kind, and ``tags.csv``, which is written last.

    The same seed gives the same pictures, and a larger count adds to those of a smaller one. Existing files are
    replaced.

    Parameters
    ----------
    folder : Path
        Created if missing.
    count : int
        Number of pictures, distributed evenly over the kinds.
    seed : int
        Not negative.
    report : callable, optional
        Called with the number of finished pictures and `count`, first with 0; may raise to cancel.

    Returns
    -------
    list of DemoPhoto
        Sorted by kind and number.

    Raises
    ------
    OSError
        If the folder cannot be written.
    """
    if count < 0 or seed < 0:
        raise ValueError(f"count and seed must not be negative, they are {count} and {seed}.")
    photos: list[DemoPhoto] = []
    for number, (kind, draw) in enumerate(KINDS.items()):
        share = count // len(KINDS) + (number < count % len(KINDS))
        if share:
            (folder / kind).mkdir(parents=True, exist_ok=True)
        for i in range(1, share + 1):
            if report is not None:
                report(len(photos), count)
            rng = np.random.default_rng([seed, number, i])
            picture = draw(rng)
            tags = tuple(sorted({kind, *picture.tags, *picture.light.tags}))
            path = folder / kind / f"{kind}_{i:03d}.jpg"
            _save(path, picture, _date(rng, tags, picture.light.hour))
            photos.append(DemoPhoto(path, kind, tags))
    folder.mkdir(parents=True, exist_ok=True)
    _write_tags(folder, photos)
    if report is not None:
        report(len(photos), count)
    return photos


def _save(path: Path, picture: Picture, taken: datetime) -> None:
    exif = Image.Exif()
    exif.get_ifd(_EXIF_IFD)[_DATE_TAKEN] = taken.strftime("%Y:%m:%d %H:%M:%S")
    Image.fromarray(picture.pixels).save(path, "JPEG", quality=90, exif=exif)


def _date(rng: np.random.Generator, tags: tuple[str, ...], hour: int) -> datetime:
    """Return a plausible date for the season and the hour of the picture."""
    days = next((day for tag, day in _SEASON_DAY.items() if tag in tags), int(rng.integers(100, 300)))
    start = datetime(int(rng.integers(2022, 2026)), 1, 1)
    return start + timedelta(days=days + int(rng.integers(0, 30)), hours=hour - 1, seconds=int(rng.integers(0, 3600)))


def _write_tags(folder: Path, photos: list[DemoPhoto]) -> None:
    """Write ``file,tags`` with forward slashes and ``;``, atomically, so that the table is complete or absent."""
    target, draft = folder / "tags.csv", folder / "tags.csv.part"
    with draft.open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(("file", "tags"))
        table.writerows((p.path.relative_to(folder).as_posix(), ";".join(p.tags)) for p in photos)
    draft.replace(target)
