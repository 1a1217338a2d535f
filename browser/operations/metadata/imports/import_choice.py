# SPDX-License-Identifier: MIT
"""Choice of the keywords to import as tags, stored per folder and applied again when its files change."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from focal_photos.browser.catalog.facts.records import Waiting
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.journal import TAG_IMPORTS, Action
from focal_photos.browser.operations.metadata.keywords import Doubt, Field, doubt_about, tags_in

_ALL_FIELDS: Final = frozenset(map(str, Field))


@dataclass(frozen=True)
class ImportChoice:
    """Choice of the keywords to import as tags."""

    fields: frozenset[str] = _ALL_FIELDS
    """Fields whose keywords are imported; see `Field`."""
    excluded: frozenset[str] = frozenset()
    """Tags that are not imported."""
    excluded_kinds: frozenset[str] = frozenset()
    """Kinds of keywords that are not imported, including future ones: `Doubt.YEAR`, `Doubt.CAMERA`."""

    def tags_of(self, one: Waiting, cameras: Collection[str]) -> tuple[str, ...]:
        """Return the tags that a photo gets by this choice."""
        return tuple(
            name
            for name in tags_in(one.fields, self.fields)
            if name not in self.excluded
            and not (self.excluded_kinds and str(doubt_about(name, cameras)) in self.excluded_kinds)
        )

    def to_json(self) -> dict[str, list[str]]:
        """Return the choice as a JSON document."""
        return {
            "fields": sorted(self.fields),
            "excluded": sorted(self.excluded),
            "excluded_kinds": sorted(self.excluded_kinds),
        }


ALL_KEYWORDS: Final = ImportChoice()
"""Choice that imports all keywords."""


def import_choices(library: Library) -> dict[int, ImportChoice]:
    """Return the choices in effect by folder id; folders without a choice import nothing."""
    return {int(root): _choice(stored) for root, stored in _stored(library).items() if _is_id(root)}


def put_choice(action: Action, library: Library, roots: Iterable[int], choice: ImportChoice) -> None:
    """Set the choice of folders as a part of an undoable action."""
    stored = _stored(library) | {str(root): choice.to_json() for root in roots}
    action.put("setting", {"name": TAG_IMPORTS}, {"value": json.dumps(stored, sort_keys=True)})


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 19  # number of digits of SQLite's largest integer


def _stored(library: Library) -> dict[str, Any]:
    stored: dict[str, Any] = library.settings.get(TAG_IMPORTS, {})
    return {root: choice for root, choice in stored.items() if isinstance(choice, dict)}


def _choice(stored: dict[str, Any]) -> ImportChoice:
    def names(key: str) -> frozenset[str]:
        found = stored.get(key, ())
        return frozenset(name for name in found if isinstance(name, str)) if isinstance(found, list) else frozenset()

    kinds = names("excluded_kinds") & {str(Doubt.YEAR), str(Doubt.CAMERA)}
    return ImportChoice(names("fields") & _ALL_FIELDS, names("excluded"), kinds)
