# SPDX-License-Identifier: MIT
"""The file of a metric for the script `resources.portable.rank_photos`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.describing.descriptors import name_of
from focal_photos.browser.operations.exchange.lenses.portable.portable_metric import PortableMetric

FORMAT: Final = "focal-metric-steps"
VERSION: Final = 1


def write_steps(metric: PortableMetric, path: Path) -> None:
    """Write ``metric.npz``: the arrays of the steps, and their description as JSON in the member ``description``."""
    arrays: dict[str, NDArray[np.generic]] = {}
    described = []
    for step in metric.steps.steps:
        names = {}
        for name, array in step.arrays.items():
            names[name] = f"a{len(arrays)}"
            arrays[names[name]] = array
        described.append(
            {"kind": step.kind, "inputs": list(step.inputs), "numbers": dict(step.numbers), "arrays": names}
        )
    document = {
        "format": FORMAT,
        "version": VERSION,
        "title": metric.title,
        "width": metric.width,
        "families": [
            {"name": name_of(one.name), "key": one.name, "start": one.start, "stop": one.stop}
            for one in metric.families
        ],
        "steps": described,
    }
    text = np.frombuffer(json.dumps(document, allow_nan=False).encode(), dtype=np.uint8)
    with path.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, description=text, **arrays)
