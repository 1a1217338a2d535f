"""The little that must be known of an ONNX file before OpenCV gets it: its inputs, and how to ask for another output.

An ONNX file is one protocol buffers message. The numbers below are those of the fields in ``onnx.proto``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_MODEL_GRAPH = 7
_GRAPH_NODE, _GRAPH_INITIALIZER, _GRAPH_INPUT, _GRAPH_OUTPUT = 1, 5, 11, 12
_NODE_OUTPUT = 2
_TENSOR_NAME = 8
_VALUE_NAME, _VALUE_TYPE = 1, 2
_TYPE_TENSOR = 1
_TENSOR_ELEMENT, _TENSOR_SHAPE = 1, 2
_SHAPE_DIMENSION = 1
_DIMENSION_VALUE = 1
_FLOAT = 1

_Field = tuple[int, int, memoryview]


@dataclass(frozen=True)
class Graph:
    """What an ONNX file says of its network.

    Attributes
    ----------
    inputs : dict of str to tuple of (int or None)
        Shapes of the inputs that are not weights; None for a length that is free.
    outputs : tuple of str
        Names of what the network gives, in the order of the file.
    values : frozenset of str
        Names of all that any layer gives.
    """

    inputs: dict[str, tuple[int | None, ...]]
    outputs: tuple[str, ...]
    values: frozenset[str]


def read_graph(data: bytes) -> Graph:
    """Read inputs and outputs of a network.

    Parameters
    ----------
    data : bytes
        Content of the file.

    Raises
    ------
    ValueError
        It is no ONNX file, or it is cut off.
    """
    try:
        inputs: dict[str, tuple[int | None, ...]] = {}
        outputs: list[str] = []
        weights: set[str] = set()
        values: set[str] = set()
        for graph in _messages(memoryview(data), _MODEL_GRAPH):
            for number, _, payload in _fields(graph):
                if number == _GRAPH_NODE:
                    values.update(_text(name) for name in _messages(payload, _NODE_OUTPUT))
                elif number == _GRAPH_INITIALIZER:
                    weights.update(_text(name) for name in _messages(payload, _TENSOR_NAME))
                elif number == _GRAPH_INPUT:
                    inputs[_name(payload)] = _shape(payload)
                elif number == _GRAPH_OUTPUT:
                    outputs.append(_name(payload))
    except (IndexError, UnicodeDecodeError):
        raise ValueError("it is not an ONNX file, or it is cut off") from None
    if not values or not outputs:
        raise ValueError("it is not an ONNX file")
    inputs = {name: shape for name, shape in inputs.items() if name not in weights}
    return Graph(inputs, tuple(outputs), frozenset(values))


def with_output(data: bytes, name: str) -> bytes:
    """Return the file with one more output: what a layer inside the network gives.

    OpenCV keeps nothing but outputs: it fuses the layers in between and uses their memory again, so that asking for
    one of these gives wrong numbers without an error (seen with 5.0). A message that is appended is merged into the
    one before by the rules of protocol buffers, so the file need not be taken apart.
    """
    value_type = _encode(_TYPE_TENSOR, bytes([_TENSOR_ELEMENT << 3, _FLOAT]) + _encode(_TENSOR_SHAPE, b""))
    value = _encode(_VALUE_NAME, name.encode()) + _encode(_VALUE_TYPE, value_type)
    return data + _encode(_MODEL_GRAPH, _encode(_GRAPH_OUTPUT, value))


def _fields(message: memoryview) -> Iterator[_Field]:
    """Yield field number, value (of an integer) and payload (of anything else); IndexError at a cut."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
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
