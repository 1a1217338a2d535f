# SPDX-License-Identifier: MIT
"""A metric as an ONNX graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.exchange.lenses.portable.portable_metric import PortableMetric
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.learners.core.map_steps import MapStep

INPUT: Final = "descriptors"
OUTPUT: Final = "embedding"
_OPERATORS: Final = 17  # version of the operator set; onnxruntime 1.13 and later have it
_FORMAT: Final = 8  # version of the file format


def require_onnx() -> None:
    """Raise OperationError if the package onnx is missing."""
    try:
        import onnx  # noqa: F401
    except ImportError as error:
        raise OperationError(
            "ONNX files need the package onnx: install it, or install Focal with its extra onnx."
        ) from error


def write_onnx(metric: PortableMetric, path: Path, facts: Mapping[str, str]) -> None:
    """Write a metric as an ONNX graph.

    Its input ``descriptors`` is float32 (n, d), its output ``embedding`` float32 (n, r), with any number of photos n.
    In between it computes in float64, as `learners.core.map_steps` requires.

    Parameters
    ----------
    facts : mapping of str to str
        Metadata of the file.

    Raises
    ------
    OperationError
        If the package onnx is missing.
    """
    require_onnx()
    import onnx

    helper, double = onnx.helper, onnx.TensorProto.DOUBLE
    graph = _Graph(onnx)
    values = [graph.node("Cast", [INPUT], to=double)]
    for step in metric.steps.steps:
        values.append(_add(graph, step, [values[number] for number in step.inputs]))
    graph.nodes.append(helper.make_node("Cast", [values[-1]], [OUTPUT], to=onnx.TensorProto.FLOAT))
    single = onnx.TensorProto.FLOAT
    made = helper.make_graph(
        graph.nodes,
        "focal_metric",
        [helper.make_tensor_value_info(INPUT, single, ["photos", metric.width])],
        [helper.make_tensor_value_info(OUTPUT, single, ["photos", metric.dimension])],
        graph.arrays,
    )
    model = helper.make_model(
        made, producer_name="Focal", opset_imports=[helper.make_opsetid("", _OPERATORS)], ir_version=_FORMAT
    )
    helper.set_model_props(model, dict(facts))
    onnx.checker.check_model(model, full_check=True)
    path.write_bytes(model.SerializeToString())


class _Graph:
    """Nodes and constant arrays under construction."""

    def __init__(self, onnx: Any) -> None:
        self._onnx = onnx
        self.nodes: list[Any] = []
        self.arrays: list[Any] = []
        self.number_kind = onnx.TensorProto.DOUBLE

    def node(self, kind: str, inputs: list[str], **attributes: Any) -> str:
        """Add a node and return the name of its result."""
        name = f"v{len(self.nodes)}"
        self.nodes.append(self._onnx.helper.make_node(kind, inputs, [name], **attributes))
        return name

    def array(self, array: NDArray[np.generic]) -> str:
        """Add a constant and return its name; floats become float64, and float32 is stored as such."""
        name = f"c{len(self.arrays)}"
        self.arrays.append(self._onnx.numpy_helper.from_array(np.ascontiguousarray(array), name))
        if array.dtype == np.float32:
            return self.node("Cast", [name], to=self._onnx.TensorProto.DOUBLE)
        return name

    def number(self, value: float) -> str:
        """Add a float64 constant and return its name."""
        return self.array(np.array(value, dtype=np.float64))

    def squares(self, x: str) -> str:
        """Return the sums (n, 1) of the squares of rows."""
        return self.node("ReduceSum", [self.node("Mul", [x, x]), self.array(np.array([1]))], keepdims=1)


def _add(graph: _Graph, step: MapStep, inputs: list[str]) -> str:
    """Add the nodes of a step; return the name of their result."""
    x, arrays, numbers = inputs[0], step.arrays, step.numbers
    match step.kind:
        case "columns":
            bounds = (np.array([int(numbers[name])]) for name in ("start", "stop"))
            return graph.node("Slice", [x, *map(graph.array, bounds), graph.array(np.array([1]))])
        case "roots":
            return graph.node("Sqrt", [x])
        case "affine":
            for name, kind in (("centre", "Sub"), ("matrix", "MatMul"), ("offset", "Add")):
                if name in arrays:
                    x = graph.node(kind, [x, graph.array(arrays[name])])
            return x
        case "times":
            return graph.node("Mul", [x, graph.array(arrays["factors"].astype(np.float64))])
        case "rbf":
            squared = _squared_distances(graph, x, arrays["landmarks"])
            return graph.node("Exp", [graph.node("Mul", [squared, graph.number(-numbers["gamma"])])])
        case "laplacian":
            far = graph.node("Sqrt", [_squared_distances(graph, x, arrays["landmarks"])])
            return graph.node("Exp", [graph.node("Mul", [far, graph.number(-1 / numbers["gamma"])])])
        case "sum":
            parts = [
                graph.node("Mul", [part, graph.number(float(weight))])
                for part, weight in zip(inputs, arrays["weights"], strict=True)
            ]
            total = parts[0]
            for part in parts[1:]:
                total = graph.node("Add", [total, part])
            return total
        case "tanh":
            return graph.node("Tanh", [x])
        case "above":
            positive = graph.node("Greater", [x, graph.number(0.0)])
            return graph.node("Cast", [positive], to=graph.number_kind)
        case "unit":
            lengths = graph.node("Sqrt", [graph.squares(x)])
            positive = graph.node("Greater", [lengths, graph.number(0.0)])
            divisor = graph.node("Where", [positive, lengths, graph.number(1.0)])
            scaled = graph.node("Div", [x, divisor])
            return graph.node("Mul", [scaled, graph.number(float(np.sqrt(numbers["squared"])))])
        case "beside":
            return graph.node("Concat", inputs, axis=1)


def _squared_distances(graph: _Graph, x: str, landmarks: NDArray[np.floating]) -> str:
    """Add ``|x - y|^2`` for all landmarks y: float64 (n, m)."""
    marks = landmarks.astype(np.float64)
    centre = marks.mean(axis=0)
    marks -= centre
    own = graph.node("Sub", [x, graph.array(centre)])
    y = graph.node("Sub", [graph.array(landmarks), graph.array(centre)])
    products = graph.node("MatMul", [own, graph.node("Transpose", [y], perm=[1, 0])])
    twice = graph.node("Mul", [products, graph.number(2.0)])
    squares = graph.array(np.einsum("ij,ij->i", marks, marks)[None])
    distances = graph.node("Sub", [graph.node("Add", [graph.squares(own), squares]), twice])
    return graph.node("Max", [distances, graph.number(0.0)])
