from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.models.review.review import _without
from focal_photos.browser.operations.tagging.review import Turn


def test_of_photos_that_were_settled_nothing_is_left_in_the_other_questions() -> None:
    sure, stated = np.array([0.9, 0.8, 0.6, 0.2], np.float32), np.array([0.7, 0.5, 0.4, 0.1], np.float32)
    turn = Turn("sea", np.array([11, 12, 13, 14]), sure, stated, 3, float(sure.sum()), ("sky",), True)
    left = _without(turn, np.array([12, 14, 99]))
    assert left.photo_ids.tolist() == [11, 13]
    np.testing.assert_array_equal(left.confidences, sure[[0, 2]])
    np.testing.assert_array_equal(left.stated, stated[[0, 2]])
    assert left.line == 2
    assert left.expected == pytest.approx(1.5)
    assert (left.tag, left.known, left.again) == ("sea", ("sky",), True)
