# SPDX-License-Identifier: MIT
"""Signs of Fisher vectors: the directions in which a photo and each third of it differ from all photos, as bits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import CodeDescriptor, LocalDescriptor
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import BANDS, FisherVector
from focal_photos.features.local.dense_grid import PLACE


@dataclass(frozen=True)
class FisherSigns(CodeDescriptor):
    """Signs of the full Fisher vectors of a photo and of its upper, middle and lower third.

    A hundred principal axes of a Fisher vector show which photos are similar, but do not separate a hundred classes.
    The full vector does, and so do its signs, in a 32nd of the memory (ALGORITHMS.md, 12.2). The signs are those of the
    gradient with respect to the mixture parameters: neither its length nor its roots matter.

    Parameters
    ----------
    fisher : FisherVector
        The Fisher vector whose mixture is used; nothing else is learned.

    Notes
    -----
    The bits of the whole photo come first, then those of the bands, each part packed separately, the first bit in the
    highest position; 1 if the gradient is positive. Bits not filled by a mixture of fewer Gaussians or axes are 0, as
    are those of a band without points.

    References
    ----------
    F. Perronnin, Y. Liu, J. Sanchez and H. Poirier, "Large-scale image retrieval with compressed Fisher vectors", CVPR
    2010: signs compared by the Hamming distance. S. Lazebnik, C. Schmid and J. Ponce, "Beyond bags of features", CVPR
    2006, and K. Chatfield, V. Lempitsky, A. Vedaldi and A. Zisserman, "The devil is in the details", BMVC 2011: bands.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> from focal_photos.features.fitted.fisher_signs import FisherSigns
    >>> from focal_photos.features.fitted.fisher_vectors import FisherVector
    >>> from focal_photos.features.local.dense_color import DenseColor
    >>> rng = np.random.default_rng(0)
    >>> photos = [WorkingImage.from_array(rng.integers(0, 255, (48, 64, 3), dtype=np.uint8)) for _ in range(3)]
    >>> bare = FisherVector(DenseColor(), components=2, local_axes=5, axes=2)
    >>> fitted = bare.fit([bare.learned_from.extract(photo).vectors for photo in photos])
    >>> FisherSigns(fitted).extract(photos[0]).shape  # 4 x 2 x 2 x (5 + 3) bits
    (16,)
    """

    fisher: FisherVector

    version: ClassVar[int] = 4

    @property
    def name(self) -> str:
        """Name in the table, e.g. ``dense_sift_signs``."""
        return f"{self.fisher.local.name}_signs"

    @property
    def title(self) -> str:
        """Name shown to the user."""
        return f"{self.fisher.local.title}, signs"

    @property
    def summary(self) -> str:
        """Description, in one line."""
        return f"Signs of the whole of {self.fisher.name}, of the photo and its three bands: for suggestions"

    @property
    def source(self) -> str:
        """Citation of such codes."""
        return "Perronnin et al. 2010"

    @property
    def dimension(self) -> int:
        """Length of a code in bytes."""
        return (1 + BANDS) * self._bytes

    @property
    def _bytes(self) -> int:
        """Length of one part in bytes."""
        return -(-2 * self.fisher.components * (self.fisher.local_axes + PLACE) // 8)

    @property
    def computed_from(self) -> tuple[LocalDescriptor, ...]:
        """The local descriptor."""
        return self.fisher.computed_from

    def of_several(self, images: Collection[WorkingImage]) -> NDArray[np.uint8]:
        """Return the signs of the sum of gradients; see `CodeDescriptor.of_several`."""
        code = np.zeros((1 + BANDS, self._bytes), np.uint8)
        found = [points.bands for image in images if (points := self.fisher.assigned(image)) is not None]
        if found:
            bands = np.sum(found, axis=0)
            for part, gradient in zip(code, [bands.sum(axis=0), *bands], strict=True):
                bits = np.packbits(gradient > 0)
                part[: len(bits)] = bits
        return code.ravel()
