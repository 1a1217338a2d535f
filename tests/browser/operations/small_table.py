# SPDX-License-Identifier: MIT
"""Libraries with a small table of fast descriptors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.features import table
from tests.browser.operations.own_descriptors import CELLS, CENTERED, MEAN, MOMENTS, WORDS


@contextmanager
def small_table() -> Iterator[None]:
    """Replace the table of descriptors by one of small fast descriptors."""
    tables: list[dict[str, Any]] = [table.DESCRIPTORS, table.LOCAL_DESCRIPTORS, table.CODE_DESCRIPTORS]
    every: list[dict[str, Any]] = [dict(one) for one in tables]
    small: list[dict[str, Any]] = [{one.name: one for one in (MEAN, MOMENTS, WORDS, CENTERED)}, {CELLS.name: CELLS}, {}]
    for there, few in zip(tables, small, strict=True):
        there.clear()
        there.update(few)
    try:
        yield
    finally:
        for there, whole in zip(tables, every, strict=True):
            there.clear()
            there.update(whole)  # in the original order, which other tests rely on


@contextmanager
def open_described(folder: Path) -> Iterator[Library]:
    """Open a library described by two of them."""
    with small_table(), Library.open(folder) as opened:
        set_enabled(opened, ["mean", "color_moments"])
        yield opened


def names(library: Library) -> list[str]:
    return [one.name for one in space_families(library)]


def keys(library: Library) -> dict[str, str]:
    return {one.name: str(one.key) for one in ready_descriptors(library)}
