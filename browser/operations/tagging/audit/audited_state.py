# SPDX-License-Identifier: MIT
"""Digests of audited tags, which reveal changes since the audit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.learning.audits import DrawnPhoto
from focal_photos.browser.catalog.library import Library


class _Carriers(NamedTuple):
    """The photos that carry a tag and were not drawn for it, ascending, and the number of all photos if it counts."""

    tag: str
    photo_ids: NDArray[np.int64]
    size: bytes


def audited_state(library: Library, tags: Sequence[str], drawn: Sequence[DrawnPhoto], *, whole: bool) -> dict[str, str]:
    """Return 16 hexadecimal digits for each tag, which change with the photos that carry it.

    Drawn photos are left out, because the answers correct their tags. For an audit of the whole library, the digits
    also change with the number of its photos.

    Parameters
    ----------
    whole : bool
        Whether the audit is about the whole library.
    """
    return {
        one.tag: _digest(one.photo_ids.astype("<i8").tobytes() + one.size)
        for one in _carriers(library, tags, drawn, whole)
    }


def portable_state(
    library: Library, tags: Sequence[str], drawn: Sequence[DrawnPhoto], *, whole: bool
) -> dict[str, str]:
    """Return digits like `audited_state`, but by photo content, so that they are the same in another library."""
    found = list(_carriers(library, tags, drawn, whole))
    contents = library.photos.content_hashes({number for one in found for number in one.photo_ids.tolist()})
    return {
        one.tag: _digest(" ".join(sorted(contents[number] for number in one.photo_ids.tolist())).encode() + one.size)
        for one in found
    }


def _carriers(library: Library, tags: Sequence[str], drawn: Sequence[DrawnPhoto], whole: bool) -> Iterator[_Carriers]:
    ids = np.sort(library.photos.ids("-missing"))
    matrix, names = library.tags.matrix(ids)
    columns = scipy.sparse.csc_array(matrix)
    place = {name: j for j, name in enumerate(names)}
    audited: dict[str, list[int]] = {}
    for one in drawn:
        audited.setdefault(one.tag, []).append(one.photo_id)
    size = str(len(ids)).encode() if whole else b""
    for tag in tags:
        j = place.get(tag)
        rows = np.empty(0, dtype=np.int64)
        if j is not None:
            rows = np.sort(columns.indices[columns.indptr[j] : columns.indptr[j + 1]])
        carriers = ids[rows]
        yield _Carriers(tag, carriers[~np.isin(carriers, np.array(audited.get(tag, ()), dtype=np.int64))], size)


def _digest(text: bytes) -> str:
    return hashlib.blake2b(text, digest_size=8).hexdigest()
