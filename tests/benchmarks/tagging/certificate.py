# SPDX-License-Identifier: MIT
"""Audits of simulated sessions: coverage and width of the intervals, and the actions that an audit saves.

A session of Review (`reviewed_sessions`) leaves some wrong and some missing tags. For each tag, 20, 50 or 100 photos
are drawn and answered correctly, and precision, missing photos and recall are estimated. The estimator of
ALGORITHMS.md, 5.15, is compared with Horvitz-Thompson with normal limits, a separate beta-binomial per stratum with
Jeffreys' prior, and exact limits per stratum.

Sessions that stopped early have open suggestions left: those that "Accept the rest" accepts after an audit are compared
with the truth. Takes an hour and a half, or half an hour with cached sessions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.models.review.audit import MAX_PHOTOS, PER_TAG
from focal_photos.browser.operations.tagging.audit.accept_rest import PRECISION
from focal_photos.learners.evaluation.audit import (
    FIRST_TAGGED,
    STRATA,
    Estimate,
    Strata,
    TagEstimate,
    acceptable,
    allocation,
    counted,
    estimate,
    predicted_yes,
    strata_of,
)
from tests.benchmarks.common.report import Report
from tests.benchmarks.tagging.reviewed_sessions import ReviewedSession, Sessions

COUNTS: Final = {
    ("Corel-5k", 1000): 100,
    ("Corel-5k", 2500): 16,
    ("Corel-5k", 5000): 7,
    ("Caltech-101", 1000): 60,
    ("Caltech-101", 2500): 8,
    ("Caltech-101", 5000): 3,
    ("Corel-5k, several tags", 1000): 12,
}
"""Number of sessions of Review by title of the photo set and number of photos."""

STOPPED_EARLY: Final = {("Corel-5k, stopped early", 1000): 60, ("Caltech-101, stopped early", 1000): 60}
"""Number of sessions with at most one round of Review."""

PARTS: Final = ("precision", "missing", "recall")
_DRAWS: Final = 2000
_SOME: Final = 5  # sessions of each kind for the posterior probabilities of the intervals
_RESTS: Final = 20  # sessions that stopped early, of each photo set, in which the rest is accepted
_COMPARED: Final = 5  # sessions of each kind for the other estimators

Floats = NDArray[np.float64]
Estimator = Callable[[Strata, bool], list[TagEstimate]]


@dataclass(frozen=True)
class Audited:
    """One session with its answers."""

    strata: Strata
    drawn: NDArray[np.bool_]
    """Answered pairs; shape (n, tags)."""
    held: NDArray[np.bool_]
    """Whether the intervals of precision, missing and recall contain the true value; shape (tags, 3)."""
    meant: Floats
    """Posterior probability of these intervals, at least .95; NaN if not computed; shape (tags, 3)."""
    width: Floats
    """Widths of the intervals; for missing photos as a share of the photos that should have the tag; shape (tags,
    3)."""
    promised: Floats
    """Minimum recall according to the certificate; shape (tags,)."""


def answered_strata(
    session: ReviewedSession, answers: int, rng: np.random.Generator, *, exclusive: bool
) -> tuple[Strata, NDArray[np.bool_]]:
    """Draw photos for each tag and answer them correctly; return the strata and the answered pairs, (n, tags)."""
    answered = np.zeros_like(session.truth)
    numbers = strata_of(session.confidence, session.carried, exclusive=session.exclusive)
    rows = []
    for tag in range(session.truth.shape[1]):
        number, confidence = numbers[:, tag], session.confidence[:, tag]
        size = np.bincount(number, minlength=STRATA)
        mean = np.bincount(number, confidence, minlength=STRATA) / np.maximum(size, 1)
        drawn = allocation(size, mean, answers, exclusive=exclusive)
        for k in np.flatnonzero(size).tolist():
            chosen = rng.choice(np.flatnonzero(number == k), drawn[k], replace=False)
            answered[chosen, tag] = True
            rows.append((tag, k, size[k], mean[k], drawn[k], session.truth[chosen, tag].sum()))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    whole = [columns[k].astype(np.int64) for k in (0, 1, 2, 4, 5)]
    return Strata(whole[0], whole[1], whole[2], columns[3].astype(np.float64), whole[3], whole[4]), answered


def focal(strata: Strata, exclusive: bool) -> list[TagEstimate]:
    """Estimate as the program does."""
    return estimate(strata, exclusive=exclusive)[0]


def horvitz_thompson(strata: Strata, _exclusive: bool) -> list[TagEstimate]:
    """Expand each stratum by size over answers, with normal limits; without answers, use the mean confidence."""
    share = np.where(strata.answered > 0, strata.yes / np.maximum(strata.answered, 1), strata.confidence)
    correction = 1 - strata.answered / np.maximum(strata.size, 1)
    variance = strata.size**2 * correction * share * (1 - share) / np.maximum(strata.answered - 1, 1)
    found = []
    for tag in range(int(strata.tag.max()) + 1):
        own, tagged = strata.tag == tag, strata.number >= FIRST_TAGGED
        carrying = strata.size[own & tagged].sum()
        ends = []
        for group in (own & tagged, own & ~tagged):
            total, spread = (strata.size * share)[group].sum(), 1.96 * np.sqrt(variance[group].sum())
            ends.append((total, max(0.0, total - spread), total + spread))
        found.append(_from_ends(ends[0], ends[1], int(carrying)))
    return found


def exact_limits(strata: Strata, _exclusive: bool) -> list[TagEstimate]:
    """Use the exact hypergeometric limits of each stratum at .05 divided by the number of strata in its group."""
    tagged, found = strata.number >= FIRST_TAGGED, []
    for tag in range(int(strata.tag.max()) + 1):
        ends = []
        for group in (tagged, ~tagged):
            at = np.flatnonzero((strata.tag == tag) & group & (strata.size > 0))
            sums = np.zeros(3)
            for size, n, y, sure in zip(
                strata.size[at], strata.answered[at], strata.yes[at], strata.confidence[at], strict=True
            ):
                tail, totals = 0.025 / len(at), np.arange(y, size - n + y + 1)
                low = totals[scipy.stats.hypergeom.sf(y - 1, size, totals, n) > tail].min()
                high = totals[scipy.stats.hypergeom.cdf(y, size, totals, n) > tail].max()
                sums += (size * (y / n if n else sure), low, high)
            ends.append(tuple(sums.tolist()))
        carrying = strata.size[(strata.tag == tag) & tagged].sum()
        found.append(_from_ends(ends[0], ends[1], int(carrying)))
    return found


def jeffreys(strata: Strata, _exclusive: bool) -> list[TagEstimate]:
    """Predict each stratum separately, with a beta prior of 1/2 and 1/2 and equal tails."""
    rng = np.random.default_rng(0)
    share = rng.beta(strata.yes + 0.5, strata.answered - strata.yes + 0.5, size=(_DRAWS, len(strata.size)))
    found = []
    for draws in _draws_of_tags(strata, strata.yes + rng.binomial(strata.size - strata.answered, share)):
        ends = [Estimate(float(each.mean()), *np.quantile(each, (0.025, 0.975)).tolist()) for each in draws]
        found.append(TagEstimate(*ends))
    return found


def _draws_of_tags(strata: Strata, yes: NDArray[np.int64]) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield precision, missing and recall of each tag, from draws of the positives of each stratum, (draws, h)."""
    tagged = strata.number >= FIRST_TAGGED
    for tag in range(int(strata.tag.max()) + 1):
        own = strata.tag == tag
        right, missing = yes[:, own & tagged].sum(axis=1), yes[:, own & ~tagged].sum(axis=1)
        carrying = int(strata.size[own & tagged].sum())
        precision = right / carrying if carrying else np.ones(len(right))
        recall = np.where(right + missing > 0, right / np.maximum(right + missing, 1), 1.0)
        yield precision, missing.astype(np.float64), recall


