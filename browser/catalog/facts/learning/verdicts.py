# SPDX-License-Identifier: MIT
"""Writes verdicts on photos, against a focal image or a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.journal import Action
from focal_photos.browser.catalog.text import Text, counted


def put_verdicts(
    action: Action,
    table: str,
    judged: Mapping[str, int | str],
    others: Iterable[int],
    before: Mapping[int, Verdict],
    verdict: Verdict | None,
) -> None:
    """Write a verdict on photos in a step of the journal, and label the step.

    Parameters
    ----------
    table : str
        Table with the columns of `judged`, ``other_id``, ``verdict`` and ``at``.
    judged : mapping
        Key of the focal image or text, by column name.
    before : mapping of int to Verdict
        Earlier verdicts; photos that already have this verdict retain their date. None as verdict removes them.
    """
    changed = [other for other in others if before.get(other) != verdict]
    values = None if verdict is None else {"verdict": verdict.value, "at": timestamps.to_text(timestamps.now())}
    for other in changed:
        action.put(table, {**judged, "other_id": other}, values)
    action.label = verdict_label(len(changed), verdict)


def verdict_label(number: int, verdict: Verdict | None) -> Text:
    """Return the label of a step that gives photos a verdict, or withdraws it."""
    photos = counted(number, "1 photo", "{0} photos")
    if verdict is None:
        return Text("Unmark {0}", photos)
    similar = verdict is Verdict.SIMILAR
    return Text("Mark {0} as similar", photos) if similar else Text("Mark {0} as dissimilar", photos)
