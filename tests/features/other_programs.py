"""What Focal, Pillow and ImageMagick make of a file."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from PIL import Image

from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.limits import ImageError

SECONDS: Final = 60.0
_PILLOW_FORMATS: Final = (
    *("JPEG", "MPO", "PNG", "WEBP", "TIFF", "GIF", "BMP", "DIB", "AVIF", "JPEG2000", "PSD", "PPM", "TGA"),
)
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
<policy domain="coder" rights="write" pattern="{NULL,INFO}"/>
</policymap>
"""


def read_by_focal(path: Path) -> str:
    """Return why Focal refuses a file, empty if it reads it; runs in a worker process."""
    try:
        decode(path)
    except ImageError as error:
        return str(error)
    return ""


def read_by_pillow(path: Path) -> bool:
    """Tell whether Pillow decodes a file; runs in a worker process. Never calls Ghostscript."""
    try:
        with Image.open(path, formats=_PILLOW_FORMATS) as image:
            image.load()
    except Exception:
        return False
    return True


class ImageMagick:
    """ImageMagick with a policy of its own; `read` says False where it is not installed."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("magick") or shutil.which("convert")
        self.command = None if found is None else [found]
        (folder / "policy.xml").write_text(_POLICY, encoding="utf-8")
        self._environment = {**os.environ, "MAGICK_CONFIGURE_PATH": str(folder), "MAGICK_THREAD_LIMIT": "1"}

    def read(self, path: Path) -> bool:
        """Tell whether it decodes the first picture of a file without an error."""
        if self.command is None:
            return False
        try:
            done = subprocess.run(
                [*self.command, f"{path}[0]", "-depth", "8", "-format", "%w %h %[fx:mean]", "info:"],
                env=self._environment,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0 and bool(done.stdout.strip())