def _from_ends(right: tuple[float, ...], missing: tuple[float, ...], carrying: int) -> TagEstimate:
    right = tuple(min(each, carrying) for each in right)
    carrying = max(carrying, 1)
    recall = [a / max(a + b, 1e-9) for a, b in ((right[0], missing[0]), (right[1], missing[2]), (right[2], missing[1]))]
    return TagEstimate(Estimate(*(each / carrying for each in right)), Estimate(*missing), Estimate(*recall))


ESTIMATORS: Final[dict[str, Estimator]] = {
    "Focal": focal,
    "Horvitz-Thompson": horvitz_thompson,
    "beta-binomial, separate strata": jeffreys,
    "exact limits, separate strata": exact_limits,
}


def audited(session: ReviewedSession, answers: int, seed: int, name: str = "Focal") -> Audited:
    """Audit a session; estimators with separate strata also draw photos of other tags."""
    rng = np.random.default_rng([seed, answers])
    strata, drawn = answered_strata(session, answers, rng, exclusive=session.exclusive and name == "Focal")
    draws = []
    if name == "Focal" and seed < _SOME:
        draws = list(_draws_of_tags(strata, strata.yes + predicted_yes(strata, exclusive=session.exclusive)))
    held, meant, width, promised = [], [], [], []
    for tag, one in enumerate(ESTIMATORS[name](strata, session.exclusive)):
        carried, truth = session.carried[:, tag], session.truth[:, tag]
        right, missing = int((carried & truth).sum()), int((truth & ~carried).sum())
        true = right / max(carried.sum(), 1), missing, right / max(right + missing, 1)
        parts = one.precision, one.missing, one.recall
        held.append([each.low - 1e-9 <= value <= each.high + 1e-9 for each, value in zip(parts, true, strict=True)])
        meant.append(
            [
                ((values >= each.low - 1e-9) & (values <= each.high + 1e-9)).mean()
                for each, values in zip(parts, draws[tag], strict=True)
            ]
            if draws
            else 3 * [np.nan]
        )
        scale = 1, max(right + missing, 1), 1
        width.append([(each.high - each.low) / of for each, of in zip(parts, scale, strict=True)])
        promised.append(one.recall.low)
    return Audited(strata, drawn, np.array(held), np.array(meant), np.array(width), np.array(promised))


