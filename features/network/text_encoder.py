# SPDX-License-Identifier: MIT
"""Text encoder of an image-text network, whose vectors are compared with those of photos."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.network.backends import Backend, BackendError, load_backend
from focal_photos.features.network.network_file import NetworkError, digest_of, graph_of, read_file, read_unchanged
from focal_photos.features.network.onnx_file import Graph, with_output

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TEXT_LENGTH: Final = 1000
"""Maximum number of characters of a text."""

_LARGEST_TOKENIZER: Final = 64 << 20  # bytes; usual tokenizers have 1 to 20 MB
_CONTEXT: Final = 77  # tokens, unless the network or the tokenizer specifies a number
_MOST_CONTEXT: Final = 8192
_PADS: Final = ("<pad>", "[PAD]", "<|endoftext|>", "</s>")
_OUTPUTS: Final = ("text_embeds", "text_features", "text_embeddings", "embeddings", "pooler_output")
_INPUT_NAMES: Final = ("input_ids", "attention_mask", "token_type_ids", "position_ids")


@dataclass(frozen=True)
class TextEncoder:
    """A network whose input is the tokens of a text, and its tokenizer. Created by `open`.

    Its inputs are ``input_ids`` and, if the network has them, ``attention_mask``, ``token_type_ids`` (zeros) and
    ``position_ids`` (0, 1, ...). An output (1, t, d) gives the mean of its token vectors without padding; any other
    output is flattened to one vector.

    Parameters
    ----------
    file, tokenizer : str
        Paths of the ONNX file and of the ``tokenizer.json``. Excluded from comparisons, which use the digests.
    digest, tokenizer_digest : str
        SHA-256 of the files, hexadecimal.
    values : int
        Length of the vector.
    context : int
        Number of tokens to which a text is truncated.
    padded : bool
        Whether shorter texts are padded to that number.
    output : str
        An output of the network, or an inner value.
    """

    file: str = field(compare=False)
    digest: str
    tokenizer: str = field(compare=False)
    tokenizer_digest: str
    values: int
    context: int
    padded: bool
    output: str

    def __post_init__(self) -> None:
        if not 1 <= self.context <= _MOST_CONTEXT or self.values < 1:
            raise NetworkError("A text has 1 to {0} tokens, not {1}.", _MOST_CONTEXT, self.context)

    @classmethod
    def open(cls, file: Path | str, tokenizer: Path | str, *, context: int | None = None, output: str = "") -> Self:
        """Inspect the files, and run the network once.

        Parameters
        ----------
        file, tokenizer : Path or str
        context : int, optional
            Number of tokens to which a text is truncated and padded. Default: that of the network, or else of the
            tokenizer, or else truncation to 77 without padding.
        output : str
            Empty: ``text_embeds`` or a similar output if the network has one, otherwise the last output.

        Raises
        ------
        NetworkError
            If a file is missing or damaged, the network does not accept text, or the package ``tokenizers`` is missing.
        """
        data, rules = read_file(file), read_file(tokenizer, "a tokenizer.json", _LARGEST_TOKENIZER)
        graph, made = graph_of(data, file), _tokenizer(rules, Path(tokenizer).name)
        fixed = _fixed_length(graph)
        if context is not None and fixed is not None and context != fixed:
            raise NetworkError("The text network takes {0} tokens, not {1}.", fixed, context)
        padding, truncation = made.padding or {}, made.truncation or {}
        said = context or fixed
        encoder = cls(
            file=str(Path(file).absolute()),
            digest=digest_of(data),
            tokenizer=str(Path(tokenizer).absolute()),
            tokenizer_digest=digest_of(rules),
            values=1,  # unknown until it has run
            context=said or padding.get("length") or truncation.get("max_length") or _CONTEXT,
            padded=said is not None or padding.get("length") is not None,
            output=preferred_output(graph, output, _OUTPUTS),
        )
        vector = _Loaded(data, rules, graph, encoder).encode(encoder, "a photo")
        return cls(**{**encoder.__dict__, "values": len(vector)})

    def encode(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a text, of length 1, float32 (values,).

        Raises
        ------
        NetworkError
            If the text is empty or too long, a file is missing or changed, or the number of values has changed.
        """
        text = " ".join(text.split())
        if not text:
            raise NetworkError("There is no text: describe what the photos should show.")
        if len(text) > MAX_TEXT_LENGTH:
            raise NetworkError("The text is longer than {0} characters: use fewer words.", MAX_TEXT_LENGTH)
        vector = _loaded(self).encode(self, text)
        if len(vector) != self.values:
            raise NetworkError("The text network gave {0} values instead of {1}.", len(vector), self.values)
        return vector


