# SPDX-License-Identifier: MIT
"""Suggested tags on Corel-5k: precision and recall by word, and calibration of the confidence.

Tags are suggested for each of the 499 test photos of the published split, learned only from the 4,500 others: 5 per
photo, or as many as exceed the thresholds of their words. The scored words are those that occur in both parts.

Reliability: share of the shown tags that are correct, for photos with one kind each (the folders of Corel-5k and
Caltech-101, with all or two thirds of the kinds tagged) and with several tags (those of Corel-5k). Takes 5 minutes.

Comparison with scikit-learn's classifiers on the same vectors (in the program, the signs of whole Fisher vectors are
added): 10 kinds of Corel-5k and 20 of Caltech-101 with 40 photos each, some of them tagged. Reported are the share of
the other photos whose best tag is correct, and the expected calibration error of the confidence of the best tag.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC

from focal_photos.browser.models.work.jobs.suggesting import LEAST_CONFIDENCE
from focal_photos.browser.operations.tagging.annotated import with_rare_tags
from focal_photos.browser.operations.tagging.foreign_photos import COMPARED
from focal_photos.browser.operations.tagging.learn_tags import MIN_PHOTOS_FOR_MORE_AXES
from focal_photos.browser.operations.tagging.neighborhoods import Neighborhoods
from focal_photos.features.table import STANDARD, STANDARD_CODES
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.tags.confidence.foreign import ForeignOdds
from focal_photos.learners.tags.confidence.tag_confidence import Confidences, TagConfidence, typical_temperature
from focal_photos.learners.tags.confidence.unlikeness import Nearness
from focal_photos.learners.tags.label_spreading import Spreading, mutual_graph, spread_tags
from focal_photos.learners.tags.tag_ridge import MOST_WITH_NEIGHBORS, TagRidge
from tests.benchmarks.common.described_photos import Described, described
from tests.benchmarks.common.measures import AnnotationScores, annotation_scores
from tests.benchmarks.common.photo_sets import Ints
from tests.benchmarks.common.plausible_rows import plausible_rows
from tests.benchmarks.common.report import Curve, Report, mean_and_spread
from tests.benchmarks.common.tagged_photos import tagged_corel5k

SHOWN = 5
CLASSES = 15
PHOTOS = 40
"""Number of photos of each class, tagged and untagged."""

EACH: Final = (1, 2, 5, 10, 20)
"""Numbers of tagged photos per class."""
BESIDE: Final = {"Corel-5k": 10, "Caltech-101": 20}
"""Number of classes in a draw, by photo set."""
PEERS: Final[dict[str, Callable[[], Any]]] = {
    "random forest": lambda: RandomForestClassifier(300, random_state=0, n_jobs=1),
    "logistic regression": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
    "support vector machine": lambda: make_pipeline(StandardScaler(), SVC()),
}

LITERATURE = (
    ("TagProp ML, one weight a distance (Guillaumin 2009)", "31", "37", "0.337", "146"),
    ("TagProp sigma-ML (Guillaumin 2009), 15 descriptors of larger photos", "33", "42", "0.370", "160"),
    ("2PKNN (Verma 2012), the same descriptors", "39", "40", "0.395", "177"),
    ("2PKNN+ML (Verma 2012)", "44", "46", "0.450", "191"),
)


@dataclass(frozen=True)
class Suggested:
    """Suggested tags of photos without tags."""

    found: Confidences
    truth: NDArray[np.bool_]
    """Shape (q, m)."""

    def shown(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the confidences of the suggestions shown by the program, and which of them are correct."""
        best = self.found.best(SHOWN, minimum=LEAST_CONFIDENCE)
        sure = [(i, tag, confidence) for i, row in enumerate(best) for tag, confidence in row]
        i, tag, confidence = (np.array(column) for column in zip(*sure, strict=True))
        return confidence, self.truth[i, tag]


