# SPDX-License-Identifier: MIT
"""Only regular files below the size limit are opened; opening never blocks on anything else."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import pytest

from focal_photos.features.decoding.regular_file import open_regular


def test_a_file_and_a_link_to_one_are_opened(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"12345")
    link = tmp_path / "b"
    link.symlink_to(file)
    for path in (file, link, str(file), os.fsencode(link)):
        with open_regular(path, 5) as stream:
            assert stream.read() == b"12345"
            assert not os.get_inheritable(stream.fileno())


def test_anything_else_is_refused_immediately(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "link"
    link.symlink_to(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for path in (pipe, link, tmp_path / "socket", Path("/dev/zero"), Path("/dev/tty")):
            with pytest.raises(OSError, match="it is not a regular file") as caught:
                open_regular(path)
            assert caught.value.errno == errno.EINVAL
            assert caught.value.filename == str(path)
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "nothing")


def test_a_file_above_the_size_limit_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "large"
    with file.open("wb") as stream:
        stream.truncate(40 << 30)  # sparse: takes no disk space
    with pytest.raises(OSError, match=r"it has 42,949,672,960 bytes, more than the allowed 1,000") as caught:
        open_regular(file, 1000)
    assert caught.value.errno == errno.EFBIG
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        with pytest.raises(OSError, match="bytes"):
            open_regular(file, 1000)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
