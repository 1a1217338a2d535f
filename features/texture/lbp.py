# SPDX-License-Identifier: MIT
"""Local binary patterns: which of the eight neighbours of each pixel are at least as bright as the pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import Distance, GlobalDescriptor, Subject
from focal_photos.features.decoding.image import WorkingImage

T = TypeVar("T", bound=np.generic)

_SIDE, _CORNER = 239, 577
"""Weights of the two neighbours next to a diagonal and of the diagonal one; see `pattern_codes`."""


@dataclass(frozen=True)
class Lbp(GlobalDescriptor):
    """Shares of the pixels with each uniform local binary pattern of 8 neighbours at distance 1.

    A pattern is uniform if it changes at most two times between brighter and darker on its way around the pixel. There
    are 58 of these; all others share the last value. Order, as in scikit-image's ``nri_uniform``: no neighbour is as
    bright, then one, two, ... seven are, eight directions each, then all eight, then the other patterns. All values sum
    to 1 and are invariant to the brightness and contrast of the photo.

    References
    ----------
    T. Ojala, M. Pietikäinen and T. Mäenpää, "Multiresolution gray-scale and rotation invariant texture classification
    with local binary patterns", IEEE TPAMI 24(7), 2002, section 2, and T. Ahonen et al., ECCV 2004, for the 59 values.
    Departure: the border pixels are replicated outside the image, where scikit-image assumes black.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> plain = WorkingImage.from_array(np.full((40, 60, 3), 51, np.uint8))
    >>> vector = Lbp().extract(plain)
    >>> np.flatnonzero(vector).tolist()  # all eight neighbours are as bright as each pixel
    [57]
    """

    name: ClassVar[str] = "lbp"
    title: ClassVar[str] = "Fine patterns"
    summary: ClassVar[str] = "Shares of the uniform local binary patterns"
    source: ClassVar[str] = "Xia et al. 2013"
    subject: ClassVar[Subject] = "texture"
    version: ClassVar[int] = 1
    is_count: ClassVar[bool] = True
    distance: ClassVar[Distance] = "chi2"

    @property
    def dimension(self) -> int:
        """Length d of the vector: 58 uniform patterns and one value for the others."""
        return 59

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`. Values are in 0..1."""
        codes = pattern_codes(image.gray_levels)
        counts = cv2.calcHist([codes], [0], None, [256], [0, 256]).ravel()
        shares = np.bincount(UNIFORM, weights=counts, minlength=self.dimension) / codes.size
        return shares.astype(np.float32)


def pattern_codes(gray: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return which neighbours of each pixel (h, w) are at least as bright, one bit each; border pixels are replicated.

    Bit p is the direction ``p * 45`` degrees, counter-clockwise from the right. Diagonal neighbours are at distance 1,
    too, between pixels: with ``w = sqrt(1/2)``, bilinear interpolation minus the centre c gives
    ``w (1 - w) (a + b - 2c) + w**2 (d - c)``, where d is the corner pixel and a, b its neighbours. Only the sign
    matters, and for integers up to 255 it is the same for any ratio of the weights of d and a between 408/169 and
    169/70 (sqrt(2) + 1 = 2.41421 and scikit-image's rounded 2.41425 are both in this range, and no fraction with such
    small terms is): 577/239 makes it exact in integers. In floating point, the result for equal neighbours would be
    random.
    """
    height, width = gray.shape
    around = cv2.copyMakeBorder(gray, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    levels = around.astype(np.float32)  # all terms are integers below 2**24, and therefore exact
    corners = levels * np.float32(_CORNER)
    middles = levels[1:-1, 1:-1] * np.float32(2 * _SIDE + _CORNER)
    # Sums of the two pixels that touch at a corner, in each block of 2 x 2 pixels.
    falling, rising = levels[:-1, :-1] + levels[1:, 1:], levels[:-1, 1:] + levels[1:, :-1]

    def moved(values: NDArray[T], x: int, y: int) -> NDArray[T]:
        return values[y : y + height, x : x + width]

    codes = np.zeros((height, width), np.uint8)
    for bit, (x, y) in enumerate(_DIRECTIONS):
        if x and y:
            sides = moved(falling if x != y else rising, (1 + x) // 2, (1 + y) // 2)
            found = cv2.compare(cv2.scaleAdd(sides, _SIDE, moved(corners, 1 + x, 1 + y)), middles, cv2.CMP_GE)
        else:
            found = cv2.compare(moved(around, 1 + x, 1 + y), gray, cv2.CMP_GE)
        codes |= np.asarray(found, np.uint8) & np.uint8(1 << bit)
    return codes


def _uniform(code: int) -> int:
    """Return the index of a code among the 59 values."""
    bits = [code >> p & 1 for p in range(8)]
    ones = sum(bits)
    if sum(bits[p] != bits[p - 1] for p in range(8)) > 2:
        return 58
    if ones in (0, 8):
        return 57 if ones else 0
    # The run of ones begins at bit p; the eight runs of one length are in the order of descending p, with 0 after 1.
    start = next(p for p in range(8) if bits[p] and not bits[p - 1])
    return 1 + (ones - 1) * 8 + -start % 8


_DIRECTIONS: Final = ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1))

UNIFORM: Final = np.array([_uniform(code) for code in range(256)])
"""Index of each of the 256 codes among the 59 values."""
