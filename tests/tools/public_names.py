# SPDX-License-Identifier: MIT
"""Write the types of the public names to ``focal_photos/__init__.pyi``: ``python -m tests.tools.public_names``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import focal_photos
from focal_photos.learners import PLACES

STUB: Final = Path(focal_photos.__file__).with_suffix(".pyi")
_FIRST_LINE: Final = "# Written by python -m tests.tools.public_names."


def stub() -> str:
    """Return the content of the stub: an import for each public name, in the order of ruff."""
    places: dict[str, str] = vars(focal_photos)["_PLACES"] | {
        kind: f"learners.{module}" for module, kind in PLACES.values()
    }
    ordered = sorted(
        (place, 0 if name.isupper() else 1 if name[0].isupper() else 2, name) for name, place in places.items()
    )
    imports = (f"from focal_photos.{place} import {name} as {name}\n" for place, _, name in ordered)
    return f"{_FIRST_LINE}\n\n{''.join(imports)}\n__all__: list[str]\n__version__: str\n"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
