"""Learners: arrays in, distances out. No photos, no files of photos, no window."""

from __future__ import annotations

from typing import Any

from learners.boosted.bdm import BoostedKernelMetric, BoostedMetric, BoostedMetricVisual
from learners.boosted.dist_boost import DistBoost
from learners.core.base import DistanceLearner
from learners.core.errors import LearnerError
from learners.families.kernel_combinations import KernelBest, KernelConcatenated, KernelUniform, KernelWeighted
from learners.families.online_multi_modal import Omdl, OmdlLowRank
from learners.families.partial_order import Mkpoe
from learners.kernel.kernel_metric import KernelMetric, StepwiseKernelMetric
from learners.linear.euclidean import Euclidean
from learners.linear.neighbors import Lmnn, Nca
from learners.linear.oasis import Oasis
from learners.linear.ratio import Lda, RatioMetric
from learners.linear.rca import Dca, KernelRca, Rca
from learners.tags.multi_label import KernelMultiLabelMetric, KernelTagRatioMetric, MultiLabelMetric, TagRatioMetric

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
        TagRatioMetric,
        KernelTagRatioMetric,
        MultiLabelMetric,
        KernelMultiLabelMetric,
        OmdlLowRank,
        Omdl,
        Mkpoe,
        KernelBest,
        KernelWeighted,
        KernelUniform,
        KernelConcatenated,
        RatioMetric,
        Lda,
        Rca,
        KernelRca,
        Dca,
        Nca,
        Lmnn,
        Oasis,
    )
}
"""All learners by name, family by family, in the order in which a person sees them."""


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