def suggest(photos: Described, tags: sp.csr_array, tagged: Ints, others: Ints, fitted: Ints) -> Suggested:
    """Suggest tags to `others` as the program does, in a space fitted to the photos `fitted` or to plausible ones."""
    space, X = photos.space(fitted, STANDARD)
    ranked = X
    every = np.union1d(tagged, others)
    place, asked = np.searchsorted(every, tagged), np.searchsorted(every, others)
    occurring = np.flatnonzero(np.asarray(tags[tagged].sum(axis=0)).ravel())
    given = sp.csr_array(tags[tagged][:, occurring])
    compared = with_rare_tags(given, COMPARED)
    strange = ForeignOdds().fit(ranked[tagged[compared]], ranked[others])
    kept = plausible_rows(strange, every, tagged, others)
    if len(kept) < len(every):
        fitted = every[kept]
        space, X = photos.space(fitted, STANDARD)
    shared, spreading = None, None
    if len(tagged) <= MOST_WITH_NEIGHBORS:
        graph = replace(build(FloatGallery(np.ascontiguousarray(X[every[kept]]))), covered=kept)
        neighborhoods = Neighborhoods(every, graph, True)
        shared = neighborhoods.shared(place).tocsc()
        spreading = Spreading(neighborhoods.mutual())
    if len(tagged) >= MIN_PHOTOS_FOR_MORE_AXES:
        space, X = photos.space(fitted, STANDARD, wide=True)
    ridge = TagRidge(exact=5000, families=space.families_)
    codes = photos.codes
    among = None if shared is None else sp.csr_array(shared[:, place])
    ridge.fit(X[tagged], given, shared=among, codes=None if codes is None else codes[tagged])
    asked_of = None if shared is None else sp.csr_array(shared[:, asked].T)
    scores = ridge.scores(X[others], asked_of, None if codes is None else codes[others])
    temperature = typical_temperature(ridge)
    spread = None if spreading is None else spread_tags(spreading, place, given, temperature)
    if spread is not None:
        spread.mix_into(ridge)
        scores = scores._replace(tags=spread.mixed(scores.tags, spread.terms[asked]))
    left, without = ridge.left_out_, ridge.kind_left_out_
    if without is not None:
        nearness = Nearness().fit(ranked[tagged[compared]], sp.csr_array(given[compared]), ranked[others])
        own, own_kind = nearness.of(ranked[tagged]), np.full(len(tagged), np.nan)
        own[compared], own_kind[compared] = nearness.left_out_, nearness.kind_left_out_
        left, without = left._replace(nearer=own), without._replace(nearer=own_kind)
        scores = scores._replace(nearer=nearness.of_untagged_)
    learned = TagConfidence(temperature).fit(left, given, kinds=without, untagged=scores, foreign=strange.untagged_)
    found = learned.confidences(scores, foreign=strange.untagged_)
    return Suggested(found, tags[others][:, occurring].toarray() > 0)


