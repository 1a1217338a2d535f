# SPDX-License-Identifier: MIT
from __future__ import annotations

import dataclasses
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.network.network import NetworkDescriptor
from focal_photos.features.network.network_file import NetworkError
from focal_photos.features.network.onnx_file import read_graph, with_output
from tests.examples import examples

WIDTH, HEIGHT, CHANNELS = 12, 8, 5
RNG = np.random.default_rng(0)
KERNELS = RNG.normal(size=(CHANNELS, 3, 3, 3)).astype(np.float32)
OFFSETS = RNG.normal(size=CHANNELS).astype(np.float32)
MEAN, SCALE = (100.0, 110.0, 120.0), (0.02, 0.01, 0.03)


def network(
    layout: str = "NCHW", *, size: tuple[Any, Any] = (HEIGHT, WIDTH), batch: Any = 1, pooled: bool = True
) -> bytes:
    """Return a network file: a convolution, ReLU and, if `pooled`, the mean over the image."""
    image = [batch, 3, *size] if layout == "NCHW" else [batch, *size, 3]
    nodes = [] if layout == "NCHW" else [helper.make_node("Transpose", ["image"], ["planes"], perm=[0, 3, 1, 2])]
    first = "image" if layout == "NCHW" else "planes"
    nodes.append(helper.make_node("Conv", [first, "kernels", "offsets"], ["conv"], pads=[1, 1, 1, 1]))
    nodes.append(helper.make_node("Relu", ["conv"], ["map"]))
    output = helper.make_tensor_value_info("map", TensorProto.FLOAT, [batch, CHANNELS, *size])
    if pooled:
        nodes.append(helper.make_node("GlobalAveragePool", ["map"], ["means"]))
        nodes.append(helper.make_node("Flatten", ["means"], ["flat"]))
        output = helper.make_tensor_value_info("flat", TensorProto.FLOAT, [batch, CHANNELS])
    return model(nodes, [helper.make_tensor_value_info("image", TensorProto.FLOAT, image)], [output])


