# SPDX-License-Identifier: MIT
"""Heat maps of a photo: the importance of each place, from the weights of its patches, as an overlay picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtGui import QColor, QImage

from focal_photos.browser.catalog.store.deferred import dataclass

if TYPE_CHECKING:
    from focal_photos.browser.operations.ranking.local.explain import FocalPatches


# The upper three quarters of "inferno" by N. Smith and S. van der Walt (CC0). Its lightness rises in even steps, so it
# can be read without colour vision, too. The lowest part is omitted, because it looks like a dark photo.
SCALE: Final = (
    "#62146e", "#7c1d6d", "#932667", "#ab2f5e", "#c33b4f", "#d74b3f",
    "#e75e2e", "#f37819", "#fa9207", "#fcae12", "#f8cd37", "#f2ea69", "#fcffa4",
)  # fmt: skip
"""Colours from the smallest weight to the greatest, evenly spaced."""

SIDE: Final = 192
"""Number of values along the longer side of a map; maps are smooth, so more values would not show more."""

_SPREAD: Final = 0.35
"""Standard deviation of a patch's heat, as a multiple of its radius: the middle of a patch counts most."""

_MIN_DEVIATION: Final = 0.045
"""Least standard deviation, as a share of the longer side; smaller values would give specks that outshine the rest."""

_LEVELS: Final = 256
_OPACITY: Final = 0.85
_RISE: Final = 0.65  # below 1, so that faint heat is visible


@dataclass(frozen=True)
class HeatMap:
    """The focal image's weights as maps."""

    photo_id: int
    maps: tuple[QImage, ...]
    """Overlays: of all patches, then of each kind."""
    shares: tuple[float, ...]
    """Share of the total weight in each map; the first is 1."""
    learned: bool
    """False if all patches have the same weight, because nothing is known about the photo yet."""
    reach: tuple[float, ...]
    """Largest radius of each kind of patch, as a share of the photo's longer side."""


def make_heat_map(patches: FocalPatches, aspect: float) -> HeatMap:
    """Compute the maps of a focal image's patches; for a background thread.

    Parameters
    ----------
    aspect : float
        Width of the photo over its height.
    """
    of_kind = [patches.kind == number for number in range(len(patches.kinds))]
    groups = [np.ones(len(patches.kind), bool), *of_kind]
    total = max(float(patches.weights.sum()), 1e-12)
    return HeatMap(
        patches.photo_id,
        tuple(heat_image(heat(patches.points[g], patches.weights[g], patches.radii[g], aspect)) for g in groups),
        tuple(float(patches.weights[g].sum()) / total for g in groups),
        bool(np.ptp(patches.weights) > 0) if len(patches.weights) else False,
        tuple(float(patches.radii[g].max(initial=0.0)) for g in of_kind),
    )


def heat(
    points: ArrayLike, weights: ArrayLike, radii: ArrayLike, aspect: float, side: int = SIDE
) -> NDArray[np.float32]:
    """Return the density of patch weights over a photo.

    Each patch spreads its weight as a Gaussian around its point, wider for a larger patch. The sum is a density to
    which a patch contributes by its weight, not by its size.

    Parameters
    ----------
    points : array_like of float, shape (n, 2)
        x and y as shares of the photo's width and height, 0..1.
    weights : array_like of float, shape (n,)
        >= 0.
    radii : array_like of float, shape (n,)
        As shares of the photo's longer side.
    aspect : float
        Width of the photo over its height, > 0.
    side : int
        Number of values along the longer side.

    Returns
    -------
    ndarray of float32, shape (rows, columns)
        0..1, the greatest is 1; all 0 if all weights are 0.
    """
    across, down = (1.0, 1.0 / aspect) if aspect >= 1 else (aspect, 1.0)
    columns, rows = max(1, round(side * across)), max(1, round(side * down))
    mass = np.asarray(weights, np.float32)
    used = mass > 0
    mass = mass[used]
    spots = np.asarray(points, np.float32).reshape(-1, 2)[used]
    spread = np.maximum(_SPREAD * np.asarray(radii, np.float32)[used], _MIN_DEVIATION)
    x = _bell((np.arange(columns) + 0.5) / columns * across, spots[:, 0] * across, spread)
    y = _bell((np.arange(rows) + 0.5) / rows * down, spots[:, 1] * down, spread)
    density: NDArray[np.float32] = y.T @ (x * (mass / spread**2)[:, None])
    greatest = density.max(initial=0.0)
    return density / greatest if greatest > 0 else density


def _bell(at: NDArray[np.float64], middles: NDArray[np.float32], spread: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return Gaussians of height 1, (n, len(at))."""
    steps = (at.astype(np.float32) - middles[:, None]) / spread[:, None]
    return np.exp(-0.5 * steps * steps)


def scale(levels: int = _LEVELS) -> NDArray[np.float64]:
    """Return the colours of heat 0..1 in equal steps: red, green, blue and opacity in 0..1, shape (levels, 4)."""
    colors = [QColor(name) for name in SCALE]
    anchors = np.array([(color.redF(), color.greenF(), color.blueF()) for color in colors])
    shares = np.linspace(0, 1, levels)
    at = np.linspace(0, 1, len(anchors))
    mixed = [np.interp(shares, at, anchors[:, channel]) for channel in range(3)]
    return np.column_stack([*mixed, _OPACITY * shares**_RISE])


def scale_stops(levels: int) -> list[tuple[float, QColor]]:
    """Return the stops of a gradient: heat and colour."""
    rows = np.column_stack([np.linspace(0, 1, levels), scale(levels)]).tolist()
    return [(share, QColor.fromRgbF(red, green, blue, alpha)) for share, red, green, blue, alpha in rows]


_PLACES: Final = np.array([1 << 24, 1 << 16, 1 << 8, 1], np.uint32)


def _table() -> NDArray[np.uint32]:
    channels = scale()[:, [3, 0, 1, 2]]
    channels[:, 1:] *= channels[:, :1]  # premultiplied
    table: NDArray[np.uint32] = np.rint(255 * channels).astype(np.uint32) @ _PLACES
    return table


_TABLE: Final = _table()


def heat_image(heat: NDArray[np.float32]) -> QImage:
    """Return a map (rows, columns) of 0..1 in the colours of the scale, transparent where the heat is 0."""
    rows, columns = heat.shape
    pixels = np.ascontiguousarray(_TABLE[np.rint(heat * (_LEVELS - 1)).astype(np.intp)])
    return QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32_Premultiplied).copy()
