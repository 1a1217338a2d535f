# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging import learn_tags, neighborhoods
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.neighborhoods import find_neighborhoods, find_neighborhoods_within
from focal_photos.browser.operations.tagging.review import review as review_module
from focal_photos.browser.operations.tagging.review.answered_questions import AnsweredQuestions
from focal_photos.browser.operations.tagging.review.ask_next import ask_next
from focal_photos.browser.operations.tagging.review.new_kinds import densest_group, find_new_kinds
from focal_photos.browser.operations.tagging.review.question_scope import QuestionScope
from focal_photos.browser.operations.tagging.review.review import Question, held_out_right, review, supporters
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.tags.confidence.answered import Answered
from tests.browser.operations.three_kinds import EACH, KINDS, of_kind, several


def questions(library: Library, **options: object) -> dict[str | None, list[Question]]:
    found: dict[str | None, list[Question]] = {}
    for question in finish(review(library, Ranker(library), **options)):  # type: ignore[arg-type]
        found.setdefault(question.tag, []).append(question)
    return found


def test_groups_of_one_kind_are_found_without_tags(three: Library) -> None:
    found = questions(three)
    assert set(found) == {None}
    named = []
    for question in found[None]:
        proposed = question.photo_ids[: question.line].tolist()
        kinds = [path.parent.name for path in three.photos.paths(proposed)]
        assert len(proposed) >= 5
        assert len(set(kinds)) == 1
        named.append(kinds[0])
    assert sorted(named) == sorted(set(named))  # no kind twice


def test_candidates_of_a_tag_are_untagged_and_sorted_by_confidence(three: Library) -> None:
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:3], [kind])
    found = questions(three)
    for kind in KINDS[:2]:
        (question,) = found[kind]
        assert not set(question.photo_ids.tolist()) & set(three.photos.ids("tagged").tolist())
        sure = question.confidences[question.confidences >= 0.9]
        assert (np.diff(sure) <= 0).all()
        assert (question.confidences[: len(sure)] == sure).all()
        assert set(question.photo_ids[: EACH - 3].tolist()) == set(of_kind(three, kind)[3:])
        assert question.line == (question.confidences >= 0.5).sum() >= EACH - 3
        assert question.expected == pytest.approx(question.confidences.sum())
        np.testing.assert_array_equal(question.stated, question.confidences)
    # Photos that no tag explains form a separate group.
    new = found[None][0]
    assert set(new.photo_ids[: new.line].tolist()) <= set(of_kind(three, "green"))


def test_confidence_is_calibrated_by_the_answers(three: Library) -> None:
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:3], [kind])
    before = questions(three)
    less = Answered(np.full(20, 0.9), np.zeros(20, dtype=bool))
    after = questions(three, answered=AnsweredQuestions(tags=(less,) * 3))
    for kind in KINDS[:2]:
        was, now = before[kind][0], after[kind][0]
        stated = dict(zip(now.photo_ids.tolist(), now.stated.tolist(), strict=True))
        for photo_id, confidence in zip(was.photo_ids.tolist(), was.confidences.tolist(), strict=True):
            assert stated.get(photo_id, confidence) == pytest.approx(confidence), (
                "stated confidences ignore the answers"
            )
        assert now.expected < 0.6 * was.expected
        assert now.line < was.line
    # Answers about tags do not affect new kinds, nor vice versa.
    assert after[None][0].expected == pytest.approx(before[None][0].expected)
    more = Answered(np.full(20, 0.1), np.ones(20, dtype=bool))
    third = questions(three, answered=AnsweredQuestions(kinds=(more,) * 3))
    assert third[None][0].expected > before[None][0].expected
    assert third["warm"][0].expected == pytest.approx(before["warm"][0].expected)


