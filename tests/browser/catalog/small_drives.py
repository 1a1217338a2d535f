# SPDX-License-Identifier: MIT
"""Operations that memory cards and network drives refuse and a local disk supports."""

from __future__ import annotations

import errno
import os
import stat
from typing import Any

import pytest


def refuse(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Make the system refuse dates (``utime``), permissions (``chmod``) or ``fsync of folders``, as some drives do."""
    if what == "fsync of folders":
        fsync = os.fsync

        def refusing(descriptor: int) -> None:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
            fsync(descriptor)

        monkeypatch.setattr(os, "fsync", refusing)
    else:

        def denied(*_: Any, **__: Any) -> None:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

        monkeypatch.setattr(os, what, denied)
