# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
from threading import Thread

import numpy as np
import pytest

from focal_photos.browser.operations.workers.channel import enlarge_buffer, pack, receive, send


def through_a_pipe(values: list[object]) -> list[object]:
    reading, writing = os.pipe()
    with open(reading, "rb", 0) as source, open(writing, "wb", 0) as target:  # noqa: PTH123 - no files
        enlarge_buffer(source)

        def work() -> None:
            for value in values:
                send(target, *pack(value))

        thread = Thread(target=work)
        thread.start()
        received = [receive(source) for _ in values]
        thread.join()
        target.close()
        with pytest.raises(EOFError):
            receive(source)
    return received


def test_arrays_of_all_sizes_and_types_arrive_unchanged() -> None:
    rng = np.random.default_rng(0)
    value = {
        "small": rng.random(3),
        "large": rng.random((200, 100)),
        "larger": rng.integers(0, 256, (3_000_000,), dtype=np.uint8),
        "empty": np.zeros((0, 4), np.float32),
        "turned": rng.random((300, 200)).T,
        "every other": rng.random(50_000)[::2],
        "text": "x" * 3_000_000,
    }
    for found in through_a_pipe([value, None, value])[::2]:
        assert isinstance(found, dict)
        assert list(found) == list(value)
        assert found["text"] == value["text"]
        for name in list(value)[:-1]:
            np.testing.assert_array_equal(found[name], value[name], strict=True)


def test_only_large_arrays_are_sent_outside_the_pickle() -> None:
    assert pack((np.zeros(1000), b"x" * 100_000))[1] == []
    _, buffers = pack((np.zeros(8192), np.ones(8191), np.ones(9000)))
    assert [buffer.nbytes for buffer in buffers] == [65_536, 72_000]


def test_a_truncated_message_ends_the_channel() -> None:
    reading, writing = os.pipe()
    data, buffers = pack(np.zeros(100_000))
    with open(reading, "rb", 0) as source:  # noqa: PTH123 - no file
        with open(writing, "wb", 0) as target:  # noqa: PTH123 - no file
            enlarge_buffer(target)
            send(target, data, buffers)
        whole = os.read(reading, 1 << 20)
    for length in (0, 7, 17, len(data), len(whole) - 1):
        reading, writing = os.pipe()
        with open(reading, "rb", 0) as source:  # noqa: PTH123 - no file
            with open(writing, "wb", 0) as target:  # noqa: PTH123 - no file
                enlarge_buffer(target)
                target.write(whole[:length])
            with pytest.raises(EOFError):
                receive(source)
