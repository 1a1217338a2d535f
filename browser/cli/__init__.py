# SPDX-License-Identifier: MIT
"""The command line ``focal``: without a command it opens the window; commands need no Qt.

`commands` has one module per command, with its arguments and implementation. Only the module of the called command is
loaded, and operations are executed on first use (`browser.lazy_imports`), so that help and usage errors are fast.
`grammar` parses, `opening` opens the library, `run` runs the command and reports errors in one line, `terminal` writes.

The parser is argparse's. Click also loads groups lazily, but lacks mutually exclusive options and unique prefixes of
options, and words help and errors differently: it would change the interface for users and scripts, to save the few
lines of `commands.load`.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before all modules that it makes lazy)

import gc
import os
import re
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

from focal_photos.browser.cli.grammar import parse
from focal_photos.browser.cli.interruption import INTERRUPTED, TERMINATED, Interruption
from focal_photos.browser.cli.output import (
    OutputLostError,
    allow_any_text,
    end_streams,
    open_missing_streams,
    say,
    write_out,
)
from focal_photos.browser.cli.visible_text import visible

_GRAPHICS: Final = "apt install libgl1 libegl1 libxcb-cursor0"
_COLLECTIONS: Final = (50_000, 10, 10)
"""Thresholds of garbage collection: loading a command exceeds Python's default of 700 new objects a hundred times, and
none of them are garbage."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``focal``.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; default: those of the process.

    Returns
    -------
    int
        0: success; 1: failure; 2: wrong usage; 3: success, but some output could not be written; 128 plus the signal's
        number: interrupted, or the reader of the output has gone.
    """
    if argv is None:
        open_missing_streams()
    if argv is None and getattr(sys, "frozen", False):
        from focal_photos.browser.operations.workers.frozen import freeze_support

        freeze_support()
    allow_any_text()
    before = gc.get_threshold()
    gc.set_threshold(*_COLLECTIONS)
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
    finally:
        gc.set_threshold(*before)
    if argv is None:
        _leave_at_once_if_needed(code)
    return code


def _leave_at_once_if_needed(code: int) -> None:
    """Exit the process without destroying what a thread may still use; all data is already written and closed."""
    thread = sys.modules.get("focal_photos.browser.operations.jobs.thread")  # if not loaded, nothing was abandoned
    if code in (INTERRUPTED, TERMINATED) or (thread is not None and thread.left_running()):
        os._exit(code)


def _run(argv: Sequence[str]) -> int:
    lost = None
    try:
        code = _parse_and_run(argv)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except OutputLostError as error:
        code, lost = 0, error
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 0
    return end_streams(code, lost)


def _parse_and_run(argv: Sequence[str]) -> int:
    interruption = Interruption()
    with interruption.heard():
        arguments = parse(argv)
        if arguments.command is not None:
            from focal_photos.browser.cli.run import run  # imported late, so that --help loads no numpy

            opens_window = getattr(arguments, "open", False)
            try:
                code = run(arguments, interruption, argv)
            except OutputLostError:
                if not opens_window:
                    raise
                code = 0
            if code or not opens_window:
                return code
            arguments.paths = [arguments.folder]
        elif arguments.version:
            write_out(f"focal {metadata.version('focal-photos')}\n")
            return 0
    return _open_window(arguments.library, arguments.paths)


def _open_window(library: Path | None, paths: Sequence[Path]) -> int:
    for path in paths:
        if not path.exists():
            say(f"focal: {visible(str(path))} is no command, folder or image; see focal --help")
            return 2
    gc.disable()  # loading creates no garbage; a window collects it in the main thread (`browser.tasks.garbage`)
    try:
        from focal_photos.browser.app import run_window  # the only import of Qt by the command line
    except ImportError as error:
        missing = re.match(r"(lib[\w.+-]+): cannot open shared object", str(error))
        if missing is None:
            raise
        say(f"focal: The window needs {missing[1]}, which this system lacks. Install it (Debian: {_GRAPHICS}).")
        return 1
    return run_window(library, [path.absolute() for path in paths])