def test_a_larger_than_expected_group_does_not_extend_the_next_one_to_all_photos(
    three: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All faces of a first group were right, including the least sure; the next group is still limited to one kind."""
    monkeypatch.setattr(review_module, "_GROUP", 20)
    faces = Answered(np.array([0.98] * 12 + [0.6] * 6 + [0.0] * 14), np.ones(32, dtype=bool))
    question = questions(three, answered=AnsweredQuestions(kinds=(faces,)))[None][0]
    proposed = three.photos.paths(question.photo_ids[: question.line].tolist())
    assert len({path.parent.name for path in proposed}) == 1
    assert 5 <= question.line <= EACH
    assert len(question.photo_ids) == 20, "of 24 in the group"


def test_the_line_minimises_the_expected_errors(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:2], [kind])
    for question in (one for some in questions(three).values() for one in some):
        right = question.confidences.astype(np.float64)
        wrong = [(1 - right[:at]).sum() + right[at:].sum() for at in range(len(right) + 1)]
        assert wrong[question.line] == pytest.approx(min(wrong))


def test_a_tag_shows_many_photos_and_an_unsure_group_few(three: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tags on some photos of a new kind separate the rest better than the group did."""
    monkeypatch.setattr(review_module, "_GROUP", 20)
    assert len(questions(three)[None][0].photo_ids) == 20, "of 24 in the group"
    warm = of_kind(three, "warm")
    three.tags.change(warm[:3], ["warm"])
    three.tags.change(of_kind(three, "cold")[:12], ["cold"])
    found = questions(three)
    assert len(found["cold"][0].photo_ids) >= 24, "two cold photos are left, and the least sure follow"
    assert len(questions(three, most=5)["cold"][0].photo_ids) == 5


def test_rejected_and_skipped_photos_are_not_asked_about_again(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:3], [kind])
    warm = of_kind(three, "warm")
    (before,) = questions(three)["warm"]
    assert warm[5] in before.photo_ids[: before.line]
    three.suggestions.reject([(warm[5], "warm")])
    assert warm[5] not in questions(three)["warm"][0].photo_ids
    (after,) = questions(three, passed=frozenset({(warm[6], "warm")}))["warm"]
    assert warm[6] not in after.photo_ids


def test_rejected_and_skipped_photos_are_absent_although_few_candidates_are_left(three: Library) -> None:
    warm, cold = of_kind(three, "warm"), of_kind(three, "cold")
    three.tags.change(warm[:8], ["warm"])
    three.tags.change(cold[:8], ["cold"])
    three.tags.change(of_kind(three, "green"), ["green"])
    three.suggestions.reject([(warm[9], "warm")])
    (question,) = questions(three, passed=frozenset({(warm[10], "warm")}))["warm"]
    assert set(question.photo_ids.tolist()) == {*warm[8:], *cold[8:]} - {warm[9], warm[10]}


def test_untagged_photos_come_first_if_photos_have_several_tags(three: Library) -> None:
    several(three)
    found = finish(review(three, Ranker(three)))
    order = [question.again for question in found]
    assert order == sorted(order), "photos with tags come last"
    first = next(question for question in found if question.tag == "drawn")
    assert not first.again
    assert set(first.photo_ids.tolist()) == set(three.photos.ids("untagged").tolist())


def test_tagged_photos_are_asked_about_a_forgotten_tag(three: Library) -> None:
    several(three)
    (again,) = [question for question in questions(three)["drawn"] if question.again]
    forgotten = {i for kind in KINDS for i in of_kind(three, kind)[6:8]}
    assert set(again.photo_ids.tolist()) <= forgotten
    assert (again.confidences >= 0.5).all()
    assert again.expected == pytest.approx(again.confidences.sum())


def test_a_photo_with_its_first_tag_is_still_asked_about_with_the_untagged_ones(three: Library) -> None:
    several(three)
    warm = of_kind(three, "warm")
    three.tags.change(warm[8:9], ["warm"])
    without = [question for question in questions(three)["drawn"] if not question.again]
    assert warm[8] not in without[0].photo_ids
    found = questions(three, unfinished=frozenset({warm[8], warm[0]}))
    first = next(question for question in found["drawn"] if not question.again)
    assert warm[8] in first.photo_ids
    assert warm[0] not in first.photo_ids, "the photo has the tag already"
    assert not any(warm[8] in question.photo_ids for question in found["drawn"] if question.again)


def test_a_question_expects_at_least_one_photo_if_photos_have_several_tags(three: Library) -> None:
    several(three)
    found = finish(review(three, Ranker(three)))
    assert all(question.expected >= 1 for question in found if question.tag is not None)
    every = frozenset((i, tag) for i in three.photos.ids().tolist() for tag in (*KINDS, "drawn"))
    left = finish(review(three, Ranker(three), passed=every))
    assert {question.tag for question in left} == {None}, "untagged photos form a group"