class _Loaded:
    """Loaded tokenizer and network."""

    def __init__(self, data: bytes, rules: bytes, graph: Graph, encoder: TextEncoder) -> None:
        unknown = graph.inputs.keys() - set(_INPUT_NAMES)
        if "input_ids" not in graph.inputs or unknown:
            raise NetworkError(
                "A text network takes input_ids (and {0}), this one takes {1}.",
                ", ".join(_INPUT_NAMES[1:]),
                ", ".join(sorted(graph.inputs)) or "nothing",
            )
        self._inputs = tuple(graph.inputs)
        self._lock = threading.Lock()
        self._tokenizer = _tokenizer(rules, Path(encoder.tokenizer).name)
        self._tokenizer.enable_truncation(encoder.context)
        own = self._tokenizer.padding or {}
        self._tokenizer.no_padding()
        if encoder.padded:
            known = (self._tokenizer.token_to_id(one) for one in _PADS)
            pad = own.get("pad_id", next((number for number in known if number is not None), 0))
            self._tokenizer.enable_padding(length=encoder.context, pad_id=pad)
        self._backend = load_network(data, graph, encoder.output)

    @property
    def backend(self) -> Backend:
        return self._backend

    def encode(self, encoder: TextEncoder, text: str) -> NDArray[np.float32]:
        with self._lock:  # the tokenizer is shared
            tokens = self._tokenizer.encode(text)
        mask = np.array([tokens.attention_mask], np.int64)
        ids = np.array([tokens.ids], np.int64)
        if not ids.size:
            raise NetworkError("The tokenizer finds no tokens in this text: use other words.")
        fed = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(ids),
            "position_ids": np.arange(ids.shape[1], dtype=np.int64)[None],
        }
        try:
            given = self._backend.run({name: fed[name] for name in self._inputs}, encoder.output)
        except BackendError as error:
            raise NetworkError("The text network does not run on {0} tokens ({1}).", ids.shape[1], error) from None
        if given.ndim == 3 and given.shape[1] == ids.shape[1]:
            given = given[:, mask[0].astype(bool)].mean(axis=1)
        vector = given.ravel()
        length = float(np.linalg.norm(vector))
        if not len(vector) or not np.isfinite(length) or length == 0:
            raise NetworkError("The text network returns values that are not finite.")
        return np.asarray(vector / length, np.float32)


def load_network(data: bytes, graph: Graph, output: str) -> Backend:
    """Load a network for one of its outputs or inner values; raises `NetworkError` if it cannot be used."""
    if output not in graph.values:
        raise NetworkError("The network has no value {0!r}; its outputs are {1}.", output, ", ".join(graph.outputs))
    if output not in graph.outputs:
        data = with_output(data, output)
    try:
        return load_backend(data)
    except BackendError as error:
        raise NetworkError("{0}.", error) from None


def preferred_output(graph: Graph, wanted: str, names: tuple[str, ...]) -> str:
    """Return the requested output, else the first of `names` that the network has, else its last output."""
    return wanted or next((name for name in names if name in graph.outputs), graph.outputs[-1])


def _tokenizer(rules: bytes, name: str) -> Tokenizer:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise NetworkError(
            "Texts need the package tokenizers: run pip install '.[networks]' in Focal's checkout."
        ) from None
    try:
        made: Tokenizer = Tokenizer.from_buffer(rules)
    except Exception:
        raise NetworkError("{0} cannot be used: it is no tokenizer.json.", name) from None
    return made


def _fixed_length(graph: Graph) -> int | None:
    """Return the number of tokens that the network requires, if fixed in the file."""
    shape = graph.inputs.get("input_ids", ())
    if len(shape) == 2 and shape[0] not in (None, 1):
        raise NetworkError("The text network takes {0} texts at a time: export it for one.", shape[0])
    return shape[1] if len(shape) == 2 else None


@functools.lru_cache(maxsize=2)
def _loaded(encoder: TextEncoder) -> _Loaded:
    label = Path(encoder.file).name
    data = read_unchanged(encoder.file, encoder.digest, label)
    rules = read_unchanged(encoder.tokenizer, encoder.tokenizer_digest, label)
    return _Loaded(data, rules, graph_of(data, encoder.file), encoder)
