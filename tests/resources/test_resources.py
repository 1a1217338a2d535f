from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from focal_photos.resources import icon, icon_names, path


def test_icons_are_found_and_are_svg() -> None:
    names = icon_names()
    assert names == sorted(names)
    assert names
    for name in names:
        assert icon(name) == path(f"icons/{name}.svg")
        assert ElementTree.parse(icon(name)).getroot().tag.endswith("svg")


@pytest.mark.parametrize("name", ["nothing.svg", "icons", "", "../features/base.py", "/etc/passwd", "icons//focal.svg"])
def test_a_missing_resource_is_refused(name: str) -> None:
    with pytest.raises(FileNotFoundError, match="no resource"):
        path(name)
