# SPDX-License-Identifier: MIT
"""Descriptors that do not change if a photo is rotated by 90, 180 or 270 degrees, made from those that do."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import CodeDescriptor, Descriptor, GlobalDescriptor, LocalDescriptor
from focal_photos.features.decoding.image import WorkingImage

_SHARED: Final = (
    *("kind", "subject", "version", "is_reduction", "is_count", "is_scaled", "components_in_space", "distance"),
)


class _OfBase(Descriptor):
    """A descriptor with the names and the dimension of another, its base."""

    base: Descriptor

    @property
    def name(self) -> str:
        """Name of the base."""
        return self.base.name

    @property
    def title(self) -> str:
        """Title of the base."""
        return self.base.title

    @property
    def summary(self) -> str:
        """Summary of the base."""
        return self.base.summary

    @property
    def source(self) -> str:
        """Source of the base."""
        return self.base.source

    @property
    def dimension(self) -> int:
        """Length of the vector, or of a code in bytes."""
        return self.base.dimension


@dataclass(frozen=True)
class AnyRotation(_OfBase, GlobalDescriptor):
    """Mean of the vectors of a photo and its three rotated copies, for photos that have no "up".

    The vectors are those of `base`, as it computes them for `WorkingImage.rotations`; all other attributes are its
    own (ALGORITHMS.md, 12.8).

    Parameters
    ----------
    base : GlobalDescriptor
        Fitted, if it has a fitted part.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> from focal_photos.features.texture.edge_directions import EdgeDirections
    >>> pixels = np.zeros((40, 60, 3), np.uint8)
    >>> pixels[:, 30:] = 200  # an upright edge, from dark on the left to bright on the right
    >>> vector = AnyRotation(EdgeDirections()).extract(WorkingImage.from_array(pixels))
    >>> np.flatnonzero(vector).tolist()  # four directions, and no edge
    [0, 9, 18, 27, 36]
    """

    base: GlobalDescriptor

    def __post_init__(self) -> None:
        for name in _SHARED:
            object.__setattr__(self, name, getattr(self.base, name))

    @property
    def weight_in_space(self) -> float:
        """Weight of the base."""
        return self.base.weight_in_space

    @property
    def needs_color(self) -> bool:
        """Whether the base is uninformative for greyscale photos."""
        return self.base.needs_color

    def weight_beside(self, others: Collection[GlobalDescriptor], *, foreground: bool) -> float:
        """Return the weight of the base beside those of the others; see `GlobalDescriptor.weight_beside`."""
        bases = [one.base if isinstance(one, AnyRotation) else one for one in others]
        return self.base.weight_beside(bases, foreground=foreground)

    def without_color(self, vectors: NDArray[np.float32]) -> NDArray[np.bool_] | None:
        """Return which photos are greyscale; see `GlobalDescriptor.without_color`."""
        return self.base.without_color(vectors)

    def foreground(self, vectors: NDArray[np.float32]) -> float | None:
        """Return how much the middle stands out from the borders; see `GlobalDescriptor.foreground`."""
        return self.base.foreground(vectors)

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`."""
        vectors = [self.base.of(image)]
        while len(vectors) < 4 and (rotated := self.base.rotated(vectors[-1][None])) is not None:
            vectors.append(rotated[0])
        if len(vectors) < 4:
            vectors = [self.base.of(one) for one in image.rotations()]
        return np.asarray(np.mean(vectors, axis=0, dtype=np.float64), np.float32)


@dataclass(frozen=True)
class AnyRotationCode(_OfBase, CodeDescriptor):
    """Code of a photo and its three rotated copies together; see `AnyRotation` and `CodeDescriptor.of_several`.

    Parameters
    ----------
    base : CodeDescriptor
        Fitted, if it has a fitted part.
    """

    base: CodeDescriptor

    def __post_init__(self) -> None:
        object.__setattr__(self, "version", self.base.version)

    def of_several(self, images: Collection[WorkingImage]) -> NDArray[np.uint8]:
        """Return the code of several photos together; see `CodeDescriptor.of_several`."""
        return self.base.of_several([one for image in images for one in image.rotations()])


def in_any_rotation(
    descriptor: GlobalDescriptor | CodeDescriptor | LocalDescriptor,
) -> GlobalDescriptor | CodeDescriptor | LocalDescriptor:
    """Return the form of a descriptor that ignores rotation; others than these are returned unchanged.

    Local descriptors, networks and windows depend on the rotation.
    """
    if isinstance(descriptor, CodeDescriptor) and descriptor.kind != "windows":
        return AnyRotationCode(descriptor)
    if isinstance(descriptor, GlobalDescriptor) and descriptor.kind != "network":
        return AnyRotation(descriptor)
    return descriptor
