# SPDX-License-Identifier: MIT
"""The model card of an exported metric, as JSON and as Markdown: its training data, its quality, and its limits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import global_by_keys, name_of
from focal_photos.browser.operations.describing.enabled import all_descriptors
from focal_photos.browser.operations.exchange.lenses.portable.portable_metric import PortableMetric
from focal_photos.features.base import Fitted
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.evaluation.selection import HeldOut

FORMAT: Final = "focal-model-card"
VERSION: Final = 1
NO_LICENCE: Final = "Not stated: ask the user who trained the metric."
_MEASURES: Final = {
    "precision": "share of photos with a common tag among the first {k}, for held-out photos",
    "order": "share of held-out judged pairs in the right order",
}
_LIMITS: Final = (
    "It ranks rows of descriptors that Focal has computed. It does not read photos.",
    "The versions and fitted states of the descriptors must be those listed here. A key identifies both.",
    "It ranks by the distance of the metric alone. Focal's own window may also use the neighbours that photos share, "
    "and rejected photos, so that its order can differ.",
    "It was trained on the tags and judgements of one user. For other photos and other users, measure it first.",
)


def model_card(
    library: Library, metric: Metric, portable: PortableMetric, measured: HeldOut | None, licence: str
) -> dict[str, Any]:
    """Return the model card of a metric.

    Parameters
    ----------
    measured : HeldOut or None
        Gain of its learner on held-out data; None if it was not measured.
    licence : str
        Licence of the metric; empty: not stated.
    """
    kind = LEARNERS[portable.learner_name]
    learned = portable.learner is not None
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": portable.title,
        "learned_at": metric.at.isoformat() if learned else None,
        "learner": {
            "name": portable.learner_name,
            "title": kind.title,
            "source": kind.source,
            "parameters": _plain(portable.learner.get_params(deep=False)) if portable.learner is not None else {},
        },
        "data": {"judgements": metric.judgements, "tagged_photos": metric.tagged},
        "held_out": None if measured is None else _figures(measured),
        "descriptors": _descriptors(library, portable),
        "input": {"name": "descriptors", "type": "float32", "values": portable.width},
        "output": {"name": "embedding", "type": "float32", "values": portable.dimension, "distance": "Euclidean"},
        "licence": licence or NO_LICENCE,
        "limits": list(_LIMITS),
    }


def as_json(card: Mapping[str, Any]) -> str:
    """Return a model card as JSON text."""
    return json.dumps(card, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def as_markdown(card: Mapping[str, Any]) -> str:
    """Return a model card as Markdown."""
    learner, data = card["learner"], card["data"]
    source = f" ({_escaped(learner['source'])})" if learner["source"] else ""
    lines = [
        f"# {_escaped(card['title'])}",
        "",
        "A metric of Focal: it ranks photos by similarity, as one user sees it.",
        "",
        f"- Learner: {_escaped(learner['title'])}{source}",
        f"- Learned: {card['learned_at'] or 'nothing, this is the metric without training'}",
        f"- Data: {data['judgements']} judgements, {data['tagged_photos']} tagged photos",
        f"- Licence: {_escaped(card['licence'])}",
        f"- Input: rows of {card['input']['values']} values (float32); output: {card['output']['values']} coordinates "
        "(float32), whose Euclidean distance is the metric",
        "",
        "## Quality",
        "",
        *_quality(card["held_out"]),
        "",
        "## Descriptors",
        "",
        "A row contains these columns, in this order:",
        "",
        "| descriptor | version | key | columns | values | weight | fitted to |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in card["descriptors"]:
        fitted = "the photos of the library" if one["fitted"] else "nothing"
        cells = (
            one["title"],
            str(one["version"]),
            one["key"],
            f"{one['columns'][0]} to {one['columns'][1] - 1}",
            "shares or counts" if one["counts"] else "numbers",
            f"{one['weight']:.3g}",
            fitted,
        )
        lines.append("| " + " | ".join(map(_escaped, cells)) + " |")
    lines += ["", "## Parameters", ""]
    lines += [f"- `{name}`: {_escaped(json.dumps(value))}" for name, value in learner["parameters"].items()] or [
        "None."
    ]
    lines += ["", "## Limits", "", *(f"- {limit}" for limit in card["limits"]), ""]
    return "\n".join(lines)


def _quality(held_out: Mapping[str, Any] | None) -> Sequence[str]:
    if held_out is None:
        return ["Not measured: there are too few tags and judgements, or the learner takes too long."]
    lines = [
        f"Measured on held-out data ({held_out['questions']} questions): {held_out['measure']}.",
        "",
        f"- This metric: {_percent(held_out['score'])} %",
        f"- Without training: {_percent(held_out['without_training'])} %",
    ]
    gain = f"- Difference: {_percent(held_out['gain'], '+')} points"
    if held_out["interval"] is not None:
        low, high = held_out["interval"]
        gain += f" (95 % interval: {100 * low:+.1f} to {100 * high:+.1f})"
    return [*lines, gain]


def _percent(share: float | None, sign: str = "") -> str:
    return "unknown" if share is None else f"{100 * share:{sign}.1f}"


def _figures(measured: HeldOut) -> dict[str, Any]:
    """Return the gain as numbers: shares 0..1, and the 95 % interval of the gain."""
    interval = None
    if math.isfinite(measured.error):
        interval = [measured.gain - 2 * measured.error, measured.gain + 2 * measured.error]
    return {
        "measure": _MEASURES[measured.measure].format(k=measured.k),
        "questions": measured.questions,
        "score": _finite(measured.score),
        "without_training": _finite(measured.euclidean),
        "gain": _finite(measured.gain),
        "interval": interval,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _descriptors(library: Library, portable: PortableMetric) -> list[dict[str, Any]]:
    known, made = all_descriptors(library), global_by_keys(library, [one.name for one in portable.families])
    found = []
    for family in portable.families:
        name = name_of(family.name)
        found.append(
            {
                "name": name,
                "title": known[name].title if name in known else name,
                "key": family.name,
                "version": int(family.name.rsplit("-", 2)[1]),
                "columns": [family.start, family.stop],
                "counts": family.is_count,
                "weight": family.weight,
                "fitted": isinstance(made.get(family.name), Fitted),
            }
        )
    return found


def _plain(value: Any) -> Any:
    """Return a parameter as JSON; families become their names."""
    if isinstance(value, FeatureFamily):
        return value.name
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no such numbers
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def _escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(text.split()))
