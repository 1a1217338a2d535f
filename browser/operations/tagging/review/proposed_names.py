# SPDX-License-Identifier: MIT
"""Names proposed for a group of photos: those of their folders, and the words of their file names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.schema.functions import fold

_SAMPLE: Final = 1000
"""Number of other photos whose names are compared with those of the group."""

_SHARE: Final = 0.5
"""Share of the group that must have a name; it is proposed if at most half as many of the other photos have it."""

_MIN_SHARE_IN_GROUP: Final = 0.25
"""Share of the photos with a name that must be in the group: a folder with several kinds does not name one of them."""

_LETTERS: Final = 3
"""Smallest number of letters of a name."""

_BY_DEVICES: Final = re.compile(
    "camera|roll|canon|dcim|downloads?|dscf?|dscn|dji|gopr|images?|img|media|mvi|nikon|panorama|photos?|pic|pict|"
    "pictures?|pxl|scan|screenshots?|sony|snap|video|vid|whatsapp"
)
"""Words in names of folders and files that devices and programs choose."""

_SEPARATORS: Final = re.compile(r"[\W\d_]+")
"""Characters between the words of a file name."""


def proposed_names(library: Library, photo_ids: Sequence[int]) -> list[str]:
    """Return names in the paths of some photos that most of them share, and few other photos; the best name first.

    Returns
    -------
    list of str
        Names of folders, and file names without digits, as words: ``tiger lily`` for ``tiger_lily_0012.jpg``.
    """
    group = set(photo_ids)
    ids = library.photos.ids("")
    others = [photo_id for photo_id in ids[:: max(1, len(ids) // _SAMPLE)].tolist() if photo_id not in group]
    if not group or not others:
        return []
    roots = [root.path for root in library.roots.all()]
    spellings: dict[str, str] = {}
    inside, outside = (_shares(library.photos.paths(some), roots, spellings) for some in (sorted(group), others))
    gains = {name: share - outside.get(name, 0.0) for name, share in inside.items() if share >= _SHARE}
    ratio = (len(ids) - len(group)) / len(group)
    return [
        spellings[name]
        for name in sorted(gains, key=lambda name: -gains[name])
        if gains[name] >= inside[name] / 2
        and inside[name] >= _MIN_SHARE_IN_GROUP * (inside[name] + ratio * outside.get(name, 0.0))
    ]


def _shares(paths: Sequence[Path], roots: Sequence[Path], spellings: dict[str, str]) -> dict[str, float]:
    """Return the share of photos that have a name, by folded name; add new spellings."""
    counts: Counter[str] = Counter()
    for path in paths:
        names = {fold(name): name for name in _names(path, roots)}
        counts.update(names.keys())
        for key, name in names.items():
            spellings.setdefault(key, name)
    return {name: count / len(paths) for name, count in counts.items()}


def _names(path: Path, roots: Sequence[Path]) -> Iterator[str]:
    """Yield the name of a file, then those of its folders up to the opened folder."""
    above = next((root.parent for root in roots if path.is_relative_to(root)), path.parent)
    for part in [path.stem, *path.parent.relative_to(above).parts[::-1]]:
        words = [word for word in _SEPARATORS.split(part) if word and not _BY_DEVICES.fullmatch(fold(word))]
        name = " ".join(words)
        if sum(map(str.isalpha, name)) >= _LETTERS:
            yield name
