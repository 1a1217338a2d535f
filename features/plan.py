"""What is worked out for each photo, and within which limits: it travels to the processes that do it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from features.base import Fitted, GlobalDescriptor, LocalDescriptor, NotFittedError
from features.decoding.image import DecodeLimits


@dataclass(frozen=True)
class Plan:
    """Which descriptors a photo gets, and how it is decoded for all of them at once.

    Attributes
    ----------
    descriptors : tuple of GlobalDescriptor or LocalDescriptor
        Of different names, each ready to use: where a part is learned, it is there.
    limits : DecodeLimits
        What is refused before decoding.
    thumbnail_side : int or None
        Longest side of the thumbnail in pixels; None for none.
    seconds_per_photo : float
        After so long a photo is given up: its decoder is taken to hang.

    Raises
    ------
    ValueError
        Two descriptors share a name.
    NotFittedError
        A descriptor lacks the part that it learns.
    """

    descriptors: tuple[GlobalDescriptor | LocalDescriptor, ...] = ()
    limits: DecodeLimits = field(default_factory=DecodeLimits)
    thumbnail_side: int | None = 256
    seconds_per_photo: float = 60.0

    def __post_init__(self) -> None:
        names = [descriptor.name for descriptor in self.descriptors]
        if len(set(names)) < len(names):
            raise ValueError(f"A plan names each descriptor once, not {', '.join(sorted(names))}.")
        for descriptor in self.descriptors:
            if isinstance(descriptor, Fitted) and not descriptor.is_fitted:
                raise NotFittedError(f"The descriptor {descriptor.name} is not learned yet.")

    @cached_property
    def by_name(self) -> dict[str, GlobalDescriptor | LocalDescriptor]:
        """The descriptors by their names, in their order."""
        return {descriptor.name: descriptor for descriptor in self.descriptors}

    @property
    def global_descriptors(self) -> tuple[GlobalDescriptor, ...]:
        """Those that give one vector a photo."""
        return tuple(d for d in self.descriptors if isinstance(d, GlobalDescriptor))

    @property
    def local_descriptors(self) -> tuple[LocalDescriptor, ...]:
        """Those that give vectors at points."""
        return tuple(d for d in self.descriptors if isinstance(d, LocalDescriptor))
