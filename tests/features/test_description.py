from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from features import DESCRIPTORS
from features.description import Description, describe
from features.image import DecodeLimits, ImageTooLargeError, UnreadableImageError, WorkingImage, decode
from tests.features.pictures import file_bytes, scene


def test_gives_everything_from_one_photo(tmp_path: Path) -> None:
    file = tmp_path / "photo.png"
    file.write_bytes(file_bytes(scene(300, 200)))
    found = describe(file, list(DESCRIPTORS))
    assert (found.header.width, found.header.height, found.header.format) == (300, 200, "PNG")
    assert list(found.vectors) == list(DESCRIPTORS)
    image = WorkingImage.from_array(scene(300, 200))
    for name, vector in found.vectors.items():
        np.testing.assert_array_equal(vector, DESCRIPTORS[name].extract(image))
    assert set(found.seconds) == {"decode", "thumbnail", *DESCRIPTORS}
    assert all(seconds >= 0 for seconds in found.seconds.values())


def test_path_and_content_agree(tmp_path: Path) -> None:
    file = tmp_path / "photo.jpg"
    file.write_bytes(file_bytes(scene(500, 300), "JPEG"))
    from_path, from_content = describe(file, ["gabor"]), describe(file.read_bytes(), ["gabor"])
    np.testing.assert_array_equal(from_path.vectors["gabor"], from_content.vectors["gabor"])
    assert from_path.thumbnail == from_content.thumbnail


@pytest.mark.parametrize(
    ("size", "expected"), [((1000, 500), (256, 128)), ((300, 600), (128, 256)), ((90, 60), (90, 60))]
)
def test_thumbnail_is_small_but_never_enlarged(size: tuple[int, int], expected: tuple[int, int]) -> None:
    found = describe(file_bytes(scene(*size)), [])
    assert found.vectors == {}
    assert found.thumbnail is not None
    thumbnail = decode(found.thumbnail)
    assert (thumbnail.header.format, thumbnail.header.width, thumbnail.header.height) == ("JPEG", *expected)


def test_thumbnail_looks_like_the_photo() -> None:
    found = describe(file_bytes(scene(256, 170)), [])
    assert found.thumbnail is not None
    difference = decode(found.thumbnail).rgb.astype(int) - scene(256, 170)
    assert np.abs(difference).mean() < 6


def test_no_thumbnail_when_none_is_wanted() -> None:
    found = describe(file_bytes(scene()), [], thumbnail_side=None)
    assert found.thumbnail is None
    assert set(found.seconds) == {"decode"}


def test_errors_pass_through() -> None:
    with pytest.raises(UnreadableImageError):
        describe(b"no image", ["gabor"])
    with pytest.raises(ImageTooLargeError):
        describe(file_bytes(scene()), [], limits=DecodeLimits(max_pixels=10))
    with pytest.raises(KeyError, match="gaboor"):
        describe(file_bytes(scene()), ["gaboor"])


def test_travels_from_a_worker_process() -> None:
    found = describe(file_bytes(scene()), list(DESCRIPTORS))
    copy: Description = pickle.loads(pickle.dumps(found))
    assert copy.header == found.header
    assert copy.thumbnail == found.thumbnail
    for name in DESCRIPTORS:
        np.testing.assert_array_equal(copy.vectors[name], found.vectors[name])
