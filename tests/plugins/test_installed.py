# SPDX-License-Identifier: MIT
"""The example package is built, installed beside Focal's wheel in an empty environment, and used by commands there."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from focal_photos.resources.demo_album import draw_demo_album
from tests.plugins.conftest import EXAMPLE
from tests.test_wheel import Installation, wheel

__all__ = ["wheel"]  # fixture

NUMBER = 40
"""Photos, enough for several worker processes."""


class Place:
    """An installed Focal with a library."""

    def __init__(self, folder: Path) -> None:
        self.installed = Installation(folder / "python")
        self.library = folder / "library"

    def focal(self, *words: str | Path, code: int = 0) -> str:
        """Run a command and return its output."""
        done = subprocess.run(
            [str(self.installed.python.with_name("focal")), *map(str, words), "--library", str(self.library)],
            cwd=self.installed.elsewhere,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    def document(self, *words: str | Path) -> Any:
        return json.loads(self.focal(*words, "--json"))


@pytest.mark.slow
def test_the_example_package_is_built_installed_and_used(wheel: Path, tmp_path: Path) -> None:
    place, album, source = Place(tmp_path), tmp_path / "album", tmp_path / "source"
    draw_demo_album(album, count=NUMBER)
    shutil.copytree(EXAMPLE, source)
    place.installed.pip("install", "--no-deps", "--no-index", wheel)
    assert place.document("plugins")["plugins"] == []

    # pip builds it with the tools of this environment, and finds what it requires, because nothing comes from an index.
    place.installed.pip("install", "--no-index", "--no-build-isolation", source)
    assert "focal_example" in place.installed.names()
    states = {one["name"]: one["state"] for one in place.document("plugins")["plugins"]}
    assert states == {"row_colors": "ready", "axis-ratio": "ready", "taglines": "ready"}
    checked = place.installed.run("-c", "from focal_photos.testing import check_plugin as c; c('example-for-focal')")
    assert checked.returncode == 0, checked.stderr

    place.focal("index", album)
    place.focal("descriptors", "--on", "row_colors")
    place.focal("index", album, "--workers", "2")
    described = {one["name"]: one["photos"] for one in place.document("descriptors")["descriptors"]}
    assert described["row_colors"] == NUMBER
    photos = sorted(album.rglob("*.jpg"))
    ranked = place.document("rank", photos[0], "--limit", "5")["results"]
    for kind in filter(Path.is_dir, album.iterdir()):
        place.focal("tag", *kind.iterdir(), f"+{kind.name}")
    place.focal("train", "--learner", "axis-ratio", "--keep")
    trained = place.document("rank", photos[0], "--limit", "5")["results"]
    assert [one["distance"] for one in trained] != [one["distance"] for one in ranked]
    assert "axis-ratio" in {one["learner"] for one in place.document("metrics")["metrics"]}
    place.focal("export", "--format", "taglines", "--output", tmp_path / "photos.taglines")
    assert (tmp_path / "photos.taglines").read_text(encoding="utf-8").count("\t") == NUMBER

    place.installed.pip("uninstall", "--yes", "example-for-focal")
    assert place.document("plugins")["absent_descriptors"] == ["row_colors"]
    assert "needs the learner axis-ratio of a plug-in" in place.focal("rank", photos[0], code=1)
    assert len(place.document("rank", photos[0], "--metric", "euclidean", "--limit", "5")["results"]) == 5
