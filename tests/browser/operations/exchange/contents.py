# SPDX-License-Identifier: MIT
"""User data of a library by content of the photos, for comparing two libraries."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from focal_photos.browser.catalog.facts.records import Mark
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.schema.objects import OF_THE_PROGRAM

TABLES = (
    "mark",
    "information",
    "exchange",
    "exchanged_boxes",
    "forgotten",
    "tag",
    "photo_tag",
    "judgement",
    "text_judgement",
    "region_judgement",
    "rejected_box",
    "turned",
    "audit",
    "audited",
    "suggestion",
    "metric",
    "setting",
    "journal",
    "root",
    "photo",
    "file",
)


def rows_of(library: Library) -> dict[str, list[Any]]:
    """Return every row of the catalogue, and the digests of the metric files."""
    names = [name for (name,) in library.database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert set(TABLES) <= set(names)
    found: dict[str, list[Any]] = {
        name: sorted(library.database.rows(f"SELECT * FROM {name}"), key=repr)
        for name in names
        if not name.startswith("sqlite_stat") and name not in OF_THE_PROGRAM
    }
    for folder in (library.metrics.folder, library.path / "derived" / "fitted"):
        found[folder.name] = digests(folder)
    return found


def digests(folder: Path) -> list[tuple[str, str]]:
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]


def done_by_user(library: Library) -> dict[str, set[Any]]:
    """Return tags, rejections, ratings, labels and judgements by content."""
    ids = library.photos.ids().tolist()
    hashes = {photo.id: photo.content_hash for photo in library.photos.get(ids)}
    return {
        "tags": {(hashes[photo], tag) for photo, tags in library.tags.of(ids).items() for tag in tags},
        "rejected": {(hashes[photo], tag) for photo, tag in library.suggestions.rejected_pairs()},
        "marks": {(hashes[photo], mark) for photo, mark in library.marks.of(ids).items() if mark != Mark()},
        "judgements": {
            (hashes[one.focal_id], hashes[one.other_id], one.verdict.value) for one in library.judgements.all()
        },
        "relations": {
            (hashes[one.focal_id], hashes[one.other_id], one.relation.value, hashes.get(one.than_id or 0))
            for one in library.judged_relations.all()
        },
        "judgements of texts": {
            (one.text, hashes[one.other_id], one.verdict.value) for one in library.text_judgements.all()
        },
        "boxes": {(hashes[box.photo_id], box.region, box.tag, box.source) for box in library.boxes.all()},
        "judgements of regions": {
            (hashes[one.photo_id], one.region, hashes[one.other_id], one.other_region, one.verdict.value)
            for one in library.region_judgements.all()
        },
        "rejected boxes": {(hashes[box.photo_id], box.region, box.tag) for box in library.boxes.rejected()},
        "turned": {(hashes[photo], quarters) for photo, quarters in library.rotations.all().items()},
    }