def gap(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error: the mean gap between confidence and share correct, by tenths."""
    tenth = np.minimum((10 * confidence).astype(int), 9)
    return float(sum(abs((confidence - right)[tenth == t].sum()) for t in range(10)) / max(len(tenth), 1))


def published(photos: Described) -> None:
    """Write the report on the published benchmark."""
    assert photos.tags is not None
    assert photos.test is not None
    train, test = np.flatnonzero(~photos.test), np.flatnonzero(photos.test)
    report = Report("qi2009-corel5k", "Qi 2009: the published annotation benchmark of Corel-5k")
    report.text((__doc__ or "").split("\n\n")[1])
    start = time.process_time()
    suggested = suggest(photos, photos.tags, train, test, train)
    seconds = time.process_time() - start
    occurring = np.flatnonzero(suggested.truth.any(axis=0))
    order = suggested.found.order
    fifth = -np.sort(-order, axis=1)[:, [SHOWN - 1]]
    rows = []
    for name, chosen in (("5 a photo", order >= fifth), ("as many as thresholds name", order > 0)):
        matrix = sp.csr_array(chosen.astype(np.float64))
        scores: AnnotationScores = annotation_scores(
            matrix, sp.csr_array(suggested.truth.astype(np.float64)), occurring
        )
        share = (chosen & suggested.truth).sum() / suggested.truth.sum()
        by_word = f"{100 * scores.precision:.1f}", f"{100 * scores.recall:.1f}", f"{scores.f1:.3f}"
        rows.append([name, *by_word, str(scores.n_plus), f"{100 * share:.0f} %", f"{seconds:.0f}"])
        print(rows[-1], flush=True)
    report.table(
        "The 499 test photos",
        ["tags", "P %", "R %", "F1", "N+", "tags found", "processor s"],
        [*rows, *([*line, "", ""] for line in LITERATURE)],
    )
    report.save()


def drawn(photos: Described, seed: int, each: int, hidden: float = 0.0, classes: int = CLASSES) -> tuple[Ints, Ints]:
    """Return the tagged photos, `each` per class except for a hidden share of the classes, and the others."""
    rng = np.random.default_rng(seed)
    chosen = rng.choice(np.flatnonzero(np.bincount(photos.classes) >= PHOTOS), classes, replace=False)
    members = [rng.permutation(np.flatnonzero(photos.classes == one))[:PHOTOS] for one in chosen]
    tagged = np.sort(np.concatenate([one[:each] for one in members[round(hidden * classes) :]]))
    return tagged, np.setdiff1d(np.concatenate(members), tagged)


def kinds(photos: Described, tagged: Ints, others: Ints) -> Suggested:
    """Return the tags suggested to the others if the tagged photos have their class as a tag."""
    n = len(photos.classes)
    tags = sp.csr_array((np.ones(n), (np.arange(n), photos.classes)), shape=(n, photos.classes.max() + 1))
    return suggest(photos, tags, tagged, others, np.union1d(tagged, others))


def best_tags(photos: Described, tagged: Ints, others: Ints) -> dict[str, tuple[float, float | None]]:
    """Return, by method, the share of the others whose best tag is correct, and its calibration error or None."""
    every = np.union1d(tagged, others)
    space: NDArray[np.float64] = photos.space(every, STANDARD)[1].astype(np.float64)
    kind, truth = photos.classes[tagged], photos.classes[others]
    scores: dict[str, tuple[float, float | None]] = {}
    for name, some in (("suggestions, with signs", photos), ("suggestions", replace(photos, codes=None))):
        found = kinds(some, tagged, others)
        best = found.found.tags.argmax(axis=1)
        right = found.truth[np.arange(len(others)), best]
        scores[name] = float(right.mean()), gap(found.found.tags.max(axis=1), right)
    for name, make in PEERS.items():
        model = make().fit(space[tagged], kind)
        right = model.predict(space[others]) == truth
        sure = model.predict_proba(space[others]).max(axis=1) if hasattr(model, "predict_proba") else None
        scores[name] = float(right.mean()), None if sure is None else gap(sure, right)
    known = np.full(len(every), -1)
    known[np.searchsorted(every, tagged)] = kind
    spread = LabelSpreading(kernel="knn", n_neighbors=10).fit(space[every], known)
    asked, place = np.searchsorted(every, others), np.searchsorted(every, tagged)
    graph = mutual_graph(build(FloatGallery(np.ascontiguousarray(space[every], np.float32))).weights)
    names, of = np.unique(kind, return_inverse=True)
    shares = Spreading(graph).of(place) @ np.eye(len(names))[of]
    scores["label spreading on neighbourhoods"] = float((names[shares[asked].argmax(axis=1)] == truth).mean()), None
    right = spread.transduction_[asked] == truth
    scores["label spreading"] = float(right.mean()), gap(spread.label_distributions_[asked].max(axis=1), right)
    return scores


def beside_classifiers(sets: dict[str, Described], seeds: int) -> None:
    """Write the comparison with scikit-learn's classifiers."""
    report = Report("annotation-classifiers", "Suggested tags compared with classifiers on the same vectors")
    report.text((__doc__ or "").split("\n\n")[3])
    for title, photos in sets.items():
        found = {
            each: [best_tags(photos, *drawn(photos, seed, each, classes=BESIDE[title])) for seed in range(seeds)]
            for each in EACH
        }
        for measure, words in enumerate(("best tag right", "calibration error")):
            rows = []
            for way in found[EACH[0]][0]:
                cells = [[one[way][measure] for one in found[each]] for each in EACH]
                known = [[value for value in cell if value is not None] for cell in cells]
                rows.append([way, *(mean_and_spread(cell) if cell else "" for cell in known)])
                print(title, words, rows[-1], flush=True)
            report.table(
                f"{title}, {BESIDE[title]} kinds: {words} by tagged photos of each", ["way", *map(str, EACH)], rows
            )
    report.save()


def several(photos: Described, seed: int, count: int) -> Suggested:
    """Return the tags suggested to 1,000 photos of Corel-5k when `count` others have their own tags."""
    assert photos.tags is not None
    assert photos.test is not None
    order = np.random.default_rng(seed).permutation(np.flatnonzero(~photos.test))
    tagged, others = np.sort(order[:count]), np.sort(order[-1000:])
    return suggest(photos, photos.tags, tagged, others, np.union1d(tagged, others))


def reliability(corel: Described, sets: dict[str, Described], seeds: int) -> None:
    """Write the report on the confidence."""
    report = Report("annotation-reliability", "How many suggestions shown at 0.8 are correct?")
    report.text((__doc__ or "").split("\n\n")[2])
    summary, curves = [], {}
    libraries: list[tuple[str, list[Suggested]]] = []
    for title, photos in sets.items():
        for hidden, words in ((0.0, "all classes tagged"), (1 / 3, "a third untagged")):
            for each in EACH:
                found = [kinds(photos, *drawn(photos, seed, each, hidden)) for seed in range(seeds)]
                libraries.append((f"{title}, {each} a class, {words}", found))
    libraries += [
        (f"Corel-5k, own tags of {count}", [several(corel, seed, count) for seed in range(seeds)])
        for count in (50, 200, 500, 3000)
    ]
    for name, some in libraries:
        outcomes = [one.shown() for one in some]
        sure, right = (np.concatenate(both) for both in zip(*outcomes, strict=True))
        best = [one.truth[np.arange(len(one.truth)), one.found.tags.argmax(axis=1)].mean() for one in some]
        cells = [_share(sure, right, low, high) for low, high in ((0.75, 0.85), (0.9, 1.01))]
        none = float(np.mean([one.found.none.mean() for one in some]))
        summary.append(
            [name, mean_and_spread(best), mean_and_spread([gap(*one) for one in outcomes]), *cells, f"{none:.2f}"]
        )
        print(summary[-1], flush=True)
        curves[name] = _curve(sure, right)
    columns = ["library", "best tag right", "calibration error", "right at .75-.85", "right above .9", "none of these"]
    report.table("Confidence and truth", columns, summary)
    kept = {name: curve for name, curve in curves.items() if " 5 a class" in name}
    kept["as promised"] = Curve([0.0, 1.0], [0.0, 1.0])
    report.curves("Reliability (tenths of at least 20)", kept, x="confidence", y="share right", name="now")
    report.save()


def _share(sure: NDArray[np.float64], right: NDArray[np.bool_], low: float, high: float) -> str:
    shown = (sure >= low) & (sure < high)
    return f"{100 * right[shown].mean():.0f} % of {shown.sum()}" if shown.any() else "none shown"


def _curve(sure: NDArray[np.float64], right: NDArray[np.bool_]) -> Curve:
    tenth = np.minimum((10 * sure).astype(int), 9)
    many: Sequence[int] = [t for t in range(10) if (tenth == t).sum() >= 20]
    return Curve([float(sure[tenth == t].mean()) for t in many], [float(right[tenth == t].mean()) for t in many])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = ("corel5k", "reliability", "classifiers")
    parser.add_argument("--parts", nargs="*", choices=parts, default=parts)
    parser.add_argument("--seeds", type=int, default=3, help="draws of the tagged photos")
    arguments = parser.parse_args()
    photos = tagged_corel5k(STANDARD, STANDARD_CODES)
    if photos is None:
        return
    if "corel5k" in arguments.parts:
        published(photos)
    if set(arguments.parts) <= {"corel5k"}:
        return
    objects = described("caltech101", STANDARD, STANDARD_CODES)
    sets = {"Corel-5k": photos} | ({} if objects is None else {"Caltech-101": objects})
    if "reliability" in arguments.parts:
        reliability(photos, sets, arguments.seeds)
    if "classifiers" in arguments.parts:
        beside_classifiers(sets, arguments.seeds)


if __name__ == "__main__":
    main()
