# SPDX-License-Identifier: MIT
"""Explain why a photo is near to a focal image: split the distance into parts that add up to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import name_of
from focal_photos.browser.operations.describing.enabled import all_descriptors
from focal_photos.browser.operations.describing.settings import BY_JUDGEMENTS, RERANK
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.local.explain import local_parts
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.ranking.queries.by_judgements import judgement_weights
from focal_photos.browser.operations.ranking.queries.by_text import nearest_to_text, text_relevance, text_weights
from focal_photos.browser.operations.ranking.queries.query import TextQuery
from focal_photos.browser.operations.ranking.ranker import Ranker, Ranking
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.features.base import Subject
from focal_photos.learners.galleries.family_shares import family_shares
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import JACCARD

_SAMPLED_PHOTOS: Final = 24  # photos from which the usual value of a part is estimated
_ROUNDING: Final = 1e-5
_MOST_JUDGEMENTS: Final = 3

SUBJECTS: Final[dict[Subject, str]] = {"color": "Colour", "texture": "Texture", "shape": "Shape", "other": "Other"}


class PartKind(Enum):
    """Subject of a part of a distance."""

    FAMILY = "family"
    """A feature family: the squared distance in its coordinates."""
    PATCHES = "patches"
    """A kind of patches of a local distance."""
    NEIGHBORS = "neighbors"
    """The neighbours that the two photos do not share."""
    JUDGEMENTS = "judgements"
    """Effect of judgements against the focal image; negative: nearer."""
    ITSELF = "itself"
    """Distance of photos from themselves under a distance that is no metric; independent of the families."""
    ORDER = "order"
    """Effect of the place in the ranking: the metric's nearest photo stays first even if another metric ranks."""


@dataclass(frozen=True)
class Part:
    """A part of a distance."""

    kind: PartKind
    name: str
    """Name of the family (``gabor``) or the kind of patches; empty for the other kinds."""
    title: str
    subject: Subject
    """Subject of a family."""
    value: float
    """Contribution to the distance. May be negative, if it brings the photo nearer than equal descriptors would."""
    usual: float | None = None
    """Mean of the same part over photos drawn from the library. None: nothing to compare with."""


@dataclass(frozen=True)
class JudgementPart:
    """Effect of one judgement against the focal image on a photo."""

    photo_id: int
    verdict: Verdict
    value: float
    """Part of the distance; negative if it brings the photo nearer."""


@dataclass(frozen=True)
class WhyNear:
    """Why a photo is as near to a focal image as a ranking shows."""

    metric: Metric
    focal_id: int | None
    """None: the query is not a photo of the library."""
    photo_id: int
    distance: float
    """As shown by the ranking."""
    parts: tuple[Part, ...]
    """Their values add up to the distance."""
    judgements: tuple[JudgementPart, ...] = ()
    """Judgements with the largest effect, if any moved the photo."""
    is_sum: bool = True
    """Whether the metric's own distance is a sum over the families. Otherwise the parts are exact differences when
    families are left out, averaged over all orders."""

    def without(self, name: str) -> float:
        """Return the distance without a part, or without all parts of a subject or kind, given any of these names."""
        return self.distance - sum(part.value for part in self.parts if name in _names(part))


@dataclass(frozen=True)
class Comparison:
    """Why one photo is nearer to a focal image than another photo."""

    nearer: WhyNear
    farther: WhyNear
    differences: tuple[tuple[str, float], ...]
    """Title of each part, and how much it favours the nearer (> 0) or the farther photo (< 0); largest first. They add
    up to the difference of the distances."""
    decisive: tuple[str, ...]
    """Titles of the parts without any one of which the other photo would be nearer."""


def _names(part: Part) -> set[str]:
    found = {part.name, part.title, part.kind.value}
    return found | {part.subject, SUBJECTS[part.subject]} if part.kind is PartKind.FAMILY else found


