# SPDX-License-Identifier: MIT
"""Fisher vectors: how the local vectors of a photo differ from those of all photos."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import ClassVar, Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import (
    Distance,
    Fitted,
    FittedState,
    GlobalDescriptor,
    Kind,
    LocalDescriptor,
    LocalFeatures,
)
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.clustering import draw
from focal_photos.features.fitted.gaussian_mixture import GaussianMixture, fit_mixture, with_squares
from focal_photos.features.fitted.principal_components import principal_axes
from focal_photos.features.local.dense_grid import PLACE

LEARNED_FROM = 20_000
"""Maximum number of local vectors, drawn from the whole sample, for fitting the mixture."""

OF_A_PHOTO = 400
"""Maximum number of these per photo of the sample: more from few photos take time and do not generalize."""

POINTS = 1000
"""Points drawn from each photo of the sample; they represent the photo when the axes are learned."""

BANDS: Final = 3
"""Horizontal bands of equal height, from the top, whose gradients add up to that of the photo."""

_PLACE_WEIGHT = 3.0
"""Weight of a point's position, in standard deviations of the vector values."""

_BLOCK = 4096
"""Rows of the sample in double precision at a time."""

SALIENT: Final = "salient_"
"""Prefix of the fitted arrays of Fisher vectors with salient points."""

_SPREAD: Final = 0.22
"""Standard deviation of the central weights, as a share of the sides of a photo."""

_MIN_RESPONSIBILITY = 1e-4
"""Responsibilities below this are set to 0 (Sanchez 2013, section 2.3)."""


@dataclass(frozen=True)
class DrawnPoints(LocalDescriptor):
    """Seeded sample of the points of a dense descriptor, used for fitting a mixture.

    Parameters
    ----------
    base : LocalDescriptor
    points : int
        Maximum number of points; their order is preserved.
    """

    base: LocalDescriptor
    points: int = POINTS

    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.points < 1:
            raise ValueError(f"At least 1 point must be drawn, not {self.points}.")

    @property
    def name(self) -> str:
        """Name, e.g. ``dense_sift_drawn``; not in the table of descriptors."""
        return f"{self.base.name}_drawn"

    @property
    def title(self) -> str:
        """Name shown to the user."""
        return f"{self.base.title}, some points"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self.base.dimension

    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe the points; see `LocalDescriptor.extract`."""
        found = self.base.of(image)
        chosen = _chosen(len(found), self.points)
        return LocalFeatures(found.points[chosen], found.vectors[chosen])

    def draw(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the rows of all vectors of `base` (n, d) that `extract` would draw."""
        return vectors if len(vectors) <= self.points else vectors[_chosen(len(vectors), self.points)]


@lru_cache(maxsize=64)
def _chosen(count: int, points: int) -> NDArray[np.intp]:
    """Return the rows drawn from `count`; photos of one size share them."""
    return np.sort(np.random.default_rng(0).permutation(count)[:points])


