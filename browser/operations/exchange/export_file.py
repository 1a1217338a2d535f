"""Write photos with their tags, or judgements, as a file that other programs read."""

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
    """Write a record of each photo and return how many there were.

    What is written is `photo_record`. ``file_name`` and ``tags`` make a table or JSON Lines what Hugging Face's
    ``imagefolder`` reads as ``metadata.csv`` or ``metadata.jsonl`` in the photo folder; `import_tags` reads it too.

    Parameters
    ----------
    library : Library
    stream : text stream
    form : FileFormat
    query : str
        Only photos that match.

    Raises
    ------
    QueryError
        The query cannot be understood.
    OperationError
        The format cannot hold photos.
    """
    if form.write_photos is None:
        raise OperationError(f"{form.title} is not written for photos: choose another format.")
    return form.write_photos(stream, photo_records(library, query))


def export_judgements(library: Library, stream: TextIO, form: FileFormat) -> int:
    """Write a record of each judgement and return how many there were.

    Raises
    ------
    OperationError
        The format cannot hold judgements.
    """
    if form.write_judgements is None:
        raise OperationError(f"{form.title} does not hold judgements: choose another format.")
    return form.write_judgements(stream, judgement_records(library))


@contextmanager
def output_file(path: Path) -> Iterator[TextIO]:
    """Open a file for an export: what was there stays until everything is written.

    Parameters
    ----------
    path : pathlib.Path
        A pipe or a device, which cannot be replaced, is written to as it is.

    Raises
    ------
    OperationError
        It cannot be written.
    OSError
        What goes wrong with another file inside the block stays as it is.
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
        raise  # who reads a pipe has seen enough
    except OSError as error:
        if error.filename is not None and str(error.filename) != str(written):
            raise  # of another file, which was read
        raise not_written(path, error) from error


def _text_stream(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", errors="surrogateescape", newline="")
