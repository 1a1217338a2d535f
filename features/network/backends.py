# SPDX-License-Identifier: MIT
"""Back ends that run networks: onnxruntime if installed, otherwise OpenCV; results agree to 1e-4."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.text import TextError

BackendName = Literal["onnxruntime", "OpenCV"]

_FATAL_ONLY: Final = 4  # onnxruntime's level for fatal errors; others are raised
_TYPES: Final = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}


class BackendError(TextError, ValueError):
    """A network cannot be loaded or run; the message is a single line."""


class Backend(ABC):
    """A loaded network, which any thread may run.

    The number of threads is that of `cv2.setNumThreads` at loading time: one in a worker.

    Attributes
    ----------
    name : {"onnxruntime", "OpenCV"}
    """

    name: ClassVar[BackendName]

    @abstractmethod
    def __init__(self, data: bytes) -> None:
        """Load the content of an ONNX file without external data; raises `BackendError` if it cannot be used."""

    @abstractmethod
    def run(self, inputs: Mapping[str, NDArray[np.generic]], output: str) -> NDArray[np.float32]:
        """Return one output.

        Parameters
        ----------
        inputs : mapping of str to ndarray
            All inputs by name; converted to the types of the network.
        output : str

        Returns
        -------
        ndarray of float32
            A new array.

        Raises
        ------
        BackendError
            If the network does not run on these inputs, or the output is not floating point.
        """


class OnnxRuntime(Backend):
    """onnxruntime on the processor.

    Parameters
    ----------
    data : bytes
        Content of an ONNX file without external data.

    Attributes
    ----------
    threads : int
        Number of threads per layer.
    """

    name = "onnxruntime"

    def __init__(self, data: bytes) -> None:
        onnxruntime = _onnxruntime()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads = max(1, cv2.getNumThreads())
        options.inter_op_num_threads = 1
        options.log_severity_level = _FATAL_ONLY
        # Threads that spin while waiting for the next photo would take processor time from the decoders.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_cpu_mem_arena = False  # an arena would retain the peak memory of the largest layer
        try:
            self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise BackendError(one_line(error)) from None
        if hasattr(self._session, "_model_bytes"):
            self._session._model_bytes = b""
        _give_memory_back()
        self._types = {one.name: _TYPES.get(one.type) for one in self._session.get_inputs()}

    def run(self, inputs: Mapping[str, NDArray[np.generic]], output: str) -> NDArray[np.float32]:
        """See `Backend.run`."""
        given = {name: np.asarray(values, self._types.get(name)) for name, values in inputs.items()}
        try:
            (found,) = self._session.run([output], given)
        except Exception as error:
            raise BackendError(one_line(error)) from None
        return _numbers(found, output)


class OpenCV(Backend):
    """OpenCV's network module, one thread at a time.

    Parameters
    ----------
    data : bytes
        Content of an ONNX file without external data.
    """

    name = "OpenCV"

    def __init__(self, data: bytes) -> None:
        self._lock = threading.Lock()
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        except Exception as error:
            raise BackendError(one_line(error)) from None

    def run(self, inputs: Mapping[str, NDArray[np.generic]], output: str) -> NDArray[np.float32]:
        """See `Backend.run`."""
        with self._lock:
            try:
                for name, values in inputs.items():
                    self._net.setInput(np.asarray(values), name if len(inputs) > 1 else "")
                return _numbers(self._net.forward(output), output)  # a copy, because OpenCV reuses the memory
            except BackendError:
                raise
            except Exception as error:
                raise BackendError(one_line(error)) from None


def _onnxruntime() -> Any:
    """Import onnxruntime without telemetry.

    Its official builds report every session to their vendor and store a device number in the user's cache folder,
    unless this variable is set before loading; the function call alone would come after a first event.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def _give_memory_back() -> None:
    """Return to the system the memory that loading took, which glibc would retain: two thirds of the file size."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


_BACKENDS: Final[dict[BackendName, type[Backend]]] = {"onnxruntime": OnnxRuntime, "OpenCV": OpenCV}


def available_backends() -> tuple[BackendName, ...]:
    """Return the available back ends, in the order in which they are tried."""
    return ("onnxruntime", "OpenCV") if importlib.util.find_spec("onnxruntime") else ("OpenCV",)


def load_backend(data: bytes, names: Sequence[BackendName] | None = None) -> Backend:
    """Load a network with the first back end that can use it.

    Parameters
    ----------
    data : bytes
        Content of an ONNX file without external data.
    names : sequence of {"onnxruntime", "OpenCV"}, optional
        Back ends to try; all installed ones by default.

    Raises
    ------
    BackendError
        If no back end can use it; the message has the reason of each.
    """
    reasons = []
    for name in available_backends() if names is None else names:
        try:
            return _BACKENDS[name](data)
        except BackendError as error:
            reasons.append(f"{name} cannot use this network ({error})")
    raise BackendError("; ".join(reasons))


def version_of(name: BackendName) -> str:
    """Return the version of an installed back end."""
    if name == "OpenCV":
        return str(cv2.__version__)
    from importlib.metadata import version

    return version(name)


def one_line(error: Exception) -> str:
    """Return the message of an error as a single line of at most 120 characters."""
    text = " ".join(str(getattr(error, "err", "") or error).split())
    return text[:120] or type(error).__name__


def _numbers(found: Any, output: str) -> NDArray[np.float32]:
    numbers = np.asarray(found)  # None if OpenCV does not know the output
    if not np.issubdtype(numbers.dtype, np.floating):
        raise BackendError("{0!r} of the network is no array of floating point numbers", output)
    return numbers.astype(np.float32)
