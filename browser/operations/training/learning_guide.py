"""Learners as shown on the learning page: requirements, cost, gain in this library, and settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.training.held_out import kept_held_out
from focal_photos.browser.operations.training.learner_table import (
    AUTOMATIC,
    LearnerInfo,
    learner_table,
    titled_family_weights,
)
from focal_photos.browser.operations.training.parameters import defaults
from focal_photos.learners import LEARNERS
from focal_photos.learners.evaluation.selection import HeldOut
from focal_photos.learners.kernel.rounds import COLUMNS, rounds_of
from focal_photos.learners.kernel.rounds import Round as Round
from focal_photos.learners.persistence import PersistenceError, load


@dataclass(frozen=True)
class Setting:
    """A parameter that the user may set.

    Attributes
    ----------
    name : str
        Name of the learner's parameter.
    title, low, high : str
        Meaning of the parameter and of its two ends, in plain words.
    values : tuple of float
        From the low to the high end.
    default : float
    whole : bool
        Whether values are integers.
    """

    name: str
    title: str
    low: str
    high: str
    values: tuple[float, ...]
    default: float
    whole: bool = False


_BLEND: Final = Setting(
    "euclidean_blend", "How much of the untrained distance stays", "what was taught", "looks", (0, 0.1, 0.3, 1, 3), 0.3
)
_ROUNDS: Final = Setting("rounds", "Rounds", "quick", "thorough", (50, 100, 300, 600, 1000), 300, True)

SETTINGS: Final[Mapping[str, tuple[Setting, ...]]] = {
    "kernel": (_BLEND,),
    "kernel-stepwise": (
        Setting("sessions", "Focal images in a round", "many rounds", "few rounds", (1, 5, 10, 20, 40, 80), 20, True),
        _BLEND,
    ),
    "rca": (
        _BLEND,
        Setting("ridge", "How cautious it is with few examples", "bold", "cautious", (0.01, 0.1, 0.3, 1, 3), 0.1),
    ),
    "bdm": (_ROUNDS, _BLEND),
    "bdm-visual": (
        Setting(
            "visual_neighbors", "What counts as alike", "means alike", "looks alike", (1, 2, 5, 8, 12, 20), 5, True
        ),
        _ROUNDS,
        _BLEND,
    ),
    LOCAL: (),
}
"""The two or three parameters that affect the result most; all others are on the command line."""


@dataclass(frozen=True)
class LearnerGuide:
    """A learner on the learning page.

    Attributes
    ----------
    info : LearnerInfo
    quick : bool
        Whether training takes a second or two.
    follows : bool
        Whether it is updated with every judgement.
    settings : tuple of Setting
    best : HeldOut or None
        Gain of its newest measured metric in this library.
    newest : Metric or None
    """

    info: LearnerInfo
    quick: bool
    follows: bool
    settings: tuple[Setting, ...]
    best: HeldOut | None = None
    newest: Metric | None = None


@dataclass(frozen=True)
class CurrentMetric:
    """Facts shown about the metric in use.

    Attributes
    ----------
    metric : Metric
    families : tuple of (str, float)
        Title and weight of each feature family, largest first; empty if the metric does not distinguish them.
    rounds : tuple of float
        The learner's objective by round; empty if it does not learn in rounds.
    steps : tuple of Round
        Effect of each batch on a metric that is learned in batches.
    """

    metric: Metric
    families: tuple[tuple[str, float], ...]
    rounds: tuple[float, ...]
    steps: tuple[Round, ...] = ()


def learner_guides(library: Library) -> tuple[LearnerGuide, ...]:
    """Return all learners in table order, Automatic first."""
    measured = kept_held_out(library)
    newest: dict[str, Metric] = {}
    gained: dict[str, HeldOut] = {}
    for metric in library.metrics.all():
        newest[metric.learner] = metric
        if metric.id in measured:
            gained[metric.learner] = measured[metric.id]
    guides = []
    for info in (AUTOMATIC, *learner_table()):
        kind = LEARNERS.get(info.name)
        known = {} if info is AUTOMATIC else defaults(info.name)
        settings = tuple(_at_default(one, known) for one in SETTINGS.get(info.name, ()) if one.name in known)
        guides.append(
            LearnerGuide(
                info,
                kind is not None and kind.is_quick,
                kind is not None and kind.follows_judgements,
                settings,
                gained.get(info.name),
                newest.get(info.name),
            )
        )
    return tuple(guides)


def current_metric(library: Library) -> CurrentMetric:
    """Return the facts shown about the metric in use."""
    metric = library.metrics.current()
    file = library.metrics.path(metric)
    rounds: tuple[float, ...] = ()
    steps: tuple[Round, ...] = ()
    if file is not None:
        try:
            learner = load(file).get("learner")
            rounds = tuple(float(one) for one in getattr(learner, "log_objective_", ()))
            steps = rounds_of(getattr(learner, "rounds_", np.empty((0, COLUMNS))))
        except PersistenceError:
            rounds, steps = (), ()
    return CurrentMetric(metric, titled_family_weights(library, metric), rounds, steps)


def _at_default(setting: Setting, known: Mapping[str, Any]) -> Setting:
    """Return a setting with the learner's own default, if that is a number."""
    value = known[setting.name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return setting
    values = tuple(sorted({*setting.values, float(value)}))
    return Setting(setting.name, setting.title, setting.low, setting.high, values, float(value), setting.whole)