def model(nodes: list[Any], inputs: list[Any], outputs: list[Any]) -> bytes:
    weights = [numpy_helper.from_array(KERNELS, "kernels"), numpy_helper.from_array(OFFSETS, "offsets")]
    graph = helper.make_graph(nodes, "test", inputs, outputs, weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(made)
    return bytes(made.SerializeToString())


def saved(folder: Path, data: bytes, name: str = "network.onnx") -> Path:
    file = folder / name
    file.write_bytes(data)
    return file


def opened(folder: Path, data: bytes | None = None, **options: Any) -> NetworkDescriptor:
    file = saved(folder, network() if data is None else data)
    return NetworkDescriptor.open("tiny", file, **{"mean": MEAN, "scale": SCALE, **options})


def convolved(pixels: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return the convolution (channels, h, w) of an image (h, w, 3) as the network computes it."""
    padded = np.pad(np.asarray(pixels, np.float64), ((1, 1), (1, 1), (0, 0)))
    windows = sliding_window_view(padded, (3, 3), axis=(0, 1))
    result: NDArray[np.float64] = np.einsum("hwcij,ocij->ohw", windows, KERNELS) + OFFSETS[:, None, None]
    return result


def expected(rgb: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the output for a photo of the input size of the network."""
    return np.asarray(np.maximum(convolved((rgb - np.array(MEAN)) * SCALE), 0).mean(axis=(1, 2)))


def photo(seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)


def extract(descriptor: NetworkDescriptor, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    return descriptor.extract(WorkingImage.from_array(rgb))


@pytest.mark.parametrize(("layout", "pooled"), [("NCHW", True), ("NCHW", False), ("NHWC", True)])
def test_agrees_with_numpy(tmp_path: Path, layout: str, pooled: bool) -> None:
    descriptor = opened(tmp_path, network(layout, pooled=pooled), layout=layout)
    assert (descriptor.name, descriptor.dimension) == ("tiny", CHANNELS)
    assert (descriptor.width, descriptor.height) == (WIDTH, HEIGHT)
    for seed in range(3):
        vector = extract(descriptor, photo(seed))
        assert vector.dtype == np.float32
        np.testing.assert_allclose(vector, expected(photo(seed)), rtol=1e-4, atol=1e-4)


def test_an_inner_value_is_the_one_before_layers_are_fused(tmp_path: Path) -> None:
    pixels = (photo() - np.array(MEAN)) * SCALE
    for output, answer in (("conv", convolved(pixels)), ("map", np.maximum(convolved(pixels), 0))):
        vector = extract(opened(tmp_path, output=output), photo())
        np.testing.assert_allclose(vector, answer.mean(axis=(1, 2)), rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(extract(opened(tmp_path, output="flat"), photo()), extract(opened(tmp_path), photo()))


def test_channels_can_be_in_bgr_order(tmp_path: Path) -> None:
    descriptor = opened(tmp_path, channels="BGR", mean=MEAN[::-1], scale=SCALE[::-1])
    np.testing.assert_allclose(extract(descriptor, photo()[..., ::-1].copy()), expected(photo()), rtol=1e-4, atol=1e-4)


def test_crop_takes_the_middle_and_squeeze_the_whole_photo(tmp_path: Path) -> None:
    wide = np.concatenate([photo(1), photo(0), photo(2)], axis=1)
    np.testing.assert_allclose(extract(opened(tmp_path), wide), expected(photo(0)), rtol=1e-4, atol=1e-4)
    squeezed = cv2.resize(wide, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.uint8)
    vector = extract(opened(tmp_path, framing="squeeze"), wide)
    np.testing.assert_allclose(vector, expected(squeezed), rtol=1e-4, atol=1e-4)


@settings(max_examples=examples(40))
@given(st.integers(1, 384), st.integers(1, 384), st.sampled_from(["crop", "squeeze"]))
def test_photos_of_any_shape_are_described(
    tmp_path_factory: pytest.TempPathFactory, height: int, width: int, framing: str
) -> None:
    descriptor = opened(tmp_path_factory.getbasetemp(), framing=framing)
    rgb = np.full((height, width, 3), 77, np.uint8)
    # A flat photo stays flat after any resizing.
    np.testing.assert_allclose(
        extract(descriptor, rgb), expected(np.full((HEIGHT, WIDTH, 3), 77, np.uint8)), rtol=1e-4, atol=1e-4
    )


def test_a_sequence_of_vectors_gives_their_mean(tmp_path: Path) -> None:
    nodes = [helper.make_node("Reshape", ["image", "shape"], ["tokens"])]
    shape = numpy_helper.from_array(np.array([1, 24, 12], np.int64), "shape")
    graph = helper.make_graph(
        nodes,
        "test",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])],
        [helper.make_tensor_value_info("tokens", TensorProto.FLOAT, [1, 24, 12])],
        [shape],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    descriptor = opened(tmp_path, made.SerializeToString(), mean=(0, 0, 0), scale=(1, 1, 1))
    answer = photo().transpose(2, 0, 1).reshape(24, 12).mean(axis=0)
    np.testing.assert_allclose(extract(descriptor, photo()), answer, rtol=1e-5)


def test_the_key_depends_on_content_and_parameters_and_not_on_the_path(tmp_path: Path) -> None:
    descriptor = opened(tmp_path)
    moved = NetworkDescriptor.open("tiny", saved(tmp_path, network(), "elsewhere.onnx"), mean=MEAN, scale=SCALE)
    assert moved.file != descriptor.file
    assert moved == descriptor
    assert moved.key == descriptor.key
    as_settings: Any = {"mean": [100, 110, 120], "scale": list(SCALE)}
    assert opened(tmp_path, **as_settings).key == descriptor.key
    others = [
        opened(tmp_path, mean=(0, 0, 0)),
        opened(tmp_path, channels="BGR"),
        opened(tmp_path, framing="squeeze"),
        opened(tmp_path, output="map"),
        opened(tmp_path, network(pooled=False)),
    ]
    assert len({d.key.digest for d in (descriptor, *others)}) == 6


def test_keys_of_older_libraries_are_unchanged() -> None:
    """Their vectors, and metrics trained on them, are stored under this key."""
    network = NetworkDescriptor("tiny", "/a/b.onnx", "0" * 64, 5, 12, 8, MEAN, SCALE)
    assert str(network.key) == "tiny-1-9b62a880"
    assert dataclasses.replace(network, caption="Mine", share=1.0, unit_length=False, text=None).key == network.key
    assert dataclasses.replace(network, share=0.9).key != network.key
    assert dataclasses.replace(network, unit_length=True).key != network.key


def test_it_is_pickled_by_its_parameters(tmp_path: Path) -> None:
    descriptor = opened(tmp_path)
    vector = extract(descriptor, photo())
    packed = pickle.dumps(descriptor)
    assert len(packed) < 1000
    np.testing.assert_array_equal(extract(pickle.loads(packed), photo()), vector)


def test_a_new_process_notices_a_changed_or_missing_file(tmp_path: Path) -> None:
    # With another label, the network is read as in a new process.
    descriptor = dataclasses.replace(opened(tmp_path), label="changed")
    saved(tmp_path, network(pooled=False))
    with pytest.raises(NetworkError, match="has changed: remove the network"):
        extract(descriptor, photo())
    Path(descriptor.file).unlink()
    with pytest.raises(NetworkError, match=r"no file network\.onnx"):
        extract(descriptor, photo())


def test_threads_may_share_a_network(tmp_path: Path) -> None:
    descriptor = opened(tmp_path)
    photos = [photo(seed) for seed in range(40)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda rgb: extract(descriptor, rgb), photos))
    np.testing.assert_array_equal(found, [extract(descriptor, rgb) for rgb in photos])


def test_files_that_are_not_networks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match=r"no file missing\.onnx"):
        NetworkDescriptor.open("tiny", tmp_path / "missing.onnx")
    with pytest.raises(NetworkError, match="cannot be read: Is a directory"):
        NetworkDescriptor.open("tiny", tmp_path)
    for data in (b"", b"hello world, this is text", b"\x89PNG\r\n\x1a\n" + bytes(64), os.urandom(400)):
        with pytest.raises(NetworkError, match=r"^network\.onnx cannot be used: it is not an ONNX file"):
            opened(tmp_path, data)


