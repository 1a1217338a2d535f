# SPDX-License-Identifier: MIT
"""The tags that an annotator gave, by the content of the photos: of a library or of an archive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.records import SuggestionState
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.files.scratch import Scratch
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.archives.archive import PHOTOS, Archive, stem_of
from focal_photos.browser.operations.exchange.archives.unpack_archive import unpack_members
from focal_photos.browser.operations.exchange.json_lines_format import read_tags
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter

_BLOCK: Final = 2000
_STAGE: Final = Text("Reading tags")


@dataclass
class Annotator:
    """The answers of an annotator."""

    name: str
    """Name of the library, or of the archive's file."""
    tags: dict[str, set[str]] = field(default_factory=dict)
    """Tags by the content hash of each photo, also of those without any."""
    rejected: dict[str, set[str]] = field(default_factory=dict)
    """Refused tags by content hash."""


def read_library(library: Library, name: str = "", *, aliases: Mapping[str, str] | None = None) -> Job[Annotator]:
    """Read the answers in an open library.

    Parameters
    ----------
    aliases : mapping of str to str, optional
        Tags by alias, to which names are converted.
    """
    found = Annotator(name or library.name)
    ids = library.photos.ids().tolist()
    meter = Meter(_STAGE, len(ids))
    for start in range(0, len(ids), _BLOCK):
        block = ids[start : start + _BLOCK]
        tags, hashes = library.tags.of(block), library.photos.content_hashes(block)
        refused = library.suggestions.of(block, SuggestionState.REJECTED)
        for photo_id, content in hashes.items():
            _take(found, content, tags[photo_id], [one.tag for one in refused[photo_id]], aliases or {})
        yield meter.advance(len(block))
    return found


def read_annotator(path: Path, *, aliases: Mapping[str, str] | None = None) -> Job[Annotator]:
    """Read the answers in a library's folder, or in an archive; nothing there is changed.

    Parameters
    ----------
    path : pathlib.Path
        Folder of a library, or file written by ``focal archive``.
    aliases : mapping of str to str, optional
        See `read_library`.

    Raises
    ------
    OperationError
        If there is neither; also `ArchiveError` for a damaged archive.
    LibraryError
        If the library cannot be opened.
    """
    if path.is_dir():
        with Library.open(path, read_only=True) as library:
            return (yield from read_library(library, aliases=aliases))
    found = Annotator(stem_of(path.name))
    with Archive(path) as archive, Scratch() as scratch:
        try:
            yield from unpack_members(archive, scratch.path, [PHOTOS])
        except OSError as error:
            raise OperationError("{0} cannot be unpacked: {1}.", path, error.strerror or error) from error
        meter = Meter(_STAGE, archive.counts.get("photos"))
        for line in read_tags(scratch.path / PHOTOS):
            if line.content_hash is not None:
                _take(found, line.content_hash, line.tags, line.rejected, aliases or {})
            if line.line % _BLOCK == 0:
                yield meter.advance(_BLOCK)
    return found


def _take(
    into: Annotator, content: str, tags: Iterable[str], rejected: Iterable[str], aliases: Mapping[str, str]
) -> None:
    """Enter the answers about one photo; invalid names are left out."""
    own = into.tags.setdefault(content, set())
    refused: set[str] = set()
    for names, found in ((tags, own), (rejected, refused)):
        for name in names:
            with suppress(TagNameError):
                name = normalise(name)
                found.add(aliases.get(name, name))
    if refused - own:
        into.rejected.setdefault(content, set()).update(refused - own)
