# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.audit.accept_rest import find_rest
from focal_photos.browser.operations.tagging.audit.answer import answer_audit
from focal_photos.browser.operations.tagging.audit.certificate import read_certificate
from focal_photos.browser.operations.tagging.audit.confidences import tag_confidences
from focal_photos.browser.operations.tagging.audit.draw import draw_audit
from focal_photos.learners.evaluation.audit import FIRST_TAGGED, OTHER_TAG
from tests.browser.operations.three_kinds import EACH, KINDS, of_kind


def tag_most(library: Library, each: int = EACH - 4) -> None:
    """Tag most photos of each kind correctly, and one of the last kind wrongly."""
    for kind in KINDS:
        library.tags.change(of_kind(library, kind)[:each], [kind])
    wrong = of_kind(library, KINDS[-1])[-1]
    library.tags.change([wrong], [KINDS[0]])


def truth(library: Library, tag: str, photo_id: int) -> bool:
    return photo_id in of_kind(library, tag)


def answer_all(library: Library, *, correct: bool = True) -> None:
    drawn = library.audits.drawn()
    for tag in sorted({one.tag for one in drawn}):
        own = [one.photo_id for one in drawn if one.tag == tag]
        answer_audit(library, tag, {each: truth(library, tag, each) for each in own}, correct=correct)


def test_photos_are_drawn_from_all_strata_without_repeats(three: Library) -> None:
    tag_most(three)
    finish(draw_audit(three, Ranker(three), answers=10, seed=0))
    drawn = three.audits.drawn()
    assert {one.tag for one in drawn} == set(KINDS)
    assert len({(one.tag, one.photo_id) for one in drawn}) == len(drawn)
    tags = three.tags.of({one.photo_id for one in drawn})
    for kind in KINDS:
        own = [one for one in drawn if one.tag == kind]
        assert len(own) <= 10
        assert all((one.stratum >= FIRST_TAGGED) == (kind in tags[one.photo_id]) for one in own)
        assert sum(one.stratum >= FIRST_TAGGED for one in own) == 5
        assert not any(one.stratum == OTHER_TAG for one in own), "audits of the other tags cover these photos"
    for audit in three.audits.all():
        assert sum(stratum.photos for stratum in audit.strata) == audit.photos == len(three.photos.ids())


def test_another_seed_draws_other_photos(three: Library) -> None:
    tag_most(three)
    found = []
    for seed in (1, 1, 2):
        finish(draw_audit(three, Ranker(three), answers=8, seed=seed))
        found.append([(one.tag, one.photo_id) for one in three.audits.drawn()])
    assert found[0] == found[1] != found[2]


def test_only_given_tags_and_photos_in_scope_are_drawn(three: Library) -> None:
    tag_most(three)
    scope = [*of_kind(three, "warm"), *of_kind(three, "cold")]
    finish(draw_audit(three, Ranker(three), tags=["cold"], answers=100, ids=scope, scope="two kinds"))
    drawn = three.audits.drawn()
    assert {one.tag for one in drawn} == {"cold"}
    assert {one.photo_id for one in drawn} <= set(scope)
    assert {audit.photos for audit in three.audits.all()} == {len(scope)}
    with pytest.raises(OperationError, match="green"):
        finish(draw_audit(three, Ranker(three), tags=["green"], ids=of_kind(three, "cold")))


def test_an_audit_needs_tags(three: Library) -> None:
    with pytest.raises(NothingToLearnError):
        finish(draw_audit(three, Ranker(three)))
    assert read_certificate(three) is None


def test_an_answer_that_contradicts_a_tag_corrects_it_in_one_step(three: Library) -> None:
    tag_most(three)
    finish(draw_audit(three, Ranker(three), answers=100, seed=0))
    before = three.tags.of(three.photos.ids())
    wrong = of_kind(three, KINDS[-1])[-1]
    missing = of_kind(three, KINDS[0])[-1]
    changes = answer_audit(three, KINDS[0], {wrong: False, missing: True})
    assert changes.label == f"Audit {KINDS[0]}: 2 photos"
    assert three.tags.of([wrong, missing]) == {wrong: [], missing: [KINDS[0]]}
    assert (wrong, KINDS[0]) in three.suggestions.rejected_pairs(), "the removed tag is not suggested again"
    three.journal.undo()
    assert three.tags.of(three.photos.ids()) == before
    assert not three.suggestions.rejected_pairs()
    assert not any(one.present is not None for one in three.audits.drawn())
    answer_audit(three, KINDS[0], {wrong: False}, correct=False)
    assert three.tags.of([wrong]) == {wrong: [KINDS[0]]}


