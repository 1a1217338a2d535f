# SPDX-License-Identifier: MIT
from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import ModelProto

from focal_photos.features.network.backends import (
    BackendError,
    BackendName,
    OnnxRuntime,
    available_backends,
    load_backend,
    version_of,
)
from focal_photos.features.network.onnx_file import with_output
from tests.features.network.made_networks import (
    Net,
    _float,
    color_images,
    color_texts,
    image_transformer,
    residual_network,
    text_transformer,
)

RNG = np.random.default_rng(0)
BOTH: tuple[BackendName, ...] = ("onnxruntime", "OpenCV")


def pixels(side: int) -> NDArray[np.float32]:
    return RNG.normal(size=(1, 3, side, side)).astype(np.float32)


CASES: list[tuple[ModelProto, dict[str, NDArray[Any]], str]] = [
    (residual_network(), {"pixels": pixels(32)}, "vector"),
    (residual_network(batch=1), {"pixels": pixels(32)}, "vector"),
    (image_transformer(), {"pixel_values": pixels(32)}, "image_embeds"),
    (image_transformer(batch=1), {"pixel_values": pixels(32)}, "last"),
    (text_transformer(), {"input_ids": RNG.integers(0, 64, (1, 12))}, "text_embeds"),
    (color_images(), {"pixel_values": pixels(16)}, "image_embeds"),
    (color_texts(), {"input_ids": np.array([[2, 1, 3]]), "attention_mask": np.array([[1, 1, 0]])}, "text_embeds"),
]


@pytest.fixture
def threads() -> Iterator[None]:
    before = cv2.getNumThreads()
    yield
    cv2.setNumThreads(before)


@pytest.mark.parametrize(("model", "inputs", "output"), CASES)
def test_both_backends_give_the_same_numbers(model: ModelProto, inputs: dict[str, NDArray[Any]], output: str) -> None:
    onnx.checker.check_model(model)
    one, other = (load_backend(model.SerializeToString(), [name]).run(inputs, output) for name in BOTH)
    assert one.dtype == other.dtype == np.float32
    assert np.abs(one).max() > 0.01
    np.testing.assert_allclose(one, other, atol=1e-4)


def test_values_inside_a_network_are_the_same_too() -> None:
    data, fed = residual_network().SerializeToString(), {"pixels": pixels(32)}
    inner = onnx.load_from_string(data).graph.node[1].output[0]
    found = [load_backend(with_output(data, inner), [name]).run(fed, inner) for name in BOTH]
    assert found[0].shape == (1, 8, 16, 16)
    np.testing.assert_allclose(found[0], found[1], atol=1e-4)


def test_onnxruntime_is_preferred_if_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert available_backends() == BOTH
    data = residual_network().SerializeToString()
    assert load_backend(data).name == "onnxruntime"
    assert all(version_of(name)[0].isdecimal() for name in BOTH)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert available_backends() == ("OpenCV",)
    assert load_backend(data).name == "OpenCV"


def test_opencv_is_tried_if_onnxruntime_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    data = residual_network().SerializeToString()
    newer = onnx.load_from_string(data)
    newer.ir_version = 99
    assert load_backend(newer.SerializeToString()).name == "OpenCV"
    with pytest.raises(BackendError, match=r"^onnxruntime cannot use .*; OpenCV cannot use this network \("):
        load_backend(b"\x08\x08")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(BackendError, match=r"^OpenCV cannot use this network"):
        load_backend(b"\x08\x08")


@pytest.mark.parametrize("name", BOTH)
def test_an_unsuitable_input_is_an_error_in_one_line(name: BackendName) -> None:
    network = load_backend(image_transformer().SerializeToString(), [name])
    with pytest.raises(BackendError) as caught:
        network.run({"pixel_values": np.ones((1, 3), np.float32)}, "image_embeds")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) <= 120


@pytest.mark.parametrize("name", BOTH)
def test_results_are_float_arrays_owned_by_the_caller(name: BackendName) -> None:
    network = load_backend(residual_network().SerializeToString(), [name])
    first = network.run({"pixels": pixels(32)}, "vector")
    kept = first.copy()
    network.run({"pixels": pixels(32)}, "vector")
    np.testing.assert_array_equal(first, kept)
    net = Net()
    net.op("Cast", "x", name="whole", to=onnx.TensorProto.INT64)
    whole = onnx.helper.make_tensor_value_info("whole", onnx.TensorProto.INT64, [1, 3])
    data = net.model([_float("x", 1, 3)], [whole]).SerializeToString()
    with pytest.raises(BackendError, match="no array of floating point numbers"):
        load_backend(data, [name]).run({"x": np.ones((1, 3), np.float32)}, "whole")


def test_inputs_are_converted_to_the_types_of_the_network() -> None:
    net = Net()
    net.op("Identity", "x", name="y")
    half = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT16, [1, 3]) for name in ("x", "y"))
    found = load_backend(net.model([next(half)], [next(half)]).SerializeToString()).run(
        {"x": np.array([[0.5, 1, 2]], np.float32)}, "y"
    )
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, [[0.5, 1, 2]])


def test_the_number_of_threads_follows_opencv(threads: None) -> None:
    data = residual_network().SerializeToString()
    for count in (1, 3):
        cv2.setNumThreads(count)
        assert OnnxRuntime(data).threads == count


def test_onnxruntime_writes_no_files_and_starts_no_telemetry_thread(tmp_path: Path) -> None:
    """Official builds store a device id in the user's cache and report every session, unless that is disabled."""
    (tmp_path / "net.onnx").write_bytes(residual_network().SerializeToString())
    program = (
        "import os, sys; import numpy as np; from pathlib import Path;"
        "from focal_photos.features.network.backends import load_backend;"
        "net = load_backend(Path(sys.argv[1]).read_bytes());"
        "net.run({'pixels': np.zeros((1, 3, 32, 32), np.float32)}, 'vector');"
        "print(net.name, os.environ['ORT_DISABLE_TELEMETRY'])"
    )
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH")}
    told = {**kept, "HOME": str(home), "TMPDIR": str(home), "USERPROFILE": str(home), "LOCALAPPDATA": str(home)}
    told["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[3]), kept.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-B", "-c", program, str(tmp_path / "net.onnx")],
        env=told,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["onnxruntime", "1"]
    assert done.stderr == ""
    assert list(home.rglob("*")) == []
