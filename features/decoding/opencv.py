"""OpenCV, loaded when something of it is first used: whoever ranks what is described computes nothing with it.

Descriptors say ``from focal_photos.features.decoding.opencv import cv2``.
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
            setattr(self, name, found)  # the next time it is there without asking
            return found

    cv2 = _OpenCV()
