# SPDX-License-Identifier: MIT
from __future__ import annotations

import io
from datetime import datetime, timedelta
from itertools import permutations

import numpy as np
import pytest
from PIL import Image, ImageFilter

from focal_photos.browser.operations.duplicates.keeper import Member, Reason, propose, sharpness

START = datetime(2024, 5, 1, 12)


def member(photo_id: int, **known: object) -> Member:
    plain: dict[str, object] = {"pixels": 1000, "bytes": 1000, "rating": None, "sharpness": 1.0, "taken": None}
    return Member(photo_id, **{**plain, **known})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("best", "other", "reason"),
    [
        ({"rating": 3}, {"rating": 2, "pixels": 9000}, Reason.RATED),
        ({"rating": 1}, {"pixels": 9000}, Reason.RATED),
        ({}, {"rating": -1, "pixels": 9000}, Reason.RATED),
        ({"pixels": 1100}, {"sharpness": 9.0}, Reason.LARGEST),
        ({"pixels": 1000, "sharpness": 1.2}, {"pixels": 1010}, Reason.SHARPEST),
        ({"bytes": 1100, "sharpness": 1.0}, {"sharpness": 1.1}, Reason.LEAST_COMPRESSED),
        ({"taken": START}, {"taken": START + timedelta(seconds=1), "sharpness": 1.1, "bytes": 1040}, Reason.FIRST),
        ({"taken": START}, {}, Reason.FIRST),
    ],
)
def test_the_best_photo_is_the_keeper(best: dict[str, object], other: dict[str, object], reason: Reason) -> None:
    for ids in ((1, 2), (2, 1)):
        two = [member(ids[0], **best), member(ids[1], **other)]
        for members in (two, two[::-1]):
            ordered, why = propose(members)
            assert ordered[0].photo_id == ids[0]
            assert why is reason


def test_the_other_photos_follow_in_the_order_of_capture() -> None:
    members = [
        member(i, taken=START + timedelta(seconds=-i) if i < 4 else None, pixels=1500 if i == 2 else 1000)
        for i in range(6)
    ]
    for some in list(permutations(members))[::97]:
        ordered, why = propose(some)
        assert [one.photo_id for one in ordered] == [2, 3, 1, 0, 4, 5]
        assert why is Reason.LARGEST


def test_a_reason_distinguishes_the_keeper_from_the_others() -> None:
    ordered, why = propose([member(1, pixels=2000, sharpness=1), member(2, pixels=2000, sharpness=2), member(3)])
    assert ordered[0].photo_id == 2
    assert why is Reason.SHARPEST, "the two largest have the same size"
    ordered, why = propose([member(1, sharpness=1, bytes=2000), member(2, sharpness=2)], by_sharpness=False)
    assert ordered[0].photo_id == 1
    assert why is Reason.LEAST_COMPRESSED
    assert propose([member(5)])[0] == [member(5)]


def jpeg(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=92)
    return stream.getvalue()


def test_a_blurred_photo_is_less_sharp_at_any_contrast() -> None:
    shapes = np.zeros((150, 200), dtype=np.uint8)
    shapes[20:90, 30:120], shapes[60:140, 100:180], shapes[10:40, 140:190] = 220, 120, 170
    photo = Image.fromarray(shapes)
    sharp = sharpness(jpeg(photo))
    blurred = sharpness(jpeg(photo.filter(ImageFilter.GaussianBlur(1.2))))
    dim = sharpness(jpeg(Image.fromarray((np.asarray(photo) * 0.7).astype(np.uint8))))
    assert blurred < 0.5 * sharp
    assert dim == pytest.approx(sharp, rel=0.25)
    assert sharpness(None) == sharpness(b"no picture") == sharpness(jpeg(Image.new("L", (30, 30), 90))) == 0
    assert sharpness(jpeg(Image.new("L", (2, 30)))) == 0