def test_a_file_without_read_permission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    file = saved(tmp_path, network())
    monkeypatch.setattr(os, "open", refuse)  # permissions have no effect for some users
    with pytest.raises(NetworkError, match=r"network\.onnx cannot be read: Permission denied"):
        NetworkDescriptor.open("tiny", file)


@settings(max_examples=examples(80))
@given(st.data())
def test_a_file_truncated_anywhere_is_refused(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    whole = network()
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(NetworkError):
        opened(tmp_path_factory.getbasetemp(), whole[:cut])


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (network(), {"width": 16, "height": 8}, "takes images of 12x8 pixels, not 16x8"),
        (network(), {"layout": "NHWC"}, "takes 12 channels with layout NHWC"),
        (network(batch=4), {}, "takes 4 images at a time"),
        (network(size=("h", "w")), {}, "any size: give width and height"),
        (network(), {"output": "nothing"}, "no value 'nothing'; its outputs are flat"),
        (network(), {"scale": (1e38, 1e38, 1e38)}, "scale must be three numbers up to 1e6"),
        (network(), {"mean": (1.0, 2.0)}, "mean must be three numbers"),
        (network(), {"scale": (1.0, float("nan"), 2.0)}, "scale must be three numbers"),
        (network(), {"channels": "GRB"}, "'GRB' is none of RGB, BGR"),
        (network(), {"framing": "stretch"}, "'stretch' is none of crop, squeeze"),
        (network(size=("h", "w")), {"width": 0, "height": 5}, "1 to 4096 pixels"),
    ],
)
def test_invalid_options_are_reported(tmp_path: Path, data: bytes, options: dict[str, Any], message: str) -> None:
    with pytest.raises(NetworkError, match=message) as caught:
        opened(tmp_path, data, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("label", ["", "Tiny", "1st", "a-b", "a/b", "a" * 65, "é"])
def test_names_are_validated(tmp_path: Path, label: str) -> None:
    with pytest.raises(NetworkError, match="cannot be a network's name"):
        NetworkDescriptor.open(label, saved(tmp_path, network()))


def test_an_operation_unknown_to_opencv_is_an_error(tmp_path: Path) -> None:
    node = helper.make_node("NoSuchOperation", ["image"], ["y"], domain="test.nowhere")
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])
    answer = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 5])
    made = helper.make_model(
        helper.make_graph([node], "test", [image], [answer]),
        opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid("test.nowhere", 1)],
        ir_version=8,
    )
    with pytest.raises(NetworkError, match=r"OpenCV cannot use|does not run"):
        opened(tmp_path, made.SerializeToString())


