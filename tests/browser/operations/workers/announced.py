"""A descriptor that tells what its process is doing, so that a test can strike at that moment."""

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
    """The mean of a photo, as large in transit as a descriptor with a vocabulary.

    It touches a file named after the state and the process, and waits as long as there is a file ``hold-STATE``.
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
    """Say that this process is in a state, and wait until it may go on."""
    Path(folder, f"{state}-{os.getpid()}").touch()
    while Path(folder, f"hold-{state}").exists():
        time.sleep(0.005)


def double(announced: Announced) -> float:
    """Do for a single call what `extract` does for a photo."""
    announce(announced.folder, DESCRIBING)
    return 2.0
