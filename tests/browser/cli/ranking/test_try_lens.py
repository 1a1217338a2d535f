# SPDX-License-Identifier: MIT
"""``focal lens try FILE``."""

from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from tests.browser.cli.command_line import Focal
from tests.browser.copies import copied
from tests.browser.operations.striped import KINDS, make


def test_a_lens_is_tried_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(tmp_path / "first", tmp_path / "photos", 36)
    focal = Focal(tmp_path / "first", capsys)
    copied(tmp_path / "first", tmp_path / "second")
    focal("train", "--learner", "kernel", "--keep")
    lens = tmp_path / "mine.focal-lens"
    focal("lens", "export", "kernel-1", lens)
    focal("lens", "try", lens, code=1)
    assert "was trained in this library" in focal.err
    other = Focal(tmp_path / "second", capsys)
    with Library.open(other.library) as library:
        for kind in KINDS:
            library.tags.change(library.photos.ids(f"path:{kind}"), [], KINDS)
    nothing = other.json("lens", "try", lens)
    assert (nothing["photos"], nothing["verdict"], nothing["gain"]) == (0, None, None)
    assert "too few tags and judgements" in other("lens", "try", lens)
    with Library.open(other.library) as library:
        for kind in KINDS:
            library.tags.change(library.photos.ids(f"path:{kind}"), [kind])
    found = other.json("lens", "try", lens)
    assert (found["title"], found["against"]) == ("Kernel metric (v1)", "Euclidean")
    assert (found["photos"], found["tagged"], found["fair"]) == (36, 36, True)
    assert found["gain"] == pytest.approx(found["score"] - found["other"], abs=1e-4)
    assert found["low"] < found["gain"] < found["high"]
    assert found["verdict"] == ("better" if found["low"] > 0 else "worse" if found["high"] < 0 else "unknown")
    assert found["gain"] > 0
    assert "of a similar and a dissimilar photo" in other("lens", "try", lens)
    assert other.json("metrics")["current"] == "euclidean"
    for words in (("again",), ("--format", "onnx")):
        other("lens", "try", lens, *words, code=2)
        assert "name one file" in other.err
