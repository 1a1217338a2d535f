# SPDX-License-Identifier: MIT
"""Helpers that make folders of small files as photos, and a simple scan."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from focal_photos.browser.catalog.facts.records import FileState, FoundFile, Recorded, Root, Vanished
from focal_photos.browser.catalog.library import Library


def content_hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def found(root: Root, name: str | bytes, content: bytes, mtime_ns: int = 1) -> FoundFile:
    return FoundFile(root.id, os.fsencode(name), len(content), mtime_ns, content_hash(content))


def enter(library: Library, folder: Path, names: Iterable[str | bytes]) -> list[int]:
    """Add photos to the library without creating files, each with its name as content; return their ids in order."""
    root = library.roots.add(folder)
    files = [found(root, name, b"content of " + os.fsencode(name)) for name in names]
    recorded = library.files.record(files)
    assert len(recorded.new) == len(files)
    return list(recorded.new)


def write(folder: Path, contents: dict[str, str]) -> None:
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def scan(library: Library, root: Root) -> tuple[Recorded, Vanished, Recorded]:
    """Bring the library up to date with a root; return the new, the vanished and the changed paths."""
    known = library.files.known(root.id)
    fresh: list[FoundFile] = []
    changed: list[FoundFile] = []
    seen: set[bytes] = set()
    top = os.fsencode(root.path)
    for folder, _, names in os.walk(top):
        for name in names:
            full = Path(os.fsdecode(folder), os.fsdecode(name))
            path = os.fsencode(full.relative_to(root.path))
            seen.add(path)
            content = full.read_bytes()
            file = FoundFile(root.id, path, len(content), full.stat().st_mtime_ns, content_hash(content))
            if path not in known or known[path].state is FileState.MISSING:
                fresh.append(file)
            elif (known[path].bytes, known[path].mtime_ns) != (file.bytes, file.mtime_ns):
                changed.append(file)
    gone = [path for path, file in known.items() if path not in seen and file.state is FileState.PRESENT]
    return (
        library.files.record(fresh),
        library.files.mark_missing(root.id, gone),
        library.files.record(changed),
    )


def id_of(library: Library, path: Path) -> int:
    photo = library.photos.by_path(path)
    assert photo is not None
    return photo.id


def names_of(library: Library, ids: Sequence[int]) -> list[str]:
    return [path.name for path in library.photos.paths(ids)]
