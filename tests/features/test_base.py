# SPDX-License-Identifier: MIT
"""Common behaviour of all descriptors: keys, fitted states and local features."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.base import FittedState, GlobalDescriptor, LocalFeatures
from focal_photos.features.decoding.image import WorkingImage


@dataclass(frozen=True)
class Brightness(GlobalDescriptor):
    """The mean level; `unit` may be anything."""

    unit: object = 1

    name: ClassVar[str] = "brightness"
    title: ClassVar[str] = "Brightness"
    version: ClassVar[int] = 1
    dimension: ClassVar[int] = 1

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        return np.array([image.gray.mean()], np.float32)


def test_a_descriptor_may_have_no_summary() -> None:
    assert (Brightness().summary, Brightness().source) == ("", "")
    assert (Brightness().kind, Brightness().subject, Brightness().is_reduction) == ("global", "other", False)


def test_an_invalid_parameter_gives_no_key() -> None:
    assert Brightness(2).key != Brightness().key
    with pytest.raises(TypeError, match="object cannot be a parameter"):
        _ = Brightness(object()).key


def test_points_and_vectors_must_match() -> None:
    points, vectors = np.zeros((3, 2), np.float32), np.zeros((3, 4), np.float32)
    assert len(LocalFeatures(points, vectors)) == 3
    for wrong in ((points[:2], vectors), (points[:, :1], vectors), (points, vectors[0])):
        with pytest.raises(ValueError, match="do not belong to"):
            LocalFeatures(*wrong)


def test_states_are_compared_by_content() -> None:
    state = FittedState({"mean": np.arange(3.0), "axes": np.eye(3)})
    assert repr(state) == f"FittedState(axes, mean; {state.digest[:8]})"
    assert pickle.loads(pickle.dumps(state)) == state
    assert len({state, FittedState({"axes": np.eye(3), "mean": np.arange(3.0)})}) == 1
    assert FittedState({"mean": np.arange(3.0, dtype=np.float32), "axes": np.eye(3)}) != state