def test_a_question_expects_at_least_one_photo_if_photos_have_one_tag(three: Library) -> None:
    """After "Not now" for all likely photos, Review does not show the unlikely ones."""
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:3], [kind])
    asked = questions(three)["warm"][0]
    left = frozenset((photo_id, "warm") for photo_id in asked.photo_ids[: asked.line].tolist())
    assert len(asked.photo_ids) > asked.line, "unlikely photos are left"
    found = questions(three, passed=left)
    assert "warm" not in found
    assert KINDS[1] in found


def test_given_tags_support_related_tags_and_rejected_ones_oppose_them(three: Library) -> None:
    """The relation is not visible in the photos, only in the tags."""
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:10], [kind])
        three.tags.change(of_kind(three, kind)[:10:2], ["framed", "signed"])
    asked = [of_kind(three, kind)[10] for kind in KINDS]
    unfinished = frozenset(three.photos.ids("untagged").tolist())

    def sure(photo_id: int, **options: object) -> float:
        question = next(each for each in questions(three, unfinished=unfinished, **options)["signed"] if not each.again)
        return float(question.confidences[question.photo_ids.tolist().index(photo_id)])

    before = [sure(photo_id) for photo_id in asked]
    passed = frozenset({(asked[0], "framed")})
    assert sure(asked[0], passed=passed) < before[0] - 0.05
    assert sure(asked[1], passed=passed) == pytest.approx(before[1])
    three.suggestions.reject([(asked[1], "framed")])
    assert sure(asked[1]) < before[1] - 0.05
    three.tags.change([asked[2]], ["framed"])
    assert sure(asked[2]) > before[2] + 0.02


def test_the_tags_of_a_photo_do_not_affect_the_confidence_of_a_forgotten_one(three: Library) -> None:
    """The confidence of a forgotten tag depends only on the photo."""
    several(three)
    ranker = Ranker(three)
    (again,) = [question for question in questions(three)["drawn"] if question.again]
    gallery = ranker.gallery()
    learned = finish(learn_tags.learn_tags(three, gallery, read_annotated(three, gallery, set())))
    assert learned.residuals is not None
    sure = learned.confidences(again.photo_ids).tags[:, learned.names.index("drawn")]
    np.testing.assert_allclose(again.stated, sure, atol=1e-6)


def test_groups_of_photos_have_similar_confidence(three: Library) -> None:
    def range_of_groups(library: Library) -> float:
        """Return the largest range of confidences within a group."""
        named = [question for found in questions(library).values() for question in found if question.tag is not None]
        groups = [
            question.confidences[question.groups == group]
            for question in named
            for group in set(question.groups.tolist())
        ]
        return max(float(np.ptp(group)) for group in groups)

    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:1], [kind])
    assert 0 < range_of_groups(three) <= 0.4
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:1], ["drawn"])
    assert 0 < range_of_groups(three) <= 0.2


def test_confidence_falls_from_group_to_group_and_agrees_with_the_line(three: Library) -> None:
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:1], [kind])
    shy = Answered(np.full(20, 0.3), np.ones(20, dtype=bool))
    for answered in (AnsweredQuestions(), AnsweredQuestions(tags=(shy,), kinds=(shy,))):
        found = [question for some in questions(three, answered=answered).values() for question in some]
        assert len(found) > 2
        for question in found:
            assert (question.confidences[: question.line] >= 0.5).all()
            assert (question.confidences[question.line :] <= 0.5).all()
            assert (np.diff(question.shown) <= 1e-6).all()
            assert question.shown.sum() == pytest.approx(question.confidences.sum())
            for group in set(question.groups.tolist()):
                own = question.groups == group
                np.testing.assert_allclose(question.shown[own], question.confidences[own].mean(), atol=1e-6)


def test_leftover_photos_of_several_kinds_are_not_a_new_kind(three: Library) -> None:
    """A few photos of each tagged kind are left, which have less in common than photos of one tag."""
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:-2], [kind])
    found = questions(three)
    assert None not in found
    assert set(found) == set(KINDS)


def test_a_last_kind_less_alike_than_the_tagged_ones_is_still_one_question(
    three: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind), [kind])
    before = questions(three)[None]
    assert len(before) > 1
    monkeypatch.setattr(review_module, "typical_coherence", lambda *_: 2.0)  # no group is as alike as tagged photos
    (question,) = questions(three)[None]
    assert question.worth >= 1 > max(one.worth for one in before[1:])
    assert set(question.photo_ids[: question.line].tolist()) <= set(of_kind(three, "green"))
    assert not question.slow


