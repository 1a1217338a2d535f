# SPDX-License-Identifier: MIT
"""Base classes of descriptors (global, local, fitted to a library), and the key that identifies their output."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage

Distance = Literal["l1", "l2", "chi2", "cosine"]
"""Distance between vectors in the source of a descriptor; chi2 is ``sum((a - b)**2 / (a + b))``."""


Kind = Literal["global", "words", "fisher", "reduction", "network", "signs", "windows", "local"]
"""Kind of a descriptor. One vector per photo: Focal's own ("global"), a bag of learned words, a Fisher vector,
principal components of another descriptor, a network of the user. One code per photo: of bits ("signs"), or of parts of
the photo ("windows"). Vectors at points of a photo: "local"."""

Subject = Literal["color", "texture", "shape", "other"]
"""Aspect of a photo that a descriptor covers, used as a heading in the window."""


class NotFittedError(ValueError):
    """A descriptor with a fitted part is used before it is fitted."""


@dataclass(frozen=True, order=True)
class DescriptorKey:
    """Identity of a descriptor's output: equal keys mean interchangeable arrays."""

    name: str
    """Name in the table of descriptors, e.g. ``"gabor"``."""
    version: int
    """Incremented whenever the code changes the output."""
    digest: str
    """First 8 hexadecimal digits of the SHA-256 of the parameters and the fitted state, if any."""

    def __str__(self) -> str:
        """Return the key as a file name, e.g. ``gabor-1-0f3a9c21``."""
        return f"{self.name}-{self.version}-{self.digest}"


class FittedState:
    """Arrays learned by a descriptor, with a digest; two states are equal if their digests are.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Arrays to copy; the copies are read-only.
    """

    def __init__(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        self.arrays: dict[str, NDArray[np.generic]] = {}
        state = hashlib.sha256()
        for name in sorted(arrays):
            array = np.array(arrays[name], order="C")
            array.setflags(write=False)
            self.arrays[name] = array
            state.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
            state.update(array.reshape(-1).view(np.uint8).data)  # in place: a copy holds the interpreter lock
        self.digest: str = state.hexdigest()

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        return self.arrays[name]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FittedState) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"FittedState({', '.join(self.arrays)}; {self.digest[:8]})"

    def __reduce__(self) -> tuple[type[FittedState], tuple[dict[str, NDArray[np.generic]]]]:
        return type(self), (self.arrays,)


@dataclass(frozen=True)
class Descriptor(ABC):
    """Base of global and local descriptors. Subclasses are frozen dataclasses whose fields are the parameters.

    Attributes
    ----------
    name, title : str
        Name in the table, and name shown to the user.
    summary : str
        Description in one line, without a full stop.
    source : str
        Author and year of the paper that describes the features; empty if there is none.
    """

    kind: ClassVar[Kind]
    subject: ClassVar[Subject] = "other"
    is_reduction: ClassVar[bool] = False
    """True if it holds principal components of another descriptor, which would count twice as a family."""
    version: ClassVar[int]
    """Incremented whenever the code changes the output."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name in the table: lower case letters, digits and underscores."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Name shown to the user."""

    @property
    def summary(self) -> str:
        """Description in one line, without a full stop; may be empty."""
        return ""

    @property
    def source(self) -> str:
        """Author and year of the paper that describes the features; empty if there is none."""
        return ""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Length d of a vector."""

    @property
    def computed_from(self) -> tuple[LocalDescriptor, ...]:
        """The local descriptors whose vectors determine its result; none if the photo itself is needed."""
        return ()

    @cached_property
    def key(self) -> DescriptorKey:
        """Name, version and digest of the parameters and of the fitted state."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        parameters = json.dumps(values, sort_keys=True, default=_identity)
        return DescriptorKey(self.name, self.version, hashlib.sha256(parameters.encode()).hexdigest()[:8])


