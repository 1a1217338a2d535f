# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.network.network import NetworkDescriptor
from focal_photos.features.network.network_file import NetworkError
from focal_photos.features.network.text_encoder import MAX_TEXT_LENGTH, TextEncoder
from tests.features.network.made_networks import (
    COLORS,
    SIDE,
    VALUES,
    color_images,
    color_texts,
    image_transformer,
    residual_network,
    text_transformer,
    word_tokenizer,
    write_color_network,
)


def opened(folder: Path, **options: Any) -> NetworkDescriptor:
    images, texts, tokenizer = write_color_network(folder)
    return NetworkDescriptor.open("colors", images, text=texts, tokenizer=tokenizer, **options)


def encoder(folder: Path, tokenizer: str | None = None, network: bytes | None = None, **options: Any) -> TextEncoder:
    rules, file = folder / "tokenizer.json", folder / "texts.onnx"
    rules.write_text(word_tokenizer() if tokenizer is None else tokenizer)
    file.write_bytes(color_texts().SerializeToString() if network is None else network)
    return TextEncoder.open(file, rules, **options)


def plain(color: str) -> NDArray[np.uint8]:
    level = (np.array(COLORS[color]) * 255).round().astype(np.uint8)
    return np.broadcast_to(level, (48, 64, 3)).copy()


def words(text: str) -> NDArray[np.float32]:
    """Return the expected output of the small text network: the normalized sum of the axes of the colors."""
    from tests.features.network.made_networks import _axes

    axes = dict(zip(COLORS, _axes(), strict=True))
    total = sum(axes.get(word, np.full(VALUES, 0.01, np.float32)) for word in text.lower().split())
    return np.asarray(total / np.linalg.norm(total), np.float32)


def test_a_text_is_near_to_matching_photos(tmp_path: Path) -> None:
    network = opened(tmp_path)
    assert network.text is not None
    assert (network.width, network.height, network.values) == (SIDE, SIDE, VALUES)
    assert network.unit_length
    assert network.output == "image_embeds"
    photos = {color: network.extract(WorkingImage.from_array(plain(color))) for color in COLORS}
    for color in COLORS:
        assert np.linalg.norm(photos[color]) == pytest.approx(1, abs=1e-5)
        vector = network.text.encode(f"a {color} boat")
        assert max(photos, key=lambda name: float(photos[name] @ vector)) == color
    both = network.text.encode("red and blue")
    order = sorted(photos, key=lambda name: -float(photos[name] @ both))
    assert set(order[:2]) == {"red", "blue"}


@pytest.mark.parametrize("text", ["red", "Red BLUE", "a red boat", "  green\n and \t yellow "])
def test_agrees_with_a_sum_by_hand(tmp_path: Path, text: str) -> None:
    found = encoder(tmp_path).encode(text)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, words(text), atol=1e-5)


def test_texts_are_truncated_and_padded(tmp_path: Path) -> None:
    made = encoder(tmp_path)
    assert (made.context, made.padded) == (77, False)
    short = encoder(tmp_path, context=2)
    assert (short.context, short.padded) == (2, True)
    np.testing.assert_allclose(short.encode("red blue green"), words("red blue"), atol=1e-5)
    np.testing.assert_allclose(short.encode("red"), words("red"), atol=1e-5)
    without_mask = color_texts(mask=False).SerializeToString()
    np.testing.assert_allclose(
        encoder(tmp_path, network=without_mask, context=9).encode("red"), words("red"), atol=1e-5
    )


def test_length_and_padding_come_from_the_network_or_else_the_tokenizer(tmp_path: Path) -> None:
    fixed = encoder(tmp_path, network=text_transformer().SerializeToString())
    assert (fixed.context, fixed.padded, fixed.values, fixed.output) == (12, True, 16, "text_embeds")
    assert np.isfinite(fixed.encode("red")).all()
    with pytest.raises(NetworkError, match="takes 12 tokens, not 20"):
        encoder(tmp_path, network=text_transformer().SerializeToString(), context=20)
    padding: dict[str, Any] = {
        "strategy": {"Fixed": 5}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 1, "pad_type_id": 0,
        "pad_token": "<unk>",
    }  # fmt: skip
    told = encoder(tmp_path, word_tokenizer(padding=padding), color_texts(mask=False).SerializeToString())
    assert (told.context, told.padded) == (5, True)
    np.testing.assert_allclose(told.encode("red"), words("red x x x x"), atol=1e-5)
    cut = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
    told = encoder(tmp_path, word_tokenizer(truncation=cut))
    assert (told.context, told.padded) == (3, False)


