# SPDX-License-Identifier: MIT
"""Learners of distances and tags, from arrays to arrays; they know neither photos and their files nor the window."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.plugin_registry import Group, PluginError, find, installed

if TYPE_CHECKING:  # ranking with a metric loads only the module of its learner
    from focal_photos.learners.core.learner.base import DistanceLearner

PLACES: Final = {
    "euclidean": ("linear.euclidean", "Euclidean"),
    "kernel": ("kernel.kernel_metric", "KernelMetric"),
    "kernel-stepwise": ("kernel.kernel_metric", "StepwiseKernelMetric"),
    "bdm": ("boosted.bdm", "BoostedMetric"),
    "bdm-visual": ("boosted.bdm", "BoostedMetricVisual"),
    "bdm-kernel": ("boosted.bdm", "BoostedKernelMetric"),
    "dist-boost": ("boosted.dist_boost", "DistBoost"),
    "tag-ratio": ("tags.multi_label", "TagRatioMetric"),
    "tag-ratio-kernel": ("tags.multi_label", "KernelTagRatioMetric"),
    "tag-scores": ("tags.multi_label", "KernelTagScores"),
    "ml-dml": ("tags.multi_label", "MultiLabelMetric"),
    "kml-dml": ("tags.multi_label", "KernelMultiLabelMetric"),
    "omdl-lr": ("families.online_multi_modal", "OmdlLowRank"),
    "omdl": ("families.online_multi_modal", "Omdl"),
    "mkpoe": ("families.partial_order", "Mkpoe"),
    "kernel-best": ("families.kernel_combinations", "KernelBest"),
    "kernel-weighted": ("families.kernel_combinations", "KernelWeighted"),
    "kernel-uniform": ("families.kernel_combinations", "KernelUniform"),
    "kernel-concatenated": ("families.kernel_combinations", "KernelConcatenated"),
    "ratio": ("linear.ratio", "RatioMetric"),
    "lda": ("linear.ratio", "Lda"),
    "rca": ("linear.rca", "Rca"),
    "krca": ("linear.rca", "KernelRca"),
    "dca": ("linear.rca", "Dca"),
    "nca": ("linear.neighbors", "Nca"),
    "lmnn": ("linear.neighbors", "Lmnn"),
    "oasis": ("linear.oasis", "Oasis"),
    "gmml": ("comparison.gmml", "Gmml"),
    "kissme": ("comparison.kissme", "Kissme"),
    "itml": ("comparison.itml", "Itml"),
    "scml": ("comparison.scml", "Scml"),
    "lsml": ("comparison.lsml", "Lsml"),
    "mmc": ("comparison.mmc", "Mmc"),
    "mlkr": ("comparison.mlkr", "Mlkr"),
}
"""Learners by name, family by family, in the order shown to the user: (module below `learners`, class)."""


class LearnerTable(Mapping[str, "type[DistanceLearner]"]):
    """Learners by name: Focal's own, then those of plug-ins; a module is loaded when its learner is looked up.

    Plug-ins that do not work are left out (`focal_photos.plugin_registry`). Going through the table imports all
    plug-ins; looking up one of Focal's own learners does not even search for them.

    Parameters
    ----------
    places : mapping of str to (str, str)
        (module below `learners`, class) by name.
    """

    def __init__(self, places: Mapping[str, tuple[str, str]]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> type[DistanceLearner]:
        place = self._places.get(name)
        if place is None:
            return _of_plugin(name)
        module, kind = place
        found: type[DistanceLearner] = getattr(importlib.import_module(f"focal_photos.learners.{module}"), kind)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._places or (isinstance(name, str) and _is_plugin(name))

    def __iter__(self) -> Iterator[str]:
        yield from self._places
        yield from filter(_is_plugin, plugin_names())

    def __len__(self) -> int:
        return sum(1 for _ in self)


def plugin_names() -> tuple[str, ...]:
    """Return the names of the learners that plug-ins offer, without importing any; some may not work."""
    names = dict.fromkeys(one.name for one in installed(Group.LEARNERS))
    return tuple(name for name in names if name not in PLACES)


def _of_plugin(name: str) -> type[DistanceLearner]:
    """Return the learner of a plug-in; KeyError if there is none that works."""
    found = find(Group.LEARNERS, name)
    if found is None:
        raise KeyError(name)
    from focal_photos.learners.core.learner import plugin_check  # loads numpy

    try:
        return found.load(lambda made: plugin_check.checked(made, name, name in PLACES))
    except PluginError as error:
        raise KeyError(name) from error


def _is_plugin(name: str) -> bool:
    try:
        _of_plugin(name)
    except KeyError:
        return False
    return True


LEARNERS: Final[Mapping[str, type[DistanceLearner]]] = LearnerTable(PLACES)
"""All learners by name, in the order of `PLACES`, then those of plug-ins."""


def create(name: str, paper: bool = False, **parameters: Any) -> DistanceLearner:
    """Return a new learner.

    Parameters
    ----------
    name : str
        A key of `LEARNERS`.
    paper : bool
        Whether to start from the parameters that make the learner the one printed in its paper
        (`DistanceLearner.printed`) instead of the defaults.
    **parameters
        Parameters of the constructor; they override those of the paper.

    Raises
    ------
    LearnerError
        If there is no such learner, it has no such parameter, or it has no parameters of a paper.
    """
    try:
        kind = LEARNERS[name]
    except KeyError:
        raise LearnerError(f"There is no learner {name!r}; there are: {', '.join(LEARNERS)}.") from None
    known = kind().get_params()
    for parameter in parameters:
        if parameter not in known:
            raise LearnerError(
                f"The learner {name!r} has no parameter {parameter!r}; it has: {', '.join(known) or 'none'}."
            )
    if not paper:
        return kind(**parameters)
    if kind.printed is None:
        raise LearnerError(f"The learner {name!r} has no parameters of a paper.")
    return kind(**{**kind.printed, **parameters})


__all__ = ["LEARNERS", "PLACES", "LearnerError", "create"]
