# SPDX-License-Identifier: MIT
"""Handmade networks with every kind of layer of photo networks, small or of realistic size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper

COLORS: Final[dict[str, tuple[float, float, float]]] = {
    "red": (0.85, 0.1, 0.1),
    "green": (0.1, 0.7, 0.15),
    "blue": (0.1, 0.2, 0.85),
    "yellow": (0.9, 0.85, 0.1),
    "white": (1.0, 1.0, 1.0),
    "black": (0.0, 0.0, 0.0),
}
"""Words of the small image-and-text network, as R, G and B in 0..1."""

VALUES: Final = 8
SIDE: Final = 16


class Net:
    """A graph that is built layer by layer.

    Parameters
    ----------
    seed : int
        Seed of the random weights.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)
        self._nodes: list[Any] = []
        self._weights: list[Any] = []

    def op(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Add a layer with one output and return its name."""
        output = name or f"v{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def weight(self, values: Any) -> str:
        """Add a constant and return its name."""
        name = f"w{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def random(self, *shape: int, scale: float | None = None) -> str:
        """Add random weights."""
        scale = shape[0] ** -0.5 if scale is None else scale
        return self.weight((self._rng.standard_normal(shape, np.float32) * scale).astype(np.float32))

    def convolution(self, x: str, inside: int, outside: int, side: int, stride: int = 1) -> str:
        """Add a convolution, batch normalization and ReLU."""
        kernels = self.random(outside, inside, side, side, scale=(inside * side * side) ** -0.5)
        x = self.op("Conv", x, kernels, strides=[stride, stride], pads=[side // 2] * 4)
        facts = [
            self.weight(self._rng.uniform(0.5, 1.5, outside).astype(np.float32)),
            self.weight(self._rng.normal(0, 0.1, outside).astype(np.float32)),
            self.weight(self._rng.normal(0, 0.1, outside).astype(np.float32)),
            self.weight(self._rng.uniform(0.5, 1.5, outside).astype(np.float32)),
        ]
        return self.op("Relu", self.op("BatchNormalization", x, *facts))

    def linear(self, x: str, inside: int, outside: int) -> str:
        """Add a matrix multiplication with offsets."""
        return self.op("Add", self.op("MatMul", x, self.random(inside, outside)), self.random(outside, scale=0.02))

    def norm(self, x: str, width: int) -> str:
        """Add layer normalization."""
        ones, zeros = self.weight(np.ones(width, np.float32)), self.weight(np.zeros(width, np.float32))
        return self.op("LayerNormalization", x, ones, zeros, axis=-1)

    def block(self, x: str, width: int, heads: int, mask: str = "") -> str:
        """Add a transformer block: attention and a perceptron, each with a residual connection."""
        inner = self.norm(x, width)
        split = self.weight(np.array([0, 0, heads, width // heads], np.int64))
        q, k, v = (self.op("Reshape", self.linear(inner, width, width), split) for _ in range(3))
        q, v = (self.op("Transpose", one, perm=[0, 2, 1, 3]) for one in (q, v))
        k = self.op("Transpose", k, perm=[0, 2, 3, 1])
        scores = self.op("Mul", self.op("MatMul", q, k), self.weight(np.float32((width // heads) ** -0.5)))
        if mask:
            scores = self.op("Add", scores, mask)
        seen = self.op("MatMul", self.op("Softmax", scores, axis=-1), v)
        seen = self.op("Transpose", seen, perm=[0, 2, 1, 3])
        seen = self.op("Reshape", seen, self.weight(np.array([0, 0, width], np.int64)))
        x = self.op("Add", x, self.linear(seen, width, width))
        hidden = self.linear(self.norm(x, width), width, 4 * width)
        # x / 2 (1 + erf(x / sqrt 2))
        erf = self.op("Erf", self.op("Mul", hidden, self.weight(np.float32(2**-0.5))))
        gate = self.op("Mul", self.op("Add", erf, self.weight(np.float32(1))), self.weight(np.float32(0.5)))
        return self.op("Add", x, self.linear(self.op("Mul", hidden, gate), 4 * width, width))

    def model(self, inputs: list[Any], outputs: list[Any]) -> ModelProto:
        """Return the file's content."""
        graph = helper.make_graph(self._nodes, "made", inputs, outputs, self._weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _float(name: str, *shape: Any) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))


def _int(name: str, *shape: Any) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.INT64, list(shape))


def residual_network(side: int = 32, width: int = 8, batch: Any = "n") -> ModelProto:
    """Return convolutions with batch normalization and a residual connection, pooled to a vector of 2 `width`."""
    net = Net()
    x = net.op("MaxPool", net.convolution("pixels", 3, width, 5, 2), kernel_shape=[2, 2], strides=[2, 2])
    x = net.op("Add", x, net.convolution(x, width, width, 3))
    x = net.op("GlobalAveragePool", net.convolution(x, width, 2 * width, 3))
    net.op("Flatten", x, name="vector")
    return net.model([_float("pixels", batch, 3, side, side)], [_float("vector", batch, 2 * width)])


