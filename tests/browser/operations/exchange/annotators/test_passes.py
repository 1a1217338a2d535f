# SPDX-License-Identifier: MIT
"""Self-agreement: a blind audit compared with the tags, and its differences settled."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.annotators.passes import compare_passes
from focal_photos.browser.operations.exchange.annotators.settle import settle_disagreement
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.audit.answer import answer_audit
from focal_photos.browser.operations.tagging.audit.certificate import read_certificate
from focal_photos.browser.operations.tagging.audit.draw import draw_audit
from tests.browser.operations.three_kinds import KINDS, of_kind


def test_the_differences_of_a_blind_pass_are_settled(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind), [kind])
    with pytest.raises(OperationError, match="Ask me again"):
        compare_passes(three)
    tag, photos = KINDS[0], of_kind(three, KINDS[0])
    finish(draw_audit(three, Ranker(three), tags=[tag], answers=1000, blind=True, seed=0))
    with pytest.raises(OperationError):
        compare_passes(three)
    drawn = [one.photo_id for one in three.audits.drawn()]
    away, kept = photos[:2], photos[2:]
    before = three.tags.of(drawn)
    answer_audit(three, tag, {each: each in kept for each in drawn})
    assert three.tags.of(drawn) == before, "a blind pass changes no tags"
    found, certificate = compare_passes(three), read_certificate(three)
    assert certificate is not None
    assert [(one.photo_id, one.answers) for one in found.disagreements] == [(each, (True, False)) for each in away]
    assert found.tags[0].kappa == certificate.tags[0].agreement, "as focal certify"
    assert found.tags[0].carried == (len(photos), len(kept))
    assert found.tags[0].disagreements == 2
    settle_disagreement(three, away[0], tag, present=True)
    assert [(one.photo_id, one.answered) for one in compare_passes(three).disagreements][-1] == (away[0], True)
    settle_disagreement(three, away[1], tag, present=False)
    found = compare_passes(three)
    assert [one.photo_id for one in found.disagreements] == [away[0]], "its tag still contradicts the second answer"
    assert found.tags[0].kappa == certificate.tags[0].agreement, "settling does not change the agreement"
    three.journal.undo()
    assert [one.photo_id for one in compare_passes(three).disagreements] == [away[1], away[0]]
