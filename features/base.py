"""What a descriptor is (global, local, fitted to a library), and the key that identifies what it computes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from focal_photos.features.decoding.image import WorkingImage

Distance = Literal["l1", "l2", "chi2", "cosine"]
"""How the source of a descriptor compares two vectors; chi2 is ``sum((a - b)**2 / (a + b))``."""


Kind = Literal["global", "words", "fisher", "reduction", "network", "signs", "local"]
"""One vector a photo: of Focal's own, a bag of learned words, a Fisher vector, principal components of another one, a
network of the user's. One code of bits a photo. Vectors at points of a photo."""

Subject = Literal["color", "texture", "shape", "other"]
"""What in a photo a descriptor is about: the heading under which a person finds it."""


class NotFittedError(ValueError):
    """A descriptor with a fitted part was used before it was fitted."""


@dataclass(frozen=True, order=True)
class DescriptorKey:
    """Identity of a descriptor's output: equal keys mean interchangeable arrays.

    Attributes
    ----------
    name : str
        Name in the table of descriptors, e.g. ``"gabor"``.
    version : int
        Raised whenever the code changes its output.
    digest : str
        First 8 hexadecimal digits of the SHA-256 of the parameters (and of a fitted state, where there is
        one).
    """

    name: str
    version: int
    digest: str

    def __str__(self) -> str:
        """Return the key as a file name, e.g. ``gabor-1-0f3a9c21``."""
        return f"{self.name}-{self.version}-{self.digest}"


