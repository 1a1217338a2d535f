"""A digest of the tags that an audit is about, by which a change since then is noticed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import scipy

from focal_photos.browser.catalog.facts.learning.audits import DrawnPhoto
from focal_photos.browser.catalog.library import Library


def audited_state(library: Library, tags: Sequence[str], drawn: Sequence[DrawnPhoto], *, whole: bool) -> dict[str, str]:
    """Return 16 hexadecimal digits for each tag, which change with the photos that carry it.

    Drawn photos are left out: the answers correct their tags. Of an audit of the whole library the digits change with
    the number of its photos, too.

    Parameters
    ----------
    library : Library
    tags : sequence of str
    drawn : sequence of DrawnPhoto
    whole : bool
        Whether the audit is about the whole library.
    """
    ids = np.sort(library.photos.ids("-missing"))
    matrix, names = library.tags.matrix(ids)
    columns = scipy.sparse.csc_array(matrix)
    place = {name: j for j, name in enumerate(names)}
    answered: dict[str, list[int]] = {}
    for one in drawn:
        answered.setdefault(one.tag, []).append(one.photo_id)
    found = {}
    for tag in tags:
        j = place.get(tag)
        rows = np.empty(0, dtype=np.int64)
        if j is not None:
            rows = np.sort(columns.indices[columns.indptr[j] : columns.indptr[j + 1]])
        carriers = ids[rows]
        carriers = carriers[~np.isin(carriers, np.array(answered.get(tag, ()), dtype=np.int64))]
        text = carriers.astype("<i8").tobytes() + (str(len(ids)).encode() if whole else b"")
        found[tag] = hashlib.blake2b(text, digest_size=8).hexdigest()
    return found
