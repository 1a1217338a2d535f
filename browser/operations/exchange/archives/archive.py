# SPDX-License-Identifier: MIT
"""Format of an archive of a whole library: a zip file with the catalogue, metrics, fitted descriptors and tables.

Members: ``manifest.json`` (counts, and size and SHA-256 of every other member), ``README.txt``, ``catalog.sqlite``,
``photos.jsonl`` and ``judgements.jsonl`` (records of `photo_record` and `judgement_records`, one per line),
``searches.jsonl`` and ``aliases.jsonl`` (since version 2: saved searches and aliases of tags), ``trails.jsonl``,
``regions.jsonl``, ``confirmations.jsonl`` and ``text_judgements.jsonl`` (since version 3: saved trails, photo regions,
confirmations and judgements against texts), ``turns.jsonl`` (since version 4: rotations of photos),
``not_duplicates.jsonl`` and ``audit.jsonl`` (since version 6: pairs of photos that are not duplicates, and the audit),
``boxes.jsonl`` (since version 7: boxes of photos), ``region_judgements.jsonl`` and ``rejected_boxes.jsonl`` (since
version 8: judgements of regions, and regions for which a tag was refused), ``metrics/NAME``, ``derived/fitted/NAME``,
and optionally ``derived/vectors/NAME``, ``derived/patches/NAME``, ``derived/codes/NAME`` and
``derived/thumbnails.sqlite``. Before version 5, plain words in searches and trails matched names only. Before version
8, the number of judgements in the manifest left out those against texts.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final

from focal_photos.browser.operations.jobs.errors import OperationError

FORMAT: Final = "focal-archive"
VERSION: Final = 8
MANIFEST: Final = "manifest.json"
README: Final = "README.txt"
CATALOG: Final = "catalog.sqlite"
PHOTOS: Final = "photos.jsonl"
JUDGEMENTS: Final = "judgements.jsonl"
SEARCHES: Final = "searches.jsonl"
ALIASES: Final = "aliases.jsonl"
TRAILS: Final = "trails.jsonl"
REGIONS: Final = "regions.jsonl"
CONFIRMATIONS: Final = "confirmations.jsonl"
TEXT_JUDGEMENTS: Final = "text_judgements.jsonl"
ROTATIONS: Final = "turns.jsonl"
NOT_DUPLICATES: Final = "not_duplicates.jsonl"
AUDIT: Final = "audit.jsonl"
BOXES: Final = "boxes.jsonl"
REGION_JUDGEMENTS: Final = "region_judgements.jsonl"
REJECTED_BOXES: Final = "rejected_boxes.jsonl"
THUMBNAILS: Final = "derived/thumbnails.sqlite"
BLOCK: Final = 1 << 20
"""Number of bytes read and written at once."""

_NAME: Final = re.compile(
    r"README\.txt|catalog\.sqlite"
    r"|(?:photos|judgements|searches|aliases|trails|regions|confirmations|text_judgements|turns|not_duplicates|audit"
    r"|boxes|region_judgements|rejected_boxes)"
    r"\.jsonl"
    r"|derived/thumbnails\.sqlite"
    r"|(?:metrics|derived/fitted|derived/vectors|derived/patches|derived/codes)/[^/\\.\x00-\x1f][^/\\\x00-\x1f]*"
)
_NEEDED: Final = (CATALOG, PHOTOS, JUDGEMENTS)
_TABLE: Final = ".jsonl"
_MOST_MEMBERS: Final = 100_000
_LONGEST_MANIFEST: Final = 64 << 20
_GROWTH: Final = 200
"""Maximum ratio of unpacked to packed size; Focal compresses only text and the catalogue."""
_HARMLESS_BYTES: Final = 64 << 20
"""Number of bytes to which any archive may unpack, regardless of its size."""
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    struct.error,
)


@dataclass(frozen=True)
class Member:
    """One file in an archive: its size in bytes and the SHA-256 of its content, hexadecimal."""

    bytes: int
    sha256: str


class ArchiveError(OperationError):
    """A file is no archive of a library, is damaged, or has content that Focal's archives never have."""


def stem_of(name: str) -> str:
    """Return the name of an archive's file without its suffix."""
    return name.removesuffix(".zip").removesuffix(".focal") or name


