# SPDX-License-Identifier: MIT
"""Recognition of DICOM files, and whether they can be decoded. Loads no decoder."""

from __future__ import annotations

import importlib.util
from typing import Final

DICOM_SUFFIXES: Final = frozenset({".dcm", ".dicom"})
"""Suffixes of DICOM files, in lower case and with the dot."""

HEAD: Final = 132
"""Number of bytes required to recognize a DICOM file."""

INSTALL: Final = "pip install '.[medical]'"


def is_dicom(head: bytes) -> bool:
    """Return whether a file that begins with these bytes (`HEAD` suffice) is DICOM."""
    return head[128:132] == b"DICM"


def can_decode() -> bool:
    """Return whether pydicom is installed."""
    try:
        return importlib.util.find_spec("pydicom") is not None
    except ValueError:  # raised if the import was blocked
        return False
