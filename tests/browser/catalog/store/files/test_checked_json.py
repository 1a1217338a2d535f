# SPDX-License-Identifier: MIT
"""Small derived files are read only if they are unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.store.files.checked_json import read_checked, write_checked


def test_a_written_value_is_read_back(tmp_path: Path) -> None:
    content = [["größe", 0.1, None], {"a": [1 << 60, True]}]
    write_checked(tmp_path / "file.json", content)
    assert read_checked(tmp_path / "file.json") == content


def test_any_changed_bit_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_checked(path, [["scale", "7f", 0.125]])
    whole = path.read_bytes()
    for spot in range(len(whole)):
        for bit in range(8):
            path.write_bytes(whole[:spot] + bytes([whole[spot] ^ 1 << bit]) + whole[spot + 1 :])
            # A hexadecimal digit may become a capital letter, which means the same number.
            assert read_checked(path) in (None, [["scale", "7f", 0.125]])
    path.write_bytes(whole[:-1])
    assert read_checked(path) is None


@pytest.mark.parametrize("content", [b"", b"\xff\n", b"[]", b"00000000\n", b"00000000\n[]", b"zz\n1"])
def test_other_files_are_ignored(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file.json").write_bytes(content)
    assert read_checked(tmp_path / "file.json") is None
    assert read_checked(tmp_path / "none.json") is None
