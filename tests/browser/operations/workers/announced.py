# SPDX-License-Identifier: MIT
"""Descriptor that announces the state of its process, so that a test can interrupt it at that moment."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.decoding.image import WorkingImage

READING, DESCRIBING = "reading", "describing"


@dataclass(frozen=True)
class Announced(GlobalDescriptor):
    """The mean of a photo; when sent, it is as large as a descriptor with a vocabulary.

    It creates a file named after the state and the process, and waits while a file ``hold-STATE`` exists.
    """

    folder: str
    padding: bytes = bytes(450_000)
    name: ClassVar[str] = "announced"
    title: ClassVar[str] = "Announced"
    version: ClassVar[int] = 1
    dimension: ClassVar[int] = 1

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        announce(self.folder, READING)

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        announce(self.folder, DESCRIBING)
        return np.full(1, image.rgb.mean(), np.float32)


def announce(folder: str, state: str) -> None:
    """Announce that this process is in a state, and wait until it may continue."""
    Path(folder, f"{state}-{os.getpid()}").touch()
    while Path(folder, f"hold-{state}").exists():
        time.sleep(0.005)


def double(announced: Announced) -> float:
    """Announce in a single call what `extract` announces for a photo."""
    announce(announced.folder, DESCRIBING)
    return 2.0
