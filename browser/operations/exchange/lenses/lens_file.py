# SPDX-License-Identifier: MIT
"""Format of a lens: a zip file with one metric and its fitted descriptors, without data about photos.

Members: ``manifest.json`` (name, learner, descriptor keys, gain, and size and SHA-256 of every other member),
``metric.npz`` (written by `learners.persistence`) and ``fitted/KEY.npz`` for each vocabulary, mixture or projection of
the descriptors, without which other users could not describe photos for the metric.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.decoding import regular_file

SUFFIX: Final = ".focal-lens"
FORMAT: Final = "focal-lens"
VERSION: Final = 1
METRIC: Final = "metric.npz"
_MANIFEST: Final = "manifest.json"
_MEMBER: Final = re.compile(r"metric\.npz|fitted/[a-z0-9_]{1,80}-\d{1,6}-[0-9a-f]{8}\.npz")
_KEY: Final = re.compile(r"[a-z0-9_]{1,80}-\d{1,6}-[0-9a-f]{8}")
_MOST_BYTES: Final = 256 << 20  # of the file, packed and unpacked
_MOST_MEMBERS: Final = 64
_LONGEST_MANIFEST: Final = 1 << 20
_MOST_HEADER: Final = 1 << 16
_MOST_NUMBERS: Final = 64 << 20  # of all arrays
_KINDS: Final = "biufU"


@dataclass(frozen=True)
class FittedPart:
    """A fitted descriptor: its key, the key before fitting, the number of photos in the sample, and the arrays."""

    key: str
    of: str
    sampled: int
    arrays: Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Lens:
    """A metric in a lens."""

    title: str
    learner: str
    """`title` and `learner`: title for the user, and name in the table of learners."""
    keys: tuple[str, ...]
    """Keys of the descriptors in its space."""
    metric: bytes
    """Content for `learners.persistence.load`."""
    fitted: tuple[FittedPart, ...] = ()
    judgements: int = 0
    tagged: int = 0
    """`judgements` and `tagged`: size of the training data."""
    held_out: Mapping[str, Any] = field(default_factory=dict)
    """Measured gain, see `held_out`; empty if not measured."""


class LensError(OperationError):
    """A file is no lens, is damaged, or has content that Focal's lenses never have."""


def lens_bytes(lens: Lens) -> bytes:
    """Return the file content of a lens."""
    members = {METRIC: lens.metric}
    for part in lens.fitted:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, allow_pickle=False, **part.arrays)
        members[f"fitted/{part.key}.npz"] = buffer.getvalue()
    document = {
        "format": FORMAT,
        "version": VERSION,
        "title": lens.title,
        "learner": lens.learner,
        "descriptors": list(lens.keys),
        "fitted": {part.key: {"of": part.of, "sampled": part.sampled} for part in lens.fitted},
        "judgements": lens.judgements,
        "tagged": lens.tagged,
        "held_out": dict(lens.held_out),
        "members": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in members.items()
        },
    }
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as file:
        file.writestr(_MANIFEST, json.dumps(document, indent=1, allow_nan=False), zipfile.ZIP_DEFLATED)
        for name, content in members.items():
            file.writestr(name, content, zipfile.ZIP_DEFLATED if name == METRIC else zipfile.ZIP_STORED)
    return whole.getvalue()


def read_lens(path: Path) -> Lens:
    """Read a lens, checking all of its content; nothing in it is executed.

    Raises
    ------
    LensError
    """
    try:
        with regular_file.open_regular(path, _MOST_BYTES) as stream:
            content = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise LensError("{0} cannot be read: {1}.", path, error.strerror or error) from error
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            return _read(path, file)
    except LensError:
        raise
    except Exception as error:  # invalid bytes make zip, npy and JSON fail in many ways
        raise _damaged(path, "it is not a lens file") from error


def read_keys(path: Path) -> tuple[str, ...]:
    """Return the descriptor keys of a lens without reading its other parts.

    Raises
    ------
    LensError
    """
    try:
        with zipfile.ZipFile(path) as file:
            return _keys(path, _manifest(path, file, {info.orig_filename: info for info in file.infolist()}))
    except LensError:
        raise
    except Exception as error:  # as in `read_lens`
        raise _damaged(path, "it is not a lens file") from error