def test_the_certificate_of_a_full_audit_is_exact(three: Library) -> None:
    tag_most(three)
    finish(draw_audit(three, Ranker(three), answers=1000, seed=0))
    answer_all(three, correct=False)
    certificate = read_certificate(three)
    assert certificate is not None
    by_tag = {one.tag: one for one in certificate.tags}
    first = by_tag[KINDS[0]]
    tagged = EACH - 4 + 1
    assert (first.photos, first.wrong, first.missing) == (tagged, 1, 4)
    assert first.estimate.precision == pytest.approx((10 / 11, 10 / 11, 10 / 11))
    assert first.estimate.recall.value == pytest.approx(10 / 14, abs=0.02)
    last = by_tag[KINDS[-1]]
    assert last.missing == 3, "the fourth photo has another tag"
    assert last.estimate.missing.low <= 4 <= last.estimate.missing.high, (
        "the missing photo may be the one with the wrong tag"
    )
    assert not certificate.changed


def test_the_certificate_describes_the_corrected_tags(three: Library) -> None:
    tag_most(three)
    finish(draw_audit(three, Ranker(three), answers=1000, seed=0))
    answer_all(three)
    certificate = read_certificate(three)
    assert certificate is not None
    assert not certificate.changed, "corrections by answers are not later changes"
    for one in certificate.tags:
        assert one.estimate.precision == (1, 1, 1)
        assert one.photos == len(
            [each for each in three.photos.ids().tolist() if one.tag in three.tags.of([each])[each]]
        )


def test_other_changes_outdate_the_certificate_of_their_tag(three: Library) -> None:
    tag_most(three)
    finish(draw_audit(three, Ranker(three), answers=6, seed=0))
    answer_all(three)
    drawn = {one.photo_id for one in three.audits.drawn() if one.tag == "cold"}
    other = next(each for each in of_kind(three, "warm") if each not in drawn)
    three.tags.change([other], ["cold"])
    certificate = read_certificate(three)
    assert certificate is not None
    assert {one.tag for one in certificate.tags if one.changed} == {"cold"}
    three.journal.undo()
    certificate = read_certificate(three)
    assert certificate is not None
    assert not certificate.changed


def test_remaining_suggestions_are_accepted_if_the_answers_permit(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:5], [kind])
    with pytest.raises(OperationError):
        finish(find_rest(three, Ranker(three)))
    finish(draw_audit(three, Ranker(three), answers=10, seed=0))
    answer_all(three)
    found = finish(find_rest(three, Ranker(three), precision=0.8))
    assert found.pairs, "the three kinds are recognised by their colours"
    assert found.precision >= 0.8
    tags = three.tags.of([photo_id for photo_id, _ in found.pairs])
    assert not any(tags[photo_id] for photo_id, _ in found.pairs)
    assert len({photo_id for photo_id, _ in found.pairs}) == len(found.pairs), (
        "each photo has one tag: tags exclude each other"
    )
    right = np.mean([truth(three, tag, photo_id) for photo_id, tag in found.pairs])
    assert right >= 0.8
    assert not finish(find_rest(three, Ranker(three), precision=1.01)).pairs


def test_suggestions_answered_with_no_are_not_accepted(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:5], [kind])
    finish(draw_audit(three, Ranker(three), answers=1000, seed=0))
    drawn = three.audits.drawn()
    for kind in KINDS:
        tagged = [one.photo_id for one in drawn if one.tag == kind and one.stratum >= FIRST_TAGGED]
        untagged = [one.photo_id for one in drawn if one.tag == kind and one.stratum < FIRST_TAGGED]
        answer_audit(three, kind, dict.fromkeys(tagged, True) | dict.fromkeys(untagged, False))
    assert finish(find_rest(three, Ranker(three), precision=0.0001)).pairs == ()


def test_a_certificate_needs_answers(three: Library) -> None:
    tag_most(three)
    finish(draw_audit(three, Ranker(three), answers=6, seed=0))
    assert read_certificate(three) is None
    photos = finish(tag_confidences(three, Ranker(three)))
    assert photos.exclusive
    assert photos.confidence.shape == photos.carried.shape == (len(three.photos.ids()), len(KINDS))
