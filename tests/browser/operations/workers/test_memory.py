# SPDX-License-Identifier: MIT
"""The memory limit for photos depends on the machine, the container and the free memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from focal_photos.browser.operations.workers import memory
from focal_photos.browser.operations.workers.memory import decoding_memory, usable_memory

MACHINE = 16 << 30


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"SC_PHYS_PAGES": MACHINE // 4096, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", sizes.__getitem__)
    monkeypatch.setattr(memory, "_CONTAINER", ())


def free(folder: Path, size: int) -> Path:
    file = folder / "meminfo"
    file.write_text(f"MemTotal: {MACHINE >> 10} kB\nMemFree: 12 kB\nMemAvailable:  {size >> 10} kB\n")
    return file


@pytest.mark.parametrize(("text", "usable"), [(str(4 << 30), 3 << 30), ("max", 12 << 30), (str(1 << 63), 12 << 30)])
def test_a_container_has_a_lower_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, usable: int) -> None:
    (tmp_path / "memory.max").write_text(f"{text}\n")
    monkeypatch.setattr(memory, "_CONTAINER", (tmp_path / "nothing", tmp_path / "memory.max"))
    assert usable_memory() == usable


def test_half_of_the_free_memory_is_for_decoding(tmp_path: Path) -> None:
    assert decoding_memory(free(tmp_path, 10 << 30)) == 5 << 30
    assert decoding_memory(free(tmp_path, MACHINE)) == 6 << 30  # at most half of the usable memory
    assert decoding_memory(free(tmp_path, 1 << 30)) == 1 << 30  # enough for one photo
    assert decoding_memory(tmp_path / "nothing") == 6 << 30
    (tmp_path / "odd").write_text("MemAvailable: much\n")
    assert decoding_memory(tmp_path / "odd") == 6 << 30