@dataclass(frozen=True)
class GlobalDescriptor(Descriptor):
    """One vector per photo.

    Attributes
    ----------
    is_count : bool
        True if values are shares or counts (histograms); learners first take their square roots.
    is_scaled : bool
        True if the values share one scale already (principal components); learners do not divide them by their
        deviations.
    components_in_space : int
        Number of principal components of its family in the space in which photos are ranked.
    weight_in_space : float
        Weight of its squared distances in that space, relative to other families.
    distance : {"l1", "l2", "chi2", "cosine"}
        Distance between vectors in the source of the descriptor.
    """

    kind: ClassVar[Kind] = "global"
    is_count: ClassVar[bool] = False
    is_scaled: ClassVar[bool] = False
    components_in_space: ClassVar[int] = 32
    distance: ClassVar[Distance] = "l2"

    @property
    def weight_in_space(self) -> float:
        """Weight of its squared distances in the space, relative to other families (ALGORITHMS.md, 12.6)."""
        return 1.0

    def weight_beside(self, others: Collection[GlobalDescriptor], *, foreground: bool) -> float:  # noqa: ARG002
        """Return its weight in the space of a library.

        Parameters
        ----------
        others : collection of GlobalDescriptor
            All descriptors of the space.
        foreground : bool
            Whether the middle of the photos stands out from their borders.
        """
        return self.weight_in_space

    @property
    def needs_color(self) -> bool:
        """Whether it is uninformative for greyscale photos; other descriptors also use brightness."""
        return self.subject == "color"

    def without_color(self, vectors: NDArray[np.float32]) -> NDArray[np.bool_] | None:  # noqa: ARG002
        """Return which photos are greyscale, judged by their vectors.

        Parameters
        ----------
        vectors : ndarray of float32, shape (n, dimension)

        Returns
        -------
        ndarray of bool, shape (n,), or None
            None if the vectors do not show it.
        """
        return None

    def foreground(self, vectors: NDArray[np.float32]) -> float | None:  # noqa: ARG002
        """Return how much the middle of photos stands out from their borders, judged by their vectors.

        Parameters
        ----------
        vectors : ndarray of float32, shape (n, dimension)

        Returns
        -------
        float or None
            1 if the middle looks like the border, more if it differs from the border or is more varied (ALGORITHMS.md,
            12.6). None if the vectors do not show it.
        """
        return None

    def rotated(self, vectors: NDArray[np.float32]) -> NDArray[np.float32] | None:  # noqa: ARG002
        """Return the vectors that photos would have if they were rotated by 90 degrees, counter-clockwise.

        Parameters
        ----------
        vectors : ndarray of float32, shape (n, dimension)
            Vectors of the photos.

        Returns
        -------
        ndarray of float32, shape (n, dimension), or None
            Up to .5 % of the largest value; None if the vectors do not show them.
        """
        return None

    def upside_down(self, vectors: NDArray[np.float32]) -> NDArray[np.float32] | None:  # noqa: ARG002
        """Return the vectors that photos would have if they were rotated by 180 degrees.

        Parameters
        ----------
        vectors : ndarray of float32, shape (n, dimension)
            Vectors of the photos.

        Returns
        -------
        ndarray of float32, shape (n, dimension), or None
            For a comparison of photos, not exact; None if the vectors do not show them.
        """
        return None

    @abstractmethod
    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one decoded photo.

        Parameters
        ----------
        image : WorkingImage
            The decoded photo, whose pixels are not modified. Intermediate results shared by descriptors are cached in
            it (see `WorkingImage.cached`).

        Returns
        -------
        ndarray of float32, shape (dimension,)
            A new C-contiguous array of finite values, deterministic for the pixels.

        Raises
        ------
        NotFittedError
            If the descriptor has a fitted part and is not fitted.
        """

    def from_local(self, *vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the vector of a photo, bit-identical to that of `extract`, from all its vectors of `computed_from`.

        Parameters
        ----------
        *vectors : ndarray of float32, each of shape (n, d)
            Those of each local descriptor.

        Returns
        -------
        ndarray of float32, shape (dimension,)

        Raises
        ------
        NotFittedError
        TypeError
            If there is no `computed_from`.
        """
        if not self.computed_from:
            raise TypeError(f"{type(self).__name__} needs the photo itself, not {len(vectors)} local descriptions.")
        return self.extract(image_of_local(self.computed_from, vectors))

    def of(self, image: WorkingImage) -> NDArray[np.float32]:
        """Return the vector of `extract`, which is computed once per photo; it must not be modified."""
        if self not in image.results:
            image.results[self] = self.extract(image)
        return image.results[self]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class CodeDescriptor(Descriptor):
    """One code of bytes per photo, too long for a space.

    It is computed from all vectors of local descriptors; `dimension` is its length in bytes. Codes of the kind "signs"
    are packed bits, compared by the number of equal ones. Those of the kind "windows" describe parts of a photo.
    """

    kind: ClassVar[Kind] = "signs"

    @abstractmethod
    def of_several(self, images: Collection[WorkingImage]) -> NDArray[np.uint8]:
        """Return the code of one or more photos, as if their points belonged to one photo: uint8 (dimension,).

        Raises
        ------
        NotFittedError
        """

    def extract(self, image: WorkingImage) -> NDArray[np.uint8]:
        """Describe one decoded photo: uint8 (dimension,), deterministic for the pixels. See `GlobalDescriptor.extract`.

        Raises
        ------
        NotFittedError
        """
        return self.of_several([image])

    def from_local(self, *vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Return the code of `extract` from all vectors of the photo; see `GlobalDescriptor.from_local`."""
        return self.extract(image_of_local(self.computed_from, vectors))


@dataclass(frozen=True, eq=False)
class LocalFeatures:
    """Points and vectors of a local descriptor for one photo.

    Attributes
    ----------
    points : ndarray of float32, shape (n, 2)
        x and y in pixels of the working image; n may be 0.
    vectors : ndarray of float32, shape (n, d)
        Finite.
    """

    points: NDArray[np.float32]
    vectors: NDArray[np.float32]

    def __post_init__(self) -> None:
        if self.points.shape != (len(self.vectors), 2) or self.vectors.ndim != 2:
            raise ValueError(f"{self.points.shape} points do not belong to {self.vectors.shape} vectors.")

    def __len__(self) -> int:
        return len(self.vectors)


@dataclass(frozen=True)
class LocalDescriptor(Descriptor):
    """Vectors at points of a photo."""

    kind: ClassVar[Kind] = "local"

    @abstractmethod
    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe points of one decoded photo, deterministic for the pixels. See `GlobalDescriptor.extract`."""

    def of(self, image: WorkingImage) -> LocalFeatures:
        """Return the features of `extract`, which are computed once per photo; they must not be modified."""
        if self not in image.results:
            image.results[self] = self.extract(image)
        return image.results[self]  # type: ignore[no-any-return]


def image_of_local(locals_: Sequence[LocalDescriptor], vectors: Sequence[NDArray[np.float32]]) -> WorkingImage:
    """Return a photo of which only the vectors of some local descriptors are known, for descriptors computed from them.

    Parameters
    ----------
    locals_ : sequence of LocalDescriptor
    vectors : sequence of ndarray of float32, each of shape (n, d)
        All vectors of each local descriptor.
    """
    image = WorkingImage.from_array(np.zeros((1, 1, 3), np.uint8))
    for local, found in zip(locals_, vectors, strict=True):
        image.results[local] = LocalFeatures(np.zeros((len(found), 2), np.float32), found)
    return image


class Fitted(ABC):
    """Mixin of descriptors with a part that is fitted to photos, such as a vocabulary or principal axes.

    The subclass is a frozen dataclass with a field ``state: FittedState | None = None``. The descriptor in the table
    has no state; `fit` returns a copy with one. The state is part of the key.
    """

    state: FittedState | None

    @property
    @abstractmethod
    def learned_from(self) -> GlobalDescriptor | LocalDescriptor:
        """The descriptor, without a fitted part, to whose vectors the part is fitted."""

    @abstractmethod
    def fit(self, samples: Sequence[NDArray[np.float32]], *, seed: int = 0) -> Self:
        """Fit to a sample of photos.

        Parameters
        ----------
        samples : sequence of ndarray of float32, each of shape (r, learned_from.dimension)
            Output of `learned_from` for a sample of photos, one array per photo: r = 1 for a global descriptor, any r
            >= 0 for a local one.
        seed : int
            Equal samples and seeds give equal states.

        Returns
        -------
        descriptor
            A copy with a state. However small the sample is (no rows at all, fewer rows than words), `dimension`
            remains that of the table, and `extract` works.
        """

    def with_state(self, state: FittedState) -> Self:
        """Return a copy with a saved state."""
        return dataclasses.replace(self, state=state)  # type: ignore[type-var]

    @property
    def is_fitted(self) -> bool:
        """Whether the descriptor has a fitted state."""
        return self.state is not None

    def fitted_state(self) -> FittedState:
        """Return the state, or raise `NotFittedError`."""
        if self.state is None:
            raise NotFittedError(f"{type(self).__name__} is not fitted yet: call fit with a sample first.")
        return self.state


def _identity(value: object) -> str:
    """Return the text by which the key of a descriptor names a state or another descriptor."""
    if isinstance(value, FittedState):
        return value.digest
    if isinstance(value, Descriptor):
        return str(value.key)
    raise TypeError(f"{type(value).__name__} cannot be a parameter of a descriptor.")
