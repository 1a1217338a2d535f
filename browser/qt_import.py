# SPDX-License-Identifier: MIT
"""Loads PySide6 without its hook for optional features. Import this module before all others that use Qt.

After PySide6 is loaded, its hook searches the source of every imported module for ``from __feature__ import``, which
Focal does not use. The search reads some 700 files and keeps their lines: a tenth of the window's start-up time and
20 MB of memory.
"""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401 - replaces Python's import by its hooks

_without_features = getattr(builtins, "__orig_import__", None)
"""Python's own import function, which PySide6's hook wraps. It still loads the classes that PySide6 creates late."""

if _without_features is not None:
    builtins.__import__ = _without_features