def test_similar_photos_of_a_known_tag_are_not_a_new_kind(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[: EACH // 2], [kind])
    assert None not in questions(three)


def test_inefficient_questions_are_left_to_the_review_photo_by_photo(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:-5], [kind])
    wrong = Answered(np.full(20, 0.9), np.zeros(20, dtype=bool))
    every = finish(review(three, Ranker(three), answered=AnsweredQuestions(tags=(wrong,) * 2)))
    assert any(question.slow for question in every)
    assert all(question.slow == (question.worth < 0.6) for question in every)


def test_a_name_to_be_typed_lowers_the_priority_of_a_question(three: Library) -> None:
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:3], [kind])
    named, new = questions(three)["warm"][0], questions(three)[None][0]
    same = replace(named, tag=None)
    assert 1 / same.worth - 1 / named.worth == pytest.approx(4 / named.expected)
    unsure = np.minimum(named.confidences, 1 - named.confidences).sum()
    assert named.worth == pytest.approx(named.expected / (1.5 + 0.7 * unsure))
    assert new.tag is None


def test_a_rejected_tag_raises_the_others_if_photos_have_one_tag(three: Library) -> None:
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:3], [kind])
    one, two = (questions(three)[kind][0].photo_ids for kind in KINDS[:2])
    both = np.intersect1d(one, two)

    def sure(tag: str, photo: int, **options: object) -> float:
        question = questions(three, **options)[tag][0]
        return float(question.confidences[question.photo_ids.tolist().index(photo)])

    likeliest = max(both.tolist(), key=lambda photo: min(sure(kind, photo) for kind in KINDS[:2]))
    shown, other = sorted(KINDS[:2], key=lambda kind: -sure(kind, likeliest))
    assert sure(other, likeliest, passed=frozenset({(likeliest, shown)})) > 1.2 * sure(other, likeliest)


def test_unexplained_photos_are_a_new_kind_if_photos_have_several_tags(three: Library) -> None:
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:8], [kind, "drawn"])
    new = questions(three)[None][0]
    assert new.expected > 0.01
    assert set(new.photo_ids[:8].tolist()) <= set(of_kind(three, "green"))


def test_rare_keywords_do_not_come_before_new_kinds(three: Library) -> None:
    """A tag on one photo cannot be cross-validated, so its confidence on other photos is unknown."""
    for kind in KINDS[:2]:
        three.tags.change(of_kind(three, kind)[:1], [f"{kind} {number}" for number in range(5)])
    three.tags.change(of_kind(three, "green")[:1], ["portrait"])
    found = questions(three)
    assert set(found) == {None}
    asked = {photo_id for question in found[None] for photo_id in question.photo_ids.tolist()}
    assert len(asked) > len(three.photos.ids("untagged")) / 2, (
        "photos that merely resemble a tagged one still need a name"
    )
    assert {tag for question in found[None] for tag in question.known} > {"portrait"}, (
        "a digit may give them the known tags"
    )
    # Once a second photo has one of these tags, the tag becomes a question.
    three.tags.change(of_kind(three, "warm")[1:2], ["warm 0"])
    assert set(questions(three)) == {None, "warm 0"}


def test_photos_with_a_tag_are_not_its_candidates_although_few_others_are_left(three: Library) -> None:
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:12], [kind, "drawn"])
    question = next(each for each in questions(three)["drawn"] if not each.again)
    assert set(question.photo_ids.tolist()) == set(three.photos.ids("untagged").tolist())


def test_supporting_neighbours_have_the_tag(three: Library) -> None:
    warm = of_kind(three, "warm")
    three.tags.change(warm[:4], ["warm"])
    found = supporters(three, Ranker(three), warm[5], "warm")
    assert sorted(found) == sorted(warm[:4])
    assert warm[0] not in supporters(three, Ranker(three), warm[0], "warm")
    assert supporters(three, Ranker(three), warm[5], "unknown") == []
    assert len(supporters(three, Ranker(three), warm[5], "warm", count=2)) == 2


