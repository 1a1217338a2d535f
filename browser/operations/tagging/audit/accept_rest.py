# SPDX-License-Identifier: MIT
"""Find open suggestions that, according to an audit, are right often enough to be accepted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.audit.audited_state import audited_state
from focal_photos.browser.operations.tagging.audit.certificate import audited_strata
from focal_photos.browser.operations.tagging.audit.confidences import tag_confidences
from focal_photos.learners.evaluation.audit import STRATA, acceptable, counted

PRECISION: Final = 0.95
"""Minimum estimated share of right tags among the accepted ones."""


@dataclass(frozen=True)
class Rest:
    """Open suggestions worth accepting."""

    pairs: tuple[tuple[int, str], ...] = ()
    """Photo ids and tags."""
    precision: float = 0.0
    """Estimated share of right ones, 0..1; 0 if empty."""
    open: int = 0
    """Number of suggestions considered, with a confidence of at least one half."""


def find_rest(
    library: Library, ranker: Ranker, *, precision: float = PRECISION, ids: Iterable[int] | None = None
) -> Job[Rest]:
    """Find the open suggestions in strata that are right often enough, without changing anything.

    The strata are those of `learners.evaluation.audit.acceptable` (ALGORITHMS.md, 5.15). Strata without answers, tags
    changed since the audit, and answered or rejected pairs are left out. If tags exclude each other, a photo without a
    tag gets its likeliest one.

    Parameters
    ----------
    precision : float
        0..1.
    ids : iterable of int, optional
        The photos of the audit; default: all.

    Raises
    ------
    OperationError
        If an audit has no answers yet; also as for `tag_confidences`.
    """
    audits, drawn = library.audits.all(), library.audits.drawn()
    if not any(one.present is not None for one in drawn):
        raise OperationError("No photo of an audit is answered yet: answer some first.")
    photos = yield from tag_confidences(library, ranker, ids)
    found = audited_strata(library, audits, drawn)
    states = audited_state(library, found.names, drawn, whole=not audits[0].scope)
    current = {audit.tag for audit in audits if states[audit.tag] == audit.state}
    column = {name: j for j, name in enumerate(photos.names)}
    row = {photo_id: i for i, photo_id in enumerate(photos.ids.tolist())}
    known = [(one.photo_id, one.tag) for one in drawn if one.present is not None]
    can = ~photos.carried & np.array([name in current for name in photos.names])
    for photo_id, name in (*known, *library.suggestions.rejected_pairs()):
        if photo_id in row and name in column:
            can[row[photo_id], column[name]] = False
    if photos.exclusive:
        can &= np.arange(len(photos.names)) == photos.confidence.argmax(axis=1)[:, None]
    numbers = photos.strata()
    audited = [tag for tag, name in enumerate(found.names) if name in column]
    here = [column[found.names[tag]] for tag in audited]
    pairs = np.zeros((len(found.names), STRATA), dtype=np.int64)
    pairs[audited] = counted(numbers, can)[here]
    rest = acceptable(found.strata, pairs, precision=precision, exclusive=found.exclusive)
    chosen = np.zeros((len(photos.names), STRATA), dtype=bool)
    chosen[here] = rest.strata[audited]
    rows, columns = np.nonzero(can & chosen[np.arange(len(chosen)), numbers])
    found_pairs = tuple(
        (int(photos.ids[i]), photos.names[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
    )
    likely = int(((photos.confidence >= 0.5) & ~photos.carried).sum())
    return Rest(found_pairs, rest.precision, max(likely, len(found_pairs)))
