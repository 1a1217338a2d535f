# SPDX-License-Identifier: MIT
"""The colour coherence vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import Distance, GlobalDescriptor, Subject
from focal_photos.features.decoding.image import WorkingImage


@dataclass(frozen=True)
class ColorCoherence(GlobalDescriptor):
    """Shares of each colour in large areas and in scattered pixels.

    The small image is blurred (3x3 box), its hue, saturation and value are divided into `bins` equal steps each, and
    connected pixels of one colour, including diagonal neighbours, form a region. A pixel is coherent if its region has
    at least the share `threshold` of all pixels. Order: colour (hue slowest, value fastest), then coherent, incoherent;
    all values sum to 1.

    Parameters
    ----------
    bins : int
        Steps of each of hue, saturation and value, 1..256.
    threshold : float
        Minimum share of a coherent region in the image's pixels.

    References
    ----------
    G. Pass, R. Zabih and J. Miller, "Comparing images using color coherence vectors", ACM Multimedia 1996,
    section 3, in HSV with 8x8x8 colours as in H. Chang and D.-Y. Yeung (Image and Vision Computing 2006), and as shares
    instead of pixel counts, so that the size of the photo does not matter.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> pixels = np.full((40, 60, 3), (255, 0, 0), np.uint8)
    >>> pixels[10:12, 10:12] = (0, 0, 255)
    >>> vector = ColorCoherence(bins=2).extract(WorkingImage.from_array(pixels))
    >>> colors = vector.reshape(8, 2)  # colour, coherent and incoherent
    >>> np.flatnonzero(colors[:, 0]), np.flatnonzero(colors[:, 1])  # a large area of red, a small one of blue
    (array([3]), array([7]))
    """

    bins: int = 8
    threshold: float = 0.01

    name: ClassVar[str] = "color_coherence"
    title: ClassVar[str] = "Colour areas"
    summary: ClassVar[str] = "Shares of the pixels in large and in small areas of each colour"
    source: ClassVar[str] = "Chang & Yeung 2006"
    subject: ClassVar[Subject] = "color"
    version: ClassVar[int] = 3
    is_count: ClassVar[bool] = True
    weight_in_space: ClassVar[float] = 2.0
    distance: ClassVar[Distance] = "l1"

    def __post_init__(self) -> None:
        if not 1 <= self.bins <= 256:
            raise ValueError(f"bins must be 1..256, it is {self.bins}.")
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold is a share of the image, 0..1, it is {self.threshold}.")

    @property
    def dimension(self) -> int:
        """Length d of the vector: colours x 2."""
        return 2 * self.bins**3

    def rotated(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the vectors of the rotated photos, which are the same; see `GlobalDescriptor.rotated`."""
        return vectors

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`. Values are in 0..1."""
        # The function behind skimage.measure.label, which also loads scipy.ndimage, slower than everything else here.
        from skimage.measure._ccomp import label_cython

        hsv = cv2.cvtColor(cv2.blur(image.small.rgb, (3, 3)), cv2.COLOR_RGB2HSV_FULL)
        steps = (np.arange(256) * self.bins) >> 8
        table = np.stack([steps * self.bins**2, steps * self.bins, steps], axis=1).astype(np.float32)
        colors = cv2.transform(cv2.LUT(hsv, table[None]), np.ones((1, 3), np.float32)).astype(np.intp)

        # `label` treats 0 as background, so colours are shifted by one; a single pass finds the regions of all colours.
        regions = label_cython(colors + 1, connectivity=2).ravel()
        sizes = np.bincount(regions)
        color_of_region = np.zeros(len(sizes), np.intp)
        color_of_region[regions] = colors.ravel()
        coherent = sizes >= self.threshold * colors.size
        pixels = np.bincount(2 * color_of_region + ~coherent, weights=sizes, minlength=self.dimension)
        shares: NDArray[np.float32] = (pixels / colors.size).astype(np.float32)
        return shares
