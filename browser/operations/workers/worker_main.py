# SPDX-License-Identifier: MIT
"""Main loop of a worker process: answer calls one by one within its memory, and end with its parent."""

from __future__ import annotations

import faulthandler
import os
import pickle
import queue
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final, NoReturn

import cv2

from focal_photos.browser.operations.workers.channel import pack, read_message, send
from focal_photos.features.decoding.limits import ImageTooLargeError

SPARE_SECONDS: Final = 10.0
"""Seconds beyond the time limit after which a call ends the process even without the parent."""

RETURNED: Final = "returned"
RAISED: Final = "raised"
UNREADABLE: Final = "unreadable"
"""Outcomes of a call: returned, raised, or unreadable request (with all its calls)."""

_NICENESS: Final = 10


def serve() -> NoReturn:
    """Answer requests from standard input until it ends.

    The first request is the setup, a pickled (function, arguments) or None, which is answered once. Each later one is a
    pickled (function, list of positional arguments, named arguments, seconds): one call for each element of the list,
    each with the time limit and an answer (`RETURNED` or `RAISED`, value).

    The last two of ``sys.argv`` are parameters: the memory in bytes, and 1 for a background process.
    """
    memory, background = map(int, sys.argv[-2:])
    cv2.setNumThreads(1)
    requests, answers = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
    with Path(os.devnull).open("r+b") as nowhere:  # output of libraries must not mix with the answers
        os.dup2(nowhere.fileno(), 0)
        os.dup2(nowhere.fileno(), 1)
    if background:
        _give_way()
    _limit_memory(memory)
    waiting: queue.SimpleQueue[memoryview] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    setup = pickle.loads(waiting.get())
    if setup is not None:
        setup[0](*setup[1])
    send(answers, *_packed((RETURNED, None)))
    # the parent reads messages only until now, to report errors of the start
    with Path(os.devnull).open("r+b") as nowhere:
        os.dup2(nowhere.fileno(), 2)  # decoders write complaints about odd files there
    del setup
    while True:
        _answer(waiting.get(), answers)


def _answer(request: memoryview, answers: IO[bytes]) -> None:
    try:
        function, calls, options, seconds = pickle.loads(request)
    except MemoryError:
        os._exit(1)
    except Exception as error:
        send(answers, *_packed((UNREADABLE, error)))
        return
    for arguments in calls:
        answer: tuple[str, Any]
        # If no parent can kill this process, a C thread does, even while a decoder holds the GIL.
        faulthandler.dump_traceback_later(seconds + SPARE_SECONDS, exit=True)
        try:
            answer = RETURNED, function(*arguments, **options)
        except MemoryError:
            answer = RAISED, ImageTooLargeError("The image needs more memory than is available.")
        except Exception as error:
            answer = RAISED, error
        faulthandler.cancel_dump_traceback_later()
        send(answers, *_packed(answer))
        del answer


def _listen(requests: IO[bytes], waiting: queue.SimpleQueue[memoryview]) -> None:
    """Receive requests, and end the process when the parent ends, even during a call."""
    try:
        while True:
            waiting.put(read_message(requests)[0])
    finally:
        os._exit(0)


def _packed(answer: tuple[str, Any]) -> tuple[bytes, list[memoryview]]:
    try:
        return pack(answer)
    except Exception as error:
        return pack((RAISED, RuntimeError(f"{answer[1]!r} cannot travel: {error}")))


def _give_way() -> None:
    """Give priority to the user's work."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    if hasattr(os, "sched_setscheduler"):
        # Linux then does not preempt the window whenever a worker has something to do.
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _limit_memory(memory: int) -> None:
    with suppress(ImportError, OSError, ValueError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
