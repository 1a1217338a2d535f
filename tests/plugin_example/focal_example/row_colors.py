# SPDX-License-Identifier: MIT
"""Mean colours of horizontal bands, which tell sky from ground."""

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.plugins import GlobalDescriptor, WorkingImage


@dataclass(frozen=True)
class RowColors(GlobalDescriptor):
    """Mean red, green and blue of horizontal bands, in 0..1.

    Parameters
    ----------
    bands : int
        Number of bands.
    """

    bands: int = 8

    name: ClassVar[str] = "row_colors"
    title: ClassVar[str] = "Colours of rows"
    summary: ClassVar[str] = "Mean colours of horizontal bands"
    source: ClassVar[str] = ""
    subject: ClassVar = "color"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.bands < 1:
            raise ValueError(f"bands must be positive: {self.bands}.")

    @property
    def dimension(self) -> int:
        return 3 * self.bands

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        size, area = (1, self.bands), cv2.INTER_AREA
        rows = cv2.resize(image.rgb, size, interpolation=area)
        return (rows.reshape(-1) / 255).astype(np.float32)


ROW_COLORS = RowColors()
