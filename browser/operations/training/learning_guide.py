# SPDX-License-Identifier: MIT
"""Learners as shown on the learning page: requirements, cost, gain in this library, and settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.training.held_out import saved_held_out
from focal_photos.browser.operations.training.learner_table import (
    AUTOMATIC,
    LearnerInfo,
    learner_table,
    titled_family_weights,
)
from focal_photos.browser.operations.training.parameters import defaults
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.learner.slider import Slider as Slider
from focal_photos.learners.evaluation.selection import HeldOut
from focal_photos.learners.kernel.rounds import COLUMNS, rounds_of
from focal_photos.learners.kernel.rounds import Round as Round
from focal_photos.learners.persistence import PersistenceError, load


@dataclass(frozen=True)
class LearnerGuide:
    """A learner on the learning page."""

    info: LearnerInfo
    quick: bool
    """Whether training takes a second or two."""
    follows: bool
    """Whether it is updated with every judgement."""
    settings: tuple[Slider, ...]
    best: HeldOut | None = None
    """Gain of its newest measured metric in this library."""
    newest: Metric | None = None
    printed: frozenset[str] | None = None
    """Names of the parameters that differ in the learner as printed in its paper; None if it is not from one."""


@dataclass(frozen=True)
class CurrentMetric:
    """Facts shown about the metric in use."""

    metric: Metric
    families: tuple[tuple[str, float], ...]
    """Title and weight of each feature family, largest first; empty if the metric does not distinguish them."""
    rounds: tuple[float, ...]
    """The learner's objective by round; empty if it does not learn in rounds."""
    steps: tuple[Round, ...] = ()
    """Effect of each batch on a metric that is learned in batches."""


def learner_guides(library: Library) -> tuple[LearnerGuide, ...]:
    """Return all learners in table order, Automatic first."""
    measured = saved_held_out(library)
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
        declared = () if kind is None else kind.sliders
        settings = tuple(_at_default(slider, known) for slider in declared if slider.name in known)
        guides.append(
            LearnerGuide(
                info,
                kind is not None and kind.is_quick,
                kind is not None and kind.follows_judgements,
                settings,
                gained.get(info.name),
                newest.get(info.name),
                None if kind is None or kind.printed is None else frozenset(kind.printed),
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


def _at_default(slider: Slider, known: Mapping[str, Any]) -> Slider:
    """Return a slider that starts at the learner's own default if that is a number."""
    value = known[slider.name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return slider
    return replace(slider, values=tuple(sorted({*slider.values, float(value)})), default=float(value))
