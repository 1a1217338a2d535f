"""OpenCV, loaded on first use, because ranking described photos does not need it.

Descriptors use ``from focal_photos.features.decoding.opencv import cv2``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["cv2"]

if TYPE_CHECKING:
    import cv2
else:

    class _OpenCV:
        def __getattr__(self, name):
            import cv2

            found = getattr(cv2, name)
            setattr(self, name, found)  # later accesses bypass this method
            return found

    cv2 = _OpenCV()
