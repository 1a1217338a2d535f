# SPDX-License-Identifier: MIT
"""Text files with a line per photo: its path, a tab, and its tags."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from focal_photos.plugins import (
    FileFormat,
    FormatError,
    Reader,
    Record,
    TaggedFile,
)


def read(path: Path) -> Iterator[TaggedFile]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        message = "{0} cannot be read: {1}."
        raise FormatError(message, path, error) from error
    for number, line in enumerate(lines, start=1):
        file, tab, tags = line.partition("\t")
        if not tab:
            message = "{0}, line {1}: there is no tab."
            raise FormatError(message, path, number)
        names = tuple(filter(None, tags.split(",")))
        yield TaggedFile(number, (Path(file),), names)


def write(stream: TextIO, records: Iterable[Record]) -> int:
    count = 0
    for record in records:
        tags = ",".join(record["tags"])
        stream.write(f"{record['path']}\t{tags}\n")
        count += 1
    return count


TAGLINES = FileFormat(
    name="taglines",
    title="Tag lines",
    suffixes=(".taglines",),
    tags=Reader(read, "lines with a path, a tab, and tags"),
    write_photos=write,
)
