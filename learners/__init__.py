"""Learners: arrays in, distances out. No photos, no files of photos, no window."""

from __future__ import annotations

from typing import Any

from learners.base import DistanceLearner
from learners.boosted import BoostedMetric, BoostedMetricVisual
from learners.boosted_kernel import BoostedKernelMetric
from learners.dist_boost import DistBoost
from learners.errors import LearnerError
from learners.euclidean import Euclidean
from learners.kernel_combinations import KernelBest, KernelConcatenated, KernelUniform, KernelWeighted
from learners.kernel_metric import KernelMetric, StepwiseKernelMetric
from learners.multi_label import KernelMultiLabelMetric, KernelTagRatioMetric, MultiLabelMetric, TagRatioMetric
from learners.neighbors import Lmnn, Nca
from learners.oasis import Oasis
from learners.online_multi_modal import Omdl, OmdlLowRank
from learners.partial_order import Mkpoe
from learners.ratio import Lda, RatioMetric
from learners.rca import Dca, KernelRca, Rca

LEARNERS: dict[str, type[DistanceLearner]] = {
    kind.name: kind
    for kind in (
        Euclidean,
        KernelMetric,
        StepwiseKernelMetric,
        BoostedMetric,
        BoostedMetricVisual,
        BoostedKernelMetric,
        DistBoost,
        RatioMetric,
        Lda,
        Rca,
        KernelRca,
        Dca,
        TagRatioMetric,
        KernelTagRatioMetric,
        MultiLabelMetric,
        KernelMultiLabelMetric,
        Nca,
        Lmnn,
        Oasis,
        OmdlLowRank,
        Omdl,
        Mkpoe,
        KernelBest,
        KernelUniform,
        KernelWeighted,
        KernelConcatenated,
    )
}
"""All learners by name, in the order in which a person sees them."""


def create(name: str, **parameters: Any) -> DistanceLearner:
    """Return a new learner.

    Parameters
    ----------
    name : str
        A key of `LEARNERS`.
    **parameters
        Of its constructor.

    Raises
    ------
    LearnerError
        No learner of that name, or a parameter that it does not have.
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
    return kind(**parameters)


__all__ = [
    "LEARNERS",
    "BoostedKernelMetric",
    "BoostedMetric",
    "BoostedMetricVisual",
    "DistBoost",
    "DistanceLearner",
    "Euclidean",
    "KernelMetric",
    "LearnerError",
    "StepwiseKernelMetric",
    "create",
]
