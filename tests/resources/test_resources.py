# SPDX-License-Identifier: MIT
from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from focal_photos.resources import icon, path


def test_icons_are_found_and_are_svg() -> None:
    files = sorted(icon("focal").parent.glob("*.svg"))
    assert path("icons/focal.svg") in files
    for file in files:
        assert icon(file.stem) == file
        assert ElementTree.parse(file).getroot().tag.endswith("svg")


@pytest.mark.parametrize("name", ["nothing.svg", "icons", "", "../features/base.py", "/etc/passwd", "icons//focal.svg"])
def test_a_missing_resource_is_refused(name: str) -> None:
    with pytest.raises(FileNotFoundError, match="no resource"):
        path(name)
