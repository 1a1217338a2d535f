# SPDX-License-Identifier: MIT
"""The certificate: estimated quality of a library's tags, from the answers to an audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np

from focal_photos.browser.catalog.facts.learning.audits import AgreementRecord, DrawnPhoto, PersonAnswers, TagAudit
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.tagging.audit.audited_state import audited_state
from focal_photos.learners.evaluation.audit import (
    FIRST_TAGGED,
    PLANTED,
    Estimate,
    KnownAnswers,
    KnownPairs,
    Strata,
    TagEstimate,
    agreement_with_answers,
    estimate,
)


@dataclass(frozen=True)
class TagCertificate:
    """Estimated quality of one tag."""

    tag: str
    photos: int
    """Number of photos in the scope of the audit that carry it now."""
    answered: int
    drawn: int
    """`answered` and `drawn`: numbers of answered and of drawn photos."""
    wrong: int
    missing: int
    """`wrong` and `missing`: numbers of answers that contradicted a tag, and that revealed a missing one, including
    those corrected since."""
    estimate: TagEstimate
    """Estimate for the present tags."""
    agreement: Estimate
    """Cohen's kappa between the tags when the audit began and the answers, -1..1."""
    changed: bool
    """Whether tags were changed since the audit other than by its answers, so that the estimate is out of date."""


@dataclass(frozen=True)
class Person:
    """Quality of an annotator's answers, from planted photos with known answers."""

    name: str
    """Name of the annotator's library."""
    answers: KnownAnswers


@dataclass(frozen=True)
class Certificate:
    """Estimated quality of a library's tags."""

    scope: str
    """Description of the audited photos; empty: the whole library."""
    photos: int
    """Number of these photos."""
    begun: datetime
    """Time of the draw."""
    tags: tuple[TagCertificate, ...]
    """Tags with answers, by name."""
    total: TagEstimate
    """Estimate for all pairs of a photo and one of these tags."""
    answered: int
    drawn: int
    """`answered` and `drawn`: numbers of answered and of drawn photos, over all tags."""
    blind: bool = False
    """Whether the answers were given without seeing the tags, so that `TagCertificate.agreement` is self-agreement."""
    people: tuple[Person, ...] = ()
    """Those who answered planted photos: this library's user first, then those of merged libraries."""
    agreements: tuple[AgreementRecord, ...] = ()
    """Recorded agreement with the tags of other libraries."""

    @property
    def changed(self) -> bool:
        """Whether it is out of date for any of its tags."""
        return any(one.changed for one in self.tags)


class AuditedStrata(NamedTuple):
    """The strata of an audit with the present answers, and the pairs known under the present tags."""

    names: list[str]
    strata: Strata
    known: KnownPairs
    exclusive: bool


def read_certificate(library: Library) -> Certificate | None:
    """Return the certificate of the latest audit; None without an audit or answers."""
    audits, with_planted = library.audits.all(), library.audits.drawn()
    drawn = sampled(with_planted)
    answered = [one for one in drawn if one.present is not None]
    if not audits or not answered:
        return None
    found = audited_strata(library, audits, drawn)
    audited = {one.tag for one in answered}
    among = np.array([name in audited for name in found.names])
    estimates, total = estimate(found.strata, known=found.known, among=among, exclusive=found.exclusive)
    kappas = agreement_with_answers(found.strata, exclusive=found.exclusive)
    whole = not audits[0].scope
    states = audited_state(library, found.names, with_planted, whole=whole)
    tags = []
    for audit, one, kappa in zip(audits, estimates, kappas, strict=True):
        if audit.tag in audited:
            tags.append(_of_tag(audit, one, kappa, drawn, found, states[audit.tag] != audit.state))
    first = audits[0]
    counts = len(answered), len(drawn)
    people, agreements = read_people(library), tuple(library.audits.agreements())
    return Certificate(
        first.scope, first.photos, first.at, tuple(tags), total, *counts, first.blind, people, agreements
    )


def sampled(drawn: Sequence[DrawnPhoto]) -> list[DrawnPhoto]:
    """Return the photos that were drawn at random, without the planted ones."""
    return [one for one in drawn if one.stratum not in PLANTED]


def own_answers(library: Library) -> PersonAnswers | None:
    """Return the answers of this library's user to the planted photos of the audit; None without any."""
    known = [one for one in library.audits.drawn() if one.stratum in PLANTED and one.present is not None]
    if not known:
        return None
    found, missed, wrong, refused = (
        sum(one.stratum == stratum and one.present == present for one in known)
        for stratum in reversed(PLANTED)
        for present in (True, False)
    )
    return PersonAnswers(library.name, library.audits.all()[0].at, (found, missed, wrong, refused))


def read_people(library: Library) -> tuple[Person, ...]:
    """Return the people who answered planted photos: this library's user first, then those of merged libraries."""
    own = own_answers(library)
    others = library.audits.people()
    return tuple(Person(one.person, KnownAnswers(*one.counts)) for one in ([] if own is None else [own]) + others)


def audited_strata(library: Library, audits: Sequence[TagAudit], drawn: Sequence[DrawnPhoto]) -> AuditedStrata:
    """Count the answers of an audit by stratum."""
    names = [audit.tag for audit in audits]
    row = {name: i for i, name in enumerate(names)}
    drawn = sampled(drawn)
    answered, yes = (np.zeros((len(names), 256), dtype=np.int64) for _ in range(2))
    right, wrong, missing = (np.zeros(len(names), dtype=np.int64) for _ in range(3))
    carried = library.tags.of({one.photo_id for one in drawn if one.present is not None})
    for one in drawn:
        if one.present is not None:
            tag = row[one.tag]
            answered[tag, one.stratum] += 1
            yes[tag, one.stratum] += one.present
            has = one.tag in carried[one.photo_id]
            right[tag] += has and one.present
            wrong[tag] += has and not one.present
            missing[tag] += one.present and not has
    rows = [(row[audit.tag], *each) for audit in audits for each in audit.strata if each.number not in PLANTED]
    of_tag, number, size = (np.array([each[k] for each in rows], dtype=np.int64) for k in range(3))
    confidence = np.array([each[3] for each in rows], dtype=np.float64)
    strata = Strata(of_tag, number, size, confidence, answered[of_tag, number], yes[of_tag, number])
    return AuditedStrata(names, strata, KnownPairs(right, wrong, missing), audits[0].exclusive)


def _of_tag(
    audit: TagAudit,
    one: TagEstimate,
    kappa: Estimate,
    drawn: Sequence[DrawnPhoto],
    found: AuditedStrata,
    changed: bool,
) -> TagCertificate:
    tag = found.names.index(audit.tag)
    own = [each for each in drawn if each.tag == audit.tag]
    answered = [each for each in own if each.present is not None]
    strata = found.strata
    rest = (strata.tag == tag) & (strata.number >= FIRST_TAGGED)
    photos = int(found.known.right[tag] + found.known.wrong[tag] + (strata.size - strata.answered)[rest].sum())
    wrong = sum(not each.present and each.stratum >= FIRST_TAGGED for each in answered)
    missing = sum(bool(each.present) and each.stratum < FIRST_TAGGED for each in answered)
    return TagCertificate(audit.tag, photos, len(answered), len(own), wrong, missing, one, kappa, changed)
