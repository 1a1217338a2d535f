"""Small derived files of JSON that are read only where no bit of them has changed."""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from focal_photos.browser.catalog.store.atomic_file import atomic_file


def read_checked(path: Path) -> Any:
    """Return what `write_checked` wrote; None where there is no such file, or it is damaged."""
    with suppress(OSError, ValueError):
        check, _, text = path.read_bytes().partition(b"\n")
        if int(check, 16) == zlib.crc32(text):
            return json.loads(text)
    return None


def write_checked(path: Path, content: Any) -> None:
    """Write a value as JSON, behind the CRC-32 of its text on the first line; the file is complete or what it was.

    Raises
    ------
    OSError
    """
    text = json.dumps(content).encode()
    with atomic_file(path) as stream:
        stream.write(b"%08x\n%b" % (zlib.crc32(text), text))
