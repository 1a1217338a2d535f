# SPDX-License-Identifier: MIT
"""Open documents of other programs and check the types of their values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.decoding import regular_file

MAX_BYTES: Final = 512 << 20
"""Maximum size of a document in bytes."""


@contextmanager
def opened(path: Path) -> Iterator[BufferedReader]:
    """Open a document.

    Raises
    ------
    OperationError
        If the document is too large or unreadable, also later in the block.
    """
    try:
        with regular_file.open_regular(path, MAX_BYTES) as stream:
            yield stream
    except OSError as error:
        raise OperationError("{0} cannot be read: {1}.", path, error.strerror or error) from error


def wrong(path: Path, detail: str) -> OperationError:
    """Return the error for a file in the wrong format; `detail` is the reason."""
    return OperationError("{0} cannot be read: {1}. Nothing was imported.", path, detail)


def as_object(path: Path, found: Any, what: str) -> dict[str, Any]:
    """Return the JSON object `found`; raise `OperationError` with the name `what` if it is something else."""
    if not isinstance(found, dict):
        raise wrong(path, f"{what} is no object")
    return found


def as_objects(path: Path, found: Any, what: str) -> list[dict[str, Any]]:
    """Return the list of JSON objects `found`; errors as for `as_object`."""
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise wrong(path, f"{what} is no list of objects")
    return found


def as_text(path: Path, found: Any, what: str) -> str:
    """Return the string `found`; raise `OperationError` if it is something else or contains a NUL."""
    if not isinstance(found, str) or "\0" in found:
        raise wrong(path, f"{what} is no text")
    return found
