# SPDX-License-Identifier: MIT
"""All descriptors by name, with the parameters used by Focal, and the defaults of a new library."""

from typing import Final

from focal_photos.features.base import CodeDescriptor, GlobalDescriptor, LocalDescriptor
from focal_photos.features.color.color_coherence import ColorCoherence
from focal_photos.features.color.color_edge_texture import ColorEdgeTexture
from focal_photos.features.color.color_histogram import ColorHistogram
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.fitted.fisher_signs import FisherSigns
from focal_photos.features.fitted.fisher_vectors import FisherVector
from focal_photos.features.fitted.fisher_windows import FisherWindows
from focal_photos.features.fitted.principal_components import PrincipalComponents, ReducedPatches
from focal_photos.features.fitted.salient_fisher import SalientFisherVector
from focal_photos.features.fitted.visual_words import VisualWords
from focal_photos.features.local.color_patches import ColorPatches
from focal_photos.features.local.dense_color import DenseColor
from focal_photos.features.local.dense_sift import DenseSift
from focal_photos.features.local.geometric_blur import GeometricBlur
from focal_photos.features.local.orb import Orb
from focal_photos.features.local.sift import Sift
from focal_photos.features.texture.edge_directions import EdgeDirections
from focal_photos.features.texture.gabor import Gabor, GaborStatistics
from focal_photos.features.texture.gist import Gist
from focal_photos.features.texture.lbp import Lbp

_WORD_DESCRIPTORS: Final = tuple(VisualWords(local, words) for local in (Sift(), Orb()) for words in (200, 1000))
_FISHER: Final = (FisherVector(DenseSift()), FisherVector(DenseColor(), local_axes=48))
_REDUCED_TO_50: Final = (ColorHistogram(), EdgeDirections(), GaborStatistics(), Lbp(), Gist(), *_WORD_DESCRIPTORS)

DESCRIPTORS: Final[dict[str, GlobalDescriptor]] = {
    descriptor.name: descriptor
    for descriptor in (
        ColorMoments(),
        ColorCoherence(),
        Gabor(),
        ColorHistogram(),
        ColorEdgeTexture(),
        EdgeDirections(),
        GaborStatistics(),
        Lbp(),
        Gist(),
        *_WORD_DESCRIPTORS,
        *_FISHER,
        *map(SalientFisherVector, _FISHER),
        PrincipalComponents(ColorCoherence(), 60),
        PrincipalComponents(Gabor(), 200),
        *(PrincipalComponents(base, 50) for base in _REDUCED_TO_50),
    )
}
"""All global descriptors by name, with the parameters used by Focal."""

LOCATION: Final = 0.7
"""Weight of a patch's position in the photo, for local distances.

Chosen on training photos of Caltech-101 (51 classes, 10 photos to train, 5 to test): both shapes recognize 60 % with 0
and 66 % with 0.7; large shapes alone 58 with 0, 60 with 0.4, 65 with 0.7, 64 with 1.2. On Corel-5k, where objects may
be anywhere, it has no effect.
"""

_LOCAL: Final[tuple[LocalDescriptor, ...]] = (
    GeometricBlur(),
    GeometricBlur(42.0),
    ColorPatches(),
    Sift(),
    Orb(),
    ReducedPatches(GeometricBlur(), 32, LOCATION),
    ReducedPatches(GeometricBlur(42.0), 32, LOCATION),
    ReducedPatches(ColorPatches(), 24, LOCATION),
)
LOCAL_DESCRIPTORS: Final[dict[str, LocalDescriptor]] = {descriptor.name: descriptor for descriptor in _LOCAL}
"""All local descriptors by name."""

CODE_DESCRIPTORS: Final[dict[str, CodeDescriptor]] = {
    one.name: one for one in (*map(FisherSigns, _FISHER), FisherWindows(*_FISHER))
}
"""All code descriptors by name."""


STANDARD: Final = (
    "color_moments",
    "color_coherence",
    "gabor",
    "edge_directions",
    "lbp",
    "gist",
    "dense_sift_fisher",
    "dense_color_fisher",
    "dense_sift_salient",
    "dense_color_salient",
)
"""Descriptors enabled in a new library: each improves rankings of both kinds of photo sets, travel photos and objects.

Together they rank better than the first three alone (1-NN on Caltech-101 .44 against .32, precision@20 on Corel-5k .279
against .264, after learning from 300 + 300 pairs .325 against .299; measured with SIFT words, since replaced by the
Fisher vectors, which rank better and cost less). A second vocabulary size, statistics of a family that is included in
full, and ORB words (which hurt on small photos) add nothing to these. Without color_edge_texture, which was standard
earlier and costs 2 decodings per photo, rankings are as good or better (ALGORITHMS.md, 12.6).
"""

HALF_PRECISION: Final = frozenset({*STANDARD, "color_edge_texture"})
"""Descriptors whose vectors are stored with 16 bits per number: those of new libraries, now and earlier."""

STANDARD_CODES: Final = ("dense_sift_signs", "dense_color_signs")
"""Code descriptors enabled in a new library: not used in rankings, but they improve suggestions."""
