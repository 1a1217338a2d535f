# SPDX-License-Identifier: MIT
"""Commands in a library whose metric was trained on descriptions of an earlier version."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album
from tests.browser.operations.exchange.test_saved_files import BEFORE


@pytest.fixture
def outdated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Focal, Path]:
    """Return a library from before 1.0.0 and one of its photos."""
    album = Album(tmp_path / "album")
    album.draw_kinds()
    focal = Focal(tmp_path / "library", capsys)
    focal("unpack", BEFORE / "archive_v8.focal")
    focal("index", album.folder)
    return focal, album.path("warm/0.jpg")


def test_each_command_that_needs_the_metric_names_the_command_that_renews_it(
    outdated: tuple[Focal, Path], tmp_path: Path
) -> None:
    focal, photo = outdated
    for command in (
        ("rank", photo),
        ("rank", photo, "--why"),
        ("suggest",),
        ("pick", "--goal", "typical"),
        ("pick", "--goal", f"near:{photo}"),
        ("certify", "--begin"),
        ("list", "similar:warm/0.jpg"),
        ("lens", "compare", "rca-1", "euclidean"),
        ("lens", "export", "rca-1", tmp_path / "rca.focal-lens"),
        ("lens", "export", "rca-1", "--to", tmp_path / "rca"),
        ("export", "--format", "npz", "--vectors", "descriptors:rca-1", "--output", tmp_path / "rca.npz"),
    ):
        focal(*command, code=1)
        assert "train again (focal train --learner rca)" in focal.err, command
    assert "focal metrics --use NAME" in focal.err
    assert "focal train --learner rca" in focal("check", code=1)
    focal("train", "--learner", "rca", "--keep")
    assert str(photo.parent) in focal("rank", photo).splitlines()[0]
