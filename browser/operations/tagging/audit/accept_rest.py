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
from focal_photos.learners.evaluation.audit import STRATA, share_of_open

PRECISION: Final = 0.95
"""Minimum estimated share of right tags among the accepted ones."""


@dataclass(frozen=True)
class Rest:
    """Open suggestions worth accepting.

    Attributes
    ----------
    pairs : tuple of (int, str)
        Photo ids and tags.
    precision : float
        Estimated share of right ones, 0..1; 0 if empty.
    open : int
        Number of suggestions considered, with a confidence of at least one half.
    """

    pairs: tuple[tuple[int, str], ...] = ()
    precision: float = 0.0
    open: int = 0


def find_rest(
    library: Library, ranker: Ranker, *, precision: float = PRECISION, ids: Iterable[int] | None = None
) -> Job[Rest]:
    """Find the open suggestions in strata that are right often enough, without changing anything.

    The estimate for a stratum is the posterior mean of its share of right pairs (ALGORITHMS.md, 5.15). Strata without
    answers, tags changed since the audit, and answered or rejected pairs are left out. If tags exclude each other, a
    photo without a tag gets its likeliest one.

    Parameters
    ----------
    library : Library
    ranker : Ranker
    precision : float
        0..1.
    ids : iterable of int, optional
        The photos of the audit; default: all.

    Yields
    ------
    Progress

    Returns
    -------
    Rest

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
    strata = found.strata
    shares = share_of_open(strata, exclusive=found.exclusive)
    states = audited_state(library, found.names, drawn, whole=not audits[0].scope)
    current = {audit.tag for audit in audits if states[audit.tag] == audit.state}
    share = np.zeros((len(photos.names), STRATA))
    column = {name: j for j, name in enumerate(photos.names)}
    for tag, number, value in zip(strata.tag, strata.number, shares, strict=True):
        name = found.names[tag]
        if name in current and name in column:
            share[column[name], number] = value
    expected = share[np.arange(len(photos.names)), photos.strata()]
    known = [(one.photo_id, one.tag) for one in drawn if one.present is not None]
    row = {photo_id: i for i, photo_id in enumerate(photos.ids.tolist())}
    for photo_id, name in (*known, *library.suggestions.rejected_pairs()):
        if photo_id in row and name in column:
            expected[row[photo_id], column[name]] = 0
    if photos.exclusive:
        best = photos.confidence.argmax(axis=1)
        expected[np.arange(len(photos.names)) != best[:, None]] = 0
    rows, columns = np.nonzero(expected >= precision)
    pairs = tuple((int(photos.ids[i]), photos.names[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True))
    likely = int(((photos.confidence >= 0.5) & ~photos.carried).sum())
    return Rest(pairs, float(expected[rows, columns].mean()) if pairs else 0.0, max(likely, len(pairs)))
