# SPDX-License-Identifier: MIT
"""``.npz`` for numpy scripts: vectors with tags as a 0/1 matrix, or judgements as pairs and triplets of rows.

Photos: ``vectors`` (n, d) float32, ``tags`` (n, t) uint8, ``tag_names`` (t,), ``hashes`` and ``paths`` (n,).

Judgements: the same without tags, for judged photos, ``pairs`` (m, 2) of their rows, the focal image first, ``similar``
(m,) with 1 and -1, and ``triplets`` (k, 3): a focal image, a photo that is nearer to it, and one that is less near, by
relative judgements or because the first is similar and the second is not. With the vectors as the preprocessor, these
are metric-learn's pairs, y and triplets. ``relative`` (t, 3) are the relative judgements alone, ``visual`` (v, 2) the
pairs that look alike. There are no object arrays and therefore no pickles.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from focal_photos.browser.operations.exchange.datasets.documents import wrong
from focal_photos.browser.operations.exchange.file_contents import (
    ExportedJudgements,
    ExportedPhoto,
    JudgedPair,
    TaggedFile,
)
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.decoding import regular_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_TRIPLETS: Final = 1_000_000
"""Maximum number of triplets: relative judgements, then those of the first focal images."""

_MAX_BYTES: Final = 2 << 30  # bytes of all arrays read
_MOST_HEADER: Final = 1 << 16


def read_tags(path: Path) -> Iterator[TaggedFile]:
    """Yield the tags of each row; errors as for `_arrays`."""
    found = _arrays(path, "tags", "tag_names", "hashes", "paths")
    names, files = _texts(path, found, "tag_names"), _places(path, found)
    matrix = found.get("tags")
    if matrix is None or matrix.ndim != 2 or matrix.dtype.kind not in "bui":
        raise wrong(path, "it has no tags as a matrix of 0 and 1")
    if matrix.shape != (len(files), len(names)):
        raise wrong(path, f"tags are {matrix.shape}, of {len(files)} photos and {len(names)} names")
    if matrix.size and (matrix.min() < 0 or matrix.max() > 1):
        raise wrong(path, "tags contain values other than 0 and 1")
    for number, (row, (file, content)) in enumerate(zip(matrix, files, strict=True), start=1):
        tags = tuple(names[place] for place in np.flatnonzero(row))
        yield TaggedFile(number, (file,), tags, content, any_folder=True)


def read_judgements(path: Path) -> Iterator[JudgedPair]:
    """Yield pairs, or two for each triplet if there are no pairs; then relations. Errors as for `_arrays`."""
    found = _arrays(path, "pairs", "similar", "triplets", "relative", "visual", "hashes", "paths")
    files = _places(path, found)
    said: list[tuple[tuple[int, ...], str]] = []
    if "pairs" in found:
        pairs = _rows(path, found["pairs"], "pairs", 2, len(files))
        similar = found.get("similar")
        if similar is None or similar.shape != (len(pairs),) or similar.dtype.kind not in "bui":
            raise wrong(path, "similar is no number for each pair")
        said += [
            (pair, "similar" if sign > 0 else "dissimilar") for pair, sign in zip(pairs, similar.tolist(), strict=True)
        ]
    elif "triplets" in found:
        for focal, near, far in _rows(path, found["triplets"], "triplets", 3, len(files)):
            said += [((focal, near), "similar"), ((focal, far), "dissimilar")]
    else:
        raise wrong(path, "it has neither pairs nor triplets")
    for name, width, verdict in (("relative", 3, "nearer"), ("visual", 2, "looks alike")):
        if name in found:
            said += [(group, verdict) for group in _rows(path, found[name], name, width, len(files))]
    for number, (group, verdict) in enumerate(dict.fromkeys(said), start=1):
        (focal_file, focal_hash), (other_file, other_hash), *than = (files[row] for row in group)
        yield JudgedPair(
            number,
            (focal_file,),
            (other_file,),
            verdict,
            focal_hash,
            other_hash,
            tuple(file for file, _ in than),
            than[0][1] if than else None,
        )


def _arrays(path: Path, *wanted: str) -> dict[str, NDArray[Any]]:
    """Return the requested arrays in a file; raises OperationError if unreadable, too large or with objects."""
    try:
        with regular_file.open_regular(path, _MAX_BYTES) as stream, zipfile.ZipFile(stream) as members:
            infos = {info.filename: info for info in members.infolist()}
            found, left = {}, _MAX_BYTES
            for name in wanted:
                info = infos.get(f"{name}.npy")
                if info is None:
                    continue
                with members.open(info) as member:
                    left -= _bytes_of_sound(path, name, member, min(info.file_size, left))
                with members.open(info) as member:
                    found[name] = np.lib.format.read_array(member, allow_pickle=False)
            return found
    except OSError as error:
        raise OperationError("{0} cannot be read: {1}.", path, error.strerror or error) from error
    except OperationError:
        raise
    except Exception as error:  # invalid bytes make zip and npy fail in many ways
        raise wrong(path, "it is no file of numpy's arrays (.npz), or damaged") from error


def _bytes_of_sound(path: Path, name: str, member: Any, most: int) -> int:
    """Return the memory of an array in bytes, if its header claims no more than its data and the limit allow."""
    version = np.lib.format.read_magic(member)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
    if read is None:
        raise wrong(path, f"{name} is of a later version of numpy")
    shape, _, dtype = read(member, max_header_size=_MOST_HEADER)
    if dtype.hasobject:
        raise wrong(path, f"{name} holds objects, which could run as a program")
    count = 1
    for side in shape:
        count *= int(side)
    size: int = count * dtype.itemsize
    if size > most:
        raise wrong(path, f"{name} claims to have {size:,} bytes")
    return size


def _texts(path: Path, found: dict[str, NDArray[Any]], name: str) -> list[str]:
    array = found.get(name)
    if array is None or array.ndim != 1 or array.dtype.kind != "U":
        raise wrong(path, f"it has no {name} as a list of texts")
    return [str(one) for one in array]


def _places(path: Path, found: dict[str, NDArray[Any]]) -> list[tuple[Path, str | None]]:
    """Return file and hash of each row; one of the two may be missing."""
    lists = {name: _texts(path, found, name) for name in ("paths", "hashes") if name in found}
    if not lists:
        raise wrong(path, "it has neither paths nor hashes")
    count = len(next(iter(lists.values())))
    if any(len(one) != count for one in lists.values()):
        raise wrong(path, "paths and hashes differ in number")
    paths, hashes = (lists.get(name, [""] * count) for name in ("paths", "hashes"))
    return [(Path(one), content or None) for one, content in zip(paths, hashes, strict=True)]


def _rows(path: Path, array: NDArray[Any], name: str, width: int, count: int) -> list[tuple[int, ...]]:
    if array.ndim != 2 or array.shape[1] != width or array.dtype.kind not in "ui":
        raise wrong(path, f"{name} are not rows of {width} whole numbers")
    if array.size and (array.min() < 0 or array.max() >= count):
        raise wrong(path, f"{name} refer to rows that do not exist")
    return [tuple(row) for row in array.tolist()]


class Writer(PhotoWriter):
    """Collects vectors and tags of described photos, and writes them at the end."""

    def __init__(self, file: Path, media: Media) -> None:
        del media  # photo files are not copied
        self._file = file
        self._photos: list[ExportedPhoto] = []

    def add(self, photo: ExportedPhoto) -> str:
        """Add one photo."""
        if photo.vector is None:
            return "It is not described."
        self._photos.append(photo)
        return ""

    def finish(self) -> None:
        """Write the file."""
        names = sorted({tag for one in self._photos for tag in one.record["tags"]})
        places = {name: place for place, name in enumerate(names)}
        tags = np.zeros((len(self._photos), len(names)), np.uint8)
        for row, one in enumerate(self._photos):
            tags[row, [places[tag] for tag in one.record["tags"]]] = 1
        _save(self._file, self._photos, tags=tags, tag_names=np.array(names, dtype=np.str_))


def write_judgements(file: Path, judgements: ExportedJudgements) -> int:
    """Write pairs and triplets with the vectors of their photos, except those of photos without vectors.

    Returns the number of judgements written.
    """
    known = np.array([one.vector is not None for one in judgements.photos], dtype=bool)
    rows = np.cumsum(known) - 1

    def described(group: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.asarray(known[group].all(axis=1), dtype=bool)

    kept = described(judgements.pairs)
    pairs, similar = rows[judgements.pairs[kept]].reshape(-1, 2), judgements.similar[kept]
    relative, visual = (
        rows[group[described(group)]].reshape(-1, group.shape[1]).astype(np.int64)
        for group in (judgements.relative, judgements.visual)
    )
    photos = [one for one, is_known in zip(judgements.photos, known, strict=True) if is_known]
    _save(
        file,
        photos,
        pairs=pairs.astype(np.int64),
        similar=np.where(similar, 1, -1).astype(np.int8),
        triplets=np.concatenate([relative, _triplets(pairs, similar)])[:MOST_TRIPLETS],
        relative=relative,
        visual=visual,
    )
    return len(pairs) + len(relative) + len(visual)


def _triplets(pairs: NDArray[np.int64], similar: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return all combinations of a similar and a dissimilar photo of each focal image, int64 (k, 3)."""
    found: list[tuple[int, int, int]] = []
    for focal in np.unique(pairs[:, 0]):
        own = pairs[:, 0] == focal
        near, far = pairs[own & similar, 1], pairs[own & ~similar, 1]
        every = product([int(focal)], near.tolist(), far.tolist())
        found += islice(every, MOST_TRIPLETS - len(found))
    return np.array(found, dtype=np.int64).reshape(-1, 3)


def _save(file: Path, photos: list[ExportedPhoto], **arrays: NDArray[Any]) -> None:
    vectors = np.stack([one.vector for one in photos if one.vector is not None]) if photos else np.empty((0, 0))
    texts = {
        name: np.array([one.record[key] for one in photos], dtype=np.str_)
        for name, key in (("hashes", "hash"), ("paths", "file_name"))
    }
    with file.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, vectors=vectors.astype(np.float32), **texts, **arrays)