def why_near(
    library: Library,
    ranker: Ranker,
    focal: int | TextQuery | Path | bytes,
    photo_id: int,
    metric: str | None = None,
    *,
    distance: float | None = None,
    rerank: bool | None = None,
    by_judgements: bool | None = None,
) -> WhyNear:
    """Split the distance of a photo to a focal image or a text into parts.

    Rankings show ``JACCARD (1 - shared) + (1 - JACCARD) d^2 / scale`` (`learners.galleries.reciprocal`). The first term
    is the part of the neighbourhoods; the second is split among the feature families
    (`learners.galleries.family_shares`). Without shared neighbours, the distance d is split in the proportions of its
    square. The effect of judgements against the focal image is a separate part, with the most important judgements. The
    distance to a text consists of one family, its network, and the effect of judgements (`nearest_to_text`).

    Parameters
    ----------
    focal : int, TextQuery, Path or bytes
        A described photo, a text, or the file or content of any image.
    photo_id : int
        A described photo.
    metric : str, optional
        As for `Ranker.rank`, as are `rerank` and `by_judgements`.
    distance : float, optional
        As shown by the ranking; default: ranks again.

    Raises
    ------
    OperationError
        If a photo is not described yet, and as for `Ranker.rank`.
    """
    if isinstance(focal, TextQuery):
        return _why_near_text(library, ranker.gallery(metric), focal.text, photo_id, distance, by_judgements)
    if isinstance(focal, Path | bytes):
        place = ranker.locate(focal, metric)
        if not isinstance(place, int):
            return _why_near_outside(library, ranker, focal, place, photo_id, metric, distance, rerank)
        focal = place
    gallery, focal_id = ranker.gallery(metric), focal
    own, other = gallery.row_of(focal_id), gallery.row_of(photo_id)
    if own is None or other is None or own == other:
        raise OperationError("Only two photos that are both indexed can be compared: wait until they are.")
    follow = BY_JUDGEMENTS.get(library) if by_judgements is None else by_judgements
    verdicts = library.judgements.of(focal_id) if follow else {}
    known = set(gallery.ids[gallery.mask(np.fromiter(verdicts, np.int64))].tolist())
    verdicts = {one: verdict for one, verdict in verdicts.items() if one in known}
    again = (RERANK.get(library) if rerank is None else rerank) and gallery.loaded.gains_by_neighbors
    if distance is None:
        distance = _distance(ranker.rank(focal_id, metric, rerank=rerank, by_judgements=by_judgements), photo_id)
    judgements: tuple[JudgementPart, ...] = ()
    if is_local(gallery.loaded.metric):
        parts = _local_parts(library, gallery, focal_id, photo_id)
    else:
        # Judgements are applied through similarities, which use shared neighbours.
        parts = _parts(library, gallery, own, other, by_neighbors=again or bool(verdicts))
        judgements = _judgement_parts(gallery, own, other, verdicts) if verdicts else ()
    parts = _made_up(parts, distance, PartKind.JUDGEMENTS if verdicts else PartKind.ORDER)
    is_sum = _is_sum(library, gallery, own)
    return WhyNear(gallery.loaded.metric, focal_id, photo_id, distance, parts, judgements, is_sum)


def _why_near_outside(
    library: Library,
    ranker: Ranker,
    focal: Path | bytes,
    point: NDArray[np.float32],
    photo_id: int,
    metric: str | None,
    distance: float | None,
    rerank: bool | None,
) -> WhyNear:
    gallery = ranker.gallery(metric)
    other = gallery.row_of(photo_id)
    if other is None:
        raise OperationError("Only two photos that are both indexed can be compared: wait until they are.")
    if is_local(gallery.loaded.metric):
        raise OperationError("Local distances from an image that is not in the library cannot be split.")
    again = (RERANK.get(library) if rerank is None else rerank) and gallery.loaded.gains_by_neighbors
    if distance is None:
        distance = _distance(ranker.rank(focal, metric, rerank=rerank), photo_id)
    parts = _made_up(_parts(library, gallery, point, other, by_neighbors=again), distance, PartKind.ORDER)
    return WhyNear(gallery.loaded.metric, None, photo_id, distance, parts, (), _is_sum(library, gallery, other))


def _why_near_text(
    library: Library,
    gallery: MetricGallery,
    text: str,
    photo_id: int,
    distance: float | None,
    by_judgements: bool | None,
) -> WhyNear:
    found = text_relevance(library, text)
    (places,) = np.nonzero(found.ids == photo_id)
    if not len(places):
        raise OperationError("The photo is not described by the network {0} yet: wait until it is.", found.network.name)
    follow = BY_JUDGEMENTS.get(library) if by_judgements is None else by_judgements
    verdicts = library.text_judgements.of(text) if follow else {}
    relevance = float(found.relevance[places[0]])
    if distance is None:
        ids, distances = nearest_to_text(found, gallery, verdicts)
        distance = float(distances[ids == photo_id][0])
    title = found.network.title
    usual = 1 - float(found.relevance.mean())
    parts: tuple[Part, ...] = (Part(PartKind.FAMILY, found.network.name, title, "other", 1 - relevance, usual),)
    parts = _made_up(parts, distance, PartKind.JUDGEMENTS if verdicts else PartKind.ORDER)
    row = gallery.row_of(photo_id)
    known, weights = text_weights(found, gallery, verdicts)
    judgements = () if row is None or not len(known) else _largest_parts(gallery, row, known, weights, verdicts)
    return WhyNear(gallery.loaded.metric, None, photo_id, distance, parts, judgements)