def image_transformer(
    side: int = 32, patch: int = 8, width: int = 32, blocks: int = 2, heads: int = 4, values: int = 16, batch: Any = "n"
) -> ModelProto:
    """Return a transformer of patches (ViT); (224, 32, 768, 12, 12, 512) is the ViT-B/32 of CLIP."""
    net, count = Net(1), (side // patch) ** 2
    x = net.op("Conv", "pixel_values", net.random(width, 3, patch, patch, scale=0.02), strides=[patch, patch])
    x = net.op("Reshape", x, net.weight(np.array([0, width, -1], np.int64)))
    x = net.op("Add", net.op("Transpose", x, perm=[0, 2, 1]), net.random(1, count, width, scale=0.02))
    for _ in range(blocks):
        x = net.block(x, width, heads)
    x = net.op("ReduceMean", net.norm(x, width), axes=[1], keepdims=0)
    net.op("MatMul", x, net.random(width, values), name="image_embeds")
    outputs = [_float("image_embeds", batch, values), _float("last", batch, width)]
    net.op("Identity", x, name="last")
    return net.model([_float("pixel_values", batch, 3, side, side)], outputs)


def text_transformer(
    vocabulary: int = 64, context: int = 12, width: int = 32, blocks: int = 2, heads: int = 4, values: int = 16
) -> ModelProto:
    """Return a causal transformer of tokens; (49408, 77, 512, 12, 8, 512) is the one of CLIP ViT-B/32."""
    net = Net(2)
    x = net.op("Gather", net.random(vocabulary, width, scale=0.02), "input_ids", axis=0)
    x = net.op("Add", x, net.random(1, context, width, scale=0.01))
    back = np.triu(np.full((context, context), -1e9, np.float32), 1)
    mask = net.weight(back)
    for _ in range(blocks):
        x = net.block(x, width, heads, mask)
    x = net.norm(x, width)
    # As in CLIP: the vector at the token with the largest number, which ends the text.
    end = net.op("ArgMax", "input_ids", axis=1, keepdims=1)
    places = net.op("Equal", net.weight(np.arange(context, dtype=np.int64)[None]), end)
    chosen = net.op("Unsqueeze", net.op("Cast", places, to=TensorProto.FLOAT), net.weight(np.array([2], np.int64)))
    x = net.op("ReduceSum", net.op("Mul", x, chosen), net.weight(np.array([1], np.int64)), keepdims=0)
    net.op("MatMul", x, net.random(width, values), name="text_embeds")
    return net.model([_int("input_ids", "n", context)], [_float("text_embeds", "n", values)])


def color_images() -> ModelProto:
    """Return a network that gives the shares of the `COLORS` in an image, each on a separate axis."""
    net = Net(3)
    prototypes = np.array(list(COLORS.values()), np.float32)
    # In softmax(-40 |x - p|^2) over the colors p, terms independent of p cancel out.
    kernels, offsets = 80 * prototypes[:, :, None, None], -40 * (prototypes**2).sum(axis=1)
    shares = net.op("Conv", "pixel_values", net.weight(kernels), net.weight(offsets.astype(np.float32)))
    shares = net.op("GlobalAveragePool", net.op("Softmax", shares, axis=1))
    net.op("MatMul", net.op("Flatten", shares), net.weight(_axes()), name="image_embeds")
    return net.model([_float("pixel_values", "n", 3, SIDE, SIDE)], [_float("image_embeds", "n", VALUES)])


def color_texts(mask: bool = True) -> ModelProto:
    """Return a network that gives the mean of the axes of the colors named in a text."""
    net = Net(4)
    table = np.zeros((2 + len(COLORS), VALUES), np.float32)
    table[1] = 0.01  # unknown words; not zero, since a vector needs a direction
    table[2:] = _axes()
    x = net.op("Gather", net.weight(table), "input_ids", axis=0)
    if mask:
        weights = net.op("Cast", "attention_mask", to=TensorProto.FLOAT)
        x = net.op("Mul", x, net.op("Unsqueeze", weights, net.weight(np.array([2], np.int64))))
    net.op("ReduceSum", x, net.weight(np.array([1], np.int64)), keepdims=0, name="text_embeds")
    inputs = [_int("input_ids", "n", "t")] + ([_int("attention_mask", "n", "t")] if mask else [])
    return net.model(inputs, [_float("text_embeds", "n", VALUES)])


def _axes() -> NDArray[np.float32]:
    """Return the axis of each color, (colors, values), all orthogonal."""
    made, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(VALUES, VALUES)))
    return made[: len(COLORS)].astype(np.float32)


def word_tokenizer(words: tuple[str, ...] = tuple(COLORS), **parts: Any) -> str:
    """Return a ``tokenizer.json`` of lower-case words; 0 is padding, 1 is any unknown word."""
    vocabulary = {"<pad>": 0, "<unk>": 1, **{word: number for number, word in enumerate(words, 2)}}
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": {"type": "Lowercase"},
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": None,
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "<unk>"},
            **parts,
        }
    )


def write_color_network(folder: Path) -> tuple[Path, Path, Path]:
    """Write the files of the small image-and-text network: for images, for texts, and the tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    images, texts, tokenizer = folder / "images.onnx", folder / "texts.onnx", folder / "tokenizer.json"
    images.write_bytes(color_images().SerializeToString())
    texts.write_bytes(color_texts().SerializeToString())
    tokenizer.write_text(word_tokenizer())
    return images, texts, tokenizer
