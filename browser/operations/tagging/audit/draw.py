"""Start an audit: draw random photos for each tag from strata by tag status and confidence."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

import numpy as np

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, TagAudit
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.audit.audited_state import audited_state
from focal_photos.browser.operations.tagging.audit.confidences import PhotoTags, tag_confidences
from focal_photos.learners.evaluation.audit import STRATA, allocation

ANSWERS: Final = 50
"""Default number of photos drawn for a tag."""

MOST_TAGS: Final = 12
"""Default number of audited tags: those with the most photos."""


def draw_audit(
    library: Library,
    ranker: Ranker,
    *,
    tags: Sequence[str] = (),
    answers: int = ANSWERS,
    ids: Iterable[int] | None = None,
    scope: str = "",
    blind: bool = False,
    seed: int | None = None,
) -> Job[ChangeSet]:
    """Draw the photos of an audit, which replaces any earlier audit. Recorded in the journal.

    For each tag, half of the photos carry it. In each half, photos are drawn from strata of confidence by Neyman's
    allocation (ALGORITHMS.md, 5.15), in random order, so that an audit may end early.

    Parameters
    ----------
    library : Library
    ranker : Ranker
    tags : sequence of str
        The audited tags; default: the `MOST_TAGS` tags with the most photos.
    answers : int
        Maximum number of photos drawn per tag.
    ids : iterable of int, optional
        The audited photos; default: all.
    scope : str
        Description of these photos; empty: the whole library.
    blind : bool
        Whether this is a second pass that hides the tags: its answers do not change them.
    seed : int, optional
        Seed of the draw; default: random.

    Raises
    ------
    NothingToLearnError
        If no indexed photo is tagged.
    OperationError
        If no photo in the scope carries such a tag; also as for `Ranker.gallery`.
    """
    photos = yield from tag_confidences(library, ranker, ids)
    carriers = photos.carried.sum(axis=0)
    unknown = [tag for tag in tags if tag not in photos.names or not carriers[photos.names.index(tag)]]
    if unknown:
        raise OperationError("No indexed photo carries the tag {0}: choose other tags.", unknown[0])
    most = [j for j in np.argsort(-carriers, kind="stable")[:MOST_TAGS].tolist() if carriers[j]]
    chosen = [photos.names.index(tag) for tag in tags] or most
    if not chosen:
        raise OperationError("No photo here carries a tag: there is nothing to audit yet.")
    rng = np.random.default_rng(secrets.randbits(64) if seed is None else seed)
    strata = photos.strata()
    drawn: list[DrawnPhoto] = []
    sizes: dict[int, tuple[AuditStratum, ...]] = {}
    for j, name in enumerate(photos.names):
        number = strata[:, j]
        size = np.bincount(number, minlength=STRATA)
        mean = np.bincount(number, photos.confidence[:, j], minlength=STRATA) / np.maximum(size, 1)
        sizes[j] = tuple(AuditStratum(k, int(size[k]), float(mean[k])) for k in np.flatnonzero(size).tolist())
        if j in chosen:
            counts = allocation(size, mean, answers, exclusive=photos.exclusive)
            rows = [rng.choice(np.flatnonzero(number == k), counts[k], replace=False) for k in range(STRATA)]
            order = rng.permutation(np.concatenate(rows))
            drawn += [DrawnPhoto(name, int(photos.ids[row]), int(number[row])) for row in order.tolist()]
    audits = [one._replace(blind=blind) for one in _audits(library, photos, sizes, drawn, scope)]
    return library.audits.begin(audits, drawn)


def _audits(
    library: Library,
    photos: PhotoTags,
    sizes: dict[int, tuple[AuditStratum, ...]],
    drawn: Sequence[DrawnPhoto],
    scope: str,
) -> list[TagAudit]:
    states = audited_state(library, photos.names, drawn, whole=not scope)
    at = datetime.now(UTC)
    return [
        TagAudit(name, scope, len(photos.ids), photos.exclusive, sizes[j], states[name], at)
        for j, name in enumerate(photos.names)
    ]
