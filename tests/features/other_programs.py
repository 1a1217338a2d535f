# SPDX-License-Identifier: MIT
"""Decode files by ImageMagick and OpenCV, and compare the results."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

_SECONDS: Final = 60.0
_POLICY: Final = """<policymap>
<policy domain="resource" name="memory" value="1GiB"/>
<policy domain="resource" name="disk" value="1GiB"/>
<policy domain="resource" name="area" value="300MP"/>
<policy domain="delegate" rights="none" pattern="*"/>
<policy domain="filter" rights="none" pattern="*"/>
<policy domain="path" rights="none" pattern="@*"/>
<policy domain="coder" rights="none" pattern="*"/>
<policy domain="coder" rights="read"
 pattern="{JPEG,JPG,PNG,WEBP,TIFF,TIFF64,TIF,GIF,BMP,DIB,AVIF,HEIC,HEIF,JP2,J2K,JPC,PSD,PSB,PNM,PPM,PGM,PBM,TGA}"/>
<policy domain="coder" rights="write" pattern="PPM"/>
</policymap>
"""


class ImageMagick:
    """ImageMagick with a policy that prevents it from starting other programs.

    Parameters
    ----------
    folder : Path
        Folder for the policy.
    """

    def __init__(self, folder: Path) -> None:
        self.command = shutil.which("magick") or shutil.which("convert")
        """Path of ImageMagick; None if it is not installed, and no file can be read."""
        (folder / "policy.xml").write_text(_POLICY, encoding="utf-8")
        self._environment = {**os.environ, "MAGICK_CONFIGURE_PATH": str(folder), "MAGICK_THREAD_LIMIT": "1"}

    def pixels(self, path: Path) -> NDArray[np.uint8] | None:
        """Return the upright first picture over white, (h, w, 3), sRGB; None if it cannot be decoded."""
        over_white = ("-auto-orient", "-background", "white", "-alpha", "remove")
        found = self._output(path, *over_white, "-colorspace", "sRGB", "-depth", "8", "ppm:-")
        if not found:
            return None
        with Image.open(io.BytesIO(found)) as image:
            return np.asarray(image.convert("RGB"))

    def _output(self, path: Path, *words: str) -> bytes:
        if self.command is None:
            return b""
        try:
            done = subprocess.run(
                [self.command, f"{path}[0]", *words],
                env=self._environment,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return b""
        return done.stdout if done.returncode == 0 else b""


def opencv_pixels(content: bytes) -> NDArray[np.uint8] | None:
    """Return the upright picture decoded by OpenCV over white, (h, w, 3); None if it cannot be decoded."""
    import cv2

    data = np.frombuffer(content, np.uint8)
    turned = cv2.imdecode(data, cv2.IMREAD_COLOR)  # applies the EXIF orientation
    if turned is None:
        return None
    stored = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    if stored is not None and stored.ndim == 3 and stored.shape[2] == 4 and stored.shape == (*turned.shape[:2], 4):
        white = float(np.iinfo(str(stored.dtype)).max) if stored.dtype.kind == "u" else 1.0
        alpha = stored[..., 3:].astype(np.float64) / white
        over = stored[..., 2::-1] / white * 255 * alpha + 255 * (1 - alpha)
        return np.asarray(np.rint(over), dtype=np.uint8)
    return np.asarray(turned[..., ::-1], dtype=np.uint8)


@dataclass(frozen=True)
class Difference:
    """Difference between two decoded pictures."""

    mean: float
    """Mean absolute difference in levels of 0 to 255; 255 if the sizes differ."""
    upright: bool
    """Whether no rotation or reflection of one picture is nearer to the other than the picture itself."""
    scale: float
    """Slope of the levels of one picture against the other: 1 if black and white are the same."""


def difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Difference:
    """Compare two decoded pictures, (h, w, 3) each."""
    first, second = one.astype(np.float64), other.astype(np.float64)
    views = [np.rot90(view, turns) for view in (first, first[:, ::-1]) for turns in range(4)]
    means = [float(np.abs(view - second).mean()) if view.shape == second.shape else 255.0 for view in views]
    if first.shape != second.shape:
        return Difference(255.0, False, 0.0)
    spread = second - second.mean()
    power = float((spread**2).sum())
    scale = float(((first - first.mean()) * spread).sum() / power) if power else 1.0
    return Difference(means[0], means[0] <= min(means) + 1e-9, scale)