def test_a_network_without_finite_numbers_is_refused(tmp_path: Path) -> None:
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])
    logarithms = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])
    data = model([helper.make_node("Log", ["image"], ["y"])], [image], [logarithms])
    assert opened(tmp_path, data, mean=(-1.0, -1.0, -1.0)).dimension == 3
    with pytest.raises(NetworkError, match="values that are not finite: check its mean"):
        opened(tmp_path, data)


def test_only_networks_from_one_image_to_numbers_are_accepted(tmp_path: Path) -> None:
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])
    flat = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3])
    other = helper.make_tensor_value_info("other", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])
    same = helper.make_tensor_value_info("same", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])
    add, copy = helper.make_node("Add", ["image", "other"], ["same"]), helper.make_node("Relu", ["image"], ["same"])
    with pytest.raises(NetworkError, match="must have one input, an image; this has 2"):
        opened(tmp_path, model([add], [image, other], [same]))
    gray = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, HEIGHT, WIDTH])
    same = helper.make_tensor_value_info("same", TensorProto.FLOAT, [1, 1, HEIGHT, WIDTH])
    with pytest.raises(NetworkError, match="takes 1 channels with layout NCHW, it must be 3"):
        opened(tmp_path, model([copy], [gray], [same]))
    with pytest.raises(NetworkError, match="input has 2 axes, an image has 4"):
        opened(tmp_path, model([copy], [flat], [helper.make_tensor_value_info("same", TensorProto.FLOAT, [1, 3])]))


def test_a_network_with_a_changed_number_of_values_is_refused(tmp_path: Path) -> None:
    wrong = dataclasses.replace(opened(tmp_path), values=3)
    with pytest.raises(NetworkError, match=f"gave {CHANNELS} values instead of 3"):
        wrong.extract(WorkingImage.from_array(np.zeros((HEIGHT, WIDTH, 3), np.uint8)))


def test_title_and_summary_identify_the_network(tmp_path: Path) -> None:
    made = opened(tmp_path)
    assert made.title == "Network tiny"
    assert made.summary == f"What the network network.onnx gives for {WIDTH} x {HEIGHT} pixels"


def test_a_network_of_variable_size_uses_the_given_size(tmp_path: Path) -> None:
    descriptor = opened(tmp_path, network(size=("h", "w"), batch="n"), width=WIDTH, height=HEIGHT)
    np.testing.assert_allclose(extract(descriptor, photo()), expected(photo()), rtol=1e-4, atol=1e-4)


