"""The lines of a text file that a person or another program wrote, however long it is."""

from __future__ import annotations

import io
from collections.abc import Generator
from pathlib import Path
from typing import Final

from focal_photos.browser.operations.jobs.errors import OperationError

LONGEST: Final = 16 << 20
"""Characters of the longest line that is read."""


def text_lines(path: Path) -> Generator[str, None, None]:
    """Yield the lines of a file with their ends, as they are; never more than one is in memory.

    Parameters
    ----------
    path : pathlib.Path
        UTF-8, with or without a byte order mark; other bytes come as lone surrogates.

    Raises
    ------
    OperationError
        The file cannot be read, is no regular file, or has a line of more than `LONGEST` characters.
    """
    from focal_photos.features.decoding.regular_file import open_regular  # here: --help must load no numpy

    try:
        with io.TextIOWrapper(open_regular(path), "utf-8-sig", "surrogateescape", newline="") as stream:
            number = 0
            while line := stream.readline(LONGEST + 1):
                number += 1
                if len(line) > LONGEST:
                    raise OperationError(f"{path} is no table: line {number} has more than {LONGEST:,} characters.")
                yield line
    except OSError as error:
        raise OperationError(f"{path} cannot be read: {error.strerror or error}.") from error
