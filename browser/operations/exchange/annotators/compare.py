# SPDX-License-Identifier: MIT
"""Agreement of this library's tags with those of other libraries and archives, and the disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.annotators.annotator import Annotator, read_annotator, read_library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.learners.evaluation.agreement import (
    MISSING,
    UNDEFINED,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    observed_agreement,
)
from focal_photos.learners.evaluation.audit import Estimate

_STAGE: Final = Text("Comparing tags")


@dataclass(frozen=True)
class TagAgreement:
    """Agreement of the annotators on one tag."""

    tag: str
    photos: int
    """Number of photos that at least two annotators answered."""
    carried: tuple[int, ...]
    """For each annotator, the number of these photos to which they gave the tag."""
    observed: float
    """Share of equal pairs of answers, 0..1."""
    kappa: Estimate
    """Cohen's kappa of two annotators, or Fleiss' kappa of several, over the photos that all answered."""
    alpha: Estimate
    """Krippendorff's alpha over all these photos."""
    disagreements: int
    """Number of photos on which two annotators differ."""


@dataclass(frozen=True)
class Disagreement:
    """A photo that some annotators give a tag and others do not."""

    photo_id: int
    """The photo in this library."""
    tag: str
    answers: tuple[bool | None, ...]
    """Of each annotator; None: no answer."""
    answered: bool
    """Whether the user of this library confirmed or refused the tag explicitly, for example when settling."""


@dataclass(frozen=True)
class Comparison:
    """The agreement of several annotators."""

    names: tuple[str, ...]
    """Different names of the annotators; this library comes first."""
    photos: int
    """Number of this library's photos that another annotator has too."""
    tags: tuple[TagAgreement, ...]
    """Tags with the most disagreements first."""
    disagreements: tuple[Disagreement, ...]
    """By tag in this order; within a tag, those without an explicit answer first, then by photo id."""


def compare_annotators(
    library: Library, others: Sequence[Path], *, tags: Sequence[str] = (), untagged: bool = False, seed: int = 0
) -> Job[Comparison]:
    """Compare the tags of this library with those of others, without changing anything.

    Photos are matched by their content, tags by name (aliases of this library stand for their tags).

    Parameters
    ----------
    others : sequence of pathlib.Path
        Folders of libraries, or archives.
    tags : sequence of str
        Compared tags; default: all that an annotator gave to a common photo.
    untagged : bool
        Whether a photo without any tag counts as answered by no; by default it does not count.
    seed : int
        Seed of the intervals.

    Raises
    ------
    OperationError
        If no photo is in common, or a tag is unknown; also as for `read_annotator`.
    LibraryError
        If a library cannot be opened.
    """
    aliases = {one.name: one.tag for one in library.vocabulary.aliases()}
    own = yield from read_library(library)
    people = [own]
    for path in others:
        other = yield from read_annotator(path, aliases=aliases)
        people.append(other)
    common = {content for one in people[1:] for content in one.tags if content in own.tags}
    if not common:
        raise OperationError("The libraries have no photo in common: index the same photos in both.")
    photo_of = {content: number for number, content in library.photos.content_hashes(library.photos.ids()).items()}
    contents = sorted(common, key=photo_of.__getitem__)
    used = {name for one in people for content in common for name in one.tags.get(content, ())}
    unknown = [tag for tag in tags if tag not in used]
    if unknown:
        raise OperationError("No photo in common carries the tag {0}: choose other tags.", unknown[0])
    confirmed = library.confirmations.tags()
    ids = np.array([photo_of[content] for content in contents], dtype=np.int64)
    answers = [_Answers(one, contents, untagged=untagged) for one in people]
    found: list[tuple[TagAgreement, list[Disagreement]]] = []
    chosen = sorted(dict.fromkeys(tags) or used)
    meter = Meter(_STAGE, len(chosen))
    yield meter.state()
    for tag in chosen:
        ratings = np.column_stack([one.of(tag) for one in answers])
        rows = np.flatnonzero((ratings == 1).any(axis=1) & (ratings == 0).any(axis=1))
        refused = answers[0].refused.get(tag, ())
        differ = [
            Disagreement(
                photo_id,
                tag,
                tuple(None if one == MISSING else bool(one) for one in ratings[row].tolist()),
                (photo_id, tag) in confirmed or row in refused,
            )
            for photo_id, row in zip(ids[rows].tolist(), rows.tolist(), strict=True)
        ]
        differ.sort(key=lambda one: (one.answered, one.photo_id))
        found.append((_agreement(tag, ratings, len(differ), seed), differ))
        yield meter.advance(message=tag)
    found.sort(key=lambda one: (-len(one[1]), one[0].tag))
    return Comparison(
        _distinct([one.name for one in people]),
        len(common),
        tuple(one for one, _ in found),
        tuple(each for _, differ in found for each in differ),
    )


class _Answers:
    """An annotator's answers on photos in a given order.

    A photo that carries other tags, or for which the tag was refused, is answered by no. One without any tag is
    answered only if `untagged`.
    """

    def __init__(self, one: Annotator, contents: Sequence[str], *, untagged: bool) -> None:
        names = [one.tags.get(content) for content in contents]
        self._otherwise = np.array(
            [MISSING if tags is None or not (tags or untagged) else 0 for tags in names], dtype=np.int64
        )
        self._carried: dict[str, list[int]] = {}
        self.refused: dict[str, set[int]] = {}
        """Rows of the photos for which a tag was refused."""
        for row, (content, tags) in enumerate(zip(contents, names, strict=True)):
            for tag in tags or ():
                self._carried.setdefault(tag, []).append(row)
            for tag in one.rejected.get(content, ()):
                self.refused.setdefault(tag, set()).add(row)

    def of(self, tag: str) -> NDArray[np.int64]:
        """Return 1 where a photo carries a tag, 0 where not, `MISSING` without an answer."""
        found = self._otherwise.copy()
        found[list(self.refused.get(tag, ()))] = 0
        found[self._carried.get(tag, [])] = 1
        return found


def _agreement(tag: str, ratings: NDArray[np.int64], disagreements: int, seed: int) -> TagAgreement:
    shared = ratings[(ratings != MISSING).sum(axis=1) >= 2]
    carried = tuple((shared == 1).sum(axis=0).tolist())
    if not len(shared):
        return TagAgreement(tag, 0, carried, float("nan"), UNDEFINED, UNDEFINED, 0)
    if ratings.shape[1] == 2:
        kappa = cohen_kappa(shared[:, 0], shared[:, 1], seed=seed)
    else:
        kappa = fleiss_kappa(shared, seed=seed)
    alpha = krippendorff_alpha(shared, seed=seed)
    return TagAgreement(tag, len(shared), carried, observed_agreement(shared), kappa, alpha, disagreements)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Add numbers to names that occur several times."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)
