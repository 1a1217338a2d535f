# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest

from focal_photos.learners import create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.cross_validation import cross_validate
from focal_photos.learners.evaluation.protocols import make_protocol
from focal_photos.learners.evaluation.results import Gain, LearnerResult
from focal_photos.learners.evaluation.selection import Gained, HeldOut, _Final, _loses, hold_out, select, surely_gains
from focal_photos.learners.families.kernel_combinations import KernelUniform
from focal_photos.learners.linear.euclidean import Euclidean
from focal_photos.learners.linear.rca import Rca
from focal_photos.learners.tags.multi_label import KernelTagRatioMetric

N = 120
LABELS = np.arange(N) % 3


def points(signal: float = 6.0, n: int = N) -> np.ndarray:
    """Three classes in two columns, obscured by ten columns of noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 12))
    X[:, :2] += signal * np.array([[0, 0], [1, 0], [0, 1]])[np.arange(n) % 3]
    X[:, 2:] *= 4
    return X


def judged(labels: np.ndarray, focal: int = 20) -> SideInformation:
    rng = np.random.default_rng(1)
    pairs = [
        (query, other)
        for query in rng.permutation(len(labels))[:focal]
        for other in rng.permutation(np.delete(np.arange(len(labels)), query))[:8]
    ]
    alike = np.array([labels[a] == labels[b] for a, b in pairs])
    return SideInformation(np.array(pairs)[alike], np.array(pairs)[~alike])


def learners(*names: str) -> dict[str, DistanceLearner]:
    return {name: create(name) for name in names}


def test_the_learner_that_finds_the_classes_is_chosen() -> None:
    tags = SideInformation.from_labels(LABELS)
    found = select(learners("tag-ratio", "oasis"), points(), tags)
    assert found.chosen == found.best == "tag-ratio"
    assert (found.measure, found.k, found.questions, found.tried) == (
        "precision",
        10,
        N,
        2,
    )
    assert found.gain > 5 * found.error > 0
    assert found.score == pytest.approx(found.euclidean + found.gain)
    assert select(learners("tag-ratio", "oasis"), points(), tags) == found  # seeds are fixed


def test_nothing_is_chosen_for_random_tags() -> None:
    """A pattern found in random tags does not generalise."""
    chosen = []
    for seed in range(4):
        tags = SideInformation.from_labels(np.random.default_rng(seed).integers(0, 3, N))
        found = select(learners("tag-ratio", "kernel"), points(), tags, seed=seed)
        assert abs(found.gain) < 0.1
        chosen.append(found.chosen)
    assert chosen == [None] * 4


def test_the_fallback_is_chosen_unless_another_is_surely_better() -> None:
    tags = SideInformation.from_labels(LABELS)
    found = select(learners("oasis", "tag-ratio"), points(), tags, fallback="oasis")
    assert found.chosen == "tag-ratio"
    alike = {"kernel": create("kernel"), "again": create("kernel", output_components=255)}
    assert select(alike, points(), tags, fallback="kernel").chosen == "kernel"
    assert select(alike, points(), tags, fallback="again").chosen == "again"


def test_the_fallback_is_not_chosen_if_it_is_surely_worse_than_euclidean() -> None:
    tags = SideInformation.from_labels(LABELS)
    found = select({"blind": Blind(), "kernel": create("kernel")}, points(40.0), tags, fallback="blind")
    assert found.chosen == "kernel"
    assert select({"blind": Blind()}, points(40.0), tags, fallback="blind").chosen is None


def test_the_fallback_is_compared_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.learners.evaluation.selection._SIZES", (60, 120))
    candidates: dict[str, DistanceLearner] = {str(blend): Counting(euclidean_blend=blend) for blend in range(8)}
    Counting.seen = []
    found = select(candidates | {"blind": Blind()}, points(), SideInformation.from_labels(LABELS), fallback="blind")
    assert found.tried == 9
    assert found.chosen != "blind", "blind was a candidate, and another was significantly better"


def test_the_scores_of_the_choice_are_measured_among_all_tagged_photos() -> None:
    tags = SideInformation.from_labels(LABELS)
    found = select(learners("tag-ratio"), points(), tags)
    protocol = make_protocol(N, tags, 3, gallery="tagged")
    both = cross_validate(learners("tag-ratio", "euclidean"), points(), protocol)
    precision = {name: np.concatenate(one.queries["precision"]).mean() for name, one in both.items()}
    assert (found.score, found.euclidean) == (precision["tag-ratio"], precision["euclidean"])
    again = select(learners("tag-ratio"), points(), tags, rerank=True)
    assert again.euclidean > found.euclidean
    assert again.chosen == found.chosen


def test_two_photos_per_tag_are_enough_for_a_choice() -> None:
    """Their partners are in other folds, so held-out photos must be ranked among all photos."""
    labels = np.where(np.arange(N) < 16, np.arange(N) % 8, -1)
    found = select(learners("kernel", "tag-ratio"), points(), SideInformation.from_labels(labels), fallback="kernel")
    assert found.questions == 16
    assert found.chosen in ("kernel", "tag-ratio", None)


def test_there_is_no_gain_if_the_distance_is_right_already() -> None:
    X = points(40.0)
    found = select(learners("kernel", "rca"), X, SideInformation.from_labels(LABELS))
    assert found.euclidean == 1
    assert found.chosen is None
    assert (found.gain, found.best) == (found.score - 1, found.best)


def test_judgements_are_compared_by_their_order() -> None:
    found = select(learners("rca", "kernel"), points(), judged(LABELS))
    assert found.measure == "order"
    assert found.questions == 160
    assert found.chosen == "kernel"
    assert found.score == pytest.approx(found.euclidean + found.gain)


def test_forgetting_misleading_data_is_no_gain() -> None:
    """Similar-looking photos were judged: the Euclidean order is wrong, and a random order is half right."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, 6))
    pairs = [(query, other) for query in range(20) for other in np.argsort(np.linalg.norm(X - X[query], axis=1))[1:9]]
    similar = np.array([pair for i, pair in enumerate(pairs) if i % 8 >= 4])
    dissimilar = np.array([pair for i, pair in enumerate(pairs) if i % 8 < 4])  # always the nearer photos
    noise = {str(seed): Blind(seed) for seed in range(3)}
    found = select(noise, X, SideInformation(similar, dissimilar))
    assert found.euclidean < 0.3
    assert found.gain > 2 * found.error
    assert found.score == pytest.approx(0.5, abs=0.15)
    assert found.chosen is None


