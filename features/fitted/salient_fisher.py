"""Salient Fisher vectors: Fisher vectors in which the points that stand out from the border of a photo count more."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import Distance, Fitted, FittedState, GlobalDescriptor, Kind, LocalDescriptor
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import Assigned, DrawnPoints, FisherVector, unit_roots
from focal_photos.features.fitted.principal_components import principal_axes
from focal_photos.features.local.saliency import Saliency, at_places

_SALIENCY: Final = Saliency()
_SPREAD: Final = 0.22
"""Standard deviation of the central weights used for fitting, as a share of the sides of a photo."""


@dataclass(frozen=True)
class SalientFisherVector(Fitted, GlobalDescriptor):
    """Fisher vector of points weighted by the saliency at their places, on separate main axes.

    Points and responsibilities are those of the plain Fisher vector; equal weights give the plain Fisher vector. The
    axes are fitted to the same sampled points without their photos, with a Gaussian around the centre as weights: on
    Caltech-101 they rank as well as axes fitted to saliency (ALGORITHMS.md, 12.2).

    Parameters
    ----------
    fisher : FisherVector
        The plain Fisher vector; fitted before this one.
    state : FittedState, optional
        ``mean`` (d,) and ``axes`` (d, r), both float32, with d the length of the unprojected Fisher vector and r <=
        `dimension`.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> from focal_photos.features.local.dense_color import DenseColor
    >>> rng = np.random.default_rng(0)
    >>> photos = [WorkingImage.from_array(rng.integers(0, 255, (48, 64, 3), dtype=np.uint8)) for _ in range(3)]
    >>> bare = FisherVector(DenseColor(), components=2, local_axes=4, axes=2)
    >>> samples = [bare.learned_from.extract(photo).vectors for photo in photos]
    >>> SalientFisherVector(bare.fit(samples)).fit(samples).extract(photos[0]).shape
    (2,)
    """

    fisher: FisherVector
    state: FittedState | None = None

    kind: ClassVar[Kind] = "fisher"
    source: ClassVar[str] = "Wei et al. 2012"
    is_scaled: ClassVar[bool] = True
    distance: ClassVar[Distance] = "l2"
    components_in_space: ClassVar[int] = 48
    version: ClassVar[int] = 2

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
    def learned_from(self) -> DrawnPoints:
        """Sampled points of the local descriptor."""
        return self.fisher.learned_from

    @property
    def computed_from(self) -> tuple[LocalDescriptor, ...]:
        """The local descriptor, and the saliency."""
        return (*self.fisher.computed_from, _SALIENCY)

    def fit(self, samples: Sequence[NDArray[np.float32]], *, seed: int = 0) -> Self:  # noqa: ARG002
        """Fit the main axes; see `Fitted.fit`.

        Raises
        ------
        NotFittedError
            If `fisher` is not fitted.
        """
        encoder = self.fisher.encoder()
        points = [encoder.assigned(photo) for photo in samples if len(photo)] if encoder else []
        vectors = np.stack([self._vector(one, _central(one.places)) for one in points]) if points else np.zeros((0, 0))
        mean, axes = principal_axes([vectors], self.dimension, vectors.shape[1])
        arrays = {"mean": mean.astype(np.float32), "axes": axes[:, axes.any(axis=0)].astype(np.float32)}
        return dataclasses.replace(self, state=FittedState(arrays))

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`."""
        self.fitted_state()
        return self._coordinates(self.fisher.assigned(image), _SALIENCY.of(image).vectors)

    def _coordinates(self, points: Assigned | None, saliency: NDArray[np.float32]) -> NDArray[np.float32]:
        coordinates = np.zeros(self.dimension, np.float32)
        mean, axes = self._projection
        if points is not None and axes.size:
            coordinates[: axes.shape[1]] = (self._vector(points, at_places(saliency, points.places)) - mean) @ axes
        return coordinates

    @cached_property
    def _projection(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Mean and main axes; see `FisherEncoder.project`."""
        mean, axes = (np.asarray(self.fitted_state()[name], np.float32) for name in ("mean", "axes"))
        return mean, np.asfortranarray(axes)

    def _vector(self, points: Assigned, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the unprojected Fisher vector of weighted points."""
        encoder = self.fisher.encoder()
        assert encoder is not None
        return unit_roots(encoder.gradient(points.terms, points.q * weights))


def _central(places: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.exp(-np.square(places[:, :2]).sum(axis=1) / (2 * _SPREAD**2)), np.float32)
