"""The kernel principal components that learners learn in, by the parameters that these learners share."""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from learners.core.errors import LearnerError
from learners.core.kernels import KernelPCA

Auto = Literal["auto"]


class KernelParameters(Protocol):
    """Parameters of a learner on kernel principal components; for their meaning see `KernelPCA.fit`."""

    gamma: float | Auto
    exact: int
    landmarks: int
    random_state: int


def check_gamma(gamma: float | Auto) -> None:
    """Raise LearnerError unless the kernel's width makes sense."""
    if gamma != "auto" and not gamma > 0:
        raise LearnerError(f"gamma must be above 0, it is {gamma}.")


def fit_kernel_map(learner: KernelParameters, X: NDArray[np.floating], components: int) -> KernelPCA:
    """Return at most so many kernel principal components of the photos X (n, d), as the learner's parameters say."""
    return KernelPCA.fit(
        X,
        components,
        gamma=None if learner.gamma == "auto" else learner.gamma,
        exact=learner.exact,
        landmarks=learner.landmarks,
        seed=learner.random_state,
    )