class Blind(Euclidean):
    """Distances unrelated to the photos."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def _embed(self, X: np.ndarray) -> np.ndarray:
        seeds = np.abs(X[:, 0] * 1e6).astype(np.uint32) + self.seed
        return np.array([np.random.default_rng(int(one)).standard_normal(6) for one in seeds])


def test_a_gain_in_one_measure_must_not_be_a_loss_in_the_other() -> None:
    """The tags are the classes; the judgements, which are fewer, contradict them."""
    tags = SideInformation.from_labels(LABELS)
    said = judged(LABELS, 12)
    both = SideInformation(said.dissimilar, said.similar, tags.tags)
    assert select(learners("tag-ratio"), points(), tags).chosen == "tag-ratio"
    found = select(learners("tag-ratio"), points(), both)
    assert found.measure == "precision"
    assert found.gain > 2 * found.error
    assert found.chosen is None


class Counting(Rca):
    """Records the number of training photos."""

    seen: list[int] = []  # noqa: RUF012

    def _learn(self, X: np.ndarray, side_information: SideInformation, report: ProgressReport) -> dict[str, object]:
        self.seen.append(len(X))
        return super()._learn(X, side_information, report)


def test_many_candidates_are_tried_on_a_sample_and_few_on_all_photos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.learners.evaluation.selection._SIZES", (60, 120))
    Counting.seen = []
    candidates: dict[str, DistanceLearner] = {str(blend): Counting(euclidean_blend=blend) for blend in range(12)}
    found = select(candidates, points(n=300), SideInformation.from_labels(np.arange(300) % 3))
    assert found.tried == 12
    sizes, fits = np.unique(Counting.seen, return_counts=True)
    assert sizes.tolist() == [60, 120, 300]
    # Three folds for 100 queries on 60 photos. A third of the candidates continues, and three of these reach the last
    # round, where one fold is enough for a sure gain. The chosen candidate is then measured as shown in the window.
    assert fits.tolist() == [12 * 3, 4 * 3, 3 + 3]


def test_judgements_are_evaluated_in_the_same_folds_as_tags() -> None:
    """The choice is made after one fold: judgements held out in the other folds are not evaluated."""
    Counting.seen = []
    labels = np.arange(300) % 3
    said = judged(labels, 12)
    both = SideInformation(said.similar, said.dissimilar, SideInformation.from_labels(labels).tags)
    found = select({"rca": Counting(euclidean_blend=0.1)}, points(n=300), both)
    assert (found.chosen, found.measure) == ("rca", "precision")
    assert len(Counting.seen) == 1 + 3


def test_candidates_that_cannot_be_trained_are_left_out() -> None:
    said = judged(LABELS)
    found = select(learners("tag-ratio", "ml-dml", "kml-dml", "rca", "tag-ratio-kernel"), points(), said)
    assert (found.chosen, found.tried) == ("rca", 1)
    with pytest.raises(LearnerError, match="it needs tags"):
        select(learners("tag-ratio", "ml-dml"), points(), said)


def test_too_little_training_data_raises() -> None:
    with pytest.raises(LearnerError, match="Too little data to hold out"):
        select(learners("rca"), points(), SideInformation(np.array([[0, 1]])))
    with pytest.raises(LearnerError, match="Dissimilar photos alone"):
        select(learners("kernel"), points(), SideInformation(dissimilar=judged(LABELS).dissimilar))


def test_progress_rises_to_the_end_and_can_cancel() -> None:
    shares: list[float] = []
    tags = SideInformation.from_labels(LABELS)
    select({str(n): KernelUniform(euclidean_blend=n) for n in range(5)}, points(), tags, progress=shares.append)
    assert (np.diff(shares) > -1e-12).all()
    assert shares[-1] == pytest.approx(1)

    def stop(_share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        select(learners("rca"), points(), tags, progress=stop)


def test_a_loss_must_exceed_its_error_and_a_gain_twice_its_error() -> None:
    assert not _loses(Gain(-0.1, 0.1)), "a loss equal to its error may be chance"
    assert _loses(Gain(np.nextafter(-0.1, -1), 0.1))
    assert not _loses(Gain(0.1, 0.01))
    assert not _loses(None), "an unmeasured gain is no loss"
    assert not surely_gains(Gain(0.5, 0.25), 0.0), "the gain is just twice its error"
    assert surely_gains(Gain(np.nextafter(0.5, 1), 0.25), 0.0)
    assert not surely_gains(Gain(0.75, 0.25), 0.25), "recovering from a bad start does not count"
    assert surely_gains(Gain(0.8125, 0.25), 0.25)
    assert not surely_gains(None, 0.0)


class Landmarks(KernelTagRatioMetric):
    """Records the number of landmarks of its map."""

    seen: list[int] = []  # noqa: RUF012

    def _learn(self, X: np.ndarray, side_information: SideInformation, report: ProgressReport) -> dict[str, object]:
        state = super()._learn(X, side_information, report)
        self.seen.append(len(state["landmarks_"]))
        return state


def test_the_first_rounds_use_few_landmarks_and_the_last_ones_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.learners.evaluation.selection._LANDMARKS", 40)
    Landmarks.seen = []
    tags = SideInformation.from_labels(LABELS)
    learner = Landmarks(exact=100, landmarks=80)
    others = {str(n): KernelUniform(euclidean_blend=n) for n in range(3)}
    found = select({"kernel": learner, **others}, points(), tags)
    assert found.chosen == "kernel"
    assert Landmarks.seen == [40] * 3 + [80] * 6
    assert (learner.exact, learner.landmarks) == (100, 80), "the candidates are unchanged"
    protocol = make_protocol(N, tags, 3, gallery="tagged")
    full = cross_validate({"kernel": learner}, points(), protocol)["kernel"]
    assert found.score == np.concatenate(full.queries["precision"]).mean()


def results(**precisions: float) -> dict[str, LearnerResult]:
    """Results of one fold with 100 queries: half of them are above the mean precision by .1 and half below."""
    spread = np.tile([0.1, -0.1], 50)
    found = {name: LearnerResult(name) for name in precisions}
    for name, one in found.items():
        one.queries["precision"].append(np.full(100, 0.5) if name == "base" else precisions[name] + spread)
    return found


def test_candidates_with_little_chance_leave_the_last_round_early() -> None:
    tags = SideInformation.from_labels(np.arange(300) % 3)
    final = _Final(make_protocol(300, tags, 3), "precision", "base")
    error = 0.1 / np.sqrt(99)
    # After one fold of three, the limit is (2 sqrt(1/3) - 1.6 sqrt(2/3)) errors above the fallback, which is negative.
    bound = 0.5 - 0.1517 * error
    found = results(best=0.6, base=0.5, short=bound - 1e-4, enough=bound + 1e-4)
    found[""] = results(plain=0.1)["plain"]
    assert final.beaten(found, 1) == ["short"]
    assert final.beaten(found, 2) == ["enough", "short"], "with more folds, more photos are required"
    alone = results(base=0.5, best=0.4)
    alone[""] = results(plain=0.1)["plain"]
    assert final.beaten(alone, 1) == ["best"], "the fallback has the highest score"
    without = _Final(final.protocol, "precision", None)
    assert without.beaten({"": results(base=0.5)["base"], **results(one=0.2, other=0.1)}, 1) == ["other"]


def test_the_last_round_ends_when_further_folds_can_hardly_change_the_choice() -> None:
    tags = SideInformation.from_labels(np.arange(300) % 3)
    protocol = make_protocol(300, tags, 3)
    final = _Final(protocol, "precision", "base")
    error = 0.1 / np.sqrt(99)
    # After one fold of three, (2 sqrt(1/3) + 1.6 sqrt(2/3)) errors above the fallback are practically certain.
    sure, hopeless = 0.5 + 2.4612 * error, 0.5 - 0.1517 * error

    def settled(folds: int = 1, **precisions: float) -> bool:
        found = results(base=0.5, **precisions)
        found[""] = results(plain=0.1)["plain"]
        return final.settled(found, folds)

    assert settled(best=sure + 1e-4)
    assert not settled(best=sure - 1e-4)
    # After two: (2 sqrt(2/3) + 1.6 sqrt(1/3)) errors, which are smaller then.
    assert settled(2, best=0.5 + 2.5568 * error + 1e-4)
    assert not settled(2, best=0.5 + 2.5568 * error - 1e-4)
    assert settled(best=hopeless - 1e-4)
    assert not settled(best=hopeless + 1e-4)
    assert not settled(2, best=0.5 + 0.5 * error), "the best candidate may still gain enough"
    assert settled(best=sure + 1e-4, other=sure - 1e-4), "the other is worse than the best on every question"
    assert settled(best=sure + 1e-4, other=hopeless - 1e-4)
    plain = results(base=0.5)
    plain[""] = results(plain=0.505)["plain"]
    assert not final.settled(plain, 1), "Euclidean distance may still win"
    assert not _Final(protocol, "order", "base").settled(plain, 1)
    few = make_protocol(90, SideInformation.from_labels(np.arange(90) % 3), 3)
    assert not _Final(few, "precision", "base").settled(results(base=0.5, best=0.9) | {"": plain[""]}, 1)


def test_folds_are_skipped_once_the_choice_is_settled() -> None:
    protocol = make_protocol(N, SideInformation.from_labels(LABELS), 3)
    told: list[int] = []

    def settled(found: Mapping[str, LearnerResult], folds: int) -> bool:
        told.append(len(found["rca"].queries["precision"]))
        return folds == 2

    found = cross_validate(learners("rca", "tag-ratio"), points(), protocol, settled=settled)
    assert told == [1, 2]
    assert [len(one.queries["precision"]) for one in found.values()] == [2, 2]


def test_the_fallback_stays_in_the_last_round_after_a_single_query() -> None:
    tags = SideInformation.from_labels(np.arange(300) % 3)
    final = _Final(make_protocol(300, tags, 3), "precision", "base")
    found = results(best=0.6, base=0.5, other=0.4)
    for one in found.values():
        one.queries["precision"] = [one.queries["precision"][0][:1]]
    found[""] = results(plain=0.1)["plain"]
    assert final.beaten(found, 2) == ["other"], "one question gives no error estimate: the error is infinite"


def test_a_gain_in_one_measure_must_not_be_a_loss_in_the_other_against_the_fallback() -> None:
    side = judged(LABELS, 40)
    side = SideInformation(side.similar, side.dissimilar, SideInformation.from_labels(LABELS).tags)
    protocol = make_protocol(N, side, 3)
    rng = np.random.default_rng(0)

    def made(name: str, precision: float, near: float) -> LearnerResult:
        """Return noisy precisions, and pair distances in which similar pairs are nearer if `near` is above one half."""
        one = LearnerResult(name)
        for fold in protocol.folds:
            one.queries["precision"].append(precision + 0.01 * rng.standard_normal(len(fold.queries)))
            one.similar.append(1 - near + 0.01 * rng.standard_normal(len(fold.similar)))
            one.dissimilar.append(near + 0.01 * rng.standard_normal(len(fold.dissimilar)))
        return one

    final = _Final(protocol, "precision", "base")
    base, plain = made("base", 0.5, 0.9), made("", 0.3, 0.2)
    for near, wanted in ((0.9, "other"), (0.4, "base")):
        found = {"": plain, "base": base, "other": made("other", 0.8, near)}
        assert final.choice(found, ["other", "base"]) == wanted


def test_beaten_candidates_are_skipped_in_later_folds() -> None:
    tags = SideInformation.from_labels(LABELS)
    asked: list[tuple[int, list[str]]] = []

    def beaten(found: Mapping[str, LearnerResult], folds: int) -> list[str]:
        asked.append((folds, list(found)))
        return ["tag-ratio"] if folds == 1 else []

    protocol = make_protocol(N, tags, 3)
    found = cross_validate(learners("rca", "tag-ratio"), points(), protocol, beaten=beaten)
    assert asked == [(1, ["rca", "tag-ratio"]), (2, ["rca"])]
    assert list(found) == ["rca"]
    assert len(found["rca"].queries["precision"]) == 3


@pytest.mark.parametrize("kind", ["tags", "judgements"])
def test_hold_out_measures_a_learner_like_the_chosen_one(kind: str) -> None:
    side = SideInformation.from_labels(LABELS) if kind == "tags" else judged(LABELS, 40)
    name = "tag-ratio" if kind == "tags" else "rca"
    chosen = select(learners(name), points(), side)
    found = hold_out(create(name), points(), side)
    assert found.gained is Gained.SURELY
    for attribute in ("measure", "k", "score", "euclidean", "gain", "error", "questions"):
        assert getattr(found, attribute) == getattr(chosen, attribute), attribute
    noise = hold_out(create(name), points(signal=0.0), side)
    assert noise.gained is Gained.NOTHING


@pytest.mark.parametrize(
    ("gain", "error", "questions", "gained"),
    [
        (0.5, 0.0625, 29, Gained.TOO_FEW),
        (-0.5, 0.0625, 29, Gained.TOO_FEW),
        (0.5, math.inf, 200, Gained.TOO_FEW),
        (0.5, math.nan, 200, Gained.TOO_FEW),
        (0.0, 0.0, 0, Gained.TOO_FEW),
        (-0.5, 0.0625, 30, Gained.NOTHING),
        (0.0, 0.0, 30, Gained.NOTHING),
        (0.0625, 0.0625, 30, Gained.NOTHING),
        (np.nextafter(0.0625, 1), 0.0625, 30, Gained.PERHAPS),
        (0.125, 0.0625, 30, Gained.PERHAPS),
        (np.nextafter(0.125, 1), 0.0625, 30, Gained.SURELY),
        (0.125, 0.0, 30, Gained.SURELY),
    ],
)
def test_a_gain_is_classified_by_its_error(gain: float, error: float, questions: int, gained: Gained) -> None:
    assert HeldOut("precision", 10, 0.5 + gain, 0.5, gain, error, questions).gained is gained


def test_learners_that_cannot_be_held_out_or_trained_cannot_be_measured() -> None:
    X = points()
    with pytest.raises(LearnerError, match="mark some as similar"):
        hold_out(create("kernel"), X, SideInformation(dissimilar=judged(LABELS).dissimilar))
    with pytest.raises(LearnerError):
        hold_out(create("tag-ratio"), X, judged(LABELS, 40))
    with pytest.raises(LearnerError):
        hold_out(create("kernel"), X, SideInformation(similar=np.array([[0, 3]])))