class FittedState:
    """Arrays that a descriptor learned, with a digest; two states are equal if their digests are.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Copied, and read-only from then on.
    """

    def __init__(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        self.arrays: dict[str, NDArray[np.generic]] = {}
        state = hashlib.sha256()
        for name in sorted(arrays):
            array = np.array(arrays[name], order="C")
            array.setflags(write=False)
            self.arrays[name] = array
            state.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
            state.update(array.reshape(-1).view(np.uint8).data)  # in place: a copy would keep the interpreter
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
    """What global and local descriptors share. Subclasses are frozen dataclasses whose fields are the parameters.

    Attributes
    ----------
    name, title : str
        Name in the table, and what a person reads.
    summary : str
        What it is, in one line without a full stop.
    source : str
        Author and year of the paper whose features these are; empty if there is none.
    kind : {"global", "words", "fisher", "reduction", "network", "signs", "local"}
    subject : {"color", "texture", "shape", "other"}
    is_reduction : bool
        True where it holds principal components of another descriptor: as a family it would speak twice.
    version : int
        Raised whenever the code changes its output.
    """

    kind: ClassVar[Kind]
    subject: ClassVar[Subject] = "other"
    is_reduction: ClassVar[bool] = False
    version: ClassVar[int]

    @property
    @abstractmethod
    def name(self) -> str:
        """Name in the table: lower case letters, digits and underscores."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What a person reads."""

    @property
    def summary(self) -> str:
        """What it is, in one line without a full stop; empty if there is nothing to say."""
        return ""

    @property
    def source(self) -> str:
        """Author and year of the paper whose features these are; empty if there is none."""
        return ""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Length d of a vector."""

    @property
    def key(self) -> DescriptorKey:
        """Name, version and digest of the parameters and of the fitted state."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        parameters = json.dumps(values, sort_keys=True, default=_identity)
        return DescriptorKey(self.name, self.version, hashlib.sha256(parameters.encode()).hexdigest()[:8])


@dataclass(frozen=True)
class GlobalDescriptor(Descriptor):
    """One vector a photo.

    Attributes
    ----------
    is_count : bool
        True where values are shares or counts (histograms): learners take square roots of these first.
    is_scaled : bool
        True where values are on one scale already (principal components): learners do not divide them by their
        deviations.
    components_in_space : int
        Principal components that make its part of the space in which photos are ranked.
    weight_in_space : float
        How much its squared distances count there beside those of others.
    distance : {"l1", "l2", "chi2", "cosine"}
        How the source of the descriptor compares two vectors.
    """

    kind: ClassVar[Kind] = "global"
    is_count: ClassVar[bool] = False
    is_scaled: ClassVar[bool] = False
    components_in_space: ClassVar[int] = 32
    distance: ClassVar[Distance] = "l2"

    @property
    def weight_in_space(self) -> float:
        """How much its squared distances count in the space beside those of others (ALGORITHMS.md, 12.6)."""
        return 1.0

    @property
    def needs_color(self) -> bool:
        """Whether it says little of photos without colours, where others tell dark from bright as well."""
        return self.subject == "color"

    def without_color(self, vectors: NDArray[np.float32]) -> NDArray[np.bool_] | None:  # noqa: ARG002
        """Return which photos have no colours, by their vectors.

        Parameters
        ----------
        vectors : ndarray of float32, shape (n, dimension)

        Returns
        -------
        ndarray of bool, shape (n,), or None
            None where such vectors do not tell.
        """
        return None

    @abstractmethod
    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one decoded photo.

        Parameters
        ----------
        image : WorkingImage
            The decoded photo; its pixels are not changed. What several descriptors need is kept in it (see
            `WorkingImage.cached`).

        Returns
        -------
        ndarray of float32, shape (dimension,)
            Finite values, the same for the same pixels; an array of its own, C-contiguous.

        Raises
        ------
        NotFittedError
            The descriptor has a fitted part and is not fitted.
        """


@dataclass(frozen=True)
class CodeDescriptor(Descriptor):
    """One code of bits a photo, packed: too long for a space, and compared by how many bits agree.

    It is computed from all vectors of a local descriptor, and `dimension` counts its bytes.
    """

    kind: ClassVar[Kind] = "signs"

    @property
    @abstractmethod
    def computed_from(self) -> LocalDescriptor:
        """The local descriptor whose vectors are all that a photo's code needs."""

    @abstractmethod
    def extract(self, image: WorkingImage) -> NDArray[np.uint8]:
        """Describe one decoded photo: uint8 (dimension,), the same for the same pixels. See `GlobalDescriptor.extract`.

        Raises
        ------
        NotFittedError
        """

    @abstractmethod
    def from_local(self, vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Return the code of a photo, to the last bit that of `extract`, from all its vectors of `computed_from`.

        Parameters
        ----------
        vectors : ndarray of float32, shape (n, computed_from.dimension)

        Returns
        -------
        ndarray of uint8, shape (dimension,)

        Raises
        ------
        NotFittedError
        """


@dataclass(frozen=True, eq=False)
class LocalFeatures:
    """What a local descriptor finds in one photo.

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
        """Describe points of one decoded photo; the same for the same pixels. See `GlobalDescriptor.extract`."""


class Fitted(ABC):
    """A descriptor with a part that is learned from photos: a vocabulary, principal axes. Mixed into a descriptor.

    The subclass is a frozen dataclass with a field ``state: FittedState | None = None``. The descriptor in the table
    has none; `fit` returns a copy that has. The state belongs to the key.
    """

    state: FittedState | None

    @property
    @abstractmethod
    def learned_from(self) -> GlobalDescriptor | LocalDescriptor:
        """The descriptor whose vectors the part is learned from; without a fitted part of its own."""

    @abstractmethod
    def fit(self, samples: Sequence[NDArray[np.float32]], *, seed: int = 0) -> Self:
        """Learn the part.

        Parameters
        ----------
        samples : sequence of ndarray of float32, each of shape (r, learned_from.dimension)
            What `learned_from` gives for a sample of photos, one array a photo: r = 1 for a global descriptor, any
            r >= 0 for a local one.
        seed : int
            Equal samples and seeds give equal states.

        Returns
        -------
        descriptor
            A copy with a state. However little there is to learn from (no rows at all, fewer rows than words),
            `dimension` stays what the table says and `extract` works.
        """

    @property
    def computed_from(self) -> LocalDescriptor | None:
        """The local descriptor whose vectors are all that a photo's vector needs; None if it needs the photo."""
        return None

    def from_local(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the vector of a photo, to the last bit that of `extract`, from all its vectors of `computed_from`.

        Parameters
        ----------
        vectors : ndarray of float32, shape (n, computed_from.dimension)

        Returns
        -------
        ndarray of float32, shape (dimension,)

        Raises
        ------
        NotFittedError
        TypeError
            There is no `computed_from`.
        """
        raise TypeError(f"{type(self).__name__} needs the photo itself, not {vectors.shape} local vectors.")

    def with_state(self, state: FittedState) -> Self:
        """Return a copy with a state that was kept."""
        return dataclasses.replace(self, state=state)  # type: ignore[type-var]

    @property
    def is_fitted(self) -> bool:
        """Whether it can be used."""
        return self.state is not None

    def fitted_state(self) -> FittedState:
        """Return the state, or raise `NotFittedError`."""
        if self.state is None:
            raise NotFittedError(f"{type(self).__name__} is not fitted yet: call fit with a sample first.")
        return self.state


def _identity(value: object) -> str:
    if isinstance(value, FittedState):
        return value.digest
    if isinstance(value, Descriptor):
        return str(value.key)
    raise TypeError(f"{type(value).__name__} cannot be a parameter of a descriptor.")
