# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.network.network import NetworkDescriptor
from focal_photos.features.network.network_file import NetworkError
from focal_photos.features.network.preprocessing import read_preprocessing
from tests.features.network.made_networks import residual_network

CLIP: dict[str, Any] = {
    "crop_size": {"height": 224, "width": 224},
    "do_center_crop": True,
    "do_convert_rgb": True,
    "do_normalize": True,
    "do_rescale": True,
    "do_resize": True,
    "image_mean": [0.48145466, 0.4578275, 0.40821073],
    "image_std": [0.26862954, 0.26130258, 0.27577711],
    "resample": 3,
    "rescale_factor": 0.00392156862745098,
    "size": {"shortest_edge": 224},
}


def read(folder: Path, content: Any) -> dict[str, Any]:
    file = folder / "preprocessor_config.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_preprocessing(file)


def test_levels_follow_the_file(tmp_path: Path) -> None:
    found = read(tmp_path, CLIP)
    levels = np.array([[0, 10, 255], [255, 128, 7]], float)
    expected = (levels / 255 - CLIP["image_mean"]) / CLIP["image_std"]
    np.testing.assert_allclose((levels - found["mean"]) * found["scale"], expected, atol=1e-6)
    assert (found["width"], found["height"], found["framing"], found["share"]) == (224, 224, "crop", 1.0)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"size": 256}, {"width": 224, "height": 224, "framing": "crop", "share": 224 / 256}),
        ({"size": {"shortest_edge": 256}, "crop_size": 192}, {"width": 192, "height": 192, "share": 0.75}),
        ({"crop_size": [100, 200], "size": 200}, {"width": 200, "height": 100, "share": 0.5}),
        (
            {"do_center_crop": False, "size": {"height": 384, "width": 512}},
            {"width": 512, "height": 384, "framing": "squeeze"},
        ),
        ({"do_center_crop": False, "size": {"shortest_edge": 300}}, {"width": 300, "height": 300, "framing": "crop"}),
        ({"size": {"height": 224, "width": 224}}, {"framing": "crop", "share": 1.0}),
        ({"do_normalize": False}, {"mean": (0.0, 0.0, 0.0), "scale": (pytest.approx(1 / 255),) * 3}),
        ({"do_rescale": False, "do_normalize": False}, {"mean": (0.0,) * 3, "scale": (1.0,) * 3}),
        (
            {"image_mean": 0.5, "image_std": 0.5},
            {"mean": (pytest.approx(127.5),) * 3, "scale": (pytest.approx(1 / 127.5),) * 3},
        ),
    ],
)
def test_every_form_of_the_file_is_understood(tmp_path: Path, change: dict[str, Any], expected: dict[str, Any]) -> None:
    found = read(tmp_path, {**CLIP, **change})
    assert {name: found[name] for name in expected} == expected


def test_missing_entries_have_defaults(tmp_path: Path) -> None:
    found = read(tmp_path, {})
    assert found.keys() == {"mean", "scale"}
    np.testing.assert_allclose((np.array([0, 255]) - found["mean"][0]) * found["scale"][0], [-1, 1])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nothing", "is no preprocessor_config.json"),
        ("[1, 2]", "is no preprocessor_config.json"),
        ("[" * 100_000, "is no preprocessor_config.json"),
        ({**CLIP, "image_std": [0, 1, 1]}, "is no preprocessor_config.json"),
        ({**CLIP, "image_mean": "grey"}, "is no preprocessor_config.json"),
        ({**CLIP, "size": {"longest_edge": 3}}, "is no preprocessor_config.json"),
        ({**CLIP, "size": {"height": 300, "width": 224}}, "resizes photos without keeping their proportions"),
        ({**CLIP, "size": 200}, "crops 224x224 pixels out of fewer"),
    ],
)
def test_errors_are_reported_in_one_line(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(NetworkError, match=message) as caught:
        read(tmp_path, content)
    assert str(caught.value).startswith("preprocessor_config.json cannot be used")
    assert "\n" not in str(caught.value)


def test_a_missing_or_too_large_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match=r"no file none\.json"):
        read_preprocessing(tmp_path / "none.json")
    with pytest.raises(NetworkError, match="cannot be read"):
        read(tmp_path, " " * (2 << 20))


def test_the_middle_share_of_the_photo_is_cut_out(tmp_path: Path) -> None:
    file = tmp_path / "net.onnx"
    file.write_bytes(residual_network(side=32).SerializeToString())
    inner = np.random.default_rng(0).integers(0, 256, (32, 32, 3), np.uint8)
    whole = np.zeros((64, 96, 3), np.uint8)
    whole[16:48, 32:64] = inner
    found = NetworkDescriptor.open("net", file, share=0.5).extract(WorkingImage.from_array(whole))
    expected = NetworkDescriptor.open("net", file).extract(WorkingImage.from_array(inner))
    np.testing.assert_allclose(found, expected, atol=1e-5)
    for share in (0, 1.5, -1):
        with pytest.raises(NetworkError, match="above 0 and at most 1"):
            NetworkDescriptor.open("net", file, share=share)


numbers = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-300, 5000),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from([0, 1, 224, 256, 0.5, 1e400, float("nan"), "224"]),
)
sizes = st.one_of(
    numbers,
    st.lists(numbers, max_size=3),
    st.dictionaries(st.sampled_from(["height", "width", "shortest_edge", "longest_edge"]), numbers, max_size=3),
)
said = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("size", "crop_size"), sizes),
        **dict.fromkeys(("image_mean", "image_std"), st.one_of(numbers, st.lists(numbers, min_size=2, max_size=4))),
        **dict.fromkeys(("do_center_crop", "do_normalize", "do_rescale", "do_resize"), st.booleans()),
        "rescale_factor": numbers,
    },
)


@given(said)
def test_any_file_is_refused_or_usable(said: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = read(Path(folder), said)
        except NetworkError:
            return
    assert np.isfinite([*found["mean"], *found["scale"]]).all()
    assert np.all(found["scale"])
    if "width" in found:
        assert type(found["width"]) is type(found["height"]) is int
        assert min(found["width"], found["height"]) > 0
        assert found["framing"] in ("crop", "squeeze")
        assert 0 < found.get("share", 1.0) <= 1


@given(
    st.tuples(*[st.integers(1, 2000)] * 2),
    st.integers(0, 500),
    st.lists(st.floats(0, 1), min_size=3, max_size=3),
    st.lists(st.floats(0.01, 10), min_size=3, max_size=3),
)
def test_levels_and_shares_agree_with_the_file(
    crop: tuple[int, int], more: int, mean: list[float], deviation: list[float]
) -> None:
    width, height = crop
    shortest = min(crop) + more
    with tempfile.TemporaryDirectory() as folder:
        found = read(
            Path(folder),
            {
                "size": {"shortest_edge": shortest},
                "crop_size": {"width": width, "height": height},
                "do_center_crop": True,
                "image_mean": mean,
                "image_std": deviation,
            },
        )
    assert (found["width"], found["height"]) == crop
    assert found["share"] == pytest.approx(min(crop) / shortest)
    levels = np.array([0.0, 1.0, 128.0, 255.0])[:, None]
    expected = (levels / 255 - mean) / deviation
    np.testing.assert_allclose((levels - found["mean"]) * found["scale"], expected, rtol=1e-9, atol=1e-9)