def _read(path: Path, file: zipfile.ZipFile) -> Lens:
    infos = {info.orig_filename: info for info in file.infolist()}
    if len(infos) != len(file.infolist()) or len(infos) > _MOST_MEMBERS:
        raise _damaged(path, "it has too many parts, or one twice")
    if sum(info.file_size for info in infos.values()) > _MOST_BYTES:
        raise _damaged(path, f"it would unpack to more than {_MOST_BYTES:,} bytes")
    manifest = _manifest(path, file, infos)
    listed = manifest["members"]
    if set(listed) != set(infos) - {_MANIFEST} or METRIC not in listed or not all(map(_MEMBER.fullmatch, listed)):
        raise _damaged(path, "its parts do not match its list")
    contents = {}
    for name, entry in listed.items():
        with file.open(infos[name]) as stream:
            contents[name] = stream.read(int(entry["bytes"]) + 1)
        if hashlib.sha256(contents[name]).hexdigest() != entry["sha256"]:
            raise _damaged(path, f"{name} is not as it was written")
    _require_sound(path, METRIC, contents[METRIC])
    parts = []
    for key, entry in manifest["fitted"].items():
        name = f"fitted/{key}.npz"
        if name not in contents or not _KEY.fullmatch(_text(path, entry["of"])):
            raise _damaged(path, "its parts do not match its list")
        parts.append(
            FittedPart(key, entry["of"], _count(path, entry["sampled"]), _require_sound(path, name, contents[name]))
        )
    keys = _keys(path, manifest)
    return Lens(
        _text(path, manifest["title"]),
        _text(path, manifest["learner"]),
        keys,
        contents[METRIC],
        tuple(parts),
        _count(path, manifest["judgements"]),
        _count(path, manifest["tagged"]),
        _held_out(path, manifest["held_out"]),
    )


def _keys(path: Path, manifest: Mapping[str, Any]) -> tuple[str, ...]:
    keys = tuple(_text(path, key) for key in manifest["descriptors"])
    if not keys or not all(map(_KEY.fullmatch, keys)):
        raise _damaged(path, "it names no descriptors")
    return keys


def _held_out(path: Path, found: object) -> dict[str, Any]:
    """Return the gain of a metric: a measure, and numbers or None."""
    if not isinstance(found, dict) or len(found) > 20:
        raise _damaged(path, "its improvement is not a table")
    for key, value in found.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
        if not (value in ("order", "precision") if key == "measure" else value is None or is_number):
            raise _damaged(path, "its improvement is not numeric")
    return found


def _manifest(path: Path, file: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo]) -> dict[str, Any]:
    info = infos.get(_MANIFEST)
    if info is None or info.file_size > _LONGEST_MANIFEST:
        raise LensError("{0} is not a lens: choose a file written by focal lens export.", path)
    manifest = json.loads(file.read(info))
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise LensError("{0} is not a lens: choose a file written by focal lens export.", path)
    if type(manifest["version"]) is not int or manifest["version"] < 1:
        raise _damaged(path, "it has no version")
    if manifest["version"] > VERSION:
        raise LensError("{0} was written by a later version of Focal: update Focal to open it.", path)
    return manifest


def _require_sound(path: Path, name: str, content: bytes) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of a member after checking that sizes match and all values are finite numbers or strings."""
    arrays: dict[str, NDArray[np.generic]] = {}
    numbers = 0
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        if len(file.infolist()) > 10_000 or sum(info.file_size for info in file.infolist()) > _MOST_BYTES:
            raise _damaged(path, f"{name} would unpack to too much")
        for info in file.infolist():
            with file.open(info) as stream:
                shape, dtype = _header(stream)
            count = int(np.prod([int(side) for side in shape], dtype=object))
            numbers += count
            if dtype.kind not in _KINDS or count * dtype.itemsize > info.file_size or numbers > _MOST_NUMBERS:
                raise _damaged(path, f"{name} holds arrays that no lens has")
            with file.open(info) as stream:
                array = np.lib.format.read_array(stream, allow_pickle=False)
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise _damaged(path, f"{name} holds what is no number")
            arrays[info.filename.removesuffix(".npy")] = array
    return arrays


def _header(stream: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(stream, max_header_size=_MOST_HEADER)
    return shape, dtype


def _text(path: Path, found: object) -> str:
    if not isinstance(found, str) or not 0 < len(found) <= 200 or not found.isprintable():
        raise _damaged(path, "a name in it is none")
    return found


def _count(path: Path, found: object) -> int:
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < 1 << 53:
        raise _damaged(path, "a number in it is none")
    return found


def _damaged(path: Path, detail: str) -> LensError:
    return LensError("The lens {0} is damaged or was not written by Focal ({1}): nothing was imported.", path, detail)


def names_of(keys: Sequence[str]) -> dict[str, int]:
    """Return names and versions of descriptors, given their keys."""
    return {key.rsplit("-", 2)[0]: int(key.rsplit("-", 2)[1]) for key in keys}
