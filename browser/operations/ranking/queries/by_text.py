# SPDX-License-Identifier: MIT
"""Rank photos by a text, using a network for images and texts and the judgements against the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import vector_store
from focal_photos.browser.operations.describing.enabled import enabled_names
from focal_photos.browser.operations.describing.network_entries import SECONDS
from focal_photos.browser.operations.describing.settings import NETWORKS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.queries.by_judgements import MAX_JUDGED, judged_apart
from focal_photos.browser.operations.workers import sandbox
from focal_photos.features.decoding.limits import ImageError
from focal_photos.features.network import network_file
from focal_photos.learners.core.linalg import nearest_first
from focal_photos.learners.galleries.relevance_feedback import corrections

if TYPE_CHECKING:
    from focal_photos.features.network.network import NetworkDescriptor
    from focal_photos.features.network.text_encoder import TextEncoder

_BLOCK: Final = 16_384  # photos whose vectors are compared at once
_VECTOR: Final = CacheEntry[NDArray[np.float32]]("vector of the text that is ranked by")


@dataclass(frozen=True)
class TextRelevance:
    """Relevance to a text of all photos described by its network."""

    network: NetworkDescriptor
    ids: NDArray[np.int64]
    """Shape (n,)."""
    relevance: NDArray[np.float64]
    """``(cos - mean) / (max - mean)``: 1 for the photo with the smallest angle to the text's vector, 0 for a photo at
    the average cosine; shape (n,)."""


def text_network(library: Library) -> NetworkDescriptor:
    """Return the first enabled network that reads texts.

    Raises
    ------
    OperationError
        If there is none; the message names the remedy.
    """
    networks = NETWORKS.get(library)
    reading = [one for one in networks if one.text is not None]
    switched = enabled_names(library)
    for one in reading:
        if one.name in switched:
            return one
    if reading:
        raise OperationError(
            "The network {0}, which encodes texts, is switched off: focal descriptors --on "
            "{0}, or switch it on in the settings.",
            reading[0].name,
        )
    if networks:
        raise OperationError(
            "The network {0} cannot encode texts: add an image-and-text network, with a file "
            "for each and a tokenizer.json (settings, Networks).",
            networks[0].name,
        )
    raise OperationError(
        "Ranking by a text needs an image-and-text network: add one with focal networks --add, or in the "
        "settings under Networks."
    )


def text_relevance(library: Library, text: str) -> TextRelevance:
    """Compare a text with all photos described by its network.

    Raises
    ------
    OperationError
        As for `text_network`; also if no photo is described by the network yet, or it fails.
    """
    network = text_network(library)
    assert network.text is not None
    ids, rows = vector_store(library, network).snapshot()
    if not len(ids):
        raise OperationError("No photo is described by the network {0} yet: run focal index.", network.name)
    encoder = network.text
    vector = library.cache.once(_VECTOR, (encoder, text), lambda: _encoded(network, encoder, text))
    cosines = np.empty(len(ids))
    for start in range(0, len(ids), _BLOCK):
        part = np.asarray(rows[start : start + _BLOCK], np.float32)
        lengths = 1.0 if network.unit_length else np.maximum(np.linalg.norm(part, axis=1), np.finfo(np.float32).tiny)
        cosines[start : start + _BLOCK] = part @ vector / lengths
    mean = float(cosines.mean())
    span = float(cosines.max()) - mean
    relevance = (cosines - mean) / span if span > 0 else np.zeros(len(ids))
    return TextRelevance(network, ids, relevance)


def nearest_to_text(
    found: TextRelevance,
    gallery: MetricGallery,
    verdicts: Mapping[int, Verdict],
    allowed: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Rank photos by a text and the judgements against it.

    The distance is 1 - relevance. Judged photos correct the relevance of similar photos under the metric in use
    (`learners.galleries.relevance_feedback.corrections`). Photos judged similar come first, those judged dissimilar
    last.

    Parameters
    ----------
    gallery : MetricGallery
        Provides similarities between photos.
    verdicts : mapping of int to Verdict
        Judgements against the text by photo id.
    allowed : ndarray of int64, optional
        Photos that may be in the ranking; default: all.

    Returns
    -------
    ids : ndarray of int64, shape (m,)
        Nearest first; ties by id.
    distances : ndarray of float32, shape (m,)
        Ascending.
    """
    relevance = found.relevance + judgement_share(found, gallery, verdicts)
    distances = np.asarray(1 - relevance, np.float32)
    ids = found.ids
    if allowed is not None:
        kept = np.isin(ids, allowed)
        ids, distances = ids[kept], distances[kept]
    ids, distances = nearest_first(distances, ids)
    return judged_apart(ids, distances, verdicts) if verdicts else (ids, distances)


def judgement_share(
    found: TextRelevance, gallery: MetricGallery, verdicts: Mapping[int, Verdict]
) -> NDArray[np.float64]:
    """Return the contribution of judgements to the relevance of each photo of `found`, (n,)."""
    known, weights = text_weights(found, gallery, verdicts)
    if not len(known):
        return np.zeros(len(found.ids))
    sums = gallery.similarity_sums(known, weights)
    rows = gallery.rows_of(found.ids)
    return np.where(rows >= 0, sums[rows], 0.0).astype(np.float64)


def text_weights(
    found: TextRelevance, gallery: MetricGallery, verdicts: Mapping[int, Verdict]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the rows (c,) of judged photos that correct a text, and their weights (c,).

    Of more than `MAX_JUDGED` judged photos, those most relevant to the text are used.
    """
    judged = np.fromiter(verdicts, np.int64, len(verdicts))
    places = np.flatnonzero(np.isin(found.ids, judged))
    places = places[gallery.rows_of(found.ids[places]) >= 0]
    if len(places) > MAX_JUDGED:
        places = np.sort(places[np.argsort(-found.relevance[places], kind="stable")[:MAX_JUDGED]])
    rows = gallery.rows_of(found.ids[places])
    if not len(rows):
        return rows, np.empty(0)
    similar = [verdicts[int(photo_id)] is Verdict.SIMILAR for photo_id in found.ids[places]]
    return rows, corrections(gallery.similarities(rows, rows), similar, found.relevance[places])


def _encoded(network: NetworkDescriptor, encoder: TextEncoder, text: str) -> NDArray[np.float32]:
    try:
        return sandbox.sandbox().call(_encode, encoder, text, seconds=SECONDS)
    except network_file.NetworkError as error:
        raise OperationError(str(error)) from error
    except ImageError as error:
        raise OperationError(
            "The half for texts of the network {0} crashed or took more than {1:g} s: it may need more memory or time.",
            network.name,
            SECONDS,
        ) from error


def _encode(encoder: TextEncoder, text: str) -> NDArray[np.float32]:
    return encoder.encode(text)
