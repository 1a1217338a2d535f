# SPDX-License-Identifier: MIT
"""Searches by a region as in `parts`: with two objects in each photo, and after judgements of regions.

The first regions that a query finds are judged: similar if they hold at least half of an object of the query's class.
Mean average precision is that of photos without judgement, and the same photos are ranked before and after. Takes six
minutes on one core.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.operations.ranking.queries.by_region import rank_judged, rank_windows
from focal_photos.browser.operations.ranking.queries.window_relevance import JudgedWindows, sought
from focal_photos.browser.operations.ranking.queries.windows import unit_windows
from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_windows import WIDTH, WINDOWS, FisherWindows
from focal_photos.features.table import STANDARD
from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.measures import average_precision
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.selection import Gained, hold_out
from tests.benchmarks.common.photo_sets import Ints, photo_set, ready
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.parts.regions import (
    CLASSES,
    SAMPLE,
    Composed,
    Layout,
    by_whole,
    by_windows,
    composed,
    score,
)
from tests.benchmarks.parts.regions import (
    QUERIES as CROWDED_QUERIES,
)

JUDGED_AREAS: Final = (0.1, 0.2)
"""Shares of the area that judged objects cover."""

JUDGED: Final = (1, 5, 20)
"""Numbers of judged regions."""

NAMES: Final = (*("kernel", "kernel-stepwise", "rca", "krca", "dca", "bdm", "omdl-lr", "ml-dml", "kml-dml", "lmnn"),)

QUERIES, TRAINED_ON, EACH = 20, 4, 5
"""Queries of a draw; queries whose first regions train a metric, and the number of these regions."""

KINDS, BOXES = 8, 5
"""Kinds of the twelve whose boxes are tagged, and boxes of each."""

OTHERS: Final = 500

PER_CLASS, PLAIN = 20, 240
"""Photos with an object of each class, and photos without one."""

LAYOUTS: Final[tuple[Layout, ...]] = ("several", "overlapping")
_PLAIN: Final = "cosine, without judgements"
_FAMILIES: Final = (FeatureFamily("shapes", 0, 96, False), FeatureFamily("colours", 96, WIDTH, False))

Unit = NDArray[np.float32]


class _Regions:
    """Objects of composed photos as queries, with the windows of all photos in a store."""

    def __init__(self, found: Composed, windows: FisherWindows, folder: Path) -> None:
        images = [WorkingImage.from_array(photo) for photo in found.photos]
        self.found = found
        self.store = CodeStore(folder, "windows", windows.dimension)
        self.store.append(np.arange(len(images)), np.stack([windows.extract(image) for image in images]))
        self.units = unit_windows(self.store, self.store.ids)
        pairs = zip(found.holders.tolist(), found.boxes, strict=True)
        regions = np.stack([windows.of_region(images[photo], box) for photo, box in pairs])
        self.regions = np.asarray(regions / np.linalg.norm(regions, axis=1, keepdims=True), np.float32)
        self.values = np.rint(127 * regions / np.abs(regions).max(axis=1, keepdims=True)).astype(np.int8)
        boxes = np.array(found.boxes)
        low = np.maximum(WINDOWS[None, :, :2], boxes[:, None, :2])
        high = np.minimum(WINDOWS[None, :, 2:], boxes[:, None, 2:])
        areas = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
        held = np.clip(high - low, 0, None).prod(axis=2) >= 0.5 * areas[:, None]
        self.held = np.zeros((len(images), len(WINDOWS)), np.bool_)
        self.held[found.holders] = held

    def judge(self, query: int, count: int, learner: DistanceLearner | None = None) -> tuple[Ints, JudgedWindows]:
        """Judge the first regions found by a query; return their photos and the windows."""
        ids = self.store.ids[self.store.ids != self.found.holders[query]]
        ranked = rank_windows(self.store, ids, self.values[query])
        if learner is not None:
            ranked = rank_judged(self.store, ids, self.values[query], nothing(), learner)
        photos = ranked.ids[:count]
        numbers = [int(np.abs(WINDOWS - window).sum(axis=1).argmin()) for window in ranked.windows[:count]]
        similar = self.found.holding(self.found.classes[query])[photos] & self.held[photos, numbers]
        return photos, JudgedWindows(self.units[photos, numbers], similar)

    def precision(self, query: int, ids: NDArray[np.int64], left_out: Ints) -> float | None:
        """Return the average precision of a ranking without some photos; None if no photo is relevant."""
        ids = ids[~np.isin(ids, left_out) & (ids != self.found.holders[query])]
        relevant = self.found.holding(self.found.classes[query])[ids]
        return average_precision([relevant]) if relevant.any() else None

    def ranked(
        self, query: int, judged: JudgedWindows | None = None, learner: DistanceLearner | None = None
    ) -> NDArray[np.int64]:
        """Return the photos in the order of the program."""
        if judged is None and learner is None:
            return rank_windows(self.store, self.store.ids, self.values[query]).ids
        judged = nothing() if judged is None else judged
        return rank_judged(self.store, self.store.ids, self.values[query], judged, learner).ids

    def moved(self, query: int, judged: JudgedWindows) -> NDArray[np.int64]:
        """Return the photos ranked by the cosine to the region moved by the judgements (Rocchio)."""
        near = sought(self.regions[query], judged)
        return rank_windows(self.store, self.store.ids, np.rint(127 * near / np.abs(near).max()).astype(np.int8)).ids


def nothing() -> JudgedWindows:
    """Return no judged windows."""
    return JudgedWindows(np.empty((0, WIDTH), np.float32), np.empty(0, np.bool_))


@dataclass
class Judged:
    """Mean average precisions of all draws, by what was ranked by and the share of the area."""

    feedback: dict[tuple[str, int, float], list[float]] = field(default_factory=dict)
    elsewhere: dict[tuple[str, float], list[float]] = field(default_factory=dict)
    tagged: dict[tuple[str, int, float], list[float]] = field(default_factory=dict)
    used: dict[tuple[str, str, float], list[bool]] = field(default_factory=dict)

    def add(self, draw: int, area: float, found: Composed, windows: FisherWindows) -> None:
        """Measure one draw."""
        with tempfile.TemporaryDirectory() as folder:
            regions = _Regions(found, windows, Path(folder))
            rng = np.random.default_rng([draw, 2])
            order = rng.permutation(len(found.boxes))
            self._judge_queries(area, regions, order[:QUERIES])
            self._train_elsewhere(area, regions, order, rng)
            self._train_on_boxes(area, regions, order, rng)
            regions.store.close()
        print(draw, area, {key: round(value[-1], 3) for key, value in self.feedback.items() if key[2] == area})
        print({key[0]: round(value[-1], 3) for key, value in self.elsewhere.items() if key[1] == area})
        print({key[:2]: round(value[-1], 3) for key, value in self.tagged.items() if key[2] == area}, flush=True)

    def _judge_queries(self, area: float, regions: _Regions, queries: Ints) -> None:
        for count in JUDGED:
            reached: dict[str, list[float]] = {}
            for query in queries.tolist():
                photos, judged = regions.judge(query, count)
                for name, ids in (
                    (_PLAIN, regions.ranked(query)),
                    ("cosine to the mean of the region and the judged ones (Rocchio)", regions.moved(query, judged)),
                    ("relevance, as in the program", regions.ranked(query, judged)),
                ):
                    _note(reached, name, regions.precision(query, ids, photos))
            for name, values in reached.items():
                self.feedback.setdefault((name, count, area), []).append(float(np.mean(values)))

    def _train_elsewhere(self, area: float, regions: _Regions, order: Ints, rng: np.random.Generator) -> None:
        """Train on the first five regions of four queries, and rank by other queries."""
        classes = regions.found.classes
        queries = [order[np.flatnonzero(classes[order] == kind)[0]] for kind in np.unique(classes)[:TRAINED_ON]]
        rows: list[Unit] = []
        pairs: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
        seen = [regions.found.holders[queries]]
        for query in queries:
            photos, judged = regions.judge(int(query), EACH)
            first = len(rows)
            rows += [regions.regions[query], *judged.rows]
            for place, is_similar in enumerate(judged.similar.tolist(), start=first + 1):
                pairs[is_similar].append((first, place))
            seen.append(photos)
        similar, dissimilar = (np.array(pairs[kind], np.intp).reshape(-1, 2) for kind in (True, False))
        points = _with_others(np.array(rows), regions, rng)
        left_out = np.concatenate(seen)
        asked = [query for query in order.tolist() if regions.found.holders[query] not in left_out][:QUERIES]
        side = SideInformation(similar, dissimilar)
        for name, learner in self._fitted("judged", area, points, side).items():
            values: dict[str, list[float]] = {}
            for query in asked:
                _note(values, name, regions.precision(query, regions.ranked(query, learner=learner), left_out))
            self.elsewhere.setdefault((name, area), []).append(float(np.mean(values[name])))

    def _train_on_boxes(self, area: float, regions: _Regions, order: Ints, rng: np.random.Generator) -> None:
        """Train on tagged boxes, and rank by other objects of these kinds, before and after judgements."""
        classes = regions.found.classes
        known = np.unique(classes)[:KINDS]
        boxes = np.concatenate([order[classes[order] == kind][:BOXES] for kind in known])
        points = _with_others(regions.regions[boxes], regions, rng)
        labels = np.concatenate([classes[boxes], np.full(len(points) - len(boxes), -1)])
        left_out = regions.found.holders[boxes]
        of_kinds = order[np.isin(classes[order], known) & ~np.isin(order, boxes)]
        for name, learner in self._fitted("tagged", area, points, SideInformation.from_labels(labels)).items():
            for count in (0, JUDGED[-1]):
                values: dict[str, list[float]] = {}
                for query in of_kinds[:QUERIES].tolist():
                    photos, judged = regions.judge(query, JUDGED[-1])  # the same photos are ranked before and after
                    of_query = judged if count and name != _PLAIN else None
                    ids = regions.ranked(query, of_query, learner)
                    _note(values, name, regions.precision(query, ids, np.concatenate([left_out, photos])))
                self.tagged.setdefault((name, count, area), []).append(float(np.mean(values[name])))

    def _fitted(self, what: str, area: float, points: Unit, side: SideInformation) -> dict[str, DistanceLearner | None]:
        """Return the fitted learners, with the cosine; note which of them the program would use."""
        fitted: dict[str, DistanceLearner | None] = {_PLAIN: None, **({"euclidean": None} if what == "tagged" else {})}
        for name in NAMES:
            learner = create(name)
            if "families" in learner.get_params():
                learner.set_params(families=_FAMILIES)
            try:
                fitted[name] = create(name, **learner.get_params()).fit(points, side)
            except LearnerError:
                continue  # it does not learn from pairs alone
            try:
                gained = hold_out(learner, points, side).gained if learner.is_quick else Gained.TOO_FEW
            except LearnerError:
                gained = Gained.TOO_FEW
            self.used.setdefault((name, what, area), []).append(gained in (Gained.PERHAPS, Gained.SURELY))
        return fitted

    def write(self, report: Report) -> None:
        """Add the tables to a report."""
        columns = [(count, area) for area in JUDGED_AREAS for count in JUDGED]
        report.text(
            f"Judged regions: {CLASSES} classes with {PER_CLASS} photos each, beside {PLAIN} without an object. The "
            "first regions of a query are judged: similar if they hold half of an object of its class. Mean average "
            "precision for the photos that were not judged, which get harder with more judgements: compare within a "
            "column."
        )
        report.table(
            "After judgements against the query itself",
            ["", *(f"{count} judged, {area:.0%}" for count, area in columns)],
            [
                [name, *(mean_and_spread(self.feedback[name, count, area]) for count, area in columns)]
                for name in dict.fromkeys(key[0] for key in self.feedback)
            ],
        )
        names = [name for name in (_PLAIN, "euclidean", *NAMES) if (name, 0, JUDGED_AREAS[0]) in self.tagged]
        report.table(
            f"Metrics trained on windows: on {TRAINED_ON * EACH} regions judged against {TRAINED_ON} other queries; on "
            f"{BOXES} tagged boxes of each of {KINDS} kinds, for queries of these kinds; and then, after {JUDGED[-1]} "
            "judgements against the query itself, by relevance under the metric (the same photos before and after). In "
            "brackets: in how many draws the program uses the metric, because it gains on held-out parts of its "
            "training data",
            [
                "",
                *(
                    f"{what}, {area:.0%}"
                    for what in ("judged elsewhere", "boxes", "boxes and judgements")
                    for area in JUDGED_AREAS
                ),
            ],
            [
                [
                    name if name not in LEARNERS else LEARNERS[name].title,
                    *(self._elsewhere(name, area) for area in JUDGED_AREAS),
                    *(self._tagged(name, 0, area) for area in JUDGED_AREAS),
                    *(self._tagged(name, JUDGED[-1], area) for area in JUDGED_AREAS),
                ]
                for name in names
            ],
        )

    def _elsewhere(self, name: str, area: float) -> str:
        values = self.elsewhere.get((name, area))
        return "" if values is None else mean_and_spread(values) + self._uses(name, "judged", area)

    def _tagged(self, name: str, count: int, area: float) -> str:
        return mean_and_spread(self.tagged[name, count, area]) + self._uses(name, "tagged", area)

    def _uses(self, name: str, what: str, area: float) -> str:
        found = self.used.get((name, what, area))
        return "" if found is None else f" ({sum(found)})"


def _with_others(rows: Unit, regions: _Regions, rng: np.random.Generator) -> Unit:
    """Return rows followed by windows of random photos."""
    others = regions.units[rng.integers(0, len(regions.units), OTHERS), rng.integers(0, len(WINDOWS), OTHERS)]
    return np.concatenate([rows, others])


def _note(values: dict[str, list[Any]], name: str, value: float | None) -> None:
    if value is not None:
        values.setdefault(name, []).append(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3)
    draws = parser.parse_args().draws
    objects, scenes = photo_set("caltech101"), photo_set("corel5k")
    if objects is None or scenes is None:
        return
    titles = ("best window", "whole photo")
    crowded: dict[tuple[str, Layout, float], list[float]] = {}
    judged = Judged()
    with one_thread():
        for draw in range(draws):
            rng = np.random.default_rng(draw)
            places = rng.permutation(len(scenes.files))
            sample = [decode(scenes.files[row]) for row in places[-SAMPLE:].tolist()]
            fitted = ready(sample, [*STANDARD, FisherWindows.name])
            windows = fitted[FisherWindows.name]
            assert isinstance(windows, FisherWindows)
            whole = {name: one for name, one in fitted.items() if isinstance(one, GlobalDescriptor)}
            for area in JUDGED_AREAS:
                number = [draw, 1, round(100 * area)]
                found = composed(
                    objects, scenes, area, places, np.random.default_rng(number), each=PER_CLASS, plain=PLAIN
                )
                judged.add(draw, area, found, windows)
                for layout in LAYOUTS:
                    number = [draw, round(100 * area), len(layout)]
                    found = composed(objects, scenes, area, places, np.random.default_rng(number), layout)
                    queries = np.sort(rng.permutation(len(found.boxes))[:CROWDED_QUERIES])
                    both = by_windows(found, queries, windows)[0], by_whole(found, queries, whole)
                    for title, near in zip(titles, both, strict=True):
                        crowded.setdefault((title, layout, area), []).append(score(near, queries, found))
                        print(draw, area, layout, title, round(crowded[title, layout, area][-1], 3), flush=True)
    report = Report("parts-judged", "Searches by a region: several objects, and judged regions")
    report.text(
        f"{draws} draws of objects of Caltech-101 in photos of Corel-5k, as in [parts](parts.md). Mean average "
        f"precision of {CROWDED_QUERIES} queries a draw in photos with two objects, {QUERIES} for judged regions."
    )
    columns = [(layout, area) for layout in LAYOUTS for area in JUDGED_AREAS]
    report.table(
        "Two objects in each photo: apart, or the second covering 20 to 40 % of the first",
        ["", *(f"{layout}, {area:.0%}" for layout, area in columns)],
        [[title, *(mean_and_spread(crowded[title, layout, area]) for layout, area in columns)] for title in titles],
    )
    judged.write(report)
    report.save()


if __name__ == "__main__":
    main()
