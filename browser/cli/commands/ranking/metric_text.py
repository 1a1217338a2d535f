# SPDX-License-Identifier: MIT
"""Output format of metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from focal_photos.browser.catalog.facts.records import Metric


def metric_document(metric: Metric) -> dict[str, Any]:
    """Return the JSON document of a metric; ``at`` is in UTC."""
    return {
        "metric": metric.name,
        "title": metric.title,
        "learner": metric.learner,
        "version": metric.version,
        "at": metric.at.isoformat() if metric.file else None,
        "judgements": metric.judgements,
        "tagged": metric.tagged,
    }


def weights_line(weights: Mapping[str, float]) -> str:
    """Format the weights of feature families as one line: ``gist 41 %, gabor 35 %, ...``."""
    return ", ".join(f"{name} {100 * weight:.0f} %" for name, weight in weights.items())
