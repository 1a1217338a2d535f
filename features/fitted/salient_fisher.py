# SPDX-License-Identifier: MIT
"""Salient Fisher vectors: Fisher vectors in which the points that stand out from the border of a photo count more."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import Distance, GlobalDescriptor, Kind, LocalDescriptor
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import SALIENT, FisherVector
from focal_photos.features.local.saliency import Saliency, at_places

_SALIENCY: Final = Saliency()


@dataclass(frozen=True)
class SalientFisherVector(GlobalDescriptor):
    """Fisher vector of points weighted by the saliency at their places, on separate main axes.

    Points and responsibilities are those of the plain Fisher vector; equal weights give the plain Fisher vector. The
    axes are fitted with it, to the same sampled points without their photos, with a Gaussian around the centre as
    weights: on Caltech-101 they rank as well as axes fitted to saliency (ALGORITHMS.md, 12.2).

    Parameters
    ----------
    fisher : FisherVector
        The plain Fisher vector, fitted; nothing else is fitted.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> from focal_photos.features.local.dense_color import DenseColor
    >>> rng = np.random.default_rng(0)
    >>> photos = [WorkingImage.from_array(rng.integers(0, 255, (48, 64, 3), dtype=np.uint8)) for _ in range(3)]
    >>> bare = FisherVector(DenseColor(), components=2, local_axes=4, axes=2)
    >>> samples = [bare.learned_from.extract(photo).vectors for photo in photos]
    >>> SalientFisherVector(bare.fit(samples)).extract(photos[0]).shape
    (2,)
    """

    fisher: FisherVector

    kind: ClassVar[Kind] = "fisher"
    source: ClassVar[str] = "Wei et al. 2012"
    is_scaled: ClassVar[bool] = True
    distance: ClassVar[Distance] = "l2"
    components_in_space: ClassVar[int] = 48
    version: ClassVar[int] = 5

    @property
    def name(self) -> str:
        """Name in the table, e.g. ``dense_sift_salient``."""
        return f"{self.fisher.local.name}_salient"

    @property
    def title(self) -> str:
        """Name shown to the user."""
        return f"{self.fisher.local.title}, salient points"

    @property
    def summary(self) -> str:
        """Description, in one line."""
        return f"As {self.fisher.name}, with more weight on points that stand out from the border of the photo"

    @property
    def needs_color(self) -> bool:
        """Whether it is uninformative for greyscale photos: as a texture of brightness, the plain one suffices."""
        return self.local.subject == "color"

    @property
    def weight_in_space(self) -> float:
        """Weight in the space of photos without a foreground."""
        return 2.0

    def weight_beside(self, others: Collection[GlobalDescriptor], *, foreground: bool) -> float:  # noqa: ARG002
        """Return its weight in a space: shape weighs more in front of a background; see the base class."""
        return 8.0 if foreground and self.local.subject == "shape" else self.weight_in_space

    @property
    def dimension(self) -> int:
        """Length of the vector."""
        return self.fisher.axes

    @property
    def local(self) -> LocalDescriptor:
        """The local descriptor."""
        return self.fisher.local

    @property
    def computed_from(self) -> tuple[LocalDescriptor, ...]:
        """The local descriptor, and the saliency."""
        return (*self.fisher.computed_from, _SALIENCY)

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`."""
        points, found = self.fisher.assigned(image), np.zeros(self.dimension, np.float32)
        if points is not None:
            weights = at_places(_SALIENCY.of(image).vectors, points.places)
            coordinates = points.encoder.project(points.encoder.encode(points, weights), SALIENT)
            found[: len(coordinates)] = coordinates
        return found
