# SPDX-License-Identifier: MIT
"""Archives that Focal did not write: real archives whose members, manifest or catalogue are changed by hand."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions
from focal_photos.browser.operations.exchange.archives.archive import CATALOG, MANIFEST
from focal_photos.browser.operations.exchange.archives.save_archive import counts_of

Change = Callable[[list[tuple[zipfile.ZipInfo, bytes]], dict[str, Any]], None]


def rewritten(file: Path, target: Path, change: Change) -> Path:
    """Write an archive with other members, and with a matching manifest unless that is changed as well."""
    with zipfile.ZipFile(file) as opened:
        members = [(info, opened.read(info)) for info in opened.infolist() if info.filename != MANIFEST]
        manifest = json.loads(opened.read(MANIFEST))
    change(members, manifest)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as written:
        for info, content in members:
            written.writestr(info, content)
        written.writestr(MANIFEST, json.dumps(manifest))
    return target


def entry(content: bytes) -> dict[str, Any]:
    """Return the manifest entry of a member."""
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def with_member(file: Path, target: Path, name: str, content: bytes) -> Path:
    """Write an archive with one member replaced, and with a matching manifest."""

    def change(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
        members[:] = [(info, old) for info, old in members if info.filename != name]
        members.append((zipfile.ZipInfo(name), content))
        members[-1][0].compress_type = zipfile.ZIP_DEFLATED
        manifest["members"][name] = entry(content)
        if name == CATALOG:
            with suppress(LibraryError, sqlite3.Error):  # an unreadable catalogue leaves the counts unchanged
                manifest["counts"] = _counts(content)

    return rewritten(file, target, change)


def with_catalogue(file: Path, target: Path, content: bytes) -> Path:
    """Write an archive with another catalogue; the manifest has its counts, if it is readable."""
    return with_member(file, target, CATALOG, content)


def with_changed_catalogue(file: Path, target: Path, change: Callable[[sqlite3.Connection], None]) -> Path:
    """Write an archive whose catalogue is changed by hand, with matching digests of its rows."""
    with tempfile.TemporaryDirectory() as folder:
        catalogue = Path(folder) / CATALOG
        with zipfile.ZipFile(file) as opened:
            catalogue.write_bytes(opened.read(CATALOG))
        change_file(catalogue, change)
        return with_catalogue(file, target, catalogue.read_bytes())


def change_file(catalogue: Path, change: Callable[[sqlite3.Connection], None]) -> None:
    """Change a catalogue by hand and update the digests of its rows."""
    with closing(sqlite3.connect(catalogue)) as connection:
        add_functions(connection)
        connection.execute("PRAGMA ignore_check_constraints = ON")
        change(connection)
        connection.commit()


def _counts(content: bytes) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library"
        path.mkdir()
        (path / CATALOG).write_bytes(content)
        with Library.open(path) as library:
            return counts_of(library)
