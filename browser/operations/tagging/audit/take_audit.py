# SPDX-License-Identifier: MIT
"""Add an audit from another library, and check whether an audit is consistent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from focal_photos.browser.catalog.facts.learning.audits import DrawnPhoto, TagAudit
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.tagging.audit.audited_state import audited_state, portable_state
from focal_photos.learners.evaluation.audit import PLANTED

_MOST_PHOTOS: Final = 1 << 31


def inconsistency(audits: Sequence[TagAudit], drawn: Sequence[DrawnPhoto]) -> str | None:
    """Return why an audit has no certificate, for example because a file was edited by hand; None if it has one."""
    sizes: dict[tuple[str, int], int] = {}
    for audit in audits:
        if not 0 <= audit.photos < _MOST_PHOTOS:
            return f"the audit of {audit.tag} counts {audit.photos} photos"
        for number, photos, confidence in audit.strata:
            known = (audit.tag, number) in sizes
            if type(number) is not int or type(photos) is not int or not isinstance(confidence, int | float):
                return f"the audit of {audit.tag} has an invalid stratum"
            if known or not 0 <= number <= PLANTED[-1] or not 0 <= photos <= audit.photos or not 0 <= confidence <= 1:
                return f"the audit of {audit.tag} has the stratum {number} of {photos} photos"
            sizes[audit.tag, number] = photos
    if len({(audit.scope, audit.exclusive, audit.blind) for audit in audits}) > 1:
        return "two tags were audited on different photos"
    for (tag, stratum), count in Counter((one.tag, one.stratum) for one in drawn).items():
        if count > sizes.get((tag, stratum), 0):
            return f"{count} photos of the stratum {stratum} were drawn for {tag}"
    if len({(one.tag, one.photo_id) for one in drawn}) < len(drawn):
        return "a photo was drawn twice"
    return None


def take_audit(
    library: Library, audits: Sequence[TagAudit], drawn: Sequence[DrawnPhoto], portable: Mapping[str, str]
) -> None:
    """Add an audit from another library. Part of a journal step begun by the caller.

    If this library has an audit, that stays. If both are the same audit, photos without an answer get the answer from
    the other library. Answers from a different audit are ignored: they are not a random sample of the strata here.
    Answers to planted photos are never added: they are about the annotator who gave them (`Audits.add_people`).

    Parameters
    ----------
    audits : sequence of TagAudit
        Their `state` is ignored.
    drawn : sequence of DrawnPhoto
        With photo ids of this library.
    portable : mapping of str to str
        Result of `portable_state` in the other library, by tag; empty if tags have changed since the audit. If this
        library has another state, the certificate is out of date.
    """
    drawn = [one._replace(present=None) if one.stratum in PLANTED else one for one in drawn]
    here = {audit.tag: audit for audit in library.audits.all()}
    if here:
        same = {audit.tag for audit in audits if audit.tag in here and here[audit.tag].at == audit.at}
        waiting = {(one.tag, one.photo_id, one.stratum) for one in library.audits.drawn() if one.present is None}
        answers: dict[str, dict[int, bool]] = {}
        for one in drawn:
            if one.tag in same and one.present is not None and (one.tag, one.photo_id, one.stratum) in waiting:
                answers.setdefault(one.tag, {})[one.photo_id] = one.present
        for tag, present in answers.items():
            library.audits.answer(tag, present)
    elif audits and drawn:
        tags, whole = [audit.tag for audit in audits], not audits[0].scope
        own = portable_state(library, tags, drawn, whole=whole)
        states = audited_state(library, tags, drawn, whole=whole)
        kept = [one._replace(state=states[one.tag] if own[one.tag] == portable[one.tag] else "") for one in audits]
        library.audits.keep(kept, drawn)