def test_a_tagged_photo_is_judged_without_its_own_tag(three: Library) -> None:
    assert held_out_right(three, Ranker(three)) == {}
    for kind in KINDS:
        three.tags.change(of_kind(three, kind)[:5], [kind])
    cold = of_kind(three, "cold")
    three.tags.change(cold[:1], ["warm"], remove=["cold"])  # wrong tag
    three.tags.change(cold[9:10], ["alone"])
    found = held_out_right(three, Ranker(three))
    assert cold[9] not in found
    assert len(found) == 15
    assert not found.pop(cold[0])
    assert sum(found.values()) >= 13


def test_one_shared_tag_says_nothing_about_the_accuracy_of_suggestions(three: Library) -> None:
    three.tags.change(of_kind(three, "warm")[:12], ["warm"])
    three.tags.change(of_kind(three, "cold")[:1], ["cold"])
    assert held_out_right(three, Ranker(three)) == {}, "every suggestion would be right"
    three.tags.change(of_kind(three, "cold")[1:2], ["cold"])
    assert len(held_out_right(three, Ranker(three))) == 14


def test_neighbours_explained_by_a_tag_form_no_group() -> None:
    # The first photo shares most neighbours, but tags explain these; the last six photos are a new kind.
    shared = np.eye(13)
    shared[0, 1:7] = shared[1:7, 0] = 0.9
    shared[7:, 7:] = 0.4
    np.fill_diagonal(shared, 1)
    none = np.array([0.6] + [0.01] * 6 + [0.5] * 6)
    order, belonging = densest_group(shared, none)
    assert set(order[:6].tolist()) == set(range(7, 13))
    assert (np.diff(belonging) <= 0).all()
    assert set(densest_group(shared, np.ones(13))[0][:7].tolist()) == set(range(7))


def test_groups_are_disjoint_and_end_when_all_photos_are_explained(three: Library) -> None:
    looks = Ranker(three).gallery()
    neighborhoods = find_neighborhoods(three, looks, three.photos.ids())
    assert neighborhoods is not None
    assert neighborhoods.complete
    ids = three.photos.ids()
    groups = find_new_kinds(neighborhoods, ids, np.ones(len(ids)), groups=5)
    members = [set(one.photo_ids[one.belonging >= 0.5].tolist()) for one in groups]
    assert sum(map(len, members)) == len(set.union(*members))
    assert all((np.diff(one.belonging) <= 0).all() for one in groups)
    assert len(find_new_kinds(neighborhoods, ids, np.full(len(ids), 0.01))) == 1
    explained = np.where(np.isin(ids, of_kind(three, "green")), 0.9, 0.01)
    (first, *_) = find_new_kinds(neighborhoods, ids, explained)
    assert set(first.photo_ids[first.belonging >= 0.5].tolist()) <= set(of_kind(three, "green"))
    (last,) = find_new_kinds(neighborhoods, ids[:1], np.ones(1))
    assert last.photo_ids.tolist() == ids[:1].tolist()
    assert find_new_kinds(neighborhoods, ids[:0], np.ones(0)) == []


def test_photos_in_scope_have_neighbours_among_themselves(three: Library) -> None:
    looks = Ranker(three).gallery()
    some = np.sort(np.array([*of_kind(three, KINDS[0]), *of_kind(three, KINDS[1])]))
    found = find_neighborhoods_within(three, looks, some)
    assert found is not None
    assert found.ids.tolist() == some.tolist()
    alone = build(looks.among(looks.row_table[some].astype(np.intp)))
    every = np.arange(len(some))
    assert (found.shared(every) != alone.shared(every)).nnz == 0
    assert find_neighborhoods_within(three, looks, some) is found, "they are computed once"
    assert find_neighborhoods_within(three, looks, some[1:]) is not found
    assert find_neighborhoods_within(three, looks, some[:19]) is None, "too few"
    assert find_neighborhoods_within(three, looks, three.photos.ids()) is None, "all photos"


def test_new_kinds_of_a_folder_are_found_among_its_photos(three: Library) -> None:
    some = np.sort(np.array([*of_kind(three, KINDS[0]), *of_kind(three, KINDS[1])]))
    first, *_ = finish(review(three, Ranker(three), scope=QuestionScope(some)))
    assert first.tag is None
    proposed = first.photo_ids[: first.line].tolist()
    assert len(proposed) >= 5
    assert set(proposed) <= set(some.tolist())
    assert len({path.parent.name for path in three.photos.paths(proposed)}) == 1