def test_the_file_is_read_like_by_the_onnx_package() -> None:
    data = network("NHWC", size=("h", 300), batch="n")
    graph = read_graph(data)
    assert graph.inputs == {"image": (None, None, 300, 3)}
    assert graph.outputs == ("flat",)
    assert graph.values == {"planes", "conv", "map", "means", "flat"}
    more = onnx.load_from_string(with_output(data, "map"))
    assert [value.name for value in more.graph.output] == ["flat", "map"]
    assert [node.op_type for node in more.graph.node] == ["Transpose", "Conv", "Relu", "GlobalAveragePool", "Flatten"]


def test_weights_listed_as_inputs_are_not_inputs() -> None:
    made = onnx.load_from_string(network())
    made.graph.input.append(helper.make_tensor_value_info("kernels", TensorProto.FLOAT, KERNELS.shape))
    assert list(read_graph(made.SerializeToString()).inputs) == ["image"]


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        graph = read_graph(data)
    except ValueError:
        return
    assert graph.outputs


# ---------------------------------------------------------------- hostile files
def outside(tensor: TensorProto, location: str) -> TensorProto:
    """Return a tensor whose values are in another file."""
    moved = TensorProto()
    moved.CopyFrom(tensor)
    size = len(moved.raw_data)
    moved.ClearField("raw_data")
    moved.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", "0"), ("length", str(size))):
        entry = moved.external_data.add()
        entry.key, entry.value = key, value
    return moved


def test_weights_in_other_files_are_refused_anywhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret.bin"
    secret.write_bytes(KERNELS.tobytes())
    elsewhere = outside(numpy_helper.from_array(KERNELS, "kernels"), str(secret))
    constant = helper.make_node("Constant", [], ["more"], value=elsewhere)
    inner = helper.make_graph([constant], "inner", [], [], [])
    places = []
    for place in ("initializer", "constant", "branch", "sparse", "function", "location only"):
        made = onnx.load_from_string(network())
        if place == "initializer":
            made.graph.initializer[0].CopyFrom(elsewhere)
        elif place == "constant":
            made.graph.node.append(constant)
        elif place == "branch":
            made.graph.node.append(helper.make_node("If", ["flat"], ["more"], then_branch=inner, else_branch=inner))
        elif place == "sparse":
            made.graph.sparse_initializer.add().values.CopyFrom(elsewhere)
        elif place == "function":
            made.functions.add().node.append(constant)
        else:
            made.graph.initializer[0].data_location = TensorProto.EXTERNAL
        places.append(made.SerializeToString())
    for data in places:
        with pytest.raises(NetworkError, match="weights are in other files: save it with its weights inside"):
            opened(tmp_path, data)


def test_weights_declared_as_internal_are_accepted(tmp_path: Path) -> None:
    made = onnx.load_from_string(network())
    made.graph.initializer[0].data_location = TensorProto.DEFAULT
    assert opened(tmp_path, made.SerializeToString()).values == CHANNELS


def test_megabytes_of_zeros_are_refused_at_their_beginning() -> None:
    # No field has the number 0, so nothing after it is read, even if it is a network.
    for data in (bytes(50 << 20), bytes(2) + network(), b"\x07" + network()):
        with pytest.raises(ValueError, match="not an ONNX file"):
            read_graph(data)


@pytest.mark.slow
def test_a_file_with_very_many_small_parts_or_very_deep_nesting_is_refused() -> None:
    many = encoded(7, b"\x10\x01" * 2_000_001)
    with pytest.raises(ValueError, match="more than 2,000,000 parts"):
        read_graph(many)
    deep = b""
    for _ in range(200):  # a graph in an attribute of a node of a graph, nested
        deep = encoded(1, encoded(5, encoded(6, deep)))
    with pytest.raises(ValueError, match="too deep"):
        read_graph(encoded(7, deep))


def encoded(number: int, payload: bytes) -> bytes:
    length, prefix = len(payload), bytearray([number << 3 | 2])
    while length > 127:
        prefix.append(length & 127 | 128)
        length >>= 7
    return bytes([*prefix, length]) + payload