def test_the_mean_of_the_tokens_excludes_padding(tmp_path: Path) -> None:
    from onnx import TensorProto, helper

    from tests.features.network.made_networks import Net, _int

    net = Net()
    table = np.arange(24, dtype=np.float32).reshape(8, 3) ** 2
    net.op("Gather", net.weight(table), "input_ids", axis=0, name="tokens")
    output = helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["n", "t", 3])
    data = net.model([_int("input_ids", "n", "t")], [output]).SerializeToString()
    expected = table[[2, 3]].mean(axis=0)
    found = encoder(tmp_path, network=data, context=6).encode("red green")
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected), atol=1e-6)


def test_the_key_is_that_of_the_image_network(tmp_path: Path) -> None:
    network = opened(tmp_path)
    images = tmp_path / "images.onnx"
    alone = NetworkDescriptor.open("colors", images, unit_length=True, output="image_embeds")
    assert alone.text is None
    assert alone.key == network.key
    assert NetworkDescriptor.open("colors", images, output="image_embeds").key != network.key
    assert pickle.loads(pickle.dumps(network)) == network


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"texts.onnx": b"nothing"}, r"^texts\.onnx cannot be used: it is not an ONNX file"),
        ({"tokenizer.json": b"{}"}, r"^tokenizer\.json cannot be used: it is no tokenizer\.json"),
        ({"tokenizer.json": b"\xff\x00"}, r"^tokenizer\.json cannot be used"),
        ({"texts.onnx": None}, r"no file texts\.onnx"),
        ({"tokenizer.json": None}, r"no file tokenizer\.json: give the path of a tokenizer\.json"),
        (
            {"texts.onnx": residual_network().SerializeToString()},
            "text network takes input_ids .* this one takes pixels",
        ),
        ({"texts.onnx": text_transformer().SerializeToString()}, "do not match: it gives 8 values .* 16 for"),
        (
            {"images.onnx": image_transformer().SerializeToString()},
            "do not match: it gives 16 values .* 8 for",
        ),
        ({"images.onnx": color_texts().SerializeToString()}, "must have one input, an image; this has 2"),
    ],
)
def test_invalid_options_are_reported(tmp_path: Path, change: dict[str, bytes | None], message: str) -> None:
    images, texts, tokenizer = write_color_network(tmp_path)
    for name, content in change.items():
        if content is None:
            (tmp_path / name).unlink()
        else:
            (tmp_path / name).write_bytes(content)
    with pytest.raises(NetworkError, match=message) as caught:
        NetworkDescriptor.open("colors", images, text=texts, tokenizer=tokenizer)
    assert "\n" not in str(caught.value)


def test_weights_in_other_files_are_refused_for_the_text_encoder_too(tmp_path: Path) -> None:
    import onnx

    images, texts, tokenizer = write_color_network(tmp_path)
    model = color_texts()
    onnx.save_model(model, str(texts), save_as_external_data=True, location="weights", size_threshold=0)
    with pytest.raises(NetworkError, match="its weights are in other files"):
        NetworkDescriptor.open("colors", images, text=texts, tokenizer=tokenizer)


def test_one_file_without_the_other_is_refused(tmp_path: Path) -> None:
    images, texts, _ = write_color_network(tmp_path)
    with pytest.raises(NetworkError, match="give both"):
        NetworkDescriptor.open("colors", images, text=texts)


def test_an_empty_or_endless_text_is_refused(tmp_path: Path) -> None:
    made = encoder(tmp_path)
    with pytest.raises(NetworkError, match="There is no text"):
        made.encode(" \n ")
    with pytest.raises(NetworkError, match=f"longer than {MAX_TEXT_LENGTH} characters"):
        made.encode("red " * (MAX_TEXT_LENGTH // 4) + "blue")
    assert made.encode(" ".join(["red"] * (MAX_TEXT_LENGTH // 4))).shape == (VALUES,)
    bare = json.loads(word_tokenizer())
    bare["normalizer"] = {"type": "Replace", "pattern": {"Regex": "."}, "content": ""}
    with pytest.raises(NetworkError, match="finds no tokens in this text"):
        encoder(tmp_path, json.dumps(bare))


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    made = encoder(tmp_path, context=31)  # used by no other test, so it is read as in a new process
    (tmp_path / "tokenizer.json").write_text(word_tokenizer(("red",)))
    with pytest.raises(NetworkError, match="has changed: remove the network"):
        made.encode("red")


def test_missing_tokenizers_are_reported_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(NetworkError, match=r"'.\[networks\]'"):
        encoder(tmp_path)


def test_the_text_encoder_does_not_change_the_vectors_of_images(tmp_path: Path) -> None:
    network = opened(tmp_path)
    (tmp_path / "alone.onnx").write_bytes(color_images().SerializeToString())
    alone = NetworkDescriptor.open("alone", tmp_path / "alone.onnx")
    photo = WorkingImage.from_array(plain("red"))
    whole = alone.extract(photo)
    np.testing.assert_allclose(network.extract(photo), whole / np.linalg.norm(whole), atol=1e-6)
