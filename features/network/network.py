"""A descriptor from any neural network in an ONNX file."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import re
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import DescriptorKey, Distance, GlobalDescriptor, Kind
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.decoding.regular_file import open_regular
from focal_photos.features.network.onnx_file import Graph, read_graph, with_output

Channels = Literal["RGB", "BGR"]
Layout = Literal["NCHW", "NHWC"]
Framing = Literal["crop", "squeeze"]

_LARGEST_SIDE = 4096
_LARGEST_NUMBER = 1e6
_LARGEST_FILE = (1 << 31) - 1  # bytes of a message in protocol buffers
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


class NetworkError(ValueError):
    """A network cannot be used; the message is one line and says what to do."""


@dataclass(frozen=True)
class NetworkDescriptor(GlobalDescriptor):
    """What a network gives for a photo, averaged over the photo if it gives a map.

    Made by `open`, which looks into the file and runs the network once. OpenCV runs it, on as many threads as
    `cv2.setNumThreads` says; a process reads the file once, at the first photo, and refuses one with another digest.
    Pickled, this is its parameters only.

    A map (1, d, h, w), with layout NHWC (1, h, w, d), gives the mean of its places; a sequence (1, t, d) the mean of
    its t vectors; anything else is one vector of all its numbers.

    Parameters
    ----------
    label : str
        The descriptor's name: lower case letters, digits and underscores, a letter first.
    file : str
        Path. It takes no part in comparisons nor in the key: the digest does.
    digest : str
        SHA-256 of the file, hexadecimal.
    values : int
        Length of the vector.
    width, height : int
        Size in pixels of the network's input.
    mean, scale : tuple of 3 floats
        A channel's input is ``(level - mean) * scale``, level in 0..255; in the order R, G, B whatever `channels` is.
    channels : {"RGB", "BGR"}
        Order of the channels.
    layout : {"NCHW", "NHWC"}
        Order of the axes.
    framing : {"crop", "squeeze"}
        The largest rectangle of the input's shape in the middle of the photo, or all of it out of proportion.
    output : str
        An output of the network, or the value inside it that a layer gives (the last but one of a classifier);
        empty: the last output.
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

    kind: ClassVar[Kind] = "network"
    distance: ClassVar[Distance] = "cosine"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.label):
            raise NetworkError(
                f"{self.label!r} cannot be a network's name: use up to 64 of a-z, 0-9 and _, beginning with a letter."
            )
        if self.values < 1 or not 1 <= min(self.width, self.height) <= max(self.width, self.height) <= _LARGEST_SIDE:
            raise NetworkError(
                f"A network's input is 1 to {_LARGEST_SIDE} pixels a side and its output not empty, this is "
                f"{self.width}x{self.height} with {self.values} values."
            )
        triples: dict[str, tuple[float, ...]] = {"mean": self.mean, "scale": self.scale}
        for what, numbers in triples.items():
            if len(numbers) != 3 or not (np.abs(numbers) <= _LARGEST_NUMBER).all():
                raise NetworkError(f"The {what} must be three numbers up to 1e6, for R, G and B, not {numbers}.")
        # Whole numbers and lists, as settings have them, are the same parameters: the same key.
        object.__setattr__(self, "mean", tuple(map(float, self.mean)))
        object.__setattr__(self, "scale", tuple(map(float, self.scale)))
        for value, allowed in ((self.channels, Channels), (self.layout, Layout), (self.framing, Framing)):
            choices = allowed.__args__  # type: ignore[attr-defined]
            if value not in choices:
                raise NetworkError(f"{value!r} is none of {', '.join(choices)}.")

    @property
    def name(self) -> str:
        """Name that the user gave."""
        return self.label

    @property
    def title(self) -> str:
        """What a person reads."""
        return f"Network {self.label}"

    @property
    def summary(self) -> str:
        """What a person reads of it, in one line."""
        return f"What the network {Path(self.file).name} gives for {self.width} x {self.height} pixels"

    @property
    def dimension(self) -> int:
        """Length d of the vector."""
        return self.values

    @property
    def key(self) -> DescriptorKey:
        """Name, version and digest of the parameters without the path."""
        key = GlobalDescriptor.key.fget(dataclasses.replace(self, file=""))  # type: ignore[attr-defined]
        assert isinstance(key, DescriptorKey)
        return key

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
    ) -> Self:
        """Look into a file, run its network once, and return the descriptor.

        Parameters
        ----------
        label, mean, scale, channels, layout, framing, output
            See the class.
        file : Path or str
            An ONNX file that holds its weights.
        width, height : int, optional
            May be left out where the file says them.

        Raises
        ------
        NetworkError
            The file is missing, no ONNX file or cut off; it takes no image of this size, needs what OpenCV has not
            got, or gives nothing finite.
        """
        data = _read(file)
        graph = _graph(data, file)
        width, height = _input_size(graph, width, height, layout)
        asked = cls(
            label=label,
            file=str(Path(file).absolute()),
            digest=hashlib.sha256(data).hexdigest(),
            values=1,  # not known before it has run
            width=width,
            height=height,
            mean=mean,
            scale=scale,
            channels=channels,
            layout=layout,
            framing=framing,
            output=output,
        )
        ramp = np.linspace(0, 255, 3 * width * height).reshape(height, width, 3).astype(np.uint8)
        vector = asked._pooled(_Network(data, output, graph).run(asked._input(ramp)))
        return dataclasses.replace(asked, values=len(vector))

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`.

        Raises
        ------
        NetworkError
            The file is gone or changed, or the network gives something else than before.
        """
        vector = self._pooled(_loaded(self).run(self._input(image.rgb)))
        if len(vector) != self.values:
            raise NetworkError(f"Network {self.label} gave {len(vector)} values instead of {self.values}.")
        return vector

    def _input(self, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        h, w = rgb.shape[:2]
        if self.framing == "crop":
            share = min(w / self.width, h / self.height)
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
            raise NetworkError(f"Network {self.label} gives no finite numbers: check its mean, scale and channels.")
        return vector


class _Network:
    """A network in memory; one thread at a time runs it, as OpenCV demands."""

    def __init__(self, data: bytes, output: str, graph: Graph) -> None:
        if output and output not in graph.values:
            raise NetworkError(f"The network has no value {output!r}; its outputs are {', '.join(graph.outputs)}.")
        self._output = output or graph.outputs[-1]
        if self._output not in graph.outputs:
            data = with_output(data, self._output)
        self._lock = threading.Lock()
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        except Exception as error:
            raise NetworkError(f"OpenCV cannot use this network ({_one_line(error)}).") from None

    def run(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        with self._lock:
            try:
                self._net.setInput(pixels)
                given = self._net.forward(self._output)
            except Exception as error:
                size = "x".join(map(str, pixels.shape))
                raise NetworkError(f"The network does not run on an input of {size} ({_one_line(error)}).") from None
        numbers = np.asarray(given)  # None where OpenCV knows no such output
        if not np.issubdtype(numbers.dtype, np.floating):
            raise NetworkError(f"{self._output!r} of the network is no array of floating point numbers.")
        return numbers.astype(np.float32)  # a copy: OpenCV uses the memory again


@functools.lru_cache(maxsize=4)
def _loaded(descriptor: NetworkDescriptor) -> _Network:
    data = _read(descriptor.file)
    if hashlib.sha256(data).hexdigest() != descriptor.digest:
        raise NetworkError(f"The file of network {descriptor.label} has changed: remove the network and add it again.")
    return _Network(data, descriptor.output, _graph(data, descriptor.file))


def _read(file: Path | str) -> bytes:
    path = Path(file)
    if not path.exists():
        raise NetworkError(f"There is no file {path.name}: give the path of an ONNX file.")
    try:
        with open_regular(path, _LARGEST_FILE) as stream:
            return stream.read()
    except OSError as error:
        raise NetworkError(f"{path.name} cannot be read: {error.strerror or type(error).__name__}.") from None


def _graph(data: bytes, file: Path | str) -> Graph:
    try:
        return read_graph(data)
    except ValueError as error:
        raise NetworkError(f"{Path(file).name} cannot be used: {error}.") from None


def _input_size(graph: Graph, width: int | None, height: int | None, layout: Layout) -> tuple[int, int]:
    """Return width and height of the input, checked against what the file says."""
    if len(graph.inputs) != 1:
        raise NetworkError(f"A network must have one input, an image; this has {len(graph.inputs)}.")
    (shape,) = graph.inputs.values()
    if len(shape) != 4:
        raise NetworkError(f"The network's input has {len(shape)} axes, an image has 4 ({layout}).")
    batch, channels, down, across = shape if layout == "NCHW" else (shape[0], shape[3], shape[1], shape[2])
    if batch not in (None, 1):
        raise NetworkError(f"The network takes {batch} images at a time: export it for one.")
    if channels not in (None, 3):
        raise NetworkError(f"The network takes {channels} channels with layout {layout}, it must be 3.")
    if (width, height) == (None, None):
        width, height = across, down
    if width is None or height is None:
        raise NetworkError("The network takes images of any size: say width and height.")
    if across not in (None, width) or down not in (None, height):
        raise NetworkError(f"The network takes images of {across}x{down} pixels, not {width}x{height}.")
    return width, height


def _one_line(error: Exception) -> str:
    text = " ".join(str(getattr(error, "err", "") or error).split())
    return text[:120] or type(error).__name__
