# SPDX-License-Identifier: MIT
"""What happened to the descriptors of plug-ins in a library: failures and the time that they took.

The record is derived data: without it, photos that a plug-in could not describe are tried once more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file

_MAX_FAILED: Final = 10_000  # ids of failed photos


@dataclass(frozen=True)
class PluginRecord:
    """The last use of a plug-in's descriptor in a library."""

    key: str
    """Key of the descriptor; the record does not count for another one."""
    version: str
    """Version of the package; the record does not count for another one."""
    seconds: float = 0.0
    """Mean processor time per photo."""
    failed: tuple[int, ...] = field(default=())
    """Photos that it could not describe."""
    gave_up: bool = False
    """Whether it was left out because it failed too often."""
    error: str = ""
    """Reason of the last failure; empty if there was none."""


def plugin_records(folder: Path) -> dict[str, PluginRecord]:
    """Return the records in a library's folder, by name of the descriptor; empty if there are none."""
    try:
        found = json.loads(_file(folder).read_text(encoding="utf-8"))
        return {str(name): _record(one) for name, one in found.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def keep_record(library: Library, name: str, record: PluginRecord | None) -> None:
    """Save the record of a descriptor, or delete it; if the disk is full, nothing is saved."""
    if library.read_only:
        return
    every: Mapping[str, PluginRecord | None] = {**plugin_records(library.path), name: record}
    document = {key: asdict(one) for key, one in every.items() if one is not None}
    with suppress(OSError), atomic_file(_file(library.path)) as stream:
        stream.write(json.dumps(document).encode())


def forget_records(library: Library) -> None:
    """Delete all records, so that plug-ins are tried again on all photos."""
    if not library.read_only:
        with suppress(OSError):
            _file(library.path).unlink(missing_ok=True)


def _record(one: dict[str, Any]) -> PluginRecord:
    return PluginRecord(
        str(one["key"]),
        str(one["version"]),
        float(one["seconds"]),
        tuple(int(photo_id) for photo_id in one["failed"][:_MAX_FAILED]),
        bool(one["gave_up"]),
        str(one["error"]),
    )


def _file(folder: Path) -> Path:
    return folder / "derived" / "plugins.json"
