"""The command line: ``focal``. Bare, it opens the window; with a command, it needs no Qt.

`commands` has a module for each command, with its arguments beside what it does. Only the one that is called is loaded,
and it imports what loads numpy where it runs, so that help and errors of use are there at once. `grammar` parses,
`opening` opens the library, `run` runs the command and puts what goes wrong into one line, `terminal` writes.

The grammar is argparse's. Click loads groups lazily too, but it has no options that exclude each other, takes no unique
beginnings of options, and words its help and its errors in its own way: a dependency that changes what people and
scripts see, for the few lines of `commands.load`.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import focal_photos.browser.environment  # noqa: F401 - before anything that loads numpy
from focal_photos.browser.cli.grammar import parse
from focal_photos.browser.cli.interruption import INTERRUPTED, Interruption
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
"""Objects more than before from which on garbage is looked for: Python's own 700 are reached a hundred times by what a
command loads, none of which is garbage."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``focal``.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process, if not given.

    Returns
    -------
    int
        0 done, 1 failed, 2 wrong use, 3 done but not all of the output could be written; 128 and the signal's number
        after an interruption, and where whoever read the output has gone.
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
    """End the process under computations that were left to themselves: all that is to be kept is written and closed."""
    thread = sys.modules.get("focal_photos.browser.operations.jobs.thread")  # what was not loaded has left nothing
    if thread is not None and thread.left_running():
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
            from focal_photos.browser.cli.run import run  # here, so that --help loads no numpy

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
            from importlib.metadata import version  # here: it loads e-mail

            write_out(f"focal {version('focal-photos')}\n")
            return 0
    return _open_window(arguments.library, arguments.paths)


def _open_window(library: Path | None, paths: Sequence[Path]) -> int:
    for path in paths:
        if not path.exists():
            say(f"focal: {visible(str(path))} is no command, folder or image; see focal --help")
            return 2
    gc.disable()  # nothing that is loaded is garbage; `browser.app.freeze_loaded_objects` turns it on again
    try:
        from focal_photos.browser.app import run_window  # the only way from here to Qt
    except ImportError as error:
        missing = re.match(r"(lib[\w.+-]+): cannot open shared object", str(error))
        if missing is None:
            raise
        say(f"focal: The window needs {missing[1]}, which this system lacks. Install it (Debian: {_GRAPHICS}).")
        return 1
    return run_window(library, [path.absolute() for path in paths])
