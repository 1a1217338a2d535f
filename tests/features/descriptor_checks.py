# SPDX-License-Identifier: MIT
"""A check of the descriptors in the table that those of plug-ins need not pass; `focal_photos.testing` has the rest."""

from __future__ import annotations

import re

from focal_photos.features.table import DESCRIPTORS, LOCAL_DESCRIPTORS
from focal_photos.testing.descriptor_checks import AnyDescriptor


def check_in_table(descriptor: AnyDescriptor) -> None:
    """The version is that of the table, and the source has a year."""
    tabled = DESCRIPTORS.get(descriptor.name) or LOCAL_DESCRIPTORS[descriptor.name]
    assert tabled.version == descriptor.version
    assert re.search(r" \d{4}$", descriptor.source)
