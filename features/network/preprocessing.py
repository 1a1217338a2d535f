# SPDX-License-Identifier: MIT
"""Image preprocessing of a network, read from its accompanying JSON file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from focal_photos.features.network.network_file import NetworkError, read_file

_LARGEST: Final = 1 << 20
_RESCALE: Final = 1 / 255
_MEAN: Final = (0.5, 0.5, 0.5)
_DEVIATION: Final = (0.5, 0.5, 0.5)


def read_preprocessing(file: Path | str) -> dict[str, Any]:
    """Convert a ``preprocessor_config.json`` of Hugging Face to parameters of `NetworkDescriptor`.

    Photos are reduced by area averaging instead of cubic interpolation; ``resample`` is ignored.

    Parameters
    ----------
    file : Path or str

    Returns
    -------
    dict
        ``width``, ``height``, ``mean``, ``scale``, ``framing`` and ``share``, if specified. By default, levels are
        multiplied by 1/255, and mapped from 0..1 to -1..1 if the file requests normalization.

    Raises
    ------
    NetworkError
        If it is not such a file, or requests an unsupported operation.
    """
    name = Path(file).name
    data = read_file(file, "a preprocessor_config.json", _LARGEST)
    try:
        found = json.loads(data)
        if not isinstance(found, dict):
            raise TypeError
        levels = _levels(found)
        if not all(map(math.isfinite, (*levels["mean"], *levels["scale"]))) or 0 in levels["scale"]:
            raise ValueError("levels that are no numbers, or nothing is left of")
        return {**levels, **_framing(found)}
    except NetworkError as error:
        raise NetworkError("{0} cannot be used: {1}", name, error) from None
    except (ValueError, TypeError, KeyError, ArithmeticError, RecursionError):
        raise NetworkError("{0} cannot be used: it is no preprocessor_config.json of an image network.", name) from None


def _levels(found: Mapping[str, Any]) -> dict[str, Any]:
    factor = float(found.get("rescale_factor", _RESCALE)) if found.get("do_rescale", True) else 1.0
    if not found.get("do_normalize", True):
        return {"mean": (0.0, 0.0, 0.0), "scale": (factor,) * 3}
    mean = _three(found.get("image_mean", _MEAN))
    deviation = _three(found.get("image_std", _DEVIATION))
    # (level factor - mean) / deviation = (level - mean / factor) (factor / deviation)
    return {"mean": tuple(m / factor for m in mean), "scale": tuple(factor / d for d in deviation)}


def _framing(found: Mapping[str, Any]) -> dict[str, Any]:
    size = found.get("size") if found.get("do_resize", True) else None
    crop = _sides(found["crop_size"]) if found.get("do_center_crop") and "crop_size" in found else None
    if crop is None:
        if size is None:
            return {}
        width, height = _sides(size)
        squeezed = isinstance(size, dict) and "height" in size
        return {"width": width, "height": height, "framing": "squeeze" if squeezed else "crop"}
    width, height = crop
    resized = crop if size is None else _sides(size)
    if isinstance(size, dict) and "height" in size and size["height"] != size["width"]:
        raise NetworkError(
            "it resizes photos without keeping their proportions before it crops them, which Focal does not support."
        )
    share = min(width, height) / min(resized)
    if share > 1:
        raise NetworkError("it crops {0}x{1} pixels out of fewer.", width, height)
    return {"width": width, "height": height, "framing": "crop", "share": share}


def _sides(size: Any) -> tuple[int, int]:
    """Return width and height from any notation of a size."""
    if isinstance(size, dict):
        size = size["shortest_edge"] if "shortest_edge" in size else (size["height"], size["width"])
    height, width = map(int, size if isinstance(size, list | tuple) else (size, size))
    if min(width, height) < 1:
        raise ValueError("an image has pixels")
    return width, height


def _three(values: Any) -> tuple[float, float, float]:
    if isinstance(values, int | float):
        values = [values] * 3
    first, second, third = map(float, values)
    return first, second, third
