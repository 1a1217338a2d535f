"""JSON Lines: one JSON object a line, in ASCII."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, TextIO

from browser.operations.exchange.file_format import FileFormat, Record


def write_lines(stream: TextIO, records: Iterable[Record]) -> int:
    """Write one line a record and return how many there were."""
    count = 0
    for record in records:
        stream.write(json.dumps(record) + "\n")
        count += 1
    return count


JSON_LINES: Final = FileFormat(
    name="jsonl",
    title="JSON Lines",
    suffixes=(".jsonl",),
    write_photos=write_lines,
    write_judgements=write_lines,
)
