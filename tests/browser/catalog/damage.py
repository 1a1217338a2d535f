# SPDX-License-Identifier: MIT
"""Ways to damage a file."""

from __future__ import annotations

import os
from pathlib import Path

HEADER_DAMAGE = ("flip", "empty", "short", "gone", "text")
"""Kinds of damage, see `spoil_header`, after which no part of a file can be trusted."""


def flip(path: Path, offset: int) -> None:
    with path.open("r+b") as stream:
        stream.seek(offset)
        (byte,) = stream.read(1)
        stream.seek(offset)
        stream.write(bytes([byte ^ 0x10]))


def spoil_header(path: Path, damage: str) -> None:
    if damage == "flip":
        flip(path, 10)
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "short":
        os.truncate(path, 100)
    elif damage == "gone":
        path.unlink()
    else:
        path.write_text("no records" * 1000)