def test_explained_photos_beside_a_group_form_no_group(three: Library) -> None:
    looks = Ranker(three).gallery()
    neighborhoods = find_neighborhoods(three, looks, three.photos.ids())
    assert neighborhoods is not None
    ids = three.photos.ids()
    green = np.isin(ids, of_kind(three, "green"))
    groups = find_new_kinds(neighborhoods, ids, np.where(green, 0.9, 0.001))
    assert groups[0].belonging[0] >= 0.5
    taken = np.isin(ids, groups[0].photo_ids[groups[0].belonging >= 0.5])
    left = float(np.where(green, 0.9, 0.001)[~taken].sum())
    assert (len(groups) > 1) == (left >= 1)
    assert len(find_new_kinds(neighborhoods, ids[taken | ~green], np.where(green, 0.9, 0.001)[taken | ~green])) == 1


@pytest.fixture
def large(three: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    """The 42 photos as a library too large for all neighbourhoods, with a sample of 30."""
    monkeypatch.setattr(neighborhoods, "MAX_PHOTOS", 20)
    monkeypatch.setattr(neighborhoods, "_SAMPLE", 30)
    monkeypatch.setattr(learn_tags, "MAX_PHOTOS", 20)
    return three


def test_a_sample_represents_a_large_library(large: Library) -> None:
    ranker = Ranker(large)
    ids = large.photos.ids()
    found = find_neighborhoods(large, ranker.gallery(), ids)
    assert found is not None
    assert not found.complete
    assert len(found.ids) == len(found.graph) == 30
    assert find_neighborhoods(large, ranker.gallery(), ids) is found, "the neighbourhoods are computed once"
    assert find_neighborhoods(large, ranker.gallery(), ids[:20]) is found, "enough photos are still untagged"
    kinds = {path.parent.name for path in large.photos.paths(finish(ask_next(large, ranker, 3)))}
    assert kinds == set(KINDS)
    first, *_ = finish(review(large, ranker))
    proposed = large.photos.paths(first.photo_ids[: first.line].tolist())
    assert len(proposed) >= 5
    assert len({path.parent.name for path in proposed}) == 1


def test_the_sample_does_not_depend_on_the_order_of_description(large: Library) -> None:
    looks, ids = Ranker(large).gallery(), large.photos.ids()
    rows = np.ascontiguousarray(looks.rows[::-1])
    turned = MetricGallery(looks.loaded, looks.ids[::-1].copy(), rows, looks.loaded.gallery(rows), looks.source)
    one = find_neighborhoods(large, looks, ids[:25])
    other = find_neighborhoods(large, turned, ids[:25])
    assert one is not None
    assert other is not None
    assert set(one.ids.tolist()) == set(other.ids.tolist())


def test_the_sample_of_a_large_library_follows_the_untagged_photos(large: Library) -> None:
    ranker = Ranker(large)
    first = find_neighborhoods(large, ranker.gallery(), large.photos.ids())
    assert first is not None
    left = np.setdiff1d(large.photos.ids(), first.ids)
    large.tags.change(first.ids.tolist(), ["done"])
    then = find_neighborhoods(large, ranker.gallery(), left)
    assert then is not None
    assert set(left.tolist()) <= set(then.ids.tolist())
    assert len(then.ids) == 30, "tagged neighbours are included"
    assert find_neighborhoods(large, ranker.gallery(), left) is then
    assert sorted(finish(ask_next(large, ranker, 50))) == left.tolist()
    few = left[:2]
    assert find_neighborhoods(large, ranker.gallery(), few) is then, "all remaining photos are in it"


def test_every_untagged_photo_of_a_large_library_is_a_candidate(large: Library) -> None:
    for kind in KINDS:
        large.tags.change(of_kind(large, kind)[:4], [kind])
    asked = questions(large, most=100)
    for kind in KINDS:
        (question,) = asked[kind]
        rest = set(of_kind(large, kind)[4:])
        assert set(question.photo_ids[: len(rest)].tolist()) == rest


def test_an_unknown_photo_or_tag_has_no_supporting_neighbours(three: Library) -> None:
    ranker = Ranker(three)
    photo = of_kind(three, "warm")[5]
    assert supporters(three, ranker, photo, "warm") == []  # no photo is tagged
    three.tags.change(of_kind(three, "warm")[:2], ["warm"])
    assert supporters(three, Ranker(three), photo, "cold") == []
    assert supporters(three, Ranker(three), 10**6, "warm") == []
    assert len(supporters(three, Ranker(three), photo, "warm")) == 2
