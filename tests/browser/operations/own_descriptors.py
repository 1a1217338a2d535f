# SPDX-License-Identifier: MIT
"""Small fast descriptors of every kind, and a small network."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Self

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from focal_photos.features.base import Fitted, FittedState, GlobalDescriptor, LocalDescriptor, LocalFeatures
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.visual_words import VisualWords


@dataclass(frozen=True)
class Mean(GlobalDescriptor):
    """The mean color."""

    name: ClassVar[str] = "mean"
    title: ClassVar[str] = "Mean color"
    version: ClassVar[int] = 1
    dimension: ClassVar[int] = 3

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        mean: NDArray[np.float32] = image.rgb.mean(axis=(0, 1), dtype=np.float32)
        return mean


@dataclass(frozen=True)
class Cells(LocalDescriptor):
    """The colors of 4 x 4 cells."""

    name: ClassVar[str] = "cells"
    title: ClassVar[str] = "Cells"
    version: ClassVar[int] = 1
    dimension: ClassVar[int] = 3

    def extract(self, image: WorkingImage) -> LocalFeatures:
        height, width, _ = image.rgb.shape
        y, x = (part.ravel() for part in np.mgrid[0:4, 0:4])
        rows, columns = y * height // 4, x * width // 4
        points = np.stack([columns, rows], axis=1).astype(np.float32)
        return LocalFeatures(points, image.rgb[rows, columns].astype(np.float32) / 255)


@dataclass(frozen=True)
class Centered(Fitted, GlobalDescriptor):
    """Another descriptor minus its mean; the other descriptor may itself be fitted."""

    base: GlobalDescriptor
    state: FittedState | None = None

    version: ClassVar[int] = 1

    @property
    def name(self) -> str:
        return f"{self.base.name}_centered"

    @property
    def title(self) -> str:
        return f"{self.base.title}, centered"

    @property
    def dimension(self) -> int:
        return self.base.dimension

    @property
    def learned_from(self) -> GlobalDescriptor:
        return self.base

    def fit(self, samples: Sequence[NDArray[np.float32]], *, seed: int = 0) -> Self:
        mean = np.concatenate(samples).mean(axis=0) if len(samples) else np.zeros(self.dimension, np.float32)
        return dataclasses.replace(self, state=FittedState({"mean": mean.astype(np.float32)}))

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        mean: NDArray[np.float32] = self.fitted_state()["mean"].astype(np.float32)
        return self.base.extract(image) - mean


MEAN: Final = Mean()
CELLS: Final = Cells()
WORDS: Final = VisualWords(CELLS, 6)
CENTERED: Final = Centered(WORDS)
MOMENTS: Final = ColorMoments()


def write_network(path: Path, *, seed: int = 0) -> Path:
    """Write a network that maps an image of 8 x 8 pixels to 5 numbers."""
    weights = np.random.default_rng(seed).normal(size=(5, 3, 3, 3)).astype(np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["image", "weights"], ["filtered"], pads=[1, 1, 1, 1]),
            helper.make_node("Relu", ["filtered"], ["rectified"]),
            helper.make_node("GlobalAveragePool", ["rectified"], ["vector"]),
        ],
        "small",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 8, 8])],
        [helper.make_tensor_value_info("vector", TensorProto.FLOAT, [1, 5, 1, 1])],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path.write_bytes(onnx.ModelProto.SerializeToString(model))
    return path
