"""Text files with one photo per line: the path, a tab, and tags separated by commas."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from focal_photos.plugins import FileFormat, FormatError, Reader, Record, TaggedFile


def read(path: Path) -> Iterator[TaggedFile]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise FormatError("{0} cannot be read: {1}.", path, error) from error
    for number, line in enumerate(lines, start=1):
        file, tab, tags = line.partition("\t")
        if not tab:
            raise FormatError("{0}, line {1}: there is no tab.", path, number)
        yield TaggedFile(number, (Path(file),), tuple(filter(None, tags.split(","))))


def write(stream: TextIO, records: Iterable[Record]) -> int:
    lines = [f"{record['path']}\t{','.join(record['tags'])}\n" for record in records]
    stream.writelines(lines)
    return len(lines)


TAGLINES = FileFormat(
    name="taglines",
    title="Tag lines",
    suffixes=(".taglines",),
    tags=Reader(read, "lines with a path, a tab, and tags separated by commas"),
    write_photos=write,
)