@dataclass(frozen=True)
class FisherVector(Fitted, GlobalDescriptor):
    """Gradient of the likelihood of a photo's local vectors with respect to mixture parameters, on its main axes.

    Fitted to the sample: principal axes of the local vectors, a mixture of Gaussians of these coordinates and each
    point's position, and the principal axes of the photos' Fisher vectors; and for `SalientFisherVector`, those of
    the Fisher vectors in which the points are weighted by a Gaussian around the centre of the photo. With
    responsibilities q, the sums over the N points of a photo ``S0 = sum q``, ``S1 = sum q x``, ``S2 = sum q x^2``,
    and a mixture with weights w, means m and deviations s, the Fisher vector is, for each component, ``(S1 - S0 m)
    / (N s sqrt(w))`` and ``((S2 - 2 S1 m + S0 m^2) / s^2 - S0) / (N sqrt(2 w))``, followed by signed square roots
    and normalization to unit length. It is projected on `axes` principal axes. A photo without points has the zero
    vector, which is the mean.

    Parameters
    ----------
    local : LocalDescriptor
        Dense descriptor without a fitted part; the last `PLACE` values of its vectors are the position of a point.
    components : int
        Number of Gaussians.
    local_axes : int
        Number of principal axes of the local vectors.
    axes : int
        Length of the vector.
    state : FittedState, optional
        ``local_mean`` (d,), ``local_axes`` (d, p), ``place_weight`` (1,), ``weights`` (k,), ``means`` and ``variances``
        (k, p + PLACE), ``mean`` and ``salient_mean`` (2 k (p + PLACE),), ``axes`` and ``salient_axes`` (r, 2 k (p +
        PLACE)), all float32, with d = local.dimension - PLACE, p <= `local_axes`, k <= `components`, r <= `axes`.

    Notes
    -----
    For the choice of components and cells, and the cost of the axes, see ALGORITHMS.md, 12.2. Measured on four sets of
    Corel-5k and Caltech-101 (all photos rank all, precision at 10 of these families with the standard ones, each half
    whitened and re-ranked by neighbours): components 32 / 64 .645 / .648 and .525 / .533.

    References
    ----------
    F. Perronnin, J. Sanchez and T. Mensink, "Improving the Fisher kernel for large-scale image classification", ECCV
    2010: signed roots, unit length. J. Sanchez, F. Perronnin, T. Mensink and J. Verbeek, "Image classification with the
    Fisher vector: theory and practice", IJCV 105(3), 2013, eq. 16-18. J. Sanchez, F. Perronnin and T. de Campos,
    "Modeling the spatial layout of images beyond spatial pyramids", Pattern Recognition Letters 33(16), 2012: position
    appended to the vector.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> from focal_photos.features.local.dense_color import DenseColor
    >>> rng = np.random.default_rng(0)
    >>> photos = [WorkingImage.from_array(rng.integers(0, 255, (48, 64, 3), dtype=np.uint8)) for _ in range(3)]
    >>> bare = FisherVector(DenseColor(), components=2, local_axes=4, axes=2)
    >>> fitted = bare.fit([bare.learned_from.extract(photo).vectors for photo in photos])
    >>> fitted.extract(photos[0]).shape
    (2,)
    """

    local: LocalDescriptor
    components: int = 64
    local_axes: int = 64
    axes: int = 128
    state: FittedState | None = None

    kind: ClassVar[Kind] = "fisher"
    source: ClassVar[str] = "Perronnin et al. 2010"
    is_scaled: ClassVar[bool] = True
    distance: ClassVar[Distance] = "l2"
    components_in_space: ClassVar[int] = 48
    version: ClassVar[int] = 4

    def __post_init__(self) -> None:
        if min(self.components, self.local_axes, self.axes) < 1:
            raise ValueError(f"A Fisher vector needs at least 1 component and axis: {self}.")

    @property
    def name(self) -> str:
        """Name in the table, e.g. ``dense_sift_fisher``."""
        return f"{self.local.name}_fisher"

    @property
    def title(self) -> str:
        """Name shown to the user."""
        return f"{self.local.title}, Fisher vector"

    @property
    def summary(self) -> str:
        """Description, in one line."""
        return f"{self.local.summary}: how a photo differs from the others"

    @property
    def weight_in_space(self) -> float:
        """Weight in the space: shape is more informative than colour, and both more than the other families."""
        return 4.0 if self.local.subject == "shape" else 2.0

    def weight_beside(self, others: Collection[GlobalDescriptor], *, foreground: bool) -> float:  # noqa: ARG002
        """Return its weight in a space: 2 beside its salient counterpart; see `GlobalDescriptor.weight_beside`."""
        is_shared = any(getattr(other, "fisher", None) == self for other in others)
        return 2.0 if is_shared else self.weight_in_space

    @property
    def dimension(self) -> int:
        """Length of the vector."""
        return self.axes

    @property
    def learned_from(self) -> DrawnPoints:
        """Sampled points of the local descriptor."""
        return DrawnPoints(self.local)

    @property
    def computed_from(self) -> tuple[LocalDescriptor, ...]:
        """The local descriptor."""
        return (self.local,)

    def fit(self, samples: Sequence[NDArray[np.float32]], *, seed: int = 0) -> Self:
        """Fit local axes, mixture and main axes; see `Fitted.fit`."""
        rng = np.random.default_rng(seed)
        d = self.local.dimension - PLACE
        rows = draw(samples, min(LEARNED_FROM, OF_A_PHOTO * len(samples)), d + PLACE, rng)
        mean, axes = principal_axes(np.array_split(rows[:, :d], len(rows) // _BLOCK + 1), min(self.local_axes, d), d)
        spread = float(rows[:, :d].std()) if len(rows) else 0.0
        arrays = {
            "local_mean": mean.astype(np.float32),
            "local_axes": axes[:, axes.any(axis=0)].astype(np.float32),
            "place_weight": np.array([_PLACE_WEIGHT * spread], np.float32),
        }
        if len(rows):
            mixture = fit_mixture(FisherEncoder.reduced(arrays, rows), self.components, rng)
            arrays |= {"weights": mixture.weights, "means": mixture.means, "variances": mixture.variances}
            encoder = FisherEncoder(arrays)
            points = (encoder.assigned(photo) for photo in samples if len(photo))
            pairs = [(encoder.encode(one), encoder.encode(one, _central(one.places))) for one in points]
            for part, vectors in zip(("", SALIENT), np.stack(pairs, axis=1), strict=True):
                center, main = principal_axes([vectors], self.axes, vectors.shape[1])
                main = np.ascontiguousarray(main[:, main.any(axis=0)].T)
                arrays |= {f"{part}mean": center.astype(np.float32), f"{part}axes": main.astype(np.float32)}
        return dataclasses.replace(self, state=FittedState(arrays))

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`."""
        points, found = self.assigned(image), np.zeros(self.axes, np.float32)
        if points is not None:
            coordinates = points.encoder.project(unit_roots(points.gradient))
            found[: len(coordinates)] = coordinates
        return found

    def assigned(self, image: WorkingImage) -> Assigned | None:
        """Return the points of a photo with their Gaussians, which its signs use, too; None without points or mixture.

        Raises
        ------
        NotFittedError
        """
        encoder = self.encoder()
        if encoder is None:
            return None

        def assign() -> Assigned | None:
            found = self.local.of(image)
            return encoder.assigned(found.vectors) if len(found) else None

        return image.cached(("fisher vector", self), assign)

    def encoder(self) -> FisherEncoder | None:
        """Return the encoder of unprojected Fisher vectors; None if it was fitted to no points.

        Raises
        ------
        NotFittedError
        """
        return self._encoder

    @cached_property
    def _encoder(self) -> FisherEncoder | None:
        state = self.fitted_state()
        if "axes" not in state.arrays:
            return None
        return FisherEncoder({name: np.asarray(array, np.float32) for name, array in state.arrays.items()})


@dataclass(frozen=True, eq=False)
class Assigned:
    """The n >= 1 points of a photo, with their Gaussians; sorted by band."""

    terms: NDArray[np.float32]
    """Coordinates, their squares, and 1; see `with_squares`; shape (n, 2 (p + PLACE) + 1)."""
    q: NDArray[np.float32]
    """Responsibilities; shape (k, n)."""
    places: NDArray[np.float32]
    """Positions; shape (n, PLACE)."""
    encoder: FisherEncoder = field(repr=False)

    @cached_property
    def bands(self) -> NDArray[np.float32]:
        """Gradients of the points of each band, float32 (BANDS, 2 k (p + PLACE)); 0 for a band without points."""
        ends = np.cumsum(np.bincount(bands_of(self.places), minlength=BANDS)).tolist()
        sums = np.stack([self.q[:, i:j] @ self.terms[i:j] for i, j in pairwise([0, *ends])])
        return self.encoder.gradient(sums)

    @property
    def gradient(self) -> NDArray[np.float32]:
        """Gradient of all points, float32 (2 k (p + PLACE),)."""
        return np.asarray(self.bands.sum(axis=0), np.float32)


def bands_of(places: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the band of each position (n, PLACE), 0 at the top."""
    return np.clip(((places[:, 0] + np.float32(0.5)) * BANDS).astype(np.intp), 0, BANDS - 1)


def unit_roots(gradient: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the Fisher vectors of gradients (..., d) of any length: signed roots, scaled to unit length."""
    sizes = np.abs(gradient)
    norms = np.sqrt(sizes.sum(axis=-1, keepdims=True))
    return np.asarray(np.copysign(np.sqrt(sizes), gradient) / np.where(norms > 0, norms, 1), np.float32)


def _central(places: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.exp(-np.square(places[:, :2]).sum(axis=1) / (2 * _SPREAD**2)), np.float32)


class FisherEncoder:
    """Fisher vectors of a mixture, before projection.

    Parameters
    ----------
    arrays : dict of str to ndarray of float32
        Fitted arrays of a `FisherVector`.
    """

    def __init__(self, arrays: dict[str, NDArray[np.float32]]) -> None:
        self._arrays = arrays
        self._mixture = GaussianMixture(arrays["weights"], arrays["means"], arrays["variances"])

    @staticmethod
    def reduced(arrays: dict[str, NDArray[np.float32]], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the coordinates of local vectors (n, d + PLACE) on the axes, with their positions: (n, p + PLACE)."""
        looks = vectors[:, :-PLACE] @ arrays["local_axes"] - arrays["local_mean"] @ arrays["local_axes"]
        return np.hstack([looks, vectors[:, -PLACE:] * arrays["place_weight"]])

    def encode(self, points: Assigned, weights: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Return the Fisher vector (2 k (p + PLACE),) of points, each with its weight (n,) if there are weights."""
        q: NDArray[np.float32] = points.q if weights is None else points.q * weights
        return unit_roots(self.gradient(q @ points.terms))

    def project(self, vector: NDArray[np.float32], part: str = "") -> NDArray[np.float32]:
        """Return the coordinates (r,) of a Fisher vector on the main axes, or with `SALIENT` on the salient ones."""
        # The axes are stored one after the other: a product with a single vector then reads the memory in order.
        return np.asarray(self._arrays[f"{part}axes"] @ (vector - self._arrays[f"{part}mean"]), np.float32)

    def assigned(self, vectors: NDArray[np.float32]) -> Assigned:
        """Return a photo's local vectors (n, d + PLACE), n >= 1, with their Gaussians."""
        x, places = self.reduced(self._arrays, vectors), vectors[:, -PLACE:]
        order = np.argsort(bands_of(places), kind="stable")
        terms, places = with_squares(x[order]), places[order]
        q = self._mixture.shares(terms)
        cv2.threshold(q, _MIN_RESPONSIBILITY, 0, cv2.THRESH_TOZERO, q)
        return Assigned(terms, q, places, self)

    def gradient(self, sums: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return gradients (..., 2 k (p + PLACE)) of sums (..., k, t) over points; see `GaussianMixture.gradient`."""
        return self._mixture.gradient(sums)
