# SPDX-License-Identifier: MIT
"""Read the lines of a text file of any length."""

from __future__ import annotations

import io
from collections.abc import Generator
from pathlib import Path
from typing import Final

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.decoding import regular_file

MAX_LINE_LENGTH: Final = 16 << 20
"""Maximum length of a line in characters."""


def text_lines(path: Path) -> Generator[str, None, None]:
    """Yield the lines of a file with their line ends, holding only one in memory.

    Parameters
    ----------
    path : pathlib.Path
        UTF-8, with or without a byte order mark; other bytes become lone surrogates.

    Raises
    ------
    OperationError
        If the file cannot be read, is no regular file, or has a line of more than `MAX_LINE_LENGTH` characters.
    """
    try:
        with io.TextIOWrapper(regular_file.open_regular(path), "utf-8-sig", "surrogateescape", newline="") as stream:
            number = 0
            while line := stream.readline(MAX_LINE_LENGTH + 1):
                number += 1
                if len(line) > MAX_LINE_LENGTH:
                    raise OperationError(
                        "{0} is no table: line {1} has more than {2:,} characters.", path, number, MAX_LINE_LENGTH
                    )
                yield line
    except OSError as error:
        raise OperationError("{0} cannot be read: {1}.", path, error.strerror or error) from error
