"""Messages between processes over pipes: a count of buffers, their sizes, their contents; pixels travel uncopied."""

from __future__ import annotations

import pickle
from contextlib import suppress
from typing import IO, Any, Final

import numpy as np

_PIPE_BYTES: Final = 1 << 20
_CHUNK: Final = 1 << 20


def send(stream: IO[bytes], data: bytes, buffers: list[memoryview]) -> None:
    """Write a message: what pickle made of it, and the buffers that it left out."""
    sizes = [len(buffers), len(data), *(buffer.nbytes for buffer in buffers)]
    _write(stream, b"".join(size.to_bytes(8, "little") for size in sizes) + data)
    for buffer in buffers:
        _write(stream, buffer)


def _write(stream: IO[bytes], data: bytes | memoryview) -> None:
    view = memoryview(data)
    while view:
        view = view[stream.write(view[:_CHUNK]) :]


def receive(stream: IO[bytes]) -> Any:
    """Return what the next message says; EOFError at the end of the stream."""
    data, buffers = read_message(stream)
    return pickle.loads(data, buffers=buffers)


def read_message(stream: IO[bytes]) -> tuple[memoryview, list[memoryview]]:
    """Return the next message as `send` got it; EOFError at the end of the stream."""
    count, length = (int.from_bytes(_read(stream, 8), "little") for _ in range(2))
    sizes = [int.from_bytes(_read(stream, 8), "little") for _ in range(count)]
    return _read(stream, length), [_read(stream, size) for size in sizes]


def _read(stream: IO[bytes], size: int) -> memoryview:
    view = memoryview(np.empty(size, np.uint8))  # type: ignore[arg-type]
    done = 0
    while done < size:
        got = stream.readinto(view[done : done + _CHUNK])  # type: ignore[attr-defined]
        if not got:
            raise EOFError
        done += got
    return view


def widen(stream: IO[bytes]) -> None:
    """Give a pipe a larger buffer, where that can be said."""
    with suppress(ImportError, OSError, AttributeError):
        import fcntl

        fcntl.fcntl(stream.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
