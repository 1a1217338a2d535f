# SPDX-License-Identifier: MIT
"""Minimal parsing of ONNX files: reading the inputs, and adding an output.

An ONNX file is a protocol buffers message. The numbers below are the field numbers of ``onnx.proto``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

_MODEL_GRAPH, _MODEL_TRAINING, _MODEL_FUNCTION = 7, 20, 25
_TRAINING_GRAPHS = 1, 2
_FUNCTION_NODE, _FUNCTION_ATTRIBUTE = 7, 11
_GRAPH_NODE, _GRAPH_INITIALIZER, _GRAPH_INPUT, _GRAPH_OUTPUT, _GRAPH_SPARSE = 1, 5, 11, 12, 15
_NODE_OUTPUT, _NODE_ATTRIBUTE = 2, 5
_ATTRIBUTE_TENSORS, _ATTRIBUTE_GRAPHS, _ATTRIBUTE_SPARSE = (5, 10), (6, 11), (22, 23)
_SPARSE_TENSORS = 1, 2
_TENSOR_NAME, _TENSOR_EXTERNAL, _TENSOR_LOCATION = 8, 13, 14
_VALUE_NAME, _VALUE_TYPE = 1, 2
_TYPE_TENSOR = 1
_TENSOR_ELEMENT, _TENSOR_SHAPE = 1, 2
_SHAPE_DIMENSION = 1
_DIMENSION_VALUE = 1
_FLOAT = 1

_Message = Literal["model", "training", "function", "graph", "node", "attribute", "sparse", "tensor"]

_PARTS: dict[_Message, dict[int, _Message]] = {
    "model": {_MODEL_GRAPH: "graph", _MODEL_TRAINING: "training", _MODEL_FUNCTION: "function"},
    "training": dict.fromkeys(_TRAINING_GRAPHS, "graph"),
    "function": {_FUNCTION_NODE: "node", _FUNCTION_ATTRIBUTE: "attribute"},
    "graph": {_GRAPH_NODE: "node", _GRAPH_INITIALIZER: "tensor", _GRAPH_SPARSE: "sparse"},
    "node": {_NODE_ATTRIBUTE: "attribute"},
    "attribute": {
        **dict.fromkeys(_ATTRIBUTE_TENSORS, "tensor"),
        **dict.fromkeys(_ATTRIBUTE_GRAPHS, "graph"),
        **dict.fromkeys(_ATTRIBUTE_SPARSE, "sparse"),
    },
    "sparse": dict.fromkeys(_SPARSE_TENSORS, "tensor"),
    "tensor": {},
}
"""For each kind of message, the fields that may contain tensors."""

_MOST_FIELDS = 2_000_000
_MAX_DEPTH = 64

_Field = tuple[int, int, memoryview]


@dataclass(frozen=True)
class Graph:
    """Inputs and outputs of the network in an ONNX file."""

    inputs: dict[str, tuple[int | None, ...]]
    """Shapes of the inputs that are not weights; None for a free dimension."""
    outputs: tuple[str, ...]
    """Names of the outputs, in the order of the file."""
    values: frozenset[str]
    """Names of all layer outputs."""


def read_graph(data: bytes) -> Graph:
    """Read inputs and outputs of a network.

    Parameters
    ----------
    data : bytes
        Content of the file.

    Raises
    ------
    ValueError
        If it is not an ONNX file, is truncated, or names other files, because OpenCV would open any file named.
    """
    reader = _Reader()
    try:
        reader.read(memoryview(data))
    except (IndexError, UnicodeDecodeError):
        raise ValueError("it is not an ONNX file, or it is cut off") from None
    if not reader.values or not reader.outputs:
        raise ValueError("it is not an ONNX file")
    inputs = {name: shape for name, shape in reader.inputs.items() if name not in reader.weights}
    return Graph(inputs, tuple(reader.outputs), frozenset(reader.values))


class _Reader:
    """A single pass over the contents of a file, except for numeric data."""

    def __init__(self) -> None:
        self.inputs: dict[str, tuple[int | None, ...]] = {}
        self.outputs: list[str] = []
        self.weights: set[str] = set()
        self.values: set[str] = set()
        self._fields = 0

    def read(self, model: memoryview) -> None:
        waiting: list[tuple[_Message, memoryview, int]] = [("model", model, 0)]
        while waiting:
            kind, message, depth = waiting.pop()
            if depth > _MAX_DEPTH:
                raise ValueError("its parts are nested too deep")
            for number, value, payload in _fields(message):
                self._fields += 1
                if self._fields > _MOST_FIELDS:
                    raise ValueError(f"it has more than {_MOST_FIELDS:,} parts")
                if kind == "tensor" and (number == _TENSOR_EXTERNAL or (number == _TENSOR_LOCATION and value)):
                    raise ValueError("its weights are in other files: save it with its weights inside")
                if kind == "graph" and depth == 1:
                    self._note(number, payload)
                below = _PARTS[kind].get(number)
                if below is not None:
                    waiting.append((below, payload, depth + 1))

    def _note(self, number: int, payload: memoryview) -> None:
        """Record a field of the network's main graph."""
        if number == _GRAPH_NODE:
            self.values.update(_text(name) for name in _messages(payload, _NODE_OUTPUT))
        elif number == _GRAPH_INITIALIZER:
            self.weights.update(_text(name) for name in _messages(payload, _TENSOR_NAME))
        elif number == _GRAPH_INPUT:
            self.inputs[_name(payload)] = _shape(payload)
        elif number == _GRAPH_OUTPUT:
            self.outputs.append(_name(payload))