_sessions = cache(Sessions)


def accepted(title: str, photos: int, seed: int, session: ReviewedSession, found: Audited) -> tuple[int, int, float]:
    """Return the number of open pairs that "Accept the rest" accepts, and how many are and should be correct.

    As in the program, the answers correct the tags, and the confidences are trained again.
    """
    strata = found.strata
    carried = np.where(found.drawn, session.truth, session.carried)
    confidence = _sessions(title).learned(photos, seed, carried)
    can = ~carried & ~found.drawn
    if session.exclusive:
        can &= np.arange(can.shape[1]) == confidence.argmax(axis=1)[:, None]
    numbers = strata_of(confidence, carried, exclusive=session.exclusive)
    rest = acceptable(strata, counted(numbers, can), precision=PRECISION, exclusive=session.exclusive)
    taken = can & rest.strata[np.arange(can.shape[1]), numbers]
    return int(taken.sum()), int(session.truth[taken].sum()), rest.precision * float(taken.sum())


def actions(session: ReviewedSession, strata: Strata) -> tuple[int, int, int, int]:
    """Return photos and actions of an audit, and of checking all photos once in screens of the same size.

    An action is Enter for a screen, or a click on a photo with a wrong or missing tag.
    """
    tagged = strata.number >= FIRST_TAGGED
    changed = int(np.where(tagged, strata.answered - strata.yes, strata.yes).sum())
    screens = sum(-(-int(strata.answered[strata.tag == tag].sum()) // MAX_PHOTOS) for tag in np.unique(strata.tag))
    wrong = int((session.carried != session.truth).any(axis=1).sum())
    photos = len(session.truth)
    return int(strata.answered.sum()), screens + changed, photos, -(-photos // MAX_PHOTOS) + wrong


def sessions(*, only_kept: bool = False) -> Iterator[tuple[str, int, int, ReviewedSession]]:
    """Yield each session with title, number of photos and seed; skip missing photo sets.

    With `only_kept`, skip sessions that are not cached.
    """
    for (title, photos), count in {**COUNTS, **STOPPED_EARLY}.items():
        simulated = _sessions(title)
        for seed in range(count):
            if only_kept and not simulated.file(photos, seed).exists():
                continue
            session = simulated.session(photos, seed)
            if session is None:
                break
            yield title, photos, seed, session


def _share(values: list[Floats], part: int) -> str:
    """Return the mean share over sessions in percent, with its standard error."""
    each = 100 * np.array([value[:, part].mean() for value in values])
    return f"{each.mean():.1f} ± {each.std(ddof=1) / np.sqrt(len(each)):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kept", action="store_true", help="use only cached sessions")
    every = list(sessions(only_kept=parser.parse_args().kept))
    early = [place for place, (title, photos, *_) in enumerate(every) if (title, photos) in STOPPED_EARLY]
    whole = [place for place in range(len(every)) if place not in early]
    report = Report("certificate", "Certificates: how often their intervals contain the true value")
    report.text(
        f"{len(whole)} simulated sessions of Review and {len(early)} that stopped early, audited with "
        f"{', '.join(map(str, PER_TAG))} answers per tag. Intervals should contain the true value in 95 % of cases. "
        "Shares are means over sessions, ± standard error. Up to 30 % of the errors were overlooked in a session; up "
        "to a fifth of the kinds have no tag."
    )
    report.text(
        "An interval is the shortest with at least 95 % of the posterior probability. Counts of few photos are "
        'discrete, and exact if all are answered, so intervals may have more: "meant" is their mean probability.'
    )
    found = {
        name: {
            answers: [
                audited(one, answers, seed, name) for *_, seed, one in every if name == "Focal" or seed < _COMPARED
            ]
            for answers in PER_TAG
        }
        for name in ESTIMATORS
    }
    rows = []
    for name, by_answers in found.items():
        for answers, results in by_answers.items():
            chosen = [results[place] for place in whole] if name == "Focal" else results
            held = [one.held.astype(np.float64) for one in chosen]
            middle = np.median(np.concatenate([one.width for one in chosen]), axis=0)
            cells = [name, str(answers), *(_share(held, part) for part in range(3))]
            meant = [one.meant for one in chosen if not np.isnan(one.meant).any()]
            cells += [_share(meant, part).split()[0] if name == "Focal" else "" for part in range(3)]
            rows.append([*cells, *(f"{each:.3f}" for each in middle)])
    columns = ["estimator", "answers a tag", *(f"{part} held, %" for part in PARTS)]
    columns += [f"{part} meant, %" for part in PARTS] + [f"median width of {part}" for part in PARTS]
    report.table(
        "Sessions of Review, the other estimators on five of each kind (width of missing: share of the photos that "
        "should have the tag)",
        columns,
        rows,
    )
    rows = []
    for title, photos in (*COUNTS, *STOPPED_EARLY):
        at = [place for place, (name, size, *_) in enumerate(every) if (name, size) == (title, photos)]
        if not at:
            continue
        for answers in PER_TAG:
            results = [found["Focal"][answers][place] for place in at]
            held = [one.held.astype(np.float64) for one in results]
            promised = np.median(np.concatenate([one.promised for one in results]))
            cells = [title, f"{photos:,}", str(len(at)), str(answers), *(_share(held, part) for part in range(3))]
            rows.append([*cells, f"{100 * promised:.0f}"])
    columns = ["photos", "number", "sessions", "answers a tag", *(f"{part} held, %" for part in PARTS)]
    report.table("Focal, by photo set", [*columns, "found at least, median %"], rows)
    rows = []
    for size in sorted({photos for _, photos in COUNTS}):
        at = [place for place in whole if every[place][1] == size and "several" not in every[place][0]]
        for answers in PER_TAG:
            done = np.array([actions(every[place][3], found["Focal"][answers][place].strata) for place in at])
            mean = done.mean(axis=0)
            saved = 100 * (1 - done[:, 1] / done[:, 3]).mean()
            cells = [f"{size:,}", str(answers), f"{mean[0]:.0f}", f"{mean[1]:.0f}", f"{mean[3]:.0f}", f"{saved:.0f}"]
            rows.append(cells)
    report.table(
        f"Actions: Enter for a screen of {MAX_PHOTOS} photos, and a click on each photo with a wrong or missing tag",
        ["photos", "answers a tag", "photos audited", "actions of the audit", "actions for all photos", "saved, %"],
        rows,
    )
    rows = []
    for (title, photos), places in (
        (key, [place for place in early if every[place][:2] == key][:_RESTS]) for key in STOPPED_EARLY
    ):
        for answers in PER_TAG:
            taken = np.array([accepted(*every[place], found["Focal"][answers][place]) for place in places])
            total, right, expected = taken.sum(axis=0) if len(taken) else (0, 0, 0)
            cells = [title, f"{photos:,}", str(len(places)), str(answers), str(int((taken[:, 0] > 0).sum()))]
            shares = [f"{100 * each / total:.1f}" if total else "-" for each in (right, expected)]
            rows.append([*cells, str(int(total)), *shares])
    columns = ["sessions", "photos", "number", "answers a tag", "with a rest to accept", "pairs accepted", "right, %"]
    report.table("Accept the rest at 95 % precision", [*columns, "estimated, %"], rows)
    report.save()


if __name__ == "__main__":
    main()
