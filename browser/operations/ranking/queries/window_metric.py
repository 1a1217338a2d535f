# SPDX-License-Identifier: MIT
"""The current metric for windows of photos: its learner, trained on windows, if that improves searches by a region."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.facts.records import Metric, Region, Verdict
from focal_photos.browser.catalog.facts.tags import ancestors
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.ranking.queries.windows import nearest_window, unit_windows
from focal_photos.features.fitted.fisher_windows import COLORS, WIDTH, WINDOWS
from focal_photos.learners.core.estimator import LearnerError, clone
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport, part_of
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.selection import Gained, hold_out

_MAX_TRAINING: Final = 600
"""Maximum numbers of tagged photos, and of boxes, to learn from; samples of more."""

_SAMPLED_WINDOWS: Final = 500
"""Windows of any photos, which learners use as counterparts."""

_OUTGROWN: Final = 0.1
"""Share by which the training data may change before the learner is trained again; up to 4 changes never count."""


@dataclass(frozen=True, eq=False)
class WindowMetric:
    """A metric for windows."""

    metric: Metric
    """The metric whose learner was trained on windows."""
    learner: DistanceLearner | None
    """Fitted to windows, (n, 144); None if it could not be trained."""
    gains: bool
    """Whether it improves rankings of held-out windows, compared with their cosine."""
    reason: str
    """Why there is no learner or no gain; otherwise empty."""
    counts: tuple[int, ...]
    """Numbers of judgements, judged regions, boxes and tagged photos at the time of training."""


@dataclass(frozen=True, eq=False)
class WindowTraining:
    """Windows with their tags and judgements."""

    rows: NDArray[np.float32]
    """Of unit length; shape (n, 144)."""
    side: SideInformation
    """By row."""


_TRAINED: Final = CacheEntry[WindowMetric]("the current metric for windows")


def known_window_metric(library: Library, metric: Metric) -> tuple[WindowMetric | None, bool]:
    """Return a metric as last trained on windows, if it was, and whether it should be trained (again).

    The built-in Euclidean metric needs no training: windows are compared by their cosine then. Local distances compare
    patches, not windows.
    """
    if metric.file is None or is_local(metric):
        return None, False
    known = library.cache.get(_TRAINED, metric.id)
    return known, known is None or _outgrown(known.counts, _counts(library))


def train_window_metric(library: Library, store: CodeStore, metric: Metric) -> Job[WindowMetric]:
    """Train the learner of a metric, with its parameters, on windows; the result is cached until the library is closed.

    It is trained on judged regions, on judged and tagged photos (as their windows that are the whole photo), on boxes
    with the tags that name them, and on a sample of other windows. A region stands for the window that overlaps most
    with it. The gain over the cosine is measured on held-out parts of the same data
    (`learners.evaluation.selection.hold_out`); without a gain above its error, the metric has no effect on rankings.

    Parameters
    ----------
    store : CodeStore
        Codes of windows.
    metric : Metric
        A trained metric, not of local distances.
    """
    counts = _counts(library)
    try:
        learner = load_metric(library, metric).learner
    except OperationError as error:
        found = WindowMetric(metric, None, False, str(error), counts)
    else:
        assert learner is not None, "a metric with a file has a learner"
        training = read_window_training(library, store)
        fresh = clone(learner)
        if "families" in fresh.get_params():
            fresh.set_params(families=_FAMILIES)

        def work(report: ProgressReport) -> WindowMetric:
            return _trained(metric, fresh, training, counts, report)

        found = yield from in_thread(Text("Learning"), work, keeps=False)
    library.cache.put(_TRAINED, metric.id, found)
    return found


_FAMILIES: Final = (FeatureFamily("shapes", 0, COLORS, False), FeatureFamily("colours", COLORS, WIDTH, False))


def _trained(
    metric: Metric,
    learner: DistanceLearner,
    training: WindowTraining,
    counts: tuple[int, ...],
    report: ProgressReport,
) -> WindowMetric:
    """Fit a learner to windows and measure its gain."""
    try:
        fitted = clone(learner).fit(training.rows, training.side, progress=part_of(report, 0, 0.5))
    except (LearnerError, ArithmeticError, MemoryError) as error:
        return WindowMetric(metric, None, False, str(error), counts)
    if not learner.is_quick:
        return WindowMetric(metric, fitted, False, Text("its gain takes too long to measure"), counts)
    try:
        gained = hold_out(learner, training.rows, training.side, progress=part_of(report, 0.5, 0.5)).gained
    except (LearnerError, ArithmeticError, MemoryError):
        gained = Gained.TOO_FEW
    reasons = {
        Gained.TOO_FEW: Text("too few boxes, tags and judgements show whether it improves them"),
        Gained.NOTHING: Text("it does not improve them measurably"),
    }
    return WindowMetric(metric, fitted, gained not in reasons, reasons.get(gained, ""), counts)


def read_window_training(library: Library, store: CodeStore) -> WindowTraining:
    """Read the windows to train on; see `train_window_metric`."""
    rows = _Rows(store)
    for one in library.region_judgements.all():
        rows.judge((one.photo_id, one.region), (one.other_id, one.other_region), one.verdict)
    for judged in library.judgements.all():
        rows.judge((judged.focal_id, None), (judged.other_id, None), judged.verdict)
    rng = np.random.default_rng(0)
    named: dict[int, set[str]] = {}
    boxes = [box for box in library.boxes.all() if box.tag is not None]
    for box in boxes:
        named.setdefault(box.photo_id, set()).add(str(box.tag))
    for place in _some(len(boxes), rng):
        box = boxes[place]
        rows.name(box.photo_id, box.region, [str(box.tag)])
    tagged = library.photos.ids("tagged")
    chosen = tagged[_some(len(tagged), rng)].tolist()
    for photo_id, tags in library.tags.of(chosen).items():
        # What names a part of a photo need not describe the whole.
        rows.name(photo_id, None, [tag for tag in tags if tag not in named.get(photo_id, ())])
    return rows.training(rng)


def _some(count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    return np.arange(count) if count <= _MAX_TRAINING else np.sort(rng.choice(count, _MAX_TRAINING, replace=False))


class _Rows:
    """Collects windows, judgements and tags; photos without windows are left out."""

    def __init__(self, store: CodeStore) -> None:
        self._store = store
        self._known = frozenset(store.ids.tolist())
        self._places: dict[tuple[int, int], int] = {}
        self._tags: dict[int, set[str]] = {}
        self._verdicts: dict[tuple[int, int], Verdict] = {}

    def _row(self, photo_id: int, region: Region | None) -> int | None:
        if photo_id not in self._known:
            return None
        window = 0 if region is None else nearest_window(region)
        return self._places.setdefault((photo_id, window), len(self._places))

    def judge(self, one: tuple[int, Region | None], other: tuple[int, Region | None], verdict: Verdict) -> None:
        """Note a judgement on two regions; None: the whole photo. The last of two judgements on a pair counts."""
        first, second = self._row(*one), self._row(*other)
        if first is not None and second is not None:
            self._verdicts.pop((second, first), None)
            self._verdicts[first, second] = verdict

    def name(self, photo_id: int, region: Region | None, tags: Iterable[str]) -> None:
        """Note the tags of a region, and their ancestors."""
        wanted = {name for tag in tags for name in (tag, *ancestors(tag))}
        row = self._row(photo_id, region) if wanted else None
        if row is not None:
            self._tags.setdefault(row, set()).update(wanted)

    def training(self, rng: np.random.Generator) -> WindowTraining:
        """Return the collected windows, and a sample of others."""
        places = list(self._places)
        others = rng.integers(0, max(len(self._store.ids), 1), _SAMPLED_WINDOWS)[
            : _SAMPLED_WINDOWS if len(self._store.ids) else 0
        ]
        windows = rng.integers(0, len(WINDOWS), len(others)).tolist()
        more = zip(self._store.ids[others].tolist(), windows, strict=True)
        places += [place for place in dict.fromkeys(more) if place not in self._places]
        photos = np.array([photo for photo, _ in places], np.int64)
        rows = np.empty((len(places), WIDTH), np.float32)
        for start in range(0, len(places), _SAMPLED_WINDOWS):
            part = slice(start, start + _SAMPLED_WINDOWS)
            found = unit_windows(self._store, photos[part])
            rows[part] = found[np.arange(len(found)), [window for _, window in places[part]]]
        pairs = {
            verdict: np.array([pair for pair, given in self._verdicts.items() if given is verdict], np.intp)
            for verdict in Verdict
        }
        similar, dissimilar = (pairs[verdict].reshape(-1, 2) for verdict in (Verdict.SIMILAR, Verdict.DISSIMILAR))
        return WindowTraining(rows, SideInformation(similar, dissimilar, self._matrix(len(rows))))

    def _matrix(self, count: int) -> scipy.sparse.csr_array | None:
        names = {name: place for place, name in enumerate(sorted(set().union(*self._tags.values())))}
        if not names:
            return None
        carried = [(row, names[tag]) for row, tags in self._tags.items() for tag in sorted(tags)]
        where = np.array(carried, np.intp).T
        return scipy.sparse.csr_array((np.ones(len(carried)), tuple(where)), shape=(count, len(names)))


def _counts(library: Library) -> tuple[int, ...]:
    return (
        library.judgements.count(),
        library.region_judgements.count(),
        library.boxes.count(),
        len(library.photos.ids("tagged")),
    )


def _outgrown(before: tuple[int, ...], now: tuple[int, ...]) -> bool:
    return any(abs(a - b) > max(4, _OUTGROWN * a) for a, b in zip(before, now, strict=True))
