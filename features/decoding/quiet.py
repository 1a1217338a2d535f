"""Keeps Pillow's warnings about odd files away from the user while a photo is decoded."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_inside = 0
_saved: warnings.catch_warnings[None] | None = None


@contextmanager
def quiet_pillow() -> Iterator[None]:
    """Ignore warnings that Pillow's own modules raise; those of all other code stay as they are.

    Pillow warns about damaged metadata and about images that it finds large; the photo is then either
    decoded or refused with a typed error, so that the warning tells nobody anything. Python's filters
    belong to the whole process, hence the count: the first thread in sets the filter and the last one out
    takes it back.
    """
    global _inside, _saved  # noqa: PLW0603 - the filters that this guards are global themselves
    with _lock:
        _inside += 1
        if _inside == 1:
            _saved = warnings.catch_warnings()
            _saved.__enter__()
            warnings.filterwarnings("ignore", module=r"PIL\.")
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0 and _saved is not None:
                _saved.__exit__(None, None, None)
                _saved = None
