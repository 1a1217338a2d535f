# SPDX-License-Identifier: MIT
"""Small derived JSON files with a checksum."""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from focal_photos.browser.catalog.store.atomic_file import atomic_file


def read_checked(path: Path) -> Any:
    """Return the value that `write_checked` wrote; None if the file is missing or damaged."""
    with suppress(OSError, ValueError):
        check, _, text = path.read_bytes().partition(b"\n")
        if int(check, 16) == zlib.crc32(text):
            return json.loads(text)
    return None


def write_checked(path: Path, content: Any) -> None:
    """Write a value as JSON, preceded by a line with the CRC-32 of its text; the write is atomic.

    Raises
    ------
    OSError
    """
    text = json.dumps(content).encode()
    with atomic_file(path) as stream:
        stream.write(b"%08x\n%b" % (zlib.crc32(text), text))
