"""PySide6, so loaded that modules which are loaded after it cost what they cost without it: import this before them.

PySide6 looks into the source of every module that is loaded from then on for a use of its optional ways of spelling
(``from __feature__ import snake_case``), which nobody here uses. Some 700 files are read, decoded and cut into lines,
and the lines kept for good: a tenth of what a start of the window takes, and 20 MB of memory.
"""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401 - puts its hooks in the place of Python's import

_without_features = getattr(builtins, "__orig_import__", None)
"""What the hook for that calls, which also loads the classes that PySide6 itself makes late."""

if _without_features is not None:
    builtins.__import__ = _without_features
