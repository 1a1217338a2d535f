# SPDX-License-Identifier: MIT
"""A descriptor from any neural network in an ONNX file."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import DescriptorKey, Distance, GlobalDescriptor, Kind
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.network.backends import BackendError, BackendName
from focal_photos.features.network.network_file import NetworkError, digest_of, graph_of, read_file, read_unchanged
from focal_photos.features.network.onnx_file import Graph
from focal_photos.features.network.text_encoder import TextEncoder, load_network, preferred_output

Channels = Literal["RGB", "BGR"]
Layout = Literal["NCHW", "NHWC"]
Framing = Literal["crop", "squeeze"]

_LARGEST_SIDE = 4096
_LARGEST_NUMBER = 1e6
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_ADDED_PARAMETERS = frozenset(
    {"share", "unit_length"}
)  # parameters missing from networks in libraries of earlier versions
_OUTSIDE_KEY = frozenset({"text", "caption"})
_OUTPUTS = ("image_embeds", "image_features", "image_embeddings", "embeddings", "pooler_output")


@dataclass(frozen=True)
class NetworkDescriptor(GlobalDescriptor):
    """Output of a network for a photo, averaged over the photo if it is a map.

    Created by `open`, which inspects the file and runs the network once, with onnxruntime or OpenCV (`load_backend`). A
    process reads the file once, at the first photo, and refuses a file with another digest. A pickle contains the
    parameters only.

    A map (1, d, h, w), or (1, h, w, d) with layout NHWC, gives the mean over its positions; a sequence (1, t, d) the
    mean of its t vectors; any other output is flattened to one vector.

    Parameters
    ----------
    label : str
        Name of the descriptor: lower case letters, digits and underscores, starting with a letter.
    file : str
        Path of the file. Excluded from comparisons and from the key, which use the digest.
    digest : str
        SHA-256 of the file, hexadecimal.
    values : int
        Length of the vector.
    width, height : int
        Size in pixels of the network's input.
    mean, scale : tuple of 3 floats
        The input of a channel is ``(level - mean) * scale``, level in 0..255; always in the order R, G, B.
    channels : {"RGB", "BGR"}
        Order of the channels.
    layout : {"NCHW", "NHWC"}
        Order of the axes.
    framing : {"crop", "squeeze"}
        Use the largest central rectangle with the aspect ratio of the input, or the whole photo, distorted.
    output : str
        An output of the network, or the value of an inner layer (such as the last but one of a classifier); empty: the
        last output.
    share : float
        Share of the photo's shorter side used when cropping, 0..1.
    unit_length : bool
        Whether to normalize the vector to length 1.
    text : TextEncoder or None
        Text encoder of an image-text network. Excluded from the key.
    caption : str
        Name shown to the user; empty: "Network" and the label. Excluded from the key.
    """

    label: str
    file: str = field(compare=False)
    digest: str
    values: int
    width: int
    height: int
    mean: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scale: tuple[float, float, float] = (1 / 255, 1 / 255, 1 / 255)
    channels: Channels = "RGB"
    layout: Layout = "NCHW"
    framing: Framing = "crop"
    output: str = ""
    share: float = 1.0
    unit_length: bool = False
    text: TextEncoder | None = None
    caption: str = ""

    kind: ClassVar[Kind] = "network"
    distance: ClassVar[Distance] = "cosine"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.label):
            raise NetworkError(
                "{0!r} cannot be a network's name: use up to 64 of a-z, 0-9 and _, beginning with a letter.", self.label
            )
        if self.values < 1 or not 1 <= min(self.width, self.height) <= max(self.width, self.height) <= _LARGEST_SIDE:
            raise NetworkError(
                "A network's input is 1 to {0} pixels a side and its output not empty, this is "
                "{1}x{2} with {3} values.",
                _LARGEST_SIDE,
                self.width,
                self.height,
                self.values,
            )
        triples: dict[str, tuple[float, ...]] = {"mean": self.mean, "scale": self.scale}
        for what, numbers in triples.items():
            if len(numbers) != 3 or not (np.abs(numbers) <= _LARGEST_NUMBER).all():
                raise NetworkError("The {0} must be three numbers up to 1e6, for R, G and B, not {1}.", what, numbers)
        # Convert integers and lists, as settings store them, so that equal parameters have the same key.
        object.__setattr__(self, "mean", tuple(map(float, self.mean)))
        object.__setattr__(self, "scale", tuple(map(float, self.scale)))
        if not 0 < self.share <= 1:
            raise NetworkError("The share of the photo that is used is above 0 and at most 1, not {0}.", self.share)
        for value, allowed in ((self.channels, Channels), (self.layout, Layout), (self.framing, Framing)):
            choices = allowed.__args__  # type: ignore[attr-defined]
            if value not in choices:
                raise NetworkError("{0!r} is none of {1}.", value, ", ".join(choices))

    @property
    def name(self) -> str:
        """Name chosen by the user."""
        return self.label

    @property
    def title(self) -> str:
        """Name shown to the user."""
        return self.caption or f"Network {self.label}"

    @property
    def summary(self) -> str:
        """Description shown to the user, in one line."""
        return f"What the network {Path(self.file).name} gives for {self.width} x {self.height} pixels"

    @property
    def dimension(self) -> int:
        """Length d of the vector."""
        return self.values

    @cached_property
    def key(self) -> DescriptorKey:
        """Name, version and digest of the parameters that determine the vectors; later parameters count if set."""
        values = {
            one.name: getattr(self, one.name)
            for one in dataclasses.fields(self)
            if one.name not in _OUTSIDE_KEY
            and (one.name not in _ADDED_PARAMETERS or getattr(self, one.name) != one.default)
        }
        values["file"] = ""  # as in the first version
        parameters = json.dumps(values, sort_keys=True)
        return DescriptorKey(self.name, self.version, hashlib.sha256(parameters.encode()).hexdigest()[:8])

    @property
    def backend(self) -> BackendName:
        """Back end that runs the network; reads the file, as `extract` does for the first photo."""
        return _loaded(self).backend.name

    @classmethod
    def open(
        cls,
        label: str,
        file: Path | str,
        *,
        width: int | None = None,
        height: int | None = None,
        mean: tuple[float, float, float] = (0.0, 0.0, 0.0),
        scale: tuple[float, float, float] = (1 / 255, 1 / 255, 1 / 255),
        channels: Channels = "RGB",
        layout: Layout = "NCHW",
        framing: Framing = "crop",
        output: str = "",
        share: float = 1.0,
        unit_length: bool | None = None,
        text: Path | str | None = None,
        tokenizer: Path | str | None = None,
        context: int | None = None,
        text_output: str = "",
    ) -> Self:
        """Inspect a file, run its network once, and return the descriptor.

        Parameters
        ----------
        label, mean, scale, channels, layout, framing, share
            See the class.
        file : Path or str
            An ONNX file that contains its weights.
        width, height : int, optional
            May be omitted if the file specifies them.
        output : str
            See the class. If empty, an image-text network uses ``image_embeds`` or a similar output if it has one.
        unit_length : bool, optional
            Default: True for an image-text network, False for others.
        text, tokenizer : Path or str, optional
            ONNX file of the text encoder, and its ``tokenizer.json``: both or none.
        context, text_output
            See `TextEncoder.open`.

        Raises
        ------
        NetworkError
            If the file is missing, truncated or not an ONNX file; if the network does not accept images of this size,
            needs operations that no back end has, or gives no finite values; or if the text encoder cannot be used or
            gives another number of values.
        """
        if (text is None) != (tokenizer is None):
            raise NetworkError("An image-and-text network has a file for texts and a tokenizer.json: give both.")
        data = read_file(file)
        graph = graph_of(data, file)
        width, height = _input_size(graph, width, height, layout)
        network = cls(
            label=label,
            file=str(Path(file).absolute()),
            digest=digest_of(data),
            values=1,  # unknown until it has run
            width=width,
            height=height,
            mean=mean,
            scale=scale,
            channels=channels,
            layout=layout,
            framing=framing,
            output=output if text is None else preferred_output(graph, output, _OUTPUTS),
            share=share,
            unit_length=text is not None if unit_length is None else unit_length,
        )
        ramp = np.linspace(0, 255, 3 * width * height).reshape(height, width, 3).astype(np.uint8)
        vector = network._pooled(_Network(data, network.output, graph).run(network._input(ramp)))
        del data
        encoder = None
        if text is not None and tokenizer is not None:
            encoder = TextEncoder.open(text, tokenizer, context=context, output=text_output)
            if encoder.values != len(vector):
                raise NetworkError(
                    "The two halves of this network do not match: it gives {0} values for a photo "
                    "and {1} for a text. Choose other files, or other outputs.",
                    len(vector),
                    encoder.values,
                )
        return dataclasses.replace(network, values=len(vector), text=encoder)

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`.

        Raises
        ------
        NetworkError
            If the file is missing or changed, or the network gives another number of values.
        """
        vector = self._pooled(_loaded(self).run(self._input(image.rgb)))
        if len(vector) != self.values:
            raise NetworkError("Network {0} gave {1} values instead of {2}.", self.label, len(vector), self.values)
        return vector

    def _input(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        h, w = rgb.shape[:2]
        if self.framing == "crop":
            share = self.share * min(w / self.width, h / self.height)
            across, down = max(1, round(share * self.width)), max(1, round(share * self.height))
            x, y = (w - across) // 2, (h - down) // 2
            rgb = rgb[y : y + down, x : x + across]
        shrinks = rgb.shape[1] >= self.width and rgb.shape[0] >= self.height
        method = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        pixels = cv2.resize(rgb, (self.width, self.height), interpolation=method).astype(np.float32)
        pixels = (pixels - np.array(self.mean, np.float32)) * np.array(self.scale, np.float32)
        if self.channels == "BGR":
            pixels = pixels[..., ::-1]
        if self.layout == "NCHW":
            pixels = pixels.transpose(2, 0, 1)
        return np.ascontiguousarray(pixels[None])

    def _pooled(self, given: NDArray[np.float32]) -> NDArray[np.float32]:
        if given.ndim == 4:
            given = given.mean(axis=(2, 3) if self.layout == "NCHW" else (1, 2))
        elif given.ndim == 3:
            given = given.mean(axis=1)
        vector = np.array(given, np.float32).ravel()
        if len(vector) == 0 or not np.isfinite(vector).all():
            raise NetworkError(
                "Network {0} returns values that are not finite: check its mean, scale and channels.", self.label
            )
        if self.unit_length:
            vector = vector / np.float32(max(float(np.linalg.norm(vector)), float(np.finfo(np.float32).tiny)))
        return vector


class _Network:
    """A loaded network."""

    def __init__(self, data: bytes, output: str, graph: Graph) -> None:
        self._output = output or graph.outputs[-1]
        (self._input,) = graph.inputs
        self.backend = load_network(data, graph, self._output)

    def run(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        try:
            return self.backend.run({self._input: pixels}, self._output)
        except BackendError as error:
            size = "x".join(map(str, pixels.shape))
            raise NetworkError("The network does not run on an input of {0} ({1}).", size, error) from None


@functools.lru_cache(maxsize=4)
def _loaded(descriptor: NetworkDescriptor) -> _Network:
    data = read_unchanged(descriptor.file, descriptor.digest, descriptor.label)
    return _Network(data, descriptor.output, graph_of(data, descriptor.file))


def _input_size(graph: Graph, width: int | None, height: int | None, layout: Layout) -> tuple[int, int]:
    """Return width and height of the input, checked against the file."""
    if len(graph.inputs) != 1:
        raise NetworkError("A network must have one input, an image; this has {0}.", len(graph.inputs))
    (shape,) = graph.inputs.values()
    if len(shape) != 4:
        raise NetworkError("The network's input has {0} axes, an image has 4 ({1}).", len(shape), layout)
    batch, channels, down, across = shape if layout == "NCHW" else (shape[0], shape[3], shape[1], shape[2])
    if batch not in (None, 1):
        raise NetworkError("The network takes {0} images at a time: export it for one.", batch)
    if channels not in (None, 3):
        raise NetworkError("The network takes {0} channels with layout {1}, it must be 3.", channels, layout)
    if (width, height) == (None, None):
        width, height = across, down
    if width is None or height is None:
        raise NetworkError("The network takes images of any size: give width and height.")
    if across not in (None, width) or down not in (None, height):
        raise NetworkError("The network takes images of {0}x{1} pixels, not {2}x{3}.", across, down, width, height)
    return width, height
