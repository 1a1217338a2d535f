# SPDX-License-Identifier: MIT
"""Simulated sessions of Review as arrays: the resulting tags, correct and wrong, and all confidences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.features.table import STANDARD
from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence, typical_temperature
from focal_photos.learners.tags.tag_ridge import TagRidge, TagScores
from tests.benchmarks.common.described_photos import CACHE, Described, described
from tests.benchmarks.common.photo_sets import Floats

SETS: Final = {
    "Corel-5k": "corel5k",
    "Caltech-101": "caltech101",
    "Corel-5k, several tags": "corel5k",
    "Corel-5k, stopped early": "corel5k",
    "Caltech-101, stopped early": "caltech101",
}
"""Folders of the photo sets by the title of the sessions.

With "several tags", photos have the tags of the set instead of their kind. In a session "stopped early", the user has
looked at proposals at most once.
"""

KINDS: Final = {1000: 10, 2500: 25, 5000: 50}
"""Number of kinds by the number of photos in a session."""

_ROWS: Final = 1000  # maximum number of tagged photos for training
_FIRST: Final = 5  # photos per kind tagged before the first round
_FIRST_OF_SEVERAL: Final = 0.3  # the same for several tags: share of all photos
_CARRIERS: Final = 10  # minimum number of photos of a tag, for several tags
_SHOWN: Final = 0.05  # minimum confidence of photos seen by the user in a round


@dataclass(frozen=True, eq=False)
class ReviewedSession:
    """Result of a session of Review."""

    confidence: NDArray[np.float32]
    """Confidence of each photo and tag, 0..1, with tagged photos left out; shape (n, m)."""
    carried: NDArray[np.bool_]
    truth: NDArray[np.bool_]
    """`carried` and `truth`: tags that photos have, and tags that they should have; shape (n, m)."""
    exclusive: bool
    """Whether each photo has at most one tag."""


class Sessions:
    """Sessions on one photo set; each is simulated once and cached."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.several, self.early = "several" in title, "early" in title
        self._photos: tuple[Described, Floats] | None = None

    def session(self, photos: int, seed: int) -> ReviewedSession | None:
        """Return a session with a number of photos, or None if the photo set is missing."""
        file = self.file(photos, seed)
        if not file.exists():
            drawn = self._drawn(photos, seed)
            found = None if drawn is None else self._reviewed(*drawn)
            if found is None:
                return None
            _save(file, found)
        with np.load(file) as kept:
            return ReviewedSession(kept["confidence"], kept["carried"], kept["truth"], bool(kept["exclusive"]))

    def file(self, photos: int, seed: int) -> Path:
        """Return the path of a cached session."""
        kind = "-several" * self.several + "-early" * self.early
        name = f"{SETS[self.title]}{kind}-{photos}-{seed}"
        return CACHE / "reviewed-sessions" / f"{name}.npz"

    def learned(self, photos: int, seed: int, carried: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the confidences of a session after a change of its tags."""
        drawn = self._drawn(photos, seed)
        assert drawn is not None
        return self._confidence(drawn[0], carried, np.random.default_rng(seed))

    def _drawn(self, photos: int, seed: int) -> tuple[Floats, NDArray[np.bool_], np.random.Generator] | None:
        """Return the vectors of the photos of a session and their tags, or None if the photo set is missing."""
        if self._photos is None:
            found = described(SETS[self.title], STANDARD)
            if found is None:
                return None
            space, X = found.space(np.arange(len(found.classes)), STANDARD, wide=True)
            self._families, self._photos = space.families_, (found, X)
        found, X = self._photos
        rng = np.random.default_rng([seed, photos])
        if self.several:
            assert found.tags is not None
            rows = rng.permutation(len(found.classes))[:photos]
            truth = found.tags[rows].toarray() > 0
            truth = truth[:, truth.sum(axis=0) >= _CARRIERS]
        else:
            rows, truth = _kinds(found, photos, rng)
        return X[rows], truth, rng

    def _reviewed(self, X: Floats, truth: NDArray[np.bool_], rng: np.random.Generator) -> ReviewedSession:
        """Tag in two to six rounds (stopped early: at most one), with a user who overlooks some of the errors."""
        overlooked, rounds = rng.uniform(0.0, 0.3), int(rng.integers(0, 2) if self.early else rng.integers(2, 7))
        carried = np.zeros_like(truth)
        if self.several:
            first = rng.permutation(len(truth))[: int(_FIRST_OF_SEVERAL * len(truth))]
        else:
            first = np.concatenate([rng.permutation(np.flatnonzero(column))[:_FIRST] for column in truth.T])
        carried[first] = truth[first]
        confidence = self._confidence(X, carried, rng)
        for _ in range(rounds):
            open_ = ~carried if self.several else ~carried.any(axis=1, keepdims=True) & _best(confidence)
            seen = open_ & (confidence >= _SHOWN)
            proposed = seen & (confidence >= 0.5)
            noticed = rng.random(truth.shape) >= overlooked
            carried |= np.where(proposed, truth | ~noticed, seen & truth & noticed)
            confidence = self._confidence(X, carried, rng)
        return ReviewedSession(confidence, carried, truth, not self.several)

    def _confidence(self, X: Floats, carried: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the confidence of all tags of all photos; tagged photos used for training are left out."""
        tagged = np.flatnonzero(carried.any(axis=1))
        learned = np.sort(rng.permutation(tagged)[:_ROWS])
        tags = sp.csr_array(carried[learned].astype(np.float64))
        ridge = TagRidge(exact=_ROWS, families=self._families).fit(X[learned], tags)
        scores = ridge.scores(X)
        untagged = np.flatnonzero(~carried.any(axis=1))
        sure = TagConfidence(typical_temperature(ridge)).fit(
            ridge.left_out_,
            tags,
            kinds=ridge.kind_left_out_,
            untagged=TagScores(scores.tags[untagged], scores.nearest[untagged]) if len(untagged) else None,
        )
        scores.tags[learned], scores.nearest[learned] = ridge.left_out_.tags, ridge.left_out_.nearest
        return sure.confidences(scores).tags.astype(np.float32)


def _kinds(found: Described, photos: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return photos of some kinds, up to a fifth of which have no tag, and whether each photo has each tag."""
    classes, sizes = found.classes, np.bincount(found.classes)
    kinds, each = KINDS[photos], photos // KINDS[photos]
    if sizes.min() < each:  # kinds of unequal sizes: as many as needed
        drawn = rng.permutation(len(sizes))
        kinds = int(np.searchsorted(np.cumsum(np.minimum(sizes[drawn], each)), photos)) + 1
    else:
        drawn = rng.permutation(len(sizes))[:kinds]
    rows = np.concatenate([rng.permutation(np.flatnonzero(classes == one))[:each] for one in drawn[:kinds].tolist()])
    rows = rows[:photos]
    named = drawn[: max(2, kinds - int(rng.integers(0, kinds // 5 + 1)))]
    return rows, classes[rows][:, None] == named


def _best(confidence: NDArray[np.float32]) -> NDArray[np.bool_]:
    return np.asarray(np.arange(confidence.shape[1]) == confidence.argmax(axis=1)[:, None])


def _save(file: Path, found: ReviewedSession) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part.npz")
    np.savez_compressed(
        part,
        confidence=found.confidence,
        carried=found.carried,
        truth=found.truth,
        exclusive=np.array(found.exclusive),
    )
    part.replace(file)
