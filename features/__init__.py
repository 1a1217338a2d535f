"""Pixels in, float32 arrays out: decoding a photo, and the descriptors of what it looks like."""

from typing import Final

from features.base import DescriptorKey, GlobalDescriptor
from features.color_coherence import ColorCoherence
from features.color_moments import ColorMoments
from features.gabor import Gabor

DESCRIPTORS: Final[dict[str, GlobalDescriptor]] = {
    descriptor.name: descriptor for descriptor in (ColorMoments(), ColorCoherence(), Gabor())
}
"""All global descriptors by name, with the parameters that Focal uses."""

__all__ = ["DESCRIPTORS", "DescriptorKey", "GlobalDescriptor"]
