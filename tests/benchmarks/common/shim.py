# SPDX-License-Identifier: MIT
"""System calls that fail on demand or are logged, by a small library loaded before the C library.

``shim.c`` in this folder is compiled if a C compiler is available. A process started with `run_benchmark` forks a child
for each try (`in_child`), so no new program has to be started.
"""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

REPOSITORY: Final = Path(__file__).parents[3]
_SOURCE: Final = Path(__file__).with_name("shim.c")
_HEAD: Final = struct.Struct("=5q")


class Call(IntEnum):
    """Kinds of calls, numbered as in ``shim.c``."""

    OPEN = 1
    WRITE = 2
    SYNC = 4
    RENAME = 8
    TRUNCATE = 16
    UNLINK = 32
    FOLDER_SYNC = 64
    MARK = 128


EVERY: Final = Call.OPEN | Call.WRITE | Call.SYNC | Call.RENAME | Call.TRUNCATE | Call.UNLINK


@dataclass(frozen=True)
class Written:
    """One logged call; names are relative to the watched folder, and `offset` is the number of a mark."""

    call: Call
    name: str
    target: str
    offset: int
    data: bytes


def can_compile() -> bool:
    """Return whether gcc is available on a system that supports LD_PRELOAD."""
    return sys.platform == "linux" and shutil.which("gcc") is not None


def compile_shim(folder: Path) -> Path:
    """Compile the shim into a folder and return its path."""
    target = folder / "shim.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", "-o", str(target), str(_SOURCE), "-ldl", "-lpthread"]
    subprocess.run(command, check=True)
    return target


class Shim:
    """The shim in this process, which must have been started with it."""

    def __init__(self) -> None:
        path = os.environ.get("LD_PRELOAD", "")
        self._library = ctypes.CDLL(path)
        self._library.shim_seen.restype = ctypes.c_long

    def fail(self, folder: Path, calls: int, number: int, error: int, *, goes_on: bool = False) -> None:
        """Make call `number`, from 0, fail with an error number; with `goes_on`, also all later calls."""
        self._library.shim_begin(os.fsencode(folder), int(calls), ctypes.c_long(number), error, int(goes_on), None)

    def write_down(self, folder: Path, log: Path) -> None:
        """Log all calls on files of a folder."""
        self._library.shim_begin(os.fsencode(folder), int(EVERY), ctypes.c_long(-1), 0, 0, os.fsencode(log))

    def mark(self, number: int) -> None:
        self._library.shim_mark(ctypes.c_long(number))

    def end(self) -> int:
        """Stop failing or logging calls, and return the number of calls."""
        self._library.shim_end()
        return int(self._library.shim_seen())


def read_log(path: Path) -> Iterator[Written]:
    """Yield the calls of a log in order."""
    content = path.read_bytes()
    at = 0
    while at < len(content):
        call, first, second, offset, size = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        parts = []
        for length in (first, second, size if call == Call.WRITE else 0):
            parts.append(content[at : at + length])
            at += length
        yield Written(Call(call), os.fsdecode(parts[0]), os.fsdecode(parts[1]), offset, parts[2])


def run_benchmark(name: str, run: Callable[[], int]) -> int:
    """Call a benchmark in a process with the shim, and return its exit code; without a C compiler, say so."""
    if "LD_PRELOAD" in os.environ:
        return run()
    if not can_compile():
        print("There is no C compiler here: nothing was tried.")
        return 0
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "LD_PRELOAD": str(compile_shim(Path(place))), "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, "-m", f"tests.benchmarks.faults.{name}", *sys.argv[1:]]
        return subprocess.run(command, env=environment, cwd=REPOSITORY, check=False).returncode


def fast_folder() -> str | None:
    """Return a folder in memory for temporary folders, or None."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def in_child(function: Callable[[], Any], seconds: float = 120.0) -> Any:
    """Run a function in a child process and return its result, which must be JSON.

    An exception is returned as ``{"fault": traceback}``; a child that hangs or dies also gives ``{"fault": ...}``.
    """
    reader, writer = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if not child:
        try:
            reader.close()
            try:
                found = function()
            except BaseException:
                found = {"fault": traceback.format_exc()}
            writer.send_bytes(json.dumps(found).encode())
        finally:
            os._exit(0)
    writer.close()
    try:
        if not reader.poll(seconds):
            os.kill(child, 9)
            return {"fault": f"it hung for {seconds:g} s"}
        return json.loads(reader.recv_bytes())
    except EOFError:
        return {"fault": "it died"}
    finally:
        reader.close()
        os.waitpid(child, 0)
