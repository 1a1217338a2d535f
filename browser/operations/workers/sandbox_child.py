"""What a process of `apart` does: answer calls, one after the other, within its memory, and end with its parent."""

from __future__ import annotations

import faulthandler
import os
import pickle
import queue
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from browser.operations.workers.messages import read_message, send
from features.decoding.decode import ImageTooLargeError

_SPARE_SECONDS: Final = 10.0  # beyond the limit of a call, after which the child ends itself


def serve() -> None:
    """Answer calls that come through standard input until that ends: what a child does."""
    import cv2

    cv2.setNumThreads(1)
    requests, answers = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
    with Path(os.devnull).open("r+b") as nowhere:  # what a library prints must not get between the answers
        os.dup2(nowhere.fileno(), 0)
        os.dup2(nowhere.fileno(), 1)
    _limit_memory(int(sys.argv[1]))
    waiting: queue.SimpleQueue[memoryview] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    send(answers, *_packed((True, None)))
    while True:
        request = waiting.get()
        answer: tuple[bool, Any]
        try:
            function, args, options, seconds = pickle.loads(request)
            # Should nobody be left who could end this: a thread of C's own does, even if a decoder keeps Python's lock.
            faulthandler.dump_traceback_later(seconds + _SPARE_SECONDS, exit=True)
            answer = True, function(*args, **options)
        except MemoryError:
            answer = False, ImageTooLargeError("The image needs more memory than there is.")
        except Exception as error:
            answer = False, error
        faulthandler.cancel_dump_traceback_later()
        send(answers, *_packed(answer))
        del request, answer


def _listen(requests: IO[bytes], waiting: queue.SimpleQueue[memoryview]) -> None:
    """Take calls, and end the process when the parent is gone, also in the middle of one."""
    try:
        while True:
            waiting.put(read_message(requests)[0])
    finally:
        os._exit(0)


def _packed(answer: tuple[bool, Any]) -> tuple[bytes, list[memoryview]]:
    buffers: list[pickle.PickleBuffer] = []
    try:
        data = pickle.dumps(answer, protocol=5, buffer_callback=buffers.append)
    except Exception as error:
        data, buffers = pickle.dumps((False, RuntimeError(f"{answer[1]!r} cannot travel: {error}"))), []
    return data, [buffer.raw() for buffer in buffers]


def _limit_memory(memory: int) -> None:
    with suppress(ImportError, OSError, ValueError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
