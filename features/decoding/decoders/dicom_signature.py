"""How DICOM files are told from others, and whether they can be decoded here. Loads no decoder."""

from __future__ import annotations

import importlib.util
from typing import Final

DICOM_SUFFIXES: Final = frozenset({".dcm", ".dicom"})
"""Suffixes, in lower case and with the dot, of files that are DICOM."""

HEAD: Final = 132
"""Bytes that tell a DICOM file."""

INSTALL: Final = "pip install 'focal-photos[medical]'"


def is_dicom(head: bytes) -> bool:
    """Tell whether a file that begins with these bytes (`HEAD` are enough) is DICOM."""
    return head[128:132] == b"DICM"


def can_decode() -> bool:
    """Return whether pydicom is installed."""
    try:
        return importlib.util.find_spec("pydicom") is not None
    except ValueError:  # it was made impossible to import
        return False
