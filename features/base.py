"""What a global descriptor is, and the key that identifies what it computes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from features.image import WorkingImage


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


@dataclass(frozen=True)
class GlobalDescriptor(ABC):
    """One vector a photo. Subclasses are frozen dataclasses whose fields are the parameters.

    Attributes
    ----------
    name, title : str
        Name in the table, and what a person reads.
    version : int
        Raised whenever the code changes its output.
    is_count : bool
        True where values are shares or counts (histograms): learners take square roots of these first.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    is_count: ClassVar[bool] = False

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Length d of the vector."""

    @abstractmethod
    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one decoded photo.

        Parameters
        ----------
        image : WorkingImage
            The decoded photo; it is not changed.

        Returns
        -------
        ndarray of float32, shape (dimension,)
            Finite values, the same for the same pixels.
        """

    @property
    def key(self) -> DescriptorKey:
        """Name, version and digest of the parameters."""
        parameters = json.dumps(dataclasses.asdict(self), sort_keys=True)
        digest = hashlib.sha256(parameters.encode()).hexdigest()[:8]
        return DescriptorKey(self.name, self.version, digest)