def _distance(ranking: Ranking, photo_id: int) -> float:
    """Return the distance of a photo in a ranking."""
    found = np.flatnonzero(ranking.photo_ids == photo_id)
    if not len(found):
        raise OperationError("The photo is not in the ranking: its folder was removed from the library.")
    return float(ranking.distances[found[0]])


def compare(one: WhyNear, other: WhyNear) -> Comparison:
    """Explain why one of two photos, the one with the smaller distance, is nearer to the same focal image.

    Families are grouped by subject, because users think in terms such as "colour".
    """
    nearer, farther = sorted((one, other), key=lambda why: why.distance)
    sums: dict[str, float] = {}
    for why, sign in ((farther, 1), (nearer, -1)):
        for part in by_subject(why.parts):
            sums[part.title] = sums.get(part.title, 0.0) + sign * part.value
    gap = farther.distance - nearer.distance
    ordered = tuple(sorted(sums.items(), key=lambda item: (-item[1], item[0])))
    decisive = tuple(title for title, gain in ordered if gain > gap + _ROUNDING)
    return Comparison(nearer, farther, ordered, decisive)


def by_subject(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts with families grouped by subject; the sum is unchanged."""
    found: dict[str, Part] = {}
    for part in parts:
        whole = part
        if part.kind is PartKind.FAMILY:
            whole = replace(part, name=part.subject, title=SUBJECTS[part.subject])
        before = found.get(whole.title)
        if before is not None:
            usual = None if before.usual is None or whole.usual is None else before.usual + whole.usual
            whole = replace(before, value=before.value + whole.value, usual=usual)
        found[whole.title] = whole
    return tuple(found.values())


def _parts(
    library: Library, gallery: MetricGallery, focal: int | NDArray[np.float32], other: int, *, by_neighbors: bool
) -> tuple[Part, ...]:
    """Return the parts of the distance before judgements and order, from a row or from coordinates (p,)."""
    own = focal if isinstance(focal, int) else -1
    sample = np.random.default_rng(0).permutation(len(gallery.ids))[: _SAMPLED_PHOTOS + 2]
    usual = sample[(sample != own) & (sample != other)][:_SAMPLED_PHOTOS]
    rows = np.concatenate([[other], usual])
    points = coordinates(library, gallery.loaded.space, gallery.ids[rows])
    if isinstance(focal, int):
        here, query = coordinates(library, gallery.loaded.space, gallery.ids[[focal]])[0], gallery.rows[focal]
    else:
        here, query = focal, gallery.loaded.embed(focal[None])[0]
    shares = [_shares(gallery, here, points[0], None)]
    if len(usual):
        shares += [*_shares(gallery, here, points[1:], 1)]
    neighbors = gallery.neighbors.around(query)
    far = np.square(gallery.gallery.distances(query, rows), dtype=np.float64)
    if by_neighbors:
        factors = np.full(len(far), (1 - JACCARD) / neighbors.scale)
    else:
        # d = d^2 / d: each family has the same share of the distance as of its square.
        factors = 1 / np.sqrt(np.maximum(far, np.finfo(np.float32).tiny))
    values = np.stack(shares) * factors[:, None]
    mean = values[1:].mean(axis=0) if len(values) > 1 else None
    table = all_descriptors(library, [name_of(key) for key in gallery.loaded.keys])
    parts = []
    for number, key in enumerate(gallery.loaded.keys):
        name = name_of(key)
        known = table.get(name)
        parts.append(
            Part(
                PartKind.FAMILY,
                name,
                name if known is None else known.title,
                _subject(known),
                float(values[0, number]),
                None if mean is None else float(mean[number]),
            )
        )
    itself = float(far[0] * factors[0] - values[0].sum())
    if abs(itself) > _ROUNDING * max(1.0, float(far[0] * factors[0])):
        parts.append(Part(PartKind.ITSELF, "", "Any two photos", "other", itself))
    if by_neighbors:
        if isinstance(focal, int):
            shared = neighbors.shared(np.array([focal]))
            like = np.zeros(len(gallery.ids))
            like[shared.indices] = shared.data
            apart = JACCARD * (1 - like[rows])
        else:
            apart = 1 - neighbors.similarities_outside(gallery.gallery, query)[rows].astype(np.float64)
            apart -= (1 - JACCARD) * far / neighbors.scale
        average = float(apart[1:].mean()) if len(apart) > 1 else None
        parts.append(Part(PartKind.NEIGHBORS, "", "Shared neighbours", "other", float(apart[0]), average))
    return tuple(parts)


def _subject(descriptor: object) -> Subject:
    """Return the subject of a descriptor, or of the local descriptor on which it is based."""
    subject: Subject = getattr(descriptor, "subject", "other")
    local = getattr(descriptor, "local", None)
    return _subject(local) if subject == "other" and local is not None else subject


def _shares(
    gallery: MetricGallery, one: NDArray[np.float32], other: NDArray[np.float32], orders: int | None
) -> NDArray[np.float64]:
    loaded = gallery.loaded
    return family_shares(loaded.learner, one, other, loaded.space.families_, orders=orders)


def _is_sum(library: Library, gallery: MetricGallery, own: int) -> bool:
    """Tell whether the distance is a sum over the families' separate and shared parts, as under a linear map."""
    loaded = gallery.loaded
    if loaded.learner is None or is_local(loaded.metric):
        return True
    if not isinstance(gallery.gallery, FloatGallery):
        return False
    sample = np.random.default_rng(0).permutation(len(gallery.ids))[:_SAMPLED_PHOTOS]
    one, *others = coordinates(library, loaded.space, gallery.ids[[own, *sample]])
    points = np.concatenate([[one], others, (one + np.array(others)) / 2]).astype(np.float32)
    here, *there = loaded.embed(points).astype(np.float64)
    ends, middles = np.split(np.array(there), 2)
    # A map is linear here if it maps midpoints between photos to the midpoints between their images.
    return bool(np.allclose(middles, (here + ends) / 2, atol=1e-4 * max(float(np.abs(here - ends).max()), 1e-9)))


def _local_parts(library: Library, gallery: MetricGallery, focal_id: int, photo_id: int) -> tuple[Part, ...]:
    return tuple(
        Part(PartKind.PATCHES, title, title, "other", value)
        for title, value in local_parts(library, gallery.loaded.metric.name, focal_id, photo_id)
    )


def _judgement_parts(
    gallery: MetricGallery, own: int, other: int, verdicts: dict[int, Verdict]
) -> tuple[JudgementPart, ...]:
    """Return the judgements with the largest effect on a photo: ``-weight x similarity`` of its distance."""
    known, weights = judgement_weights(gallery, own, verdicts)
    return _largest_parts(gallery, other, known, weights, verdicts)


def _largest_parts(
    gallery: MetricGallery,
    other: int,
    known: NDArray[np.intp],
    weights: NDArray[np.float64],
    verdicts: dict[int, Verdict],
) -> tuple[JudgementPart, ...]:
    """Return the judged photos among `known` (rows) with the largest effect on a row."""
    like = gallery.similarities(known, np.array([other]))[0]
    parts = [
        JudgementPart(int(gallery.ids[row]), verdicts[int(gallery.ids[row])], -float(weight * similarity))
        for row, weight, similarity in zip(known, weights, like, strict=True)
        if int(gallery.ids[row]) in verdicts
    ]
    return tuple(sorted(parts, key=lambda part: (-abs(part.value), part.photo_id))[:_MOST_JUDGEMENTS])


def _made_up(parts: tuple[Part, ...], distance: float, kind: PartKind) -> tuple[Part, ...]:
    """Add a part for the difference to the shown distance; mere rounding goes into the largest part."""
    rest = distance - sum(part.value for part in parts)
    if abs(rest) > _ROUNDING * max(1.0, abs(distance)) or not parts:
        title = "Your judgements" if kind is PartKind.JUDGEMENTS else "Rank adjustment"
        return (*parts, Part(kind, "", title, "other", rest))
    largest = max(range(len(parts)), key=lambda number: parts[number].value)
    changed = replace(parts[largest], value=parts[largest].value + rest)
    return (*parts[:largest], changed, *parts[largest + 1 :])
