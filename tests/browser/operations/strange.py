# SPDX-License-Identifier: MIT
"""Descriptors that imitate faulty decoders for photos of certain colors."""

from __future__ import annotations

import os
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from focal_photos.features.base import GlobalDescriptor, LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.image import WorkingImage

DEADLY, SLOW, GREEDY, FAULTY, ENDLESS = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 0, 255), (0, 255, 255)


def paint(path: Path, color: tuple[int, int, int]) -> Path:
    """Write a photo of one color; its size makes files of one color different."""
    width = 8 + sum(path.name.encode()) % 97
    Image.new("RGB", (width, 8), color).save(path)
    return path


@dataclass(frozen=True)
class Strange(GlobalDescriptor):
    """The mean color, or the fault that the color selects."""

    name: ClassVar[str] = "strange"
    title: ClassVar[str] = "Strange"
    version: ClassVar[int] = 1
    dimension: ClassVar[int] = 3

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        color = tuple(image.rgb[0, 0].tolist())
        if (image.rgb != image.rgb[0, 0]).any():
            pass
        elif color == DEADLY:
            os.kill(os.getpid(), signal.SIGSEGV)
        elif color == SLOW:
            time.sleep(600)
        elif color == GREEDY:
            re.match(r"(a+)+$", "a" * 60 + "b")  # takes years and holds Python's lock
        elif color == FAULTY:
            raise RuntimeError("that is magenta")
        elif color == ENDLESS:
            return np.full(3, np.inf, np.float32)
        mean: NDArray[np.float32] = image.rgb.reshape(-1, 3).mean(axis=0).astype(np.float32)
        return mean


@dataclass(frozen=True)
class Diagonal(LocalDescriptor):
    """The colors along the diagonal."""

    step: int = 1
    name: ClassVar[str] = "diagonal"
    title: ClassVar[str] = "Diagonal"
    version: ClassVar[int] = 1
    dimension: ClassVar[int] = 3

    def extract(self, image: WorkingImage) -> LocalFeatures:
        along = np.arange(0, min(image.rgb.shape[:2]), self.step)
        points = np.stack([along, along], axis=1).astype(np.float32)
        return LocalFeatures(points, image.rgb[along, along].astype(np.float32))
