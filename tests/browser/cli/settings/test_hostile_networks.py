# SPDX-License-Identifier: MIT
"""Networks that crash the process that runs them: the command line reports an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.browser.cli.command_line import Focal, focal
from tests.browser.operations.own_descriptors import write_network


def write_deadly_network(file: Path) -> Path:
    """Write a network with a convolution of stride 0, by which OpenCV divides."""
    import numpy as np

    kernels = numpy_helper.from_array(np.ones((5, 3, 3, 3), np.float32), "kernels")
    nodes = [helper.make_node("Conv", ["image", "kernels"], ["map"], strides=[0, 0], pads=[1, 1, 1, 1])]
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 8, 8])
    out = helper.make_tensor_value_info("map", TensorProto.FLOAT, [1, 5, 8, 8])
    graph = helper.make_graph(nodes, "deadly", [image], [out], [kernels])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    file.write_bytes(made.SerializeToString())
    return file


@pytest.mark.slow
def test_a_network_that_kills_its_process_is_refused_by_every_command(indexed: Focal, tmp_path: Path) -> None:
    file = write_deadly_network(tmp_path / "net.onnx")
    library: tuple[str | Path, ...] = ("--library", indexed.library)
    entry = json.dumps([{"name": "net", "file": str(file)}])
    ways: list[list[str | Path]] = [
        ["descriptors", "--add-network", file, "--name", "net"],
        ["settings", "networks", entry],
    ]
    for command in ways:
        done = focal(*command, *library)  # in a separate process, as the network may crash it
        assert done.returncode == 1
        assert "ended the process that tried it" in done.stderr
    write_network(file)
    indexed("descriptors", "--add-network", file, "--name", "net")
    write_deadly_network(file)
    done = focal("index", *library)
    assert done.returncode == 1
    assert "The network net cannot be used" in done.stderr
    indexed("descriptors", "--remove-network", "net")
