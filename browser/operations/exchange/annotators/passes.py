# SPDX-License-Identifier: MIT
"""Self-agreement: the user's tags compared with the answers of a blind audit, in which the tags were hidden."""

from __future__ import annotations

from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.annotators.compare import Comparison, Disagreement, TagAgreement
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.tagging.audit.certificate import read_certificate, sampled
from focal_photos.learners.evaluation.agreement import UNDEFINED
from focal_photos.learners.evaluation.audit import FIRST_TAGGED

PASSES: Final = ("before", "again")
"""Names of the two annotators: the user who tagged, and the user who answered the audit."""


def compare_passes(library: Library) -> Comparison:
    """Compare the tags when a blind audit began with its answers.

    Listed are the differences that the present tags still have, those without an explicit answer first. Kappa is
    estimated for all photos of the audit (`agreement_with_answers`); there is no alpha.

    Raises
    ------
    OperationError
        If no blind audit has answers.
    """
    certificate = read_certificate(library)
    if certificate is None or not certificate.blind:
        raise OperationError("No blind pass is answered yet: choose Am I done? in Review, then Ask me again.")
    answered = [one for one in sampled(library.audits.drawn()) if one.present is not None]
    carried = library.tags.of({one.photo_id for one in answered})
    explicit = library.confirmations.tags() | library.suggestions.rejected_pairs()
    found: list[TagAgreement] = []
    differ: list[Disagreement] = []
    for one in certificate.tags:
        own = [each for each in answered if each.tag == one.tag]
        first = [each.stratum >= FIRST_TAGGED for each in own]
        again = [bool(each.present) for each in own]
        observed = sum(a == b for a, b in zip(first, again, strict=True)) / len(own)
        open_ = [
            Disagreement(each.photo_id, one.tag, (a, b), (each.photo_id, one.tag) in explicit)
            for each, a, b in zip(own, first, again, strict=True)
            if a != b and (one.tag in carried[each.photo_id]) != b
        ]
        differ += sorted(open_, key=lambda each: (each.answered, each.photo_id))
        differences = one.wrong + one.missing
        counts = sum(first), sum(again)
        found.append(TagAgreement(one.tag, len(own), counts, observed, one.agreement, UNDEFINED, differences))
    found.sort(key=lambda one: (-one.disagreements, one.tag))
    place = {one.tag: row for row, one in enumerate(found)}
    differ.sort(key=lambda each: place[each.tag])
    photos = len({one.photo_id for one in answered})
    return Comparison(PASSES, photos, tuple(found), tuple(differ))
