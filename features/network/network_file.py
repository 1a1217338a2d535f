# SPDX-License-Identifier: MIT
"""Network files: reading, inspection, and identification by digest."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from focal_photos.features.decoding.regular_file import open_regular
from focal_photos.features.network.onnx_file import Graph, read_graph
from focal_photos.text import TextError

MAX_BYTES: Final = (1 << 31) - 1
"""Maximum size in bytes of a protocol buffers message."""


class NetworkError(TextError, ValueError):
    """A network cannot be used; the message is a single line and says what to do."""


def read_file(file: Path | str, what: str = "an ONNX file", most: int = MAX_BYTES) -> bytes:
    """Return the content of a regular file.

    Raises
    ------
    NetworkError
        If it is missing, too large, or cannot be read.
    """
    path = Path(file)
    if not path.exists():
        raise NetworkError("There is no file {0}: give the path of {1}.", path.name, what)
    try:
        with open_regular(path, most) as stream:
            return stream.read()
    except OSError as error:
        raise NetworkError("{0} cannot be read: {1}.", path.name, error.strerror or type(error).__name__) from None


def read_unchanged(file: Path | str, digest: str, label: str) -> bytes:
    """Return the content of a file with a known digest; raises `NetworkError` if the file has changed."""
    data = read_file(file)
    if digest_of(data) != digest:
        raise NetworkError("The file of network {0} has changed: remove the network and add it again.", label)
    return data


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of a file's content, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def graph_of(data: bytes, file: Path | str) -> Graph:
    """Inspect an ONNX file.

    Raises
    ------
    NetworkError
        If it is not an ONNX file, is truncated, or has weights in other files.
    """
    try:
        return read_graph(data)
    except ValueError as error:
        raise NetworkError("{0} cannot be used: {1}.", Path(file).name, error) from None