def with_output(data: bytes, name: str) -> bytes:
    """Add the value of an inner layer to the outputs of the file.

    OpenCV retains outputs only: it fuses the layers in between and reuses their memory, so that requesting an inner
    value gives wrong numbers without an error (seen with 5.0). By the rules of protocol buffers, an appended message is
    merged into the previous one, so the file need not be parsed.
    """
    value_type = _encode(_TYPE_TENSOR, bytes([_TENSOR_ELEMENT << 3, _FLOAT]) + _encode(_TENSOR_SHAPE, b""))
    value = _encode(_VALUE_NAME, name.encode()) + _encode(_VALUE_TYPE, value_type)
    return data + _encode(_MODEL_GRAPH, _encode(_GRAPH_OUTPUT, value))


def _fields(message: memoryview) -> Iterator[_Field]:
    """Yield field number, integer value, and payload of other types; raises IndexError if truncated."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        if tag < 8:
            raise IndexError("no field has the number 0")
        kind, value, length = tag & 7, 0, 0
        if kind == 0:
            value, at = _varint(message, at)
        elif kind == 2:
            length, at = _varint(message, at)
        elif kind in (1, 5):
            length = 8 if kind == 1 else 4
        else:
            raise IndexError(f"wire type {kind}")
        if at + length > len(message):
            raise IndexError("cut off")
        yield tag >> 3, value, message[at : at + length]
        at += length


def _messages(message: memoryview, number: int) -> Iterator[memoryview]:
    return (payload for found, _, payload in _fields(message) if found == number)


def _name(value: memoryview) -> str:
    return "".join(_text(name) for name in _messages(value, _VALUE_NAME))


def _shape(value: memoryview) -> tuple[int | None, ...]:
    lengths: list[int | None] = []
    for value_type in _messages(value, _VALUE_TYPE):
        for tensor in _messages(value_type, _TYPE_TENSOR):
            for shape in _messages(tensor, _TENSOR_SHAPE):
                for dimension in _messages(shape, _SHAPE_DIMENSION):
                    fixed = [length for number, length, _ in _fields(dimension) if number == _DIMENSION_VALUE]
                    lengths.append(fixed[-1] if fixed and fixed[-1] > 0 else None)
    return tuple(lengths)


def _text(payload: memoryview) -> str:
    return bytes(payload).decode()


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise IndexError("an integer of more than 64 bits")


def _encode(number: int, payload: bytes) -> bytes:
    length = len(payload)
    prefix = bytearray([number << 3 | 2])
    while length > 127:
        prefix.append(length & 127 | 128)
        length >>= 7
    prefix.append(length)
    return bytes(prefix) + payload
