# SPDX-License-Identifier: MIT
"""Bags of visual words: counts of the kinds of local patterns in a photo."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import Distance, Fitted, FittedState, GlobalDescriptor, Kind, LocalDescriptor
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.clustering import draw, kmeans, nearest

SAMPLED_VECTORS = 50_000
"""Maximum number of local vectors for fitting a vocabulary, drawn from the whole sample (doubling it brings the words
1 % closer)."""


@dataclass(frozen=True)
class VisualWords(Fitted, GlobalDescriptor):
    """Square roots of counts of the words of a learned vocabulary, weighted by rarity, with unit length.

    The vocabulary consists of the k-means centres of local vectors drawn from the sample. A word that occurs in df of
    the sample's N photos has the weight ``log((1 + N) / (1 + df)) + 1`` (smoothed, so that words in all or no photos
    have finite weights, and a sample of one photo does not give zeros). A photo without points has the zero vector.
    Columns beyond the fitted vocabulary are zero.

    Parameters
    ----------
    local : LocalDescriptor
        Source of the vectors; its key is part of this one's.
    words : int
        Size of the vocabulary.
    state : FittedState, optional
        ``words`` (k, local.dimension) and ``weights`` (k,), both float32, k <= `words`.

    References
    ----------
    J. Sivic and A. Zisserman, "Video Google: a text retrieval approach to object matching in videos", ICCV 2003,
    section 4: TF-IDF and the cosine. H. Jegou, M. Douze and C. Schmid, "On the burstiness of visual elements", CVPR
    2009, section 3.2: the square roots, because repetitions of a pattern are less and less informative (precision at
    20, ORB and 1000 words, Caltech-101: .25 without, .28 with them).

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> from focal_photos.features.local.sift import Sift
    >>> noise = np.random.default_rng(0).integers(0, 256, (12, 16, 3), dtype=np.uint8)
    >>> image = WorkingImage.from_array(noise.repeat(8, axis=0).repeat(8, axis=1))
    >>> words = VisualWords(Sift(), 5).fit([Sift().extract(image).vectors])
    >>> vector = words.extract(image)
    >>> vector.shape
    (5,)
    >>> np.linalg.norm(vector).round(3)
    np.float32(1.0)
    """

    local: LocalDescriptor
    words: int
    state: FittedState | None = None

    kind: ClassVar[Kind] = "words"
    source: ClassVar[str] = "Xia et al. 2013"
    distance: ClassVar[Distance] = "cosine"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.words < 1:
            raise ValueError(f"A vocabulary needs at least 1 word, not {self.words}.")

    @property
    def name(self) -> str:
        """Name in the table, e.g. ``sift_words_200``."""
        return f"{self.local.name}_words_{self.words}"

    @property
    def title(self) -> str:
        """Name shown to the user."""
        return f"{self.local.title}, {self.words} words"

    @property
    def summary(self) -> str:
        """Description shown to the user, in one line."""
        return f"A bag of {self.words:,} visual words of {self.local.title}, learned from your own photos"

    @property
    def dimension(self) -> int:
        """Length d of the vector: the number of words."""
        return self.words

    @property
    def learned_from(self) -> LocalDescriptor:
        """The local descriptor."""
        return self.local

    @property
    def computed_from(self) -> tuple[LocalDescriptor, ...]:
        """The local descriptor."""
        return (self.local,)

    def fit(self, samples: Sequence[NDArray[np.float32]], *, seed: int = 0) -> Self:
        """Fit the vocabulary and the weights; see `Fitted.fit`."""
        rng = np.random.default_rng(seed)
        rows = draw(samples, SAMPLED_VECTORS, self.local.dimension, rng)
        words = kmeans(rows, self.words, rng)
        photos = np.zeros(len(words), np.intp)
        if len(words):
            for vectors in samples:
                photos[np.unique(nearest(vectors, words))] += 1
        weights = np.log((1 + len(samples)) / (1 + photos)) + 1
        return dataclasses.replace(self, state=FittedState({"words": words, "weights": weights.astype(np.float32)}))

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`. Values are in 0..1."""
        state = self.fitted_state()
        found = self.local.of(image).vectors
        bag = np.zeros(self.words, np.float32)
        words, weights = np.asarray(state["words"], np.float32), np.asarray(state["weights"], np.float32)
        if len(words) and len(found):
            counts = np.bincount(nearest(found, words), minlength=len(words))
            weighted = np.sqrt(counts) * weights
            bag[: len(words)] = weighted / np.linalg.norm(weighted)
        return bag
