# SPDX-License-Identifier: MIT
"""Start an audit: draw random photos for each tag from strata by tag status and confidence."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
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
from focal_photos.learners.evaluation.audit import PLANTED, STRATA, allocation

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
    planted: Mapping[int, Collection[str]] | None = None,
    seed: int | None = None,
) -> Job[ChangeSet]:
    """Draw the photos of an audit, which replaces any earlier audit. Recorded in the journal.

    For each tag, half of the photos carry it. In each half, photos are drawn from strata of confidence by Neyman's
    allocation (ALGORITHMS.md, 5.15), in random order, so that an audit may end early.

    Parameters
    ----------
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
    planted : mapping of int to collection of str, optional
        Photos with known tags. For each audited tag, ``answers // 2`` of them are mixed into the questions, half of
        these with the tag where possible. They measure how well an annotator answers, and are not part of the sample.
    seed : int, optional
        Seed of the draw; default: random.

    Raises
    ------
    NothingToLearnError
        If no indexed photo is tagged.
    OperationError
        If no photo in the scope carries such a tag, or no planted photo has an audited one; also as for
        `Ranker.gallery`.
    """
    known = planted or {}
    if known:
        every = library.photos.ids("-missing").tolist() if ids is None else ids
        ids = [photo_id for photo_id in every if photo_id not in known]
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
            own = [DrawnPhoto(name, int(photos.ids[row]), int(number[row])) for row in np.concatenate(rows).tolist()]
            mixed = _planted(name, known, answers // 2, rng)
            sizes[j] += tuple(
                AuditStratum(k, sum(one.stratum == k for one in mixed), float(k == PLANTED[1]))
                for k in PLANTED
                if mixed
            )
            own += mixed
            drawn += [own[place] for place in rng.permutation(len(own)).tolist()]
    if known and not any(one.stratum in PLANTED for one in drawn):
        raise OperationError("No planted photo has the tag {0}: choose other tags or photos.", drawn[0].tag)
    audits = [one._replace(blind=blind) for one in _audits(library, photos, sizes, drawn, scope)]
    return library.audits.begin(audits, drawn)


def _planted(tag: str, known: Mapping[int, Collection[str]], most: int, rng: np.random.Generator) -> list[DrawnPhoto]:
    """Draw planted photos for a tag, half of them with it where possible; none if no planted photo has it."""
    carriers = {photo_id for photo_id, tags in known.items() if tag in tags}
    groups = sorted(known.keys() - carriers), sorted(carriers)
    if not carriers:
        return []
    few = min(len(groups[0]), most // 2)
    wanted = few, min(len(carriers), most - few)
    return [
        DrawnPhoto(tag, photo_id, stratum)
        for stratum, group, number in zip(PLANTED, groups, wanted, strict=True)
        for photo_id in rng.choice(np.array(group, dtype=np.int64), number, replace=False).tolist()
    ]


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