class Archive:
    """An archive opened for reading; a context manager.

    The manifest is checked on opening, before anything is unpacked; contents are checked while reading.

    Attributes
    ----------
    version : int
        Version of the format, 1 to `VERSION`.
    counts : dict of str to int
        Numbers of items in the library: ``photos``, ``tags``, ``judgements``, ``boxes``, ``metrics``.
    members : dict of str to Member
    library : str
        Name of the library; empty in archives of older versions.
    merges : list of dict
        Records of the merges of the library, unchecked; see `provenance.merges`.

    Raises
    ------
    ArchiveError
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            if path.exists():
                raise ArchiveError("{0} is no file: name an archive.", path)
            raise ArchiveError("{0} is not there: name an archive.", path)
        with self._checked():
            self._zip = zipfile.ZipFile(path)
        try:
            infos = self._infos()
            manifest = self._manifest(infos)
            self.version = int(manifest["version"])
            self.counts = _counts(manifest.get("counts"))
            self.members = self._members(manifest.get("members"), infos)
            name, merges = manifest.get("library"), manifest.get("merges")
            self.library = name if isinstance(name, str) else ""
            self.merges: list[Any] = merges if isinstance(merges, list) else []
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def blocks(self, name: str) -> Iterator[bytes]:
        """Yield the content of a member in blocks; raises `ArchiveError` at the end if the digest differs."""
        member = self.members[name]
        digest = hashlib.sha256()
        left, lines, last = member.bytes, 0, b"\n"
        with self._checked(), self._zip.open(name) as stream:
            while block := stream.read(BLOCK):
                left -= len(block)
                if left < 0:
                    break
                digest.update(block)
                if name.endswith(_TABLE):
                    # hundreds of millions of empty lines compress to almost nothing, but take minutes to read
                    if b"\n\n" in last + block:
                        raise self._strange(f"{name} has empty lines")
                    lines, last = lines + block.count(b"\n"), block[-1:]
                yield block
        if left or digest.hexdigest() != member.sha256:
            raise self._damaged(f"{name} is not as it was written")
        if name == PHOTOS and lines < self.counts.get("photos", 0):
            raise self._damaged(f"{name} has {lines} lines, and the manifest counts {self.counts['photos']} photos")

    def require_modest(self, name: str, path: Path) -> None:
        """Raise `ArchiveError` if an unpacked member is itself a zip bomb."""
        try:
            with zipfile.ZipFile(path) as inner:
                whole = sum(info.file_size for info in inner.infolist())
        except (*_BROKEN, OSError):
            return  # not a zip file: reading it later fails with a message
        if whole > max(_HARMLESS_BYTES, _GROWTH * path.stat().st_size):
            raise self._strange(f"{_shown(name)} would unpack to {whole} bytes")

    # ------------------------------------------------------------------ details
    def _infos(self) -> dict[str, zipfile.ZipInfo]:
        listed = self._zip.infolist()
        if len(listed) > _MOST_MEMBERS:
            raise self._strange(f"it has {len(listed)} files")
        infos: dict[str, zipfile.ZipInfo] = {}
        for info in listed:
            name = info.orig_filename  # `filename` ends at a zero byte
            if name in infos:
                raise self._strange(f"{_shown(name)} is in it twice")
            if name != MANIFEST and not _NAME.fullmatch(name):
                raise self._strange(f"it holds {_shown(name)}")
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in (0, stat.S_IFREG) or info.is_dir():
                raise self._strange(f"{_shown(name)} is no plain file but a link or the like")
            if info.flag_bits & 1:
                raise self._strange(f"{_shown(name)} is encrypted")
            if info.file_size > max(_HARMLESS_BYTES, _GROWTH * info.compress_size):
                raise self._strange(f"{_shown(name)} would unpack to {info.file_size} bytes")
            infos[name] = info
        whole = sum(info.file_size for info in listed)
        if whole > _HARMLESS_BYTES and whole > _GROWTH * self.path.stat().st_size:
            raise self._strange(f"it would unpack to {whole} bytes")
        return infos

    def _manifest(self, infos: Mapping[str, zipfile.ZipInfo]) -> dict[str, Any]:
        info = infos.get(MANIFEST)
        if info is None or info.file_size > _LONGEST_MANIFEST:
            raise ArchiveError("{0} is not an archive of a library: choose a file written by focal archive.", self.path)
        with self._checked(), self._zip.open(info) as stream:
            text = stream.read(_LONGEST_MANIFEST)
        try:
            manifest = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._damaged("its manifest cannot be read") from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise ArchiveError("{0} is not an archive of a library: choose a file written by focal archive.", self.path)
        version = manifest.get("version")
        if type(version) is int and version > VERSION:
            raise ArchiveError("{0} was written by a later version of Focal: update Focal to open it.", self.path)
        if type(version) is not int or version < 1:
            raise self._damaged("its manifest has no version")
        return manifest

    def _members(self, listed: object, infos: Mapping[str, zipfile.ZipInfo]) -> dict[str, Member]:
        members: dict[str, Member] = {}
        for name, entry in listed.items() if isinstance(listed, dict) else ():
            size, digest = (entry.get("bytes"), entry.get("sha256")) if isinstance(entry, dict) else (None, None)
            if type(size) is not int or not isinstance(digest, str):
                raise self._damaged("its manifest cannot be read")
            members[name] = Member(size, digest)
        missing = sorted({*members, *_NEEDED} - infos.keys()) or sorted(set(_NEEDED) - members.keys())
        if missing:
            raise self._damaged(f"{_shown(missing[0])} is missing")
        more = sorted(infos.keys() - members.keys() - {MANIFEST})
        if more:
            raise self._strange(f"it holds {_shown(more[0])}, of which its manifest says nothing")
        for name, member in members.items():
            if infos[name].file_size != member.bytes:
                raise self._damaged(f"{_shown(name)} has another size than was written")
        return members

    @contextmanager
    def _checked(self) -> Iterator[None]:
        try:
            yield
        except zipfile.BadZipFile as error:
            if not hasattr(self, "_zip"):
                raise ArchiveError("{0} is not an archive, or its end is missing ({1}).", self.path, error) from error
            raise self._damaged(str(error)) from error
        except _BROKEN as error:
            raise self._damaged(str(error) or type(error).__name__) from error
        except OSError as error:
            raise ArchiveError("{0} cannot be read: {1}.", self.path, error.strerror or error) from error

    def _damaged(self, detail: str) -> ArchiveError:
        return ArchiveError(
            "The archive {0} is damaged ({1}): nothing was imported. Use another copy.", self.path, detail
        )

    def _strange(self, detail: str) -> ArchiveError:
        return ArchiveError(
            "{0} was not written by Focal ({1}): nothing was imported. Use an archive written by focal archive.",
            self.path,
            detail,
        )


class ArchiveWriter:
    """Writes the members of an archive, then its manifest.

    Parameters
    ----------
    path : pathlib.Path
        Created or overwritten; use the path from `browser.catalog.store.atomic_file.replacing`.
    """

    def __init__(self, path: Path) -> None:
        self.members: dict[str, Member] = {}
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)

    def add(self, name: str, blocks: Iterator[bytes], *, compressed: bool) -> Iterator[int]:
        """Write a member block by block; yield the number of bytes written after each."""
        if not _NAME.fullmatch(name):
            raise ValueError(f"no archive has a member {name!r}")
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
        info.external_attr = (stat.S_IFREG | 0o644) << 16
        digest, size = hashlib.sha256(), 0
        with self._zip.open(info, "w", force_zip64=True) as stream:
            for block in blocks:
                stream.write(block)
                digest.update(block)
                size += len(block)
                yield size
        self.members[name] = Member(size, digest.hexdigest())

    def finish(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest with the list of members, and close the file."""
        members = {name: {"bytes": one.bytes, "sha256": one.sha256} for name, one in self.members.items()}
        document = {"format": FORMAT, "version": VERSION, **manifest, "members": members}
        self._zip.writestr(MANIFEST, json.dumps(document, indent=1), zipfile.ZIP_DEFLATED)
        self._zip.close()

    def close(self) -> None:
        """Close the file, complete or not."""
        self._zip.close()


def read_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the rest of a file in blocks."""
    read: Callable[[], bytes] = lambda: stream.read(BLOCK)  # noqa: E731
    yield from iter(read, b"")


def fits(name: str) -> bool:
    """Return whether a path in the library's folder is a valid member name."""
    return _NAME.fullmatch(name) is not None


def _counts(found: object) -> dict[str, int]:
    entries = found.items() if isinstance(found, dict) else ()
    return {key: value for key, value in entries if type(value) is int}


def _shown(name: str) -> str:
    return json.dumps(name[:100])
