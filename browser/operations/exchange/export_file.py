# SPDX-License-Identifier: MIT
"""Export photos with their tags, or judgements, to a file for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import replacing
from focal_photos.browser.operations.exchange.file_format import FileFormat
from focal_photos.browser.operations.exchange.records import judgement_records, photo_records
from focal_photos.browser.operations.jobs.errors import OperationError, not_written


def export_photos(library: Library, stream: TextIO, form: FileFormat, *, query: str = "") -> int:
    """Write a record for each photo; return the number of records.

    The records are those of `photo_record`. With ``file_name`` and ``tags``, a table or JSON Lines file can serve as
    ``metadata.csv`` or ``metadata.jsonl`` for Hugging Face's ``imagefolder`` in the photo folder; `import_tags` reads
    it too.

    Parameters
    ----------
    stream : text stream
    query : str
        Only matching photos are written.

    Raises
    ------
    QueryError
        If the query is invalid.
    OperationError
        If the format cannot contain photos.
    """
    if form.write_photos is None:
        raise OperationError("{0} cannot be written for photos: choose another format.", form.title)
    return form.write_photos(stream, photo_records(library, query))


def export_judgements(library: Library, stream: TextIO, form: FileFormat) -> int:
    """Write a record for each judgement; return the number of records.

    Raises
    ------
    OperationError
        If the format cannot contain judgements.
    """
    if form.write_judgements is None:
        raise OperationError("{0} cannot contain judgements: choose another format.", form.title)
    return form.write_judgements(stream, judgement_records(library))


@contextmanager
def output_file(path: Path) -> Iterator[TextIO]:
    """Open a file for an export; an existing file is replaced only when everything is written.

    Parameters
    ----------
    path : pathlib.Path
        Pipes and devices, which cannot be replaced, are written directly.

    Raises
    ------
    OperationError
        If it cannot be written.
    OSError
        Errors with other files inside the block are passed on.
    """
    written = path
    try:
        if path.exists() and not path.is_file():
            with _text_stream(path) as stream:
                yield stream
            return
        with replacing(path, follow_link=True) as written, _text_stream(written) as stream:
            yield stream
    except BrokenPipeError:
        raise  # the reader of a pipe has stopped
    except OSError as error:
        if error.filename is not None and str(error.filename) != str(written):
            raise  # error of another file, which was read
        raise not_written(path, error) from error


def _text_stream(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", errors="surrogateescape", newline="")
