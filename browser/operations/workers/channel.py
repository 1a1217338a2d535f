# SPDX-License-Identifier: MIT
"""Messages between two processes over pipes: pickles, with large arrays beside them to avoid copies."""

from __future__ import annotations

import pickle
from contextlib import suppress
from typing import IO, Any, Final

import numpy as np

_PIPE_BYTES: Final = 1 << 20
_CHUNK: Final = 1 << 20
_MIN_SEPARATE_BYTES: Final = 1 << 16  # minimum bytes of an array outside the pickle; smaller ones are faster inside


def pack(value: object) -> tuple[bytes, list[memoryview]]:
    """Return a value's pickle, and the contents of its large arrays outside the pickle."""
    large: list[memoryview] = []

    def is_inside(buffer: pickle.PickleBuffer) -> bool:
        content = buffer.raw()
        if content.nbytes < _MIN_SEPARATE_BYTES:
            return True
        large.append(content)
        return False

    return pickle.dumps(value, protocol=5, buffer_callback=is_inside), large


def send(stream: IO[bytes], data: bytes, buffers: list[memoryview]) -> None:
    """Write the result of `pack`: number of buffers, all sizes as 8 bytes each, then the contents."""
    sizes = [len(buffers), len(data), *(buffer.nbytes for buffer in buffers)]
    _write(stream, b"".join(size.to_bytes(8, "little") for size in sizes) + data)
    for buffer in buffers:
        _write(stream, buffer)


def receive(stream: IO[bytes]) -> Any:
    """Return the next value; raises EOFError at the end of the stream."""
    data, buffers = read_message(stream)
    return pickle.loads(data, buffers=buffers)


def read_message(stream: IO[bytes]) -> tuple[memoryview, list[memoryview]]:
    """Return the next message as passed to `send`; raises EOFError at the end of the stream."""
    head = _read(stream, 16)
    count, length = int.from_bytes(head[:8], "little"), int.from_bytes(head[8:], "little")
    sizes = [int.from_bytes(_read(stream, 8), "little") for _ in range(count)]
    return _read(stream, length), [_read(stream, size) for size in sizes]


def enlarge_buffer(stream: IO[bytes]) -> None:
    """Enlarge the buffer of a pipe, if the system supports it."""
    with suppress(ImportError, OSError, AttributeError):
        import fcntl

        fcntl.fcntl(stream.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _write(stream: IO[bytes], data: bytes | memoryview) -> None:
    view = memoryview(data)
    while view:
        view = view[stream.write(view[:_CHUNK]) :]


def _read(stream: IO[bytes], size: int) -> memoryview:
    view = memoryview(np.empty(size, np.uint8))  # type: ignore[arg-type]
    done = 0
    while done < size:
        got = stream.readinto(view[done : done + _CHUNK])  # type: ignore[attr-defined]
        if not got:
            raise EOFError
        done += got
    return view
