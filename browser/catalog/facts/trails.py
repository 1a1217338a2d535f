# SPDX-License-Identifier: MIT
"""Trails that the user has saved under a name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import Region, SavedStep, SavedTrail
from focal_photos.browser.catalog.facts.saved_searches import clean_name
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.errors import LibraryError, reading_value
from focal_photos.browser.catalog.text import Text


class TrailNameError(LibraryError):
    """The name is unknown or already used by another trail."""


class Trails(JournaledFacts):
    """The library's saved trails."""

    def all(self) -> list[SavedTrail]:
        """Return the trails, sorted by name."""
        trails = [
            SavedTrail(name, steps_from_json(steps))
            for name, steps in self._database.rows("SELECT name, steps FROM trail")
        ]
        return sorted(trails, key=lambda one: (one.name.casefold(), one.name))

    def save(self, name: str, steps: Sequence[SavedStep]) -> ChangeSet:
        """Save a trail under a name, replacing any trail of that name.

        Raises
        ------
        SearchNameError
            If the name is invalid.
        TrailNameError
            If the trail has no step.
        """
        name = clean_name(name)
        if not steps:
            raise TrailNameError("Nothing to save yet: set a focal image first.")
        text = steps_to_json(steps)
        with self._journal.action(Text("Save trail: {0}", name)) as action:
            if text != self._steps(name):
                action.put("trail", {"name": name}, {"steps": text, "at": timestamps.to_text(timestamps.now())})
        return action.changes

    def rename(self, name: str, new: str) -> ChangeSet:
        """Rename a trail.

        Raises
        ------
        SearchNameError
            If the name is invalid.
        TrailNameError
            If there is no trail `name`, or already one called `new`.
        """
        new = clean_name(new)
        with self._journal.action(Text("Rename trail: {0} to {1}", name, new)) as action:
            row = self._database.row("SELECT steps, at FROM trail WHERE name = ?", (name,))
            if row is None:
                raise TrailNameError("The trail {0} no longer exists.", name)
            if new != name:
                if self._steps(new) is not None:
                    raise TrailNameError("There is a trail {0} already: choose another name.", new)
                action.put("trail", {"name": name}, None)
                action.put("trail", {"name": new}, {"steps": row[0], "at": row[1]})
        return action.changes

    def delete(self, name: str) -> ChangeSet:
        """Delete a saved trail; an unknown name is ignored."""
        with self._journal.action(Text("Delete trail: {0}", name)) as action:
            action.put("trail", {"name": name}, None)
        return action.changes

    def _steps(self, name: str) -> str | None:
        row = self._database.row("SELECT steps FROM trail WHERE name = ?", (name,))
        return None if row is None else str(row[0])


def steps_to_json(steps: Sequence[SavedStep]) -> str:
    """Return steps as JSON text."""
    rows = []
    for step in steps:
        row: dict[str, object] = {"query": step.query, "label": step.label, "order": step.order, "seed": step.seed}
        if step.folder is not None:
            row["folder"] = str(step.folder)
        if step.among is not None:
            row["among"] = list(step.among)
        if step.focal is not None:
            row["focal"] = step.focal
        if step.like:
            row["like"], row["unlike"] = list(step.like), list(step.unlike)
        if step.text:
            row["text"] = step.text
        if step.part_of is not None and step.region is not None:
            region = step.region
            row["part_of"], row["region"] = step.part_of, [region.x0, region.y0, region.x1, region.y1]
        rows.append(row)
    return json.dumps(rows)


def steps_from_json(text: str) -> tuple[SavedStep, ...]:
    """Return the steps of a JSON text."""
    with reading_value("steps of a trail"):
        return tuple(map(_step, json.loads(text)))


def _step(row: dict[str, Any]) -> SavedStep:
    return SavedStep(
        query=row.get("query", ""),
        folder=Path(row["folder"]) if row.get("folder") is not None else None,
        among=tuple(row["among"]) if row.get("among") is not None else None,
        order=row.get("order", ""),
        seed=row.get("seed", 0),
        focal=row.get("focal"),
        label=row.get("label", ""),
        like=tuple(row.get("like", ())),
        unlike=tuple(row.get("unlike", ())),
        text=row.get("text", ""),
        part_of=row.get("part_of"),
        region=Region(*row["region"]) if row.get("region") is not None else None,
    )
