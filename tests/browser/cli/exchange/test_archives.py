# SPDX-License-Identifier: MIT
"""Commands that write and read a whole library as one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album
from tests.guide import documented, fits

NO_BOXES = dict.fromkeys(("boxed", "boxes", "outlines", "clipped", "invalid"), 0)


def test_a_library_is_archived_unpacked_and_merged(
    indexed: Focal, album: Album, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = album.path("warm/0.jpg")
    indexed("tag", photo, "+sea")
    indexed("judge", photo, album.path("warm/1.jpg"), "--similar")
    file = tmp_path / "all.focal.zip"
    counts = {"photos": 10, "tags": 1, "judgements": 1, "boxes": 0, "metrics": 1}
    assert indexed.json("archive", file) == {"file": str(file), "bytes": file.stat().st_size, **counts}
    assert indexed("archive", file, "--with-derived").startswith("10 photos, 1 tags, 1 judgements and 1 metrics in ")
    new = Focal(tmp_path / "new", capsys)
    assert new.json("unpack", file) == {"library": str(new.library), **counts}
    assert new.lines("list", "tag:sea")[0]["path"] == str(photo)
    new("unpack", file, code=1)
    assert "exists already" in new.err
    new("undo")
    new("undo")
    assert new.lines("list", "tag:sea") == []
    assert new.json("merge", file) == {"lines": 11, "changed": 2, "unknown": [], "refused": [], **NO_BOXES}
    (recorded,) = new.json("merge", "--list")["merges"]
    assert (recorded["library"], recorded["file"]) == ("library", "all.focal.zip")
    assert fits(documented("merge")[1], {"merges": [recorded]})
    assert new("merge", "--list").strip().endswith("library (all.focal.zip)")
    new("merge", "--list", file, code=2)
    assert new.json("undo") == {"undone": "Merge all.focal.zip"}
    assert new("merge", "--list").strip() == "No library was merged."
    other = Focal(tmp_path / "other", capsys)
    (tmp_path / "broken.zip").write_bytes(file.read_bytes()[:-100])
    other("unpack", tmp_path / "broken.zip", code=1)
    assert len(other.err.splitlines()) == 1
    assert not other.library.exists()


def test_a_catalogue_is_rebuilt_by_commands(
    indexed: Focal, album: Album, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    indexed("tag", album.path("warm/0.jpg"), album.path("cold/0.jpg"), "+sea", "+a/b")
    indexed("judge", album.path("warm/0.jpg"), album.path("warm/1.jpg"), album.path("cold/1.jpg"), "--dissimilar")
    photos, judgements = tmp_path / "tags.jsonl", tmp_path / "pairs.jsonl"
    indexed("export", "--format", "jsonl", "--output", photos)
    indexed("export", "--format", "jsonl", "--what", "judgements", "--output", judgements)
    new = Focal(tmp_path / "new", capsys)
    new("index", album.folder, "--descriptors", "color_moments")
    assert new.json("tag", "--from-jsonl", photos)["changed"] == 2
    assert new.json("judge", "--from-jsonl", judgements)["changed"] == 3
    assert [one["tags"] for one in new.lines("list")] == [one["tags"] for one in indexed.lines("list")]
    pairs = [
        [(one["focal"], one["other"], one["verdict"]) for one in lib.lines("export", "--what", "judgements")]
        for lib in (new, indexed)
    ]
    assert pairs[0] == pairs[1]
