# SPDX-License-Identifier: MIT
"""Parquet: one row per photo with its tags as a list and its vector as a fixed-size list.

Needs pyarrow, which the extra ``tables`` installs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from focal_photos.browser.operations.exchange.datasets.documents import wrong
from focal_photos.browser.operations.exchange.escapes import escaped, unescaped
from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto, TaggedFile
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.decoding import regular_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROWS: Final = 4096  # rows written and read at once
_MOST_ROWS: Final = 100_000_000
_LARGEST_GROUP: Final = 1 << 30  # unpacked bytes of the read columns in one row group
_READ: Final = ("path", "file_name", "tags", "hash", "rejected", "rating", "label")
_TEXTS: Final = ("path", "file_name", "hash", "label")
_LISTS: Final = ("tags", "rejected")


def _arrow() -> Any:
    try:
        import pyarrow as arrow
        import pyarrow.parquet
    except ImportError as error:
        raise OperationError("Parquet needs pyarrow: run pip install '.[tables]' in Focal's checkout.") from error
    return arrow


def read(path: Path) -> Iterator[TaggedFile]:
    """Yield rows with ``path``, ``file_name`` or ``hash``, and ``tags`` as a list of strings; vectors are not read.

    Raises
    ------
    OperationError
        If the file cannot be read, lacks these columns or would unpack to too much, or pyarrow is not installed.
    """
    arrow = _arrow()

    number = 0
    try:
        with regular_file.open_regular(path) as stream:
            file = arrow.parquet.ParquetFile(
                stream, thrift_string_size_limit=64 << 20, thrift_container_size_limit=1 << 20
            )
            columns = _columns(path, file, arrow)
            for batch in file.iter_batches(_ROWS, columns=columns, use_threads=False):
                for row in batch.to_pylist():
                    number += 1
                    yield _line(number, row)
    except arrow.ArrowException as error:
        raise wrong(path, f"it is no Parquet file, or damaged ({_first_line(error)})") from error
    except OSError as error:
        raise OperationError("{0} cannot be read: {1}.", path, error.strerror or _first_line(error)) from error


def _columns(path: Path, file: Any, arrow: Any) -> list[str]:
    """Return the columns to read, after checking their types and sizes."""
    kinds = {field.name: field.type for field in file.schema_arrow}
    if not {"path", "file_name", "hash"} & kinds.keys() or "tags" not in kinds:
        raise wrong(path, "it needs the columns tags, and path, file_name or hash")
    found = [name for name in _READ if name in kinds]
    types = arrow.types
    text = {arrow.string(), arrow.large_string(), arrow.null()}
    for name in found:
        kind = kinds[name]
        if name in _TEXTS and kind not in text:
            raise wrong(path, f"its column {name} holds no texts")
        if name in _LISTS and not ((types.is_list(kind) or types.is_large_list(kind)) and kind.value_type in text):
            raise wrong(path, f"its column {name} holds no lists of texts")
        if name == "rating" and not (types.is_integer(kind) or types.is_null(kind)):
            raise wrong(path, "its column rating holds no whole numbers")
    if file.metadata.num_rows > _MOST_ROWS:
        raise wrong(path, f"it has more than {_MOST_ROWS:,} rows")
    for group in range(file.metadata.num_row_groups):
        parts = file.metadata.row_group(group)
        chunks = [parts.column(place) for place in range(parts.num_columns)]
        size = sum(one.total_uncompressed_size for one in chunks if one.path_in_schema.split(".")[0] in found)
        if size > _LARGEST_GROUP:
            raise wrong(path, f"a group of its rows would unpack to {size:,} bytes")
    return found


def _line(number: int, row: dict[str, Any]) -> TaggedFile:
    """Return the photo of a row; of its two paths, an absolute one comes first."""
    names = [unescaped(row[key]) for key in ("path", "file_name") if row.get(key) and "\0" not in row[key]]
    files = sorted((Path(name) for name in names), key=lambda file: not file.is_absolute())
    rating = row.get("rating")
    return TaggedFile(
        number,
        tuple(files) or (Path(),),
        _names(row.get("tags")),
        row.get("hash"),
        _names(row.get("rejected")),
        None if rating is None else str(rating),
        None if row.get("label") is None else unescaped(row["label"]),
        any_folder=True,
    )


def _names(found: list[str | None] | None) -> tuple[str, ...]:
    return tuple(unescaped(name) for name in found or () if name is not None)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


class Writer(PhotoWriter):
    """Writes thousands of rows at once, so that few vectors are in memory.

    The header of the file contains the length of the vectors: rows wait for the first photo with a vector.
    """

    def __init__(self, file: Path, media: Media) -> None:
        del media  # photo files are not copied
        self._arrow = _arrow()
        self._file = file
        self._writer: Any = None
        self._dimension = 0
        self._rows: list[ExportedPhoto] = []

    def add(self, photo: ExportedPhoto) -> str:
        """Add one photo."""
        self._rows.append(photo)
        if photo.vector is not None:
            self._dimension = len(photo.vector)
        if len(self._rows) >= _ROWS and self._dimension:
            self._write()
        return ""

    def finish(self) -> None:
        """Write the remaining rows."""
        if self._rows or self._writer is None:
            self._write()

    def close(self) -> None:
        """Close the file."""
        if self._writer is not None:
            self._writer.close()

    def _write(self) -> None:
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._file, self._schema(), compression="zstd")
        for first in range(0, max(1, len(self._rows)), _ROWS):
            self._writer.write_table(self._table(self._rows[first : first + _ROWS]))
        self._rows.clear()

    def _schema(self) -> Any:
        arrow = self._arrow
        text, texts = arrow.string(), arrow.list_(arrow.string())
        fields = {
            "hash": text, "path": text, "file_name": text, "tags": texts, "rejected": texts, "rating": arrow.int8(),
            "label": text, "width": arrow.int32(), "height": arrow.int32(), "taken": arrow.timestamp("s"),
        }  # fmt: skip
        if self._dimension:
            fields["embedding"] = arrow.list_(arrow.float32(), self._dimension)
        return arrow.schema(list(fields.items()))

    def _table(self, rows: Sequence[ExportedPhoto]) -> Any:
        from datetime import datetime

        arrow, schema = self._arrow, self._schema()
        columns = []
        for field in schema:
            if field.name == "embedding":
                columns.append(self._embeddings(rows, field.type))
                continue
            values = [one.record[field.name] for one in rows]
            if field.name == "taken":
                values = [None if one is None else datetime.fromisoformat(one).replace(microsecond=0) for one in values]
            elif field.name in ("path", "file_name", "label"):
                values = [None if one is None else escaped(one) for one in values]
            elif field.name in ("tags", "rejected"):
                values = [[escaped(name) for name in names] for names in values]
            columns.append(arrow.array(values, field.type))
        return arrow.Table.from_arrays(columns, schema=schema)

    def _embeddings(self, rows: Sequence[ExportedPhoto], kind: Any) -> Any:
        known = np.array([one.vector is not None for one in rows], dtype=bool)
        vectors: NDArray[np.float32] = np.zeros((len(rows), self._dimension), np.float32)
        for place, one in enumerate(rows):
            if one.vector is not None:
                vectors[place] = one.vector
        return self._arrow.FixedSizeListArray.from_arrays(vectors.ravel(), type=kind, mask=self._arrow.array(~known))
