# SPDX-License-Identifier: MIT
"""A library with photos of three kinds, and functions that tag and query them."""

from __future__ import annotations

from typing import Final

from focal_photos.browser.catalog.library import Library

KINDS: Final = ("warm", "cold", "green")
EACH: Final = 14


def of_kind(library: Library, kind: str) -> list[int]:
    ids = library.photos.ids().tolist()
    return [i for i, path in zip(ids, library.photos.paths(ids), strict=True) if path.parent.name == kind]


def several(three: Library) -> None:
    """Tag photos of each kind with two tags, and some with one."""
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:6], [kind, "drawn"])
        three.tags.change(of_kind(three, kind)[6:8], [kind])
