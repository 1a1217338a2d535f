# SPDX-License-Identifier: MIT
"""Copy the user's tags, boxes, rating, label and judgements from one photo to another."""

from __future__ import annotations

from typing import Final

from focal_photos.browser.catalog.facts.learning.judged_relations import Related
from focal_photos.browser.catalog.facts.marks import REJECTED
from focal_photos.browser.catalog.facts.records import TagSource
from focal_photos.browser.catalog.library import Library

_MAX_ASPECT_DIFFERENCE: Final = 0.01
"""Relative difference between ratios of width to height below which a box fits both photos."""


def copy_statements(library: Library, photo_id: int, to: int, *, rejection: bool) -> None:
    """Copy tags, boxes, rating, label and judgements to another photo; its own rating, label and judgements stay.

    Boxes, rejected boxes and judgements of regions are copied unless the other photo has the same ones, or another
    ratio of width to height.

    The changes belong to the journal step begun by the caller.

    Raises
    ------
    UnknownPhotoError
    """
    tags = library.tags.of([photo_id])[photo_id]
    if tags:
        library.tags.change([to], tags, source=TagSource.HAND)
    boxes = library.boxes.of([photo_id, to])
    there = {(box.region, box.tag) for box in boxes.get(to, ())}
    has_same_aspect = _same_aspect(library, photo_id, to)
    if has_same_aspect:
        of_photo = [(box.region, box.tag) for box in boxes.get(photo_id, ())]
        library.boxes.add([(to, region, tag) for region, tag in of_photo if (region, tag) not in there])
        library.boxes.reject(
            [(to, box.region, box.tag) for box in library.boxes.rejected() if box.photo_id == photo_id]
        )
    marks = library.marks.of([photo_id, to])
    rating = marks[photo_id].rating if rejection or marks[photo_id].rating != REJECTED else None
    library.marks.set(
        [to],
        rating=rating if marks[to].rating is None else marks[to].rating,
        label=marks[photo_id].label if marks[to].label is None else marks[to].label,
    )
    judgements = library.judgements.all()
    judged = {(one.focal_id, one.other_id) for one in judgements}
    for judgement in judgements:
        focal, other = (to if each == photo_id else each for each in (judgement.focal_id, judgement.other_id))
        if focal != other and (focal, other) not in judged:
            library.judgements.set(focal, [other], judgement.verdict)
    related = [(one.focal_id, one.other_id, one.than_id) for one in library.judged_relations.all()]
    opposite = {(focal, than, other) for focal, other, than in related}
    moved: list[Related] = [
        (to if focal == photo_id else focal, to if other == photo_id else other, to if than == photo_id else than)
        for focal, other, than in related
    ]
    library.judged_relations.set([one for one in moved if one not in opposite], holds=True)
    of_texts = library.text_judgements.all()
    known = {one.text for one in of_texts if one.other_id == to}
    for one in of_texts:
        if one.other_id == photo_id and one.text not in known:
            library.text_judgements.set(one.text, [to], one.verdict)
    if has_same_aspect:
        _copy_region_judgements(library, photo_id, to)


def _copy_region_judgements(library: Library, photo_id: int, to: int) -> None:
    for one in library.region_judgements.all():
        if photo_id in (one.photo_id, one.other_id):
            query, other = (to if each == photo_id else each for each in (one.photo_id, one.other_id))
            if query != other and other not in library.region_judgements.of(query, one.region):
                library.region_judgements.set(query, one.region, [(other, one.other_region)], one.verdict)


def _same_aspect(library: Library, photo_id: int, to: int) -> bool:
    """Return whether two photos have the same ratio of width to height, or it is not known."""
    ratios = [
        photo.width / photo.height for photo in library.photos.get([photo_id, to]) if photo.width and photo.height
    ]
    return len(ratios) < 2 or abs(ratios[0] / ratios[1] - 1) < _MAX_ASPECT_DIFFERENCE
